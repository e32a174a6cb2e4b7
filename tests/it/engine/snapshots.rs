//! A state taken apart and put together again, or refused.

use fairgate::engine::{Config, Engine, RestoreError, State};

use super::story::{Story, settings};

fn config() -> Config {
    Config::new(settings(&[("a", 1.0), ("b", 1.0)])).unwrap()
}

fn state() -> State {
    let mut story = Story::two();
    story.grant(0, "b", 80.0, 100);
    story.refuse(10, "a", 50.0, 100);
    story.engine.state()
}

#[test]
fn a_state_comes_back_as_it_was() {
    let restored = Engine::restore(config(), state()).unwrap();
    assert_eq!(restored.state(), state());
    let mut story = Story { engine: restored };
    assert_eq!(story.refuse(20, "a", 50.0, 100).retry_after_ms, Some(80));
    assert_eq!(story.stats(20, "a").deficit_unit_ms, 500.0);
}

#[test]
fn a_state_of_other_tenants_is_refused() {
    let other = Config::new(settings(&[("a", 1.0)])).unwrap();
    let error = Engine::restore(other, state()).unwrap_err();
    assert_eq!(error, RestoreError::TenantCount { state: 2, config: 1 });
}

#[test]
fn a_state_that_does_not_add_up_is_refused() {
    let mut broken = state();
    broken.leases[0].units += 1.0;
    assert!(matches!(Engine::restore(config(), broken), Err(RestoreError::Invariant { .. })));
    let mut broken = state();
    broken.leases.clear();
    assert!(matches!(Engine::restore(config(), broken), Err(RestoreError::Invariant { .. })));
}

#[test]
fn a_lease_with_a_number_that_was_never_given_is_refused() {
    let mut broken = state();
    broken.leases[0].id.seq = 9;
    let error = Engine::restore(config(), broken).unwrap_err();
    assert_eq!(error, RestoreError::LeaseNumber { seq: 9 });
}
