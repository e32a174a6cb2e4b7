//! Sizes and leftovers.

use super::tree::{File, files, rust};

const LINES_MAX: usize = 400;
const LINES_MEDIAN_MAX: usize = 140;
const COLUMNS_MAX: usize = 100;

/// Fails with every place that `fault` finds.
#[track_caller]
fn check(files: &[File], fault: impl Fn(&File, &str) -> Option<String>) {
    let mut faults = Vec::new();
    for file in files {
        for (nth, line) in file.text.lines().enumerate() {
            if let Some(fault) = fault(file, line) {
                faults.push(format!("{}:{}: {fault}", file.path, nth + 1));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn files_are_small() {
    let mut sizes: Vec<_> =
        rust("src").into_iter().map(|file| (file.text.lines().count(), file.path)).collect();
    sizes.sort();
    let (median, _) = sizes[sizes.len() / 2];
    assert!(median <= LINES_MEDIAN_MAX, "the median file has {median} lines");
    let large: Vec<_> = sizes.iter().filter(|(lines, _)| *lines > LINES_MAX).collect();
    assert!(large.is_empty(), "{large:?}");
}

#[test]
fn lines_are_short() {
    check(&rust("src"), |_, line| {
        let columns = line.chars().count();
        (columns > COLUMNS_MAX && !line.contains('"')).then(|| format!("{columns} columns"))
    });
}

#[test]
fn modules_say_what_they_are() {
    for file in rust("src").into_iter().chain(rust("tests")).chain(rust("benches")) {
        assert!(file.text.starts_with("//! "), "{} has no header", file.path);
    }
}

#[test]
fn nothing_is_left_over() {
    // Written in parts, so that this file does not find itself.
    let leftovers =
        [["to", "do"], ["fix", "me"], ["xx", "x"], ["dbg", "!("]].map(|parts| parts.concat());
    let sources: Vec<_> =
        ["src", "tests/it", "benches", "scripts", "examples"].into_iter().flat_map(files).collect();
    check(&sources, |_, line| {
        let words = line.to_lowercase();
        let mut words = words.split(|c: char| c.is_whitespace() || ",.;:`\"'".contains(c));
        words
            .find_map(|word| leftovers.iter().find(|left| word.starts_with(left.as_str())).cloned())
    });
}

#[test]
fn no_lint_is_switched_off_without_a_reason() {
    let sources: Vec<_> = rust("src").into_iter().chain(rust("tests")).collect();
    let bare = ["#[all", "ow("].concat();
    let bare_inner = ["#![all", "ow("].concat();
    check(&sources, |_, line| {
        let line = line.trim_start();
        (line.starts_with(&bare) || line.starts_with(&bare_inner)).then(|| line.to_owned())
    });
}

#[test]
fn only_the_clock_reads_the_clock() {
    let sources: Vec<_> =
        rust("src").into_iter().filter(|file| file.path != "src/gateway/clock.rs").collect();
    check(&sources, |_, line| {
        ["Instant::now", "SystemTime::now", "Utc::now"]
            .into_iter()
            .find(|call| line.contains(call))
            .map(str::to_owned)
    });
}

#[test]
fn the_project_speaks_of_itself_alone() {
    let private =
        [["../", "shared"], ["SEED", ".txt"], ["AMEND", "MENTS"]].map(|parts| parts.concat());
    check(&files("."), |_, line| private.iter().find(|word| line.contains(word.as_str())).cloned());
}

#[test]
fn scripts_stop_at_the_first_fault() {
    use std::os::unix::fs::PermissionsExt;
    for file in files("scripts").into_iter().chain(files(".ci")).chain(files("examples")) {
        if !file.text.starts_with("#!/usr/bin/env bash") {
            continue;
        }
        assert!(file.text.contains("\nset -euo pipefail\n"), "{}", file.path);
        let mode =
            std::fs::metadata(super::tree::root().join(&file.path)).unwrap().permissions().mode();
        assert!(mode & 0o111 != 0, "{} cannot be executed", file.path);
    }
}

#[test]
#[should_panic(expected = "x.rs:2: a tab")]
fn a_fault_is_reported_with_its_place() {
    let file = File { path: "x.rs".to_owned(), text: "a\n\tb\n".to_owned() };
    check(&[file], |_, line| line.contains('\t').then(|| "a tab".to_owned()));
}
