//! When to come back, and behind whom: exact where holders keep their word.

use crate::engine::judge::scene::{Scene, even_split, shared_by};

#[test]
fn own_units_in_use_by_others_are_waited_for_by_deadline_and_then_by_grant() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "c1", 91.0, 1);
    gate.ask(0, "b1", 35.0, 90);
    gate.ask(0, "b2", 5.0, 80);
    gate.ask(0, "c1", 45.0, 80);
    assert_eq!(gate.ask(10, "a1", 6.0, 10), "guarantee_on_loan, retry in 70, behind b2");
    assert_eq!(gate.ask(10, "a1", 15.0, 10), "guarantee_on_loan, retry in 70, behind b2 c1");
    assert_eq!(gate.ask(10, "a1", 30.0, 10), "guarantee_on_loan, retry in 80, behind b2 c1 b1");
}

#[test]
fn own_leases_count_where_they_use_the_guarantee_that_is_asked_for() {
    let mut gate = even_split();
    gate.ask(0, "a1", 40.0, 5_000);
    let longer = gate.ask(0, "a2", 20.0, 5_000);
    assert_eq!(longer, "hold_exceeds_reclaim_horizon, retry in 5000, behind a1");
}

#[test]
fn loans_on_idle_lenders_count_where_the_request_must_borrow() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "b1", 50.0, 60);
    gate.ask(0, "c1", 30.0, 500);
    let more = gate.ask(10, "c2", 20.0, 100);
    assert_eq!(more, "no_lendable_capacity, retry in 50, behind b1");
}

#[test]
fn loans_on_lenders_that_came_back_do_not_count() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "b1", 50.0, 60);
    gate.ask(0, "c1", 30.0, 500);
    gate.ask(5, "a1", 91.0, 100);
    assert_eq!(gate.ask(10, "c2", 20.0, 100), "no_lendable_capacity, retry in 490, behind c1");
}

#[test]
fn one_lease_frees_its_own_part_and_its_loans_together() {
    let mut gate = shared_by(90.0, "abc");
    assert_eq!(gate.ask(0, "c1", 90.0, 100), "own 30, 30 from a, 30 from b");
    assert_eq!(gate.ask(0, "c2", 90.0, 100), "no_lendable_capacity, retry in 100, behind c1");
}

#[test]
fn others_own_leases_promise_nothing_to_a_request_that_must_borrow() {
    let mut gate = even_split();
    gate.ask(0, "a1", 50.0, 100);
    assert_eq!(gate.ask(0, "b1", 60.0, 100), "no_lendable_capacity");
}

#[test]
fn the_estimate_is_kept_to_the_millisecond() {
    let mut gate = even_split();
    gate.ask(0, "b1", 70.0, 80);
    gate.ask(3, "b2", 30.0, 100);
    assert_eq!(gate.ask(10, "a1", 50.0, 1_000), "guarantee_on_loan, retry in 93, behind b1 b2");
    gate.release(80, "b1");
    assert!(gate.ask(102, "a1", 50.0, 1_000).starts_with("guarantee_on_loan"));
    gate.release(103, "b2");
    assert_eq!(gate.ask(103, "a1", 50.0, 1_000), "own 50");
}

#[test]
fn what_waiting_cannot_cure_has_no_time_and_no_blockers() {
    let mut gate = even_split();
    gate.ask(0, "a1", 50.0, 9_000);
    assert_eq!(gate.ask(0, "a2", 101.0, 100), "cost_exceeds_ceiling, for good");
    assert_eq!(gate.ask(0, "a2", 51.0, 101), "hold_exceeds_reclaim_horizon, for good");
    assert_eq!(gate.refusal(0, "a2", 51.0, 101).ask_again_within_ms, None);
}

#[test]
fn every_curable_refusal_says_how_soon_to_ask_again_so_as_not_to_lapse() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    let within_ms = gate.refusal(0, "a1", 50.0, 100).ask_again_within_ms.unwrap();
    assert!((1..1_000).contains(&within_ms), "{within_ms}");
    assert!(!gate.tenant(within_ms, "a").idle);
    assert!(gate.waits(within_ms, "a").starts_with("wants 50"));
}

#[test]
fn a_long_list_of_blockers_is_cut_and_counted_in_full() {
    let borrowers = |mut gate: Scene| {
        for loan in 1..=20 {
            gate.ask(0, &format!("b{loan}"), 5.0, 100);
        }
        let refusal = gate.refusal(0, "a1", 50.0, 100);
        (refusal.blocking.len(), refusal.blocking_total, refusal.retry_after_ms)
    };
    assert_eq!(borrowers(even_split()), (10, 10, Some(100)));
    let cut = |most| {
        let mut gate = even_split();
        gate.engine = gate.engine.listing_blocking(most);
        borrowers(gate)
    };
    assert_eq!(cut(3), (3, 10, Some(100)));
    assert_eq!(cut(0), (0, 10, Some(100)));
}

#[test]
fn sixteen_blockers_are_listed_unless_told_otherwise() {
    let mut gate = even_split();
    gate.ask(0, "b1", 50.0, 1_000);
    for loan in 2..=41 {
        gate.ask(0, &format!("b{loan}"), 1.25, 100);
    }
    let refusal = gate.refusal(0, "a1", 50.0, 100);
    assert_eq!((refusal.blocking.len(), refusal.blocking_total), (16, 40));
}

#[test]
fn an_estimate_for_ones_own_units_does_not_count_on_borrowing_meanwhile() {
    let mut gate = shared_by(100.0, "abcd");
    assert_eq!(gate.ask(0, "b1", 50.0, 100), "own 25, 25 from a");
    assert_eq!(gate.ask(0, "d1", 35.0, 50), "own 25, 10 from c");
    assert_eq!(gate.ask(10, "a1", 25.0, 20), "guarantee_on_loan, retry in 90, behind b1");
    gate.release(50, "d1");
    assert_eq!(gate.ask(50, "a1", 25.0, 20), "own 0, 25 from c");
}
