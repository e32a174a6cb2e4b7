//! What can be asked of the engine, as data that can be logged and applied again.
//!
//! To add a command: a variant here, its effect in a file of its own, an arm in `Engine::apply`.

use super::LeaseId;

/// The longest hold that may be declared, in milliseconds: a year of 365 days.
pub const HOLD_MS_MAX: i64 = 31_536_000_000;

/// One state-changing call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command<'a> {
    /// Take units.
    Acquire(Acquire<'a>),
    /// Give a lease's units back.
    Release(LeaseId),
}

/// A request for units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acquire<'a> {
    /// Who asks, by its configured id.
    pub tenant: &'a str,
    /// What the work costs, in cost units; finite and above zero. Always recorded; charged where
    /// the ceiling counts cost.
    pub cost: f64,
    /// How long the caller declares to hold, in milliseconds; 1 to [`HOLD_MS_MAX`]. A
    /// declaration, not a limit: nothing is preempted.
    pub hold_ms: i64,
}

/// A request that cannot be asked at all. It changes nothing, not even the tenant's activity.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// No tenant of this ceiling has that id.
    #[error("no tenant of this ceiling has that id")]
    UnknownTenant,
    /// The cost is not a finite number above zero.
    #[error("cost is {value}, but it must be a finite number above 0")]
    InvalidCost {
        /// What was given.
        value: f64,
    },
    /// The hold is out of range.
    #[error("holdMs is {value}, but it must be an integer from 1 to {HOLD_MS_MAX}")]
    InvalidHold {
        /// What was given, in milliseconds.
        value: i64,
    },
}

impl RequestError {
    /// The stable code: `unknown_tenant`, `invalid_cost` or `invalid_hold`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownTenant => "unknown_tenant",
            Self::InvalidCost { .. } => "invalid_cost",
            Self::InvalidHold { .. } => "invalid_hold",
        }
    }
}
