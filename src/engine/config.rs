//! What a ceiling is built from: the rules a configuration must keep, and the guarantees that
//! follow from it.
//!
//! [`Settings`] is what somebody wrote; [`Config`] is what has been checked. Only the latter
//! builds an engine. To add a rule, add a variant to [`ConfigError`] and a line to `check`.

use std::fmt;

use rustc_hash::FxHashMap;

/// The longest tenant id, in characters.
pub const TENANT_ID_CHARS_MAX: usize = 128;
/// The most tenants that one ceiling may have.
pub const TENANTS_MAX: usize = 1_000_000;

/// What the ceiling counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FairnessUnit {
    /// Each acquire takes its cost.
    Cost,
    /// Each acquire takes 1, whatever its cost.
    Requests,
}

impl FairnessUnit {
    /// Both, in the order of their names.
    pub const ALL: [Self; 2] = [Self::Cost, Self::Requests];

    /// The name in configurations and reports: `cost` or `requests`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::Requests => "requests",
        }
    }

    /// The unit of that name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }
}

impl fmt::Display for FairnessUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A tenant as somebody wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct TenantSettings {
    /// Its name: unique in its ceiling, 1 to [`TENANT_ID_CHARS_MAX`] printable characters.
    pub id: String,
    /// Its part of the ceiling relative to the others' weights; finite and above zero.
    pub weight: f64,
}

/// A ceiling as somebody wrote it, not yet checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Units that may be held at one time; finite and above zero.
    pub ceiling: f64,
    /// What a unit is. There is no default: fairness over cost and fairness over requests admit
    /// different things, and only the owner knows which one the limit protects.
    pub fairness_unit: Option<FairnessUnit>,
    /// Who shares the ceiling. Their order breaks ties between lenders.
    pub tenants: Vec<TenantSettings>,
    /// The longest hold, in milliseconds, for which units may be lent; at least 1.
    pub reclaim_horizon_ms: i64,
    /// How long a tenant must be quiet, in milliseconds, before its units may be lent; above
    /// `reclaim_horizon_ms`.
    pub idle_after_ms: i64,
    /// When every tenant's last activity begins, in milliseconds on the caller's time scale.
    pub started_at: i64,
}

/// A broken rule: the field, the value and the reason.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// `ceiling` is not a finite number above zero.
    #[error(
        "ceiling is {value}, but it must be a finite number above 0: it is the number of units that may be held at one time"
    )]
    InvalidCeiling {
        /// What was given.
        value: f64,
    },
    /// `fairnessUnit` was left out.
    #[error(
        "fairnessUnit is missing: write \"cost\" where the ceiling protects a budget of units, or \"requests\" where it protects a number of concurrent calls; there is no default because the two admit different requests"
    )]
    MissingFairnessUnit,
    /// `reclaimHorizonMs` is below 1.
    #[error(
        "reclaimHorizonMs is {value}, but it must be at least 1: it is the longest time a returning tenant can be kept waiting"
    )]
    InvalidReclaimHorizon {
        /// What was given, in milliseconds.
        value: i64,
    },
    /// `idleAfterMs` is not above `reclaimHorizonMs`.
    #[error(
        "idleAfterMs is {idle_after_ms}, but it must be greater than reclaimHorizonMs ({reclaim_horizon_ms}): a tenant that asks must still count as present when the last loan of its units ends, or the borrower could take them again at that very instant"
    )]
    IdleAfterNotAboveHorizon {
        /// `idleAfterMs` as given.
        idle_after_ms: i64,
        /// `reclaimHorizonMs` as given.
        reclaim_horizon_ms: i64,
    },
    /// There is no tenant.
    #[error("tenants is empty, but a ceiling needs at least one tenant to be shared by")]
    NoTenants,
    /// There are more than [`TENANTS_MAX`] tenants.
    #[error("tenants has {count} entries, but one ceiling may have at most {TENANTS_MAX}")]
    TooManyTenants {
        /// How many were given.
        count: usize,
    },
    /// A tenant's id is empty, too long, or has a character that cannot be printed.
    #[error(
        "tenants[{index}].id is {id:?}, but an id must be 1 to {TENANT_ID_CHARS_MAX} printable characters"
    )]
    InvalidTenantId {
        /// Its place in the list, from 0.
        index: usize,
        /// What was given, cut to a printable length.
        id: String,
    },
    /// Two tenants have the same id.
    #[error(
        "tenants[{index}].id is {id:?}, which tenants[{first}] already has: ids must be unique"
    )]
    DuplicateTenantId {
        /// The later place in the list, from 0.
        index: usize,
        /// The earlier place in the list, from 0.
        first: usize,
        /// The id.
        id: String,
    },
    /// A tenant's weight is not a finite number above zero.
    #[error(
        "tenants[{index}].weight is {value} (tenant {id:?}), but a weight must be a finite number above 0"
    )]
    InvalidWeight {
        /// Its place in the list, from 0.
        index: usize,
        /// Whose it is.
        id: String,
        /// What was given.
        value: f64,
    },
    /// The weights are so large that their sum overflows.
    #[error(
        "the weights of tenants add up to more than a number can hold: write smaller ones, only their ratios count"
    )]
    WeightsOverflow,
}

