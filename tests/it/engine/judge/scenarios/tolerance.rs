//! Units compare with a slack of 1e-9, and no slack adds up.

use crate::engine::judge::scene::{Scene, even_split, settings, shared_by};

#[test]
fn three_thirds_fill_a_ceiling() {
    let mut gate = shared_by(100.0, "abc");
    for name in ["a1", "b1", "c1"] {
        assert_eq!(gate.ask(0, name, 33.333_333_333_3, 100), "own 33.333333");
    }
    let mut gate = shared_by(1.0, "abc");
    assert_eq!(gate.ask(0, "a1", 1.0, 100), "own 0.333333, 0.333333 from b, 0.333333 from c");
}

#[test]
fn a_third_that_was_rounded_up_in_its_last_digit_fits() {
    let mut gate = shared_by(100.0, "abc");
    assert_eq!(gate.ask(0, "a1", 33.333_333_333_4, 9_000), "own 33.333333");
}

#[test]
fn a_charge_fits_by_less_than_the_tolerance_and_not_by_more() {
    assert_eq!(even_split().ask(0, "a1", 50.0 + 0.9e-9, 9_000), "own 50");
    let more = even_split().ask(0, "a1", 50.0 + 1.1e-9, 9_000);
    assert_eq!(more, "hold_exceeds_reclaim_horizon, for good");
}

#[test]
fn the_ceiling_is_met_by_less_than_the_tolerance_and_not_by_more() {
    assert_eq!(even_split().ask(0, "a1", 100.0 + 0.9e-9, 100), "own 50, 50 from b");
    let more = even_split().ask(0, "a1", 100.0 + 1.1e-9, 100);
    assert_eq!(more, "cost_exceeds_ceiling, for good");
}

#[test]
fn a_charge_below_the_tolerance_does_not_fit_into_a_ceiling_that_is_full() {
    let mut gate = shared_by(1.0, "a");
    assert_eq!(gate.ask(0, "a1", 1.0 + 0.5e-9, 50), "own 1");
    assert_eq!(gate.ask(0, "a2", 0.8e-9, 50), "no_lendable_capacity, retry in 50, behind a1");
}

#[test]
fn own_units_below_the_tolerance_are_not_worth_a_part_of_a_loan() {
    let mut gate = even_split();
    gate.ask(0, "b1", 50.0 - 0.5e-9, 100);
    let lease = match gate.outcome(0, "b2", 10.0, 100) {
        fairgate::engine::Outcome::Granted(granted) => granted.lease,
        other => panic!("{other:?}"),
    };
    assert_eq!((lease.own.to_bits(), lease.borrowed.len()), (0.0_f64.to_bits(), 1));
}

#[test]
fn a_loan_of_everything_leaves_nothing_over_where_units_are_many() {
    let weights = [("a", 0.1), ("b", 0.2), ("c", 0.7), ("d", 0.3)];
    for ceiling in [1e5, 1e9, 1e12] {
        let mut gate = Scene::of(settings(ceiling, &weights));
        gate.ask(0, "a1", ceiling, 50);
        assert_eq!(gate.stats(0).held.to_bits(), ceiling.to_bits());
    }
}

#[test]
fn a_tenant_with_no_lease_holds_exactly_nothing() {
    let mut gate = shared_by(1.0, "abc");
    for round in 0..100 {
        for name in ["a1", "b1", "c1"] {
            gate.ask(round, name, 0.1 + 0.001 * f64::from(u8::try_from(round).unwrap()), 100);
        }
        for name in ["a1", "b1", "c1"] {
            gate.release(round, name);
        }
    }
    for row in gate.stats(100).tenants {
        let none = [row.held, row.own_used, row.borrowed, row.lent].map(f64::to_bits);
        assert_eq!(none, [0.0_f64.to_bits(); 4]);
        assert_eq!(row.free.to_bits(), row.guarantee.to_bits());
    }
}

#[test]
fn free_is_never_shown_below_zero() {
    let mut gate = even_split();
    gate.ask(0, "a1", 50.0 + 0.9e-9, 100);
    assert_eq!(gate.tenant(0, "a").free.to_bits(), 0.0_f64.to_bits());
}

#[test]
fn a_cost_so_large_that_the_total_overflows_leaves_the_shares_numbers() {
    let split = settings(10.0, &[("a", 1.0), ("b", 1.0)]);
    let unit = Some(fairgate::engine::FairnessUnit::Requests);
    let mut gate = Scene::of(fairgate::engine::Settings { fairness_unit: unit, ..split });
    for name in ["a1", "a2", "b1", "b2"] {
        gate.ask(0, name, f64::MAX, 100);
    }
    let shares = gate.engine.fairness().cost_share;
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
}

#[test]
fn guarantees_add_up_to_the_ceiling_however_small_the_weights() {
    let mut gate = Scene::of(settings(0.1, &[("a", f64::from_bits(1))]));
    assert_eq!(gate.ask(0, "a1", 0.1, 9_000), "own 0.1");
}

#[test]
fn shares_below_the_tolerance_are_neither_offered_nor_made_up_for() {
    let mut gate = Scene::of(settings(1.0, &[("a", 1e9), ("b", 1.0), ("c", 1.0)]));
    let whole = gate.ask(0, "b1", 1.0, 50);
    assert!(whole.starts_with("no_lendable") || whole == "own 0, 1 from a", "{whole}");
}

#[test]
fn a_lender_is_not_overdrawn_for_own_units_that_are_too_few_to_count() {
    let mut gate = even_split();
    gate.ask(0, "b1", 50.0 - 0.8e-9, 100);
    gate.ask(0, "b2", 50.0 + 1.7e-9, 100);
    let lent = gate.tenant(0, "a").lent;
    assert!(lent <= 50.0 + 1e-9, "{lent}");
}
