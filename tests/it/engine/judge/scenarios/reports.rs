//! Shares and counters since the start.

use crate::engine::judge::scene::{Scene, even_split, settings};

#[test]
fn before_the_first_grant_shares_are_zero_and_skews_are_unknown() {
    let mut gate = even_split();
    gate.ask(0, "a1", 101.0, 100);
    let told = gate.engine.fairness();
    assert_eq!(format!("{:?}{:?}", told.cost_share, told.request_share), "[0.0, 0.0][0.0, 0.0]");
    assert_eq!((told.cost_skew, told.request_skew), (None, None));
    assert!(!told.units_disagree);
}

#[test]
fn an_average_calls_fair_what_the_deficit_does_not() {
    let mut gate = even_split();
    gate.ask(0, "b1", 50.0, 10_000);
    gate.ask(0, "b2", 50.0, 100);
    gate.ask(10, "a1", 50.0, 100);
    gate.release(100, "b2");
    gate.ask(100, "a1", 50.0, 100);
    gate.release(200, "a1");
    gate.ask(200, "a2", 50.0, 100);
    let told = gate.engine.fairness();
    assert_eq!(format!("{:?}{:?}", told.cost_share, told.request_share), "[0.5, 0.5][0.5, 0.5]");
    assert_eq!(format!("{:?}{:?}", told.cost_skew, told.request_skew), "Some(1.0)Some(1.0)");
    assert_eq!(gate.waits(300, "a"), "wants nothing, deficit 4500, worst 90");
}

#[test]
fn shares_are_measured_against_weights() {
    let mut gate = Scene::of(settings(100.0, &[("a", 3.0), ("b", 1.0)]));
    gate.ask(0, "a1", 50.0, 100);
    gate.ask(0, "b1", 25.0, 100);
    gate.ask(0, "a2", 25.0, 100);
    let told = gate.engine.fairness();
    assert_eq!(format!("{:?}", told.weight_share), "[0.75, 0.25]");
    assert_eq!(format!("{:?}", told.cost_share), "[0.75, 0.25]");
    assert_eq!(format!("{:?}", told.cost_skew), "Some(1.0)");
    let skew = told.request_skew.unwrap();
    assert!((skew - 4.0 / 3.0).abs() < 1e-12, "{skew}");
}

/// The units after a call of `cost` by a and one of 1 by b.
fn after_calls(cost: f64) -> (f64, bool) {
    let mut gate = even_split();
    gate.ask(0, "a1", cost, 100);
    gate.ask(0, "b1", 1.0, 100);
    let told = gate.engine.fairness();
    (told.units_divergence, told.units_disagree)
}

#[test]
fn the_units_disagree_where_a_share_differs_by_more_than_a_twentieth() {
    assert!(!after_calls(1.0).1);
    assert!(!after_calls(1.22).1);
    assert!(after_calls(1.23).1);
}

#[test]
fn the_divergence_is_half_the_sum_of_the_differences() {
    let (divergence, _) = after_calls(9.0);
    assert!((divergence - 0.4).abs() < 1e-12, "{divergence}");
}

#[test]
fn shares_count_what_was_granted_and_not_what_is_held() {
    let mut gate = even_split();
    gate.ask(0, "a1", 30.0, 100);
    gate.release(50, "a1");
    gate.ask(50, "b1", 10.0, 100);
    assert_eq!(format!("{:?}", gate.engine.fairness().cost_share), "[0.75, 0.25]");
}

#[test]
fn refusals_are_counted_by_reason() {
    let mut gate = even_split();
    gate.ask(0, "b1", 60.0, 100);
    gate.ask(0, "a1", 101.0, 100);
    gate.ask(0, "a1", 50.0, 100);
    gate.ask(0, "a1", 50.0, 100);
    gate.ask(0, "a1", 60.0, 101);
    for _ in 0..3 {
        gate.ask(0, "a1", 60.0, 100);
    }
    gate.ask(0, "a1", -1.0, 100);
    assert_eq!(gate.tenant(0, "a").refused, [1, 2, 1, 3]);
    assert_eq!(gate.tenant(0, "b").refused, [0; 4]);
}

#[test]
fn grants_releases_and_leases_are_counted() {
    let mut gate = even_split();
    for name in ["a1", "a2", "a3"] {
        gate.ask(0, name, 10.0, 100);
    }
    gate.release(50, "a2");
    gate.release(50, "a2");
    let row = gate.tenant(50, "a");
    assert_eq!((row.granted_requests, row.released, row.leases), (3, 1, 2));
    assert_eq!(row.granted_cost.to_string(), "30");
    let stats = gate.stats(50);
    assert_eq!((stats.held.to_string().as_str(), stats.leases), ("20", 2));
    assert_eq!(stats.ceiling.to_string(), "100");
}

#[test]
fn a_report_of_the_past_is_one_of_the_latest_instant() {
    let mut gate = even_split();
    gate.ask(500, "a1", 10.0, 100);
    assert_eq!(gate.stats(0), gate.stats(500));
    assert_eq!(gate.stats(0).now, 500);
    assert_eq!(gate.engine.plan(0).now, 500);
}
