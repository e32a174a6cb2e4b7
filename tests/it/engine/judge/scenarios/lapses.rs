//! A want must be kept alive by asking: it lapses, and takes its reclaim with it.

use crate::engine::judge::scene::{Scene, even_split};

/// a asked for its half at 10, and b holds it.
fn waiting() -> Scene {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    gate.ask(10, "a1", 50.0, 100);
    gate
}

#[test]
fn a_want_lapses_exactly_when_the_tenant_turns_idle() {
    let gate = waiting();
    assert_eq!(gate.waits(1_009, "a"), "wants 50 for 999 ms, deficit 49950, worst 0");
    assert_eq!(gate.waits(1_010, "a"), "wants nothing, deficit 50000, worst 0");
}

#[test]
fn the_deficit_is_cut_where_the_want_lapses_however_late_anybody_looks() {
    let mut gate = waiting();
    assert_eq!(gate.waits(9_999_999, "a"), "wants nothing, deficit 50000, worst 0");
    gate.release(9_999_999, "b1");
    assert_eq!(gate.waits(9_999_999, "a"), "wants nothing, deficit 50000, worst 0");
}

#[test]
fn asking_again_keeps_the_want_and_the_date_of_the_wait() {
    let mut gate = waiting();
    gate.ask(1_009, "a1", 50.0, 100);
    assert_eq!(gate.waits(2_008, "a"), "wants 50 for 1998 ms, deficit 99900, worst 0");
    assert_eq!(gate.waits(2_009, "a"), "wants nothing, deficit 99950, worst 0");
}

#[test]
fn a_reclaim_that_lapsed_is_dropped_and_not_recorded() {
    let mut gate = waiting();
    gate.release(1_500, "b1");
    assert_eq!(gate.ask(1_500, "a1", 50.0, 100), "own 50");
    assert_eq!(gate.waits(1_500, "a"), "wants nothing, deficit 50000, worst 0");
}

#[test]
fn asking_at_the_very_instant_of_the_lapse_begins_a_new_wait() {
    let mut gate = waiting();
    gate.ask(1_010, "a1", 50.0, 100);
    assert_eq!(gate.waits(1_020, "a"), "wants 50 for 10 ms, deficit 50500, worst 0");
}

#[test]
fn a_release_does_not_keep_a_want_alive() {
    let mut gate = even_split();
    gate.ask(0, "b1", 101.0, 100);
    gate.ask(0, "a1", 10.0, 2_000);
    gate.ask(0, "a2", 60.0, 100);
    gate.release(900, "a1");
    assert_eq!(gate.waits(999, "a"), "wants 60, deficit 0, worst 0");
    assert_eq!(gate.waits(1_000, "a"), "wants nothing, deficit 0, worst 0");
}

#[test]
fn a_smaller_grant_does_not_keep_a_want_alive() {
    let mut gate = waiting();
    gate.release(500, "b1");
    gate.ask(500, "a2", 10.0, 5_000);
    assert_eq!(gate.waits(1_009, "a"), "wants 50 for 999 ms, deficit 24500, worst 0");
    assert_eq!(gate.waits(1_010, "a"), "wants nothing, deficit 24500, worst 0");
}
