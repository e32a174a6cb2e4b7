//! The real process: it says where it listens, serves, drains and exits.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

struct Gateway {
    child: Child,
    log: BufReader<ChildStderr>,
    address: String,
}

impl Gateway {
    fn start(flags: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairgate"));
        command.args(["serve", "--ceiling", "100", "--fairness-unit", "cost"]);
        command.args(["--tenant", "a=1", "--tenant", "b=1"]);
        command.args(["--reclaim-horizon-ms", "30000", "--idle-after-ms", "60000"]);
        command.args(["--listen", "127.0.0.1:0"]).args(flags).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let address = until(&mut log, "ready")["addr"].as_str().unwrap().to_owned();
        Self { child, log, address }
    }

    fn request(&self, method: &str, path: &str) -> (u16, String) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let url = format!("http://{}{path}", self.address);
        runtime.block_on(async {
            let client = reqwest::Client::new();
            let request = client.request(method.parse().unwrap(), url);
            let request = request.header("content-type", "application/json");
            let request = request.body(r#"{"tenant":"a","cost":1,"holdMs":1000}"#);
            let response = request.send().await.unwrap();
            (response.status().as_u16(), response.text().await.unwrap())
        })
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// How it ended and what it said, if that is before anybody would give up on it.
    fn ended_in_time(mut self) -> (ExitStatus, String) {
        let deadline = now() + Duration::from_secs(30);
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(now() < deadline, "the process goes on and on");
            std::thread::sleep(Duration::from_millis(5));
        };
        let mut log = String::new();
        self.log.read_to_string(&mut log).unwrap();
        (status, log)
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        // Where a test failed, the process that it started must not outlive it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first line of the log with that message.
fn until(log: &mut impl BufRead, message: &str) -> Value {
    let mut seen = String::new();
    for line in log.lines() {
        let line = line.unwrap();
        let entry: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
        if entry["message"] == message {
            return entry;
        }
        seen.push_str(&line);
    }
    panic!("no {message:?} in the log: {seen}");
}

#[test]
fn it_logs_json_where_there_is_no_terminal_and_says_where_it_listens() {
    let gateway = Gateway::start(&[]);
    assert_eq!(gateway.request("GET", "/healthz").0, 200);
    let health = ["health", "--url", &format!("http://{}/readyz", gateway.address)];
    let health = Command::new(env!("CARGO_BIN_EXE_fairgate")).args(health).status().unwrap();
    assert!(health.success());
    gateway.signal("KILL");
}

#[test]
fn told_to_stop_it_drains_and_exits_0() {
    for signal in ["TERM", "INT"] {
        let mut gateway = Gateway::start(&["--drain-delay-ms", "5000"]);
        let (status, lease) = gateway.request("POST", "/acquire");
        assert_eq!(status, 201);
        let lease: Value = serde_json::from_str(&lease).unwrap();
        let lease = format!("/leases/{}", lease["lease"]["id"].as_str().unwrap());
        gateway.signal(signal);
        until(&mut gateway.log, "draining");
        assert_eq!(gateway.request("GET", "/readyz").0, 503);
        assert_eq!(gateway.request("POST", "/acquire").0, 503);
        assert!(gateway.request("DELETE", &lease).1.contains("\"released\":true"));
        let (status, log) = gateway.ended_in_time();
        assert_eq!(status.code(), Some(0), "{log}");
        assert!(log.contains("stopped"), "{log}");
    }
}

#[test]
fn told_twice_it_ends_at_once() {
    let mut gateway = Gateway::start(&["--drain-delay-ms", "3600000"]);
    gateway.signal("TERM");
    until(&mut gateway.log, "draining");
    gateway.signal("TERM");
    let (status, log) = gateway.ended_in_time();
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(log.contains("told again"), "{log}");
}

#[test]
fn a_request_in_flight_is_finished_and_a_hanging_one_is_cut_off_in_time() {
    use std::io::Write;
    let flags =
        ["--drain-delay-ms", "0", "--drain-timeout-ms", "300", "--request-timeout-ms", "60000"];
    let mut gateway = Gateway::start(&flags);
    let mut hanging = std::net::TcpStream::connect(&gateway.address).unwrap();
    let head = "POST /acquire HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n";
    hanging.write_all(head.as_bytes()).unwrap();
    // The server has read the head once it answers somebody who came later.
    assert_eq!(gateway.request("GET", "/healthz").0, 200);
    gateway.signal("TERM");
    until(&mut gateway.log, "draining");
    assert_eq!(gateway.ended_in_time().0.code(), Some(0));
}

#[test]
fn an_address_that_is_taken_is_named_and_exits_1() {
    let gateway = Gateway::start(&[]);
    let config = ["serve", "--config", "fairgate.example.toml", "--listen", &gateway.address];
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairgate"));
    let output = command.args(config).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(log.contains(&gateway.address), "{log}");
}

#[expect(clippy::disallowed_methods, reason = "a real process is given real time")]
fn now() -> Instant {
    Instant::now()
}
