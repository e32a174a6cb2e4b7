//! The bound: from the moment a tenant asks, its units are home within the horizon, whatever the
//! borrower does within its word.

use fairgate::engine::{Acquire, Decision, Reason};

use super::story::Story;

/// b holds its own half for long and a's half until 100.
fn lent() -> (Story, fairgate::engine::Lease) {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 1_000);
    let loan = story.grant(0, "b", 50.0, 100);
    assert_eq!(story.loans(&loan), [("a", 50.0)]);
    (story, loan)
}

#[test]
fn a_call_longer_than_the_horizon_gets_no_loan() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 1_000);
    assert_eq!(story.refused(0, "b", 50.0, 1_000), Reason::HoldExceedsReclaimHorizon);
    story.grant(10, "a", 50.0, 1_000);
}

#[test]
fn a_loan_ends_at_the_horizon_from_the_grant_at_the_latest() {
    let (mut story, loan) = lent();
    assert_eq!(loan.deadline, 100);
    let refusal = story.refuse(10, "a", 50.0, 100);
    assert_eq!((refusal.reason, refusal.retry_after_ms), (Reason::GuaranteeOnLoan, Some(90)));
    story.release(100, &loan);
    story.grant(100, "a", 50.0, 100);
}

#[test]
fn the_worst_loan_is_taken_in_the_instant_of_the_first_ask() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 1_000);
    let loan = story.grant(10, "b", 50.0, 100);
    story.refuse(10, "a", 50.0, 100);
    story.release(110, &loan);
    assert_eq!(story.refused(110, "b", 1.0, 1), Reason::NoLendableCapacity);
    story.grant(110, "a", 50.0, 100);
    assert_eq!(story.stats(110, "a").worst_reclaim_ms, 100);
    assert_eq!(story.stats(110, "a").returns_over_horizon, 0);
}

#[test]
fn a_borrower_that_moves_first_when_units_come_home_gets_none_of_them() {
    let (mut story, loan) = lent();
    story.refuse(10, "a", 50.0, 100);
    story.release(100, &loan);
    for cost in [50.0, 25.0, 1.0, 1e-3] {
        assert_eq!(story.refused(100, "b", cost, 100), Reason::NoLendableCapacity);
    }
    story.grant(100, "a", 50.0, 100);
}

#[test]
fn without_the_demand_signal_the_borrower_renews() {
    let (mut story, loan) = lent();
    // a is on its way but has not asked.
    story.release(100, &loan);
    let renewed = story.grant(100, "b", 50.0, 100);
    let refusal = story.refuse(100, "a", 50.0, 100);
    assert_eq!(refusal.retry_after_ms, Some(100));
    story.release(200, &renewed);
    story.grant(200, "a", 50.0, 100);
}

#[test]
fn a_borrower_that_loops_all_the_time_never_takes_units_that_are_asked_for() {
    let (mut story, loan) = lent();
    story.refuse(10, "a", 50.0, 100);
    for now in 11..100 {
        story.refused(now, "b", 10.0, 100);
    }
    story.release(100, &loan);
    for now in 100..150 {
        story.refused(now, "b", 10.0, 100);
    }
    story.grant(150, "a", 50.0, 100);
}

#[test]
fn many_borrowers_are_bound_alike() {
    let weights = [("a", 2.0), ("b", 1.0), ("c", 1.0), ("d", 1.0)];
    let mut story = Story::new(super::story::settings(&weights));
    let mut loans = Vec::new();
    for (borrower, now) in [("b", 0), ("c", 30), ("d", 60)] {
        story.grant(now, borrower, 20.0, 1_000);
        loans.push(story.grant(now, borrower, 10.0, 100));
    }
    story.refuse(60, "a", 40.0, 100);
    for loan in &loans {
        story.release(loan.deadline, loan);
        for borrower in ["b", "c", "d"] {
            story.refused(loan.deadline, borrower, 10.0, 100);
        }
    }
    assert_eq!(loans.last().unwrap().deadline, 160, "the horizon from the ask");
    story.grant(160, "a", 40.0, 100);
}

#[test]
fn a_borrower_that_overruns_breaks_the_bound_and_it_shows() {
    let (mut story, loan) = lent();
    story.refuse(10, "a", 50.0, 100);
    let refusal = story.refuse(150, "a", 50.0, 100);
    assert_eq!(refusal.retry_after_ms, None);
    assert_eq!(refusal.blocking[0].lease, loan.id);
    assert_eq!(story.stats(150, "a").returns_over_horizon, 1, "while it is in progress");
    story.release(300, &loan);
    story.grant(300, "a", 50.0, 100);
    let stats = story.stats(400, "a");
    assert_eq!((stats.worst_return_ms, stats.returns_over_horizon), (290, 1));
    assert_eq!(stats.worst_reclaim_ms, 290);
}

#[test]
fn a_broken_bound_counts_once_however_often_the_tenant_asks() {
    let (mut story, loan) = lent();
    for now in [10, 50, 120, 150, 180] {
        story.refuse(now, "a", 50.0, 100);
    }
    story.release(200, &loan);
    for now in [200, 201] {
        story.grant(now, "a", 10.0, 100);
    }
    assert_eq!(story.stats(250, "a").returns_over_horizon, 1);
}

#[test]
fn a_return_that_never_ended_before_new_loans_counts_as_broken() {
    let (mut story, _overrun) = lent();
    let units = 50.0;
    story.refuse(10, "a", units, 100);
    // a gives up, turns idle, and b's overdue lease still holds all of a's units.
    assert!(story.stats(210, "a").idle);
    assert_eq!(story.refused(210, "b", 1.0, 10), Reason::NoLendableCapacity);
    assert_eq!(story.stats(210, "a").returns_over_horizon, 1);
}

#[test]
fn a_tenant_that_lends_anew_begins_a_new_return() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 1_000);
    let stuck = story.grant(0, "b", 30.0, 100);
    story.refuse(10, "a", 50.0, 100);
    // a turned idle at 210; what it did not lend before is lent now.
    let anew = story.grant(300, "b", 10.0, 50);
    story.refuse(310, "a", 50.0, 100);
    story.release(350, &stuck);
    story.release(350, &anew);
    let stats = story.stats(350, "a");
    assert_eq!((stats.worst_return_ms, stats.returns_over_horizon), (290, 1));
}

#[test]
fn units_that_come_home_in_time_break_no_bound() {
    let (mut story, loan) = lent();
    story.refuse(0, "a", 50.0, 100);
    story.release(100, &loan);
    let stats = story.stats(500, "a");
    assert_eq!((stats.worst_return_ms, stats.returns_over_horizon), (100, 0));
}

#[test]
fn own_units_are_never_refused_while_they_are_free() {
    let (mut story, _loan) = lent();
    let mut leases = Vec::new();
    for nth in 0..10 {
        let ask = Acquire { tenant: "b", cost: 5.0, hold_ms: 1_000 };
        let decision = story.engine.acquire(nth, ask).unwrap();
        assert!(matches!(decision, Decision::Refused(_)), "b's own half is in use");
        leases.push(nth);
    }
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 1_000);
    for nth in 0..10 {
        story.grant(nth, "a", 5.0, 10_000);
    }
}
