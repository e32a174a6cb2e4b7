//! Many at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::server::{Server, ceiling};

/// Tasks that all run at the same time against one server.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_concurrent_acquires_never_exceed_the_ceiling() {
    let server = Arc::new(Server::start(vec![ceiling("main", &[("a", 1.0), ("b", 9.0)])]).await);
    // a's guarantee of 10 in units of 1, and nobody is idle yet.
    let (held, most, granted) = <(Arc<AtomicU64>, Arc<AtomicU64>, Arc<AtomicU64>)>::default();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..1_000 {
        let (server, held, most, granted) =
            (Arc::clone(&server), Arc::clone(&held), Arc::clone(&most), Arc::clone(&granted));
        tasks.spawn(async move {
            let answer = server.acquire("a", 1.0, 10_000).await;
            if answer.status != 201 {
                assert_eq!(answer.status, 429, "{}", answer.body);
                return;
            }
            // Counted here only after the grant, and no longer before the release is sent.
            most.fetch_max(held.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            granted.fetch_add(1, Ordering::SeqCst);
            let stats = server.gateway.ceilings()[0].stats().unwrap();
            assert!(stats.held <= 10.0, "{} held", stats.held);
            held.fetch_sub(1, Ordering::SeqCst);
            let id = answer.body["lease"]["id"].as_str().unwrap().to_owned();
            assert_eq!(server.delete(&id).await.body["released"], true);
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    assert!(most.load(Ordering::SeqCst) <= 10);
    assert!(granted.load(Ordering::SeqCst) >= 10);
    let stats = server.get("/stats").await.body;
    assert_eq!(
        (&stats["held"], &stats["leases"]),
        (&serde_json::json!(0.0), &serde_json::json!(0))
    );
    assert_eq!(stats["tenants"][0]["grantedRequests"], granted.load(Ordering::SeqCst));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_ceiling_of_10_is_filled_exactly_by_a_thousand_that_do_not_let_go() {
    let server = Arc::new(Server::start(vec![ceiling("main", &[("a", 1.0), ("b", 9.0)])]).await);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..1_000 {
        let server = Arc::clone(&server);
        tasks.spawn(async move { server.acquire("a", 1.0, 10_000).await.status == 201 });
    }
    let mut granted = 0;
    while let Some(ended) = tasks.join_next().await {
        granted += u32::from(ended.unwrap());
    }
    assert_eq!(granted, 10);
}
