//! The yardstick: what each tenant would hold now if capacity could be moved at will.
//!
//! It is weighted max-min fairness by progressive filling (Bertsekas and Gallager, Data Networks,
//! 6.5.2): raise everybody's share in step with the weights; whoever reaches their demand stops;
//! the rest go on until the ceiling is full. Admission never follows it, because a lease that was
//! granted is never revoked; the drift of held from target shows a reclaim in progress.

use super::{Config, Engine, Stats, TenantIx, TenantStats};

/// The allocation for the demand at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The instant.
    pub now: i64,
    /// Every tenant, in the order of the configuration.
    pub tenants: Vec<Allocation>,
}

/// One tenant's part of the plan, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allocation {
    /// Who.
    pub tenant: TenantIx,
    /// What it holds plus what it wants, at most the ceiling.
    pub demand: f64,
    /// What it would hold.
    pub target: f64,
    /// What it holds.
    pub held: f64,
}

impl Plan {
    /// The plan for the demand in `stats`, which were taken under `config`. Takes a sort of the
    /// tenants.
    #[must_use]
    pub fn of(stats: &Stats, config: &Config) -> Self {
        let allocation = |tenant: &TenantStats| {
            let demand = tenant.held + tenant.want.unwrap_or(0.0);
            Allocation {
                tenant: tenant.tenant,
                demand: demand.min(config.ceiling()),
                target: 0.0,
                held: tenant.held,
            }
        };
        let mut tenants: Vec<_> = stats.tenants.iter().map(allocation).collect();
        fill(&mut tenants, config);
        Self { now: stats.now, tenants }
    }
}

impl Engine {
    /// The plan as of `now` (or the latest instant seen, if that is later). Takes a sort of the
    /// tenants and changes nothing.
    #[must_use]
    pub fn plan(&self, now: i64) -> Plan {
        Plan::of(&self.stats(now), &self.config)
    }
}

fn fill(tenants: &mut [Allocation], config: &Config) {
    let weight = |tenant: TenantIx| config.tenant(tenant).weight();
    let level = |part: &Allocation| part.demand / weight(part.tenant);
    let mut order: Vec<usize> = (0..tenants.len()).collect();
    order.sort_by(|&a, &b| level(&tenants[a]).total_cmp(&level(&tenants[b])));
    // Summed from the end, so that a heavy tenant's weight never swallows the light ones'.
    let mut weight_from = vec![0.0; order.len()];
    let mut sum = 0.0;
    for (nth, &ix) in order.iter().enumerate().rev() {
        sum += weight(tenants[ix].tenant);
        weight_from[nth] = sum;
    }
    let mut left = config.ceiling();
    for (ix, weight_left) in order.into_iter().zip(weight_from) {
        let part = &mut tenants[ix];
        part.target = part.demand.min(left * (weight(part.tenant) / weight_left));
        left = (left - part.target).max(0.0);
    }
}
