//! What Prometheus is shown, and the dashboard that shows it to people.

mod dashboard;

use std::collections::BTreeMap;
use std::sync::Arc;

use fairgate::engine::{
    Acquire, Command, Config, Engine, FairnessUnit, Outcome, Settings, TenantSettings,
};
use fairgate::metrics::{Metrics, Options, Snapshot, Source};

/// One engine at a fixed instant.
struct Still {
    engine: Engine,
    now: i64,
}

impl Source for Still {
    fn visit(&self, visit: &mut dyn FnMut(&Snapshot<'_>)) {
        let stats = self.engine.stats(self.now);
        visit(&Snapshot::of("main", self.engine.config(), stats));
    }
}

fn engine(tenants: &[&str]) -> Engine {
    let tenant = |id: &&str| TenantSettings { id: (*id).to_owned(), weight: 1.0 };
    let config = Config::new(Settings {
        ceiling: 100.0,
        fairness_unit: Some(FairnessUnit::Cost),
        tenants: tenants.iter().map(tenant).collect(),
        reclaim_horizon_ms: 100,
        idle_after_ms: 200,
        started_at: -1_000,
    });
    Engine::new(config.unwrap(), 1)
}

/// What is shown of `engine` at `now`: each series with its value.
fn shown(engine: Engine, now: i64, max_tenants: usize) -> BTreeMap<String, f64> {
    let metrics = Metrics::new(&["main"]).unwrap();
    let source: Arc<dyn Source> = Arc::new(Still { engine, now });
    metrics.show(&source, Options { max_tenants }).unwrap();
    parse(&metrics)
}

fn parse(metrics: &Metrics) -> BTreeMap<String, f64> {
    let text = String::from_utf8(metrics.render().unwrap()).unwrap();
    let mut series = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        let before = series.insert(name.to_owned(), value.parse().unwrap());
        assert_eq!(before, None, "{name} is shown twice");
    }
    series
}

fn acquire(tenant: &str, cost: f64, hold_ms: i64) -> Command<'_> {
    Command::Acquire(Acquire { tenant, cost, hold_ms })
}

/// The stall: b borrows a's half until 100, a asks at 10 and is served at 100.
fn stall(metrics: &Metrics) -> Engine {
    let mut engine = engine(&["a", "b"]);
    let mut apply = |now, command: Command<'_>| {
        let outcome = engine.apply(now, command);
        metrics.observe_outcome(0, &outcome);
        match outcome {
            Outcome::Granted(granted) => Some(granted.lease.id),
            _ => None,
        }
    };
    apply(0, acquire("b", 50.0, 1_000)).unwrap();
    let loan = apply(0, acquire("b", 50.0, 100)).unwrap();
    assert_eq!(apply(10, acquire("a", 50.0, 100)), None);
    apply(100, Command::Release(loan));
    apply(100, acquire("a", 50.0, 100)).unwrap();
    engine
}

#[test]
fn the_stall_shows_its_numbers() {
    let metrics = Metrics::new(&["main"]).unwrap();
    let engine = stall(&metrics);
    let series = shown(engine, 100, 1_000);
    for (name, value) in [
        ("deficit_unit_ms{ceiling=\"main\",tenant=\"a\"}", 4_500.0),
        ("worst_reclaim_ms{ceiling=\"main\",tenant=\"a\"}", 90.0),
        ("worst_return_ms{ceiling=\"main\",tenant=\"a\"}", 90.0),
        ("returns_over_horizon_total{ceiling=\"main\",tenant=\"a\"}", 0.0),
        ("refusals_total{ceiling=\"main\",reason=\"guarantee_on_loan\",tenant=\"a\"}", 1.0),
        ("refusals_total{ceiling=\"main\",reason=\"no_lendable_capacity\",tenant=\"a\"}", 0.0),
        ("borrowed_unit_ms_total{ceiling=\"main\",tenant=\"b\"}", 5_000.0),
        ("lent_unit_ms_total{ceiling=\"main\",tenant=\"a\"}", 5_000.0),
        ("grants_total{ceiling=\"main\",tenant=\"b\"}", 2.0),
        ("granted_cost_total{ceiling=\"main\",tenant=\"b\"}", 100.0),
        ("releases_total{ceiling=\"main\",tenant=\"b\"}", 1.0),
        ("held_units{ceiling=\"main\",tenant=\"a\"}", 50.0),
        ("ceiling_units{ceiling=\"main\"}", 100.0),
        ("reclaim_horizon_ms{ceiling=\"main\"}", 100.0),
        ("units_disagree{ceiling=\"main\"}", 0.0),
        ("weight_share{ceiling=\"main\",tenant=\"a\"}", 0.5),
    ] {
        let name = format!("fairgate_{name}");
        assert_eq!(series.get(&name), Some(&value), "{name}");
    }
}

