//! What an operator wrote (file, environment, flags), checked and turned into typed options.
//!
//! The file is TOML with camelCase keys. It is read key by key, so that every mistake is
//! reported, not only the first, and an unknown key is answered with the nearest known one.
//! Overrides (from flags and the environment) are laid over the file before it is read, so that
//! there is one place where values are judged. To add a key: a field in the options of the module
//! that owns it, a line in its section here, an entry in `fairgate.example.toml`, a flag in
//! `cli`.

mod ceiling;
mod http;
mod journal;
mod log;
mod meaning;
mod metrics;
mod overrides;
mod reader;
mod shutdown;

use std::fmt;

pub use self::journal::JournalConfig;
pub use self::log::{LogFormat, LogOptions};
pub use self::meaning::{meaning, warnings};
pub use self::overrides::{CeilingOverrides, Overrides};

use self::reader::Reader;
use crate::gateway::{CeilingOptions, ShutdownOptions};

/// Everything that `fairgate serve` needs, checked.
#[derive(Clone, Debug)]
pub struct Options {
    /// The ceilings, in the order of the file; at least one, names unique.
    pub ceilings: Vec<CeilingOptions>,
    /// The HTTP server.
    pub http: crate::http::Options,
    /// Stopping.
    pub shutdown: ShutdownOptions,
    /// The metrics.
    pub metrics: crate::metrics::Options,
    /// The log.
    pub log: LogOptions,
    /// The journal.
    pub journal: JournalConfig,
}

/// Everything that is wrong with a configuration, one line each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigErrors(pub Vec<String>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for ConfigErrors {}

/// Reads a configuration: `file` is the text of the file, if there is one.
///
/// # Errors
///
/// Every key that is unknown, missing or out of range, each with its value and the remedy.
pub fn load(file: Option<&str>, overrides: &Overrides) -> Result<Options, ConfigErrors> {
    let mut table: toml::Table = file
        .unwrap_or_default()
        .parse()
        .map_err(|error: toml::de::Error| ConfigErrors(vec![error.to_string()]))?;
    let mut errors = Vec::new();
    overrides.lay_over(&mut table, &mut errors);
    let mut root = Reader::new(String::new(), &table, &mut errors);
    let options = Options {
        http: root.section("http", http::read),
        shutdown: root.section("shutdown", shutdown::read),
        log: root.section("log", log::read),
        metrics: root.section("metrics", metrics::read),
        journal: root.section("journal", journal::read),
        ceilings: ceiling::read_all(&mut root),
    };
    root.finish();
    if errors.is_empty() { Ok(options) } else { Err(ConfigErrors(errors)) }
}
