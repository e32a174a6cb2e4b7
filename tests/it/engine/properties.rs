//! Random adversarial sequences. Instants are drawn to fall on deadlines and on the moments at
//! which tenants turn idle, and one millisecond to either side.

use fairgate::engine::{
    Acquire, Command, Config, Decision, Engine, FairnessUnit, LeaseId, Outcome, Settings,
    TenantSettings, invariants,
};
use proptest::collection::vec;
use proptest::prelude::*;

use super::model::{Answer, Model, Settings as ModelSettings};
use super::sequences::{
    Concrete, apply, apply_to_model, cases, concrete, engine_of, model_settings, sequence, step,
    when,
};

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6
}

fn same_answer(expected: &Answer, found: &Outcome) -> bool {
    match (expected, found) {
        (Answer::Granted(lease), Outcome::Granted(granted)) => {
            let found = &granted.lease;
            let loans = found.borrowed.iter().zip(&lease.borrowed);
            found.id.seq == lease.number
                && (found.granted_at, found.deadline) == (lease.granted_at, lease.deadline)
                && close(found.units, lease.units)
                && close(found.own, lease.own)
                && found.borrowed.len() == lease.borrowed.len()
                && loans.clone().all(|(loan, &(lender, units))| {
                    loan.lender.index() == lender && close(loan.units, units)
                })
        }
        (
            Answer::Refused { reason, curable, retry_after_ms, blocking },
            Outcome::Refused(found),
        ) => {
            let listed: Vec<_> = found.blocking.iter().map(|held| held.lease.seq).collect();
            found.reason.code() == *reason
                && found.curable == *curable
                && found.retry_after_ms == *retry_after_ms
                && listed == *blocking
                && found.blocking_total == blocking.len()
        }
        (Answer::Invalid(code), Outcome::Invalid(error)) => error.code() == *code,
        (Answer::Released { held_ms, overran_ms }, Outcome::Released(found)) => {
            (found.held_ms, found.overran_ms) == (*held_ms, *overran_ms)
        }
        (Answer::NotHeld, Outcome::NotHeld(_)) => true,
        _ => false,
    }
}

fn check_reports(model: &Model, engine: &Engine) {
    let mut model = model.clone();
    model.settle(model.now);
    let stats = engine.stats(model.now);
    for (nth, (tenant, found)) in model.tenants.iter().zip(&stats.tenants).enumerate() {
        assert!(close(found.held, model.held(nth)), "held of {nth}");
        assert!(close(found.own_used, model.own_used(nth)), "own of {nth}");
        assert!(close(found.lent, model.lent(nth)), "lent of {nth}");
        assert!(close(found.free, model.free(nth)), "free of {nth}");
        assert_eq!(found.idle, model.is_idle(nth, model.now), "idle of {nth}");
        assert_eq!(found.want.is_some(), tenant.want.is_some(), "want of {nth}");
        assert!(close(found.want.unwrap_or(0.0), tenant.want.map_or(0.0, |want| want.0)));
        assert!(close(found.deficit_unit_ms, tenant.deficit_unit_ms), "deficit of {nth}");
        assert_eq!(found.worst_reclaim_ms, tenant.worst_reclaim_ms, "worst reclaim of {nth}");
        assert_eq!(found.waiting_ms, tenant.reclaim.map(|(since, _)| model.now - since));
        assert_eq!(found.granted_requests, tenant.granted_requests);
        assert!(close(found.granted_cost, tenant.granted_cost));
        assert_eq!(found.refused.iter().sum::<u64>(), tenant.refused.len() as u64);
    }
    let overrun = model.leases.iter().filter(|lease| model.now > lease.deadline).count();
    assert_eq!(stats.overrun.len(), overrun);
    assert_eq!(stats.leases, model.leases.len());
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn the_engine_agrees_with_the_naive_one_and_keeps_its_invariants(
        settings in model_settings(), steps in vec((when(), step()), 1..120)
    ) {
        let mut model = Model::new(settings.clone());
        let mut engine = engine_of(&settings);
        for (when, step) in steps {
            let (now, command) = concrete(&model, when, &step);
            let expected = apply_to_model(&mut model, now, &command);
            let found = apply(&mut engine, now, &command);
            prop_assert!(same_answer(&expected, &found), "{command:?} at {now}\n{expected:?}\n{found:?}");
            prop_assert_eq!(invariants::first_broken(&engine), None);
            check_reports(&model, &engine);
        }
    }
}

/// Whether two outcomes are the same to the last bit, where a cost may be no number.
fn same_bits(a: &Outcome, b: &Outcome) -> bool {
    format!("{a:?}") == format!("{b:?}")
}

