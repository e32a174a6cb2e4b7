//! One ceiling's single writer: take the lock, stamp, apply, give the lock back.
//!
//! Nothing waits while the lock is held, and nothing is rendered. The stamp is taken under the
//! lock, so that stamps follow the order in which commands are applied.

use std::sync::{Arc, Mutex, MutexGuard};

use super::Clock;
use crate::engine::{Command, Config, Engine, Lease, LeaseId, Outcome, Stats};

/// Why a ceiling cannot be asked now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// The gateway is stopping and admits nothing more.
    #[error("the gateway is stopping and admits nothing more; ask another one")]
    Draining,
    /// A defect stopped this ceiling in the middle of a change, so its accounts cannot be trusted.
    #[error("this ceiling has failed and its accounts cannot be trusted; restart the gateway")]
    Failed,
}

/// One named ceiling.
#[derive(Debug)]
pub struct Ceiling {
    name: String,
    number: usize,
    config: Arc<Config>,
    engine: Mutex<Engine>,
    clock: Arc<dyn Clock>,
}

impl Ceiling {
    pub(super) fn start(
        name: String,
        number: usize,
        config: Config,
        epoch: u64,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let engine = Engine::new(config.with_started_at(clock.now()), epoch);
        let config = Arc::clone(engine.config());
        Self { name, number, config, engine: Mutex::new(engine), clock }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its place in the configuration.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// What it was built from.
    #[must_use]
    pub fn config(&self) -> &Arc<Config> {
        &self.config
    }

    /// Applies `command` now.
    pub(super) fn apply(&self, command: Command<'_>) -> Result<Outcome, Unavailable> {
        let mut engine = self.lock()?;
        let now = self.clock.now();
        Ok(engine.apply(now, command))
    }

    /// The accounts as of now. Shares and the plan follow from them, without the lock.
    ///
    /// # Errors
    ///
    /// The ceiling has failed.
    pub fn stats(&self) -> Result<Stats, Unavailable> {
        let engine = self.lock()?;
        Ok(engine.stats(self.clock.now()))
    }

    /// The lease `id`, if it is held, and when that is as of.
    ///
    /// # Errors
    ///
    /// The ceiling has failed.
    pub fn lease(&self, id: LeaseId) -> Result<(i64, Option<Lease>), Unavailable> {
        let engine = self.lock()?;
        Ok((engine.now().max(self.clock.now()), engine.lease(id).cloned()))
    }

    /// At most `limit` leases granted after number `after` that `keep` likes (given the time),
    /// in the order of the grants, and when that is as of.
    ///
    /// # Errors
    ///
    /// The ceiling has failed.
    pub fn leases(
        &self,
        after: u64,
        limit: usize,
        keep: impl Fn(&Lease, i64) -> bool,
    ) -> Result<(i64, Vec<Lease>), Unavailable> {
        let engine = self.lock()?;
        let now = engine.now().max(self.clock.now());
        let leases = engine.leases_after(after, limit, |lease| keep(lease, now));
        Ok((now, leases.into_iter().cloned().collect()))
    }

    /// Whether a lease of that id was ever granted.
    ///
    /// # Errors
    ///
    /// The ceiling has failed.
    pub fn has_issued(&self, id: LeaseId) -> Result<bool, Unavailable> {
        Ok(self.lock()?.has_issued(id))
    }

    /// A panic under the lock leaves it poisoned: the ceiling then fails closed.
    fn lock(&self) -> Result<MutexGuard<'_, Engine>, Unavailable> {
        self.engine.lock().map_err(|_| Unavailable::Failed)
    }
}
