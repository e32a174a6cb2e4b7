//! Tests of `metrics`.
