//! JSON in and out. These are the contract's own types; engine types are converted here by hand,
//! so that changing the engine cannot silently change what clients see.

mod acquire;
mod lease;
mod reports;

pub(super) use self::acquire::{AcquireBody, GrantAnswer, RefusalAnswer};
pub(super) use self::lease::{LeaseWire, PageAnswer, ReleaseAnswer};
pub(super) use self::reports::{FairnessAnswer, PlanAnswer, StatsAnswer};
