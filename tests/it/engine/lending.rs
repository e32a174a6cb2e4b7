//! Who lends, how much, and to whom it is written down.

use fairgate::engine::Reason;

use super::story::{Story, settings};

#[test]
fn own_units_are_taken_before_others() {
    let mut story = Story::two();
    let lease = story.grant(0, "b", 60.0, 100);
    assert_eq!(lease.own, 50.0);
    assert_eq!(story.loans(&lease), [("a", 10.0)]);
}

#[test]
fn the_largest_lender_funds_the_whole_loan() {
    let weights = [("a", 1.0), ("b", 1.0), ("c", 2.0), ("d", 1.0)];
    let mut story = Story::new(settings(&weights));
    let lease = story.grant(0, "d", 55.0, 100);
    assert_eq!(story.loans(&lease), [("c", 35.0)]);
    // The smaller ones were not touched, and get theirs at once.
    story.grant(5, "a", 20.0, 300);
    story.grant(5, "b", 20.0, 300);
    assert_eq!(story.refused(5, "c", 40.0, 100), Reason::GuaranteeOnLoan);
}

#[test]
fn each_lender_is_drawn_on_wholly_before_the_next() {
    let weights = [("a", 1.0), ("b", 3.0), ("c", 4.0), ("d", 2.0)];
    let mut story = Story::new(settings(&weights));
    let lease = story.grant(0, "d", 95.0, 100);
    assert_eq!(story.loans(&lease), [("c", 40.0), ("b", 30.0), ("a", 5.0)]);
}

#[test]
fn equal_lenders_are_drawn_on_in_the_order_of_the_configuration() {
    let weights = [("d", 1.0), ("c", 1.0), ("b", 1.0), ("a", 1.0)];
    let mut story = Story::new(settings(&weights));
    let lease = story.grant(0, "a", 60.0, 100);
    assert_eq!(story.loans(&lease), [("d", 25.0), ("c", 10.0)]);
}

#[test]
fn lenders_within_a_billionth_of_each_other_count_as_equal() {
    let weights = [("a", 1.0), ("b", 1.0 + 1e-12), ("c", 1.0)];
    let mut story = Story::new(settings(&weights));
    let lease = story.grant(0, "c", 40.0, 100);
    assert_eq!(story.loans(&lease)[0].0, "a", "b's offer is larger by less than the tolerance");
}

#[test]
fn what_is_left_of_a_lender_decides_the_next_time() {
    let weights = [("a", 4.0), ("b", 3.0), ("c", 3.0)];
    let mut story = Story::new(settings(&weights));
    let first = story.grant(0, "c", 50.0, 100);
    assert_eq!(story.loans(&first), [("a", 20.0)]);
    let second = story.grant(0, "c", 10.0, 100);
    assert_eq!(story.loans(&second), [("b", 10.0)]);
    assert_eq!(story.stats(0, "a").lent, 20.0);
}

#[test]
fn units_go_back_to_the_lender_they_came_from() {
    let weights = [("a", 4.0), ("b", 3.0), ("c", 3.0)];
    let mut story = Story::new(settings(&weights));
    let lease = story.grant(0, "c", 80.0, 100);
    assert_eq!((story.stats(0, "a").lent, story.stats(0, "b").lent), (40.0, 10.0));
    story.release(50, &lease);
    for tenant in ["a", "b", "c"] {
        let stats = story.stats(50, tenant);
        assert_eq!((stats.lent, stats.held, stats.borrowed, stats.own_used), (0.0, 0.0, 0.0, 0.0));
    }
}

#[test]
fn a_grant_is_all_or_nothing() {
    let mut story = Story::two();
    story.grant(0, "a", 20.0, 1_000);
    assert_eq!(story.refused(0, "b", 60.0, 100), Reason::NoLendableCapacity);
    assert_eq!(story.stats(0, "b").held, 0.0);
    story.grant(0, "b", 50.0, 100);
}

