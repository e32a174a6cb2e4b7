//! The decision: own units first, then loans, else a reason.

use super::claims::{Claim, Due};
use super::command::{Acquire, HOLD_MS_MAX, RequestError};
use super::estimate::Estimate;
use super::units::{TOLERANCE, fits};
use super::{
    Decision, Engine, Facts, FairnessUnit, Granted, Lease, Loan, Reason, Refusal, TenantIx,
};

/// A request that can be asked, resolved against the configuration.
#[derive(Clone, Copy, Debug)]
struct Ask {
    now: i64,
    tenant: TenantIx,
    cost: f64,
    charge: f64,
    hold_ms: i64,
}

impl Engine {
    /// Takes units for `request.tenant`, all or nothing. Whatever the answer, the tenant counts
    /// as active from `now` on, so its own units are not lent anew while it waits.
    ///
    /// # Errors
    ///
    /// A request that cannot be asked; it changes nothing.
    pub fn acquire(&mut self, now: i64, request: Acquire<'_>) -> Result<Decision, RequestError> {
        let tenant = self.check(&request)?;
        let charge = match self.config.fairness_unit() {
            FairnessUnit::Cost => request.cost,
            FairnessUnit::Requests => 1.0,
        };
        let now = self.advance(now);
        let ask = Ask { now, tenant, cost: request.cost, charge, hold_ms: request.hold_ms };
        self.arrives(ask);
        let decision = self.decide(ask);
        self.lending.rest(&mut self.tenants, tenant.0);
        Ok(decision)
    }

    /// Whether `request` can be asked at all, and whose it is.
    ///
    /// # Errors
    ///
    /// It cannot be asked.
    pub fn check(&self, request: &Acquire<'_>) -> Result<TenantIx, RequestError> {
        let tenant = self.config.find(request.tenant).ok_or(RequestError::UnknownTenant)?;
        if !(request.cost.is_finite() && request.cost > 0.0) {
            return Err(RequestError::InvalidCost { value: request.cost });
        }
        if !(1..=HOLD_MS_MAX).contains(&request.hold_ms) {
            return Err(RequestError::InvalidHold { value: request.hold_ms });
        }
        Ok(tenant)
    }

    /// Asking counts: the tenant leaves the pool of lenders before anything is decided.
    fn arrives(&mut self, ask: Ask) {
        self.lending.leave(&mut self.tenants, ask.tenant.0);
        let tenant = &mut self.tenants[ask.tenant.index()];
        tenant.settle(ask.now, self.config.idle_after_ms());
        tenant.last_activity = ask.now;
        if tenant.lent.members() > 0 {
            tenant.demand.calls_home(ask.now);
        }
    }

    fn decide(&mut self, ask: Ask) -> Decision {
        let tenant = &self.tenants[ask.tenant.index()];
        let room = tenant.room();
        if !fits(ask.charge, self.config.ceiling()) {
            return self.refuse(ask, Reason::CostExceedsCeiling, false);
        }
        if fits(ask.charge, room) {
            return self.grant(ask, ask.charge);
        }
        let lent_for_long_enough = ask.hold_ms <= self.config.reclaim_horizon_ms();
        let offered = self.lending.offered();
        if lent_for_long_enough && offered > 0.0 && fits(ask.charge, room + offered) {
            // A sliver of own units is drawn on only where the request needs it.
            let spare_sliver = room <= TOLERANCE && fits(ask.charge, offered);
            let own = if spare_sliver { 0.0 } else { room.max(0.0) };
            return self.grant(ask, own);
        }
        if fits(ask.charge, tenant.owed()) {
            self.refuse(ask, Reason::GuaranteeOnLoan, true)
        } else if lent_for_long_enough {
            self.refuse(ask, Reason::NoLendableCapacity, true)
        } else {
            let curable = fits(ask.charge, tenant.guarantee);
            self.refuse(ask, Reason::HoldExceedsReclaimHorizon, curable)
        }
    }

