//! What a line of answers says.

use std::collections::BTreeMap;

use serde::Serialize;

use super::names::Names;
use crate::engine::{Config, Fairness, Lease, Plan, Reason, Refusal, Released, Stats, TenantStats};

/// One answer: where it belongs, then what it says.
#[derive(Debug, Serialize)]
pub(super) struct Answer<'a> {
    pub(super) line: usize,
    pub(super) op: &'a str,
    pub(super) now: i64,
    #[serde(flatten)]
    pub(super) body: Body<'a>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Body<'a> {
    Granted { ok: bool, lease: LeaseAnswer<'a> },
    Refused(RefusalAnswer<'a>),
    Invalid { error: &'static str },
    Released(ReleaseAnswer),
    Stats(StatsAnswer<'a>),
    Fairness(FairnessAnswer<'a>),
    Plan(PlanAnswer<'a>),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LeaseAnswer<'a> {
    id: &'a str,
    tenant: &'a str,
    units: f64,
    granted_at: i64,
    deadline: i64,
    own: f64,
    borrowed: Vec<LoanAnswer<'a>>,
}

#[derive(Debug, Serialize)]
struct LoanAnswer<'a> {
    lender: &'a str,
    units: f64,
}

impl<'a> LeaseAnswer<'a> {
    pub(super) fn of(lease: &Lease, names: &'a Names, config: &'a Config) -> Self {
        let loans = lease.borrowed.iter();
        Self {
            id: names.name(lease.id),
            tenant: config.tenant(lease.tenant).id(),
            units: lease.units,
            granted_at: lease.granted_at,
            deadline: lease.deadline,
            own: lease.own,
            borrowed: loans
                .map(|loan| LoanAnswer {
                    lender: config.tenant(loan.lender).id(),
                    units: loan.units,
                })
                .collect(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefusalAnswer<'a> {
    ok: bool,
    reason: &'static str,
    curable: bool,
    retry_after_ms: Option<i64>,
    blocking_leases: Vec<&'a str>,
    explanation: String,
}

impl<'a> RefusalAnswer<'a> {
    pub(super) fn of(refusal: &Refusal, names: &'a Names, config: &Config) -> Self {
        Self {
            ok: false,
            reason: refusal.reason.code(),
            curable: refusal.curable,
            retry_after_ms: refusal.retry_after_ms,
            blocking_leases: refusal.blocking.iter().map(|held| names.name(held.lease)).collect(),
            explanation: refusal.explanation(config),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReleaseAnswer {
    released: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overran_ms: Option<i64>,
}

impl ReleaseAnswer {
    pub(super) fn of(released: Option<Released>) -> Self {
        Self {
            released: released.is_some(),
            held_ms: released.map(|released| released.held_ms),
            overran_ms: released.map(|released| released.overran_ms),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StatsAnswer<'a> {
    ceiling: f64,
    held: f64,
    leases: usize,
    overrun_leases: Vec<&'a str>,
    tenants: Vec<TenantAnswer<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TenantAnswer<'a> {
    id: &'a str,
    guarantee: f64,
    held: f64,
    own_used: f64,
    borrowed: f64,
    lent: f64,
    free: f64,
    idle: bool,
    want: Option<f64>,
    deficit_unit_ms: f64,
    worst_reclaim_ms: i64,
    waiting_ms: Option<i64>,
    granted_requests: u64,
    granted_cost: f64,
    refused: BTreeMap<&'static str, u64>,
}

impl<'a> StatsAnswer<'a> {
    pub(super) fn of(stats: &Stats, names: &'a Names, config: &'a Config) -> Self {
        Self {
            ceiling: stats.ceiling,
            held: stats.held,
            leases: stats.leases,
            overrun_leases: stats.overrun.iter().map(|held| names.name(held.lease)).collect(),
            tenants: stats.tenants.iter().map(|t| TenantAnswer::of(t, config)).collect(),
        }
    }
}

impl<'a> TenantAnswer<'a> {
    fn of(stats: &TenantStats, config: &'a Config) -> Self {
        let refused = Reason::ALL.iter().zip(stats.refused);
        Self {
            id: config.tenant(stats.tenant).id(),
            guarantee: stats.guarantee,
            held: stats.held,
            own_used: stats.own_used,
            borrowed: stats.borrowed,
            lent: stats.lent,
            free: stats.free,
            idle: stats.idle,
            want: stats.want,
            deficit_unit_ms: stats.deficit_unit_ms,
            worst_reclaim_ms: stats.worst_reclaim_ms,
            waiting_ms: stats.waiting_ms,
            granted_requests: stats.granted_requests,
            granted_cost: stats.granted_cost,
            refused: refused
                .filter(|&(_, count)| count > 0)
                .map(|(reason, count)| (reason.code(), count))
                .collect(),
        }
    }
}

/// Shares by tenant, in the order of the configuration.
#[derive(Debug)]
struct Shares<'a>(&'a Config, &'a [f64]);

impl Serialize for Shares<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(config, shares) = self;
        let ids = config.tenants().iter().map(crate::engine::TenantConfig::id);
        serializer.collect_map(ids.zip(*shares))
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FairnessAnswer<'a> {
    fairness_unit: &'static str,
    cost_share: Shares<'a>,
    request_share: Shares<'a>,
    weight_share: Shares<'a>,
    cost_skew: Option<f64>,
    request_skew: Option<f64>,
    units_divergence: f64,
    units_disagree: bool,
}

impl<'a> FairnessAnswer<'a> {
    pub(super) fn of(fairness: &'a Fairness, config: &'a Config) -> Self {
        Self {
            fairness_unit: fairness.fairness_unit.name(),
            cost_share: Shares(config, &fairness.cost_share),
            request_share: Shares(config, &fairness.request_share),
            weight_share: Shares(config, &fairness.weight_share),
            cost_skew: fairness.cost_skew,
            request_skew: fairness.request_skew,
            units_divergence: fairness.units_divergence,
            units_disagree: fairness.units_disagree,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct PlanAnswer<'a> {
    tenants: Vec<AllocationAnswer<'a>>,
}

#[derive(Debug, Serialize)]
struct AllocationAnswer<'a> {
    id: &'a str,
    demand: f64,
    target: f64,
    held: f64,
}

impl<'a> PlanAnswer<'a> {
    pub(super) fn of(plan: &Plan, config: &'a Config) -> Self {
        let parts = plan.tenants.iter();
        Self {
            tenants: parts
                .map(|part| AllocationAnswer {
                    id: config.tenant(part.tenant).id(),
                    demand: part.demand,
                    target: part.target,
                    held: part.held,
                })
                .collect(),
        }
    }
}
