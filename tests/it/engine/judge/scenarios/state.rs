//! A snapshot is the whole engine, and one that does not add up is refused.

use fairgate::engine::{Engine, RestoreError, State};

use crate::engine::judge::scene::{Scene, even_split, shared_by};

/// An engine with loans out, a want and a reclaim in progress.
fn busy() -> Scene {
    let mut gate = even_split();
    gate.ask(0, "b1", 70.0, 100);
    gate.ask(10, "a1", 50.0, 100);
    gate
}

fn restore(gate: &Scene, change: impl FnOnce(&mut State)) -> Result<Engine, RestoreError> {
    let mut state = gate.engine.state();
    change(&mut state);
    Engine::restore(gate.engine.config().as_ref().clone(), state)
}

#[test]
fn a_restored_engine_goes_on_where_the_other_stopped() {
    let mut gate = busy();
    gate.engine = restore(&gate, |_| ()).expect("its own state");
    assert_eq!(gate.ask(20, "b2", 50.0, 100), "no_lendable_capacity, retry in 80, behind b1");
    gate.release(100, "b1");
    assert_eq!(gate.ask(100, "a1", 50.0, 100), "own 50");
    assert_eq!(gate.waits(100, "a"), "wants nothing, deficit 4500, worst 90");
}

#[test]
fn a_restored_engine_gives_no_id_again() {
    let mut gate = busy();
    gate.release(20, "b1");
    let last = gate.lease_id("b1");
    gate.engine = restore(&gate, |_| ()).expect("its own state");
    assert!(gate.engine.has_issued(last));
    gate.ask(20, "a1", 50.0, 100);
    assert!(gate.lease_id("a1") > last);
}

#[test]
fn a_state_of_other_tenants_is_refused() {
    let other = shared_by(100.0, "abc");
    let config = other.engine.config().as_ref().clone();
    let error = Engine::restore(config, busy().engine.state()).unwrap_err();
    assert_eq!(error, RestoreError::TenantCount { state: 2, config: 3 });
}

#[test]
fn a_state_whose_lease_names_no_tenant_is_refused() {
    let mut many = shared_by(90.0, "abc");
    many.ask(0, "c1", 80.0, 100);
    let lease = many.engine.state().leases.remove(0);
    let error = restore(&busy(), |state| state.leases[0] = lease).unwrap_err();
    assert_eq!(error, RestoreError::UnknownTenant { seq: 1 });
}

#[test]
fn a_state_with_one_lease_number_twice_or_from_the_future_is_refused() {
    let twice = restore(&busy(), |state| {
        let mut copy = state.leases[0].clone();
        copy.deadline += 1;
        state.leases.push(copy);
    });
    assert_eq!(twice.unwrap_err(), RestoreError::LeaseNumber { seq: 1 });
    let future = restore(&busy(), |state| state.leases[0].id.seq = 99);
    assert_eq!(future.unwrap_err(), RestoreError::LeaseNumber { seq: 99 });
}

#[test]
fn a_state_whose_totals_are_not_its_leases_is_refused() {
    let broken = restore(&busy(), |state| {
        state.leases.clear();
    });
    let Err(RestoreError::Invariant { name, detail }) = broken else { panic!("{broken:?}") };
    assert_eq!(name, "accounts_equal_leases");
    assert!(detail.contains("tenant"), "{detail}");
}

#[test]
fn a_state_with_a_loan_beyond_the_horizon_is_refused() {
    let broken = restore(&busy(), |state| state.leases[0].deadline += 1);
    let Err(RestoreError::Invariant { name, .. }) = broken else { panic!("{broken:?}") };
    assert_eq!(name, "loans_end_within_the_horizon");
}

#[test]
fn a_state_with_a_lender_that_was_not_idle_is_refused() {
    let broken = restore(&busy(), |state| state.leases[0].borrowed[0].lender_active_at = -999);
    let Err(RestoreError::Invariant { name, .. }) = broken else { panic!("{broken:?}") };
    assert_eq!(name, "lenders_were_idle");
}

#[test]
fn a_state_whose_lease_is_not_the_sum_of_its_parts_is_refused() {
    let broken = restore(&busy(), |state| state.leases[0].borrowed[0].units -= 1.0);
    assert!(matches!(broken, Err(RestoreError::Invariant { .. })), "{broken:?}");
}
