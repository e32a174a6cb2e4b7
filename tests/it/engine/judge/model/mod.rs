//! A deliberately naive second engine: plain lists, every sum taken anew at each call, every
//! tenant visited at each step of time. It was written from the rules, not from the engine, and
//! it is slow on purpose: there is nowhere for a mistake to hide.
//!
//! It never shares a line with what it judges, except for names.

mod asks;
mod reads;
mod time;

pub(super) use self::reads::{Figures, ms, or_nan};

/// The slack of every comparison of units.
const SLACK: f64 = 1e-9;

/// What the model is built from; tenants are known by their place.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) ceiling: f64,
    pub(super) counts_cost: bool,
    pub(super) weights: Vec<f64>,
    pub(super) horizon_ms: i64,
    pub(super) idle_after_ms: i64,
    pub(super) started_at: i64,
}

/// An answer, as the model and the engine both tell it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    Granted { own: f64, loans: Vec<(usize, f64)>, deadline: i64, reclaimed_after_ms: Option<i64> },
    Refused { code: &'static str, curable: bool, retry_after_ms: Option<i64>, blocking: Vec<u64> },
    Released { held_ms: i64, overran_ms: i64 },
    NotHeld,
    Invalid(&'static str),
}

#[derive(Clone, Debug)]
pub(super) struct Lease {
    pub(super) number: u64,
    pub(super) tenant: usize,
    pub(super) granted_at: i64,
    pub(super) deadline: i64,
    pub(super) own: f64,
    pub(super) loans: Vec<(usize, f64)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tenant {
    pub(super) last_activity: i64,
    /// Units, and when they were last asked for.
    pub(super) want: Option<(f64, i64)>,
    /// Since when, and the largest charge so refused.
    reclaim: Option<(i64, f64)>,
    called_home_at: Option<i64>,
    deficit: f64,
    borrowed_time: f64,
    lent_time: f64,
    worst_reclaim_ms: i64,
    worst_return_ms: i64,
    late_returns: u32,
    grants: u32,
    granted_cost: f64,
    releases: u32,
    refusals: [u32; 4],
}

#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) rules: Rules,
    pub(super) now: i64,
    pub(super) tenants: Vec<Tenant>,
    pub(super) leases: Vec<Lease>,
    grants: u64,
}

fn fits(charge: f64, room: f64) -> bool {
    charge <= room + SLACK
}

/// An amount within the slack of nothing is nothing.
fn something(units: f64) -> f64 {
    if units > SLACK { units } else { 0.0 }
}

impl Model {
    pub(super) fn new(rules: Rules) -> Self {
        let fresh = Tenant { last_activity: rules.started_at, ..Tenant::default() };
        let tenants = vec![fresh; rules.weights.len()];
        Self { now: rules.started_at, rules, tenants, leases: Vec::new(), grants: 0 }
    }

    pub(super) fn guarantee(&self, tenant: usize) -> f64 {
        let all: f64 = self.rules.weights.iter().sum();
        self.rules.ceiling * self.rules.weights[tenant] / all
    }

    pub(super) fn own_used(&self, tenant: usize) -> f64 {
        self.leases.iter().filter(|lease| lease.tenant == tenant).map(|lease| lease.own).sum()
    }

    pub(super) fn lent(&self, tenant: usize) -> f64 {
        self.leases.iter().map(|lease| lease.lent_by(tenant)).sum()
    }

    pub(super) fn borrowed(&self, tenant: usize) -> f64 {
        let loans = self.leases.iter().filter(|lease| lease.tenant == tenant);
        loans.flat_map(|lease| &lease.loans).map(|&(_, units)| units).sum()
    }

    pub(super) fn held(&self, tenant: usize) -> f64 {
        self.own_used(tenant) + self.borrowed(tenant)
    }

    /// What nobody holds of its guarantee. Charges are forgiven up to the slack, so it may lie a
    /// little below zero; as `free` it is shown without that.
    pub(super) fn room(&self, tenant: usize) -> f64 {
        self.guarantee(tenant) - self.own_used(tenant) - self.lent(tenant)
    }

    pub(super) fn free(&self, tenant: usize) -> f64 {
        self.room(tenant).max(0.0)
    }

    pub(super) fn is_idle(&self, tenant: usize, now: i64) -> bool {
        self.leases.iter().all(|lease| lease.tenant != tenant)
            && now - self.tenants[tenant].last_activity >= self.rules.idle_after_ms
    }

    /// Each idle lender other than `but`, with its offer, in the order of the configuration.
    pub(super) fn offers(&self, but: usize) -> Vec<(usize, f64)> {
        let lenders = (0..self.tenants.len()).filter(|&lender| lender != but);
        let idle = lenders.filter(|&lender| self.is_idle(lender, self.now));
        let offers = idle.map(|lender| (lender, something(self.room(lender))));
        offers.filter(|&(_, units)| units > 0.0).collect()
    }
}

impl Lease {
    pub(super) fn lent_by(&self, lender: usize) -> f64 {
        self.loans.iter().filter(|loan| loan.0 == lender).map(|loan| loan.1).sum()
    }
}
