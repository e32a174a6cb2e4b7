//! `kill -9` under concurrent load, again and again, on one folder.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use super::process::{Process, ask, client};

const ROUNDS: u64 = 50;
const CLIENTS: usize = 8;

/// What the clients know: only what they were answered.
#[derive(Debug, Default)]
struct Known {
    held: BTreeSet<String>,
    released: BTreeSet<String>,
    unsure: BTreeSet<String>,
}

#[test]
fn nothing_answered_is_lost_or_undone_by_kill_9() {
    let dir = tempfile::tempdir().unwrap();
    let known = Arc::new(Mutex::new(Known::default()));
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    for round in 0..ROUNDS {
        // Small snapshots, so that kills also fall into those.
        let flags = ["--snapshot-every-commands", "40"];
        let process = Process::start(dir.path(), &flags);
        runtime.block_on(async {
            check(&process, &known, round).await;
            load_until_killed(&process, &known, 20 + round * 13 % 60).await;
        });
        process.ended();
    }
    let process = Process::start(dir.path(), &[]);
    runtime.block_on(check(&process, &known, ROUNDS));
    let known = known.lock().unwrap();
    assert!(known.released.len() > 500, "{} releases", known.released.len());
}

/// The gateway against everything that was answered.
async fn check(process: &Process, known: &Mutex<Known>, round: u64) {
    let client = client();
    let mut found = BTreeSet::new();
    let mut after = String::new();
    loop {
        let page = client.get(process.url(&format!("/leases?limit=1000{after}")));
        let page: Value = page.send().await.unwrap().json().await.unwrap();
        let ids =
            page["leases"].as_array().unwrap().iter().map(|lease| lease["id"].as_str().unwrap());
        found.extend(ids.map(str::to_owned));
        let Some(next) = page["next"].as_str() else { break };
        after = format!("&after={next}");
    }
    let stats: Value =
        client.get(process.url("/stats")).send().await.unwrap().json().await.unwrap();
    assert!(stats["held"].as_f64().unwrap() <= 100.0 + 1e-6, "round {round}: {stats}");
    let mut known = known.lock().unwrap();
    let lost: Vec<_> = known.held.difference(&found).collect();
    assert!(lost.is_empty(), "round {round}: acknowledged grants are lost: {lost:?}");
    let risen: Vec<_> = known.released.intersection(&found).collect();
    assert!(risen.is_empty(), "round {round}: acknowledged releases are undone: {risen:?}");
    // Grants that nobody heard of are found here; somebody has to own them from now on.
    known.held = found;
    known.unsure.clear();
}

/// Clients acquire and release; after so many answers the process is killed among them.
async fn load_until_killed(process: &Process, known: &Arc<Mutex<Known>>, answers: u64) {
    let answered = Arc::new(AtomicU64::new(0));
    let mut clients = tokio::task::JoinSet::new();
    for nth in 0..CLIENTS {
        let (url, known, answered) = (process.url(""), Arc::clone(known), Arc::clone(&answered));
        clients.spawn(async move {
            let client = client();
            let tenant = if nth % 2 == 0 { "a" } else { "b" };
            // Ends with the first request that is not answered: the process is gone.
            for step in 0.. {
                let ended = if step % 2 == 0 {
                    acquire(&client, &url, tenant, &known).await
                } else {
                    release(&client, &url, &known).await
                };
                if ended.is_none() {
                    return;
                }
                answered.fetch_add(1, Ordering::SeqCst);
            }
        });
    }
    while answered.load(Ordering::SeqCst) < answers {
        tokio::task::yield_now().await;
    }
    process.signal("KILL");
    while clients.join_next().await.is_some() {}
}

async fn acquire(
    client: &reqwest::Client,
    url: &str,
    tenant: &str,
    known: &Mutex<Known>,
) -> Option<()> {
    let request = client.post(format!("{url}/acquire")).body(ask(tenant, 3.0));
    let request = request.header("content-type", "application/json");
    let answer: Value = request.send().await.ok()?.json().await.ok()?;
    if let Some(id) = answer["lease"]["id"].as_str() {
        known.lock().unwrap().held.insert(id.to_owned());
    }
    Some(())
}

async fn release(client: &reqwest::Client, url: &str, known: &Mutex<Known>) -> Option<()> {
    let id = {
        let mut known = known.lock().unwrap();
        let Some(id) = known.held.pop_first() else { return Some(()) };
        known.unsure.insert(id.clone());
        id
    };
    let answer: Value =
        client.delete(format!("{url}/leases/{id}")).send().await.ok()?.json().await.ok()?;
    assert_eq!(answer["released"], true, "{id}: {answer}");
    let mut known = known.lock().unwrap();
    known.unsure.remove(&id);
    known.released.insert(id);
    Some(())
}
