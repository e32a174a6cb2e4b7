//! Charges smaller than the slack cannot creep past the ceiling, however many are taken.

use fairgate::engine::{Acquire, Config, Decision, Engine, invariants};
use proptest::prelude::*;

use super::super::scene::settings;
use super::runs;

/// An engine whose ceiling is full to the brim, with the loans a tenant of a third can take.
fn full(tenants: &[(&str, f64)]) -> Engine {
    let mut engine = Engine::new(Config::new(settings(1.0, tenants)).expect("valid"), 1);
    let ask = Acquire { tenant: "a", cost: 1.0, hold_ms: 100 };
    assert!(matches!(engine.acquire(0, ask), Ok(Decision::Granted(_))));
    engine
}

fn ask_for_each(engine: &mut Engine, charges: impl IntoIterator<Item = f64>) {
    for cost in charges {
        for tenant in ["a", "b", "c"] {
            engine.acquire(10, Acquire { tenant, cost, hold_ms: 100 }).ok();
        }
    }
    let held = engine.stats(10).held;
    assert!(held <= 1.0 + 3e-9, "{held} units are held under a ceiling of 1");
    assert_eq!(invariants::first_broken(engine), None);
}

#[test]
fn ten_thousand_tiny_charges_do_not_creep_past_a_full_ceiling() {
    for tiny in [0.9e-9, 1e-10, 1e-12, 1e-300, f64::from_bits(1)] {
        ask_for_each(&mut full(&[("a", 1.0)]), std::iter::repeat_n(tiny, 10_000));
    }
}

#[test]
fn tiny_charges_do_not_creep_past_a_ceiling_that_is_full_of_loans() {
    for tiny in [0.9e-9, 3e-10, 1e-11] {
        ask_for_each(
            &mut full(&[("a", 1.0), ("b", 1.0), ("c", 1.0)]),
            std::iter::repeat_n(tiny, 2_000),
        );
    }
}

proptest! {
    #![proptest_config(runs(50))]

    #[test]
    fn no_mixture_of_tiny_charges_creeps(parts in prop::collection::vec(1e-12..2e-9_f64, 1..300)) {
        ask_for_each(&mut full(&[("a", 1.0), ("b", 2.0), ("c", 0.1)]), parts);
    }
}
