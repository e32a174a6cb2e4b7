//! The documented example against the code, both ways.

use std::fs;

use fairgate::config::{self, LogOptions, Overrides};
use fairgate::gateway::{JournalOptions, ShutdownOptions};

fn example() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fairgate.example.toml");
    fs::read_to_string(path).unwrap()
}

/// The example with every documented default written out.
fn written_out() -> String {
    let is_default = |line: &str| {
        let key = line.strip_prefix("# ").and_then(|rest| rest.split_once(" = "));
        key.is_some_and(|(key, _)| key.chars().all(char::is_alphanumeric))
    };
    let lines = example();
    let lines = lines.lines().map(|line| if is_default(line) { &line[2..] } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_runs_as_it_is() {
    let options = config::load(Some(&example()), &Overrides::default()).unwrap();
    assert_eq!(config::warnings(&options), [""; 0]);
}

#[test]
fn every_documented_default_is_the_default() {
    let options = config::load(Some(&written_out()), &Overrides::default()).unwrap();
    assert_eq!(options.http, fairgate::http::Options::default());
    assert_eq!(options.shutdown, ShutdownOptions::default());
    assert_eq!(options.metrics, fairgate::metrics::Options::default());
    assert_eq!(options.log, LogOptions::default());
    assert_eq!(options.journal.options, JournalOptions::default());
    assert!(!options.journal.accept_clock_skew);
}

/// A key that the code knows is suggested by name when it is misspelt, so asking with one unknown
/// key in each table lists them all.
#[test]
fn every_key_of_the_code_is_documented() {
    let example = written_out();
    for section in ["http", "shutdown", "log", "metrics", "journal"] {
        let file = format!("[{section}]\n\"?\" = 1\n");
        let errors = config::load(Some(&file), &Overrides::default()).expect_err("unknown key").0;
        let known = errors.iter().find_map(|e| e.split_once("known keys here are ")).unwrap().1;
        assert!(!known.is_empty());
        for key in known.split(", ") {
            let line = format!("\n{key} = ");
            assert!(example.contains(&line), "{section}.{key} is not in the example");
        }
    }
    for key in
        ["name", "ceiling", "fairnessUnit", "reclaimHorizonMs", "idleAfterMs", "id", "weight"]
    {
        assert!(example.contains(&format!("\n{key} = ")), "{key} is not in the example");
    }
}

#[test]
fn every_documented_variable_is_a_flag_of_serve() {
    let serve = fairgate::cli::definition();
    let serve = serve.find_subcommand("serve").unwrap();
    let known: Vec<_> = serve.get_arguments().filter_map(|arg| arg.get_env()).collect();
    let example = example();
    for variable in known.iter().filter(|name| name.to_str() != Some("FAIRGATE_CONFIG")) {
        let variable = variable.to_str().unwrap();
        assert!(example.contains(variable), "{variable} is not in the example");
    }
    let words = example.split(|c: char| !(c.is_ascii_uppercase() || c == '_'));
    for word in words.filter(|word| word.starts_with("FAIRGATE_")) {
        assert!(known.iter().any(|name| name.to_str() == Some(word)), "{word} is not a flag");
    }
}
