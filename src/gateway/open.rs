//! From a configuration, and perhaps a journal, to ceilings that can be asked.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use super::driver::{Ceiling, CeilingLog};
use super::log::{Log, Written};
use super::{CeilingOptions, Clock, Gateway, JournalOptions, Recorder};
use crate::engine::{Config, Engine};
use crate::journal::{self, CeilingRecord, JournalError, Progress, Record, Recovered, Store};

/// Where the log is kept, and how.
#[derive(Clone)]
pub struct Journal {
    /// Where.
    pub store: Arc<dyn Store>,
    /// How.
    pub options: JournalOptions,
}

/// Where leases are kept.
pub enum Keeping {
    /// In memory; perhaps with a recording of the only ceiling.
    Memory(Option<Arc<Recorder>>),
    /// In a journal.
    Journal(Journal),
}

/// What the gateway serves once it is open.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) ceilings: Vec<Ceiling>,
    pub(super) by_name: HashMap<String, usize>,
    /// A lease id's epoch tells its ceiling.
    pub(super) by_epoch: HashMap<u64, usize>,
    pub(super) log: Option<Arc<Log>>,
}

/// A gateway that cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The system gives no random numbers, without which lease ids could repeat.
    #[error("the system gives no random numbers for lease ids: {0}")]
    Random(#[from] getrandom::Error),
    /// Metrics cannot be registered.
    #[error("metrics: {0}")]
    Metrics(#[from] prometheus::Error),
    /// The journal cannot be read.
    #[error("the journal cannot be used: {0}")]
    Journal(#[from] JournalError),
    /// The journal cannot be written.
    #[error("the journal cannot be written: {0}")]
    Log(#[from] io::Error),
    /// Leases stand on another configuration.
    #[error(
        "the configuration differs from the one that leases still stand on. {0}\nStart with the \
         old configuration and let these end, or release them, before you change it"
    )]
    ConfigChanged(String),
    /// The wall clock is far behind the journal's.
    #[error(
        "the journal's last stamp is {ahead_ms} ms ahead of the wall clock. Set the clock right; \
         or, if the journal's was wrong, start with --accept-clock-skew, which goes on from the \
         journal's time"
    )]
    ClockSkew {
        /// By how much, in milliseconds.
        ahead_ms: i64,
    },
    /// It is open already.
    #[error("the gateway is open already")]
    AlreadyOpen,
}

impl Gateway {
    /// Opens the gateway: reads the journal, if there is one, to its end, and begins or goes on
    /// with each ceiling. Takes as long as the journal; call it where blocking is allowed. `clock`
    /// gets the journal's last stamp.
    ///
    /// # Errors
    ///
    /// The journal cannot be used or does not fit the configuration; nothing is served then.
    pub fn open(
        &self,
        ceilings: Vec<CeilingOptions>,
        keeping: Keeping,
        clock: impl FnOnce(Option<i64>) -> Result<Arc<dyn Clock>, OpenError>,
    ) -> Result<(), OpenError> {
        let open = match keeping {
            Keeping::Memory(recorder) => {
                Open::in_memory(ceilings, &clock(None)?, recorder.as_ref())?
            }
            Keeping::Journal(journal) => {
                let mut progress = |progress: Progress| self.tell(progress);
                let recovered = journal::recover(journal.store.as_ref(), &mut progress)?;
                let clock = clock(recovered.last_stamp)?;
                let edges = self.metrics().journal().clone();
                Open::from_journal(ceilings, recovered, &journal, &clock, edges)?
            }
        };
        self.open.set(open).map_err(|_| OpenError::AlreadyOpen)
    }

    /// Resolves with the reason if the log fails; never where there is no log.
    pub async fn log_failed(&self) -> Arc<str> {
        let Some(log) = self.open.get().and_then(|open| open.log.as_ref()) else {
            return std::future::pending().await;
        };
        let mut watch = log.watch();
        match watch.wait_for(|written: &Written| written.failed.is_some()).await {
            Ok(written) => written.failed.clone().unwrap_or_else(|| "for no reason".into()),
            Err(_) => std::future::pending().await,
        }
    }

    fn tell(&self, progress: Progress) {
        let Progress { segments_read, segments, records } = progress;
        let words = format!("{segments_read} of {segments} segments, {records} records");
        tracing::info!(segments_read, segments, records, "reading the journal");
        self.phase.set_progress(words);
    }
}

impl Open {
    fn in_memory(
        ceilings: Vec<CeilingOptions>,
        clock: &Arc<dyn Clock>,
        recorder: Option<&Arc<Recorder>>,
    ) -> Result<Self, OpenError> {
        let mut open = Self::empty(None);
        for CeilingOptions { name, config } in ceilings {
            let engine = Engine::new(config.with_started_at(clock.now()), open.fresh_epoch()?);
            open.push(name, engine, clock, None);
        }
        if let ([ceiling], Some(recorder)) = (open.ceilings.as_mut_slice(), recorder) {
            ceiling.record(recorder);
        }
        Ok(open)
    }

