//! The journal: what was answered is written down before it is answered, and reading it again
//! leads to the same state.
//!
//! It is pure but for its [`Store`] port: it never opens a file, reads a clock or spawns a
//! thread. In reading order: `store` (the port), `record` (what is written), `frame` (how batches
//! of records lie in a segment, and what a crash may have done to the last one), `snapshot` (a
//! state in one file), `recovery` (the newest snapshot and what came after), `compact` (the next
//! snapshot from the one before and the segments that followed), `error` (what can be wrong, and
//! what to do).
//!
//! The bytes are described in `docs/journal-format.md`. A change of them is a new
//! [`frame::VERSION`]; the old one stays readable, and its fixture stays in the tests.

mod compact;
mod error;
pub mod frame;
mod names;
mod record;
mod recovery;
mod snapshot;
mod store;

pub use self::compact::compact;
pub use self::error::{Damage, JournalError};
pub use self::names::{segment_name, snapshot_name};
pub use self::record::{CeilingRecord, Entry, Record, TenantRecord, encode};
pub use self::recovery::{Observer, Progress, Recovered, Tail, recover, recover_observed};
pub use self::snapshot::Ceiling;
pub use self::store::{Append, Store};
