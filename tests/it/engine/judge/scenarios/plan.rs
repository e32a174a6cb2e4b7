//! The yardstick: weighted max-min over what is held and wanted.

use crate::engine::judge::scene::{Scene, even_split, settings, shared_by};

#[test]
fn nobody_who_wants_nothing_is_planned_for() {
    assert_eq!(even_split().plan(0), "a 0 of 0, b 0 of 0");
}

#[test]
fn a_single_demand_gets_all_of_it() {
    let mut gate = even_split();
    gate.ask(0, "b1", 80.0, 100);
    assert_eq!(gate.plan(0), "a 0 of 0, b 80 of 80");
}

#[test]
fn during_a_reclaim_the_plan_shows_how_far_held_has_drifted() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    gate.ask(10, "a1", 50.0, 100);
    assert_eq!(gate.plan(10), "a 50 of 50, b 50 of 100");
    let held: Vec<_> = gate.engine.plan(10).tenants.iter().map(|part| part.held).collect();
    assert_eq!(format!("{held:?}"), "[0.0, 100.0]");
}

#[test]
fn what_one_leaves_over_is_shared_by_the_rest_in_step_with_their_weights() {
    let mut gate = Scene::of(settings(100.0, &[("a", 1.0), ("b", 1.0), ("c", 2.0)]));
    gate.ask(0, "a1", 10.0, 100);
    gate.ask(0, "b1", 25.0, 100);
    gate.ask(0, "b2", 75.0, 100);
    gate.ask(0, "c1", 50.0, 100);
    gate.ask(0, "c2", 50.0, 100);
    assert_eq!(gate.plan(0), "a 10 of 10, b 30 of 100, c 60 of 100");
}

#[test]
fn filling_goes_on_in_rounds_until_nobody_is_below_its_share() {
    let mut gate = shared_by(100.0, "abcd");
    gate.ask(0, "a1", 5.0, 100);
    gate.ask(0, "b1", 25.0, 100);
    gate.ask(0, "c1", 25.0, 100);
    gate.ask(0, "c2", 90.0, 100);
    gate.ask(0, "d1", 25.0, 100);
    gate.ask(0, "d2", 90.0, 100);
    gate.ask(0, "b2", 3.0, 100);
    assert_eq!(gate.plan(0), "a 5 of 5, b 28 of 28, c 33.5 of 100, d 33.5 of 100");
}

#[test]
fn demand_is_capped_by_the_ceiling() {
    let mut gate = even_split();
    gate.ask(0, "b1", 60.0, 100);
    gate.ask(0, "b2", 90.0, 100);
    assert_eq!(gate.plan(0), "a 0 of 0, b 100 of 100");
}

#[test]
fn a_want_that_lapsed_is_not_planned_for() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    gate.ask(10, "a1", 50.0, 100);
    assert_eq!(gate.plan(1_009), "a 50 of 50, b 50 of 100");
    assert_eq!(gate.plan(1_010), "a 0 of 0, b 100 of 100");
}
