//! Exported traces replay to the decisions that were made.

use std::collections::BTreeMap;
use std::process::Command;

use fairgate::engine::{Acquire, LeaseId, Outcome, Refusal};
use fairgate::gateway::Gateway;
use fairgate::store::Folder;
use fairgate::trace::Replay;
use serde_json::{Value, json};

use super::process::{Process, ask, client};
use super::world::{NEVER, START, open, run, two};

/// What a decision says, as a replay would.
fn said(gateway: &Gateway, ceiling: &str, outcome: &Outcome) -> Value {
    let config = gateway.ceiling(Some(ceiling)).unwrap().config();
    match outcome {
        Outcome::Granted(granted) => {
            let lease = &granted.lease;
            let loans = lease.borrowed.iter().map(
                |loan| json!({"lender": config.tenant(loan.lender).id(), "units": loan.units}),
            );
            json!({"ok": true, "lease": {"id": lease.id.to_string(), "tenant": config.tenant(lease.tenant).id(),
                "units": lease.units, "grantedAt": lease.granted_at, "deadline": lease.deadline,
                "own": lease.own, "borrowed": loans.collect::<Vec<_>>()}})
        }
        Outcome::Refused(refusal) => {
            let Refusal { reason, curable, retry_after_ms, .. } = **refusal;
            json!({"ok": false, "reason": reason.code(), "curable": curable, "retryAfterMs": retry_after_ms})
        }
        Outcome::Released(released) => {
            json!({"released": true, "heldMs": released.held_ms, "overranMs": released.overran_ms})
        }
        Outcome::NotHeld(_) => json!({"released": false}),
        Outcome::Invalid(error) => panic!("{error}"),
    }
}

/// The parts of a replayed answer that `said` has.
fn replayed(answer: &str) -> Value {
    let mut answer: Value = serde_json::from_str(answer).unwrap();
    let object = answer.as_object_mut().unwrap();
    for key in ["line", "op", "now", "explanation", "blockingLeases"] {
        object.remove(key);
    }
    answer
}

/// A workload from a seed; returns what was decided, by ceiling.
fn work(
    gateway: &Gateway,
    clock: &fairgate::gateway::ManualClock,
    seed: u64,
    steps: u64,
) -> BTreeMap<String, Vec<Value>> {
    let mut random = seed | 1;
    let mut next = |below: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    };
    let mut held: Vec<(&str, LeaseId)> = Vec::new();
    let mut decided: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for _ in 0..steps {
        clock.advance(i64::try_from(next(60)).unwrap());
        let (name, tenants): (&str, &[&str]) =
            if next(4) == 0 { ("side", &["x", "y"]) } else { ("main", &["a", "b", "c"]) };
        let outcome = if next(3) == 0 && !held.is_empty() {
            let (name, lease) = held.remove(usize::try_from(next(held.len() as u64)).unwrap());
            let ceiling = gateway.ceiling(Some(name)).unwrap();
            (name, run(gateway.release(ceiling, lease)).unwrap())
        } else {
            let tenant = tenants[usize::try_from(next(tenants.len() as u64)).unwrap()];
            let cost = f64::from(u32::try_from(next(4_000)).unwrap()) / 97.0 + 0.1;
            let hold_ms = 1 + i64::try_from(next(180)).unwrap();
            let request = Acquire { tenant, cost, hold_ms };
            let ceiling = gateway.ceiling(Some(name)).unwrap();
            (name, run(gateway.acquire(ceiling, request)).unwrap())
        };
        if let (name, Outcome::Granted(granted)) = &outcome {
            held.push((name, granted.lease.id));
        }
        decided.entry(outcome.0.to_owned()).or_default().push(said(gateway, outcome.0, &outcome.1));
    }
    decided
}

fn export(dir: &std::path::Path, out: &std::path::Path) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairgate"));
    let output =
        command.args(["journal", "export"]).arg(dir).arg("--out").arg(out).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn replay(path: &str) -> Vec<Value> {
    let mut replay = Replay::default();
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter_map(|line| replay.line(line).unwrap()).map(|a| replayed(&a)).collect()
}

#[test]
fn exported_traces_replay_to_the_same_decisions() {
    for seed in 1..=20 {
        let dir = tempfile::tempdir().unwrap();
        let out = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let (gateway, clock) = open(folder, two(), NEVER, START).unwrap();
        let decided = work(&gateway, &clock, seed * 7_919, 200);
        drop(gateway);
        let paths = export(dir.path(), out.path());
        assert_eq!(paths.len(), 2);
        for (path, name) in paths.iter().zip(["main", "side"]) {
            assert!(path.ends_with(&format!("{name}-1.jsonl")), "{path}");
            assert_eq!(replay(path), decided[name], "seed {seed}, {name}");
        }
    }
}

#[test]
fn a_recording_replays_to_the_answers_that_were_given() {
    let dir = tempfile::tempdir().unwrap();
    let trace = dir.path().join("trace.jsonl");
    let memory = |record: &std::path::Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairgate"));
        command.args(["serve", "--ceiling", "100", "--fairness-unit", "cost", "--tenant", "a=1"]);
        command.args(["--reclaim-horizon-ms", "1000", "--idle-after-ms", "3000"]);
        command.args(["--listen", "127.0.0.1:0", "--drain-delay-ms", "0", "--record"]).arg(record);
        command.stderr(std::process::Stdio::piped());
        command
    };
    let process = Process::spawn(memory(&trace)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let answers = runtime.block_on(async {
        let mut answers = Vec::new();
        for cost in [60.0, 60.0, 200.0, 40.0] {
            let request = client().post(process.url("/acquire")).body(ask("a", cost));
            let request = request.header("content-type", "application/json");
            let answer: Value = request.send().await.unwrap().json().await.unwrap();
            answers.push((answer["lease"]["id"].clone(), answer["reason"].clone()));
        }
        answers
    });
    process.signal("TERM");
    assert_eq!(process.ended().0.code(), Some(0));
    let replayed = replay(trace.to_str().unwrap());
    let replayed = replayed.iter().map(|a| (a["lease"]["id"].clone(), a["reason"].clone()));
    assert_eq!(replayed.collect::<Vec<_>>(), answers);
    let again = Process::spawn(memory(&trace)).map(|_| ()).expect_err("the file exists");
    assert!(again.contains("trace.jsonl"), "{again}");
}

#[test]
fn an_export_after_a_snapshot_begins_with_its_state() {
    let dir = tempfile::tempdir().unwrap();
    let out = tempfile::tempdir().unwrap();
    let mut decided = BTreeMap::new();
    for round in 0..2 {
        let folder = Folder::open(dir.path()).unwrap();
        let next = fairgate::journal::recover(&folder, &mut |_| {}).unwrap().next;
        let (gateway, clock) = open(folder, two(), NEVER, START).unwrap();
        if round == 1 {
            // The gateway has begun a segment at `next`; a snapshot of what came before.
            let reader = Folder::read_only(dir.path());
            fairgate::journal::compact(&reader, next, &mut |_| {}).unwrap();
        }
        decided = work(&gateway, &clock, 4_242 + round, 150);
    }
    for (path, name) in export(dir.path(), out.path()).iter().zip(["main", "side"]) {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.lines().nth(1).unwrap().starts_with("{\"state\":"), "{path}");
        assert_eq!(replay(path), decided[name], "{name}");
    }
    let again = Command::new(env!("CARGO_BIN_EXE_fairgate"))
        .args(["journal", "export"])
        .arg(dir.path())
        .arg("--out")
        .arg(out.path())
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(1), "existing files are not overwritten");
}
