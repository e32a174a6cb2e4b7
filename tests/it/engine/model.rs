//! A second engine, as naive as can be: plain lists, a walk over everything at every step. It
//! shares no code with the real one, and judges it.

const TOLERANCE: f64 = 1e-9;

#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub ceiling: f64,
    pub counts_requests: bool,
    pub weights: Vec<f64>,
    pub horizon_ms: i64,
    pub idle_after_ms: i64,
    pub started_at: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lease {
    pub number: u64,
    pub tenant: usize,
    pub units: f64,
    pub own: f64,
    pub borrowed: Vec<(usize, f64)>,
    pub granted_at: i64,
    pub deadline: i64,
}

impl Lease {
    /// What it draws on the guarantee of `tenant`.
    fn drawn_on(&self, tenant: usize) -> f64 {
        let own = if self.tenant == tenant { self.own } else { 0.0 };
        let loans = self.borrowed.iter().filter(|loan| loan.0 == tenant);
        own + loans.map(|loan| loan.1).sum::<f64>()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    Granted(Lease),
    Refused { reason: &'static str, curable: bool, retry_after_ms: Option<i64>, blocking: Vec<u64> },
    Invalid(&'static str),
    Released { held_ms: i64, overran_ms: i64 },
    NotHeld,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tenant {
    pub guarantee: f64,
    pub last_activity: i64,
    /// Units and when they were last asked for.
    pub want: Option<(f64, i64)>,
    /// Since when, and the largest charge.
    pub reclaim: Option<(i64, f64)>,
    pub deficit_unit_ms: f64,
    pub worst_reclaim_ms: i64,
    pub granted_requests: u64,
    pub granted_cost: f64,
    pub refused: Vec<&'static str>,
}

#[derive(Clone, Debug)]
pub(super) struct Model {
    pub settings: Settings,
    pub now: i64,
    pub tenants: Vec<Tenant>,
    pub leases: Vec<Lease>,
    granted: u64,
}

impl Model {
    pub(super) fn new(settings: Settings) -> Self {
        let total: f64 = settings.weights.iter().sum();
        let tenants = settings.weights.iter().map(|weight| Tenant {
            guarantee: settings.ceiling * weight / total,
            last_activity: settings.started_at,
            ..Tenant::default()
        });
        Self {
            now: settings.started_at,
            tenants: tenants.collect(),
            leases: Vec::new(),
            granted: 0,
            settings,
        }
    }

    pub(super) fn held(&self, tenant: usize) -> f64 {
        self.leases.iter().filter(|lease| lease.tenant == tenant).map(|lease| lease.units).sum()
    }

    pub(super) fn own_used(&self, tenant: usize) -> f64 {
        self.leases.iter().filter(|lease| lease.tenant == tenant).map(|lease| lease.own).sum()
    }

    pub(super) fn lent(&self, tenant: usize) -> f64 {
        let others = self.leases.iter().filter(|lease| lease.tenant != tenant);
        others.map(|lease| lease.drawn_on(tenant)).sum()
    }

    fn room(&self, tenant: usize) -> f64 {
        self.tenants[tenant].guarantee - self.own_used(tenant) - self.lent(tenant)
    }

    pub(super) fn free(&self, tenant: usize) -> f64 {
        self.room(tenant).max(0.0)
    }

    pub(super) fn is_idle(&self, tenant: usize, now: i64) -> bool {
        let holds = self.leases.iter().any(|lease| lease.tenant == tenant);
        !holds && now - self.tenants[tenant].last_activity >= self.settings.idle_after_ms
    }

    fn gap(&self, tenant: usize) -> f64 {
        let Some((want, _)) = self.tenants[tenant].want else { return 0.0 };
        if want <= self.free(tenant) + TOLERANCE || self.lent(tenant) <= TOLERANCE {
            return 0.0;
        }
        let held = self.held(tenant);
        (self.tenants[tenant].guarantee.min(held + want) - held).max(0.0)
    }

    /// Carries every tenant's deficit on to `now`, and lets wants lapse on the way.
    pub(super) fn settle(&mut self, now: i64) {
        let now = now.max(self.now);
        for tenant in 0..self.tenants.len() {
            let Some((_, asked_at)) = self.tenants[tenant].want else { continue };
            let lapses_at = asked_at + self.settings.idle_after_ms;
            let wanted_ms = (now.min(lapses_at) - self.now).max(0);
            let deficit = self.gap(tenant) * wanted_ms as f64;
            self.tenants[tenant].deficit_unit_ms += deficit;
            if lapses_at <= now {
                self.tenants[tenant].want = None;
                self.tenants[tenant].reclaim = None;
            }
        }
        self.now = now;
    }

    pub(super) fn acquire(
        &mut self,
        now: i64,
        tenant: Option<usize>,
        cost: f64,
        hold_ms: i64,
    ) -> Answer {
        let Some(tenant) = tenant else { return Answer::Invalid("unknown_tenant") };
        if !cost.is_finite() || cost <= 0.0 {
            return Answer::Invalid("invalid_cost");
        }
        if !(1..=31_536_000_000).contains(&hold_ms) {
            return Answer::Invalid("invalid_hold");
        }
        self.settle(now);
        self.tenants[tenant].last_activity = self.now;
        let charge = if self.settings.counts_requests { 1.0 } else { cost };
        let answer = self.decide(tenant, charge, hold_ms);
        match &answer {
            Answer::Granted(lease) => self.granted(lease.clone(), cost),
            Answer::Refused { reason, curable, .. } => {
                self.refused(tenant, charge, reason, *curable);
            }
            _ => unreachable!("an acquire is granted or refused"),
        }
        answer
    }

    fn decide(&mut self, tenant: usize, charge: f64, hold_ms: i64) -> Answer {
        if charge > self.settings.ceiling + TOLERANCE {
            return self.refusal(tenant, charge, "cost_exceeds_ceiling", false);
        }
        let lease = |own, borrowed| {
            Answer::Granted(Lease {
                number: self.granted + 1,
                tenant,
                units: charge,
                own,
                borrowed,
                granted_at: self.now,
                deadline: self.now + hold_ms,
            })
        };
        if charge <= self.room(tenant) + TOLERANCE {
            return lease(charge, Vec::new());
        }
        let offers = self.offers(tenant);
        let offered: f64 = offers.iter().map(|offer| offer.1).sum();
        let borrows = hold_ms <= self.settings.horizon_ms && offered > 0.0;
        if borrows && charge <= self.room(tenant) + offered + TOLERANCE {
            let spare_sliver = self.room(tenant) <= TOLERANCE && charge <= offered + TOLERANCE;
            let own = if spare_sliver { 0.0 } else { self.free(tenant) };
            return lease(own, take(offers, charge - own));
        }
        let guarantee = self.tenants[tenant].guarantee;
        if charge <= guarantee - self.own_used(tenant) + TOLERANCE {
            self.refusal(tenant, charge, "guarantee_on_loan", true)
        } else if hold_ms > self.settings.horizon_ms {
            let curable = charge <= guarantee + TOLERANCE;
            self.refusal(tenant, charge, "hold_exceeds_reclaim_horizon", curable)
        } else {
            self.refusal(tenant, charge, "no_lendable_capacity", true)
        }
    }

    /// What each idle tenant but `asking` offers, in the order of the configuration.
    fn offers(&self, asking: usize) -> Vec<(usize, f64)> {
        let others = (0..self.tenants.len()).filter(|&other| other != asking);
        let idle = others.filter(|&other| self.is_idle(other, self.now));
        idle.map(|other| (other, self.room(other))).filter(|offer| offer.1 > TOLERANCE).collect()
    }

    fn refusal(&self, tenant: usize, charge: f64, reason: &'static str, curable: bool) -> Answer {
        if !curable {
            let blocking = Vec::new();
            return Answer::Refused { reason, curable, retry_after_ms: None, blocking };
        }
        let borrows = reason == "no_lendable_capacity";
        let usable = |lease: &Lease| -> f64 {
            let guarantors = (0..self.tenants.len()).filter(|&guarantor| {
                guarantor == tenant || (borrows && self.is_idle(guarantor, self.now))
            });
            guarantors.map(|guarantor| lease.drawn_on(guarantor)).sum()
        };
        let mut leases: Vec<_> = self.leases.iter().filter(|lease| usable(lease) > 0.0).collect();
        leases.sort_by_key(|lease| (lease.deadline, lease.number));
        let offered: f64 = self.offers(tenant).iter().map(|offer| offer.1).sum();
        let mut freed = self.room(tenant) + if borrows { offered } else { 0.0 };
        let mut blocking = Vec::new();
        for lease in leases.iter().filter(|lease| lease.deadline >= self.now) {
            freed += usable(lease);
            blocking.push(lease.number);
            if charge <= freed + TOLERANCE {
                let retry_after_ms = Some(lease.deadline - self.now);
                return Answer::Refused { reason, curable, retry_after_ms, blocking };
            }
        }
        let blocking = leases.iter().map(|lease| lease.number).collect();
        Answer::Refused { reason, curable, retry_after_ms: None, blocking }
    }

    fn granted(&mut self, lease: Lease, cost: f64) {
        let (tenant, charge) = (lease.tenant, lease.units);
        self.granted += 1;
        self.leases.push(lease);
        let has_its_share = self.held(tenant) >= self.tenants[tenant].guarantee - TOLERANCE;
        let now = self.now;
        let tenant = &mut self.tenants[tenant];
        tenant.granted_requests += 1;
        tenant.granted_cost += cost;
        if let Some((want, _)) = tenant.want
            && (want <= charge + TOLERANCE || (has_its_share && tenant.reclaim.is_some()))
        {
            tenant.want = None;
        }
        if let Some((since, largest)) = tenant.reclaim
            && (largest <= charge + TOLERANCE || has_its_share)
        {
            tenant.worst_reclaim_ms = tenant.worst_reclaim_ms.max(now - since);
            tenant.reclaim = None;
        }
    }

    fn refused(&mut self, tenant: usize, charge: f64, reason: &'static str, curable: bool) {
        let now = self.now;
        let tenant = &mut self.tenants[tenant];
        tenant.refused.push(reason);
        if curable {
            let before = tenant.want.map_or(0.0, |want| want.0);
            tenant.want = Some((charge.max(before), now));
        }
        if reason == "guarantee_on_loan" {
            let (since, largest) = tenant.reclaim.unwrap_or((now, charge));
            tenant.reclaim = Some((since, largest.max(charge)));
        }
    }

    pub(super) fn release(&mut self, now: i64, number: u64) -> Answer {
        self.settle(now);
        let Some(nth) = self.leases.iter().position(|lease| lease.number == number) else {
            return Answer::NotHeld;
        };
        let lease = self.leases.remove(nth);
        self.tenants[lease.tenant].last_activity = self.now;
        Answer::Released {
            held_ms: self.now - lease.granted_at,
            overran_ms: (self.now - lease.deadline).max(0),
        }
    }
}

/// Takes `units` from the largest offer first; of those within the tolerance of it, from the first.
fn take(mut offers: Vec<(usize, f64)>, units: f64) -> Vec<(usize, f64)> {
    let mut loans = Vec::new();
    let mut rest = units;
    while rest > 0.0 && !offers.is_empty() {
        let largest = offers.iter().map(|offer| offer.1).fold(0.0, f64::max);
        let nth = offers.iter().position(|offer| offer.1 >= largest - TOLERANCE).unwrap();
        let (lender, offer) = offers.remove(nth);
        let is_last = offers.is_empty();
        let taken = if is_last || rest <= offer + TOLERANCE { rest } else { offer };
        loans.push((lender, taken));
        rest -= taken;
    }
    loans
}
