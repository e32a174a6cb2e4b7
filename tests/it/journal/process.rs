//! A real gateway over a real folder.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

pub(super) struct Process {
    pub child: Child,
    log: BufReader<ChildStderr>,
    pub address: String,
}

pub(super) fn command(dir: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairgate"));
    command.args(["serve", "--ceiling", "100", "--fairness-unit", "cost"]);
    command.args(["--tenant", "a=1", "--tenant", "b=1", "--reclaim-horizon-ms", "1000"]);
    command.args(["--idle-after-ms", "3000", "--listen", "127.0.0.1:0", "--drain-delay-ms", "0"]);
    command.arg("--journal-dir").arg(dir).args(flags).stderr(Stdio::piped());
    command
}

impl Process {
    pub(super) fn start(dir: &Path, flags: &[&str]) -> Self {
        Self::spawn(command(dir, flags)).unwrap_or_else(|log| panic!("did not start: {log}"))
    }

    /// Starts it, or says what it said before it ended.
    pub(super) fn spawn(mut command: Command) -> Result<Self, String> {
        let mut child = command.spawn().unwrap();
        let log = BufReader::new(child.stderr.take().unwrap());
        let mut process = Self { child, log, address: String::new() };
        let mut seen = String::new();
        loop {
            let mut line = String::new();
            if process.log.read_line(&mut line).unwrap() == 0 {
                return Err(seen);
            }
            let entry: Value = serde_json::from_str(&line).unwrap_or_default();
            if entry["message"] == "ready" {
                entry["addr"].as_str().unwrap().clone_into(&mut process.address);
                return Ok(process);
            }
            seen.push_str(&line);
        }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What it says from now to its end, and how it ends.
    pub(super) fn ended(mut self) -> (ExitStatus, String) {
        let mut log = String::new();
        self.log.read_to_string(&mut log).unwrap();
        (self.child.wait().unwrap(), log)
    }

    pub(super) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Where a test failed, the process that it started must not outlive it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn client() -> reqwest::Client {
    reqwest::Client::builder().timeout(Duration::from_secs(20)).build().unwrap()
}

pub(super) fn ask(tenant: &str, cost: f64) -> String {
    json!({"tenant": tenant, "cost": cost, "holdMs": 500}).to_string()
}

#[test]
fn a_second_process_on_one_folder_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let first = Process::start(dir.path(), &[]);
    let log = Process::spawn(command(dir.path(), &[])).map(|_| ()).expect_err("two owners");
    assert!(log.contains("another process uses this journal"), "{log}");
    first.signal("TERM");
    assert_eq!(first.ended().0.code(), Some(0));
    Process::start(dir.path(), &[]);
}

#[test]
fn without_a_journal_it_says_so_once_and_loudly() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairgate"));
    command.args(["serve", "--ceiling", "1", "--fairness-unit", "cost", "--tenant", "a=1"]);
    command.args(["--reclaim-horizon-ms", "1", "--idle-after-ms", "5000"]);
    command.args(["--listen", "127.0.0.1:0", "--drain-delay-ms", "0"]).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
    let lines: Vec<_> =
        log.by_ref().map(Result::unwrap).take_while(|l| !l.contains("\"ready\"")).collect();
    assert_eq!(lines.iter().filter(|line| line.contains("NO JOURNAL")).count(), 1, "{lines:?}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn damage_stops_the_start_with_a_message() {
    let dir = tempfile::tempdir().unwrap();
    let first = Process::start(dir.path(), &[]);
    first.signal("TERM");
    first.ended();
    let segment = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
    let segment = segment
        .filter(|path| path.extension().is_some_and(|extension| extension == "fgj"))
        .min()
        .unwrap();
    let mut bytes = std::fs::read(&segment).unwrap();
    bytes[60] ^= 0x10;
    std::fs::write(&segment, bytes).unwrap();
    let log = Process::spawn(command(dir.path(), &[])).map(|_| ()).expect_err("damaged");
    let name = segment.file_name().unwrap().to_str().unwrap();
    assert!(log.contains(name) && log.contains("restore the file"), "{log}");
    let verify = Command::new(env!("CARGO_BIN_EXE_fairgate"))
        .args(["journal", "verify"])
        .arg(dir.path())
        .output();
    assert_eq!(verify.unwrap().status.code(), Some(1));
}

#[test]
fn inspect_and_verify_say_what_there_is() {
    let dir = tempfile::tempdir().unwrap();
    let process = Process::start(dir.path(), &[]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for _ in 0..3 {
            let request = client().post(process.url("/acquire")).body(ask("a", 10.0));
            let request = request.header("content-type", "application/json");
            assert_eq!(request.send().await.unwrap().status(), 201);
        }
    });
    process.signal("KILL");
    process.ended();
    let run = |what: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairgate"));
        let output = command.args(["journal", what]).arg(dir.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = run("inspect");
    for part in [
        "records    4 after it",
        "snapshot   none",
        "3 leases outstanding, 30 of 100 units",
        "stamps",
    ] {
        assert!(text.contains(part), "{text} should say {part:?}");
    }
    assert!(run("verify").contains("is whole up to record 4"));
}
