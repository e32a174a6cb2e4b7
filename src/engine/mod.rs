//! The engine: who may hold how much of one ceiling, whose idle share is lent to whom, and when
//! it is home again.
//!
//! It is a deterministic function over a sequence of commands. It has no clock (every call takes
//! `now`, in milliseconds on the caller's scale), no timer, no randomness and no I/O, and its
//! answers never depend on the order of a hash map: the same commands lead to the same bits.
//!
//! State changes by one door, [`Engine::apply`]; reads take `&self` and change nothing.
//!
//! In reading order: `config` and `command` (what comes in), `lease`, `refusal`, `outcome` (what
//! goes out), `units` (how amounts compare), `tenant`, `claims`, `lending`, `demand` (the state),
//! `acquire`, `release`, `estimate` (the rules), `explain`, `stats`, `fairness`, `plan` (the
//! reads), `state` (for snapshots), `invariants` (what must always hold).

mod acquire;
mod claims;
mod command;
mod config;
mod demand;
mod estimate;
mod explain;
mod fairness;
pub mod invariants;
mod lease;
mod lending;
mod outcome;
mod plan;
mod refusal;
mod release;
mod state;
mod stats;
mod tenant;
mod units;

use std::sync::Arc;

use rustc_hash::FxHashMap;

pub use self::command::{Acquire, Command, HOLD_MS_MAX, RequestError};
pub use self::config::{
    Config, ConfigError, FairnessUnit, Settings, TENANT_ID_CHARS_MAX, TENANTS_MAX, TenantConfig,
    TenantIx, TenantSettings,
};
pub use self::demand::{Demand, Reclaim, Want};
pub use self::fairness::Fairness;
pub use self::lease::{Lease, LeaseId, Loan, ParseLeaseIdError};
pub use self::outcome::{Granted, Outcome, Released};
pub use self::plan::{Allocation, Plan};
pub use self::refusal::{Blocker, Facts, Reason, Refusal};
pub use self::state::{RestoreError, State, TenantState};
pub use self::stats::{Overrun, Stats, TenantStats};
pub use self::tenant::Counts;
pub use self::units::{TOLERANCE, Total};

use self::lending::Lending;
use self::tenant::Tenant;

/// How many blocking leases a refusal lists unless told otherwise.
pub const BLOCKING_LISTED_MAX: usize = 16;

/// One ceiling, its tenants and its leases.
///
/// ```
/// use fairgate::engine::{
///     Acquire, Config, Decision, Engine, FairnessUnit, Settings, TenantSettings,
/// };
///
/// let tenant = |id: &str, weight| TenantSettings { id: id.into(), weight };
/// let config = Config::new(Settings {
///     ceiling: 100.0,
///     fairness_unit: Some(FairnessUnit::Cost),
///     tenants: vec![tenant("acme", 3.0), tenant("globex", 1.0)],
///     reclaim_horizon_ms: 250,
///     idle_after_ms: 1_000,
///     started_at: 0,
/// })
/// .expect("a configuration that keeps the rules");
/// let mut ceiling = Engine::new(config, 1);
///
/// // globex has asked for nothing for a second, so acme may use its share for a short call.
/// let ask = Acquire { tenant: "acme", cost: 80.0, hold_ms: 200 };
/// let Ok(Decision::Granted(granted)) = ceiling.acquire(1_000, ask) else { panic!("refused") };
/// assert_eq!((granted.lease.own, granted.lease.borrowed_units()), (75.0, 5.0));
///
/// // Asking counts, even when the answer is no: globex is told when its share is home.
/// let ask = Acquire { tenant: "globex", cost: 25.0, hold_ms: 9_000 };
/// let Ok(Decision::Refused(refusal)) = ceiling.acquire(1_050, ask) else { panic!("granted") };
/// assert_eq!((refusal.reason.code(), refusal.retry_after_ms), ("guarantee_on_loan", Some(150)));
///
/// ceiling.release(1_200, granted.lease.id).expect("held until now");
/// assert!(matches!(ceiling.acquire(1_200, ask), Ok(Decision::Granted(_))));
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    config: Arc<Config>,
    epoch: u64,
    /// The latest `now` seen.
    now: i64,
    last_seq: u64,
    tenants: Vec<Tenant>,
    /// By sequence number; looked up, never walked in a way that shows its order.
    leases: FxHashMap<u64, Lease>,
    lending: Lending,
    blocking_listed_max: usize,
}

