//! Names of leases, and what becomes of them.

use fairgate::engine::{Command, Config, Engine, LeaseId, Outcome};

use super::story::{Story, settings};

#[test]
fn ids_count_the_grants_and_are_never_given_twice() {
    let mut story = Story::two();
    let first = story.grant(0, "a", 1.0, 10);
    story.release(0, &first);
    story.refuse(0, "a", 1_000.0, 10);
    let second = story.grant(0, "b", 1.0, 10);
    assert_eq!((first.id.seq, second.id.seq), (1, 2));
    assert_eq!(first.id.epoch, 7);
}

#[test]
fn an_id_says_whether_it_was_ever_issued() {
    let mut story = Story::two();
    let lease = story.grant(0, "a", 1.0, 10);
    story.release(0, &lease);
    let id = |epoch, seq| LeaseId { epoch, seq };
    assert!(story.engine.has_issued(lease.id));
    for unknown in [id(7, 0), id(7, 2), id(7, u64::MAX), id(8, 1)] {
        assert!(!story.engine.has_issued(unknown), "{unknown}");
    }
}

#[test]
fn a_release_works_once() {
    let mut story = Story::two();
    let lease = story.grant(0, "a", 10.0, 100);
    story.release(10, &lease);
    let before = story.engine.state();
    assert_eq!(story.engine.release(10, lease.id), None);
    assert_eq!(story.engine.state(), before);
}

#[test]
fn a_release_that_finds_nothing_still_moves_the_time() {
    let mut story = Story::two();
    assert_eq!(story.engine.release(500, LeaseId { epoch: 7, seq: 9 }), None);
    assert_eq!(story.engine.now(), 500);
    assert!(story.stats(500, "a").idle, "it is nobody's activity");
}

#[test]
fn the_id_of_another_engine_releases_nothing() {
    let mut story = Story::two();
    let lease = story.grant(0, "a", 10.0, 100);
    assert_eq!(story.engine.release(1, LeaseId { epoch: 8, ..lease.id }), None);
    assert_eq!(story.stats(1, "a").held, 10.0);
}

#[test]
fn leases_are_listed_in_the_order_of_their_grants() {
    let mut story = Story::two();
    for _ in 0..50 {
        story.grant(0, "a", 1.0, 100);
    }
    let seqs: Vec<_> = story.engine.leases().iter().map(|lease| lease.id.seq).collect();
    assert_eq!(seqs, (1..=50).collect::<Vec<_>>());
    let page = story.engine.leases_after(10, 5, |lease| lease.id.seq % 2 == 0);
    let page: Vec<_> = page.iter().map(|lease| lease.id.seq).collect();
    assert_eq!(page, [12, 14, 16, 18, 20]);
}

#[test]
fn one_door_and_the_friendly_ones_lead_to_the_same_state() {
    let config = || Config::new(settings(&[("a", 1.0), ("b", 1.0)])).unwrap();
    let (mut door, mut friendly) = (Engine::new(config(), 7), Engine::new(config(), 7));
    let ask = fairgate::engine::Acquire { tenant: "b", cost: 80.0, hold_ms: 100 };
    let Outcome::Granted(granted) = door.apply(0, Command::Acquire(ask)) else { panic!("refused") };
    friendly.acquire(0, ask).unwrap();
    assert!(matches!(door.apply(5, Command::Release(granted.lease.id)), Outcome::Released(_)));
    friendly.release(5, granted.lease.id);
    assert!(matches!(door.apply(5, Command::Release(granted.lease.id)), Outcome::NotHeld(_)));
    friendly.release(5, granted.lease.id);
    assert_eq!(door.state(), friendly.state());
}

#[test]
fn a_lease_knows_its_cost_where_requests_are_counted() {
    let mut requests = settings(&[("a", 1.0), ("b", 1.0)]);
    requests.fairness_unit = Some(fairgate::engine::FairnessUnit::Requests);
    let mut story = Story::new(requests);
    let lease = story.grant(0, "a", 4_200.0, 10);
    assert_eq!((lease.units, lease.cost), (1.0, 4_200.0));
}
