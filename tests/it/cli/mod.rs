//! The real binary: what it prints and how it exits.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn fairgate(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairgate"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("FAIRGATE_")) {
        command.env_remove(name);
    }
    command
}

fn run(arguments: &[&str]) -> Output {
    fairgate(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn replay(arguments: &[&str], input: &str) -> Output {
    let mut command = fairgate(&[&["replay"], arguments].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

const TRACE: &str = "tests/traces/01-stall-is-refused.jsonl";

#[test]
fn the_definition_of_the_command_line_is_sound() {
    fairgate::cli::definition().debug_assert();
}

#[test]
fn check_says_what_a_configuration_means() {
    let output = run(&["check", "--config", "fairgate.example.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "Ceiling \"main\": 100 units of cost",
        "acme",
        "always 75 units (75.0 %)",
        "within 30000 ms",
        "60000 ms",
        "never borrows",
        "survives the end of the machine",
    ] {
        assert!(text.contains(part), "{text} should say {part:?}");
    }
    assert!(!text.contains("Warning"), "{text}");
}

#[test]
fn check_names_every_error_and_exits_2() {
    let output = run(&[
        "check",
        "--config",
        "fairgate.example.toml",
        "--idle-after-ms",
        "30000",
        "--ceiling",
        "0",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    for part in [
        "2 mistakes in fairgate.example.toml",
        "ceilings[0].ceiling is 0",
        "ceilings[0].idleAfterMs is 30000",
    ] {
        assert!(text.contains(part), "{text} should say {part:?}");
    }
    assert_eq!(stdout(&output), "");
}

#[test]
fn check_prints_warnings() {
    let output = run(&[
        "check",
        "--config",
        "fairgate.example.toml",
        "--reclaim-horizon-ms",
        "100",
        "--idle-after-ms",
        "200",
    ]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("Warning: ceiling \"main\": idleAfterMs is 200"));
}

#[test]
fn serve_without_a_ceiling_says_what_is_missing() {
    let output = run(&["serve"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("ceilings is missing"), "{}", stderr(&output));
    let output = run(&["serve", "--ceiling", "10", "--tenant", "a=1"]);
    assert_eq!(output.status.code(), Some(2));
    for key in ["fairnessUnit", "reclaimHorizonMs", "idleAfterMs"] {
        assert!(stderr(&output).contains(key), "{}", stderr(&output));
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let output = run(&["check", "--config", "no/such/file.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no/such/file.toml"), "{}", stderr(&output));
}

#[test]
fn the_environment_wins_over_the_file_and_flags_over_both() {
    let check = |flags: &[&str]| {
        let flags = [&["check", "--config", "fairgate.example.toml"], flags].concat();
        let mut command = fairgate(&flags);
        command.env("FAIRGATE_CEILING", "200").env("FAIRGATE_TENANTS", "x=1,y=1");
        stdout(&command.output().unwrap())
    };
    assert!(check(&[]).contains("200 units"), "{}", check(&[]));
    assert!(check(&[]).contains("x  weight 1, always 100 units"), "{}", check(&[]));
    assert!(check(&["--ceiling", "300"]).contains("300 units"), "{}", check(&[]));
}

#[test]
fn a_tenant_without_a_weight_is_a_usage_error() {
    for tenant in ["acme", "acme=much"] {
        let output = run(&["serve", "--tenant", tenant]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("ID=WEIGHT"), "{}", stderr(&output));
    }
}

#[test]
fn replay_answers_a_file_and_standard_input_alike() {
    let from_file = run(&["replay", TRACE]);
    assert_eq!(from_file.status.code(), Some(0));
    let trace = std::fs::read_to_string(TRACE).unwrap();
    for arguments in [&[][..], &["-"]] {
        let from_input = replay(arguments, &trace);
        assert_eq!(from_input.stdout, from_file.stdout);
    }
    assert_eq!(stdout(&from_file).lines().count(), 11);
}

#[test]
fn replay_ends_at_a_malformed_line_with_its_number() {
    let trace = std::fs::read_to_string(TRACE).unwrap();
    let output = replay(&[], &format!("{trace}{{\"op\":\"lend\",\"now\":0}}\n"));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output).lines().count(), 11, "what came before is answered");
    assert!(stderr(&output).contains("line 13: op is \"lend\""), "{}", stderr(&output));
    assert_eq!(replay(&[], "").status.code(), Some(2));
    let output = Command::new(env!("CARGO_BIN_EXE_fairgate")).args(["replay", "nowhere"]).output();
    assert_eq!(output.unwrap().status.code(), Some(2));
}

#[test]
fn replay_with_a_summary_shows_the_table_alone() {
    let output = run(&["replay", "--summary", TRACE]);
    let text = stdout(&output);
    assert!(text.starts_with("tenant"), "{text}");
    assert!(!text.contains("\"op\""), "{text}");
}

#[test]
fn replay_into_a_closed_pipe_ends_quietly() {
    let mut trace = std::fs::read_to_string(TRACE).unwrap();
    trace.push_str(&"{\"op\":\"stats\",\"now\":100}\n".repeat(20_000));
    let mut command = fairgate(&["replay"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    // The child may end before it has read everything; that is the point.
    let _ = child.stdin.take().unwrap().write_all(trace.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

#[test]
fn health_says_no_where_nobody_answers() {
    let output = run(&["health", "--url", "http://127.0.0.1:1/readyz"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("127.0.0.1:1"), "{}", stderr(&output));
    assert_eq!(run(&["health", "--url", "ftp://x"]).status.code(), Some(2));
}

#[test]
fn help_has_examples_and_the_version_is_told() {
    assert!(stdout(&run(&["serve", "--help"])).contains("--tenant acme=3"));
    assert_eq!(stdout(&run(&["--version"])), format!("fairgate {}\n", env!("CARGO_PKG_VERSION")));
}
