//! Recorded sequences of calls, replayed to the same answers.
//!
//! A trace is JSON lines: first `{"config": {...}}`, perhaps `{"state": {...}}` where it does not
//! begin at the beginning, then one operation per line. Each operation
//! answers with one line. It is pure: lines go in, lines come out, nothing is read or printed
//! here. To add an operation: a variant in `wire::Op`, an arm in `Replay::run`.
//!
//! ```
//! use fairgate::trace::Replay;
//!
//! let mut replay = Replay::default();
//! let config = r#"{"config":{"ceiling":10,"fairnessUnit":"cost","reclaimHorizonMs":10,
//!     "idleAfterMs":20,"startedAt":0,"tenants":[{"id":"a","weight":1}]}}"#;
//! replay.line(config).expect("a configuration");
//! let answer = replay.line(r#"{"op":"acquire","now":1,"tenant":"a","cost":4,"holdMs":5,"as":"a1"}"#);
//! assert!(answer.expect("an operation").expect("an answer").contains(r#""ok":true"#));
//! ```

mod answer;
mod names;
mod record;
mod replay;
mod state;
mod summary;
mod wire;

pub use self::record::{command_line, config_line, state_line};
pub use self::replay::{LINE_BYTES_MAX, Replay, TraceError};
pub use self::state::{StateRecord, UnknownTenant};
pub use self::summary::Summary;
