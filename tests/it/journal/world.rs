//! A gateway over a journal, a workload, and a checker that believes only what was answered.

use std::collections::BTreeSet;
use std::sync::Arc;

use fairgate::engine::{Acquire, Config, FairnessUnit, LeaseId, Outcome, Settings, TenantSettings};
use fairgate::gateway::{
    CeilingOptions, Clock, Durability, Gateway, Journal, JournalOptions, Keeping, ManualClock,
    OpenError,
};
use fairgate::journal::Store;

pub(super) const START: i64 = 1_000_000;

pub(super) fn ceiling(name: &str, units: f64, tenants: &[&str]) -> CeilingOptions {
    let tenant = |id: &&str| TenantSettings { id: (*id).to_owned(), weight: 1.0 };
    let config = Config::new(Settings {
        ceiling: units,
        fairness_unit: Some(FairnessUnit::Cost),
        tenants: tenants.iter().map(tenant).collect(),
        reclaim_horizon_ms: 100,
        idle_after_ms: 200,
        started_at: 0,
    });
    CeilingOptions { name: name.to_owned(), config: config.unwrap() }
}

pub(super) fn two() -> Vec<CeilingOptions> {
    vec![ceiling("main", 100.0, &["a", "b", "c"]), ceiling("side", 10.0, &["x", "y"])]
}

pub(super) const NEVER: JournalOptions = JournalOptions {
    sync: Durability::Always,
    snapshot_every_commands: u64::MAX,
    snapshot_every_bytes: u64::MAX,
};

/// Opens a gateway whose clock stands at `now`, or where the journal's last stamp is.
pub(super) fn open(
    store: impl Store + 'static,
    ceilings: Vec<CeilingOptions>,
    options: JournalOptions,
    now: i64,
) -> Result<(Arc<Gateway>, Arc<ManualClock>), OpenError> {
    let names: Vec<_> = ceilings.iter().map(|ceiling| ceiling.name.clone()).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let gateway = Gateway::new(&names, fairgate::metrics::Options::default())?;
    let mut manual = None;
    let journal = Journal { store: Arc::new(store), options };
    gateway.open(ceilings, Keeping::Journal(journal), |last: Option<i64>| {
        let clock = Arc::new(ManualClock::at(now.max(last.unwrap_or(now))));
        manual = Some(Arc::clone(&clock));
        Ok(clock as Arc<dyn Clock>)
    })?;
    Ok((gateway, manual.unwrap()))
}

/// Everything there is to see of a gateway's ceilings but which leases exist.
pub(super) fn leases(gateway: &Gateway) -> BTreeSet<LeaseId> {
    let all = gateway.ceilings().iter().flat_map(|ceiling| {
        ceiling.leases(0, usize::MAX, |_, _| true).unwrap().1.into_iter().map(|lease| lease.id)
    });
    all.collect()
}

/// What a client knows.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Granted, and not asked to be released.
    pub held: BTreeSet<LeaseId>,
    /// Released, and told so.
    pub released: BTreeSet<LeaseId>,
    /// Asked to be released, and nothing heard: may be either way.
    pub unsure: BTreeSet<LeaseId>,
}

impl Known {
    /// Panics unless `gateway` agrees with everything that was answered.
    #[track_caller]
    pub(super) fn check(&self, gateway: &Gateway) {
        let found = leases(gateway);
        let lost: Vec<_> = self.held.difference(&found).collect();
        assert!(lost.is_empty(), "acknowledged grants are lost: {lost:?}");
        let risen: Vec<_> = self.released.intersection(&found).collect();
        assert!(risen.is_empty(), "acknowledged releases are undone: {risen:?}");
        for ceiling in gateway.ceilings() {
            let held = ceiling.stats().unwrap().held;
            assert!(held <= ceiling.config().ceiling() + 1e-6, "{held} units are held");
        }
    }
}

/// A mixed workload, the same on every run: own units, loans, refusals, releases, time.
pub(super) async fn work(gateway: &Gateway, clock: &ManualClock, steps: u64, known: &mut Known) {
    for step in 0..steps {
        clock.advance(i64::try_from(step % 7).unwrap() * 20);
        let (ceiling, tenants): (_, &[&str]) =
            if step % 5 == 4 { ("side", &["x", "y"]) } else { ("main", &["a", "b", "c"]) };
        let ceiling = gateway.ceiling(Some(ceiling)).unwrap();
        if step % 3 == 2 {
            let own = |id: &&LeaseId| {
                gateway.ceiling_of(**id).unwrap().unwrap().number() == ceiling.number()
            };
            let Some(&lease) = known.held.iter().find(own) else { continue };
            known.held.remove(&lease);
            match gateway.release(ceiling, lease).await {
                Ok(Outcome::Released(_)) => known.released.insert(lease),
                Ok(other) => panic!("{other:?}"),
                Err(_) => known.unsure.insert(lease),
            };
            continue;
        }
        let tenant = tenants[usize::try_from(step).unwrap() % tenants.len()];
        let cost = 1.0 + f64::from(u32::try_from(step % 11).unwrap()) * 0.7;
        let request = Acquire { tenant, cost, hold_ms: 50 + i64::try_from(step % 90).unwrap() };
        if let Ok(Outcome::Granted(granted)) = gateway.acquire(ceiling, request).await {
            known.held.insert(granted.lease.id);
        }
    }
}

/// Runs a future to its end on this thread.
pub(super) fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}