    /// Grants the charge: `own` of it from the tenant's guarantee, the rest from the idle.
    fn grant(&mut self, ask: Ask, own: f64) -> Decision {
        self.last_seq += 1;
        let due = Due { deadline: ask.now.saturating_add(ask.hold_ms), seq: self.last_seq };
        let claim = Claim { holder: ask.tenant, units: own, is_first_part: true };
        let tenant = &mut self.tenants[ask.tenant.index()];
        tenant.held.add(ask.charge);
        tenant.counts.granted_requests += 1;
        tenant.counts.granted_cost.add(ask.cost);
        if own > 0.0 {
            tenant.own_used.add(own);
            tenant.claims.insert(due, claim);
        }
        let has_its_share = fits(tenant.guarantee, tenant.held.value());
        let reclaimed_after_ms = tenant.demand.served(ask.charge, has_its_share, ask.now);
        let lease = Lease {
            id: self.lease_id(due.seq),
            tenant: ask.tenant,
            cost: ask.cost,
            units: ask.charge,
            granted_at: ask.now,
            deadline: due.deadline,
            own,
            borrowed: self.borrow(
                due,
                Claim { is_first_part: own <= 0.0, ..claim },
                ask.charge - own,
            ),
        };
        self.leases.insert(due.seq, lease.clone());
        Decision::Granted(Granted { lease, reclaimed_after_ms })
    }

    /// Takes `units` from the idle, the largest lender first and wholly before the next. What
    /// rounding leaves over stays with the last one.
    fn borrow(&mut self, due: Due, mut claim: Claim, units: f64) -> Vec<Loan> {
        let mut loans = Vec::new();
        let mut rest = units;
        while rest > 0.0 {
            let Some((lender, offer)) = self.lending.largest() else {
                debug_assert!(false, "granted {units} units and found {rest} too few");
                break;
            };
            let is_last = self.lending.lenders() == 1;
            claim.units = if is_last || fits(rest, offer) { rest } else { offer };
            loans.push(self.lend(TenantIx(lender), due, claim));
            self.tenants[claim.holder.index()].borrowed.add(claim.units);
            rest -= claim.units;
            claim.is_first_part = false;
        }
        loans
    }

    fn lend(&mut self, lender: TenantIx, due: Due, claim: Claim) -> Loan {
        let account = &mut self.tenants[lender.index()];
        account.settle(self.now, self.config.idle_after_ms());
        // A return still open here began longer ago than a tenant takes to become idle.
        account.demand.returned(self.now, self.config.reclaim_horizon_ms());
        account.lent.add(claim.units);
        account.claims.insert(due, claim);
        let lender_active_at = account.last_activity;
        self.lending.loans_changed(&mut self.tenants, lender.0, self.now);
        Loan { lender, units: claim.units, lender_active_at }
    }

    fn refuse(&mut self, ask: Ask, reason: Reason, curable: bool) -> Decision {
        let tenant = &mut self.tenants[ask.tenant.index()];
        tenant.counts.refused[reason.index()] += 1;
        if curable {
            tenant.demand.asked_in_vain(ask.charge, ask.now);
        }
        if reason == Reason::GuaranteeOnLoan {
            tenant.demand.waits_for_own(ask.charge, ask.now);
        }
        let facts = Facts {
            now: ask.now,
            tenant: ask.tenant,
            cost: ask.cost,
            charge: ask.charge,
            hold_ms: ask.hold_ms,
            own_used: tenant.own_used.value(),
            lent: tenant.lent.value(),
            free: tenant.free(),
            lendable: self.lending.offered(),
        };
        let estimate = if curable { self.estimate(reason, &facts) } else { Estimate::default() };
        Decision::Refused(Box::new(Refusal {
            reason,
            curable,
            retry_after_ms: estimate.retry_after_ms,
            ask_again_within_ms: curable.then(|| self.config.ask_again_within_ms()),
            blocking: estimate.blocking,
            blocking_total: estimate.blocking_total,
            facts,
        }))
    }
}
