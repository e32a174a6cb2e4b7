//! A full disk: a file system of a few pages, mounted for the test.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::process::{Process, ask, client};

struct Mount(PathBuf);

impl Mount {
    fn new(path: &Path, size: &str) -> Self {
        let size = format!("size={size}");
        let status =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(path).status();
        assert!(
            status.unwrap().success(),
            "this test mounts a small file system, which takes root"
        );
        Self(path.to_owned())
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn on_a_full_disk_it_answers_nothing_more_and_ends_and_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let small = Mount::new(dir.path(), "32k");
    let process = Process::start(dir.path(), &[]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (held, refused) = runtime.block_on(async {
        let client = client();
        let mut held = Vec::new();
        loop {
            let request = client.post(process.url("/acquire")).body(ask("a", 0.001));
            let request = request.header("content-type", "application/json");
            // Once the journal has failed, the process may be gone before the next request.
            let Ok(response) = request.send().await else { return (held, None) };
            let status = response.status().as_u16();
            let answer: Value = response.json().await.unwrap();
            if status != 201 {
                return (held, Some((status, answer)));
            }
            held.push(answer["lease"]["id"].as_str().unwrap().to_owned());
        }
    });
    if let Some((status, answer)) = refused {
        assert_eq!((status, &answer["code"]), (503, &Value::from("journal_failed")), "{answer}");
    }
    assert!(held.len() > 20, "{} grants", held.len());
    let (status, log) = process.ended();
    assert_eq!(status.code(), Some(1), "{log}");
    assert!(
        log.contains("the journal cannot be written") && log.contains("No space left"),
        "{log}"
    );

    // The operator makes room: everything that was answered is there.
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(dir.path()).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    drop(small);
    let process = Process::start(copy.path(), &[]);
    runtime.block_on(async {
        let client = client();
        for id in &held {
            let found = client.get(process.url(&format!("/leases/{id}"))).send().await.unwrap();
            assert_eq!(found.status(), 200, "{id}");
        }
    });
}
