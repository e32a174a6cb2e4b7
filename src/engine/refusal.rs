//! Why a request was refused: a stable reason and the facts that decided.
//!
//! A refusal is data. Its text is made by `explain` when somebody reads it. To add a reason: a
//! variant with its row in [`Reason::code`] and [`Reason::ALL`], the decision that yields it in
//! `acquire`, its paragraph in `explain`.

use super::{LeaseId, TenantIx};

/// Why a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// It asks for more than the ceiling holds in all.
    CostExceedsCeiling,
    /// It asks for no more than the tenant is owed, but part of that is out on loan.
    GuaranteeOnLoan,
    /// It must borrow, but would hold for longer than units are lent.
    HoldExceedsReclaimHorizon,
    /// It must borrow, and too little is there to be lent.
    NoLendableCapacity,
}

impl Reason {
    /// How many reasons there are.
    pub const COUNT: usize = Self::ALL.len();

    /// Every reason, in the order of its code.
    pub const ALL: [Self; 4] = [
        Self::CostExceedsCeiling,
        Self::GuaranteeOnLoan,
        Self::HoldExceedsReclaimHorizon,
        Self::NoLendableCapacity,
    ];

    /// The stable code in answers, metrics and documents.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::CostExceedsCeiling => "cost_exceeds_ceiling",
            Self::GuaranteeOnLoan => "guarantee_on_loan",
            Self::HoldExceedsReclaimHorizon => "hold_exceeds_reclaim_horizon",
            Self::NoLendableCapacity => "no_lendable_capacity",
        }
    }

    /// Its place in [`Reason::ALL`].
    pub(super) fn index(self) -> usize {
        self as usize
    }
}

/// A lease that stands between a request and its grant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocker {
    /// Which lease.
    pub lease: LeaseId,
    /// Who holds it.
    pub tenant: TenantIx,
    /// How many of its units the request could use.
    pub units: f64,
    /// Until when it is declared to be held.
    pub deadline: i64,
}

/// A refused request. Nothing was taken; asking still counts as activity.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// Whether waiting can turn the answer into a grant.
    pub curable: bool,
    /// In how many milliseconds the request will fit, if holders keep to their deadlines and
    /// nobody else asks; `None` where nobody can say.
    pub retry_after_ms: Option<i64>,
    /// For how many milliseconds at the most a caller may stay silent and still count as
    /// waiting; `None` where waiting is no cure.
    pub ask_again_within_ms: Option<i64>,
    /// The leases that must end first, soonest deadline first; where there is no estimate, all
    /// that hold usable units. At most as many as the engine was told to list.
    pub blocking: Vec<Blocker>,
    /// How many there are in all.
    pub blocking_total: usize,
    /// What decided.
    pub facts: Facts,
}

/// The state that a refusal was decided on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// When, after the engine's own clock rule.
    pub now: i64,
    /// Who asked.
    pub tenant: TenantIx,
    /// The declared cost, in cost units.
    pub cost: f64,
    /// The units asked for.
    pub charge: f64,
    /// The declared hold, in milliseconds.
    pub hold_ms: i64,
    /// Units of its guarantee that its own leases use.
    pub own_used: f64,
    /// Units of its guarantee out on loan to others.
    pub lent: f64,
    /// Units of its guarantee that are free.
    pub free: f64,
    /// Units that all idle tenants together could have lent.
    pub lendable: f64,
}
