//! Who may lend, found lazily and in order.
//!
//! A tenant that holds nothing waits in the line of the quiet, ordered by its last activity
//! because activity only ever moves it to the end. Each call first lets everybody out whose time
//! has come; those form the pool of idle lenders. The pool is kept in two orders: by offer, so
//! that the largest lender is found at once, and by when the next loan is due, so that a retry
//! estimate opens only the lenders it needs.

use std::cmp::Reverse;
use std::collections::{BTreeSet, btree_set};
use std::ops::Bound;

use super::claims::Due;
use super::tenant::{Standing, Tenant};
use super::units::{TOLERANCE, Total};

/// An offer as a key, largest first. Offers are never negative, so their bits sort like them.
type Offer = Reverse<u64>;

fn offer_key(units: f64) -> Offer {
    Reverse(units.to_bits())
}

/// Index structures over the tenants' accounts; each tenant's `standing` says where it is in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Lending {
    quiet: Line,
    by_offer: BTreeSet<(Offer, u32)>,
    by_due: BTreeSet<(Due, u32)>,
    offered: Total,
}

/// The first and last of the quiet.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    first: Option<u32>,
    last: Option<u32>,
}

impl Lending {
    /// Units that all idle tenants together offer.
    pub(super) fn offered(&self) -> f64 {
        self.offered.value()
    }

    /// How many tenants offer anything.
    pub(super) fn lenders(&self) -> usize {
        self.by_offer.len()
    }

    /// Every idle tenant with a loan out, by the deadline of the next claim that is not overrun
    /// (as of the last [`Lending::skip_overrun`]); those with none of these last.
    pub(super) fn by_due(&self) -> btree_set::Iter<'_, (Due, u32)> {
        self.by_due.iter()
    }

    /// Moves everybody into the pool whose quiet has lasted long enough at `now`.
    pub(super) fn advance(&mut self, tenants: &mut [Tenant], now: i64, idle_after_ms: i64) {
        while let Some(first) = self.quiet.first {
            if !tenants[first as usize].is_idle(now, idle_after_ms) {
                break;
            }
            self.leave(tenants, first);
            self.enter_pool(tenants, first, now);
        }
    }

    /// The tenant was active: it leaves wherever it stood. Pair with [`Lending::rest`] once its
    /// account has been changed.
    pub(super) fn leave(&mut self, tenants: &mut [Tenant], ix: u32) {
        match std::mem::replace(&mut tenants[ix as usize].standing, Standing::Holding) {
            Standing::Holding => {}
            Standing::Quiet { before, after } => self.leave_line(tenants, before, after),
            Standing::Idle { offer, next_due } => {
                if offer > 0.0 {
                    self.by_offer.remove(&(offer_key(offer), ix));
                    self.offered.remove(offer);
                }
                if let Some(due) = next_due {
                    self.by_due.remove(&(due, ix));
                }
            }
        }
    }

    /// The tenant has left with [`Lending::leave`]: where it holds nothing, it joins the end of
    /// the line of the quiet.
    pub(super) fn rest(&mut self, tenants: &mut [Tenant], ix: u32) {
        if tenants[ix as usize].holds_leases() {
            return;
        }
        let before = self.quiet.last.replace(ix);
        tenants[ix as usize].standing = Standing::Quiet { before, after: None };
        match before {
            Some(before) => link_after(&mut tenants[before as usize], Some(ix)),
            None => self.quiet.first = Some(ix),
        }
    }

    /// The tenant's loans changed: its offer and its next due claim are looked up again.
    pub(super) fn loans_changed(&mut self, tenants: &mut [Tenant], ix: u32, now: i64) {
        if matches!(tenants[ix as usize].standing, Standing::Idle { .. }) {
            self.leave(tenants, ix);
            self.enter_pool(tenants, ix, now);
        }
    }

    /// The lender to draw on next: the largest offer, of those within the tolerance of it the one
    /// first in the configuration. Equal offers stand together, so only distinct values are seen.
    pub(super) fn largest(&self) -> Option<(u32, f64)> {
        let &(mut key, mut ix) = self.by_offer.first()?;
        let floor = f64::from_bits(key.0) - TOLERANCE;
        let mut offer = f64::from_bits(key.0);
        loop {
            let after = (Bound::Excluded((key, u32::MAX)), Bound::Unbounded);
            match self.by_offer.range(after).next() {
                Some(&(next, first)) if f64::from_bits(next.0) >= floor => {
                    key = next;
                    if first < ix {
                        (ix, offer) = (first, f64::from_bits(next.0));
                    }
                }
                _ => return Some((ix, offer)),
            }
        }
    }

    /// Corrects the order by due date for claims that became overrun by `now`.
    pub(super) fn skip_overrun(&mut self, tenants: &mut [Tenant], now: i64) {
        while let Some(&(due, ix)) = self.by_due.first() {
            if due >= Due::not_before(now) {
                break;
            }
            self.loans_changed(tenants, ix, now);
        }
    }

    fn enter_pool(&mut self, tenants: &mut [Tenant], ix: u32, now: i64) {
        let tenant = &mut tenants[ix as usize];
        let offer = tenant.room();
        let offer = if offer > TOLERANCE { offer } else { 0.0 };
        let next_due = (tenant.lent.members() > 0)
            .then(|| tenant.claims.first_from(Due::not_before(now)).unwrap_or(Due::NEVER));
        tenant.standing = Standing::Idle { offer, next_due };
        if offer > 0.0 {
            self.by_offer.insert((offer_key(offer), ix));
            self.offered.add(offer);
        }
        if let Some(due) = next_due {
            self.by_due.insert((due, ix));
        }
    }

    fn leave_line(&mut self, tenants: &mut [Tenant], before: Option<u32>, after: Option<u32>) {
        match before {
            Some(before) => link_after(&mut tenants[before as usize], after),
            None => self.quiet.first = after,
        }
        match after {
            Some(after) => link_before(&mut tenants[after as usize], before),
            None => self.quiet.last = before,
        }
    }
}

fn link_after(tenant: &mut Tenant, to: Option<u32>) {
    if let Standing::Quiet { after, .. } = &mut tenant.standing {
        *after = to;
    }
}

fn link_before(tenant: &mut Tenant, to: Option<u32>) {
    if let Standing::Quiet { before, .. } = &mut tenant.standing {
        *before = to;
    }
}