/// A tenant's place in its ceiling's configuration; how the engine names tenants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TenantIx(pub(super) u32);

impl TenantIx {
    /// The place as an index into [`Config::tenants`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tenant that has been checked, with what its weight comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct TenantConfig {
    id: String,
    weight: f64,
    guarantee: f64,
    weight_share: f64,
}

impl TenantConfig {
    /// Its name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its weight as given.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Units that are always its own: ceiling × weight ÷ total weight.
    #[must_use]
    pub fn guarantee(&self) -> f64 {
        self.guarantee
    }

    /// Its weight ÷ total weight, between 0 and 1.
    #[must_use]
    pub fn weight_share(&self) -> f64 {
        self.weight_share
    }
}

/// A ceiling's configuration, checked. It does not change while the engine lives.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    ceiling: f64,
    fairness_unit: FairnessUnit,
    tenants: Vec<TenantConfig>,
    by_id: FxHashMap<String, TenantIx>,
    reclaim_horizon_ms: i64,
    idle_after_ms: i64,
    started_at: i64,
}

impl Config {
    /// Checks `settings`.
    ///
    /// # Errors
    ///
    /// Every rule that they break, in the order of the fields.
    pub fn new(settings: Settings) -> Result<Self, Vec<ConfigError>> {
        let mut errors = check(&settings);
        let total_weight: f64 = settings.tenants.iter().map(|tenant| tenant.weight).sum();
        if errors.is_empty() && !total_weight.is_finite() {
            errors.push(ConfigError::WeightsOverflow);
        }
        let (Some(fairness_unit), []) = (settings.fairness_unit, errors.as_slice()) else {
            return Err(errors);
        };
        let tenants: Vec<_> = settings
            .tenants
            .into_iter()
            .map(|tenant| TenantConfig {
                guarantee: guarantee(settings.ceiling, tenant.weight, total_weight),
                weight_share: tenant.weight / total_weight,
                weight: tenant.weight,
                id: tenant.id,
            })
            .collect();
        let by_id = (0..).map(TenantIx).zip(&tenants);
        Ok(Self {
            ceiling: settings.ceiling,
            fairness_unit,
            by_id: by_id.map(|(ix, tenant)| (tenant.id.clone(), ix)).collect(),
            tenants,
            reclaim_horizon_ms: settings.reclaim_horizon_ms,
            idle_after_ms: settings.idle_after_ms,
            started_at: settings.started_at,
        })
    }

    /// Units that may be held at one time.
    #[must_use]
    pub fn ceiling(&self) -> f64 {
        self.ceiling
    }

    /// What a unit is.
    #[must_use]
    pub fn fairness_unit(&self) -> FairnessUnit {
        self.fairness_unit
    }

    /// The tenants in the order in which they were given.
    #[must_use]
    pub fn tenants(&self) -> &[TenantConfig] {
        &self.tenants
    }

