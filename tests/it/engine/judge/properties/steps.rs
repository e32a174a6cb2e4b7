//! Random steps, written relative to the state they meet, so that most of them land on an edge:
//! exactly the free units, exactly the deadline, one millisecond either side.

use proptest::prelude::*;

use super::super::model::Rules;

/// One step: when, and what.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) at: At,
    pub(super) what: What,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum At {
    /// So much later; below zero is a clock that went back.
    Later(i64),
    /// At the next deadline, give or take.
    Deadline(i64),
    /// When that tenant has been quiet for long enough, give or take.
    Idle(usize, i64),
    /// When that tenant's want lapses, give or take.
    Lapse(usize, i64),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Ask { tenant: usize, charge: Charge, hold: Hold },
    Release { nth: usize },
    ReleaseUnknown { number: u64 },
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Charge {
    Exactly(f64),
    /// A part of the ceiling.
    Part(f64),
    /// What is free of its guarantee, and a little.
    Free(f64),
    /// What is free and what the idle offer, and a little.
    All(f64),
    /// Its guarantee, and a little.
    Guarantee(f64),
    /// What its own leases leave of its guarantee, and a little.
    Owed(f64),
    /// What it was refused last.
    Want,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Hold {
    Exactly(i64),
    /// The horizon, and so much more.
    Horizon(i64),
}

/// Less than the slack, or more than it; never a round part of it, where rounding would decide.
fn little() -> impl Strategy<Value = f64> {
    prop_oneof![6 => Just(0.0), 1 => Just(0.37e-9), 1 => Just(-0.41e-9), 1 => Just(2.53e-9)]
}

fn at() -> impl Strategy<Value = At> {
    let edge = -1..=1_i64;
    prop_oneof![
        4 => Just(At::Later(0)),
        4 => (1..40_i64).prop_map(At::Later),
        1 => (-50..0_i64).prop_map(At::Later),
        5 => edge.clone().prop_map(At::Deadline),
        3 => (0..6_usize, edge.clone()).prop_map(|(tenant, off)| At::Idle(tenant, off)),
        1 => (0..6_usize, edge).prop_map(|(tenant, off)| At::Lapse(tenant, off)),
    ]
}

fn charge() -> impl Strategy<Value = Charge> {
    let odd = [0.0, -1.0, f64::NAN, f64::INFINITY, 1.0, 0.1];
    prop_oneof![
        1 => prop::sample::select(odd.to_vec()).prop_map(Charge::Exactly),
        6 => prop::sample::select(vec![0.01, 0.1, 0.25, 1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0, 1.1])
            .prop_map(Charge::Part),
        3 => little().prop_map(Charge::Free),
        3 => little().prop_map(Charge::All),
        3 => little().prop_map(Charge::Guarantee),
        2 => little().prop_map(Charge::Owed),
        2 => Just(Charge::Want),
    ]
}

fn hold() -> impl Strategy<Value = Hold> {
    prop_oneof![
        1 => prop::sample::select(vec![0, -1, i64::MIN, i64::MAX, 31_536_000_001])
            .prop_map(Hold::Exactly),
        3 => (1..60_i64).prop_map(Hold::Exactly),
        4 => Just(Hold::Horizon(0)),
        1 => (-1..=1_i64).prop_map(Hold::Horizon),
        2 => (2..200_i64).prop_map(Hold::Horizon),
    ]
}

fn what() -> impl Strategy<Value = What> {
    prop_oneof![
        12 => (0..6_usize, charge(), hold())
            .prop_map(|(tenant, charge, hold)| What::Ask { tenant, charge, hold }),
        5 => (0..8_usize).prop_map(|nth| What::Release { nth }),
        1 => (0..50_u64).prop_map(|number| What::ReleaseUnknown { number }),
    ]
}

/// Up to `most` steps.
pub(super) fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (at(), what()).prop_map(|(at, what)| Step { at, what });
    prop::collection::vec(step, 1..most)
}

/// Some ceiling shared by one to six tenants of odd weights.
pub(super) fn rules() -> impl Strategy<Value = Rules> {
    let weight = prop::sample::select(vec![1.0, 1.0, 1.0, 2.0, 3.0, 1.0 / 3.0, 0.1, 0.7, 17.0]);
    let ceiling = prop::sample::select(vec![0.1, 1.0, 3.0, 10.0, 100.0, 1_000.0, 10_000.0]);
    let weights = prop::collection::vec(weight, 1..=6);
    let horizon = prop::sample::select(vec![1_i64, 2, 30, 100]);
    let more = prop::sample::select(vec![1_i64, 2, 50, 300]);
    let parts = (ceiling, any::<bool>(), weights, horizon, more, -500..500_i64);
    parts.prop_map(|(ceiling, counts_cost, weights, horizon_ms, more_ms, started_at)| Rules {
        ceiling,
        counts_cost,
        weights,
        horizon_ms,
        idle_after_ms: horizon_ms + more_ms,
        started_at,
    })
}
