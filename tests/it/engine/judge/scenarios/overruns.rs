//! A lease held after its deadline is counted, listed and never freed by itself.

use crate::engine::judge::scene::{even_split, shared_by};

#[test]
fn a_lease_is_no_overrun_at_its_deadline_and_is_one_a_millisecond_later() {
    let mut gate = even_split();
    gate.ask(0, "b1", 10.0, 100);
    assert_eq!(gate.overrun(100), "");
    assert_eq!(gate.overrun(101), "b1");
}

#[test]
fn an_overrun_lease_goes_on_counting_against_the_ceiling() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    assert_eq!(gate.ask(100_000, "a1", 1.0, 10), "guarantee_on_loan, behind b1");
    assert_eq!(gate.holds(100_000, "b"), "own 50, borrowed 50, lent 0, free 0");
}

#[test]
fn no_time_is_quoted_where_an_overrun_lease_is_what_blocks() {
    let mut gate = even_split();
    gate.ask(0, "b1", 100.0, 100);
    assert_eq!(gate.ask(100, "a1", 50.0, 10), "guarantee_on_loan, retry in 0, behind b1");
    assert_eq!(gate.ask(101, "a1", 50.0, 10), "guarantee_on_loan, behind b1");
}

#[test]
fn a_time_is_quoted_where_the_leases_in_time_suffice_without_the_overrun_one() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "b1", 40.0, 10);
    gate.ask(50, "c1", 50.0, 100);
    assert_eq!(gate.ask(60, "a1", 20.0, 10), "guarantee_on_loan, retry in 90, behind c1");
    assert_eq!(gate.ask(60, "a1", 30.0, 10), "guarantee_on_loan, behind b1 c1");
}

#[test]
fn overrun_leases_are_listed_longest_overdue_first() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "a1", 10.0, 300);
    gate.ask(0, "b1", 10.0, 100);
    gate.ask(0, "c1", 10.0, 200);
    gate.ask(100, "c2", 10.0, 100);
    assert_eq!(gate.overrun(150), "b1");
    assert_eq!(gate.overrun(1_000), "b1 c1 c2 a1");
}

#[test]
fn a_lease_with_many_lenders_is_listed_once() {
    let mut gate = shared_by(90.0, "abc");
    gate.ask(0, "c1", 90.0, 100);
    assert_eq!(gate.overrun(500), "c1");
    assert_eq!(gate.tenant(500, "c").overrun_leases, 1);
    assert_eq!(gate.tenant(500, "c").oldest_overrun_ms, 400);
    assert_eq!(gate.tenant(500, "a").overrun_leases, 0);
}

#[test]
fn a_lease_with_no_own_part_is_listed_too() {
    let mut gate = even_split();
    gate.ask(0, "b1", 50.0, 1_000);
    gate.ask(0, "b2", 50.0, 100);
    assert_eq!(gate.overrun(500), "b2");
}

#[test]
fn a_release_says_by_how_much_the_lease_overran() {
    let mut gate = even_split();
    gate.ask(0, "b1", 10.0, 100);
    gate.ask(0, "b2", 10.0, 100);
    assert_eq!(gate.release(100, "b1"), "held 100");
    assert_eq!(gate.release(140, "b2"), "held 140, 40 too long");
    assert_eq!(gate.overrun(1_000), "");
}

#[test]
fn a_tenant_that_overruns_is_present_for_as_long_as_it_holds() {
    let mut gate = even_split();
    gate.ask(0, "b1", 10.0, 100);
    assert_eq!(gate.ask(50_000, "a1", 60.0, 100), "no_lendable_capacity");
}
