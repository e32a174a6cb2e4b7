//! Sequences of commands, drawn to fall on the instants and amounts that matter.

use fairgate::engine::{
    Acquire, Command, Config, Engine, FairnessUnit, LeaseId, Outcome, Settings, TenantSettings,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::model::{Answer, Model, Settings as ModelSettings};

/// The same cases on every run.
pub(super) fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x0fa1_96a7),
        ..ProptestConfig::default()
    }
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Acquire {
        tenant: usize,
        cost: Cost,
        hold_ms: i64,
    },
    /// Releases one of those held, the oldest grant first.
    Release(usize),
    ReleaseUnknown,
}

/// What is asked for, relative to the asking tenant's account.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cost {
    Guarantee,
    Free,
    Ceiling(f64),
    Units(f64),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum When {
    Later(i64),
    /// The deadline of one of the leases held, moved by up to a millisecond.
    Deadline(usize, i64),
    /// The moment at which a tenant turns idle, moved by up to a millisecond.
    Idle(usize, i64),
}

pub(super) fn cost() -> impl Strategy<Value = Cost> {
    prop_oneof![
        2 => Just(Cost::Guarantee),
        2 => Just(Cost::Free),
        1 => (0.1..1.2).prop_map(Cost::Ceiling),
        3 => (1..40_u32).prop_map(|units| Cost::Units(f64::from(units))),
        1 => (0.01..30.0).prop_map(Cost::Units),
        1 => prop_oneof![Just(0.0), Just(-1.0), Just(f64::NAN), Just(1e-10)].prop_map(Cost::Units),
    ]
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let hold_ms = prop_oneof![
        4 => 1..=100_i64, 2 => Just(100_i64), 1 => 101..=400_i64, 1 => Just(0_i64),
    ];
    prop_oneof![
        6 => (0..7_usize, cost(), hold_ms)
            .prop_map(|(tenant, cost, hold_ms)| Step::Acquire { tenant, cost, hold_ms }),
        3 => (0..8_usize).prop_map(Step::Release),
        1 => Just(Step::ReleaseUnknown),
    ]
}

pub(super) fn when() -> impl Strategy<Value = When> {
    prop_oneof![
        3 => Just(When::Later(0)),
        3 => (-5..60_i64).prop_map(When::Later),
        2 => (0..8_usize, -1..=1_i64).prop_map(|(nth, ms)| When::Deadline(nth, ms)),
        2 => (0..6_usize, -1..=1_i64).prop_map(|(nth, ms)| When::Idle(nth, ms)),
    ]
}

pub(super) fn model_settings() -> impl Strategy<Value = ModelSettings> {
    let weight = prop_oneof![Just(1.0), Just(2.0), Just(3.0), Just(1.0 / 3.0), 0.1..5.0];
    let ceiling = prop_oneof![Just(100.0), Just(1.0), Just(10.0), 0.5..1_000.0];
    (vec(weight, 1..=6), ceiling, any::<bool>()).prop_map(|(weights, ceiling, counts_requests)| {
        ModelSettings {
            ceiling: if counts_requests { f64::from(weights.len() as u32) * 2.0 } else { ceiling },
            counts_requests,
            weights,
            horizon_ms: 100,
            idle_after_ms: 200,
            started_at: 0,
        }
    })
}

pub(super) fn engine_of(settings: &ModelSettings) -> Engine {
    let tenants = settings.weights.iter().enumerate();
    let tenants = tenants.map(|(n, &weight)| TenantSettings { id: n.to_string(), weight });
    let unit = if settings.counts_requests { FairnessUnit::Requests } else { FairnessUnit::Cost };
    let config = Config::new(Settings {
        ceiling: settings.ceiling,
        fairness_unit: Some(unit),
        tenants: tenants.collect(),
        reclaim_horizon_ms: settings.horizon_ms,
        idle_after_ms: settings.idle_after_ms,
        started_at: settings.started_at,
    });
    Engine::new(config.unwrap(), 7).listing_blocking(usize::MAX)
}

/// A command with everything decided, and when.
#[derive(Clone, Debug)]
pub(super) enum Concrete {
    Acquire { tenant: usize, cost: f64, hold_ms: i64 },
    Release(u64),
}

/// Decides the relative parts of a step against the model's state.
pub(super) fn concrete(model: &Model, when: When, step: &Step) -> (i64, Concrete) {
    let lease = |nth: usize| model.leases.get(nth % model.leases.len().max(1));
    let now = match when {
        When::Later(ms) => model.now + ms,
        When::Deadline(nth, ms) => lease(nth).map_or(model.now, |lease| lease.deadline + ms),
        When::Idle(nth, ms) => {
            let tenant = &model.tenants[nth % model.tenants.len()];
            tenant.last_activity + model.settings.idle_after_ms + ms
        }
    };
    let command = match *step {
        Step::Acquire { tenant, cost, hold_ms } => {
            let known = tenant.min(model.tenants.len() - 1);
            let cost = match cost {
                Cost::Guarantee => model.tenants[known].guarantee,
                Cost::Free => model.free(known),
                Cost::Ceiling(part) => model.settings.ceiling * part,
                Cost::Units(units) => units,
            };
            Concrete::Acquire { tenant, cost, hold_ms }
        }
        Step::Release(nth) => Concrete::Release(lease(nth).map_or(0, |lease| lease.number)),
        Step::ReleaseUnknown => Concrete::Release(u64::MAX),
    };
    (now, command)
}

pub(super) fn apply(engine: &mut Engine, now: i64, command: &Concrete) -> Outcome {
    match *command {
        Concrete::Acquire { tenant, cost, hold_ms } => {
            let tenant = tenant.to_string();
            engine.apply(now, Command::Acquire(Acquire { tenant: &tenant, cost, hold_ms }))
        }
        Concrete::Release(seq) => engine.apply(now, Command::Release(LeaseId { epoch: 7, seq })),
    }
}

pub(super) fn apply_to_model(model: &mut Model, now: i64, command: &Concrete) -> Answer {
    match *command {
        Concrete::Acquire { tenant, cost, hold_ms } => {
            let known = (tenant < model.tenants.len()).then_some(tenant);
            model.acquire(now, known, cost, hold_ms)
        }
        Concrete::Release(number) => model.release(now, number),
    }
}

/// Turns random steps into a sequence with everything decided.
pub(super) fn sequence(settings: &ModelSettings, steps: &[(When, Step)]) -> Vec<(i64, Concrete)> {
    let mut model = Model::new(settings.clone());
    let decided = steps.iter().map(|(when, step)| {
        let (now, command) = concrete(&model, *when, step);
        apply_to_model(&mut model, now, &command);
        (now, command)
    });
    decided.collect()
}
