//! When a refused caller should come back, as headers.
//!
//! A caller that obeys only the headers must keep its place: it has to ask again before it no
//! longer counts as waiting. So no header names a time beyond that, even where the estimate is
//! later: asking early costs a refusal, asking late costs the place.

use crate::engine::Refusal;

/// Advice never exceeds this, in milliseconds: common client libraries ignore longer ones.
const ADVICE_MS_MAX: i64 = 59_999;
/// The advice where there is no estimate, in milliseconds, if the caller keeps its place that long.
const GUESS_MS: i64 = 1_000;

/// What the headers of a curable refusal say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Advice {
    /// `retry-after-ms`: at least 1.
    pub(super) ms: i64,
    /// `Retry-After`, in whole seconds; `None` where even one second would be too late.
    pub(super) seconds: Option<i64>,
}

impl Advice {
    /// The advice for `refusal`; `None` where waiting is no cure.
    pub(super) fn of(refusal: &Refusal, idle_after_ms: i64) -> Option<Self> {
        let within_ms = refusal.ask_again_within_ms?;
        Some(Self::new(refusal.retry_after_ms, within_ms, idle_after_ms))
    }

    fn new(estimate_ms: Option<i64>, within_ms: i64, idle_after_ms: i64) -> Self {
        let wanted_ms = estimate_ms.unwrap_or(GUESS_MS.min(idle_after_ms / 2));
        let latest_ms = within_ms.min(ADVICE_MS_MAX);
        let ms = wanted_ms.min(latest_ms).max(1);
        let rounded_up = ms.saturating_add(999) / 1_000;
        let seconds = rounded_up.min(within_ms / 1_000);
        Self { ms, seconds: (seconds >= 1).then_some(seconds) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(estimate_ms: Option<i64>, idle_after_ms: i64) -> (i64, Option<i64>) {
        let within_ms = idle_after_ms - (idle_after_ms / 4).max(1);
        let Advice { ms, seconds } = Advice::new(estimate_ms, within_ms, idle_after_ms);
        (ms, seconds)
    }

    #[test]
    fn the_estimate_is_passed_on_and_seconds_are_rounded_up() {
        assert_eq!(advice(Some(90), 60_000), (90, Some(1)));
        assert_eq!(advice(Some(1_001), 60_000), (1_001, Some(2)));
        assert_eq!(advice(Some(30_000), 60_000), (30_000, Some(30)));
    }

    #[test]
    fn a_wait_of_nothing_is_one_millisecond() {
        assert_eq!(advice(Some(0), 60_000), (1, Some(1)));
    }

    #[test]
    fn no_advice_reaches_the_moment_at_which_the_place_is_lost() {
        for idle_after_ms in [2, 3, 4, 10, 999, 1_000, 1_400, 2_000, 2_001, 10_000, 10_000_000] {
            for estimate_ms in [None, Some(0), Some(1), Some(999), Some(5_000), Some(i64::MAX)] {
                let (ms, seconds) = advice(estimate_ms, idle_after_ms);
                assert!(ms >= 1 && ms < idle_after_ms && ms < 60_000, "{ms} of {idle_after_ms}");
                if let Some(seconds) = seconds {
                    assert!((1..=60).contains(&seconds));
                    assert!(seconds * 1_000 < idle_after_ms, "{seconds} s of {idle_after_ms} ms");
                }
            }
        }
    }

    #[test]
    fn whole_seconds_are_left_out_where_one_is_too_long() {
        assert_eq!(advice(Some(90), 1_000), (90, None));
        assert_eq!(advice(Some(90), 1_400), (90, Some(1)));
    }

    #[test]
    fn without_an_estimate_the_advice_is_a_second_or_half_the_idle_time() {
        assert_eq!(advice(None, 60_000), (1_000, Some(1)));
        assert_eq!(advice(None, 500), (250, None));
    }
}