/// The answer to [`Engine::acquire`].
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// The units are held from now on.
    Granted(Granted),
    /// Nothing was taken; why, and what would help.
    Refused(Box<Refusal>),
}

impl Engine {
    /// An engine that has granted nothing yet. `epoch` becomes part of its lease ids; give each
    /// engine a fresh one, so that no id is ever given twice.
    #[must_use]
    pub fn new(config: Config, epoch: u64) -> Self {
        let started_at = config.started_at();
        let tenants = config.tenants().iter();
        let mut engine = Self {
            tenants: tenants.map(|tenant| Tenant::new(tenant.guarantee(), started_at)).collect(),
            config: Arc::new(config),
            epoch,
            now: started_at,
            last_seq: 0,
            leases: FxHashMap::default(),
            lending: Lending::default(),
            blocking_listed_max: BLOCKING_LISTED_MAX,
        };
        for ix in engine.config.tenant_ixs() {
            engine.lending.rest(&mut engine.tenants, ix.0);
        }
        engine
    }

    /// The same engine as the successor of one that granted `granted` leases under the same epoch
    /// and holds none of them any more: its ids go on where those ended.
    #[must_use]
    pub fn continuing(mut self, granted: u64) -> Self {
        self.last_seq = granted;
        self
    }

    /// How many blocking leases a refusal lists from now on. It changes no decision.
    #[must_use]
    pub fn listing_blocking(mut self, at_most: usize) -> Self {
        self.blocking_listed_max = at_most;
        self
    }

    /// Applies one command at `now`. A `now` below the latest one seen counts as the latest one.
    pub fn apply(&mut self, now: i64, command: Command<'_>) -> Outcome {
        match command {
            Command::Acquire(request) => match self.acquire(now, request) {
                Ok(Decision::Granted(granted)) => Outcome::Granted(granted),
                Ok(Decision::Refused(refusal)) => Outcome::Refused(refusal),
                Err(error) => Outcome::Invalid(error),
            },
            Command::Release(lease) => match self.release(now, lease) {
                Some(released) => Outcome::Released(released),
                None => Outcome::NotHeld(lease),
            },
        }
    }

    /// What it was built from. Shared, so that an answer can be rendered after the engine has
    /// moved on.
    #[must_use]
    pub fn config(&self) -> &Arc<Config> {
        &self.config
    }

    /// The part of its lease ids that is its own.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The latest `now` seen.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.now
    }

    /// How many leases were ever granted under this epoch.
    #[must_use]
    pub fn granted(&self) -> u64 {
        self.last_seq
    }

    /// Whether a lease of that id was ever granted here.
    #[must_use]
    pub fn has_issued(&self, id: LeaseId) -> bool {
        id.epoch == self.epoch && (1..=self.last_seq).contains(&id.seq)
    }

    /// The lease of that id, while it is held.
    #[must_use]
    pub fn lease(&self, id: LeaseId) -> Option<&Lease> {
        self.leases.get(&id.seq).filter(|_| id.epoch == self.epoch)
    }

    /// How many leases are held.
    #[must_use]
    pub fn lease_count(&self) -> usize {
        self.leases.len()
    }

    /// Every lease that is held, in the order of the grants. Takes a sort of all of them.
    #[must_use]
    pub fn leases(&self) -> Vec<&Lease> {
        self.leases_after(0, usize::MAX, |_| true)
    }

    /// At most `limit` leases that were granted after number `after` and that `keep` likes, in the
    /// order of the grants. Takes a look at every lease.
    #[must_use]
    pub fn leases_after(
        &self,
        after: u64,
        limit: usize,
        keep: impl Fn(&Lease) -> bool,
    ) -> Vec<&Lease> {
        let wanted = |lease: &&Lease| lease.id.seq > after && keep(lease);
        let mut leases: Vec<_> = self.leases.values().filter(wanted).collect();
        if leases.len() > limit {
            leases.select_nth_unstable_by_key(limit, |lease| lease.id.seq);
            leases.truncate(limit);
        }
        leases.sort_unstable_by_key(|lease| lease.id.seq);
        leases
    }

    fn lease_id(&self, seq: u64) -> LeaseId {
        LeaseId { epoch: self.epoch, seq }
    }

    /// Moves to `now`, unless it lies in the past, and lets tenants become idle on the way.
    fn advance(&mut self, now: i64) -> i64 {
        self.now = self.now.max(now);
        self.lending.advance(&mut self.tenants, self.now, self.config.idle_after_ms());
        self.now
    }
}
