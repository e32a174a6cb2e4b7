//! When a refused request will fit, and which leases stand before it until then.
//!
//! The leases that matter are those on the tenant's own guarantee and, where it lacks others'
//! units, the loans on lenders that are idle now. Each guarantee keeps its claims in order of
//! their deadlines, so this is a merge of sorted rows that opens each row only when its first
//! claim is next.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, btree_map, btree_set};
use std::iter::Peekable;

use super::claims::{Claim, Due};
use super::units::fits;
use super::{Blocker, Engine, Facts, Reason};

/// What can be said about a curable refusal.
#[derive(Debug, Default)]
pub(super) struct Estimate {
    pub(super) retry_after_ms: Option<i64>,
    pub(super) blocking: Vec<Blocker>,
    pub(super) blocking_total: usize,
}

impl Engine {
    /// The estimate for a request refused for `reason`: when enough of the leases that hold
    /// usable units will have ended, if their holders keep to their deadlines. Leases that are
    /// overrun promise nothing; they are listed only where the others do not suffice.
    pub(super) fn estimate(&mut self, reason: Reason, facts: &Facts) -> Estimate {
        let borrows = reason == Reason::NoLendableCapacity;
        if borrows {
            self.lending.skip_overrun(&mut self.tenants, facts.now);
        }
        let room = self.tenants[facts.tenant.index()].room();
        let usable = if borrows { room + facts.lendable } else { room };
        let in_time = self.rows_in_time(facts, borrows);
        let gathered = self.gather(in_time, usable, facts.charge);
        if fits(facts.charge, gathered.freed) {
            return Estimate {
                retry_after_ms: gathered.last.map(|due| due.deadline.saturating_sub(facts.now)),
                blocking: gathered.blocking,
                blocking_total: gathered.total,
            };
        }
        let all = self.gather(self.rows_of_all(facts, borrows), usable, f64::INFINITY);
        Estimate { retry_after_ms: None, blocking: all.blocking, blocking_total: all.total }
    }

    /// The usable claims that are not overrun.
    fn rows_in_time(&self, facts: &Facts, borrows: bool) -> Rows<'_> {
        let unopened = if borrows { self.lending.by_due() } else { btree_set::Iter::default() };
        let mut rows = Rows::new(self, Due::not_before(facts.now), unopened.peekable());
        rows.open(facts.tenant.0);
        rows
    }

    /// The usable claims, overrun or not.
    fn rows_of_all(&self, facts: &Facts, borrows: bool) -> Rows<'_> {
        let mut rows = Rows::new(self, Due::FIRST, btree_set::Iter::default().peekable());
        rows.open(facts.tenant.0);
        if borrows {
            for &(_, lender) in self.lending.by_due() {
                rows.open(lender);
            }
        }
        rows
    }

    /// Takes leases from `rows` until `charge` fits into what they free.
    fn gather(&self, rows: Rows<'_>, usable: f64, charge: f64) -> Gathered {
        let mut gathered = Gathered { freed: usable, ..Gathered::default() };
        for (due, claim) in rows {
            if gathered.last != Some(due) {
                if fits(charge, gathered.freed) {
                    break;
                }
                gathered.last = Some(due);
                gathered.total += 1;
                if gathered.total <= self.blocking_listed_max {
                    let lease = self.lease_id(due.seq);
                    let Due { deadline, .. } = due;
                    let blocker = Blocker { lease, tenant: claim.holder, units: 0.0, deadline };
                    gathered.blocking.push(blocker);
                }
            }
            gathered.freed += claim.units;
            if gathered.total <= self.blocking_listed_max
                && let Some(blocker) = gathered.blocking.last_mut()
            {
                blocker.units += claim.units;
            }
        }
        gathered
    }
}

/// The leases taken so far.
#[derive(Debug, Default)]
struct Gathered {
    freed: f64,
    last: Option<Due>,
    blocking: Vec<Blocker>,
    total: usize,
}

/// The claims of several guarantees in one order.
struct Rows<'a> {
    engine: &'a Engine,
    from: Due,
    /// Lenders whose rows have not been needed yet, by their next claim.
    unopened: Peekable<btree_set::Iter<'a, (Due, u32)>>,
    open: Vec<Peekable<btree_map::Range<'a, Due, Claim>>>,
    /// When each open row's next claim is due, with the row's place in `open`.
    next: BinaryHeap<Reverse<(Due, usize)>>,
}

impl<'a> Rows<'a> {
    fn new(
        engine: &'a Engine,
        from: Due,
        unopened: Peekable<btree_set::Iter<'a, (Due, u32)>>,
    ) -> Self {
        Self { engine, from, unopened, open: Vec::new(), next: BinaryHeap::new() }
    }

    fn open(&mut self, guarantor: u32) {
        let claims = &self.engine.tenants[guarantor as usize].claims;
        self.open.push(claims.from(self.from).peekable());
        self.enqueue(self.open.len() - 1);
    }

    fn enqueue(&mut self, row: usize) {
        if let Some(&(&due, _)) = self.open[row].peek() {
            self.next.push(Reverse((due, row)));
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = (Due, Claim);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(&&(due, lender)) = self.unopened.peek()
            && self.next.peek().is_none_or(|Reverse((next, _))| due <= *next)
        {
            self.unopened.next();
            self.open(lender);
        }
        let Reverse((_, row)) = self.next.pop()?;
        let (&due, &claim) = self.open[row].next()?;
        self.enqueue(row);
        Some((due, claim))
    }
}
