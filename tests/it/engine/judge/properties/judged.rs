//! The engine answers as the model does, reports what the model reports, and keeps every
//! invariant after every command.

use fairgate::engine::{Engine, Outcome, Plan, TenantStats, invariants};
use proptest::prelude::*;

use super::super::model::{Answer, Figures, Model, ms, or_nan};
use super::runs;
use super::steps::{Step, rules, steps};
use super::world::World;

proptest! {
    #![proptest_config(runs(400))]

    #[test]
    fn the_engine_decides_and_reports_as_the_model_does(rules in rules(), steps in steps(60)) {
        let mut world = World::new(rules);
        for step in &steps {
            take(&mut world, step)?;
        }
    }
}

fn take(world: &mut World, step: &Step) -> Result<(), TestCaseError> {
    let call = world.resolve(step);
    let (outcome, answer) = world.take(call);
    same_answer(&outcome, &answer).map_err(|found| {
        TestCaseError::fail(format!("{call:?}: {found}\n engine {outcome:?}\n model {answer:?}"))
    })?;
    let engine = &world.engine;
    prop_assert_eq!(invariants::first_broken(engine), None, "after {:?}", call);
    prop_assert_eq!(engine.now(), world.model.now);
    // As of now, and as it will look when nobody does anything for a while.
    for later_ms in [0, world.model.rules.horizon_ms, 2 * world.model.rules.idle_after_ms] {
        let now = world.model.now + later_ms;
        same_reports(engine, &world.model.at(now), now).map_err(|found| {
            TestCaseError::fail(format!("{later_ms} ms after {call:?}: {found}"))
        })?;
    }
    Ok(())
}

fn near(a: f64, b: f64) -> bool {
    (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-6 * a.abs().max(1.0)
}

fn same_answer(outcome: &Outcome, answer: &Answer) -> Result<(), String> {
    let told = match outcome {
        Outcome::Granted(granted) => Answer::Granted {
            own: granted.lease.own,
            loans: granted.lease.borrowed.iter().map(|l| (l.lender.index(), l.units)).collect(),
            deadline: granted.lease.deadline,
            reclaimed_after_ms: granted.reclaimed_after_ms,
        },
        Outcome::Refused(refusal) => Answer::Refused {
            code: refusal.reason.code(),
            curable: refusal.curable,
            retry_after_ms: refusal.retry_after_ms,
            blocking: refusal.blocking.iter().map(|held| held.lease.seq).collect(),
        },
        Outcome::Released(released) => {
            Answer::Released { held_ms: released.held_ms, overran_ms: released.overran_ms }
        }
        Outcome::NotHeld(_) => Answer::NotHeld,
        Outcome::Invalid(error) => Answer::Invalid(error.code()),
    };
    let same = match (&told, answer) {
        (
            Answer::Granted { own, loans, deadline, reclaimed_after_ms },
            Answer::Granted { own: mine, loans: drawn, deadline: due, reclaimed_after_ms: after },
        ) => {
            let pairs = || loans.iter().zip(drawn);
            near(*own, *mine)
                && loans.len() == drawn.len()
                && pairs().all(|(a, b)| a.0 == b.0 && near(a.1, b.1))
                && (deadline, reclaimed_after_ms) == (due, after)
        }
        (told, answer) => told == answer,
    };
    if same { Ok(()) } else { Err(format!("the engine's answer is {told:?}")) }
}

fn same_reports(engine: &Engine, model: &Model, now: i64) -> Result<(), String> {
    let stats = engine.stats(now);
    for (tenant, row) in stats.tenants.iter().enumerate() {
        same_figures(&figures(row), &model.figures(tenant))
            .map_err(|found| format!("tenant {tenant}: {found}"))?;
    }
    let held: f64 = (0..stats.tenants.len()).map(|tenant| model.held(tenant)).sum();
    let overrun: Vec<_> = stats.overrun.iter().map(|over| over.lease.seq).collect();
    ensure(near(stats.held, held), || format!("held is {}, not {held}", stats.held))?;
    ensure(stats.leases == model.leases.len(), || format!("{} leases", stats.leases))?;
    ensure(overrun == model.overrun(), || format!("overrun {overrun:?}"))?;
    same_plan(&engine.plan(now), model)?;
    same_fairness(engine, model)
}

fn same_plan(plan: &Plan, model: &Model) -> Result<(), String> {
    for (row, expected) in plan.tenants.iter().zip(model.plan()) {
        let told = [row.demand, row.target, row.held];
        let same = told.iter().zip(expected).all(|(&a, b)| near(a, b));
        ensure(same, || format!("plan (demand, target, held) is {told:?}, not {expected:?}"))?;
    }
    Ok(())
}

fn same_fairness(engine: &Engine, model: &Model) -> Result<(), String> {
    let told = engine.fairness();
    let (shares, mut expected) = model.fairness();
    for (tenant, row) in shares.iter().enumerate() {
        let told = [told.cost_share[tenant], told.request_share[tenant], told.weight_share[tenant]];
        let same = told.iter().zip(row).all(|(&a, &b)| near(a, b));
        ensure(same, || format!("shares of {tenant} are {told:?}, not {row:?}"))?;
    }
    let gap = expected.pop().expect("the largest gap comes last").1;
    let disagree = gap > 0.05;
    ensure((gap - 0.05).abs() < 1e-6 || told.units_disagree == disagree, || {
        format!("the units disagree: {}, but the largest gap is {gap}", told.units_disagree)
    })?;
    let figures = vec![
        ("cost skew", or_nan(told.cost_skew)),
        ("request skew", or_nan(told.request_skew)),
        ("divergence", told.units_divergence),
    ];
    same_figures(&figures, &expected)
}

fn same_figures(told: &Figures, expected: &Figures) -> Result<(), String> {
    for ((name, told), (same_name, expected)) in told.iter().zip(expected) {
        ensure(name == same_name && near(*told, *expected), || {
            format!("{name} is {told}, but the model's {same_name} is {expected}")
        })?;
    }
    ensure(told.len() == expected.len(), || "not the same figures".to_owned())
}

fn ensure(holds: bool, found: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(found()) }
}

#[expect(clippy::cast_precision_loss, reason = "short sequences count to far less than 2^53")]
fn figures(row: &TenantStats) -> Figures {
    let count = |number: u64| number as f64;
    vec![
        ("guarantee", row.guarantee),
        ("held", row.held),
        ("own used", row.own_used),
        ("borrowed", row.borrowed),
        ("lent", row.lent),
        ("free", row.free),
        ("idle", f64::from(u8::from(row.idle))),
        ("leases", count(row.leases)),
        ("overrun leases", count(row.overrun_leases)),
        ("oldest overrun", ms(row.oldest_overrun_ms)),
        ("want", or_nan(row.want)),
        ("deficit", row.deficit_unit_ms),
        ("borrowed time", row.borrowed_unit_ms),
        ("lent time", row.lent_unit_ms),
        ("worst reclaim", ms(row.worst_reclaim_ms)),
        ("waiting", or_nan(row.waiting_ms.map(ms))),
        ("worst return", ms(row.worst_return_ms)),
        ("late returns", count(row.returns_over_horizon)),
        ("grants", count(row.granted_requests)),
        ("granted cost", row.granted_cost),
        ("releases", count(row.released)),
        ("ceiling refusals", count(row.refused[0])),
        ("loan refusals", count(row.refused[1])),
        ("horizon refusals", count(row.refused[2])),
        ("capacity refusals", count(row.refused[3])),
    ]
}
