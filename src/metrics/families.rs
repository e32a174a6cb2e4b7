//! What is shown of a ceiling, as data: name, meaning, kind, and how to read it.

use super::Snapshot;
use crate::engine::{TenantIx, TenantStats};

/// What Prometheus is told a family is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Counter,
    Gauge,
}

/// How tenants beyond the bound are put together as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    Max,
    Sum,
}

/// Where the values of a family come from.
pub(super) enum Read {
    /// One per ceiling.
    Ceiling(fn(&Snapshot<'_>) -> f64),
    /// One per tenant.
    Tenant(fn(&Row<'_>) -> f64, Fold),
    /// One per tenant and reason of refusal.
    Refusals,
}

/// One family.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) kind: Kind,
    pub(super) read: Read,
}

impl Family {
    pub(super) fn full_name(&self) -> String {
        format!("fairgate_{}", self.name)
    }
}

/// One tenant in all three reports.
pub(super) struct Row<'a> {
    pub(super) stats: &'a TenantStats,
    pub(super) cost_share: f64,
    pub(super) request_share: f64,
    pub(super) weight_share: f64,
    pub(super) target: f64,
}

impl<'a> Row<'a> {
    pub(super) fn of(snapshot: &'a Snapshot<'_>, tenant: TenantIx) -> Self {
        let nth = tenant.index();
        Self {
            stats: &snapshot.stats.tenants[nth],
            cost_share: snapshot.fairness.cost_share[nth],
            request_share: snapshot.fairness.request_share[nth],
            weight_share: snapshot.fairness.weight_share[nth],
            target: snapshot.plan.tenants[nth].target,
        }
    }
}

const fn ceiling(name: &'static str, help: &'static str, read: fn(&Snapshot<'_>) -> f64) -> Family {
    Family { name, help, kind: Kind::Gauge, read: Read::Ceiling(read) }
}

const fn gauge(name: &'static str, help: &'static str, read: fn(&Row<'_>) -> f64) -> Family {
    Family { name, help, kind: Kind::Gauge, read: Read::Tenant(read, Fold::Sum) }
}

const fn worst(name: &'static str, help: &'static str, read: fn(&Row<'_>) -> f64) -> Family {
    Family { name, help, kind: Kind::Gauge, read: Read::Tenant(read, Fold::Max) }
}

const fn counter(name: &'static str, help: &'static str, read: fn(&Row<'_>) -> f64) -> Family {
    Family { name, help, kind: Kind::Counter, read: Read::Tenant(read, Fold::Sum) }
}

/// Every family. Labels: `ceiling`; `tenant` where there is one per tenant; `reason` for
/// refusals.
pub(super) const ALL: &[Family] = &[
    ceiling("ceiling_units", "Units that may be held at one time.", |s| s.stats.ceiling),
    ceiling("reclaim_horizon_ms", "The longest time units are lent for, in milliseconds.", |s| {
        float(s.config.reclaim_horizon_ms())
    }),
    ceiling(
        "units_disagree",
        "1 if some tenant's share of cost and share of requests differ by more than 0.05, else 0.",
        |s| f64::from(u8::from(s.fairness.units_disagree)),
    ),
    ceiling(
        "units_divergence",
        "Half the sum of the differences between shares of cost and of requests, 0 to 1.",
        |s| s.fairness.units_divergence,
    ),
    gauge("guarantee_units", "Units that are always the tenant's own.", |r| r.stats.guarantee),
    gauge("held_units", "Units the tenant holds.", |r| r.stats.held),
    gauge("own_units", "Units of its own guarantee that the tenant holds.", |r| r.stats.own_used),
    gauge("borrowed_units", "Units of others that the tenant holds.", |r| r.stats.borrowed),
    gauge("lent_units", "Units of the tenant that others hold.", |r| r.stats.lent),
    gauge("free_units", "Units of the tenant that nobody holds.", |r| r.stats.free),
    gauge(
        "want_units",
        "The largest single charge the tenant was refused and may still ask for; 0 if none.",
        |r| r.stats.want.unwrap_or(0.0),
    ),
    gauge("target_units", "Units the tenant would hold by weighted max-min fairness now.", |r| {
        r.target
    }),
    gauge("idle", "1 if the tenant is idle, so that its free units may be lent, else 0.", |r| {
        f64::from(u8::from(r.stats.idle))
    }),
    gauge("leases", "Leases the tenant holds.", |r| float(r.stats.leases)),
    gauge("overrun_leases", "Leases the tenant holds past their deadline.", |r| {
        float(r.stats.overrun_leases)
    }),
    worst(
        "oldest_overrun_ms",
        "By how much the longest overdue lease has outlived its deadline, in milliseconds.",
        |r| float(r.stats.oldest_overrun_ms),
    ),
    gauge(
        "deficit_unit_ms",
        "Units times milliseconds by which lending kept the tenant below its share.",
        |r| r.stats.deficit_unit_ms,
    ),
    worst(
        "worst_reclaim_ms",
        "The longest wait for own lent units that ended in a grant, in milliseconds.",
        |r| float(r.stats.worst_reclaim_ms),
    ),
    worst(
        "waiting_ms",
        "How long the wait for own lent units in progress has lasted, in milliseconds.",
        |r| float(r.stats.waiting_ms.unwrap_or(0)),
    ),
    worst(
        "worst_return_ms",
        "The longest time from a first ask until all lent units were home, in milliseconds.",
        |r| float(r.stats.worst_return_ms),
    ),
    gauge("cost_share", "The tenant's part of all cost granted since the start.", |r| r.cost_share),
    gauge("request_share", "The tenant's part of all grants since the start.", |r| r.request_share),
    gauge("weight_share", "The tenant's part of all weight.", |r| r.weight_share),
    counter("grants_total", "Requests granted.", |r| float(r.stats.granted_requests)),
    counter("granted_cost_total", "The sum of the costs of all grants.", |r| r.stats.granted_cost),
    counter("releases_total", "Leases released.", |r| float(r.stats.released)),
    counter("borrowed_unit_ms_total", "Units times milliseconds that the tenant borrowed.", |r| {
        r.stats.borrowed_unit_ms
    }),
    counter("lent_unit_ms_total", "Units times milliseconds that the tenant lent.", |r| {
        r.stats.lent_unit_ms
    }),
    counter(
        "returns_over_horizon_total",
        "Times that lent units took longer than the horizon to come home after the first ask.",
        |r| float(r.stats.returns_over_horizon),
    ),
    Family {
        name: "refusals_total",
        help: "Requests refused, by reason.",
        kind: Kind::Counter,
        read: Read::Refusals,
    },
];

/// A count as Prometheus wants it.
pub(super) fn float<T: TryInto<i64>>(count: T) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "beyond 2^53 the last digits are past caring")]
    let float = |count: i64| count as f64;
    float(count.try_into().unwrap_or(i64::MAX))
}
