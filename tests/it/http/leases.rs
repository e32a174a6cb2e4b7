//! Reading leases and ending them.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::json;
use tokio::task::JoinSet;

use super::server::Server;

#[tokio::test]
async fn a_release_says_how_long_it_was_and_works_once() {
    let server = Server::two().await;
    let id = server.grant("a", 50.0, 100).await;
    server.clock.advance(130);
    let answer = server.delete(&id).await;
    assert_eq!(answer.body, json!({"released": true, "heldMs": 130, "overranMs": 30}));
    for _ in 0..3 {
        let answer = server.delete(&id).await;
        assert_eq!((answer.status.as_u16(), answer.body), (200, json!({"released": false})));
    }
    assert_eq!(server.get("/stats").await.body["held"], 0.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_releases_of_one_lease_release_it_once() {
    let server = Arc::new(Server::two().await);
    for _ in 0..20 {
        let id = server.grant("a", 50.0, 100).await;
        let mut releases = JoinSet::new();
        for _ in 0..8 {
            let (server, id) = (Arc::clone(&server), id.clone());
            releases.spawn(async move { server.delete(&id).await.body["released"] == true });
        }
        let answers = releases.join_all().await;
        assert_eq!(answers.into_iter().filter(|&released| released).count(), 1);
    }
}

#[tokio::test]
async fn an_id_that_was_never_issued_is_404() {
    let server = Server::two().await;
    let id = server.grant("a", 1.0, 100).await;
    let never = format!("{}{:016x}", &id[..16], 99);
    let foreign = format!("{:016x}{}", 7, &id[16..]);
    for unknown in
        [never.as_str(), &foreign, "x", &id.to_uppercase(), &"0".repeat(10_000), "%00", "a%2Fb"]
    {
        server.delete(unknown).await.is_problem(404, "no_such_lease", Some("id"));
    }
    for unreadable in ["%FF", "%C3%28"] {
        server.delete(unreadable).await.is_problem(400, "malformed", Some("id"));
    }
    server.get(&format!("/leases/{never}")).await.is_problem(404, "no_such_lease", Some("id"));
    assert_eq!(server.get("/stats").await.body["leases"], 1);
}

#[tokio::test]
async fn one_lease_can_be_read_while_it_is_held() {
    let server = Server::two().await;
    let id = server.grant("a", 50.0, 100).await;
    server.clock.advance(101);
    let answer = server.get(&format!("/leases/{id}")).await;
    assert_eq!((&answer.body["id"], &answer.body["overrun"]), (&json!(id), &json!(true)));
    server.delete(&id).await;
    server.get(&format!("/leases/{id}")).await.is_problem(404, "lease_ended", Some("id"));
}

#[tokio::test]
async fn pages_show_every_lease_once_in_the_order_of_the_grants() {
    let server = Server::two().await;
    let mut granted = Vec::new();
    for nth in 0..23 {
        granted.push(server.grant(if nth % 3 == 0 { "a" } else { "b" }, 1.0, 100).await);
    }
    let (mut seen, mut after, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let page = server.get(&format!("/leases?limit=5{after}")).await;
        let leases = page.body["leases"].as_array().unwrap();
        seen.extend(leases.iter().map(|lease| lease["id"].as_str().unwrap().to_owned()));
        pages += 1;
        let Some(next) = page.body["next"].as_str() else { break };
        after = format!("&after={next}");
    }
    assert_eq!((seen, pages), (granted.clone(), 5));
    let of_a = server.get("/leases?tenant=a").await;
    assert_eq!(of_a.body["leases"].as_array().unwrap().len(), 8);
    let distinct: HashSet<_> = granted.iter().collect();
    assert_eq!(distinct.len(), 23);
}

#[tokio::test]
async fn overrun_leases_can_be_listed_alone() {
    let server = Server::two().await;
    let short = server.grant("a", 1.0, 10).await;
    let long = server.grant("a", 1.0, 1_000).await;
    server.clock.advance(50);
    for (overrun, id) in [("true", &short), ("false", &long)] {
        let page = server.get(&format!("/leases?overrun={overrun}")).await;
        let ids: Vec<_> =
            page.body["leases"].as_array().unwrap().iter().map(|l| &l["id"]).collect();
        assert_eq!(ids, [id]);
    }
}

#[tokio::test]
async fn odd_pages_are_refused_by_name() {
    let server = Server::two().await;
    server.get("/leases?limit=0").await.is_problem(422, "invalid_limit", Some("limit"));
    server.get("/leases?limit=1001").await.is_problem(422, "invalid_limit", Some("limit"));
    server.get("/leases?limit=many").await.is_problem(400, "malformed", Some("limit"));
    server.get("/leases?after=zzz").await.is_problem(422, "invalid_cursor", Some("after"));
    server.get("/leases?tenant=nobody").await.is_problem(422, "unknown_tenant", Some("tenant"));
    server.get("/leases?overrun=maybe").await.is_problem(400, "malformed", Some("overrun"));
    server.get("/leases?holder=pod-7").await.is_problem(400, "malformed", Some("holder"));
    server.get("/leases?ceiling=other").await.is_problem(422, "unknown_ceiling", Some("ceiling"));
}
