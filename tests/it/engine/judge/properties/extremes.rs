//! No value that a caller can write makes the engine panic or report what is not a number.

use fairgate::engine::{
    Acquire, Command, Config, Engine, FairnessUnit, LeaseId, Outcome, Settings, TenantSettings,
    invariants,
};
use proptest::prelude::*;

use super::runs;

/// The invariants that hold at the ends of time; sums of units of 1e308 and 1e-9 have no room
/// for both in any number, so those hold for ceilings of sane sizes only.
const OF_TIME: [&str; 2] = ["loans_end_within_the_horizon", "lenders_were_idle"];

fn odd_units() -> impl Strategy<Value = f64> {
    let odd = [
        0.0,
        -0.0,
        -1.0,
        1.0,
        100.0,
        1e-300,
        1e-9,
        1e9,
        1e17,
        1e300,
        1e308,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::from_bits(1),
        f64::EPSILON,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    prop_oneof![3 => prop::sample::select(odd.to_vec()), 1 => any::<f64>(), 2 => 0.1..100.0_f64]
}

fn odd_ms() -> impl Strategy<Value = i64> {
    let odd = [
        i64::MIN,
        i64::MIN + 1,
        -1,
        0,
        1,
        2,
        100,
        31_536_000_000,
        31_536_000_001,
        i64::MAX - 1,
        i64::MAX,
    ];
    prop_oneof![2 => prop::sample::select(odd.to_vec()), 1 => any::<i64>(), 2 => 0..2_000_i64]
}

fn positive(units: f64) -> f64 {
    if units.is_finite() && units > 0.0 { units } else { 1.0 }
}

/// Extreme, and mostly accepted.
fn odd_settings() -> impl Strategy<Value = Settings> {
    let weights = prop::collection::vec(odd_units().prop_map(positive), 1..5);
    let parts = (odd_units().prop_map(positive), any::<bool>(), weights, odd_ms(), odd_ms());
    (parts, odd_ms()).prop_map(|((ceiling, cost, weights, horizon, more), started_at)| {
        let horizon = horizon.clamp(1, i64::MAX - 1);
        let tenants = weights.into_iter().enumerate();
        Settings {
            ceiling,
            fairness_unit: Some(if cost { FairnessUnit::Cost } else { FairnessUnit::Requests }),
            tenants: tenants
                .map(|(ix, weight)| TenantSettings { id: format!("t{ix}"), weight })
                .collect(),
            reclaim_horizon_ms: horizon,
            idle_after_ms: horizon.saturating_add(more.max(1)),
            started_at,
        }
    })
}

#[derive(Clone, Debug)]
enum Odd {
    Ask { now: i64, tenant: usize, cost: f64, hold_ms: i64 },
    Take { now: i64, tenant: usize, part: f64, hold_ms: i64 },
    Release { now: i64, seq: u64 },
}

fn odd_calls() -> impl Strategy<Value = Vec<Odd>> {
    let part = prop::sample::select(vec![1e-300, 0.1, 1.0 / 3.0, 0.5, 1.0]);
    let call =
        prop_oneof![
            (odd_ms(), 0..5_usize, odd_units(), odd_ms())
                .prop_map(|(now, tenant, cost, hold_ms)| Odd::Ask { now, tenant, cost, hold_ms }),
            (odd_ms(), 0..5_usize, part, odd_ms())
                .prop_map(|(now, tenant, part, hold_ms)| Odd::Take { now, tenant, part, hold_ms }),
            (odd_ms(), prop_oneof![0..20_u64, Just(u64::MAX)])
                .prop_map(|(now, seq)| Odd::Release { now, seq }),
        ];
    prop::collection::vec(call, 1..40)
}

fn apply(engine: &mut Engine, call: &Odd) -> Outcome {
    match *call {
        Odd::Ask { now, tenant, cost, hold_ms } => {
            let ask = Acquire { tenant: &format!("t{tenant}"), cost, hold_ms };
            engine.apply(now, Command::Acquire(ask))
        }
        Odd::Take { now, tenant, part, hold_ms } => {
            let cost = engine.config().ceiling() * part;
            let ask = Acquire { tenant: &format!("t{tenant}"), cost, hold_ms };
            engine.apply(now, Command::Acquire(ask))
        }
        Odd::Release { now, seq } => {
            engine.apply(now, Command::Release(LeaseId { epoch: engine.epoch(), seq }))
        }
    }
}

/// Every report, at the ends of time too.
fn reports_are_numbers(engine: &Engine) -> Result<(), TestCaseError> {
    for now in [i64::MIN, engine.now(), i64::MAX] {
        let told = format!("{:?} {:?}", engine.stats(now), engine.plan(now));
        prop_assert!(!told.contains("NaN"), "{}", told);
    }
    let told = format!("{:?}", engine.fairness());
    prop_assert!(!told.contains("NaN"), "{}", told);
    Ok(())
}

proptest! {
    #![proptest_config(runs(600))]

    #[test]
    fn nothing_that_can_be_asked_panics(settings in odd_settings(), calls in odd_calls()) {
        let Ok(config) = Config::new(settings) else { return Ok(()) };
        let mut engine = Engine::new(config, u64::MAX);
        for call in &calls {
            if let Outcome::Refused(refusal) = apply(&mut engine, call) {
                prop_assert!(!refusal.explanation(engine.config()).is_empty());
            }
            reports_are_numbers(&engine)?;
            for kept in invariants::ALL.iter().filter(|kept| OF_TIME.contains(&kept.name)) {
                prop_assert_eq!((kept.check)(&engine), Ok(()), "{}", kept.name);
            }
        }
    }

    #[test]
    fn settings_of_any_kind_are_accepted_or_named_as_wrong(
        (ceiling, weight) in (odd_units(), odd_units()),
        (reclaim_horizon_ms, idle_after_ms, started_at) in (odd_ms(), odd_ms(), odd_ms()),
        id in ".{0,3}",
    ) {
        let tenants = vec![TenantSettings { id, weight }];
        let fairness_unit = Some(FairnessUnit::Cost);
        let settings = Settings {
            ceiling, fairness_unit, tenants, reclaim_horizon_ms, idle_after_ms, started_at,
        };
        if let Err(errors) = Config::new(settings) {
            prop_assert!(!errors.is_empty());
        }
    }
}
