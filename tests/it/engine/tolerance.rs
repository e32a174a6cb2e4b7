//! Amounts that are almost, but not quite, what they should be.

use fairgate::engine::Reason;

use super::story::{Story, settings};

fn thirds() -> Story {
    let mut thirds = settings(&[("a", 1.0), ("b", 1.0), ("c", 1.0)]);
    thirds.ceiling = 1.0;
    Story::new(thirds)
}

#[test]
fn a_third_fits_three_times_over() {
    let mut story = thirds();
    for tenant in ["a", "b", "c"] {
        story.grant(0, tenant, 1.0 / 3.0, 1_000);
    }
    assert_eq!(story.refused(0, "a", 1e-8, 1_000), Reason::HoldExceedsReclaimHorizon);
}

#[test]
fn a_charge_over_by_less_than_the_tolerance_fits() {
    let mut story = Story::two();
    story.grant(0, "a", 50.0 + 0.9e-9, 1_000);
    let mut story = Story::two();
    assert_eq!(story.refused(0, "a", 50.0 + 1.1e-9, 1_000), Reason::HoldExceedsReclaimHorizon);
}

#[test]
fn a_crumb_of_free_units_is_not_drawn_on() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0 - 1e-13, 1_000);
    let lease = story.grant(0, "b", 10.0, 100);
    assert_eq!((lease.own, story.loans(&lease)), (0.0, vec![("a", 10.0)]));
}

#[test]
fn a_crumb_of_free_units_is_drawn_on_where_it_is_needed() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0 - 0.8e-9, 100);
    let lease = story.grant(0, "b", 50.0 + 1.7e-9, 100);
    assert!(lease.own > 0.0 && lease.own < 1e-9);
    assert!(story.stats(0, "a").lent <= 50.0 + 1e-9, "no lender gives two tolerances");
}

#[test]
fn three_thirds_can_be_borrowed_at_once() {
    let mut story = thirds();
    let lease = story.grant(0, "b", 1.0, 100);
    assert_eq!(lease.borrowed.len(), 2);
    assert!((lease.own + lease.borrowed_units() - 1.0).abs() < 1e-12);
    story.release(0, &lease);
    assert_eq!(story.engine.stats(0).held, 0.0);
}

#[test]
fn charges_below_the_tolerance_cannot_creep_past_the_guarantee() {
    let mut story = Story::two();
    story.grant(0, "a", 50.0, 1_000_000);
    story.grant(0, "b", 50.0, 1_000_000);
    let tiny = fairgate::engine::Acquire { tenant: "a", cost: 4e-10, hold_ms: 1_000 };
    let granted = (0..1_000).filter(|_| {
        matches!(story.engine.acquire(0, tiny), Ok(fairgate::engine::Decision::Granted(_)))
    });
    assert_eq!(granted.count(), 2, "as many as fit into one tolerance");
    assert!(story.engine.stats(0).held <= 100.0 + 1e-9);
}

#[test]
fn nor_can_they_be_borrowed_where_nobody_lends() {
    let mut alone = settings(&[("a", 1.0)]);
    alone.ceiling = 1.0;
    let mut story = Story::new(alone);
    let whole = story.grant(0, "a", 1.0 + 0.5e-9, 50);
    let refusal = story.refuse(0, "a", 0.8e-9, 50);
    assert_eq!(refusal.reason, Reason::NoLendableCapacity);
    assert_eq!((refusal.retry_after_ms, refusal.blocking[0].lease), (Some(50), whole.id));
    // Even what would fit into the clipped room waits for its lease.
    let refusal = story.refuse(0, "a", 6e-10, 50);
    assert_eq!((refusal.retry_after_ms, refusal.blocking_total), (Some(50), 1));
}

#[test]
fn under_a_large_ceiling_the_last_lender_takes_what_rounding_leaves() {
    let mut large = settings(&[("a", 0.1), ("b", 0.2), ("c", 0.7), ("d", 0.3)]);
    large.ceiling = 1e12;
    let mut story = Story::new(large);
    let lease = story.grant(0, "a", 1e12, 50);
    assert!((lease.own + lease.borrowed_units() - 1e12).abs() < 1e-3);
    story.release(0, &lease);
    assert_eq!(story.engine.stats(0).held, 0.0);
}

#[test]
fn a_million_changes_leave_no_drift() {
    let mut story = thirds();
    let ask = fairgate::engine::Acquire { tenant: "a", cost: 0.1, hold_ms: 10 };
    story.grant(0, "a", 1.0 / 7.0, 10_000_000);
    for now in 0..100_000 {
        let Ok(fairgate::engine::Decision::Granted(granted)) = story.engine.acquire(now, ask)
        else {
            panic!("refused at {now}")
        };
        story.engine.release(now, granted.lease.id);
    }
    assert_eq!(story.stats(100_000, "a").held, 1.0 / 7.0);
}
