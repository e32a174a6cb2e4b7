//! Leases held past their deadline: counted, listed, and never freed by themselves.

use fairgate::engine::Reason;

use super::story::Story;

#[test]
fn an_overrun_lease_stays_counted_for_ever() {
    let mut story = Story::two();
    story.grant(0, "b", 100.0, 100);
    for now in [101, 10_000, 1_000_000_000] {
        assert_eq!(story.refused(now, "a", 50.0, 100), Reason::GuaranteeOnLoan);
        assert_eq!(story.engine.stats(now).held, 100.0);
    }
}

#[test]
fn overruns_are_listed_longest_overdue_first_and_by_grant_where_equal() {
    let mut story = Story::two();
    let late = story.grant(0, "a", 1.0, 50);
    let first = story.grant(0, "b", 1.0, 20);
    let second = story.grant(0, "a", 1.0, 20);
    story.grant(0, "a", 1.0, 500);
    let overrun: Vec<_> = story.engine.stats(100).overrun.iter().map(|held| held.lease).collect();
    assert_eq!(overrun, [first.id, second.id, late.id]);
}

#[test]
fn an_overrun_lease_with_many_loans_is_listed_once() {
    let weights = [("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 1.0)];
    let mut story = Story::new(super::story::settings(&weights));
    let lease = story.grant(0, "d", 100.0, 10);
    assert_eq!(lease.borrowed.len(), 3);
    assert_eq!(story.engine.stats(500).overrun.len(), 1);
    assert_eq!(story.stats(500, "d").overrun_leases, 1);
}

#[test]
fn each_tenants_overruns_are_counted_with_the_oldest() {
    let mut story = Story::two();
    story.grant(0, "a", 1.0, 10);
    story.grant(0, "a", 1.0, 30);
    story.grant(0, "b", 1.0, 1_000);
    let stats = story.stats(50, "a");
    assert_eq!((stats.leases, stats.overrun_leases, stats.oldest_overrun_ms), (2, 2, 40));
    assert_eq!(story.stats(50, "b").overrun_leases, 0);
}

#[test]
fn a_borrowed_lease_counts_as_its_holders_overrun_not_its_lenders() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 1_000);
    story.grant(0, "b", 50.0, 10);
    assert_eq!(story.stats(50, "b").overrun_leases, 1);
    assert_eq!(story.stats(50, "a").overrun_leases, 0);
}

#[test]
fn no_retry_time_is_quoted_once_the_needed_lease_is_overrun() {
    let mut story = Story::two();
    story.grant(0, "b", 50.0, 500);
    let short = story.grant(0, "b", 20.0, 60);
    let long = story.grant(0, "b", 30.0, 100);
    assert_eq!(story.refuse(60, "a", 50.0, 100).retry_after_ms, Some(40));
    let refusal = story.refuse(61, "a", 50.0, 100);
    assert_eq!(refusal.retry_after_ms, None);
    let blocking: Vec<_> = refusal.blocking.iter().map(|held| held.lease).collect();
    assert_eq!(blocking, [short.id, long.id], "the overrun one too");
    // What does not need the overrun lease still has its time.
    assert_eq!(story.refuse(61, "a", 30.0, 100).retry_after_ms, Some(39));
}

#[test]
fn a_late_release_says_by_how_much_and_frees_the_units() {
    let mut story = Story::two();
    let lease = story.grant(0, "b", 100.0, 100);
    let released = story.release(350, &lease);
    assert_eq!((released.held_ms, released.hold_ms, released.overran_ms), (350, 100, 250));
    story.grant(350, "a", 50.0, 100);
    assert!(story.engine.stats(350).overrun.is_empty());
}

#[test]
fn an_early_release_has_not_overrun() {
    let mut story = Story::two();
    let lease = story.grant(0, "b", 100.0, 100);
    let released = story.release(30, &lease);
    assert_eq!((released.held_ms, released.overran_ms, released.units), (30, 0, 100.0));
}

#[test]
fn overrun_loans_of_idle_lenders_block_and_are_listed() {
    let weights = [("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 1.0)];
    let mut story = Story::new(super::story::settings(&weights));
    // d's lease draws on all the others and is never given back.
    let stuck = story.grant(0, "d", 100.0, 10);
    // c comes back: it waits for its own units, and cannot borrow a's or b's either.
    let refusal = story.refuse(500, "c", 30.0, 10);
    assert_eq!(refusal.reason, Reason::NoLendableCapacity);
    assert_eq!((refusal.retry_after_ms, refusal.blocking_total), (None, 1));
    assert_eq!(refusal.blocking[0].lease, stuck.id);
    assert_eq!(refusal.blocking[0].units, 75.0, "c's, a's and b's");
}
