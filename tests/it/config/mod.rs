//! What an operator may write, and what is said about the rest.

mod example;

use fairgate::config::{self, CeilingOverrides, Options, Overrides};

const CEILING: &str = r#"
[[ceilings]]
name = "main"
ceiling = 100
fairnessUnit = "cost"
reclaimHorizonMs = 100
idleAfterMs = 200
tenants = [{ id = "a", weight = 3 }, { id = "b", weight = 1.0 }]
"#;

fn load(file: &str) -> Options {
    config::load(Some(file), &Overrides::default()).unwrap()
}

fn errors(file: &str) -> Vec<String> {
    config::load(Some(file), &Overrides::default()).expect_err(file).0
}

fn check_error(file: &str, path: &str, parts: &[&str]) {
    let errors = errors(file);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with(path), "{:?} should name {path}", errors[0]);
    for part in parts {
        assert!(errors[0].contains(part), "{:?} should say {part:?}", errors[0]);
    }
}

#[test]
fn a_ceiling_is_enough() {
    let options = load(CEILING);
    assert_eq!(options.http, fairgate::http::Options::default());
    let [ceiling] = options.ceilings.as_slice() else { panic!("one ceiling") };
    assert_eq!(ceiling.name, "main");
    let guarantees: Vec<_> =
        ceiling.config.tenants().iter().map(fairgate::engine::TenantConfig::guarantee).collect();
    assert_eq!(guarantees, [75.0, 25.0]);
}

#[test]
fn an_unknown_key_is_answered_with_the_nearest_one() {
    let file = format!("[http]\nlisten = \"127.0.0.1:0\"\nmaxBodybytes = 1\n{CEILING}");
    check_error(&file, "http.maxBodybytes", &["did you mean maxBodyBytes?"]);
    let file = format!("[htp]\n{CEILING}");
    check_error(&file, "htp", &["did you mean http?"]);
    let file = CEILING.replace("weight = 3", "weight = 3, wieght = 3");
    check_error(&file, "ceilings[0].tenants[0].wieght", &["did you mean weight?"]);
    let file = format!("[log]\nquantity = 1\n{CEILING}");
    check_error(&file, "log.quantity", &["known keys here are format, filter"]);
}

#[test]
fn every_mistake_is_reported_at_once() {
    let file = "[http]\nlisten = 8080\nrequestTimeoutMs = 0\n[[ceilings]]\nname = \"m\"\nceiling = -1\n\
                fairnessUnit = \"cost\"\nreclaimHorizonMs = 0\nidleAfterMs = 0\ntenants = []\n";
    let errors = errors(file);
    let paths: Vec<_> = errors.iter().map(|error| error.split(' ').next().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "http.listen",
            "http.requestTimeoutMs",
            "ceilings[0].ceiling",
            "ceilings[0].reclaimHorizonMs",
            "ceilings[0].idleAfterMs",
            "ceilings[0].tenants",
        ]
    );
}

#[test]
fn a_value_out_of_range_is_named_with_the_range() {
    let file = format!("[metrics]\nmaxTenants = -1\n{CEILING}");
    check_error(&file, "metrics.maxTenants", &["is -1", "from 0 to 1000000"]);
    let file = format!("[log]\nformat = \"xml\"\n{CEILING}");
    check_error(&file, "log.format", &["\"xml\"", "human"]);
    let file = format!("[log]\nfilter = \"loud=very\"\n{CEILING}");
    check_error(&file, "log.filter", &["loud=very"]);
    let file = format!("http = 1\n{CEILING}");
    check_error(&file, "http", &["is 1", "table"]);
    check_error(
        &CEILING.replace("100\n", "\"much\"\n").replace("Ms = \"much\"", "Ms = 100"),
        "ceilings[0].ceiling",
        &["much", "a number"],
    );
    check_error(
        &CEILING.replace("\"cost\"", "\"tokens\""),
        "ceilings[0].fairnessUnit",
        &["tokens", "requests"],
    );
    check_error(&CEILING.replace("\"main\"", "\"ma in\""), "ceilings[0].name", &["ma in"]);
}

#[test]
fn what_a_ceiling_needs_is_named_where_it_is_missing() {
    for key in ["name", "ceiling", "fairnessUnit", "reclaimHorizonMs", "idleAfterMs"] {
        let without: Vec<_> =
            CEILING.lines().filter(|line| !line.starts_with(&format!("{key} ="))).collect();
        check_error(&without.join("\n"), &format!("ceilings[0].{key}"), &["is missing"]);
    }
    check_error("", "ceilings", &["is missing", "--ceiling"]);
}

#[test]
fn ceilings_have_names_of_their_own() {
    let second = CEILING.replace("main", "other");
    assert_eq!(load(&format!("{CEILING}{second}")).ceilings.len(), 2);
    check_error(&format!("{CEILING}{CEILING}"), "ceilings[1].name", &["\"main\""]);
}

#[test]
fn a_file_that_is_no_toml_is_told_where() {
    assert!(errors("[http\n")[0].contains("line 1"), "{:?}", errors("[http\n"));
}

#[test]
fn overrides_win_over_the_file() {
    let overrides = Overrides {
        keys: vec![("http", "listen", "127.0.0.1:1".into())],
        ceiling: CeilingOverrides {
            keys: vec![("ceiling", 50.0.into())],
            tenants: vec![("c".to_owned(), 1.0)],
        },
    };
    let file = format!("[http]\nlisten = \"127.0.0.1:2\"\n{CEILING}");
    let options = config::load(Some(&file), &overrides).unwrap();
    assert_eq!(options.http.listen.port(), 1);
    assert_eq!(options.ceilings[0].config.tenants()[0].guarantee(), 50.0);
    let two = format!("{CEILING}{}", CEILING.replace("main", "other"));
    let errors = config::load(Some(&two), &overrides).expect_err("two ceilings").0;
    assert!(errors[0].contains("at most one"), "{errors:?}");
}

#[test]
fn warnings_name_what_is_likely_to_surprise() {
    let quiet = CEILING.replace("= 100\nidle", "= 30000\nidle").replace("= 200", "= 60000");
    assert_eq!(config::warnings(&load(&quiet)), [""; 0]);
    let short = config::warnings(&load(CEILING));
    assert!(short.len() == 1 && short[0].contains("idleAfterMs is 200"), "{short:?}");
    let large = config::warnings(&load(&quiet.replace("ceiling = 100\n", "ceiling = 3000000\n")));
    assert!(
        large.len() == 1 && large[0].contains("units of 100 (a ceiling of 30000)"),
        "{large:?}"
    );
}
