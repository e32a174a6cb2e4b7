//! The one file that reads the clock.
#![expect(clippy::disallowed_methods, reason = "this is where the clock is read")]

use std::fmt::Debug;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime};

/// What time it is, in milliseconds since the Unix epoch. It never runs backwards.
pub trait Clock: Debug + Send + Sync {
    /// The time now.
    fn now(&self) -> i64;
}

/// The wall clock at the start, and the monotonic clock since: setting the wall clock while the
/// gateway runs moves no deadline.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    started_at: i64,
    started: Instant,
}

impl SystemClock {
    /// A clock that starts at the wall clock's time.
    #[must_use]
    pub fn start() -> Self {
        let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let started_at = since_epoch.map_or(0, millis);
        Self { started_at, started: Instant::now() }
    }

    /// The same clock, but never before `stamp`: time does not run backwards over a restart
    /// either. Also says by how much the stamp was ahead, in milliseconds.
    #[must_use]
    pub fn not_before(self, stamp: i64) -> (Self, i64) {
        let ahead_ms = stamp.saturating_sub(self.now()).max(0);
        (Self { started_at: self.started_at.saturating_add(ahead_ms), ..self }, ahead_ms)
    }
}

impl Clock for SystemClock {
    fn now(&self) -> i64 {
        self.started_at.saturating_add(millis(self.started.elapsed()))
    }
}

/// A clock that stands still until it is moved, for tests.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn at(now: i64) -> Self {
        Self(AtomicI64::new(now))
    }

    /// Moves it on by `ms`.
    pub fn advance(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Measures how long something took.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts measuring.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// How long it has been.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_clock_tells_the_wall_clocks_time_and_never_runs_backwards() {
        let before = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        let clock = SystemClock::start();
        let mut last = clock.now();
        assert!(last >= millis(before) && last < millis(before) + 60_000);
        for _ in 0..10_000 {
            let now = clock.now();
            assert!(now >= last);
            last = now;
        }
    }

    #[test]
    fn a_manual_clock_moves_only_when_it_is_moved() {
        let clock = ManualClock::at(5);
        assert_eq!((clock.now(), clock.now()), (5, 5));
        clock.advance(3);
        assert_eq!(clock.now(), 8);
    }
}
