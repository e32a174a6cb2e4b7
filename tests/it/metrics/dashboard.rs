//! The dashboard against the declared metrics, and against what Grafana needs.

use std::collections::BTreeSet;

use serde_json::Value;

fn dashboard() -> Value {
    serde_json::from_str(include_str!("../../../dashboards/fairgate.json")).unwrap()
}

fn panels(dashboard: &Value) -> Vec<&Value> {
    dashboard["panels"].as_array().unwrap().iter().filter(|panel| panel["type"] != "row").collect()
}

fn expressions(panel: &Value) -> Vec<&str> {
    let targets = panel["targets"].as_array().into_iter().flatten();
    targets.map(|target| target["expr"].as_str().unwrap()).collect()
}

/// Every metric name in an expression, without the suffixes of a histogram's parts.
fn names(expression: &str) -> BTreeSet<String> {
    let words = expression.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'));
    let metrics =
        words.filter(|word| word.starts_with("fairgate_") || word.starts_with("process_"));
    let base = |word: &str| {
        let part = ["_bucket", "_sum", "_count"].iter().find_map(|part| word.strip_suffix(part));
        part.unwrap_or(word).to_owned()
    };
    metrics.map(base).collect()
}

#[test]
fn every_declared_metric_is_on_a_panel_and_the_other_way_round() {
    let dashboard = dashboard();
    let expressions = panels(&dashboard).into_iter().flat_map(expressions);
    let shown: BTreeSet<_> = expressions.flat_map(names).collect();
    let declared: BTreeSet<_> =
        fairgate::metrics::declared().into_iter().map(|metric| metric.name).collect();
    let of_ours: BTreeSet<_> =
        shown.iter().filter(|name| name.starts_with("fairgate_")).cloned().collect();
    assert_eq!(of_ours, declared);
    for process in shown.difference(&of_ours) {
        let known = [
            "process_cpu_seconds_total",
            "process_resident_memory_bytes",
            "process_open_fds",
            "process_max_fds",
            "process_threads",
            "process_start_time_seconds",
        ];
        assert!(known.contains(&process.as_str()), "{process}");
    }
}

#[test]
fn every_panel_says_what_it_shows_in_which_unit_from_which_source() {
    let dashboard = dashboard();
    let panels = panels(&dashboard);
    assert!(panels.len() > 15);
    for panel in panels {
        let title = panel["title"].as_str().unwrap();
        assert!(panel["description"].as_str().is_some_and(|text| text.len() > 20), "{title}");
        assert!(panel["fieldConfig"]["defaults"]["unit"].is_string(), "{title} has no unit");
        assert_eq!(panel["datasource"]["uid"], "${datasource}", "{title}");
        for target in panel["targets"].as_array().unwrap() {
            assert!(target["legendFormat"].is_string(), "{title} has no legend");
            assert_eq!(target["datasource"]["uid"], "${datasource}", "{title}");
        }
        for expression in expressions(panel) {
            assert!(
                !expression.contains("rate(") || expression.contains("$__rate_interval"),
                "{title}"
            );
            let of_ceiling = names(expression).iter().any(|name| {
                let apart = ["http", "build", "journal", "skew"];
                name.starts_with("fairgate_") && !apart.iter().any(|word| name.contains(word))
            });
            assert!(
                !of_ceiling || expression.contains("ceiling=~\"$ceiling\""),
                "{title}: {expression}"
            );
        }
    }
}

#[test]
fn panels_have_ids_of_their_own_and_do_not_overlap() {
    let dashboard = dashboard();
    let mut ids = BTreeSet::new();
    let mut taken = BTreeSet::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{}", panel["title"]);
        let at = |key: &str| panel["gridPos"][key].as_u64().unwrap();
        assert!(at("x") + at("w") <= 24, "{}", panel["title"]);
        for x in at("x")..at("x") + at("w") {
            for y in at("y")..at("y") + at("h") {
                assert!(taken.insert((x, y)), "{} overlaps", panel["title"]);
            }
        }
    }
}

#[test]
fn source_ceiling_and_tenant_can_be_chosen() {
    let dashboard = dashboard();
    let variables = dashboard["templating"]["list"].as_array().unwrap();
    let names: Vec<_> =
        variables.iter().map(|variable| variable["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["datasource", "ceiling", "tenant"]);
    assert_eq!(variables[0]["type"], "datasource");
    assert!(dashboard["id"].is_null() && dashboard["uid"].is_string());
    assert_eq!(dashboard["editable"], false);
}
