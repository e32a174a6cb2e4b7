//! What is written down: one record per command, and one whenever a ceiling begins.
//!
//! These are the disk's own types. Engine types are converted here by hand, so that changing the
//! engine cannot silently change the disk. Encoded with postcard: integers as varints, floats as
//! eight bytes, little endian.

use serde::{Deserialize, Serialize};

use super::Damage;
use crate::engine::{
    Acquire, Command, Config, FairnessUnit, LeaseId, Settings, TenantIx, TenantSettings,
};

/// One record as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Record<'a> {
    /// A ceiling begins, or begins anew under another configuration. It takes the number that
    /// commands for it will name, which counts the ceilings from 0.
    Begin {
        /// The ceiling's number.
        ceiling: u32,
        /// What it is built from.
        #[serde(borrow)]
        settings: CeilingRecord<'a>,
    },
    /// A command was accepted.
    Entry {
        /// The ceiling's number.
        ceiling: u32,
        /// When, in milliseconds since the Unix epoch.
        now: i64,
        /// How many leases the ceiling had granted before: replaying must lead there too.
        granted: u64,
        /// What.
        entry: Entry,
    },
}

/// One command, with tenants by their place in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Entry {
    /// Take units.
    Acquire {
        /// The tenant's place.
        tenant: u32,
        /// The declared cost.
        cost: f64,
        /// The declared hold, in milliseconds.
        hold_ms: u64,
    },
    /// Give a lease's units back.
    Release {
        /// The epoch in its id.
        epoch: u64,
        /// The sequence number in its id.
        seq: u64,
    },
}

/// What a ceiling is built from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CeilingRecord<'a> {
    /// Its name.
    pub name: &'a str,
    /// The part of its lease ids that is its own.
    pub epoch: u64,
    /// Units that may be held.
    pub ceiling: f64,
    /// Whether it counts requests rather than cost.
    pub counts_requests: bool,
    /// In milliseconds.
    pub reclaim_horizon_ms: i64,
    /// In milliseconds.
    pub idle_after_ms: i64,
    /// When it began, in milliseconds since the Unix epoch.
    pub started_at: i64,
    /// The tenants in order.
    #[serde(borrow)]
    pub tenants: Vec<TenantRecord<'a>>,
}

/// One tenant.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TenantRecord<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its weight.
    pub weight: f64,
}

impl<'a> CeilingRecord<'a> {
    /// The record of `config` under `name`.
    #[must_use]
    pub fn of(name: &'a str, epoch: u64, config: &'a Config) -> Self {
        let tenants = config.tenants().iter();
        Self {
            name,
            epoch,
            ceiling: config.ceiling(),
            counts_requests: config.fairness_unit() == FairnessUnit::Requests,
            reclaim_horizon_ms: config.reclaim_horizon_ms(),
            idle_after_ms: config.idle_after_ms(),
            started_at: config.started_at(),
            tenants: tenants.map(|t| TenantRecord { id: t.id(), weight: t.weight() }).collect(),
        }
    }

    /// The configuration that was recorded.
    pub(super) fn config(&self) -> Result<Config, Damage> {
        let tenants = self.tenants.iter();
        let unit = if self.counts_requests { FairnessUnit::Requests } else { FairnessUnit::Cost };
        let settings = Settings {
            ceiling: self.ceiling,
            fairness_unit: Some(unit),
            tenants: tenants
                .map(|t| TenantSettings { id: t.id.to_owned(), weight: t.weight })
                .collect(),
            reclaim_horizon_ms: self.reclaim_horizon_ms,
            idle_after_ms: self.idle_after_ms,
            started_at: self.started_at,
        };
        Config::new(settings).map_err(|_| Damage::Undecodable)
    }
}

impl Entry {
    /// The entry for a request that can be asked, by `tenant`.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "places fit into 32 bits")]
    pub fn acquire(tenant: TenantIx, request: &Acquire<'_>) -> Self {
        Self::Acquire {
            tenant: tenant.index() as u32,
            cost: request.cost,
            hold_ms: request.hold_ms.unsigned_abs(),
        }
    }

    /// The command that was recorded.
    pub(super) fn command<'c>(&self, config: &'c Config) -> Result<Command<'c>, Damage> {
        match *self {
            Self::Acquire { tenant, cost, hold_ms } => {
                let tenant = config.tenants().get(tenant as usize).ok_or(Damage::Unintroduced)?;
                Ok(Command::Acquire(Acquire {
                    tenant: tenant.id(),
                    cost,
                    hold_ms: i64::try_from(hold_ms).map_err(|_| Damage::Undecodable)?,
                }))
            }
            Self::Release { epoch, seq } => Ok(Command::Release(LeaseId { epoch, seq })),
        }
    }
}

/// Writes one record at the end of `payload`.
pub fn encode(record: &Record<'_>, payload: &mut Vec<u8>) {
    struct Sink<'a>(&'a mut Vec<u8>);
    impl Extend<u8> for Sink<'_> {
        fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
            self.0.extend(bytes);
        }
    }
    let written = postcard::to_extend(record, Sink(payload));
    debug_assert!(written.is_ok(), "a vector takes everything, and every type has a form");
}

/// Reads the record at the start of `payload`, and what follows it.
pub(super) fn decode(payload: &[u8]) -> Result<(Record<'_>, &[u8]), Damage> {
    postcard::take_from_bytes(payload).map_err(|_| Damage::Undecodable)
}
