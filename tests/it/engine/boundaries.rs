//! Exactly at an instant, and one millisecond to either side.

use fairgate::engine::{Config, ConfigError, Reason};

use super::story::{Story, settings};

#[test]
fn a_hold_of_the_horizon_borrows_and_one_more_millisecond_does_not() {
    let mut story = Story::two();
    assert_eq!(story.refused(0, "b", 60.0, 101), Reason::HoldExceedsReclaimHorizon);
    story.grant(0, "b", 60.0, 100);
}

#[test]
fn a_tenant_lends_exactly_at_idle_after_and_not_a_millisecond_before() {
    for (now, lends) in [(199, false), (200, true), (201, true)] {
        let mut story = Story::new(super::story::settings(&[("a", 1.0), ("b", 1.0)]));
        let lease = story.grant(-500, "a", 1.0, 1);
        story.release(0, &lease);
        let decision = story.decide(now, "b", 60.0, 100);
        assert_eq!(matches!(decision, fairgate::engine::Decision::Granted(_)), lends, "at {now}");
    }
}

#[test]
fn a_fresh_start_lends_nothing_before_idle_after() {
    let mut fresh = settings(&[("a", 1.0), ("b", 1.0)]);
    fresh.started_at = 1_000;
    let mut story = Story::new(fresh.clone());
    assert_eq!(story.refused(1_199, "b", 60.0, 100), Reason::NoLendableCapacity);
    story.grant(1_200, "b", 60.0, 100);
}

#[test]
fn at_its_deadline_a_lease_is_not_overrun_and_a_millisecond_later_it_is() {
    let mut story = Story::two();
    let lease = story.grant(0, "a", 50.0, 100);
    assert!(!lease.is_overrun(100) && lease.is_overrun(101));
    assert!(story.engine.stats(100).overrun.is_empty());
    assert_eq!(story.engine.stats(101).overrun[0].lease, lease.id);
    assert_eq!(story.release(101, &lease).overran_ms, 1);
}

#[test]
fn at_a_deadline_the_estimate_is_now_and_a_millisecond_later_there_is_none() {
    for (now, expected) in [(99, Some(1)), (100, Some(0)), (101, None)] {
        let mut story = Story::two();
        story.grant(0, "b", 100.0, 100);
        assert_eq!(story.refuse(now, "a", 50.0, 10).retry_after_ms, expected, "at {now}");
    }
}

#[test]
fn a_want_lapses_exactly_at_idle_after() {
    let mut story = Story::two();
    story.grant(0, "b", 100.0, 100);
    story.refuse(10, "a", 50.0, 10);
    assert_eq!(story.stats(209, "a").want, Some(50.0));
    assert_eq!(story.stats(210, "a").want, None);
}

#[test]
fn asking_at_the_instant_of_the_lapse_begins_a_new_wait() {
    let mut story = Story::two();
    story.grant(0, "b", 100.0, 100);
    story.refuse(10, "a", 50.0, 10);
    story.refuse(210, "a", 50.0, 10);
    assert_eq!(story.stats(215, "a").waiting_ms, Some(5));
}

#[test]
fn idle_after_must_exceed_the_horizon_strictly() {
    let mut equal = settings(&[("a", 1.0)]);
    equal.idle_after_ms = equal.reclaim_horizon_ms;
    let errors = Config::new(equal.clone()).unwrap_err();
    assert_eq!(
        errors,
        [ConfigError::IdleAfterNotAboveHorizon { idle_after_ms: 100, reclaim_horizon_ms: 100 }]
    );
    equal.idle_after_ms += 1;
    assert!(Config::new(equal).is_ok());
}

#[test]
fn with_idle_after_one_above_the_horizon_the_freeze_still_holds_when_the_loan_ends() {
    let mut tight = settings(&[("a", 1.0), ("b", 1.0)]);
    tight.idle_after_ms = 101;
    let mut story = Story::new(tight);
    story.grant(0, "b", 50.0, 1_000);
    let loan = story.grant(10, "b", 50.0, 100);
    story.refuse(10, "a", 50.0, 100);
    story.release(110, &loan);
    assert_eq!(story.refused(110, "b", 50.0, 100), Reason::NoLendableCapacity);
    story.grant(110, "a", 50.0, 100);
}

#[test]
fn the_ceiling_itself_may_be_asked_for_and_no_more() {
    let mut story = Story::two();
    assert_eq!(story.refused(0, "b", 100.1, 100), Reason::CostExceedsCeiling);
    story.grant(0, "b", 100.0, 100);
}

#[test]
fn at_the_end_of_time_nobody_is_idle_too_soon() {
    let mut story = Story::two();
    let lease = story.grant(i64::MAX - 1, "a", 10.0, 1);
    story.release(i64::MAX, &lease);
    assert!(!story.stats(i64::MAX, "a").idle);
    story.grant(i64::MAX, "b", 50.0, 100);
    story.refuse(i64::MAX, "b", 10.0, 100);
    assert_eq!(story.stats(i64::MAX, "b").want, Some(10.0));
}

#[test]
fn a_now_in_the_past_counts_as_the_latest_one() {
    let mut story = Story::two();
    let lease = story.grant(50, "a", 10.0, 100);
    let late = story.grant(20, "a", 10.0, 100);
    assert_eq!((late.granted_at, late.deadline), (50, 150));
    assert_eq!(story.release(0, &lease).held_ms, 0);
    assert_eq!(story.engine.now(), 50);
    assert_eq!(story.engine.stats(10).now, 50);
}
