//! A replay's end as a table, one row per tenant.

use std::fmt;

use super::Replay;
use crate::engine::{Engine, Fairness, Plan, Reason, Stats, TenantIx};

const HEAD: [&str; 13] = [
    "tenant",
    "guarantee",
    "held",
    "target",
    "want",
    "grants",
    "refusals",
    "cost share",
    "request share",
    "weight share",
    "deficit unit-ms",
    "worst reclaim ms",
    "worst return ms",
];

/// What [`Replay::summary`] shows.
#[derive(Debug)]
pub struct Summary<'a> {
    engine: &'a Engine,
    stats: Stats,
    fairness: Fairness,
    plan: Plan,
}

impl Replay {
    /// The state at the end, one row per tenant; `None` before the configuration.
    #[must_use]
    pub fn summary(&self) -> Option<Summary<'_>> {
        let engine = self.engine()?;
        let now = engine.now();
        let (stats, fairness, plan) = (engine.stats(now), engine.fairness(), engine.plan(now));
        Some(Summary { engine, stats, fairness, plan })
    }
}

impl Summary<'_> {
    fn row(&self, ix: TenantIx) -> [String; HEAD.len()] {
        let tenant = &self.stats.tenants[ix.index()];
        let refusals: u64 = tenant.refused.iter().sum();
        let share = |shares: &[f64]| format!("{:.1} %", shares[ix.index()] * 100.0);
        [
            self.engine.config().tenant(ix).id().to_owned(),
            units(tenant.guarantee),
            units(tenant.held),
            units(self.plan.tenants[ix.index()].target),
            tenant.want.map_or_else(|| "-".to_owned(), units),
            tenant.granted_requests.to_string(),
            refusals.to_string(),
            share(&self.fairness.cost_share),
            share(&self.fairness.request_share),
            share(&self.fairness.weight_share),
            units(tenant.deficit_unit_ms),
            tenant.worst_reclaim_ms.to_string(),
            tenant.worst_return_ms.to_string(),
        ]
    }

    fn refusals(&self) -> String {
        let of = |reason: Reason| {
            let counts = self.stats.tenants.iter().map(|t| t.refused[reason as usize]);
            (reason, counts.sum::<u64>())
        };
        let some = Reason::ALL.into_iter().map(of).filter(|&(_, count)| count > 0);
        let parts: Vec<_> = some.map(|(reason, n)| format!("{} {n}", reason.code())).collect();
        if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![HEAD.map(str::to_owned)];
        rows.extend(self.engine.config().tenant_ixs().map(|ix| self.row(ix)));
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<_> = (0..HEAD.len()).map(|column| width(column).unwrap_or(0)).collect();
        for row in &rows {
            write!(f, "{:<width$}", row[0], width = widths[0])?;
            for (cell, width) in row.iter().zip(&widths).skip(1) {
                write!(f, "  {cell:>width$}")?;
            }
            writeln!(f)?;
        }
        let Stats { now, held, ceiling, leases, overrun, .. } = &self.stats;
        writeln!(
            f,
            "at {now}: {} of {} units held in {leases} leases, {} of them overrun; units {}",
            units(*held),
            units(*ceiling),
            overrun.len(),
            if self.fairness.units_disagree { "disagree" } else { "agree" },
        )?;
        writeln!(f, "refusals: {}", self.refusals())
    }
}

/// An amount with at most three decimals.
fn units(amount: f64) -> String {
    format!("{}", (amount * 1e3).round() / 1e3)
}
