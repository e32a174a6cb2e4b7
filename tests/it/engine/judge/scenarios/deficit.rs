//! What lending cost a tenant, and nothing else; how long it waited for its own.

use crate::engine::judge::scene::{Scene, even_split, shared_by};

fn waiting() -> Scene {
    let mut gate = even_split();
    gate.ask(0, "b1", 50.0, 10_000);
    gate.ask(0, "b2", 50.0, 100);
    gate.ask(10, "a1", 50.0, 100);
    gate
}

#[test]
fn ninety_milliseconds_without_its_fifty_units_are_a_deficit() {
    let mut gate = waiting();
    gate.release(100, "b2");
    gate.ask(100, "a1", 50.0, 100);
    assert_eq!(gate.waits(5_000, "a"), "wants nothing, deficit 4500, worst 90");
    assert_eq!(gate.waits(5_000, "b"), "wants nothing, deficit 0, worst 0");
}

#[test]
fn the_deficit_ends_when_the_units_are_home_however_late_the_tenant_retries() {
    let mut gate = waiting();
    gate.release(100, "b2");
    assert_eq!(gate.waits(600, "a"), "wants 50 for 590 ms, deficit 4500, worst 0");
    gate.ask(600, "a1", 50.0, 100);
    assert_eq!(gate.waits(600, "a"), "wants nothing, deficit 4500, worst 590");
}

#[test]
fn asking_for_more_than_the_guarantee_is_no_deficit_beyond_it() {
    let mut gate = even_split();
    gate.ask(0, "b1", 60.0, 100);
    assert!(gate.ask(0, "a1", 90.0, 100).starts_with("no_lendable_capacity"));
    assert_eq!(gate.waits(10, "a"), "wants 90, deficit 500, worst 0");
}

#[test]
fn a_want_beyond_the_guarantee_is_no_deficit_while_nothing_is_lent() {
    let mut gate = even_split();
    gate.ask(0, "b1", 50.0, 100);
    gate.ask(0, "a1", 60.0, 100);
    assert_eq!(gate.waits(500, "a"), "wants 60, deficit 0, worst 0");
}

#[test]
fn what_a_tenant_holds_lessens_its_deficit() {
    let mut gate = even_split();
    gate.ask(0, "b1", 80.0, 100);
    assert_eq!(gate.ask(0, "a1", 15.0, 500), "own 15");
    assert_eq!(gate.ask(0, "a2", 30.0, 500), "guarantee_on_loan, retry in 100, behind b1");
    assert_eq!(gate.waits(10, "a"), "wants 30 for 10 ms, deficit 300, worst 0");
}

#[test]
fn the_want_is_the_largest_single_refusal_and_not_the_sum() {
    let mut gate = waiting();
    for now in 11..60 {
        gate.ask(now, "a1", 20.0, 100);
    }
    assert_eq!(gate.waits(60, "a"), "wants 50 for 50 ms, deficit 2500, worst 0");
}

#[test]
fn a_refusal_that_waiting_cannot_cure_states_no_want() {
    let mut gate = even_split();
    gate.ask(0, "b1", 80.0, 100);
    gate.ask(0, "a1", 51.0, 101);
    gate.ask(0, "a1", 101.0, 100);
    assert_eq!(gate.waits(50, "a"), "wants nothing, deficit 0, worst 0");
}

#[test]
fn a_small_grant_during_a_reclaim_does_not_end_it() {
    let mut gate = even_split();
    gate.ask(0, "b1", 60.0, 100);
    gate.ask(0, "b2", 40.0, 50);
    gate.ask(0, "a1", 50.0, 100);
    gate.release(50, "b2");
    assert_eq!(gate.ask(50, "a2", 10.0, 500), "own 10");
    assert_eq!(gate.waits(60, "a"), "wants 50 for 60 ms, deficit 2900, worst 0");
}

