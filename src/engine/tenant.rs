//! One tenant's account: what it holds, what it lends, when it was last heard of.

use super::claims::{Claims, Due};
use super::demand::{Demand, Position};
use super::refusal::Reason;
use super::units::Total;

/// What a tenant has been given and refused since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Grants.
    pub granted_requests: u64,
    /// The sum of the granted costs, in cost units.
    pub granted_cost: Total,
    /// Releases.
    pub released: u64,
    /// Refusals, in the order of [`Reason::ALL`].
    pub refused: [u64; Reason::COUNT],
}

/// Where the tenant stands in the order of idleness (see `lending`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Standing {
    /// It holds leases, so it is not on its way to idleness.
    Holding,
    /// It holds nothing and was active lately: a link in the line of the quiet.
    Quiet { before: Option<u32>, after: Option<u32> },
    /// It may lend. The keys are those under which it stands in the pool's two orders.
    Idle { offer: f64, next_due: Option<Due> },
}

/// The account.
#[derive(Clone, Debug)]
pub(super) struct Tenant {
    pub(super) guarantee: f64,
    /// Units of its guarantee that its own leases use.
    pub(super) own_used: Total,
    /// Units of its guarantee that others use.
    pub(super) lent: Total,
    /// Units of others' guarantees that its leases use.
    pub(super) borrowed: Total,
    /// Units of all its leases.
    pub(super) held: Total,
    pub(super) claims: Claims,
    pub(super) last_activity: i64,
    pub(super) standing: Standing,
    pub(super) demand: Demand,
    pub(super) counts: Counts,
}

impl Tenant {
    pub(super) fn new(guarantee: f64, now: i64) -> Self {
        Self {
            guarantee,
            own_used: Total::default(),
            lent: Total::default(),
            borrowed: Total::default(),
            held: Total::default(),
            claims: Claims::default(),
            last_activity: now,
            standing: Standing::Quiet { before: None, after: None },
            demand: Demand::starting_at(now),
            counts: Counts::default(),
        }
    }

    /// What is left of its guarantee. It may lie below zero by no more than the tolerance, and
    /// stays unclipped here so that many tiny charges cannot each be forgiven one tolerance.
    pub(super) fn room(&self) -> f64 {
        self.owed() - self.lent.value()
    }

    /// What its own leases leave of its guarantee, lent or not.
    pub(super) fn owed(&self) -> f64 {
        self.guarantee - self.own_used.value()
    }

    /// What is left of its guarantee, as it is shown.
    pub(super) fn free(&self) -> f64 {
        self.room().max(0.0)
    }

    pub(super) fn holds_leases(&self) -> bool {
        self.held.members() > 0
    }

    /// Whether it holds nothing and has been quiet for long enough at `now`.
    pub(super) fn is_idle(&self, now: i64, idle_after_ms: i64) -> bool {
        !self.holds_leases() && now.saturating_sub(self.last_activity) >= idle_after_ms
    }

    /// Carries its integrals on to `now`. Comes before every change of the account.
    pub(super) fn settle(&mut self, now: i64, idle_after_ms: i64) {
        let position = self.position();
        self.demand.settle(now, idle_after_ms, &position);
    }

    /// Its demand as of `now`, without changing anything.
    pub(super) fn demand_at(&self, now: i64, idle_after_ms: i64) -> Demand {
        let mut demand = self.demand;
        demand.settle(now, idle_after_ms, &self.position());
        demand
    }

    fn position(&self) -> Position {
        Position {
            guarantee: self.guarantee,
            held: self.held.value(),
            free: self.free(),
            borrowed: self.borrowed.value(),
            lent: self.lent.value(),
        }
    }
}
