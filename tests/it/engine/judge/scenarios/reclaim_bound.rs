//! Whoever asks has its units home within the horizon, whatever the borrower tries.

use crate::engine::judge::scene::{Scene, even_split, settings, shared_by};

/// b holds its own half for long and a's for the horizon.
fn all_to_b() -> Scene {
    let mut gate = even_split();
    assert_eq!(gate.ask(0, "b1", 50.0, 10_000), "own 50");
    assert_eq!(gate.ask(0, "b2", 50.0, 100), "own 0, 50 from a");
    gate
}

#[test]
fn a_call_longer_than_the_horizon_is_never_paid_from_anothers_share() {
    let mut gate = even_split();
    gate.ask(0, "b1", 50.0, 1_000);
    let answer = gate.ask(0, "b2", 50.0, 1_000);
    assert_eq!(answer, "hold_exceeds_reclaim_horizon, retry in 1000, behind b1");
    assert_eq!(gate.ask(10, "a1", 50.0, 1_000), "own 50");
}

#[test]
fn with_the_demand_signal_the_returner_is_served_when_the_loan_ends() {
    let mut gate = all_to_b();
    assert_eq!(gate.ask(10, "a1", 50.0, 100), "guarantee_on_loan, retry in 90, behind b2");
    gate.release(100, "b2");
    assert_eq!(gate.ask(100, "b3", 50.0, 100), "no_lendable_capacity, retry in 9900, behind b1");
    assert_eq!(gate.ask(100, "a1", 50.0, 100), "own 50");
}

#[test]
fn without_the_demand_signal_the_same_borrower_renews_and_the_returner_waits_again() {
    let mut gate = all_to_b();
    gate.release(100, "b2");
    assert_eq!(gate.ask(100, "b3", 50.0, 100), "own 0, 50 from a");
    assert_eq!(gate.ask(100, "a1", 50.0, 100), "guarantee_on_loan, retry in 100, behind b3");
}

#[test]
fn a_borrower_that_loops_on_acquire_gets_nothing_of_what_is_asked_for() {
    let mut gate = all_to_b();
    gate.ask(10, "a1", 50.0, 100);
    for now in 10..=100 {
        assert!(gate.ask(now, "b3", 1.0, 1).starts_with("no_lendable_capacity"), "at {now}");
    }
    gate.release(100, "b2");
    assert!(gate.ask(100, "b3", 1.0, 1).starts_with("no_lendable_capacity"));
    assert_eq!(gate.ask(100, "a1", 50.0, 100), "own 50");
}

#[test]
fn a_loan_of_the_very_instant_of_the_ask_is_home_exactly_at_the_horizon() {
    let mut gate = all_to_b();
    assert_eq!(gate.ask(0, "a1", 50.0, 100), "guarantee_on_loan, retry in 100, behind b2");
    assert!(gate.ask(100, "b3", 50.0, 100).starts_with("no_lendable_capacity"));
    gate.release(100, "b2");
    assert!(gate.ask(100, "b3", 50.0, 100).starts_with("no_lendable_capacity"));
    assert_eq!(gate.ask(100, "a1", 50.0, 100), "own 50");
}

#[test]
fn the_freeze_still_holds_at_the_horizon_where_idleness_is_one_millisecond_longer() {
    let split = settings(100.0, &[("a", 1.0), ("b", 1.0)]);
    let mut gate = Scene::of(fairgate::engine::Settings { idle_after_ms: 101, ..split });
    gate.ask(0, "b1", 100.0, 100);
    gate.ask(0, "a1", 50.0, 100);
    gate.release(100, "b1");
    assert!(gate.ask(100, "b2", 100.0, 100).starts_with("no_lendable_capacity"));
    assert_eq!(gate.ask(100, "a1", 50.0, 100), "own 50");
}

#[test]
fn a_borrower_that_overruns_delays_the_returner_by_its_overrun_and_no_more() {
    let mut gate = all_to_b();
    gate.ask(10, "a1", 50.0, 100);
    assert_eq!(gate.ask(150, "a1", 50.0, 100), "guarantee_on_loan, behind b2");
    assert_eq!(gate.release(150, "b2"), "held 150, 50 too long");
    assert!(gate.ask(150, "b3", 50.0, 100).starts_with("no_lendable_capacity"));
    assert_eq!(gate.ask(150, "a1", 50.0, 100), "own 50");
    assert_eq!(gate.waits(150, "a"), "wants nothing, deficit 7000, worst 140");
}

#[test]
fn many_small_loans_are_all_home_within_the_horizon_of_one_ask() {
    let mut gate = even_split();
    gate.ask(0, "b1", 50.0, 10_000);
    for loan in 0..10 {
        assert_eq!(gate.ask(loan * 7, &format!("b{}", loan + 2), 5.0, 100), "own 0, 5 from a");
    }
    assert!(gate.ask(65, "a1", 50.0, 100).starts_with("guarantee_on_loan, retry in 98"));
    for loan in 0..10 {
        gate.release(loan * 7 + 100, &format!("b{}", loan + 2));
        assert!(gate.ask(loan * 7 + 100, "b1", 5.0, 1).starts_with("no_lendable_capacity"));
    }
    assert_eq!(gate.ask(163, "a1", 50.0, 100), "own 50");
}

#[test]
fn asking_for_a_little_keeps_the_whole_guarantee_from_being_lent() {
    let mut gate = even_split();
    assert_eq!(gate.ask(0, "a1", 1.0, 1), "own 1");
    gate.release(1, "a1");
    assert_eq!(gate.ask(2, "b1", 51.0, 100), "no_lendable_capacity");
    assert_eq!(gate.ask(2, "a1", 50.0, 100), "own 50");
}

#[test]
fn while_one_tenant_reclaims_the_borrower_may_still_borrow_from_another() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "c1", 30.0, 10_000);
    assert_eq!(gate.ask(0, "c2", 30.0, 100), "own 0, 30 from a");
    let long = gate.ask(10, "a1", 30.0, 101);
    assert_eq!(long, "guarantee_on_loan, retry in 90, behind c2");
    assert_eq!(gate.ask(20, "c3", 30.0, 100), "own 0, 30 from b");
    gate.release(100, "c2");
    assert_eq!(gate.ask(100, "a1", 30.0, 100), "own 30");
}