#[test]
fn a_tenant_that_holds_something_lends_nothing_however_quiet_it_is() {
    let mut story = Story::two();
    let call = story.grant(0, "a", 1.0, 100_000);
    assert_eq!(story.refused(50_000, "b", 60.0, 100), Reason::NoLendableCapacity);
    story.release(60_000, &call);
    assert_eq!(story.refused(60_199, "b", 60.0, 100), Reason::NoLendableCapacity);
    story.grant(60_200, "b", 60.0, 100);
}

#[test]
fn idleness_is_measured_from_the_release_not_from_the_acquire() {
    let mut story = Story::two();
    let call = story.grant(0, "a", 10.0, 1_000);
    story.release(1_000, &call);
    assert_eq!(story.refused(1_001, "b", 60.0, 100), Reason::NoLendableCapacity);
    assert!(!story.stats(1_199, "a").idle && story.stats(1_200, "a").idle);
}

#[test]
fn the_end_of_one_of_two_leases_leaves_no_idle_tenant() {
    let mut story = Story::two();
    let first = story.grant(0, "a", 10.0, 1_000);
    story.grant(0, "a", 10.0, 1_000);
    story.release(10, &first);
    assert!(!story.stats(10_000, "a").idle);
}

#[test]
fn a_refused_request_counts_as_activity_whatever_the_reason() {
    for (cost, hold_ms) in [(1_000.0, 100), (60.0, 10_000), (100.0, 100)] {
        let mut story = Story::two();
        story.grant(0, "b", 50.0, 1_000);
        story.refused(150, "a", cost, hold_ms);
        assert_eq!(story.refused(349, "b", 10.0, 100), Reason::NoLendableCapacity, "{cost}");
        story.grant(350, "b", 10.0, 100);
    }
}

#[test]
fn a_request_that_cannot_be_asked_is_no_activity() {
    let mut story = Story::two();
    let bad = fairgate::engine::Acquire { tenant: "a", cost: -1.0, hold_ms: 10 };
    assert!(story.engine.acquire(100, bad).is_err());
    assert!(story.stats(100, "a").idle);
    assert_eq!(story.engine.now(), -1_000, "not even the time moved");
}

#[test]
fn a_lender_that_comes_back_uses_what_it_did_not_lend() {
    let mut story = Story::two();
    story.grant(0, "b", 70.0, 100);
    assert_eq!(story.refused(10, "a", 50.0, 100), Reason::GuaranteeOnLoan);
    story.grant(10, "a", 30.0, 100);
    let stats = story.stats(10, "a");
    assert_eq!((stats.own_used, stats.lent, stats.free), (30.0, 20.0, 0.0));
}

#[test]
fn a_returning_tenant_may_borrow_from_third_parties_meanwhile() {
    let weights = [("a", 2.0), ("b", 1.0), ("c", 2.0)];
    let mut story = Story::new(settings(&weights));
    let loan = story.grant(0, "b", 60.0, 100);
    assert_eq!(story.loans(&loan), [("a", 40.0)]);
    let bridge = story.grant(10, "a", 40.0, 90);
    assert_eq!((bridge.own, story.loans(&bridge)), (0.0, vec![("c", 40.0)]));
}

#[test]
fn a_single_tenant_has_it_all() {
    let mut story = Story::new(settings(&[("only", 5.0)]));
    story.grant(0, "only", 100.0, 1_000_000);
    assert_eq!(story.refused(1, "only", 1.0, 10), Reason::NoLendableCapacity);
}

#[test]
fn many_equal_lenders_fund_one_loan_each_in_turn() {
    let names: Vec<String> = (0..100).map(|n| format!("t{n}")).collect();
    let weights: Vec<_> = names.iter().map(|name| (name.as_str(), 1.0)).collect();
    let mut story = Story::new(settings(&weights));
    let lease = story.grant(0, "t99", 100.0, 100);
    let lenders: Vec<_> = story.loans(&lease).into_iter().map(|loan| loan.0).collect();
    assert_eq!(lenders, &names.iter().map(String::as_str).collect::<Vec<_>>()[..99]);
}