/// Everything there is to see, to the last bit.
fn bits(engine: &Engine) -> String {
    format!("{:?}", engine.state())
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn reads_change_nothing_and_replaying_gives_the_same_bits(
        settings in model_settings(),
        steps in vec((when(), step()), 1..80),
        reads in vec(-50..500_i64, 1..20),
    ) {
        let sequence = sequence(&settings, &steps);
        let (mut quiet, mut read) = (engine_of(&settings), engine_of(&settings));
        for (nth, (now, command)) in sequence.iter().enumerate() {
            let at = now + reads[nth % reads.len()];
            let _ = (read.stats(at), read.fairness(), read.plan(at), read.leases(), read.state());
            prop_assert!(same_bits(&apply(&mut quiet, *now, command), &apply(&mut read, *now, command)));
            prop_assert_eq!(bits(&quiet), bits(&read));
        }
    }

    #[test]
    fn a_restored_engine_goes_on_to_the_same_bits(
        settings in model_settings(), steps in vec((when(), step()), 2..80), cut in 0..80_usize,
    ) {
        let sequence = sequence(&settings, &steps);
        let mut whole = engine_of(&settings);
        let (before, after) = sequence.split_at(cut % sequence.len());
        for (now, command) in before {
            apply(&mut whole, *now, command);
        }
        let config = Config::clone(whole.config());
        let mut restored = Engine::restore(config, whole.state()).unwrap().listing_blocking(usize::MAX);
        prop_assert_eq!(bits(&whole), bits(&restored));
        for (now, command) in after {
            prop_assert!(same_bits(&apply(&mut whole, *now, command), &apply(&mut restored, *now, command)));
            prop_assert_eq!(bits(&whole), bits(&restored));
        }
    }
}

/// Lets every holder keep its word up to `until`: each lease is released at its deadline.
fn release_on_time(engine: &mut Engine, until: i64) {
    let mut due: Vec<_> = engine.leases().iter().map(|lease| (lease.deadline, lease.id)).collect();
    due.sort();
    for (deadline, id) in due.into_iter().filter(|&(deadline, _)| deadline <= until) {
        engine.release(deadline, id);
    }
}

/// Whether somebody who was active in `before` is idle in `after` at `at`.
fn somebody_turned_idle(before: &Engine, after: &Engine, at: i64) -> bool {
    let idle = |engine: &Engine, at| engine.stats(at).tenants.into_iter().map(|tenant| tenant.idle);
    idle(before, before.now()).zip(idle(after, at)).any(|(before, after)| !before && after)
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn a_retry_estimate_is_exact_if_holders_are_honest_and_nobody_else_asks(
        settings in model_settings(), steps in vec((when(), step()), 1..40), probes in vec(0.0..1.0, 3),
    ) {
        let mut engine = engine_of(&settings);
        for (now, command) in sequence(&settings, &steps) {
            // Honest from the start: nothing is ever overrun.
            release_on_time(&mut engine, now);
            let Outcome::Refused(refusal) = apply(&mut engine, now, &command) else { continue };
            let Some(retry_after_ms) = refusal.retry_after_ms else { continue };
            let Concrete::Acquire { tenant, cost, hold_ms } = command else { continue };
            let tenant = tenant.to_string();
            let again = |at: i64| {
                let mut later = engine.clone();
                release_on_time(&mut later, at);
                let idle = somebody_turned_idle(&engine, &later, at);
                (idle, later.acquire(at, Acquire { tenant: &tenant, cost, hold_ms }).unwrap())
            };
            let asked_at = engine.now();
            let (_, decision) = again(asked_at + retry_after_ms);
            prop_assert!(matches!(decision, Decision::Granted(_)), "{refusal:?}\n{decision:?}");
            let early = probes.iter().map(|part| (part * retry_after_ms as f64) as i64);
            for ms in early.chain([retry_after_ms - 1]).filter(|&ms| ms < retry_after_ms) {
                let (idle, decision) = again(asked_at + ms);
                let early = matches!(decision, Decision::Granted(_));
                prop_assert!(!early || idle, "granted after {ms}: {refusal:?}");
            }
        }
    }

    #[test]
    fn a_tenant_that_keeps_asking_is_whole_within_the_horizon(
        settings in model_settings(), steps in vec((when(), step()), 1..60), gaps in vec(1..90_i64, 8),
    ) {
        let mut engine = engine_of(&settings);
        for (now, command) in sequence(&settings, &steps) {
            release_on_time(&mut engine, now);
            apply(&mut engine, now, &command);
        }
        let asked_at = engine.now();
        let guarantee = engine.config().tenants()[0].guarantee();
        let ask = Acquire { tenant: "0", cost: guarantee, hold_ms: 1 };
        let whole_by = asked_at + settings.horizon_ms;
        let _ = engine.acquire(asked_at, ask);
        let lent_until = |engine: &Engine| {
            let lent = engine.leases().into_iter().filter(|lease| {
                lease.tenant.index() != 0 && lease.borrowed.iter().any(|loan| loan.lender.index() == 0)
            });
            lent.map(|lease| lease.deadline).max()
        };
        prop_assert!(lent_until(&engine).is_none_or(|until| until <= whole_by));
        // Everybody else grabs whatever they can, again and again, and moves first.
        let mut now = asked_at;
        for gap in gaps.iter().cycle() {
            now = (now + gap).min(whole_by);
            release_on_time(&mut engine, now);
            for other in 1..settings.weights.len() {
                for cost in [settings.ceiling, guarantee, 1.0, 0.1] {
                    let _ = engine.acquire(now, Acquire { tenant: &other.to_string(), cost, hold_ms: 100 });
                }
            }
            prop_assert!(lent_until(&engine).is_none_or(|until| until <= whole_by));
            if now == whole_by {
                break;
            }
        }
        release_on_time(&mut engine, whole_by);
        let stats = &engine.stats(whole_by).tenants[0];
        prop_assert!(close(stats.lent, 0.0), "{} still lent", stats.lent);
        prop_assert_eq!(stats.returns_over_horizon, 0);
        prop_assert!(close(stats.free + stats.own_used, guarantee));
    }
}

