//! Who holds, lends, waits and was refused what, as of a given instant.

use super::claims::Due;
use super::{Engine, LeaseId, Reason, TenantIx};

/// A ceiling at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Stats {
    /// The instant.
    pub now: i64,
    /// Units that may be held.
    pub ceiling: f64,
    /// Units that are held.
    pub held: f64,
    /// Leases that are held.
    pub leases: usize,
    /// Those held after their deadline, longest overdue first.
    pub overrun: Vec<Overrun>,
    /// Every tenant, in the order of the configuration.
    pub tenants: Vec<TenantStats>,
}

/// A lease held after its deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// Which lease.
    pub lease: LeaseId,
    /// Who holds it.
    pub tenant: TenantIx,
    /// Until when it was declared to be held.
    pub deadline: i64,
}

/// One tenant at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct TenantStats {
    /// Who.
    pub tenant: TenantIx,
    /// Units that are always its own.
    pub guarantee: f64,
    /// Units it holds: `own_used` plus `borrowed`.
    pub held: f64,
    /// Units of its guarantee that it holds.
    pub own_used: f64,
    /// Units of others' guarantees that it holds.
    pub borrowed: f64,
    /// Units of its guarantee that others hold.
    pub lent: f64,
    /// Units of its guarantee that nobody holds.
    pub free: f64,
    /// Whether its free units may be lent.
    pub idle: bool,
    /// Leases it holds.
    pub leases: u64,
    /// Of these, how many are held after their deadline.
    pub overrun_leases: u64,
    /// By how much the longest overdue of them outlives its deadline, in milliseconds.
    pub oldest_overrun_ms: i64,
    /// The largest single charge it was refused and may still ask for.
    pub want: Option<f64>,
    /// Units × milliseconds by which lending kept it below its share.
    pub deficit_unit_ms: f64,
    /// Units × milliseconds it borrowed.
    pub borrowed_unit_ms: f64,
    /// Units × milliseconds it lent.
    pub lent_unit_ms: f64,
    /// The longest wait for its own lent units that ended in a grant, in milliseconds.
    pub worst_reclaim_ms: i64,
    /// How long such a wait has been going on, in milliseconds.
    pub waiting_ms: Option<i64>,
    /// The longest time from its first ask until all its lent units were home, in milliseconds;
    /// the one in progress counts.
    pub worst_return_ms: i64,
    /// How many of these took longer than the horizon; the one in progress counts.
    pub returns_over_horizon: u64,
    /// Grants since the start.
    pub granted_requests: u64,
    /// The sum of their costs, in cost units.
    pub granted_cost: f64,
    /// Releases since the start.
    pub released: u64,
    /// Refusals since the start, in the order of [`Reason::ALL`].
    pub refused: [u64; Reason::COUNT],
}

impl Engine {
    /// The ceiling as of `now` (or the latest instant seen, if that is later). Takes a step per
    /// tenant and per overrun lease, and changes nothing.
    #[must_use]
    pub fn stats(&self, now: i64) -> Stats {
        let now = now.max(self.now);
        let ixs = self.config.tenant_ixs();
        let mut tenants: Vec<_> = ixs.map(|ix| self.tenant_stats(ix, now)).collect();
        let overrun = self.overrun(now);
        for lease in &overrun {
            let tenant = &mut tenants[lease.tenant.index()];
            let overdue_ms = now.saturating_sub(lease.deadline);
            tenant.overrun_leases += 1;
            tenant.oldest_overrun_ms = tenant.oldest_overrun_ms.max(overdue_ms);
        }
        Stats {
            now,
            ceiling: self.config.ceiling(),
            held: tenants.iter().map(|tenant| tenant.held).sum(),
            leases: self.leases.len(),
            overrun,
            tenants,
        }
    }

    /// Every lease held after its deadline at `now`, longest overdue first.
    fn overrun(&self, now: i64) -> Vec<Overrun> {
        let claims = self.tenants.iter().flat_map(|tenant| tenant.claims.overrun(now));
        let mut overrun: Vec<(Due, TenantIx)> = claims
            .filter(|(_, claim)| claim.is_first_part)
            .map(|(&due, claim)| (due, claim.holder))
            .collect();
        overrun.sort_unstable_by_key(|&(due, _)| due);
        overrun
            .into_iter()
            .map(|(due, tenant)| Overrun {
                lease: self.lease_id(due.seq),
                tenant,
                deadline: due.deadline,
            })
            .collect()
    }

    fn tenant_stats(&self, ix: TenantIx, now: i64) -> TenantStats {
        let tenant = &self.tenants[ix.index()];
        let demand = tenant.demand_at(now, self.config.idle_after_ms());
        let returns = demand.with_return_so_far(now, self.config.reclaim_horizon_ms());
        TenantStats {
            tenant: ix,
            guarantee: tenant.guarantee,
            held: tenant.held.value(),
            own_used: tenant.own_used.value(),
            borrowed: tenant.borrowed.value(),
            lent: tenant.lent.value(),
            free: tenant.free(),
            idle: tenant.is_idle(now, self.config.idle_after_ms()),
            leases: tenant.held.members(),
            overrun_leases: 0,
            oldest_overrun_ms: 0,
            want: demand.want.map(|want| want.units),
            deficit_unit_ms: demand.deficit_unit_ms,
            borrowed_unit_ms: demand.borrowed_unit_ms,
            lent_unit_ms: demand.lent_unit_ms,
            worst_reclaim_ms: demand.worst_reclaim_ms,
            waiting_ms: demand.reclaim.map(|wait| now.saturating_sub(wait.since)),
            worst_return_ms: returns.worst_return_ms,
            returns_over_horizon: returns.returns_over_horizon,
            granted_requests: tenant.counts.granted_requests,
            granted_cost: tenant.counts.granted_cost.value(),
            released: tenant.counts.released,
            refused: tenant.counts.refused,
        }
    }
}
