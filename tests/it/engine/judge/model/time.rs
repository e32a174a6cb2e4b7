//! The passing of time, and what ends with a lease.

use super::{Answer, Model, SLACK, fits};

impl Model {
    /// Carries everybody's integrals on to `now`.
    pub(super) fn settle(&mut self, now: i64) {
        let now = self.now.max(now);
        for tenant in 0..self.tenants.len() {
            self.settle_tenant(tenant, now);
        }
        self.now = now;
    }

    fn settle_tenant(&mut self, tenant: usize, now: i64) {
        let elapsed = span(self.now, now);
        let (borrowed, lent) = (self.borrowed(tenant), self.lent(tenant));
        let gap = self.gap(tenant);
        let account = &mut self.tenants[tenant];
        account.borrowed_time += borrowed * elapsed;
        account.lent_time += lent * elapsed;
        if let Some((_, asked_at)) = account.want {
            let lapses_at = asked_at + self.rules.idle_after_ms;
            account.deficit += gap * span(self.now, now.min(lapses_at));
            if now >= lapses_at {
                account.want = None;
                account.reclaim = None;
            }
        }
    }

    /// By how much lending keeps a tenant below its share right now.
    fn gap(&self, tenant: usize) -> f64 {
        let Some((want, _)) = self.tenants[tenant].want else { return 0.0 };
        if fits(want, self.free(tenant)) || self.lent(tenant) <= SLACK {
            return 0.0;
        }
        let held = self.held(tenant);
        ((held + want).min(self.guarantee(tenant)) - held).max(0.0)
    }

    /// A return in progress is over: the units are home, or are lent anew.
    pub(super) fn end_return(&mut self, tenant: usize) {
        let account = &mut self.tenants[tenant];
        if let Some(since) = account.called_home_at.take() {
            let took_ms = self.now - since;
            account.worst_return_ms = account.worst_return_ms.max(took_ms);
            account.late_returns += u32::from(took_ms > self.rules.horizon_ms);
        }
    }

    pub(in crate::engine::judge) fn release(&mut self, now: i64, number: u64) -> Answer {
        self.settle(now);
        let now = self.now;
        let Some(at) = self.leases.iter().position(|lease| lease.number == number) else {
            return Answer::NotHeld;
        };
        let lease = self.leases.remove(at);
        self.tenants[lease.tenant].last_activity = now;
        self.tenants[lease.tenant].releases += 1;
        for &(lender, _) in &lease.loans {
            if self.leases.iter().all(|other| other.lent_by(lender) == 0.0) {
                self.end_return(lender);
            }
        }
        Answer::Released {
            held_ms: now - lease.granted_at,
            overran_ms: (now - lease.deadline).max(0),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "the sequences span far less than 2^53 ms")]
fn span(from: i64, to: i64) -> f64 {
    (to - from).max(0) as f64
}
