//! Wants, deficits and reclaims.

use super::story::{Story, settings};

/// b holds everything until 100: its own half for longer, a's half in one loan.
fn all_lent() -> (Story, fairgate::engine::Lease) {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 1_000);
    let loan = story.grant(0, "b", 50.0, 100);
    (story, loan)
}

#[test]
fn the_deficit_is_what_the_average_does_not_show() {
    let (mut story, loan) = all_lent();
    story.refuse(10, "a", 50.0, 100);
    story.release(100, &loan);
    let first = story.grant(100, "a", 50.0, 100);
    story.release(200, &first);
    story.grant(200, "a", 50.0, 100);
    let fairness = story.engine.fairness();
    assert_eq!(fairness.cost_share, [0.5, 0.5]);
    assert_eq!(fairness.request_share, [0.5, 0.5]);
    assert_eq!((fairness.cost_skew, fairness.request_skew), (Some(1.0), Some(1.0)));
    assert_eq!(story.stats(200, "a").deficit_unit_ms, 4_500.0);
    assert_eq!(story.stats(200, "b").deficit_unit_ms, 0.0);
    assert_eq!(story.stats(200, "a").worst_reclaim_ms, 90);
}

#[test]
fn a_want_is_the_largest_refused_charge_not_the_sum() {
    let (mut story, _loan) = all_lent();
    for (now, cost) in [(10, 10.0), (20, 30.0), (30, 20.0)] {
        story.refuse(now, "a", cost, 100);
    }
    assert_eq!(story.stats(30, "a").want, Some(30.0));
}

#[test]
fn retrying_often_inflates_nothing() {
    let deficit = |asks: &[i64]| {
        let (mut story, loan) = all_lent();
        for &now in asks {
            story.refuse(now, "a", 50.0, 100);
        }
        story.release(100, &loan);
        story.grant(100, "a", 50.0, 100);
        story.stats(100, "a").deficit_unit_ms
    };
    assert_eq!(deficit(&[10]), 4_500.0);
    assert_eq!(deficit(&[10, 11, 12, 20, 30, 40, 50, 60, 70, 80, 90]), 4_500.0);
}

#[test]
fn a_lapsed_want_cuts_its_deficit_where_it_lapsed() {
    let (mut story, _overrun) = all_lent();
    story.refuse(10, "a", 50.0, 100);
    assert_eq!(story.stats(209, "a").deficit_unit_ms, 199.0 * 50.0);
    for now in [210, 211, 1_000_000] {
        assert_eq!(story.stats(now, "a").deficit_unit_ms, 200.0 * 50.0);
        assert_eq!(story.stats(now, "a").waiting_ms, None);
    }
    story.refuse(5_000, "a", 50.0, 100);
    assert_eq!(story.stats(5_010, "a").deficit_unit_ms, 200.0 * 50.0 + 500.0);
}

#[test]
fn a_wait_that_was_given_up_is_not_counted_among_reclaims() {
    let (mut story, loan) = all_lent();
    story.refuse(10, "a", 50.0, 100);
    story.release(300, &loan);
    story.grant(300, "a", 50.0, 100);
    assert_eq!(story.stats(300, "a").worst_reclaim_ms, 0);
}

#[test]
fn the_deficit_ends_when_the_units_are_home_not_when_they_are_asked_for_again() {
    let (mut story, loan) = all_lent();
    story.refuse(10, "a", 50.0, 100);
    story.release(100, &loan);
    story.grant(150, "a", 50.0, 100);
    assert_eq!(story.stats(150, "a").deficit_unit_ms, 4_500.0);
    assert_eq!(story.stats(150, "a").worst_reclaim_ms, 140, "the late retry is the client's own");
}

#[test]
fn asking_beyond_the_guarantee_is_no_deficit() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 1_000);
    story.grant(0, "a", 50.0, 1_000);
    story.refuse(0, "a", 50.0, 100);
    let stats = story.stats(100, "a");
    assert_eq!((stats.want, stats.deficit_unit_ms), (Some(50.0), 0.0));
}

#[test]
fn the_gap_is_only_what_the_tenant_is_entitled_to() {
    let (mut story, _loan) = all_lent();
    // It wants 80, but its share is 50.
    story.refuse(10, "a", 80.0, 100);
    assert_eq!(story.stats(20, "a").deficit_unit_ms, 500.0);
}

