//! What the engine answers. A refusal is an answer with data, not an error.

use super::{Lease, LeaseId, Refusal, RequestError, TenantIx};

/// The answer to one [`Command`](super::Command).
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The units are held from now on.
    Granted(Granted),
    /// Nothing was taken; why, and what would help.
    Refused(Box<Refusal>),
    /// The lease has ended and its units are back where they were drawn from.
    Released(Released),
    /// There was no such lease (any more) to release.
    NotHeld(LeaseId),
    /// The request could not be asked; nothing changed.
    Invalid(RequestError),
}

/// A grant.
#[derive(Clone, Debug, PartialEq)]
pub struct Granted {
    /// What was granted.
    pub lease: Lease,
    /// How long the tenant had waited for its own lent units, in milliseconds, where this grant
    /// ended a reclaim.
    pub reclaimed_after_ms: Option<i64>,
}

/// A release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Released {
    /// Which lease ended.
    pub lease: LeaseId,
    /// Who held it.
    pub tenant: TenantIx,
    /// How many units it held.
    pub units: f64,
    /// How long it was declared to be held, in milliseconds.
    pub hold_ms: i64,
    /// How long it was held, in milliseconds.
    pub held_ms: i64,
    /// By how much it outlived its deadline, in milliseconds; 0 where it did not.
    pub overran_ms: i64,
}