fn any_f64() -> impl Strategy<Value = f64> {
    prop_oneof![
        1 => any::<f64>(),
        1 => prop_oneof![Just(f64::MAX), Just(f64::MIN_POSITIVE), Just(5e-324), Just(1e-9)],
        2 => 0.1..5.0,
        1 => prop_oneof![Just(1.0), Just(1e6), Just(1e12), Just(1e15)],
    ]
}

/// A cost that is odd, or about as large as all there is.
fn any_cost(ceiling: f64) -> impl Fn((u8, f64)) -> f64 {
    move |(kind, odd)| match kind % 6 {
        0 => ceiling,
        1 => ceiling / 2.0,
        2 => ceiling + 5e-10,
        3 => 8e-10,
        _ => odd,
    }
}

fn any_i64() -> impl Strategy<Value = i64> {
    prop_oneof![any::<i64>(), Just(i64::MIN), Just(i64::MAX), -300..300_i64, 1..=31_536_000_000_i64]
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn no_input_makes_it_panic_or_show_anything_but_numbers(
        weights in vec(any_f64(), 1..5),
        ceiling in any_f64(),
        (horizon, idle, start) in (any_i64(), any_i64(), any_i64()),
        requests in any::<bool>(),
        steps in vec((any_i64(), 0..6_usize, (any::<u8>(), any_f64()), any_i64(), any::<bool>()), 0..40),
    ) {
        let tenants = weights.iter().enumerate();
        let tenants = tenants.map(|(n, &weight)| TenantSettings { id: n.to_string(), weight });
        let settings = Settings {
            ceiling,
            fairness_unit: Some(if requests { FairnessUnit::Requests } else { FairnessUnit::Cost }),
            tenants: tenants.collect(),
            reclaim_horizon_ms: horizon,
            idle_after_ms: idle,
            started_at: start,
        };
        let Ok(config) = Config::new(settings) else { return Ok(()) };
        let mut engine = Engine::new(config, 7);
        for (now, tenant, cost, hold_ms, acquires) in steps {
            let tenant = tenant.to_string();
            let cost = any_cost(ceiling)(cost);
            let outcome = if acquires {
                engine.apply(now, Command::Acquire(Acquire { tenant: &tenant, cost, hold_ms }))
            } else {
                let seq = cost.to_bits() % 50;
                engine.apply(now, Command::Release(LeaseId { epoch: 7, seq }))
            };
            if let Outcome::Refused(refusal) = outcome {
                let _ = refusal.explanation(engine.config());
            }
            let (stats, fairness, plan) = (engine.stats(now), engine.fairness(), engine.plan(now));
            for tenant in &stats.tenants {
                let shown = [tenant.held, tenant.free, tenant.lent, tenant.deficit_unit_ms,
                    tenant.lent_unit_ms, tenant.borrowed_unit_ms, tenant.granted_cost];
                prop_assert!(shown.iter().all(|value| value.is_finite()), "{tenant:?}");
            }
            prop_assert!(fairness.cost_share.iter().all(|share| (0.0..=1.000_001).contains(share)));
            prop_assert!(plan.tenants.iter().all(|part| part.target.is_finite()));
            prop_assert_eq!(invariants::first_broken(&engine), None);
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn ceilings_of_any_size_keep_the_invariants(
        weights in vec(0.1..5.0, 1..5),
        ceiling in prop_oneof![Just(0.1), Just(1.0), Just(1e6), Just(1e9), Just(1e12), Just(1e15)],
        steps in vec((0..300_i64, 0..5_usize, (any::<u8>(), 0.0..2.0), 1..150_i64), 1..40),
    ) {
        let mut engine = engine_of(&ModelSettings {
            ceiling,
            counts_requests: false,
            weights,
            horizon_ms: 100,
            idle_after_ms: 200,
            started_at: 0,
        });
        let mut now = 0;
        for (later, tenant, cost, hold_ms) in steps {
            now += later;
            release_on_time(&mut engine, now);
            let cost = any_cost(ceiling)(cost);
            let _ = apply(&mut engine, now, &Concrete::Acquire { tenant, cost, hold_ms });
            prop_assert_eq!(invariants::first_broken(&engine), None);
        }
    }
}
