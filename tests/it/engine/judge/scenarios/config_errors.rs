//! A configuration that breaks a rule is refused, with the field, the value and the reason.

use fairgate::engine::{Config, ConfigError, Settings, TENANT_ID_CHARS_MAX, TenantSettings};

use crate::engine::judge::scene::settings;

fn valid() -> Settings {
    settings(100.0, &[("a", 1.0), ("b", 1.0)])
}

fn errors(settings: Settings) -> Vec<ConfigError> {
    Config::new(settings).expect_err("it breaks a rule")
}

/// The one error's text, which must name each of `facts`.
fn names(settings: Settings, facts: &[&str]) {
    let errors = errors(settings);
    assert_eq!(errors.len(), 1, "{errors:?}");
    let text = errors[0].to_string();
    for fact in facts {
        assert!(text.contains(fact), "{fact:?} is missing in: {text}");
    }
    assert!(text.len() > 40, "{text}");
}

fn with_tenants(tenants: &[(&str, f64)]) -> Settings {
    settings(100.0, tenants)
}

#[test]
fn a_ceiling_must_be_a_finite_number_above_zero() {
    for (ceiling, told) in [(0.0, "0"), (-1.5, "-1.5"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        names(Settings { ceiling, ..valid() }, &["ceiling", told, "above 0"]);
    }
}

#[test]
fn the_fairness_unit_has_no_default() {
    names(
        Settings { fairness_unit: None, ..valid() },
        &["fairnessUnit", "\"cost\"", "\"requests\"", "no default"],
    );
}

#[test]
fn a_horizon_must_be_a_millisecond_at_least() {
    for (horizon, told) in [(0, "0"), (-5, "-5"), (i64::MIN, "-9223372036854775808")] {
        let settings = Settings { reclaim_horizon_ms: horizon, ..valid() };
        names(settings, &["reclaimHorizonMs", told, "at least 1"]);
    }
}

#[test]
fn idle_after_must_be_above_the_horizon_and_equality_is_refused() {
    for (idle, told) in [(100, "100"), (99, "99"), (-1, "-1")] {
        let settings = Settings { idle_after_ms: idle, ..valid() };
        names(settings, &["idleAfterMs", told, "reclaimHorizonMs (100)", "greater"]);
    }
    assert!(Config::new(Settings { idle_after_ms: 101, ..valid() }).is_ok());
}

#[test]
fn a_ceiling_needs_a_tenant() {
    names(with_tenants(&[]), &["tenants", "empty"]);
}

#[test]
fn tenant_ids_must_be_unique() {
    let tenants = [("a", 1.0), ("b", 1.0), ("a", 2.0)];
    names(with_tenants(&tenants), &["tenants[2].id", "\"a\"", "tenants[0]", "unique"]);
}

#[test]
fn tenant_ids_must_be_printable_and_neither_empty_nor_too_long() {
    let long = "x".repeat(TENANT_ID_CHARS_MAX + 1);
    for id in ["", &long, "a\nb", "a\u{0}", "\u{7f}", "\u{85}", "\u{2028}"] {
        let tenants = [("a", 1.0), (id, 1.0)];
        names(with_tenants(&tenants), &["tenants[1].id", "1 to 128 printable"]);
    }
}

#[test]
fn tenant_ids_are_counted_in_characters_and_may_be_of_any_script() {
    let long = "ż".repeat(TENANT_ID_CHARS_MAX);
    for id in ["団体", "équipe bleue", "team/a:b", &long] {
        let config = Config::new(with_tenants(&[(id, 1.0)])).expect("a printable id");
        assert_eq!(
            config.find(id).map(|ix| config.tenant(ix).id().to_owned()).as_deref(),
            Some(id)
        );
    }
}

#[test]
fn weights_must_be_finite_numbers_above_zero() {
    for (weight, told) in [(0.0, "0"), (-2.0, "-2"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let tenants = [("a", 1.0), ("b", weight)];
        names(with_tenants(&tenants), &["tenants[1].weight", told, "\"b\"", "above 0"]);
    }
}

#[test]
fn weights_whose_sum_overflows_are_refused() {
    let tenants = [("a", f64::MAX), ("b", f64::MAX)];
    names(with_tenants(&tenants), &["weights", "ratios"]);
}

#[test]
fn every_broken_rule_is_told_at_once() {
    let tenants = vec![TenantSettings { id: String::new(), weight: 0.0 }];
    let all = errors(Settings {
        ceiling: 0.0,
        fairness_unit: None,
        tenants,
        reclaim_horizon_ms: 0,
        idle_after_ms: 0,
        started_at: 0,
    });
    assert_eq!(all.len(), 6, "{all:?}");
    assert!(matches!(all[0], ConfigError::InvalidCeiling { .. }), "{all:?}");
    assert!(matches!(all[5], ConfigError::InvalidWeight { index: 0, .. }), "{all:?}");
}

#[test]
fn guarantees_are_parts_of_the_ceiling_by_weight() {
    let config = Config::new(with_tenants(&[("a", 3.0), ("b", 1.0)])).expect("valid");
    let parts: Vec<_> =
        config.tenants().iter().map(|tenant| (tenant.guarantee(), tenant.weight_share())).collect();
    assert_eq!(format!("{parts:?}"), "[(75.0, 0.75), (25.0, 0.25)]");
}
