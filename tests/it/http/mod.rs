//! Tests of `http`.