#[test]
fn reclaims_and_holds_are_observed_when_they_end() {
    let metrics = Metrics::new(&["main"]).unwrap();
    stall(&metrics);
    let series = parse(&metrics);
    assert_eq!(series["fairgate_reclaim_duration_seconds_sum{ceiling=\"main\"}"], 0.09);
    assert_eq!(series["fairgate_reclaim_duration_seconds_count{ceiling=\"main\"}"], 1.0);
    assert_eq!(series["fairgate_hold_declared_seconds_sum{ceiling=\"main\"}"], 0.1);
    assert_eq!(series["fairgate_hold_actual_seconds_sum{ceiling=\"main\"}"], 0.1);
}

#[test]
fn a_reclaim_in_progress_and_an_overrun_show_as_of_now() {
    let mut engine = engine(&["a", "b"]);
    engine.apply(0, acquire("b", 100.0, 100));
    engine.apply(10, acquire("a", 50.0, 100));
    let series = shown(engine, 150, 1_000);
    let of = |name: &str, tenant: &str| {
        series[&format!("fairgate_{name}{{ceiling=\"main\",tenant=\"{tenant}\"}}")]
    };
    assert_eq!((of("waiting_ms", "a"), of("want_units", "a")), (140.0, 50.0));
    assert_eq!((of("worst_return_ms", "a"), of("returns_over_horizon_total", "a")), (140.0, 1.0));
    assert_eq!((of("overrun_leases", "b"), of("oldest_overrun_ms", "b")), (1.0, 50.0));
    assert_eq!((of("overrun_leases", "a"), of("target_units", "a")), (0.0, 50.0));
}

#[test]
fn tenants_beyond_the_bound_are_shown_as_one() {
    let mut engine = engine(&["a", "b", "c", "d"]);
    engine.apply(0, acquire("c", 20.0, 10));
    engine.apply(0, acquire("d", 10.0, 30));
    let series = shown(engine, 100, 2);
    let of = |name: &str| series[&format!("fairgate_{name}{{ceiling=\"main\",tenant=\"other\"}}")];
    assert_eq!((of("held_units"), of("guarantee_units"), of("grants_total")), (30.0, 50.0, 2.0));
    assert_eq!(of("oldest_overrun_ms"), 90.0, "the worst of them, not the sum");
    assert!(!series.keys().any(|name| name.contains("tenant=\"c\"")));
    assert!(series.keys().any(|name| name.contains("tenant=\"b\"")));
}

#[test]
fn a_tenant_called_other_keeps_its_name() {
    let series = shown(engine(&["other", "b", "c"]), 0, 2);
    let guarantee = |tenant: &str| {
        series[&format!("fairgate_guarantee_units{{ceiling=\"main\",tenant=\"{tenant}\"}}")]
    };
    assert!((guarantee("other") - 100.0 / 3.0).abs() < 1e-9);
    assert!((guarantee("(other)") - 100.0 / 3.0).abs() < 1e-9);
}

#[test]
fn odd_tenant_ids_are_escaped() {
    let series = shown(engine(&["a\"b\\c", "東京"]), 0, 10);
    assert!(series.contains_key("fairgate_held_units{ceiling=\"main\",tenant=\"a\\\"b\\\\c\"}"));
    assert!(series.contains_key("fairgate_held_units{ceiling=\"main\",tenant=\"東京\"}"));
}

#[test]
fn requests_are_counted_by_route_method_and_status() {
    let metrics = Metrics::new(&["main"]).unwrap();
    metrics.observe_request("/acquire", "POST", 429, 0.000_2);
    metrics.observe_request("/acquire", "POST", 429, 0.3);
    let series = parse(&metrics);
    let name = "fairgate_http_request_duration_seconds_bucket{method=\"POST\",route=\"/acquire\",status=\"429\",le=\"0.00025\"}";
    assert_eq!(series[name], 1.0);
}

#[test]
fn a_source_that_is_gone_shows_nothing_and_fails_nothing() {
    let metrics = Metrics::new(&["main"]).unwrap();
    let source: Arc<dyn Source> = Arc::new(Still { engine: engine(&["a"]), now: 0 });
    metrics.show(&source, Options::default()).unwrap();
    drop(source);
    let series = parse(&metrics);
    assert!(!series.keys().any(|name| name.starts_with("fairgate_held_units")));
    assert!(series.keys().any(|name| name.starts_with("process_")));
    assert_eq!(
        series[&format!("fairgate_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))],
        1.0
    );
}

#[test]
fn every_declared_metric_is_shown() {
    let metrics = Metrics::new(&["main"]).unwrap();
    let source: Arc<dyn Source> = Arc::new(Still { engine: stall(&metrics), now: 100 });
    metrics.show(&source, Options::default()).unwrap();
    metrics.observe_request("/acquire", "POST", 201, 0.001);
    let text = String::from_utf8(metrics.render().unwrap()).unwrap();
    for declared in fairgate::metrics::declared() {
        let head = format!("# HELP {} {}\n", declared.name, declared.help);
        assert!(text.contains(&head), "{head}");
    }
}
