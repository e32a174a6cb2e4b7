//! Leases, their pages and their end.

use serde::Serialize;

use crate::engine::{Config, Lease, Released};

/// A lease.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LeaseWire<'a> {
    pub(crate) id: String,
    ceiling: &'a str,
    tenant: &'a str,
    cost: f64,
    units: f64,
    granted_at: i64,
    deadline: i64,
    own: f64,
    borrowed: Vec<LoanWire<'a>>,
    overrun: bool,
}

#[derive(Debug, Serialize)]
struct LoanWire<'a> {
    lender: &'a str,
    units: f64,
}

impl<'a> LeaseWire<'a> {
    /// `lease` as it stands at `now`.
    pub(crate) fn of(ceiling: &'a str, lease: &Lease, config: &'a Config, now: i64) -> Self {
        let loans = lease.borrowed.iter();
        let lender = |ix| config.tenant(ix).id();
        Self {
            id: lease.id.to_string(),
            ceiling,
            tenant: config.tenant(lease.tenant).id(),
            cost: lease.cost,
            units: lease.units,
            granted_at: lease.granted_at,
            deadline: lease.deadline,
            own: lease.own,
            borrowed: loans
                .map(|loan| LoanWire { lender: lender(loan.lender), units: loan.units })
                .collect(),
            overrun: lease.is_overrun(now),
        }
    }
}

/// One page of leases.
#[derive(Debug, Serialize)]
pub(crate) struct PageAnswer<'a> {
    pub(crate) ceiling: &'a str,
    pub(crate) now: i64,
    pub(crate) leases: Vec<LeaseWire<'a>>,
    /// What to give as `after` for the next page; `null` on the last one.
    pub(crate) next: Option<String>,
}

/// The end of a lease, or that there was none to end.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReleaseAnswer {
    released: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_ms: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overran_ms: Option<i64>,
}

impl ReleaseAnswer {
    pub(crate) fn of(released: Option<Released>) -> Self {
        Self {
            released: released.is_some(),
            held_ms: released.map(|released| released.held_ms),
            overran_ms: released.map(|released| released.overran_ms),
        }
    }
}
