//! Each borrowed slice has one named lender; the largest lends first, and wholly.

use crate::engine::judge::scene::{Scene, even_split, settings, shared_by};

fn four(weights: [f64; 4]) -> Scene {
    let [a, b, c, d] = weights;
    Scene::of(settings(100.0, &[("a", a), ("b", b), ("c", c), ("d", d)]))
}

#[test]
fn own_units_are_used_before_anything_is_borrowed() {
    let mut gate = even_split();
    assert_eq!(gate.ask(0, "b1", 30.0, 100), "own 30");
    assert_eq!(gate.ask(0, "b2", 30.0, 100), "own 20, 10 from a");
}

#[test]
fn of_four_tenants_the_largest_lender_funds_the_whole_loan() {
    let mut gate = four([2.0, 2.0, 5.0, 1.0]);
    assert_eq!(gate.ask(0, "d1", 40.0, 100), "own 10, 30 from c");
    assert_eq!(gate.ask(10, "a1", 20.0, 100), "own 20");
    assert_eq!(gate.ask(10, "b1", 20.0, 100), "own 20");
    assert_eq!(gate.ask(10, "c1", 50.0, 100), "guarantee_on_loan, retry in 90, behind d1");
}

#[test]
fn each_lender_is_drawn_on_wholly_before_the_next() {
    let mut gate = four([2.0, 3.0, 4.0, 1.0]);
    assert_eq!(gate.ask(0, "d1", 85.0, 100), "own 10, 40 from c, 30 from b, 5 from a");
}

#[test]
fn equal_lenders_lend_in_the_order_of_the_configuration() {
    let mut gate = shared_by(100.0, "abcd");
    assert_eq!(gate.ask(0, "b1", 60.0, 100), "own 25, 25 from a, 10 from c");
}

#[test]
fn lenders_that_differ_by_less_than_the_tolerance_are_equal() {
    let mut gate = four([1.0, 1.0 + 1e-11, 1.0, 1.0]);
    assert_eq!(gate.ask(0, "d1", 30.0, 100), "own 25, 5 from a");
}

#[test]
fn lenders_that_differ_by_more_than_the_tolerance_are_not_equal() {
    let mut gate = four([1.0, 1.0 + 1e-9, 1.0, 1.0]);
    assert_eq!(gate.ask(0, "d1", 30.0, 100), "own 25, 5 from b");
}

#[test]
fn the_tie_is_with_the_largest_and_not_from_neighbour_to_neighbour() {
    // Each is within the tolerance of the next, but a is not within it of c.
    let mut gate = four([1.0, 1.0 + 2.8e-11, 1.0 + 5.6e-11, 1.0]);
    assert_eq!(gate.ask(0, "d1", 30.0, 100), "own 25, 5 from b");
}

#[test]
fn what_a_lender_has_lent_already_it_does_not_offer_again() {
    let mut gate = four([3.0, 2.0, 4.0, 1.0]);
    assert_eq!(gate.ask(0, "d1", 30.0, 100), "own 10, 20 from c");
    assert_eq!(gate.ask(0, "d2", 35.0, 100), "own 0, 30 from a, 5 from b");
    assert_eq!(gate.ask(0, "d3", 21.0, 100), "own 0, 20 from c, 1 from b");
}

#[test]
fn a_released_loan_goes_home_to_its_own_lender() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "c1", 90.0, 100);
    gate.release(50, "c1");
    gate.ask(50, "c2", 60.0, 100);
    assert_eq!(gate.holds(50, "a"), "own 0, borrowed 0, lent 30, free 0, idle");
    assert_eq!(gate.holds(50, "b"), "own 0, borrowed 0, lent 0, free 30, idle");
    assert_eq!(gate.holds(50, "c"), "own 30, borrowed 30, lent 0, free 0");
}

#[test]
fn a_tenant_that_is_present_does_not_lend_though_it_holds_nothing() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "a1", 91.0, 100);
    assert_eq!(gate.ask(1, "c1", 40.0, 100), "own 30, 10 from b");
    assert_eq!(gate.ask(1, "c2", 30.0, 100), "no_lendable_capacity, retry in 100, behind c1");
}

#[test]
fn two_borrowers_share_one_lender_and_each_slice_keeps_its_holder() {
    let mut gate = shared_by(90.0, "abc");
    assert_eq!(gate.ask(0, "b1", 40.0, 50), "own 30, 10 from a");
    assert_eq!(gate.ask(0, "c1", 50.0, 80), "own 30, 20 from a");
    assert_eq!(gate.ask(10, "a1", 10.0, 80), "guarantee_on_loan, retry in 40, behind b1");
    assert_eq!(gate.ask(10, "a1", 30.0, 80), "guarantee_on_loan, retry in 70, behind b1 c1");
}

#[test]
fn a_lender_lends_the_rest_after_part_of_its_guarantee_is_out() {
    let mut gate = even_split();
    assert_eq!(gate.ask(0, "b1", 70.0, 100), "own 50, 20 from a");
    assert_eq!(gate.ask(0, "b2", 30.0, 100), "own 0, 30 from a");
    let full = gate.ask(0, "b3", 0.1, 100);
    assert_eq!(full, "no_lendable_capacity, retry in 100, behind b1");
}

#[test]
fn grants_are_all_or_nothing() {
    let mut gate = even_split();
    gate.ask(0, "a1", 30.0, 100);
    gate.ask(0, "b1", 20.0, 100);
    assert_eq!(gate.ask(0, "b2", 50.0, 100), "no_lendable_capacity, retry in 100, behind b1");
    assert_eq!(gate.holds(0, "b"), "own 20, borrowed 0, lent 0, free 30");
}

#[test]
fn a_lender_may_borrow_from_another_while_its_own_units_are_out() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "c1", 60.0, 100);
    assert_eq!(gate.ask(10, "a1", 30.0, 100), "own 0, 30 from b");
    assert_eq!(gate.holds(10, "a"), "own 0, borrowed 30, lent 30, free 0");
}
