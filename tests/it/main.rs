//! Every integration test, in one binary.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed test panics")]

mod cli;
mod config;
mod engine;
mod http;
mod metrics;
mod tidy;
mod traces;
