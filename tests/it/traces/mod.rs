//! Tests of `traces`.
