//! A retry estimate is exact where the holders keep their word and nobody else asks: then the
//! request is granted, and not a millisecond before, unless somebody turned idle meanwhile.

use fairgate::engine::{Engine, LeaseId, Outcome, Refusal};
use proptest::prelude::*;

use super::runs;
use super::steps::{rules, steps};
use super::world::{Call, Called, World, apply};

proptest! {
    #![proptest_config(runs(300))]

    #[test]
    fn a_retry_estimate_is_exact(rules in rules(), steps in steps(40)) {
        let mut world = World::new(rules);
        for step in &steps {
            let call = world.resolve(step);
            let (outcome, _) = world.take(call);
            if let Outcome::Refused(refusal) = outcome {
                keeps_its_word(&world.engine, call, &refusal)?;
            }
        }
    }
}

fn keeps_its_word(engine: &Engine, call: Call, refusal: &Refusal) -> Result<(), TestCaseError> {
    let now = engine.now();
    let Some(wait_ms) = refusal.retry_after_ms else {
        return no_deadline_cures(engine, call);
    };
    prop_assert!(wait_ms >= 0);
    let instants = deadlines(engine).into_iter().flat_map(|due| [due - 1, due, due + 1]);
    let mut early: Vec<_> = instants.chain([now, now + wait_ms - 1]).collect();
    early.retain(|&then| (now..now + wait_ms).contains(&then));
    for then in early {
        let (granted, turned_idle) = asked_again(engine, call, then);
        prop_assert!(!granted || turned_idle, "{call:?}: told {wait_ms}, fits at {then} already");
    }
    let (granted, _) = asked_again(engine, call, now + wait_ms);
    prop_assert!(granted, "{call:?}: told {wait_ms}, and does not fit then: {refusal:?}");
    Ok(())
}

/// Where there is no estimate, the request fits at no deadline.
fn no_deadline_cures(engine: &Engine, call: Call) -> Result<(), TestCaseError> {
    for due in deadlines(engine) {
        let (granted, turned_idle) = asked_again(engine, call, due);
        prop_assert!(!granted || turned_idle, "{call:?}: told null, fits at {due}");
    }
    Ok(())
}

fn deadlines(engine: &Engine) -> Vec<i64> {
    let now = engine.now();
    engine.leases().iter().map(|lease| lease.deadline).filter(|&due| due >= now).collect()
}

/// Whether the same request is granted at `then`, if those who keep their word did so, and
/// whether somebody is idle then who was not before.
fn asked_again(engine: &Engine, call: Call, then: i64) -> (bool, bool) {
    let mut later = engine.clone();
    let now = later.now();
    let mut due: Vec<(i64, LeaseId)> =
        later.leases().iter().map(|lease| (lease.deadline, lease.id)).collect();
    due.retain(|&(deadline, _)| (now..=then).contains(&deadline));
    due.sort_unstable();
    for (deadline, lease) in due {
        later.release(deadline, lease).expect("held until its deadline");
    }
    let Called::Acquire { tenant: asker, .. } = call.what else { return (false, false) };
    let (before, after) = (engine.stats(now).tenants, later.stats(then).tenants);
    let rows = before.iter().zip(&after);
    let turned_idle =
        rows.enumerate().any(|(tenant, rows)| tenant != asker && !rows.0.idle && rows.1.idle);
    let outcome = apply(&mut later, Call { now: then, ..call });
    (matches!(outcome, Outcome::Granted(_)), turned_idle)
}
