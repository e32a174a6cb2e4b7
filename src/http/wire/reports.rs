//! The accounts, the shares, the yardstick.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::engine::{Config, Fairness, Plan, Reason, Stats, TenantConfig, TenantStats};

/// The most overrun leases that one answer lists; their number is always exact.
const OVERRUN_LISTED_MAX: usize = 1_000;

/// The accounts of a ceiling.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatsAnswer<'a> {
    name: &'a str,
    now: i64,
    ceiling: f64,
    held: f64,
    leases: usize,
    overrun_leases: Vec<String>,
    overrun_leases_total: usize,
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
    leases: u64,
    want: Option<f64>,
    deficit_unit_ms: f64,
    worst_reclaim_ms: i64,
    waiting_ms: Option<i64>,
    worst_return_ms: i64,
    returns_over_horizon: u64,
    granted_requests: u64,
    granted_cost: f64,
    refused: BTreeMap<&'static str, u64>,
}

impl<'a> StatsAnswer<'a> {
    pub(crate) fn of(name: &'a str, stats: &Stats, config: &'a Config) -> Self {
        let overrun = stats.overrun.iter().take(OVERRUN_LISTED_MAX);
        Self {
            name,
            now: stats.now,
            ceiling: stats.ceiling,
            held: stats.held,
            leases: stats.leases,
            overrun_leases: overrun.map(|held| held.lease.to_string()).collect(),
            overrun_leases_total: stats.overrun.len(),
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
            leases: stats.leases,
            want: stats.want,
            deficit_unit_ms: stats.deficit_unit_ms,
            worst_reclaim_ms: stats.worst_reclaim_ms,
            waiting_ms: stats.waiting_ms,
            worst_return_ms: stats.worst_return_ms,
            returns_over_horizon: stats.returns_over_horizon,
            granted_requests: stats.granted_requests,
            granted_cost: stats.granted_cost,
            refused: refused
                .filter(|&(_, count)| count > 0)
                .map(|(reason, count)| (reason.code(), count))
                .collect(),
        }
    }
}

/// One share per tenant, in the order of the configuration.
#[derive(Debug)]
struct Shares<'a>(&'a Config, Vec<f64>);

impl Serialize for Shares<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(config, shares) = self;
        serializer.collect_map(config.tenants().iter().map(TenantConfig::id).zip(shares))
    }
}

/// Both vectors of shares.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FairnessAnswer<'a> {
    name: &'a str,
    now: i64,
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
    pub(crate) fn of(name: &'a str, now: i64, fairness: Fairness, config: &'a Config) -> Self {
        Self {
            name,
            now,
            fairness_unit: fairness.fairness_unit.name(),
            cost_share: Shares(config, fairness.cost_share),
            request_share: Shares(config, fairness.request_share),
            weight_share: Shares(config, fairness.weight_share),
            cost_skew: fairness.cost_skew,
            request_skew: fairness.request_skew,
            units_divergence: fairness.units_divergence,
            units_disagree: fairness.units_disagree,
        }
    }
}

/// The yardstick.
#[derive(Debug, Serialize)]
pub(crate) struct PlanAnswer<'a> {
    name: &'a str,
    now: i64,
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
    pub(crate) fn of(name: &'a str, plan: &Plan, config: &'a Config) -> Self {
        let parts = plan.tenants.iter().map(|part| AllocationAnswer {
            id: config.tenant(part.tenant).id(),
            demand: part.demand,
            target: part.target,
            held: part.held,
        });
        Self { name, now: plan.now, tenants: parts.collect() }
    }
}
