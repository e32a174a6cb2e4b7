//! The very instant, and one millisecond either side.

use crate::engine::judge::scene::{Scene, even_split, settings};

#[test]
fn a_hold_of_exactly_the_horizon_may_borrow_and_one_millisecond_more_may_not() {
    let borrow = |hold_ms| even_split().ask(0, "b1", 60.0, hold_ms);
    assert_eq!(borrow(99), "own 50, 10 from a");
    assert_eq!(borrow(100), "own 50, 10 from a");
    assert_eq!(borrow(101), "hold_exceeds_reclaim_horizon, for good");
}

#[test]
fn a_tenant_lends_from_exactly_idle_after_on() {
    let borrow = |now| {
        let mut gate = even_split();
        gate.ask(0, "a1", 101.0, 1);
        gate.ask(now, "b1", 60.0, 100)
    };
    assert_eq!(borrow(999), "no_lendable_capacity");
    assert_eq!(borrow(1_000), "own 50, 10 from a");
    assert_eq!(borrow(1_001), "own 50, 10 from a");
}

#[test]
fn a_lease_still_counts_as_in_time_at_its_deadline() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    let mut ask = |now| gate.ask(now, "a1", 50.0, 100);
    assert_eq!(ask(99), "guarantee_on_loan, retry in 1, behind b1");
    assert_eq!(ask(100), "guarantee_on_loan, retry in 0, behind b1");
    assert_eq!(ask(101), "guarantee_on_loan, behind b1");
}

#[test]
fn the_shortest_and_the_longest_hold_are_accepted_and_nothing_beyond() {
    let ask = |hold_ms| even_split().ask(0, "a1", 1.0, hold_ms);
    assert_eq!(ask(0), "invalid: invalid_hold");
    assert_eq!(ask(1), "own 1");
    assert_eq!(ask(31_536_000_000), "own 1");
    assert_eq!(ask(31_536_000_001), "invalid: invalid_hold");
}

#[test]
fn the_whole_ceiling_can_be_held_and_nothing_beyond() {
    assert_eq!(even_split().ask(0, "a1", 100.0, 100), "own 50, 50 from b");
    assert_eq!(even_split().ask(0, "a1", 100.1, 100), "cost_exceeds_ceiling, for good");
}

#[test]
fn a_request_of_exactly_the_guarantee_needs_nobody() {
    assert_eq!(even_split().ask(0, "a1", 50.0, 1_000), "own 50");
    let longer = even_split().ask(0, "a1", 50.1, 1_000);
    assert_eq!(longer, "hold_exceeds_reclaim_horizon, for good");
}

#[test]
fn time_may_begin_below_zero_and_cross_it() {
    let mut gate = even_split();
    gate.ask(-50, "b1", 100.0, 100);
    assert_eq!(gate.ask(-10, "a1", 50.0, 100), "guarantee_on_loan, retry in 60, behind b1");
    assert_eq!(gate.release(50, "b1"), "held 100");
    assert_eq!(gate.ask(50, "a1", 50.0, 100), "own 50");
    assert_eq!(gate.waits(50, "a"), "wants nothing, deficit 3000, worst 60");
}

#[test]
fn a_loan_and_a_release_of_one_instant_pass_the_units_on() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    gate.release(0, "b1");
    assert_eq!(gate.ask(0, "b2", 100.0, 100), "own 50, 50 from a");
}

#[test]
fn at_the_end_of_time_a_tenant_that_has_just_asked_is_not_idle() {
    let split = settings(100.0, &[("a", 1.0), ("b", 1.0)]);
    let mut gate = Scene::of(fairgate::engine::Settings { started_at: i64::MAX - 5, ..split });
    assert_eq!(gate.ask(i64::MAX, "b1", 60.0, 100), "no_lendable_capacity");
    gate.ask(i64::MAX, "a1", 50.0, 100);
    gate.release(i64::MAX, "a1");
    assert!(!gate.tenant(i64::MAX, "a").idle);
}

#[test]
fn what_is_owed_is_owed_for_however_long_it_is_asked() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    let year = gate.ask(10, "a1", 50.0, 31_536_000_000);
    assert_eq!(year, "guarantee_on_loan, retry in 90, behind b1");
    gate.release(100, "b1");
    assert_eq!(gate.ask(100, "a1", 50.0, 31_536_000_000), "own 50");
}
