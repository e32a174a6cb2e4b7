//! Asking counts, even when the answer is no: what is activity, and for how long it protects.

use crate::engine::judge::scene::{Scene, even_split};

/// Whether b could borrow all of a's half at `now`.
fn a_lends(gate: &Scene, now: i64) -> bool {
    gate.tenant(now, "a").idle
}

#[test]
fn a_fresh_start_lends_nothing_before_everybody_has_been_quiet() {
    let settings = crate::engine::judge::scene::settings(100.0, &[("a", 1.0), ("b", 1.0)]);
    let mut gate = Scene::of(fairgate::engine::Settings { started_at: 0, ..settings });
    assert_eq!(gate.ask(999, "b1", 51.0, 100), "no_lendable_capacity");
    assert_eq!(gate.ask(1_000, "b1", 51.0, 100), "own 50, 1 from a");
}

#[test]
fn a_refused_ask_makes_a_tenant_present() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    gate.ask(10, "a1", 50.0, 100);
    assert!(!a_lends(&gate, 1_009));
    assert!(a_lends(&gate, 1_010));
}

#[test]
fn a_grant_makes_a_tenant_present_for_as_long_as_it_holds() {
    let mut gate = even_split();
    gate.ask(0, "a1", 10.0, 100);
    assert!(!a_lends(&gate, 50_000));
}

#[test]
fn quiet_is_measured_from_the_release_and_not_from_the_ask() {
    let mut gate = even_split();
    gate.ask(0, "a1", 10.0, 5_000);
    gate.release(5_000, "a1");
    assert_eq!(gate.ask(5_999, "b1", 100.0, 100), "no_lendable_capacity");
    assert_eq!(gate.ask(6_000, "b1", 100.0, 100), "own 50, 50 from a");
}

#[test]
fn the_release_of_one_lease_of_two_leaves_the_tenant_present() {
    let mut gate = even_split();
    gate.ask(0, "a1", 10.0, 100);
    gate.ask(0, "a2", 10.0, 100);
    gate.release(50, "a1");
    assert!(!a_lends(&gate, 20_000));
    gate.release(20_000, "a2");
    assert!(!a_lends(&gate, 20_999));
    assert!(a_lends(&gate, 21_000));
}

#[test]
fn a_second_release_is_no_activity() {
    let mut gate = even_split();
    gate.ask(0, "a1", 10.0, 100);
    assert_eq!(gate.release(50, "a1"), "held 50");
    assert_eq!(gate.release(900, "a1"), "not held");
    assert!(a_lends(&gate, 1_050));
}

#[test]
fn asking_for_more_than_the_ceiling_is_activity_though_it_is_no_demand() {
    let mut gate = even_split();
    assert_eq!(gate.ask(0, "a1", 101.0, 100), "cost_exceeds_ceiling, for good");
    assert!(!a_lends(&gate, 999));
    assert_eq!(gate.waits(0, "a"), "wants nothing, deficit 0, worst 0");
}

#[test]
fn a_request_error_is_no_activity_and_moves_no_clock() {
    let mut gate = even_split();
    assert_eq!(gate.ask(0, "a1", f64::NAN, 100), "invalid: invalid_cost");
    assert_eq!(gate.ask(0, "a1", 1.0, 0), "invalid: invalid_hold");
    assert!(a_lends(&gate, 0));
    assert_eq!(gate.engine.now(), -1_000_000);
}

#[test]
fn each_ask_renews_the_protection() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    for now in [0, 900, 1_800, 2_700] {
        assert!(gate.ask(now, "a1", 50.0, 100).starts_with("guarantee_on_loan"));
    }
    assert!(!a_lends(&gate, 3_699));
    assert!(a_lends(&gate, 3_700));
}

#[test]
fn a_tenant_that_asked_once_and_left_is_lent_from_again() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    gate.ask(10, "a1", 50.0, 100);
    gate.release(100, "b1");
    assert_eq!(gate.ask(1_010, "b2", 100.0, 100), "own 50, 50 from a");
}

#[test]
fn a_clock_that_went_back_counts_as_standing_still() {
    let mut gate = even_split();
    gate.ask(500, "a1", 10.0, 100);
    assert_eq!(gate.release(-5_000, "a1"), "held 0");
    assert!(!a_lends(&gate, 1_499));
    assert!(a_lends(&gate, 1_500));
    assert_eq!(gate.ask(0, "b1", 10.0, 100), "own 10");
    assert_eq!(gate.engine.lease(gate.lease_id("b1")).unwrap().deadline, 600);
}

#[test]
fn borrowing_is_activity_of_the_borrower_and_lending_is_none_of_the_lender() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    gate.release(100, "b1");
    assert!(a_lends(&gate, 100));
    assert_eq!(gate.ask(100, "a1", 60.0, 100), "no_lendable_capacity");
}
