//! From a lender's first ask until its lent units are home: the bound, measured.

use crate::engine::judge::scene::{Scene, even_split, shared_by};

fn lent(hold_ms: i64) -> Scene {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, hold_ms);
    gate
}

#[test]
fn a_return_lasts_from_the_first_ask_until_the_units_are_home() {
    let mut gate = lent(100);
    gate.ask(20, "a1", 50.0, 100);
    gate.ask(50, "a1", 50.0, 100);
    gate.release(100, "b1");
    assert_eq!(gate.returns(9_999, "a"), "worst 80 ms, 0 late");
}

#[test]
fn a_return_in_progress_is_shown_and_a_broken_bound_before_it_is_over() {
    let mut gate = lent(100);
    gate.ask(20, "a1", 50.0, 100);
    assert_eq!(gate.returns(60, "a"), "worst 40 ms, 0 late");
    assert_eq!(gate.returns(120, "a"), "worst 100 ms, 0 late");
    assert_eq!(gate.returns(121, "a"), "worst 101 ms, 1 late");
}

#[test]
fn a_broken_bound_is_counted_once() {
    let mut gate = lent(100);
    gate.ask(0, "a1", 50.0, 100);
    gate.returns(150, "a");
    gate.ask(160, "a1", 50.0, 100);
    gate.release(170, "b1");
    assert_eq!(gate.returns(9_999, "a"), "worst 170 ms, 1 late");
}

#[test]
fn an_ask_that_is_granted_counts_as_the_first_where_part_is_still_out() {
    let mut gate = even_split();
    gate.ask(0, "b1", 60.0, 100);
    assert_eq!(gate.ask(30, "a1", 40.0, 500), "own 40");
    gate.release(100, "b1");
    assert_eq!(gate.returns(100, "a"), "worst 70 ms, 0 late");
}

#[test]
fn a_return_ends_with_the_last_loan_and_not_with_the_first() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "b1", 40.0, 50);
    gate.ask(0, "c1", 50.0, 90);
    gate.ask(10, "a1", 30.0, 100);
    gate.release(50, "b1");
    assert_eq!(gate.returns(60, "a"), "worst 50 ms, 0 late");
    gate.release(90, "c1");
    assert_eq!(gate.returns(9_999, "a"), "worst 80 ms, 0 late");
}

#[test]
fn an_ask_while_nothing_is_out_begins_no_return() {
    let mut gate = even_split();
    gate.ask(0, "a1", 60.0, 1_000);
    gate.ask(0, "a2", 101.0, 100);
    assert_eq!(gate.returns(900, "a"), "worst 0 ms, 0 late");
}

#[test]
fn units_that_came_home_before_the_ask_were_no_return() {
    let mut gate = lent(100);
    gate.release(100, "b1");
    gate.ask(200, "a1", 50.0, 100);
    assert_eq!(gate.returns(900, "a"), "worst 0 ms, 0 late");
}

#[test]
fn a_return_that_never_ended_before_the_units_are_lent_anew_is_counted_late() {
    let mut gate = even_split();
    gate.ask(0, "b1", 60.0, 100);
    gate.ask(10, "a1", 41.0, 100);
    assert_eq!(gate.ask(1_010, "b2", 20.0, 100), "own 0, 20 from a");
    gate.release(1_050, "b1");
    gate.release(1_060, "b2");
    assert_eq!(gate.returns(9_999, "a"), "worst 1000 ms, 1 late");
}