#[test]
fn a_reclaim_ends_at_the_guarantee_though_no_single_grant_was_as_large() {
    let mut gate = waiting();
    gate.release(100, "b2");
    gate.ask(100, "a1", 30.0, 500);
    assert_eq!(gate.waits(110, "a"), "wants 50 for 100 ms, deficit 4500, worst 0");
    gate.ask(120, "a2", 20.0, 500);
    assert_eq!(gate.waits(120, "a"), "wants nothing, deficit 4500, worst 110");
}

#[test]
fn a_reclaim_ends_at_a_grant_as_large_though_a_larger_want_goes_on() {
    let mut gate = even_split();
    gate.ask(0, "b1", 70.0, 100);
    gate.ask(0, "a1", 80.0, 100);
    assert_eq!(gate.ask(10, "a2", 40.0, 100), "guarantee_on_loan, retry in 90, behind b1");
    gate.release(60, "b1");
    assert_eq!(gate.ask(60, "a2", 40.0, 100), "own 40");
    assert_eq!(gate.waits(60, "a"), "wants 80, deficit 3000, worst 50");
}

#[test]
fn a_reclaim_remembers_the_largest_charge_that_was_refused() {
    let mut gate = waiting();
    gate.ask(20, "a2", 20.0, 100);
    gate.release(100, "b2");
    gate.ask(100, "a2", 20.0, 500);
    assert_eq!(gate.waits(100, "a"), "wants 50 for 90 ms, deficit 4500, worst 0");
}

#[test]
fn borrowed_units_end_a_reclaim_as_well_as_own_ones() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "b1", 60.0, 100);
    gate.ask(0, "c1", 101.0, 100);
    assert_eq!(gate.ask(950, "a1", 30.0, 100), "guarantee_on_loan, behind b1");
    assert_eq!(gate.ask(1_000, "a1", 30.0, 100), "own 0, 30 from c");
    assert_eq!(gate.waits(1_000, "a"), "wants nothing, deficit 1500, worst 50");
}

#[test]
fn only_the_longest_reclaim_is_kept() {
    let mut gate = waiting();
    gate.release(100, "b2");
    gate.ask(100, "a1", 50.0, 100);
    gate.release(110, "a1");
    assert_eq!(gate.ask(1_110, "b3", 50.0, 20), "own 0, 50 from a");
    gate.ask(1_120, "a2", 50.0, 100);
    gate.release(1_130, "b3");
    gate.ask(1_130, "a2", 50.0, 100);
    assert_eq!(gate.waits(1_130, "a"), "wants nothing, deficit 5000, worst 90");
}

#[test]
fn a_lack_of_others_units_is_no_reclaim() {
    let mut gate = even_split();
    gate.ask(0, "b1", 50.0, 100);
    gate.ask(0, "a1", 60.0, 100);
    gate.release(80, "b1");
    assert_eq!(gate.tenant(80, "a").waiting_ms, None);
}

#[test]
fn lent_and_borrowed_units_are_integrated_over_time() {
    let mut gate = even_split();
    gate.ask(0, "b1", 70.0, 100);
    assert_eq!(gate.tenant(40, "a").lent_unit_ms.to_string(), "800");
    gate.release(60, "b1");
    let (a, b) = (gate.tenant(500, "a"), gate.tenant(500, "b"));
    assert_eq!(format!("{} {}", a.lent_unit_ms, b.borrowed_unit_ms), "1200 1200");
    assert_eq!(format!("{} {}", b.lent_unit_ms, a.borrowed_unit_ms), "0 0");
}

#[test]
fn a_reclaim_grows_with_a_larger_refusal_and_a_grant_of_the_first_size_does_not_end_it() {
    let mut gate = even_split();
    gate.ask(0, "b1", 60.0, 100);
    gate.ask(0, "b2", 40.0, 50);
    assert_eq!(gate.ask(0, "a1", 20.0, 500), "guarantee_on_loan, retry in 50, behind b2");
    assert_eq!(gate.ask(0, "a1", 45.0, 500), "guarantee_on_loan, retry in 100, behind b2 b1");
    gate.release(50, "b2");
    assert_eq!(gate.ask(50, "a2", 20.0, 500), "own 20");
    assert_eq!(gate.waits(60, "a"), "wants 45 for 60 ms, deficit 2550, worst 0");
}
