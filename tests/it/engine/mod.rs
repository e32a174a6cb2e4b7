//! The engine, judged by stories, by properties and by a second, deliberately naive engine.

mod bound;
mod boundaries;
mod configuration;
mod demand;
mod estimates;
mod explanations;
mod judge;
mod leases;
mod lending;
mod model;
mod overruns;
mod properties;
mod reports;
mod sequences;
mod snapshots;
mod story;
mod tolerance;