#[test]
fn what_is_held_meanwhile_narrows_the_gap() {
    let mut story = Story::two();
    story.grant(0, "b", 80.0, 100);
    story.refuse(10, "a", 50.0, 100);
    story.grant(20, "a", 20.0, 100);
    assert_eq!(story.stats(30, "a").deficit_unit_ms, 10.0 * 50.0 + 10.0 * 30.0);
}

#[test]
fn a_smaller_grant_leaves_the_want_and_the_reclaim_as_they_are() {
    let mut story = Story::two();
    story.grant(0, "b", 80.0, 100);
    story.refuse(10, "a", 50.0, 100);
    story.grant(20, "a", 20.0, 100);
    let stats = story.stats(30, "a");
    assert_eq!((stats.want, stats.waiting_ms, stats.worst_reclaim_ms), (Some(50.0), Some(20), 0));
}

#[test]
fn a_grant_that_brings_the_share_ends_want_and_reclaim() {
    let mut story = Story::two();
    let loan = story.grant(0, "b", 80.0, 100);
    story.refuse(10, "a", 50.0, 100);
    story.grant(20, "a", 20.0, 100);
    story.release(60, &loan);
    story.grant(60, "a", 30.0, 100);
    let stats = story.stats(60, "a");
    assert_eq!((stats.want, stats.waiting_ms, stats.worst_reclaim_ms), (None, None, 50));
}

#[test]
fn a_grant_as_large_as_the_reclaim_ends_it_though_a_larger_want_goes_on() {
    let (mut story, loan) = all_lent();
    story.refuse(10, "a", 30.0, 100);
    story.refuse(20, "a", 90.0, 100);
    story.release(60, &loan);
    story.grant(60, "a", 30.0, 100);
    let stats = story.stats(60, "a");
    assert_eq!((stats.want, stats.waiting_ms, stats.worst_reclaim_ms), (Some(90.0), None, 50));
}

#[test]
fn a_reclaim_remembers_the_largest_charge_that_was_so_refused() {
    let (mut story, loan) = all_lent();
    story.refuse(10, "a", 30.0, 100);
    story.refuse(20, "a", 45.0, 100);
    story.release(60, &loan);
    story.grant(60, "a", 30.0, 100);
    assert_eq!(story.stats(60, "a").waiting_ms, Some(50), "30 is less than the 45 it waits for");
    story.grant(70, "a", 20.0, 100);
    assert_eq!(story.stats(70, "a").worst_reclaim_ms, 60);
}

#[test]
fn only_being_owed_units_that_are_lent_begins_a_reclaim() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 1_000);
    story.grant(0, "a", 50.0, 1_000);
    story.refuse(10, "a", 10.0, 100);
    assert_eq!(story.stats(50, "a").waiting_ms, None);
}

#[test]
fn the_longest_reclaim_is_kept() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 10_000);
    for (start, waited) in [(0, 90), (1_000, 30), (2_000, 60)] {
        let loan = story.grant(start, "b", 50.0, 100);
        story.refuse(start + 100 - waited, "a", 50.0, 10);
        story.release(start + 100, &loan);
        let lease = story.grant(start + 100, "a", 50.0, 10);
        story.release(start + 110, &lease);
    }
    assert_eq!(story.stats(3_000, "a").worst_reclaim_ms, 90);
}

#[test]
fn what_can_never_be_granted_states_no_want() {
    let mut story = Story::two();
    story.refuse(0, "a", 101.0, 10);
    story.refuse(0, "a", 60.0, 101);
    assert_eq!(story.stats(0, "a").want, None);
    assert_eq!(story.stats(0, "a").refused.iter().sum::<u64>(), 2);
}

#[test]
fn borrowed_and_lent_time_add_up() {
    let mut story = Story::new(settings(&[("a", 1.0), ("b", 1.0), ("c", 2.0)]));
    let loan = story.grant(0, "b", 65.0, 100);
    story.release(80, &loan);
    assert_eq!(story.stats(500, "b").borrowed_unit_ms, 40.0 * 80.0);
    assert_eq!(story.stats(500, "c").lent_unit_ms, 40.0 * 80.0);
    assert_eq!(story.stats(500, "a").lent_unit_ms, 0.0);
}

#[test]
fn a_grant_that_ends_a_reclaim_says_how_long_it_took() {
    let (mut story, loan) = all_lent();
    story.refuse(10, "a", 50.0, 100);
    story.release(100, &loan);
    let fairgate::engine::Decision::Granted(granted) = story.decide(100, "a", 50.0, 10) else {
        panic!("refused")
    };
    assert_eq!(granted.reclaimed_after_ms, Some(90));
}
