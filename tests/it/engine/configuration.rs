//! Every rule of a configuration, broken.

use fairgate::engine::{Config, ConfigError, FairnessUnit, Settings, TENANTS_MAX, TenantSettings};

use super::story::settings;

fn errors(change: impl FnOnce(&mut Settings)) -> Vec<ConfigError> {
    let mut settings = settings(&[("a", 1.0), ("b", 1.0)]);
    change(&mut settings);
    Config::new(settings).expect_err("a broken rule")
}

fn tenant(id: &str, weight: f64) -> TenantSettings {
    TenantSettings { id: id.to_owned(), weight }
}

#[test]
fn the_ceiling_is_a_finite_number_above_zero() {
    for value in [0.0, -1.0, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(errors(|s| s.ceiling = value), [ConfigError::InvalidCeiling { value }]);
    }
    let [ConfigError::InvalidCeiling { value }] = errors(|s| s.ceiling = f64::NAN)[..] else {
        panic!("no number is no ceiling")
    };
    assert!(value.is_nan());
}

#[test]
fn the_fairness_unit_has_no_default() {
    assert_eq!(errors(|s| s.fairness_unit = None), [ConfigError::MissingFairnessUnit]);
}

#[test]
fn the_horizon_is_at_least_a_millisecond() {
    for value in [0, -5, i64::MIN] {
        let errors = errors(|s| s.reclaim_horizon_ms = value);
        assert_eq!(errors, [ConfigError::InvalidReclaimHorizon { value }]);
    }
}

#[test]
fn there_is_somebody_to_share_with() {
    assert_eq!(errors(|s| s.tenants.clear()), [ConfigError::NoTenants]);
}

#[test]
fn there_are_not_too_many_tenants() {
    let errors = errors(|s| s.tenants = vec![tenant("x", 1.0); TENANTS_MAX + 1]);
    assert_eq!(errors, [ConfigError::TooManyTenants { count: TENANTS_MAX + 1 }]);
}

#[test]
fn an_id_is_1_to_128_printable_characters() {
    let long = "ż".repeat(129);
    for id in ["", "a\nb", "tab\t", "\u{7f}", "line\u{2028}", &long] {
        let errors = errors(|s| s.tenants[1].id = id.to_owned());
        assert!(matches!(errors[..], [ConfigError::InvalidTenantId { index: 1, .. }]), "{id:?}");
    }
    for id in ["a", "Ünïcødé 東京", "with space", "\"quoted\"", &"ż".repeat(128)] {
        let mut settings = settings(&[("x", 1.0)]);
        settings.tenants[0].id = id.to_owned();
        assert!(Config::new(settings).unwrap().find(id).is_some(), "{id:?}");
    }
}

#[test]
fn ids_are_unique() {
    let errors = errors(|s| s.tenants.push(tenant("a", 2.0)));
    let id = "a".to_owned();
    assert_eq!(errors, [ConfigError::DuplicateTenantId { index: 2, first: 0, id }]);
}

#[test]
fn a_weight_is_a_finite_number_above_zero() {
    for value in [0.0, -1.0, f64::INFINITY] {
        let errors = errors(|s| s.tenants[1].weight = value);
        assert_eq!(errors, [ConfigError::InvalidWeight { index: 1, id: "b".to_owned(), value }]);
    }
}

#[test]
fn weights_that_add_up_to_no_number_are_refused() {
    let errors = errors(|s| s.tenants.iter_mut().for_each(|tenant| tenant.weight = f64::MAX));
    assert_eq!(errors, [ConfigError::WeightsOverflow]);
}

#[test]
fn every_broken_rule_is_reported_in_the_order_of_the_fields() {
    let errors = errors(|s| {
        s.ceiling = 0.0;
        s.fairness_unit = None;
        s.reclaim_horizon_ms = 0;
        s.idle_after_ms = 0;
        s.tenants = vec![tenant("", 0.0)];
    });
    assert_eq!(errors.len(), 6, "{errors:?}");
    for (error, field) in errors.iter().zip([
        "ceiling is 0",
        "fairnessUnit",
        "reclaimHorizonMs is 0",
        "idleAfterMs is 0",
        "tenants[0].id is \"\"",
        "tenants[0].weight is 0",
    ]) {
        let text = error.to_string();
        assert!(text.starts_with(field), "{text:?} should name {field:?}");
        assert!(text.len() > 40, "{text:?} should say why");
    }
}

#[test]
fn guarantees_follow_the_weights() {
    let config = Config::new(settings(&[("a", 3.0), ("b", 1.0)])).unwrap();
    let guarantees: Vec<_> =
        config.tenants().iter().map(fairgate::engine::TenantConfig::guarantee).collect();
    assert_eq!(guarantees, [75.0, 25.0]);
    assert_eq!(config.tenants()[0].weight_share(), 0.75);
}

#[test]
fn enormous_and_tiny_numbers_that_keep_the_rules_are_accepted() {
    let mut odd = settings(&[("a", 1e300), ("b", 1e-300)]);
    odd.ceiling = 1e300;
    let config = Config::new(odd).unwrap();
    assert_eq!(config.tenants()[0].guarantee(), 1e300);
    assert_eq!(config.tenants()[1].guarantee(), 1e-300);
    let mut tiny = settings(&[("a", 5e-324)]);
    tiny.ceiling = 0.1;
    assert_eq!(Config::new(tiny).unwrap().tenants()[0].guarantee(), 0.1);
}

#[test]
fn the_place_is_kept_for_less_than_idle_after() {
    for idle_after_ms in [2, 3, 5, 1_000, i64::MAX] {
        let mut settings = settings(&[("a", 1.0)]);
        (settings.reclaim_horizon_ms, settings.idle_after_ms) = (1, idle_after_ms);
        let within_ms = Config::new(settings).unwrap().ask_again_within_ms();
        assert!((1..idle_after_ms).contains(&within_ms), "{within_ms} of {idle_after_ms}");
    }
}

#[test]
fn units_have_names() {
    for unit in FairnessUnit::ALL {
        assert_eq!(FairnessUnit::from_name(unit.name()), Some(unit));
    }
    assert_eq!(FairnessUnit::from_name("Cost"), None);
}
