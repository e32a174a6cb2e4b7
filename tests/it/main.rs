//! Every integration test, in one binary.
#![expect(clippy::unwrap_used, reason = "a failed test panics")]

mod cli;
mod config;
mod engine;
mod http;
mod metrics;
mod tidy;
mod traces;
