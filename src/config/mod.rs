//! What an operator wrote (file, environment, flags), checked and turned into typed options.

use crate::{gateway, http, metrics};

/// Everything that `fairgate serve` needs, checked.
#[derive(Clone, Debug)]
pub struct Options {
    /// The ceilings, in the order of the file; at least one, names unique.
    pub ceilings: Vec<gateway::CeilingOptions>,
    /// The HTTP server.
    pub http: http::Options,
    /// Starting and stopping.
    pub shutdown: gateway::ShutdownOptions,
    /// The metrics.
    pub metrics: metrics::Options,
    /// The log.
    pub log: LogOptions,
}

/// Where the log's form is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// Human on a terminal, JSON otherwise.
    #[default]
    Auto,
    /// Lines for people.
    Human,
    /// One JSON object per line.
    Json,
}

/// The log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogOptions {
    /// Its form.
    pub format: LogFormat,
    /// What is logged, as a `tracing` filter such as `info` or `fairgate=debug,warn`.
    pub filter: String,
}
