//! Lines that end a replay, and odd lines that do not.

use fairgate::trace::Replay;
use serde_json::Value;

const CONFIG: &str = r#"{"config":{"ceiling":10,"fairnessUnit":"cost","reclaimHorizonMs":10,"idleAfterMs":20,"startedAt":0,"tenants":[{"id":"a","weight":1}]}}"#;

fn problem(lines: &[&str]) -> String {
    let mut replay = Replay::default();
    let (last, before) = lines.split_last().unwrap();
    for line in before {
        replay.line(line).unwrap();
    }
    replay.line(last).expect_err(last).to_string()
}

fn answer(line: &str) -> Value {
    let mut replay = Replay::default();
    replay.line(CONFIG).unwrap();
    serde_json::from_str(&replay.line(line).unwrap().unwrap()).unwrap()
}

#[test]
fn a_malformed_line_is_named_by_its_number_and_its_fault() {
    for (line, fault) in [
        ("{", "EOF"),
        (r#"{"op":"acquire","now":0,"tenant":"a","cost":1}"#, "holdMs"),
        (r#"{"op":"acquire","now":0,"cost":1,"holdMs":1}"#, "tenant"),
        (r#"{"op":"acquire","now":0,"tenant":"a","holdMs":1}"#, "cost"),
        (r#"{"op":"release","now":0}"#, "lease"),
        (r#"{"op":"release","lease":"a"}"#, "now"),
        (r#"{"op":"release","now":0.5,"lease":"a"}"#, "0.5"),
        (r#"{"op":"stats","now":"0"}"#, "now"),
        (r#"{"op":"stats","now":0,"lease":"a"}"#, "lease"),
        (r#"{"op":"lend","now":0}"#, "lend"),
        (r#"{"op":"stats","now":0,"color":1}"#, "color"),
        (r#"{"op":"stats","now":99999999999999999999}"#, "99999999999999999999"),
        ("[]", "object"),
        (r#"["stats", 0]"#, "object"),
    ] {
        let problem = problem(&[CONFIG, "", line]);
        assert!(problem.starts_with("line 3: "), "{problem}");
        assert!(problem.contains(fault), "{problem} should name {fault}");
    }
}

#[test]
fn a_trace_begins_with_a_configuration_that_keeps_the_rules() {
    assert!(problem(&[r#"{"op":"stats","now":0}"#]).contains("configuration"));
    assert!(
        problem(&[&CONFIG.replace("\"ceiling\":10", "\"ceiling\":0")]).contains("ceiling is 0")
    );
    assert!(problem(&[&CONFIG.replace("cost", "units")]).contains("fairnessUnit"));
    assert!(problem(&[&CONFIG.replace("startedAt", "startsAt")]).contains("startsAt"));
}

#[test]
fn blank_lines_and_comments_are_counted_and_skipped() {
    let mut replay = Replay::default();
    for line in ["", "// a story", CONFIG, "   "] {
        assert_eq!(replay.line(line), Ok(None));
    }
    let answer = replay.line(r#"{"op":"stats","now":3}"#).unwrap().unwrap();
    assert!(answer.starts_with(r#"{"line":5,"op":"stats","now":3,"#), "{answer}");
}

#[test]
fn what_the_engine_cannot_be_asked_is_an_answer() {
    for (cost, hold_ms, error) in [
        ("1", "100.0", "invalid_hold"),
        ("1", "\"5\"", "invalid_hold"),
        ("1", "99999999999999999999", "invalid_hold"),
        ("1", "31536000001", "invalid_hold"),
        ("1e999", "5", "invalid_cost"),
        ("\"1\"", "5", "invalid_cost"),
        ("-1", "5", "invalid_cost"),
    ] {
        let line =
            format!(r#"{{"op":"acquire","now":0,"tenant":"a","cost":{cost},"holdMs":{hold_ms}}}"#);
        assert_eq!(answer(&line)["error"], error, "{line}");
    }
}

#[test]
fn a_lease_without_a_name_is_called_after_its_line() {
    let granted = answer(r#"{"op":"acquire","now":0,"tenant":"a","cost":1,"holdMs":5}"#);
    assert_eq!(granted["lease"]["id"], "#2");
}
