//! Stories, by topic. To add one: a test in the file of its topic.

mod boundaries;
mod config_errors;
mod deficit;
mod explanations;
mod freeze;
mod lapses;
mod lease_ids;
mod lenders;
mod overruns;
mod plan;
mod reclaim_bound;
mod reports;
mod retry_estimates;
mod returns;
mod state;
mod tolerance;
mod units;
