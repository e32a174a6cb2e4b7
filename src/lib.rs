//! fairgate: one capacity ceiling shared across tenants, idle shares lent out, every loan back by
//! a deadline.
//!
//! The pure half, in reading order: [`engine`] decides, [`trace`] replays recorded sequences,
//! [`journal`] is what is written down before anybody is answered. With the feature `server`:
//! `store` keeps a journal in a folder, `gateway` owns the engines, the log and the clock,
//! `metrics` shows them to Prometheus, `http` serves them, `config` reads what an operator wrote,
//! `cli` is the command line.

pub mod engine;
pub mod journal;
pub mod trace;

#[cfg(feature = "server")]
pub mod cli;
#[cfg(feature = "server")]
pub mod config;
#[cfg(feature = "server")]
pub mod gateway;
#[cfg(feature = "server")]
pub mod http;
#[cfg(feature = "server")]
pub mod metrics;
#[cfg(feature = "server")]
pub mod store;
