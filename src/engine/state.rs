//! An engine's state as plain data, for snapshots: taken apart and put together again to the
//! same bits. What can be derived (claims, the pool of lenders) is not in it.

use rustc_hash::FxHashMap;

use super::claims::{Claim, Due};
use super::lending::Lending;
use super::tenant::{Counts, Standing, Tenant};
use super::{BLOCKING_LISTED_MAX, Config, Demand, Engine, Lease, Total, invariants};

/// Everything an engine knows beside its configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The part of its lease ids that is its own.
    pub epoch: u64,
    /// The latest instant seen.
    pub now: i64,
    /// The sequence number of the latest grant.
    pub last_seq: u64,
    /// Every tenant, in the order of the configuration.
    pub tenants: Vec<TenantState>,
    /// Every lease that is held, in the order of the grants.
    pub leases: Vec<Lease>,
}

/// One tenant's account.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TenantState {
    /// Its last activity.
    pub last_activity: i64,
    /// Units of its guarantee that it holds.
    pub own_used: Total,
    /// Units of its guarantee that others hold.
    pub lent: Total,
    /// Units of others' guarantees that it holds.
    pub borrowed: Total,
    /// Units that it holds.
    pub held: Total,
    /// What it wants and has waited for.
    pub demand: Demand,
    /// What it has been given and refused.
    pub counts: Counts,
}

/// A state that does not fit the configuration or itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// It has another number of tenants.
    #[error("the state has {state} tenants, but the configuration has {config}")]
    TenantCount {
        /// Tenants in the state.
        state: usize,
        /// Tenants in the configuration.
        config: usize,
    },
    /// A lease names a tenant that the configuration does not have.
    #[error("lease {seq} names a tenant that the configuration does not have")]
    UnknownTenant {
        /// The lease's sequence number.
        seq: u64,
    },
    /// Two leases have one number, or a lease has one that was never given.
    #[error("lease {seq} has a number that was given twice or never")]
    LeaseNumber {
        /// The lease's sequence number.
        seq: u64,
    },
    /// The parts do not add up.
    #[error("the state breaks the invariant {name}: {detail}")]
    Invariant {
        /// Which one.
        name: &'static str,
        /// What was found.
        detail: String,
    },
}

impl Engine {
    /// Takes a copy of the state.
    #[must_use]
    pub fn state(&self) -> State {
        State {
            epoch: self.epoch,
            now: self.now,
            last_seq: self.last_seq,
            tenants: self.tenants.iter().map(TenantState::of).collect(),
            leases: self.leases().into_iter().cloned().collect(),
        }
    }

    /// The engine that [`Engine::state`] was taken from, under the same configuration.
    ///
    /// # Errors
    ///
    /// The state does not fit `config`, or does not add up.
    pub fn restore(config: Config, state: State) -> Result<Self, RestoreError> {
        let counts = (state.tenants.len(), config.tenants().len());
        if counts.0 != counts.1 {
            return Err(RestoreError::TenantCount { state: counts.0, config: counts.1 });
        }
        let guarantees = config.tenants().iter().map(super::TenantConfig::guarantee);
        let tenants = state.tenants.iter().zip(guarantees);
        let mut engine = Self {
            tenants: tenants.map(|(tenant, guarantee)| tenant.restore(guarantee)).collect(),
            config: config.into(),
            epoch: state.epoch,
            now: state.now,
            last_seq: state.last_seq,
            leases: FxHashMap::default(),
            lending: Lending::default(),
            blocking_listed_max: BLOCKING_LISTED_MAX,
        };
        for lease in state.leases {
            engine.restore_lease(lease)?;
        }
        engine.restore_order();
        match invariants::first_broken(&engine) {
            Some((name, detail)) => Err(RestoreError::Invariant { name, detail }),
            None => Ok(engine),
        }
    }

    fn restore_lease(&mut self, lease: Lease) -> Result<(), RestoreError> {
        let seq = lease.id.seq;
        let due = Due { deadline: lease.deadline, seq };
        let own = (lease.own > 0.0).then_some((lease.tenant, lease.own));
        let loans = lease.borrowed.iter().map(|loan| (loan.lender, loan.units));
        let mut is_first_part = true;
        for (guarantor, units) in own.into_iter().chain(loans) {
            let claim = Claim { holder: lease.tenant, units, is_first_part };
            let guarantor = self.tenants.get_mut(guarantor.index());
            guarantor.ok_or(RestoreError::UnknownTenant { seq })?.claims.insert(due, claim);
            is_first_part = false;
        }
        if !self.has_issued(lease.id) || self.leases.insert(seq, lease).is_some() {
            return Err(RestoreError::LeaseNumber { seq });
        }
        Ok(())
    }

    /// Rebuilds the line of the quiet, in the order of their last activity.
    fn restore_order(&mut self) {
        let mut order: Vec<_> = self.config.tenant_ixs().collect();
        order.sort_by_key(|ix| self.tenants[ix.index()].last_activity);
        for ix in order {
            self.lending.rest(&mut self.tenants, ix.0);
        }
    }
}

impl TenantState {
    fn of(tenant: &Tenant) -> Self {
        Self {
            last_activity: tenant.last_activity,
            own_used: tenant.own_used,
            lent: tenant.lent,
            borrowed: tenant.borrowed,
            held: tenant.held,
            demand: tenant.demand,
            counts: tenant.counts,
        }
    }

    fn restore(&self, guarantee: f64) -> Tenant {
        Tenant {
            own_used: self.own_used,
            lent: self.lent,
            borrowed: self.borrowed,
            held: self.held,
            last_activity: self.last_activity,
            standing: Standing::Holding,
            demand: self.demand,
            counts: self.counts,
            ..Tenant::new(guarantee, self.last_activity)
        }
    }
}
