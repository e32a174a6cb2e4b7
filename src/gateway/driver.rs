//! One ceiling's single writer: take the lock, stamp, append to the log, apply, give the lock back.
//!
//! Nothing waits while the lock is held, and nothing is rendered. The stamp is taken under the
//! lock, so that stamps follow the order in which commands are applied, and the log has that
//! order.

use std::sync::{Arc, Mutex, MutexGuard};

use super::log::Log;
use super::{Clock, Recorder};
use crate::engine::{Command, Config, Engine, Lease, LeaseId, Outcome, RequestError, Stats};
use crate::journal::{Entry, Record};

/// Why a ceiling cannot be asked now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// The gateway is stopping and admits nothing more.
    #[error("the gateway is stopping and admits nothing more; ask another one")]
    Draining,
    /// The gateway is reading its journal and admits nothing yet.
    #[error("the gateway is reading its journal and admits nothing yet: {0}")]
    Recovering(Arc<str>),
    /// The journal cannot be written, so nothing may be answered.
    #[error("the journal cannot be written, so nothing is admitted; the gateway is ending")]
    LogFailed,
    /// More is waiting to be written to the journal than may wait.
    #[error("more is waiting for the journal than may wait; ask again")]
    Overloaded,
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
    log: Option<CeilingLog>,
    recorder: Option<Arc<Recorder>>,
}

/// A ceiling's place in the log.
#[derive(Clone, Debug)]
pub(super) struct CeilingLog {
    pub(super) log: Arc<Log>,
    /// The number under which records name this ceiling.
    pub(super) ceiling: u32,
}

/// An outcome, and the record that must be in the log before anybody hears of it.
pub(super) struct Applied {
    pub(super) outcome: Outcome,
    pub(super) record: Option<u64>,
}

impl Ceiling {
    pub(super) fn new(
        name: String,
        number: usize,
        engine: Engine,
        clock: Arc<dyn Clock>,
        log: Option<CeilingLog>,
    ) -> Self {
        let config = Arc::clone(engine.config());
        Self { name, number, config, engine: Mutex::new(engine), clock, log, recorder: None }
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

    /// Stamps `command`, appends it to the log, and applies it. A request that cannot be asked
    /// changes nothing, and is not recorded.
    pub(super) fn apply(&self, command: &Command<'_>) -> Result<Applied, Unavailable> {
        let mut engine = self.lock()?;
        let now = self.clock.now().max(engine.now());
        let record = match &self.log {
            None => None,
            Some(log) => match log.append(&engine, now, command)? {
                Ok(number) => Some(number),
                Err(error) => {
                    return Ok(Applied { outcome: Outcome::Invalid(error), record: None });
                }
            },
        };
        let outcome = engine.apply(now, *command);
        if let Some(recorder) = &self.recorder {
            recorder.applied(now, command, &outcome);
        }
        Ok(Applied { outcome, record })
    }

    /// Records from now on what it is asked.
    pub(super) fn record(&mut self, recorder: &Arc<Recorder>) {
        recorder.begins(&self.config);
        self.recorder = Some(Arc::clone(recorder));
    }

    /// Waits until that record is in the log.
    pub(super) async fn written(&self, record: u64) -> Result<(), Unavailable> {
        match &self.log {
            Some(log) => log.log.written(record).await,
            None => Ok(()),
        }
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

impl CeilingLog {
    /// Appends `command` unless it cannot be asked.
    fn append(
        &self,
        engine: &Engine,
        now: i64,
        command: &Command<'_>,
    ) -> Result<Result<u64, RequestError>, Unavailable> {
        let entry = match command {
            Command::Acquire(request) => match engine.check(request) {
                Ok(tenant) => Entry::acquire(tenant, request),
                Err(error) => return Ok(Err(error)),
            },
            Command::Release(id) => Entry::Release { epoch: id.epoch, seq: id.seq },
        };
        let (ceiling, granted) = (self.ceiling, engine.granted());
        self.log.append(&Record::Entry { ceiling, now, granted, entry }).map(Ok)
    }
}
