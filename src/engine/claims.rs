//! Who draws on one tenant's guarantee, in the order in which the units are due back.
//!
//! Each part of a lease is one claim on one guarantee: its own part on its tenant's, each loan on
//! its lender's.

use std::collections::{BTreeMap, btree_map};

use super::TenantIx;

/// The order in which units come back: by deadline, then by grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Due {
    pub(super) deadline: i64,
    pub(super) seq: u64,
}

impl Due {
    /// Before every claim that is not overrun at `now`.
    pub(super) fn not_before(now: i64) -> Self {
        Self { deadline: now, seq: 0 }
    }

    /// Before every claim there can be.
    pub(super) const FIRST: Self = Self { deadline: i64::MIN, seq: 0 };

    /// After every claim there can be.
    pub(super) const NEVER: Self = Self { deadline: i64::MAX, seq: u64::MAX };
}

/// One lease's part that draws on this guarantee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Claim {
    pub(super) holder: TenantIx,
    pub(super) units: f64,
    /// Whether this is the lease's first part, so that each lease is counted at just one claim.
    pub(super) is_first_part: bool,
}

/// The claims on one guarantee.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims(BTreeMap<Due, Claim>);

impl Claims {
    pub(super) fn insert(&mut self, due: Due, claim: Claim) {
        let replaced = self.0.insert(due, claim);
        debug_assert!(replaced.is_none(), "one lease claimed one guarantee twice");
    }

    pub(super) fn remove(&mut self, due: Due) {
        let removed = self.0.remove(&due);
        debug_assert!(removed.is_some(), "no such claim");
    }

    /// Every claim from `due` on, in order.
    pub(super) fn from(&self, due: Due) -> btree_map::Range<'_, Due, Claim> {
        self.0.range(due..)
    }

    /// The first claim from `due` on.
    pub(super) fn first_from(&self, due: Due) -> Option<Due> {
        self.from(due).next().map(|(&due, _)| due)
    }

    /// Every claim that is overrun at `now`, longest overdue first.
    pub(super) fn overrun(&self, now: i64) -> btree_map::Range<'_, Due, Claim> {
        self.0.range(..Due::not_before(now))
    }

    pub(super) fn iter(&self) -> btree_map::Iter<'_, Due, Claim> {
        self.0.iter()
    }
}
