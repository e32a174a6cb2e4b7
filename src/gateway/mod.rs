//! The handle that every edge uses: named ceilings, one writer each, the log, and the only clock.
//!
//! In reading order: `options` (what it is built from), `clock` (the one file that reads the
//! time), `open` (from a configuration and perhaps a journal to ceilings), `driver` (the lock
//! around an engine: stamp, append, apply), `log` (group commit), `phase` (serving, draining),
//! `lookup` (which ceiling is meant, and its answer), `recorder` (a trace of what was asked). It
//! never decides anything about units.

mod clock;
mod driver;
mod log;
mod lookup;
mod open;
mod options;
mod phase;
mod recorder;

use std::sync::{Arc, OnceLock};

pub use self::clock::{Clock, ManualClock, Stopwatch, SystemClock};
pub use self::driver::{Ceiling, Unavailable};
pub use self::lookup::{LookupError, UnknownCeiling};
pub use self::open::{Journal, Keeping, OpenError};
pub use self::options::{
    CEILING_NAME_CHARS_MAX, CeilingOptions, Durability, JournalOptions, ShutdownOptions,
};
pub use self::phase::Phase;
pub use self::recorder::Recorder;

use self::open::Open;
use self::phase::PhaseCell;
use crate::metrics::{Metrics, Snapshot, Source};

/// Named ceilings: first none, while a journal is being read, then all.
#[derive(Debug)]
pub struct Gateway {
    open: OnceLock<Open>,
    phase: PhaseCell,
    metrics: Metrics,
}

impl Gateway {
    /// A gateway for the ceilings with these names, not open yet: it answers that it is alive and
    /// not ready.
    ///
    /// # Errors
    ///
    /// Metrics cannot be registered; a mistake in their module.
    pub fn new(
        names: &[&str],
        metrics: crate::metrics::Options,
    ) -> Result<Arc<Self>, prometheus::Error> {
        let gateway = Arc::new(Self {
            open: OnceLock::new(),
            phase: PhaseCell::default(),
            metrics: Metrics::new(names)?,
        });
        let source: Arc<dyn Source> = gateway.clone();
        gateway.metrics.show(&source, metrics)?;
        Ok(gateway)
    }

    /// A gateway in memory, open at once, whose tenants all count as active from now on.
    ///
    /// # Errors
    ///
    /// As [`Gateway::new`] and [`Gateway::open`].
    pub fn start(
        options: Vec<CeilingOptions>,
        metrics: crate::metrics::Options,
        clock: &Arc<dyn Clock>,
    ) -> Result<Arc<Self>, OpenError> {
        let names: Vec<_> = options.iter().map(|ceiling| ceiling.name.clone()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let gateway = Self::new(&names, metrics)?;
        gateway.open(options, Keeping::Memory(None), |_| Ok(Arc::clone(clock)))?;
        Ok(gateway)
    }

    /// Every ceiling, in the order of the configuration; none while the gateway is not open.
    #[must_use]
    pub fn ceilings(&self) -> &[Ceiling] {
        self.open.get().map_or(&[], |open| &open.ceilings)
    }

    /// The metrics.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Whether it is serving or on its way out.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase.load()
    }

    /// From now on acquires are refused and the gateway says that it is not ready; releases and
    /// reads go on.
    pub fn drain(&self) {
        self.phase.store(Phase::Draining);
    }

    /// Whether it admits.
    ///
    /// # Errors
    ///
    /// Why it does not.
    pub fn ready(&self) -> Result<(), Unavailable> {
        let open = self.opened()?;
        if open.log.as_ref().is_some_and(|log| log.watch().borrow().failed.is_some()) {
            return Err(Unavailable::LogFailed);
        }
        match self.phase() {
            Phase::Serving => Ok(()),
            Phase::Draining => Err(Unavailable::Draining),
        }
    }

    fn opened(&self) -> Result<&Open, Unavailable> {
        self.open.get().ok_or_else(|| Unavailable::Recovering(self.phase.progress()))
    }
}

impl Source for Gateway {
    fn visit(&self, visit: &mut dyn FnMut(&Snapshot<'_>)) {
        for ceiling in self.ceilings() {
            if let Ok(stats) = ceiling.stats() {
                visit(&Snapshot::of(ceiling.name(), ceiling.config(), stats));
            }
        }
    }
}
