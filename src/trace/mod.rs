//! Recorded sequences of calls, replayed to the same answers.
