//! An id is never given twice, and says whether it was ever given.

use std::collections::BTreeSet;

use fairgate::engine::{Engine, LeaseId};

use crate::engine::judge::scene::even_split;

#[test]
fn an_id_is_never_given_again_after_its_release() {
    let mut gate = even_split();
    let mut seen = BTreeSet::new();
    for now in 0..200 {
        gate.ask(now, "a1", 10.0, 100);
        assert!(seen.insert(gate.lease_id("a1")));
        gate.release(now, "a1");
    }
}

#[test]
fn a_refusal_uses_up_no_id() {
    let mut gate = even_split();
    gate.ask(0, "a1", 10.0, 100);
    gate.ask(0, "a2", 101.0, 100);
    gate.ask(0, "a2", 10.0, 100);
    assert_eq!((gate.lease_id("a1").seq, gate.lease_id("a2").seq), (1, 2));
}

#[test]
fn engines_of_two_epochs_share_no_id() {
    let mut gate = even_split();
    gate.ask(0, "a1", 10.0, 100);
    let id = gate.lease_id("a1");
    let config = gate.engine.config().as_ref().clone();
    let mut other = Engine::new(config, id.epoch + 1);
    assert!(gate.engine.has_issued(id) && !other.has_issued(id));
    assert_eq!(other.lease(id), None);
    assert_eq!(other.release(0, id), None);
}

#[test]
fn an_id_says_whether_it_was_ever_given() {
    let mut gate = even_split();
    gate.ask(0, "a1", 10.0, 100);
    gate.release(0, "a1");
    let id = gate.lease_id("a1");
    assert!(gate.engine.has_issued(id));
    for seq in [0, 2, u64::MAX] {
        assert!(!gate.engine.has_issued(LeaseId { seq, ..id }), "{seq}");
    }
}

#[test]
fn the_release_of_an_id_of_another_epoch_leaves_the_lease_alone() {
    let mut gate = even_split();
    gate.ask(0, "a1", 10.0, 100);
    let id = gate.lease_id("a1");
    assert_eq!(gate.engine.release(0, LeaseId { epoch: id.epoch ^ 1, ..id }), None);
    assert_eq!(gate.holds(0, "a"), "own 10, borrowed 0, lent 0, free 40");
}

#[test]
fn a_lease_can_be_looked_up_while_it_is_held() {
    let mut gate = even_split();
    gate.ask(0, "b1", 60.0, 100);
    let lease = gate.engine.lease(gate.lease_id("b1")).expect("held").clone();
    assert_eq!((lease.granted_at, lease.deadline, lease.hold_ms()), (0, 100, 100));
    assert_eq!(lease.borrowed_units().to_string(), "10");
    assert!(!lease.is_overrun(100) && lease.is_overrun(101));
    gate.release(50, "b1");
    assert_eq!(gate.engine.lease(lease.id), None);
}

#[test]
fn leases_are_listed_in_the_order_of_their_grants() {
    let mut gate = even_split();
    for name in ["b1", "a1", "b2", "a2"] {
        gate.ask(0, name, 10.0, 100);
    }
    gate.release(0, "a1");
    let listed: Vec<_> = gate.engine.leases().iter().map(|lease| lease.id).collect();
    assert_eq!(listed, ["b1", "b2", "a2"].map(|name| gate.lease_id(name)));
    assert_eq!(gate.engine.lease_count(), 3);
}
