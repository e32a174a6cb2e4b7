//! Stats, fairness, plan, metrics and the gateway's own state.

use serde_json::json;

use super::server::Server;

#[tokio::test]
async fn the_story_of_the_stall_shows_in_the_reports() {
    let server = Server::two().await;
    server.grant("b", 50.0, 20_000).await;
    let loan = server.grant("b", 50.0, 100).await;
    server.clock.advance(10);
    assert_eq!(server.acquire("a", 50.0, 100).await.status, 429);
    server.clock.advance(90);
    server.delete(&loan).await;
    assert_eq!(server.acquire("b", 50.0, 100).await.body["reason"], "no_lendable_capacity");
    let lease = server.grant("a", 50.0, 100).await;
    server.delete(&lease).await;
    server.grant("a", 50.0, 100).await;

    let stats = server.get("/stats").await.body;
    let a = &stats["tenants"][0];
    assert_eq!((&a["deficitUnitMs"], &a["worstReclaimMs"]), (&json!(4_500.0), &json!(90)));
    assert_eq!((&a["worstReturnMs"], &a["returnsOverHorizon"]), (&json!(90), &json!(0)));
    assert_eq!(a["refused"], json!({"guarantee_on_loan": 1}));
    let fairness = server.get("/fairness").await.body;
    assert_eq!(fairness["costShare"], json!({"a": 0.5, "b": 0.5}));
    assert_eq!(fairness["costSkew"], 1.0, "by every average it was fair");
    let plan = server.get("/plan").await.body;
    assert_eq!(
        plan["tenants"][1],
        json!({"id": "b", "demand": 100.0, "target": 50.0, "held": 50.0})
    );

    let metrics = server.get("/metrics").await;
    assert!(metrics.header("content-type").unwrap().starts_with("text/plain; version=0.0.4"));
    let text = metrics.body.as_str().unwrap().to_owned();
    for line in [
        r#"fairgate_deficit_unit_ms{ceiling="main",tenant="a"} 4500"#,
        r#"fairgate_worst_reclaim_ms{ceiling="main",tenant="a"} 90"#,
        r#"fairgate_refusals_total{ceiling="main",reason="guarantee_on_loan",tenant="a"} 1"#,
        r#"fairgate_reclaim_duration_seconds_sum{ceiling="main"} 0.09"#,
        r#"fairgate_hold_declared_seconds_count{ceiling="main"} 2"#,
        r#"fairgate_http_request_duration_seconds_count{method="POST",route="/acquire",status="429"} 2"#,
    ] {
        assert!(text.contains(line), "{text}\nshould have {line}");
    }
}

#[tokio::test]
async fn reads_are_as_of_now_and_change_nothing() {
    let server = Server::two().await;
    server.grant("b", 100.0, 1_000).await;
    server.acquire("a", 50.0, 10).await;
    for passed in 1..=5 {
        server.clock.advance(10);
        let stats = server.get("/stats").await.body;
        assert_eq!(stats["tenants"][0]["deficitUnitMs"], f64::from(passed) * 500.0);
        assert_eq!(stats["tenants"][0]["waitingMs"], passed * 10);
    }
}

#[tokio::test]
async fn overruns_are_listed_and_counted() {
    let server = Server::two().await;
    let id = server.grant("b", 10.0, 10).await;
    server.clock.advance(11);
    let stats = server.get("/stats").await.body;
    assert_eq!(stats["overrunLeases"], json!([id]));
    assert_eq!(stats["overrunLeasesTotal"], 1);
}

#[tokio::test]
async fn a_draining_gateway_releases_and_reads_but_admits_nothing() {
    let server = Server::two().await;
    let id = server.grant("a", 10.0, 1_000).await;
    assert_eq!(server.get("/readyz").await.body, json!({"ready": true}));
    server.gateway.drain();
    server.get("/readyz").await.is_problem(503, "draining", None);
    let refused = server.acquire("b", 10.0, 1_000).await;
    refused.is_problem(503, "draining", None);
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(server.get("/healthz").await.body, json!({"alive": true}));
    assert_eq!(server.get("/stats").await.body["leases"], 1);
    assert_eq!(server.delete(&id).await.body["released"], true);
    server.stop().await;
}

#[tokio::test]
async fn while_a_journal_is_read_the_gateway_is_alive_and_not_ready() {
    let server = Server::closed("main").await;
    assert_eq!(server.get("/healthz").await.status, 200);
    let ready = server.get("/readyz").await;
    ready.is_problem(503, "recovering", None);
    assert!(ready.body["detail"].as_str().unwrap().contains("nothing has been read yet"));
    server.acquire("a", 1.0, 1).await.is_problem(503, "recovering", None);
    let id = "0".repeat(32);
    server.delete(&id).await.is_problem(503, "recovering", None);
    for path in ["/stats", "/fairness", "/plan", "/leases", &format!("/leases/{id}")] {
        server.get(path).await.is_problem(503, "recovering", None);
    }
    assert!(server.get("/metrics").await.body.as_str().unwrap().contains("fairgate_build_info"));
}

#[tokio::test]
async fn the_contract_is_served() {
    let server = Server::two().await;
    let answer = server.get("/openapi.yaml").await;
    assert_eq!(answer.body.as_str().unwrap(), include_str!("../../../openapi.yaml"));
}
