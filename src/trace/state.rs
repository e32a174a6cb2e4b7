//! A ceiling's state as it is written down, in traces and in snapshots.
//!
//! The names are the trace's; a snapshot has the same fields in the same order without them.

use serde::{Deserialize, Serialize};

use crate::engine::{
    Config, Counts, Demand, Lease, LeaseId, Loan, Reason, Reclaim, State, TenantIx, TenantState,
    Total, Want,
};

/// A state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StateRecord {
    epoch: u64,
    now: i64,
    last_seq: u64,
    tenants: Vec<TenantRecord>,
    leases: Vec<LeaseRecord>,
}

/// A state names a tenant that its configuration does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the state names a tenant that the configuration does not have")]
pub struct UnknownTenant;

impl StateRecord {
    /// The record of `state`.
    #[must_use]
    pub fn of(state: &State) -> Self {
        Self {
            epoch: state.epoch,
            now: state.now,
            last_seq: state.last_seq,
            tenants: state.tenants.iter().map(TenantRecord::of).collect(),
            leases: state.leases.iter().map(LeaseRecord::of).collect(),
        }
    }

    /// The state that was recorded under `config`.
    ///
    /// # Errors
    ///
    /// It names a tenant that `config` does not have.
    pub fn state(&self, config: &Config) -> Result<State, UnknownTenant> {
        let ixs: Vec<_> = config.tenant_ixs().collect();
        let ix = |place: u32| ixs.get(place as usize).copied().ok_or(UnknownTenant);
        let leases = self.leases.iter().map(|lease| lease.lease(self.epoch, ix));
        Ok(State {
            epoch: self.epoch,
            now: self.now,
            last_seq: self.last_seq,
            tenants: self.tenants.iter().map(TenantRecord::tenant).collect(),
            leases: leases.collect::<Result<_, _>>()?,
        })
    }
}

/// A running sum: high word, low word, members.
type Sum = (f64, f64, u64);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct TenantRecord {
    last_activity: i64,
    own_used: Sum,
    lent: Sum,
    borrowed: Sum,
    held: Sum,
    want: Option<(f64, i64)>,
    reclaim: Option<(i64, f64)>,
    returning_since: Option<i64>,
    deficit_unit_ms: f64,
    borrowed_unit_ms: f64,
    lent_unit_ms: f64,
    worst_reclaim_ms: i64,
    worst_return_ms: i64,
    returns_over_horizon: u64,
    settled_at: i64,
    granted_requests: u64,
    granted_cost: Sum,
    released: u64,
    refused: Vec<(String, u64)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct LeaseRecord {
    seq: u64,
    tenant: u32,
    cost: f64,
    units: f64,
    granted_at: i64,
    deadline: i64,
    own: f64,
    borrowed: Vec<(u32, f64, i64)>,
}

impl TenantRecord {
    fn of(tenant: &TenantState) -> Self {
        let TenantState { last_activity, own_used, lent, borrowed, held, demand, counts } = *tenant;
        let refused = Reason::ALL.iter().zip(counts.refused);
        Self {
            last_activity,
            own_used: own_used.to_parts(),
            lent: lent.to_parts(),
            borrowed: borrowed.to_parts(),
            held: held.to_parts(),
            want: demand.want.map(|want| (want.units, want.asked_at)),
            reclaim: demand.reclaim.map(|reclaim| (reclaim.since, reclaim.charge)),
            returning_since: demand.returning_since,
            deficit_unit_ms: demand.deficit_unit_ms,
            borrowed_unit_ms: demand.borrowed_unit_ms,
            lent_unit_ms: demand.lent_unit_ms,
            worst_reclaim_ms: demand.worst_reclaim_ms,
            worst_return_ms: demand.worst_return_ms,
            returns_over_horizon: demand.returns_over_horizon,
            settled_at: demand.settled_at,
            granted_requests: counts.granted_requests,
            granted_cost: counts.granted_cost.to_parts(),
            released: counts.released,
            refused: refused.map(|(reason, count)| (reason.code().to_owned(), count)).collect(),
        }
    }

    fn tenant(&self) -> TenantState {
        let refusals = |reason: Reason| {
            let found = self.refused.iter().find(|(code, _)| code == reason.code());
            found.map_or(0, |&(_, count)| count)
        };
        TenantState {
            last_activity: self.last_activity,
            own_used: Total::from_parts(self.own_used),
            lent: Total::from_parts(self.lent),
            borrowed: Total::from_parts(self.borrowed),
            held: Total::from_parts(self.held),
            demand: Demand {
                want: self.want.map(|(units, asked_at)| Want { units, asked_at }),
                reclaim: self.reclaim.map(|(since, charge)| Reclaim { since, charge }),
                returning_since: self.returning_since,
                deficit_unit_ms: self.deficit_unit_ms,
                borrowed_unit_ms: self.borrowed_unit_ms,
                lent_unit_ms: self.lent_unit_ms,
                worst_reclaim_ms: self.worst_reclaim_ms,
                worst_return_ms: self.worst_return_ms,
                returns_over_horizon: self.returns_over_horizon,
                settled_at: self.settled_at,
            },
            counts: Counts {
                granted_requests: self.granted_requests,
                granted_cost: Total::from_parts(self.granted_cost),
                released: self.released,
                refused: Reason::ALL.map(refusals),
            },
        }
    }
}

impl LeaseRecord {
    #[expect(clippy::cast_possible_truncation, reason = "places fit into 32 bits")]
    fn of(lease: &Lease) -> Self {
        let loans = lease.borrowed.iter();
        Self {
            seq: lease.id.seq,
            tenant: lease.tenant.index() as u32,
            cost: lease.cost,
            units: lease.units,
            granted_at: lease.granted_at,
            deadline: lease.deadline,
            own: lease.own,
            borrowed: loans
                .map(|loan| (loan.lender.index() as u32, loan.units, loan.lender_active_at))
                .collect(),
        }
    }

    fn lease(
        &self,
        epoch: u64,
        ix: impl Fn(u32) -> Result<TenantIx, UnknownTenant>,
    ) -> Result<Lease, UnknownTenant> {
        let loans = self.borrowed.iter().map(|&(lender, units, lender_active_at)| {
            Ok(Loan { lender: ix(lender)?, units, lender_active_at })
        });
        Ok(Lease {
            id: LeaseId { epoch, seq: self.seq },
            tenant: ix(self.tenant)?,
            cost: self.cost,
            units: self.units,
            granted_at: self.granted_at,
            deadline: self.deadline,
            own: self.own,
            borrowed: loans.collect::<Result<_, _>>()?,
        })
    }
}
