//! A retry estimate is exact where the holders keep their word and nobody else asks: then the
//! request is granted, and not a millisecond before, unless somebody turned idle meanwhile. An
//! estimate for units of one's own does not count on borrowing, so that may come true earlier.

use fairgate::engine::{Engine, Granted, LeaseId, Outcome, Reason, Refusal};
use proptest::prelude::*;

use super::runs;
use super::steps::{rules, steps};
use super::world::{Call, World, apply};

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
        return no_deadline_cures(engine, call, refusal.reason);
    };
    prop_assert!(wait_ms >= 0);
    let instants = deadlines(engine).into_iter().flat_map(|due| [due - 1, due, due + 1]);
    let mut early: Vec<_> = instants.chain([now, now + wait_ms - 1]).collect();
    early.retain(|&then| (now..now + wait_ms).contains(&then));
    for then in early {
        let expected = asked_again(engine, call, then).is_expected_early(refusal.reason);
        prop_assert!(expected, "{call:?}: told {wait_ms}, fits at {then} already");
    }
    let then = asked_again(engine, call, now + wait_ms);
    prop_assert!(
        then.granted.is_some(),
        "{call:?}: told {wait_ms}, and does not fit then: {refusal:?}"
    );
    Ok(())
}

/// Where there is no estimate, the request fits at no deadline.
fn no_deadline_cures(engine: &Engine, call: Call, reason: Reason) -> Result<(), TestCaseError> {
    for due in deadlines(engine) {
        let expected = asked_again(engine, call, due).is_expected_early(reason);
        prop_assert!(expected, "{call:?}: told null, fits at {due}");
    }
    Ok(())
}

fn deadlines(engine: &Engine) -> Vec<i64> {
    let now = engine.now();
    engine.leases().iter().map(|lease| lease.deadline).filter(|&due| due >= now).collect()
}

/// What came of asking again.
struct Again {
    granted: Option<Granted>,
    /// Whether somebody is idle who was not when the estimate was made.
    turned_idle: bool,
}

impl Again {
    fn is_expected_early(&self, reason: Reason) -> bool {
        self.granted.as_ref().is_none_or(|granted| {
            let borrows = !granted.lease.borrowed.is_empty();
            self.turned_idle || (reason == Reason::GuaranteeOnLoan && borrows)
        })
    }
}

/// The same request at `then`, if those who keep their word did so.
fn asked_again(engine: &Engine, call: Call, then: i64) -> Again {
    let mut later = engine.clone();
    let now = later.now();
    let mut due: Vec<(i64, LeaseId)> =
        later.leases().iter().map(|lease| (lease.deadline, lease.id)).collect();
    due.retain(|&(deadline, _)| (now..=then).contains(&deadline));
    due.sort_unstable();
    for (deadline, lease) in due {
        later.release(deadline, lease).expect("held until its deadline");
    }
    let (before, after) = (engine.stats(now).tenants, later.stats(then).tenants);
    let turned_idle = before.iter().zip(&after).any(|(before, after)| !before.idle && after.idle);
    match apply(&mut later, Call { now: then, ..call }) {
        Outcome::Granted(granted) => Again { granted: Some(granted), turned_idle },
        _ => Again { granted: None, turned_idle },
    }
}
