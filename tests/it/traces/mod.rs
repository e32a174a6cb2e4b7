//! Recorded stories against their expected answers, and lines that are no trace.

mod malformed;

use std::fs;
use std::path::{Path, PathBuf};

use fairgate::trace::Replay;
use serde_json::Value;

const STORIES_MIN: usize = 12;

fn stories() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_story = |path: &PathBuf| !path.to_str().unwrap().ends_with(".expected.jsonl");
    let mut stories: Vec<_> = paths.filter(is_story).collect();
    stories.sort();
    stories
}

fn replay(text: &str) -> Vec<String> {
    let mut replay = Replay::default();
    text.lines().filter_map(|line| replay.line(line).unwrap()).collect()
}

/// Whether `found` says what `expected` says: numbers within 1e-6, texts of explanations left to
/// the tests of explanations.
fn agree(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Number(a), Value::Number(b)) => {
            (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() <= 1e-6
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| agree(a, b)))
        }
        _ => expected == found,
    }
}

#[test]
fn every_story_has_its_expected_answers() {
    let stories = stories();
    assert!(stories.len() >= STORIES_MIN, "found only {} stories", stories.len());
    for story in stories {
        let expected = fs::read_to_string(story.with_extension("expected.jsonl")).unwrap();
        let expected: Vec<Value> =
            expected.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let answers = replay(&fs::read_to_string(&story).unwrap());
        assert_eq!(answers.len(), expected.len(), "{}", story.display());
        for (answer, expected) in answers.iter().zip(expected) {
            let mut found: Value = serde_json::from_str(answer).unwrap();
            if let Some(explanation) = found.as_object_mut().unwrap().remove("explanation") {
                assert!(explanation.as_str().unwrap().len() > 80, "{answer}");
            }
            let story = story.display();
            assert!(agree(&expected, &found), "{story}\nexpected {expected}\nfound    {found}");
        }
    }
}

#[test]
fn a_story_told_twice_has_the_same_answers_to_the_byte() {
    for story in stories() {
        let text = fs::read_to_string(story).unwrap();
        assert_eq!(replay(&text), replay(&text));
    }
}

#[test]
fn answers_that_differ_are_told_apart() {
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert!(agree(&json(r#"{"a":[1,{"b":2}]}"#), &json(r#"{"a":[1.0000001,{"b":2}]}"#)));
    for other in [r#"{"a":[1,{"b":2.1}]}"#, r#"{"a":[1]}"#, r#"{"a":[1,{"b":2}],"c":0}"#, "{}"] {
        assert!(!agree(&json(r#"{"a":[1,{"b":2}]}"#), &json(other)), "{other}");
    }
}

#[test]
fn a_summary_has_a_row_per_tenant() {
    let mut replay = Replay::default();
    for line in fs::read_to_string(&stories()[0]).unwrap().lines() {
        replay.line(line).unwrap();
    }
    let summary = replay.summary().unwrap().to_string();
    let row = |tenant: &str| summary.lines().find(|line| line.starts_with(tenant)).unwrap();
    assert_eq!(
        row("a ").split_whitespace().collect::<Vec<_>>(),
        [
            "a", "50", "50", "50", "-", "1", "1", "33.3", "%", "33.3", "%", "50.0", "%", "4500",
            "90", "90"
        ],
    );
    assert!(summary.contains("at 100: 100 of 100 units held in 2 leases"), "{summary}");
    assert!(summary.contains("guarantee_on_loan 1"), "{summary}");
}
