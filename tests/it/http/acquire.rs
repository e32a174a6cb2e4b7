//! Grants and refusals, with their headers.

use serde_json::json;

use super::server::{START, Server, ceiling};

#[tokio::test]
async fn a_grant_says_what_was_taken_from_whom_and_where_it_is() {
    let server = Server::two().await;
    let answer = server.acquire("b", 80.0, 1_000).await;
    assert_eq!(answer.status, 201);
    let lease = &answer.body["lease"];
    let id = lease["id"].as_str().unwrap();
    assert_eq!(answer.header("location"), Some(format!("/leases/{id}").as_str()));
    let now = START + 4_000;
    assert_eq!(
        answer.body,
        json!({"ok": true, "lease": {"id": id, "ceiling": "main", "tenant": "b", "cost": 80.0,
            "units": 80.0, "grantedAt": now, "deadline": now + 1_000, "own": 50.0,
            "borrowed": [{"lender": "a", "units": 30.0}], "overrun": false}})
    );
}

#[tokio::test]
async fn a_curable_refusal_is_429_with_both_headers() {
    let server = Server::two().await;
    let loan = server.grant("b", 100.0, 1_000).await;
    server.clock.advance(10);
    let answer = server.acquire("a", 50.0, 500).await;
    assert_eq!(answer.status, 429);
    assert_eq!(answer.header("retry-after-ms"), Some("990"));
    assert_eq!(answer.header("retry-after"), Some("1"));
    let explanation = answer.body["explanation"].as_str().unwrap();
    assert!(explanation.contains("50 held by \"b\" (for another 990 ms)"), "{explanation}");
    assert_eq!(
        answer.body,
        json!({"ok": false, "ceiling": "main", "tenant": "a", "reason": "guarantee_on_loan",
            "curable": true, "retryAfterMs": 990, "askAgainWithinMs": 3_000,
            "blockingLeases": [loan], "blockingLeasesTotal": 1, "explanation": explanation})
    );
}

#[tokio::test]
async fn headers_never_tell_a_caller_to_come_back_too_late() {
    let server = Server::two().await;
    server.grant("b", 50.0, 3_600_000).await;
    // The body has the exact estimate; the headers keep the caller's place.
    let answer = server.acquire("b", 50.0, 3_600_000).await;
    assert_eq!(answer.body["retryAfterMs"], 3_600_000);
    assert_eq!(answer.header("retry-after-ms"), Some("3000"));
    assert_eq!(answer.header("retry-after"), Some("3"));
    // Without an estimate the advice is a guess.
    server.grant("b", 50.0, 10).await;
    server.clock.advance(20);
    let answer = server.acquire("a", 50.0, 10).await;
    assert_eq!(answer.body["retryAfterMs"], json!(null));
    assert_eq!(answer.header("retry-after-ms"), Some("1000"));
}

#[tokio::test]
async fn what_no_wait_can_cure_is_422_without_advice() {
    let server = Server::two().await;
    for (cost, hold_ms, reason) in
        [(101.0, 10, "cost_exceeds_ceiling"), (60.0, 1_001, "hold_exceeds_reclaim_horizon")]
    {
        let answer = server.acquire("b", cost, hold_ms).await;
        assert_eq!((answer.status.as_u16(), &answer.body["reason"]), (422, &json!(reason)));
        assert_eq!(answer.body["curable"], json!(false));
        assert_eq!((answer.header("retry-after"), answer.header("retry-after-ms")), (None, None));
    }
}

#[tokio::test]
async fn at_most_16_blocking_leases_are_listed_and_all_are_counted() {
    let server = Server::two().await;
    for _ in 0..20 {
        server.grant("a", 2.5, 1_000).await;
    }
    let answer = server.acquire("a", 50.0, 5_000).await;
    assert_eq!(answer.body["blockingLeases"].as_array().unwrap().len(), 16);
    assert_eq!(answer.body["blockingLeasesTotal"], 20);
}

#[tokio::test]
async fn a_ceiling_is_named_where_there_are_several() {
    let ceilings = vec![ceiling("gpu", &[("a", 1.0)]), ceiling("cpu", &[("a", 1.0), ("x", 1.0)])];
    let server = Server::start(ceilings).await;
    let ask = |ceiling| json!({"tenant": "a", "cost": 10, "holdMs": 10, "ceiling": ceiling});
    let answer = server.post(ask("cpu")).await;
    assert_eq!(answer.body["lease"]["ceiling"], "cpu");
    let id = answer.body["lease"]["id"].as_str().unwrap();
    server.acquire("a", 1.0, 1).await.is_problem(422, "unknown_ceiling", Some("ceiling"));
    server.post(ask("tpu")).await.is_problem(422, "unknown_ceiling", Some("ceiling"));
    // The id alone finds its ceiling.
    assert_eq!(server.get(&format!("/leases/{id}")).await.body["ceiling"], "cpu");
    assert_eq!(server.get("/stats?ceiling=gpu").await.body["held"], 0.0);
    assert_eq!(server.get("/stats?ceiling=cpu").await.body["held"], 10.0);
    assert_eq!(server.delete(id).await.body["released"], true);
}

#[tokio::test]
async fn a_client_that_only_obeys_headers_beats_one_that_borrows_again_and_again() {
    let server = Server::two().await;
    server.grant("b", 50.0, 3_600_000).await;
    let mut loan = server.grant("b", 50.0, 1_000).await;
    let mut next_ask = START + 4_010;
    let mut served_after = None;
    // One step is a millisecond; b moves first in each and renews whenever it can.
    for now in START + 4_000..START + 8_000 {
        let held = server.get(&format!("/leases/{loan}")).await;
        if held.status == 200 && held.body["deadline"] == now {
            server.delete(&loan).await;
        }
        if now % 50 == 0 || held.status == 404 {
            let renewed = server.acquire("b", 50.0, 1_000).await;
            if renewed.status == 201 {
                loan = renewed.body["lease"]["id"].as_str().unwrap().to_owned();
            }
        }
        if now == next_ask {
            let answer = server.acquire("a", 50.0, 100).await;
            if answer.status == 201 {
                served_after = Some(now - (START + 4_010));
                break;
            }
            let seconds: i64 = answer.header("retry-after").unwrap().parse().unwrap();
            next_ask = now + seconds * 1_000;
        }
        server.clock.advance(1);
    }
    assert_eq!(served_after, Some(1_000), "the estimate of 990 ms, in whole seconds");
}

#[tokio::test]
async fn unicode_tenants_are_served() {
    let server =
        Server::start(vec![ceiling("main", &[("東京 \"α\"", 1.0), ("é\u{301}", 1.0)])]).await;
    let answer = server.acquire("東京 \"α\"", 1.0, 10).await;
    assert_eq!(answer.body["lease"]["tenant"], "東京 \"α\"");
    let page = server.get("/leases?tenant=%E6%9D%B1%E4%BA%AC%20%22%CE%B1%22").await;
    assert_eq!(page.body["leases"].as_array().unwrap().len(), 1);
    // An id is what was configured, not what looks like it.
    server.acquire("é", 1.0, 10).await.is_problem(422, "unknown_tenant", Some("tenant"));
    let metrics = server.get("/metrics").await;
    assert!(metrics.body.as_str().unwrap().contains(r#"tenant="東京 \"α\"""#));
}
