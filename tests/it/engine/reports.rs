//! Shares, skews and the plan.

use fairgate::engine::{FairnessUnit, Reason};

use super::story::{Story, settings};

#[test]
fn before_the_first_grant_there_are_no_shares_and_no_skew() {
    let fairness = Story::two().engine.fairness();
    assert_eq!(fairness.cost_share, [0.0, 0.0]);
    assert_eq!((fairness.cost_skew, fairness.request_skew), (None, None));
    assert!(!fairness.units_disagree);
}

#[test]
fn an_even_split_of_requests_may_be_an_uneven_split_of_cost() {
    let mut story = Story::two();
    story.grant(0, "a", 0.1, 10);
    story.grant(0, "b", 50.0, 10);
    let fairness = story.engine.fairness();
    assert_eq!(fairness.request_share, [0.5, 0.5]);
    assert!((fairness.cost_share[1] - 50.0 / 50.1).abs() < 1e-12);
    assert!(fairness.units_disagree && fairness.units_divergence > 0.49);
}

#[test]
fn one_trace_under_both_units_admits_different_requests() {
    let run = |unit| {
        let mut settings = settings(&[("chat", 1.0), ("batch", 1.0)]);
        (settings.fairness_unit, settings.ceiling, settings.started_at) = (Some(unit), 10.0, 0);
        let mut story = Story::new(settings);
        story.grant(0, "batch", 4.5, 1_000);
        story.grant(0, "chat", 0.01, 10);
        let ask = fairgate::engine::Acquire { tenant: "batch", cost: 4.5, hold_ms: 1_000 };
        matches!(story.engine.acquire(1, ask), Ok(fairgate::engine::Decision::Granted(_)))
    };
    assert!(run(FairnessUnit::Requests));
    assert!(!run(FairnessUnit::Cost));
}

#[test]
fn shares_that_differ_by_exactly_the_threshold_agree() {
    let mut story = Story::two();
    // Requests 1:1, costs 11:9, so shares of 0.55 and 0.45 against 0.5 each.
    story.grant(0, "a", 11.0, 10);
    story.grant(0, "b", 9.0, 10);
    assert!(!story.engine.fairness().units_disagree);
    story.grant(0, "a", 11.1, 10);
    story.grant(0, "b", 9.0, 10);
    assert!(story.engine.fairness().units_disagree);
}

#[test]
fn skew_is_the_worst_ratio_to_the_weights() {
    let mut story = Story::new(settings(&[("a", 3.0), ("b", 1.0)]));
    story.grant(0, "a", 10.0, 10);
    story.grant(0, "b", 10.0, 10);
    assert_eq!(story.engine.fairness().cost_skew, Some(2.0));
    assert_eq!(story.engine.fairness().weight_share, [0.75, 0.25]);
}

#[test]
fn the_plan_fills_in_step_with_the_weights() {
    let mut story = Story::new(settings(&[("a", 1.0), ("b", 1.0), ("c", 2.0)]));
    story.grant(0, "a", 10.0, 1_000);
    story.grant(0, "b", 25.0, 1_000);
    story.refuse(0, "b", 30.0, 1_000);
    story.grant(0, "c", 50.0, 1_000);
    story.refuse(0, "c", 50.0, 1_000);
    let plan = story.engine.plan(0);
    let parts: Vec<_> = plan.tenants.iter().map(|part| (part.demand, part.target)).collect();
    // a is content with 10; the other 90 are filled 1 to 2.
    assert_eq!(parts, [(10.0, 10.0), (25.0, 25.0), (100.0, 65.0)]);
}

#[test]
fn the_plan_never_gives_more_than_is_asked_for_or_there_is() {
    let mut story = Story::two();
    story.grant(0, "b", 100.0, 100);
    story.refuse(10, "a", 50.0, 100);
    let plan = story.engine.plan(10);
    assert_eq!(plan.tenants.iter().map(|part| part.target).sum::<f64>(), 100.0);
    assert_eq!((plan.tenants[0].target, plan.tenants[1].target), (50.0, 50.0));
    let quiet = Story::two().engine.plan(0);
    assert!(quiet.tenants.iter().all(|part| part.target == 0.0 && part.demand == 0.0));
}

#[test]
fn a_demand_is_at_most_the_ceiling() {
    let mut story = Story::two();
    story.grant(0, "b", 80.0, 100);
    story.refuse(0, "b", 90.0, 100);
    assert_eq!(story.engine.plan(0).tenants[1].demand, 100.0);
}

#[test]
fn a_light_tenant_keeps_its_part_beside_a_heavy_one() {
    let mut story = Story::new(settings(&[("heavy", 1e16), ("x", 1.0), ("y", 1.0), ("z", 1.0)]));
    let plan = story.engine.plan(0);
    assert_eq!(plan.tenants[0].target, 0.0);
    for tenant in ["x", "y", "z"] {
        story.refuse(0, tenant, 50.0, 1_000);
    }
    assert_eq!(story.stats(0, "x").want, None, "it could never be granted");
}

#[test]
fn refusals_are_counted_by_reason() {
    let mut story = Story::two();
    story.refuse(0, "a", 101.0, 10);
    story.refuse(0, "a", 60.0, 101);
    story.refuse(0, "a", 60.0, 101);
    let refused = story.stats(0, "a").refused;
    assert_eq!(refused[Reason::CostExceedsCeiling as usize], 1);
    assert_eq!(refused[Reason::HoldExceedsReclaimHorizon as usize], 2);
    assert_eq!(refused.iter().sum::<u64>(), 3);
}

#[test]
fn a_ceilings_total_is_exactly_zero_when_nothing_is_held() {
    let mut story = Story::new(settings(&[("a", 1.0), ("b", 1.0), ("c", 1.0)]));
    let leases: Vec<_> = (1..20).map(|n| story.grant(n, "a", 0.1 * n as f64, 1_000)).collect();
    for lease in leases.iter().rev() {
        story.release(50, lease);
    }
    let stats = story.engine.stats(50);
    assert_eq!((stats.held, stats.leases), (0.0, 0));
    assert_eq!(story.stats(50, "a").own_used.to_bits(), 0.0_f64.to_bits());
}
