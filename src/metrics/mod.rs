//! Every metric, declared once and read from the engines at scrape time, so that nothing shown
//! is stale and nothing is stored per tenant.
//!
//! `families` declares what is read from a ceiling, as data; `collector` reads it; `edges` holds
//! the few histograms that only the moment of an event can fill. To add a metric: a row in
//! `families` or a field in `edges`, and a panel in `dashboards/`.

mod collector;
mod edges;
mod families;

use std::sync::Arc;

use prometheus::process_collector::ProcessCollector;
use prometheus::{Encoder, IntGaugeVec, Opts, Registry, TextEncoder};

use self::collector::CeilingCollector;
use self::edges::Edges;
pub use self::edges::JournalEdges;
use crate::engine::{Config, Fairness, Outcome, Plan, Stats};

/// Bounds on what is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The most tenants per ceiling with series of their own; the rest are summed as `other`.
    pub max_tenants: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_tenants: 1_000 }
    }
}

/// One ceiling at the moment of a scrape.
#[derive(Clone, Debug)]
pub struct Snapshot<'a> {
    /// Its name.
    pub ceiling: &'a str,
    /// What it was built from.
    pub config: &'a Config,
    /// Its accounts.
    pub stats: Stats,
    /// Its shares.
    pub fairness: Fairness,
    /// Its yardstick.
    pub plan: Plan,
}

impl<'a> Snapshot<'a> {
    /// The ceiling whose accounts are `stats`.
    #[must_use]
    pub fn of(ceiling: &'a str, config: &'a Config, stats: Stats) -> Self {
        let (fairness, plan) = (Fairness::of(&stats, config), Plan::of(&stats, config));
        Self { ceiling, config, stats, fairness, plan }
    }
}

/// What metrics are read from; the gateway implements it.
pub trait Source: Send + Sync {
    /// Shows every ceiling to `visit`, one after the other.
    fn visit(&self, visit: &mut dyn FnMut(&Snapshot<'_>));
}

/// A metric as it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name as Prometheus sees it (histograms without the suffixes of their parts).
    pub name: String,
    /// What it means.
    pub help: String,
}

/// The registry and the handles that events are counted with.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    edges: Edges,
}

impl Metrics {
    /// Metrics of a gateway with these `ceilings`, whose number in this list is the one that
    /// [`Metrics::observe_outcome`] takes.
    ///
    /// # Errors
    ///
    /// Two metrics have one name; a mistake in this module that the first test would find.
    pub fn new(ceilings: &[&str]) -> Result<Self, prometheus::Error> {
        let registry = Registry::new();
        let edges = Edges::new(&registry, ceilings)?;
        let build = Opts::new("fairgate_build_info", "The running version; always 1.");
        let build = IntGaugeVec::new(build, &["version"])?;
        build.with_label_values(&[env!("CARGO_PKG_VERSION")]).set(1);
        registry.register(Box::new(build))?;
        registry.register(Box::new(ProcessCollector::for_self()))?;
        Ok(Self { registry, edges })
    }

    /// Shows `source` from now on.
    ///
    /// # Errors
    ///
    /// A source is shown already.
    pub fn show(
        &self,
        source: &Arc<dyn Source>,
        options: Options,
    ) -> Result<(), prometheus::Error> {
        let collector = CeilingCollector::new(Arc::downgrade(source), options)?;
        self.registry.register(Box::new(collector))
    }

    /// The handles of the journal.
    #[must_use]
    pub fn journal(&self) -> &JournalEdges {
        &self.edges.journal
    }

    /// A request to `route` was answered with `status` after `seconds`.
    pub fn observe_request(&self, route: &str, method: &str, status: u16, seconds: f64) {
        self.edges.observe_request(route, method, status, seconds);
    }

    /// The ceiling with this number answered a command.
    pub fn observe_outcome(&self, ceiling: usize, outcome: &Outcome) {
        self.edges.observe_outcome(ceiling, outcome);
    }

    /// Everything in Prometheus' text format 0.0.4. Takes a step per tenant shown: call it where
    /// blocking is allowed.
    ///
    /// # Errors
    ///
    /// A metric has no name or no samples; a mistake in this module.
    pub fn render(&self) -> Result<Vec<u8>, prometheus::Error> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }
}

/// Every metric of this program's own, in the order of the code.
#[must_use]
pub fn declared() -> Vec<Declared> {
    let families = families::ALL
        .iter()
        .map(|family| Declared { name: family.full_name(), help: family.help.to_owned() });
    let build = ("fairgate_build_info", "The running version; always 1.");
    let edges = edges::DECLARED.iter().chain([&build]);
    let edges =
        edges.map(|&(name, help)| Declared { name: name.to_owned(), help: help.to_owned() });
    families.chain(edges).collect()
}
