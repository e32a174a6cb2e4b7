//! Requests that are wrong, each in its own way.

use fairgate::http::Options;
use reqwest::Method;
use serde_json::json;

use super::server::{Server, ceiling};

const JSON: Option<&str> = Some("application/json");

#[tokio::test]
async fn bodies_that_cannot_be_understood_are_400_and_name_the_field() {
    let server = Server::two().await;
    for (body, field) in [
        ("", None),
        ("{", None),
        ("[]", None),
        (r#"["a", 1, 100]"#, None),
        ("\u{feff}{}", None),
        (r#"{"tenant":"a","cost":NaN,"holdMs":1}"#, None),
        (r#"{"tenant":"a","cost":Infinity,"holdMs":1}"#, None),
        (r#"{"tenant":"a","cost":01,"holdMs":1}"#, None),
        (r#"{"cost":1,"holdMs":1}"#, Some("tenant")),
        (r#"{"tenant":"a","holdMs":1}"#, Some("cost")),
        (r#"{"tenant":"a","cost":1}"#, Some("holdMs")),
        (r#"{"tenant":"a","cost":1,"holdMs":1,"waitMs":5}"#, Some("waitMs")),
        (r#"{"tenant":"a","cost":1,"holdMs":1,"holder":"x"}"#, Some("holder")),
        (r#"{"tenant":"a","cost":1,"holdMs":1,"hold_ms":1}"#, None),
        (r#"{"tenant":"a","tenant":"b","cost":1,"holdMs":1}"#, Some("tenant")),
        (r#"{"tenant":1,"cost":1,"holdMs":1}"#, Some("tenant")),
        (r#"{"tenant":null,"cost":1,"holdMs":1}"#, Some("tenant")),
        (r#"{"tenant":"a","cost":"1","holdMs":1}"#, Some("cost")),
        (r#"{"tenant":"a","cost":true,"holdMs":1}"#, Some("cost")),
        (r#"{"tenant":"a","cost":1,"holdMs":"1"}"#, Some("holdMs")),
        (r#"{"tenant":"a","cost":1,"holdMs":1,"ceiling":null}"#, Some("ceiling")),
    ] {
        let answer = server.post(body).await;
        answer.is_problem(400, "malformed", field);
    }
    assert_eq!(server.get("/stats").await.body["tenants"][0]["idle"], true, "nobody asked");
}

#[tokio::test]
async fn values_that_make_no_sense_are_422_and_name_the_field() {
    let server = Server::two().await;
    for (cost, hold_ms, tenant, code, field) in [
        ("0", "1", "a", "invalid_cost", "cost"),
        ("-1", "1", "a", "invalid_cost", "cost"),
        ("-0.0", "1", "a", "invalid_cost", "cost"),
        ("1e999", "1", "a", "invalid_cost", "cost"),
        ("-1e999", "1", "a", "invalid_cost", "cost"),
        ("1e-400", "1", "a", "invalid_cost", "cost"),
        ("1", "0", "a", "invalid_hold", "holdMs"),
        ("1", "-5", "a", "invalid_hold", "holdMs"),
        ("1", "1.5", "a", "invalid_hold", "holdMs"),
        ("1", "31536000001", "a", "invalid_hold", "holdMs"),
        ("1", "99999999999999999999999", "a", "invalid_hold", "holdMs"),
        ("1", "1e400", "a", "invalid_hold", "holdMs"),
        ("1", "1", "nobody", "unknown_tenant", "tenant"),
        ("1", "1", "", "unknown_tenant", "tenant"),
        ("1", "1", "A", "unknown_tenant", "tenant"),
        ("1", "1", "a\\u0000", "unknown_tenant", "tenant"),
    ] {
        let body = format!(r#"{{"tenant":"{tenant}","cost":{cost},"holdMs":{hold_ms}}}"#);
        server.post(body).await.is_problem(422, code, Some(field));
    }
}

#[tokio::test]
async fn integers_may_be_written_with_a_fraction_of_zero_or_an_exponent() {
    let server = Server::two().await;
    for hold_ms in ["100", "100.0", "1e2", "1.0e+2"] {
        let body = format!(r#"{{"tenant":"a","cost":1,"holdMs":{hold_ms}}}"#);
        let answer = server.post(body).await;
        let lease = &answer.body["lease"];
        let hold = lease["deadline"].as_i64().unwrap() - lease["grantedAt"].as_i64().unwrap();
        assert_eq!(hold, 100, "{hold_ms}");
    }
}

#[tokio::test]
async fn a_body_must_say_that_it_is_json() {
    let server = Server::two().await;
    let body = r#"{"tenant":"a","cost":1,"holdMs":1}"#;
    for kind in [
        None,
        Some("text/plain"),
        Some("application/jsonp"),
        Some("application/x-www-form-urlencoded"),
    ] {
        let answer = server.send(Method::POST, "/acquire", kind, body).await;
        answer.is_problem(415, "unsupported_media_type", Some("content-type"));
    }
    for kind in ["application/json", "Application/JSON; charset=utf-8"] {
        assert_eq!(server.send(Method::POST, "/acquire", Some(kind), body).await.status, 201);
    }
}

#[tokio::test]
async fn a_body_may_be_as_large_as_the_limit_and_no_larger() {
    let options = Options { max_body_bytes: 1_000, ..Options::default() };
    let server = Server::with_options(vec![ceiling("main", &[("a", 1.0)])], options).await;
    let body = r#"{"tenant":"a","cost":1,"holdMs":1}"#;
    let padded = |bytes: usize| format!("{body}{}", " ".repeat(bytes - body.len()));
    assert_eq!(server.send(Method::POST, "/acquire", JSON, padded(1_000)).await.status, 201);
    let answer = server.send(Method::POST, "/acquire", JSON, padded(1_001)).await;
    answer.is_problem(413, "body_too_large", None);
}

#[tokio::test]
async fn unknown_paths_and_methods_are_told_what_there_is() {
    let server = Server::two().await;
    for path in ["/", "/acquire/", "/leases/", "/v1/acquire", "/stats/x"] {
        server.get(path).await.is_problem(404, "no_such_path", None);
    }
    for (method, path, allow) in [
        (Method::GET, "/acquire", "POST"),
        (Method::PUT, "/acquire", "POST"),
        (Method::POST, "/leases", "GET, HEAD"),
        (Method::POST, "/leases/x", "DELETE, GET, HEAD"),
        (Method::DELETE, "/stats", "GET, HEAD"),
        (Method::OPTIONS, "/metrics", "GET, HEAD"),
        (Method::PATCH, "/healthz", "GET, HEAD"),
    ] {
        let answer = server.send(method, path, JSON, "").await;
        answer.is_problem(405, "method_not_allowed", None);
        assert_eq!(answer.header("allow"), Some(allow));
    }
    let head = server.send(Method::HEAD, "/stats", None, "").await;
    assert_eq!((head.status.as_u16(), head.body), (200, json!("")));
}

#[tokio::test]
async fn unknown_parameters_are_named() {
    let server = Server::two().await;
    for path in ["/stats?cieling=x", "/fairness?cieling=x", "/plan?cieling=x"] {
        server.get(path).await.is_problem(400, "malformed", Some("cieling"));
    }
}

#[tokio::test]
async fn refused_attempts_change_no_usage() {
    let server = Server::two().await;
    server.grant("b", 100.0, 1_000).await;
    let usage = |stats: &serde_json::Value| {
        let tenants = stats["tenants"].as_array().unwrap().iter();
        let of =
            |t: &serde_json::Value| json!([t["held"], t["lent"], t["free"], t["grantedRequests"]]);
        (stats["held"].clone(), stats["leases"].clone(), tenants.map(of).collect::<Vec<_>>())
    };
    let before = usage(&server.get("/stats").await.body);
    for (tenant, cost) in [("a", 50.0), ("b", 10.0), ("a", 1_000.0)] {
        assert!(server.acquire(tenant, cost, 10).await.status.is_client_error());
    }
    assert_eq!(usage(&server.get("/stats").await.body), before);
}

#[tokio::test]
async fn request_ids_come_back_if_they_are_safe_and_are_replaced_if_not() {
    let server = Server::two().await;
    let ask = async |id: &str| {
        let request = reqwest::Client::new().get(server.url("/healthz")).header("x-request-id", id);
        let response = request.send().await.unwrap();
        response.headers()["x-request-id"].to_str().unwrap().to_owned()
    };
    assert_eq!(ask("call-7:a.b_c").await, "call-7:a.b_c");
    for odd in ["", "with space", "{\"json\":1}", &"x".repeat(129)] {
        let id = ask(odd).await;
        assert!(id != odd && !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric()));
    }
}
