//! What the ceiling counts decides what is admitted; both counts are always recorded.

use fairgate::engine::{FairnessUnit, Settings};

use crate::engine::judge::scene::{Scene, settings};

fn counting(unit: FairnessUnit, ceiling: f64) -> Scene {
    let split = settings(ceiling, &[("a", 1.0), ("b", 1.0)]);
    Scene::of(Settings { fairness_unit: Some(unit), ..split })
}

/// One trace: a's calls are large and few, b's are small.
fn one_trace(gate: &mut Scene) -> [String; 3] {
    gate.ask(0, "b1", 0.1, 100);
    gate.ask(0, "a1", 4.0, 100);
    let asks = [("a2", 4.0), ("b2", 0.1), ("b3", 11.0)];
    asks.map(|(name, cost)| gate.ask(0, name, cost, 100))
}

#[test]
fn one_trace_is_judged_by_cost() {
    let told = one_trace(&mut counting(FairnessUnit::Cost, 10.0));
    assert_eq!(told[0], "no_lendable_capacity, retry in 100, behind a1");
    assert_eq!(told[1], "own 0.1");
    assert_eq!(told[2], "cost_exceeds_ceiling, for good");
}

#[test]
fn the_same_trace_is_judged_by_requests() {
    let told = one_trace(&mut counting(FairnessUnit::Requests, 10.0));
    assert_eq!(told, ["own 1", "own 1", "own 1"]);
}

#[test]
fn requests_charge_one_whatever_they_cost() {
    let mut gate = counting(FairnessUnit::Requests, 4.0);
    assert_eq!(gate.ask(0, "a1", 1e6, 100), "own 1");
    assert_eq!(gate.ask(0, "a2", 1e-6, 100), "own 1");
    assert_eq!(gate.ask(0, "a3", 5.0, 100), "own 0, 1 from b");
    assert_eq!(gate.holds(0, "a"), "own 2, borrowed 1, lent 0, free 0");
}

#[test]
fn requests_are_lent_in_fractions_where_guarantees_are() {
    let mut gate = counting(FairnessUnit::Requests, 3.0);
    assert_eq!(gate.ask(0, "a1", 1.0, 100), "own 1");
    assert_eq!(gate.ask(0, "a2", 1.0, 100), "own 0.5, 0.5 from b");
}

#[test]
fn a_ceiling_below_one_request_admits_none() {
    let mut gate = counting(FairnessUnit::Requests, 0.5);
    assert_eq!(gate.ask(0, "a1", 0.1, 100), "cost_exceeds_ceiling, for good");
}

#[test]
fn cost_is_required_and_recorded_where_requests_are_counted() {
    let mut gate = counting(FairnessUnit::Requests, 10.0);
    assert_eq!(gate.ask(0, "a1", 0.0, 100), "invalid: invalid_cost");
    gate.ask(0, "a1", 499.0, 100);
    gate.ask(0, "b1", 1.0, 100);
    let told = gate.engine.fairness();
    assert_eq!(format!("{:?}", told.request_share), "[0.5, 0.5]");
    assert_eq!(format!("{:?}", told.cost_share), "[0.998, 0.002]");
    assert!(told.units_disagree);
}
