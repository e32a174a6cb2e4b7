//! What a gateway is built from.

use crate::engine::Config;

/// The longest name of a ceiling, in characters.
pub const CEILING_NAME_CHARS_MAX: usize = 64;

/// One named ceiling.
#[derive(Clone, Debug)]
pub struct CeilingOptions {
    /// Its name: unique, 1 to [`CEILING_NAME_CHARS_MAX`] letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// What it is built from. Its start is set to the clock's when the gateway starts.
    pub config: Config,
}

/// How the gateway stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShutdownOptions {
    /// For how long, in milliseconds, the gateway goes on serving releases and reads after it was
    /// told to stop, with `/readyz` failing and acquires refused, so that load balancers notice.
    pub drain_delay_ms: u64,
    /// How long, in milliseconds, requests in flight may take to finish after that.
    pub drain_timeout_ms: u64,
}

impl Default for ShutdownOptions {
    fn default() -> Self {
        Self { drain_delay_ms: 1_000, drain_timeout_ms: 10_000 }
    }
}

/// What survives which crash before anybody is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// What was answered survives the end of the machine: each batch is made durable first.
    Always,
    /// What was answered survives the end of the process, but perhaps not of the machine.
    Os,
}

/// The journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalOptions {
    /// What survives which crash.
    pub sync: Durability,
    /// After how many commands a snapshot is taken.
    pub snapshot_every_commands: u64,
    /// After how many bytes a snapshot is taken.
    pub snapshot_every_bytes: u64,
}

impl Default for JournalOptions {
    fn default() -> Self {
        Self {
            sync: Durability::Always,
            snapshot_every_commands: 1_000_000,
            snapshot_every_bytes: 64 << 20,
        }
    }
}
