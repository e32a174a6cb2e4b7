//! Every integration test, in one binary.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::expect_used,
    clippy::float_cmp,
    clippy::panic,
    clippy::unreachable,
    clippy::unwrap_used,
    reason = "a failed test panics, and exact results are expected exactly"
)]

mod cli;
mod config;
mod engine;
mod http;
mod journal;
mod metrics;
mod tidy;
mod traces;
