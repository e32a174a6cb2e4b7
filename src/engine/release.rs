//! The end of a lease: its units go back to the guarantees they were drawn from.

use super::claims::Due;
use super::{Engine, Lease, LeaseId, Released};

impl Engine {
    /// Ends the lease `id` at `now`. Its holder counts as active from then on, so a tenant in the
    /// middle of a long call is never taken for one that has left. `None` where no such lease is
    /// held (any more).
    pub fn release(&mut self, now: i64, id: LeaseId) -> Option<Released> {
        let now = self.advance(now);
        self.lease(id)?;
        let lease = self.leases.remove(&id.seq)?;
        let due = Due { deadline: lease.deadline, seq: id.seq };
        self.leaves_holder(&lease, due);
        self.comes_home(&lease, due);
        Some(Released {
            lease: id,
            tenant: lease.tenant,
            units: lease.units,
            hold_ms: lease.hold_ms(),
            held_ms: now.saturating_sub(lease.granted_at),
            overran_ms: now.saturating_sub(lease.deadline).max(0),
        })
    }

    fn leaves_holder(&mut self, lease: &Lease, due: Due) {
        let tenant = &mut self.tenants[lease.tenant.index()];
        tenant.settle(self.now, self.config.idle_after_ms());
        tenant.last_activity = self.now;
        tenant.counts.released += 1;
        tenant.held.remove(lease.units);
        if lease.own > 0.0 {
            tenant.own_used.remove(lease.own);
            tenant.claims.remove(due);
        }
        for loan in &lease.borrowed {
            tenant.borrowed.remove(loan.units);
        }
        self.lending.rest(&mut self.tenants, lease.tenant.0);
    }

    fn comes_home(&mut self, lease: &Lease, due: Due) {
        for loan in &lease.borrowed {
            let lender = &mut self.tenants[loan.lender.index()];
            lender.settle(self.now, self.config.idle_after_ms());
            lender.lent.remove(loan.units);
            lender.claims.remove(due);
            if lender.lent.members() == 0 {
                lender.demand.returned(self.now, self.config.reclaim_horizon_ms());
            }
            self.lending.loans_changed(&mut self.tenants, loan.lender.0, self.now);
        }
    }
}
