//! When a refused request will fit, and which leases stand before it.

use super::story::{Story, settings};

fn ids(refusal: &fairgate::engine::Refusal) -> Vec<u64> {
    refusal.blocking.iter().map(|held| held.lease.seq).collect()
}

#[test]
fn only_as_many_leases_are_named_as_are_needed() {
    let mut story = Story::two();
    for hold_ms in [300, 100, 200] {
        story.grant(0, "a", 15.0, hold_ms);
    }
    let refusal = story.refuse(0, "a", 20.0, 1_000);
    assert_eq!((refusal.retry_after_ms, ids(&refusal)), (Some(100), vec![2]));
    let refusal = story.refuse(0, "a", 30.0, 1_000);
    assert_eq!((refusal.retry_after_ms, ids(&refusal)), (Some(200), vec![2, 3]));
}

#[test]
fn leases_with_one_deadline_are_counted_in_the_order_of_their_grants() {
    let mut story = Story::two();
    for _ in 0..5 {
        story.grant(0, "a", 10.0, 100);
    }
    let refusal = story.refuse(0, "a", 30.0, 1_000);
    assert_eq!((refusal.retry_after_ms, ids(&refusal)), (Some(100), vec![1, 2, 3]));
}

#[test]
fn others_own_leases_do_not_count() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 10);
    story.grant(0, "a", 50.0, 100);
    let refusal = story.refuse(0, "a", 10.0, 50);
    assert_eq!((refusal.retry_after_ms, ids(&refusal)), (Some(100), vec![2]));
}

#[test]
fn loans_on_idle_lenders_count_where_capacity_is_lacking() {
    let mut story = Story::new(settings(&[("a", 1.0), ("b", 1.0), ("c", 2.0)]));
    let loan = story.grant(0, "b", 75.0, 60);
    assert_eq!(story.loans(&loan), [("c", 50.0)]);
    // a could use c's units once b gives them back.
    let refusal = story.refuse(10, "a", 40.0, 100);
    assert_eq!(refusal.reason.code(), "no_lendable_capacity");
    assert_eq!((refusal.retry_after_ms, ids(&refusal)), (Some(50), vec![1]));
    assert_eq!(refusal.blocking[0].units, 50.0);
    story.release(60, &loan);
    story.grant(60, "a", 40.0, 100);
}

#[test]
fn loans_on_lenders_that_came_back_do_not_count() {
    let mut story = Story::new(settings(&[("a", 1.0), ("b", 1.0), ("c", 2.0)]));
    story.grant(0, "b", 75.0, 60);
    story.refuse(5, "c", 50.0, 10);
    let refusal = story.refuse(10, "a", 40.0, 100);
    assert_eq!((refusal.retry_after_ms, refusal.blocking_total), (None, 0));
}

#[test]
fn a_lease_that_helps_in_two_ways_is_named_once_with_both_parts() {
    let mut story = Story::two();
    let both = story.grant(0, "a", 80.0, 90);
    let refusal = story.refuse(10, "a", 90.0, 100);
    assert_eq!(ids(&refusal), [both.id.seq]);
    assert_eq!(refusal.blocking[0].units, 80.0);
    assert_eq!(refusal.retry_after_ms, Some(80));
}

#[test]
fn a_list_is_cut_where_it_was_told_to_be_and_the_number_stays_exact() {
    let mut story = Story::two();
    for _ in 0..40 {
        story.grant(0, "a", 1.25, 100);
    }
    let refusal = story.refuse(0, "a", 50.0, 1_000);
    assert_eq!((refusal.blocking.len(), refusal.blocking_total), (16, 40));
    assert_eq!(refusal.retry_after_ms, Some(100));
    let mut all = Story { engine: story.engine.listing_blocking(usize::MAX) };
    assert_eq!(all.refuse(0, "a", 50.0, 1_000).blocking.len(), 40);
}

#[test]
fn a_hold_beyond_the_horizon_is_told_when_it_fits_into_its_own_guarantee() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 300);
    let refusal = story.refuse(0, "b", 50.0, 1_000);
    assert_eq!((refusal.curable, refusal.retry_after_ms), (true, Some(300)));
    let refusal = story.refuse(0, "b", 51.0, 1_000);
    assert_eq!((refusal.curable, refusal.retry_after_ms), (false, None));
    assert_eq!((refusal.blocking_total, refusal.ask_again_within_ms), (0, None));
}

#[test]
fn a_curable_refusal_says_for_how_long_the_place_is_kept() {
    let mut story = Story::two();
    story.grant(0, "b", 100.0, 100);
    let within_ms = story.refuse(0, "a", 50.0, 10).ask_again_within_ms.unwrap();
    assert!(within_ms > 0 && within_ms < 200);
    assert_eq!(story.stats(within_ms, "a").want, Some(50.0));
}

#[test]
fn many_lenders_are_merged_in_the_order_of_their_deadlines() {
    let names: Vec<String> = (0..20).map(|n| format!("t{n}")).collect();
    let weights: Vec<_> = names.iter().map(|name| (name.as_str(), 1.0)).collect();
    let mut story = Story::new(settings(&weights));
    // t19 borrows everybody's 5 units, one lender per lease, in a scrambled order of deadlines.
    story.grant(0, "t19", 5.0, 1_000);
    for n in 0..18_i64 {
        story.grant(0, "t19", 5.0, 10 + n * 7 % 18);
    }
    let refusal = story.refuse(0, "t18", 30.0, 10);
    let deadlines: Vec<_> = refusal.blocking.iter().map(|held| held.deadline).collect();
    assert_eq!(deadlines, [10, 11, 12, 13, 14]);
    assert_eq!(refusal.retry_after_ms, Some(14));
}
