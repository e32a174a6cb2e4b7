//! The rule of admission, word for word.

use super::{Answer, Lease, Model, SLACK, fits, something};

const CODES: [&str; 4] = [
    "cost_exceeds_ceiling",
    "guarantee_on_loan",
    "hold_exceeds_reclaim_horizon",
    "no_lendable_capacity",
];

const LONGEST_HOLD_MS: i64 = 31_536_000_000;

impl Model {
    /// `tenant` is a place in the configuration; one beyond its end is unknown.
    pub(in crate::engine::judge) fn acquire(
        &mut self,
        now: i64,
        tenant: usize,
        cost: f64,
        hold_ms: i64,
    ) -> Answer {
        if tenant >= self.tenants.len() {
            return Answer::Invalid("unknown_tenant");
        }
        if !cost.is_finite() || cost <= 0.0 {
            return Answer::Invalid("invalid_cost");
        }
        if !(1..=LONGEST_HOLD_MS).contains(&hold_ms) {
            return Answer::Invalid("invalid_hold");
        }
        self.settle(now);
        self.tenants[tenant].last_activity = self.now;
        if self.lent(tenant) > 0.0 {
            self.tenants[tenant].called_home_at.get_or_insert(self.now);
        }
        let charge = if self.rules.counts_cost { cost } else { 1.0 };
        let offers = self.offers(tenant);
        let offered: f64 = offers.iter().map(|offer| offer.1).sum();
        let free = self.room(tenant);
        let lent_so_long = hold_ms <= self.rules.horizon_ms;
        if !fits(charge, self.rules.ceiling) {
            self.refuse(tenant, charge, 0, false)
        } else if fits(charge, free) {
            self.grant(tenant, cost, charge, hold_ms, Vec::new())
        } else if lent_so_long && offered > 0.0 && fits(charge, free + offered) {
            // Too little to count is used only where it makes the request fit.
            let own = if fits(charge, offered) { something(free) } else { free.max(0.0) };
            let loans = draw(charge - own, offers);
            self.grant(tenant, cost, charge, hold_ms, loans)
        } else if fits(charge, self.guarantee(tenant) - self.own_used(tenant)) {
            self.refuse(tenant, charge, 1, true)
        } else if !lent_so_long {
            self.refuse(tenant, charge, 2, fits(charge, self.guarantee(tenant)))
        } else {
            self.refuse(tenant, charge, 3, true)
        }
    }

    fn grant(
        &mut self,
        tenant: usize,
        cost: f64,
        charge: f64,
        hold_ms: i64,
        loans: Vec<(usize, f64)>,
    ) -> Answer {
        for &(lender, _) in &loans {
            self.end_return(lender);
        }
        self.grants += 1;
        let own = charge - loans.iter().map(|loan| loan.1).sum::<f64>();
        let own = something(own).max(if loans.is_empty() { charge } else { 0.0 });
        let deadline = self.now + hold_ms;
        self.leases.push(Lease {
            number: self.grants,
            tenant,
            granted_at: self.now,
            deadline,
            own,
            loans: loans.clone(),
        });
        self.tenants[tenant].grants += 1;
        self.tenants[tenant].granted_cost += cost;
        let reclaimed_after_ms = self.serve(tenant, charge);
        Answer::Granted { own, loans, deadline, reclaimed_after_ms }
    }

    /// What a grant of `charge` ends: the want, the reclaim.
    fn serve(&mut self, tenant: usize, charge: f64) -> Option<i64> {
        let has_its_share = fits(self.guarantee(tenant), self.held(tenant));
        let now = self.now;
        let account = &mut self.tenants[tenant];
        let reclaim = account.reclaim;
        if let Some((want, _)) = account.want
            && (fits(want, charge) || (reclaim.is_some() && has_its_share))
        {
            account.want = None;
        }
        let (since, largest) = reclaim?;
        if !fits(largest, charge) && !has_its_share {
            return None;
        }
        account.reclaim = None;
        account.worst_reclaim_ms = account.worst_reclaim_ms.max(now - since);
        Some(now - since)
    }

    fn refuse(&mut self, tenant: usize, charge: f64, reason: usize, curable: bool) -> Answer {
        let now = self.now;
        let account = &mut self.tenants[tenant];
        account.refusals[reason] += 1;
        if curable {
            let want = account.want.map_or(charge, |(want, _)| want.max(charge));
            account.want = Some((want, now));
        }
        if CODES[reason] == "guarantee_on_loan" {
            let (since, largest) = account.reclaim.unwrap_or((now, charge));
            account.reclaim = Some((since, largest.max(charge)));
        }
        let (retry_after_ms, blocking) =
            if curable { self.estimate(tenant, charge, reason == 3) } else { (None, Vec::new()) };
        Answer::Refused { code: CODES[reason], curable, retry_after_ms, blocking }
    }

    /// When the charge will fit, and behind which leases.
    fn estimate(&self, tenant: usize, charge: f64, borrows: bool) -> (Option<i64>, Vec<u64>) {
        let lenders = (0..self.tenants.len()).filter(|&lender| lender != tenant);
        let idle: Vec<_> =
            lenders.filter(|&lender| borrows && self.is_idle(lender, self.now)).collect();
        let usable = |lease: &Lease| {
            let own = if lease.tenant == tenant { lease.own } else { 0.0 };
            let lent: f64 = idle.iter().map(|&lender| lease.lent_by(lender)).sum();
            own + lease.lent_by(tenant) + lent
        };
        let mut leases: Vec<_> = self.leases.iter().filter(|lease| usable(lease) > 0.0).collect();
        leases.sort_by_key(|lease| (lease.deadline, lease.number));
        let offered: f64 = self.offers(tenant).iter().map(|offer| offer.1).sum();
        let mut room = self.room(tenant) + if borrows { offered } else { 0.0 };
        let mut counted = Vec::new();
        for lease in leases.iter().filter(|lease| self.now <= lease.deadline) {
            counted.push(lease.number);
            room += usable(lease);
            if fits(charge, room) {
                return (Some(lease.deadline - self.now), counted);
            }
        }
        (None, leases.iter().map(|lease| lease.number).collect())
    }
}

/// Takes `units` from the largest offer first (of those within the slack of the largest: the one
/// that comes first), each wholly before the next.
fn draw(mut units: f64, mut offers: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    let mut loans = Vec::new();
    while units > 0.0 && !offers.is_empty() {
        let largest = offers.iter().map(|offer| offer.1).fold(0.0, f64::max);
        let at = offers.iter().position(|offer| offer.1 >= largest - SLACK);
        let (lender, offer) = offers.remove(at.expect("the largest is among them"));
        let takes = if fits(units, offer) { units } else { offer };
        loans.push((lender, takes));
        units -= takes;
    }
    loans
}
