//! The handle that every edge uses: named ceilings, one writer each, and the only clock.
//!
//! In reading order: `options` (what it is built from), `clock` (the one file that reads the time),
//! `driver` (the lock around an engine: stamp, apply), `phase` (serving, draining), `lookup`
//! (which ceiling is meant). It never decides anything about units.

mod clock;
mod driver;
mod lookup;
mod options;
mod phase;

use std::collections::HashMap;
use std::sync::Arc;

pub use self::clock::{Clock, ManualClock, Stopwatch, SystemClock};
pub use self::driver::{Ceiling, Unavailable};
pub use self::lookup::UnknownCeiling;
pub use self::options::{CEILING_NAME_CHARS_MAX, CeilingOptions, ShutdownOptions};
pub use self::phase::Phase;

use self::phase::PhaseCell;
use crate::metrics::{Metrics, Snapshot, Source};

/// Named ceilings, ready to be asked.
#[derive(Debug)]
pub struct Gateway {
    ceilings: Vec<Ceiling>,
    by_name: HashMap<String, usize>,
    /// A lease id's epoch tells its ceiling.
    by_epoch: HashMap<u64, usize>,
    phase: PhaseCell,
    metrics: Metrics,
}

/// A gateway that cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The system gives no random numbers, without which lease ids could repeat.
    #[error("the system gives no random numbers for lease ids: {0}")]
    Random(#[from] getrandom::Error),
    /// Metrics cannot be registered.
    #[error("metrics: {0}")]
    Metrics(#[from] prometheus::Error),
}

impl Gateway {
    /// A gateway for these ceilings, whose tenants all count as active from now on.
    ///
    /// # Errors
    ///
    /// The system gives no random numbers.
    pub fn start(
        options: Vec<CeilingOptions>,
        metrics: crate::metrics::Options,
        clock: &Arc<dyn Clock>,
    ) -> Result<Arc<Self>, StartError> {
        let names: Vec<_> = options.iter().map(|ceiling| ceiling.name.clone()).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let registry = Metrics::new(&names)?;
        let mut by_epoch = HashMap::new();
        let mut ceilings = Vec::new();
        for (number, CeilingOptions { name, config }) in options.into_iter().enumerate() {
            let mut epoch = getrandom::u64()?;
            while by_epoch.contains_key(&epoch) {
                epoch = getrandom::u64()?;
            }
            by_epoch.insert(epoch, number);
            ceilings.push(Ceiling::start(name, number, config, epoch, Arc::clone(clock)));
        }
        let by_name = ceilings.iter().map(|ceiling| (ceiling.name().to_owned(), ceiling.number()));
        let gateway = Arc::new(Self {
            by_name: by_name.collect(),
            by_epoch,
            ceilings,
            phase: PhaseCell::default(),
            metrics: registry,
        });
        let source: Arc<dyn Source> = gateway.clone();
        gateway.metrics.show(&source, metrics)?;
        Ok(gateway)
    }

    /// Every ceiling, in the order of the configuration.
    #[must_use]
    pub fn ceilings(&self) -> &[Ceiling] {
        &self.ceilings
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
}

impl Source for Gateway {
    fn visit(&self, visit: &mut dyn FnMut(&Snapshot<'_>)) {
        for ceiling in &self.ceilings {
            if let Ok(stats) = ceiling.stats() {
                visit(&Snapshot::of(ceiling.name(), ceiling.config(), stats));
            }
        }
    }
}