    /// The tenant at `ix`.
    ///
    /// # Panics
    ///
    /// If `ix` came from another configuration that has more tenants.
    #[must_use]
    pub fn tenant(&self, ix: TenantIx) -> &TenantConfig {
        &self.tenants[ix.index()]
    }

    /// The place of the tenant that is called `id`.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<TenantIx> {
        self.by_id.get(id).copied()
    }

    /// Every tenant's place, in order.
    pub fn tenant_ixs(&self) -> impl ExactSizeIterator<Item = TenantIx> + use<> {
        #[expect(clippy::cast_possible_truncation, reason = "at most TENANTS_MAX tenants")]
        (0..self.tenants.len() as u32).map(TenantIx)
    }

    /// The longest hold, in milliseconds, for which units may be lent.
    #[must_use]
    pub fn reclaim_horizon_ms(&self) -> i64 {
        self.reclaim_horizon_ms
    }

    /// How long a tenant must be quiet, in milliseconds, before its units may be lent.
    #[must_use]
    pub fn idle_after_ms(&self) -> i64 {
        self.idle_after_ms
    }

    /// When every tenant's last activity begins.
    #[must_use]
    pub fn started_at(&self) -> i64 {
        self.started_at
    }

    /// The longest time, in milliseconds, that a refused caller may let pass before it asks
    /// again, so that it still counts as waiting when it does: three quarters of
    /// `idle_after_ms`, which leaves the rest to the network.
    #[must_use]
    pub fn ask_again_within_ms(&self) -> i64 {
        self.idle_after_ms - (self.idle_after_ms / 4).max(1)
    }

    /// The same configuration with another start; for a shell that learns the time later.
    #[must_use]
    pub fn with_started_at(self, started_at: i64) -> Self {
        Self { started_at, ..self }
    }
}

fn guarantee(ceiling: f64, weight: f64, total_weight: f64) -> f64 {
    let product = ceiling * weight;
    if product.is_normal() { product / total_weight } else { ceiling * (weight / total_weight) }
}

fn check(settings: &Settings) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    if !is_positive(settings.ceiling) {
        errors.push(ConfigError::InvalidCeiling { value: settings.ceiling });
    }
    if settings.fairness_unit.is_none() {
        errors.push(ConfigError::MissingFairnessUnit);
    }
    if settings.reclaim_horizon_ms < 1 {
        errors.push(ConfigError::InvalidReclaimHorizon { value: settings.reclaim_horizon_ms });
    }
    if settings.idle_after_ms <= settings.reclaim_horizon_ms {
        errors.push(ConfigError::IdleAfterNotAboveHorizon {
            idle_after_ms: settings.idle_after_ms,
            reclaim_horizon_ms: settings.reclaim_horizon_ms,
        });
    }
    match settings.tenants.len() {
        0 => errors.push(ConfigError::NoTenants),
        1..=TENANTS_MAX => check_tenants(&settings.tenants, &mut errors),
        count => errors.push(ConfigError::TooManyTenants { count }),
    }
    errors
}

fn check_tenants(tenants: &[TenantSettings], errors: &mut Vec<ConfigError>) {
    let mut seen = FxHashMap::default();
    for (index, TenantSettings { id, weight }) in tenants.iter().enumerate() {
        if !is_tenant_id(id) {
            let id = id.chars().take(TENANT_ID_CHARS_MAX).collect();
            errors.push(ConfigError::InvalidTenantId { index, id });
        } else if let Some(&first) = seen.get(id.as_str()) {
            errors.push(ConfigError::DuplicateTenantId { index, first, id: id.clone() });
        } else {
            seen.insert(id.as_str(), index);
        }
        if !is_positive(*weight) {
            errors.push(ConfigError::InvalidWeight { index, id: id.clone(), value: *weight });
        }
    }
}

fn is_positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

/// Whether `id` is 1 to [`TENANT_ID_CHARS_MAX`] characters that can all be printed on one line.
fn is_tenant_id(id: &str) -> bool {
    let printable = |c: char| !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}');
    (1..=TENANT_ID_CHARS_MAX).contains(&id.chars().count()) && id.chars().all(printable)
}