    fn from_journal(
        ceilings: Vec<CeilingOptions>,
        recovered: Recovered,
        journal: &Journal,
        clock: &Arc<dyn Clock>,
        edges: crate::metrics::JournalEdges,
    ) -> Result<Self, OpenError> {
        check_unchanged(&ceilings, &recovered)?;
        if let Some(tail) = &recovered.tail {
            tracing::warn!(
                file = tail.file,
                bytes = tail.torn,
                "a torn tail is dropped: it was never answered"
            );
            journal.store.truncate(&tail.file, tail.kept)?;
        }
        let (records, leases) = (recovered.records, outstanding(&recovered));
        tracing::info!(records, leases, "the journal has been read");
        // A segment that ends before its first record would be opened under the same name again.
        if let Some(last) = recovered.segments.last()
            && *last == journal::segment_name(recovered.next)
        {
            journal.store.remove(last)?;
        }
        let log = Log::start(Arc::clone(&journal.store), recovered.next, journal.options, edges)?;
        let mut open = Self::empty(Some(Arc::new(log)));
        open.by_epoch = recovered.ceilings.iter().map(|c| (c.engine.epoch(), usize::MAX)).collect();
        let begun = u32::try_from(recovered.ceilings.len()).unwrap_or(u32::MAX);
        let mut fresh = begun..;
        let mut before: HashMap<String, (u32, Engine)> = (0..)
            .zip(recovered.ceilings)
            .map(|(number, ceiling)| (ceiling.name, (number, ceiling.engine)))
            .collect();
        for CeilingOptions { name, config } in ceilings {
            let (number, engine) = match before.remove(&name) {
                Some((number, engine)) if differences(engine.config(), &config).is_empty() => {
                    (number, engine)
                }
                Some((number, engine)) => {
                    let anew = Engine::new(config.with_started_at(clock.now()), engine.epoch());
                    let anew = anew.continuing(engine.granted());
                    open.begin(number, &name, &anew)?;
                    (number, anew)
                }
                None => {
                    let number = fresh.next().unwrap_or(u32::MAX);
                    let config = config.with_started_at(clock.now());
                    let engine = Engine::new(config, open.fresh_epoch()?);
                    open.begin(number, &name, &engine)?;
                    (number, engine)
                }
            };
            open.push(name, engine, clock, Some(number));
        }
        Ok(open)
    }

    fn empty(log: Option<Arc<Log>>) -> Self {
        Self { ceilings: Vec::new(), by_name: HashMap::new(), by_epoch: HashMap::new(), log }
    }

    /// An epoch that no ceiling has or had.
    fn fresh_epoch(&self) -> Result<u64, OpenError> {
        loop {
            let epoch = getrandom::u64()?;
            if !self.by_epoch.contains_key(&epoch) {
                return Ok(epoch);
            }
        }
    }

    /// Records that a ceiling begins. Whatever is answered later comes after it in the log.
    fn begin(&self, ceiling: u32, name: &str, engine: &Engine) -> Result<(), OpenError> {
        if let Some(log) = &self.log {
            let settings = CeilingRecord::of(name, engine.epoch(), engine.config());
            let record = Record::Begin { ceiling, settings };
            log.append(&record).map_err(|error| io::Error::other(error.to_string()))?;
        }
        Ok(())
    }

    fn push(&mut self, name: String, engine: Engine, clock: &Arc<dyn Clock>, log: Option<u32>) {
        let number = self.ceilings.len();
        self.by_name.insert(name.clone(), number);
        self.by_epoch.insert(engine.epoch(), number);
        let log = self.log.as_ref().zip(log);
        let log = log.map(|(log, ceiling)| CeilingLog { log: Arc::clone(log), ceiling });
        self.ceilings.push(Ceiling::new(name, number, engine, Arc::clone(clock), log));
    }
}

fn outstanding(recovered: &Recovered) -> usize {
    recovered.ceilings.iter().map(|ceiling| ceiling.engine.lease_count()).sum()
}

/// Guarantees are fixed while leases stand on them.
fn check_unchanged(ceilings: &[CeilingOptions], recovered: &Recovered) -> Result<(), OpenError> {
    /// How many leases an error names.
    const NAMED_MAX: usize = 10;
    let mut changes = Vec::new();
    for before in recovered.ceilings.iter().filter(|before| before.engine.lease_count() > 0) {
        let now = ceilings.iter().find(|ceiling| ceiling.name == before.name);
        let differences = match now {
            None => vec!["it is no longer configured".to_owned()],
            Some(now) => differences(before.engine.config(), &now.config),
        };
        if !differences.is_empty() {
            let leases = before.engine.leases();
            let named: Vec<_> =
                leases.iter().take(NAMED_MAX).map(|lease| lease.id.to_string()).collect();
            let more = if leases.len() > named.len() { ", ..." } else { "" };
            changes.push(format!(
                "Ceiling {:?}: {}. {} leases are outstanding: {}{more}.",
                before.name,
                differences.join("; "),
                leases.len(),
                named.join(", ")
            ));
        }
    }
    if changes.is_empty() { Ok(()) } else { Err(OpenError::ConfigChanged(changes.join("\n"))) }
}

/// In what the engine depends on, how `after` differs from `before`.
fn differences(before: &Config, after: &Config) -> Vec<String> {
    let mut differences = Vec::new();
    let mut compare = |key: &str, before: String, after: String| {
        if before != after {
            differences.push(format!("{key} was {before} and is {after}"));
        }
    };
    compare("ceiling", before.ceiling().to_string(), after.ceiling().to_string());
    let unit = |config: &Config| config.fairness_unit().to_string();
    compare("fairnessUnit", unit(before), unit(after));
    let horizon = |config: &Config| config.reclaim_horizon_ms().to_string();
    compare("reclaimHorizonMs", horizon(before), horizon(after));
    let idle = |config: &Config| config.idle_after_ms().to_string();
    compare("idleAfterMs", idle(before), idle(after));
    let tenants = |config: &Config| {
        let tenants = config.tenants().iter().map(|t| format!("{}={}", t.id(), t.weight()));
        tenants.collect::<Vec<_>>().join(",")
    };
    compare("tenants", tenants(before), tenants(after));
    differences
}
