//! Short stories about one ceiling, told in a few lines each.

use fairgate::engine::{
    Acquire, Config, Decision, Engine, FairnessUnit, Lease, Reason, Refusal, Released, Settings,
    TenantSettings, TenantStats, invariants,
};

/// Settings that most stories begin with: a ceiling of 100 shared evenly, a horizon of 100 ms,
/// idle after 200 ms, and everybody idle from the start.
pub(super) fn settings(weights: &[(&str, f64)]) -> Settings {
    let tenant = |&(id, weight): &(&str, f64)| TenantSettings { id: id.to_owned(), weight };
    Settings {
        ceiling: 100.0,
        fairness_unit: Some(FairnessUnit::Cost),
        tenants: weights.iter().map(tenant).collect(),
        reclaim_horizon_ms: 100,
        idle_after_ms: 200,
        started_at: -1_000,
    }
}

/// One ceiling in the course of a story. Every step checks every invariant.
pub(super) struct Story {
    pub engine: Engine,
}

impl Story {
    pub(super) fn new(settings: Settings) -> Self {
        Self { engine: Engine::new(Config::new(settings).unwrap(), 7) }
    }

    /// `a` and `b`, half each.
    pub(super) fn two() -> Self {
        Self::new(settings(&[("a", 1.0), ("b", 1.0)]))
    }

    pub(super) fn decide(&mut self, now: i64, tenant: &str, cost: f64, hold_ms: i64) -> Decision {
        let decision = self.engine.acquire(now, Acquire { tenant, cost, hold_ms }).unwrap();
        self.check();
        decision
    }

    #[track_caller]
    pub(super) fn grant(&mut self, now: i64, tenant: &str, cost: f64, hold_ms: i64) -> Lease {
        match self.decide(now, tenant, cost, hold_ms) {
            Decision::Granted(granted) => granted.lease,
            Decision::Refused(refusal) => panic!("refused: {:?}", refusal.reason),
        }
    }

    #[track_caller]
    pub(super) fn refuse(&mut self, now: i64, tenant: &str, cost: f64, hold_ms: i64) -> Refusal {
        match self.decide(now, tenant, cost, hold_ms) {
            Decision::Granted(granted) => panic!("granted: {:?}", granted.lease),
            Decision::Refused(refusal) => *refusal,
        }
    }

    #[track_caller]
    pub(super) fn refused(&mut self, now: i64, tenant: &str, cost: f64, hold_ms: i64) -> Reason {
        self.refuse(now, tenant, cost, hold_ms).reason
    }

    #[track_caller]
    pub(super) fn release(&mut self, now: i64, lease: &Lease) -> Released {
        let released = self.engine.release(now, lease.id).expect("a lease that is held");
        self.check();
        released
    }

    #[track_caller]
    pub(super) fn stats(&self, now: i64, tenant: &str) -> TenantStats {
        let ix = self.engine.config().find(tenant).unwrap();
        self.engine.stats(now).tenants[ix.index()].clone()
    }

    /// Lender and units of each loan.
    pub(super) fn loans(&self, lease: &Lease) -> Vec<(&str, f64)> {
        let id = |ix| self.engine.config().tenant(ix).id();
        lease.borrowed.iter().map(|loan| (id(loan.lender), loan.units)).collect()
    }

    fn check(&self) {
        assert_eq!(invariants::first_broken(&self.engine), None);
    }
}
