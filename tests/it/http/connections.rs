//! Connections that are slow, silent, rude or gone, over plain sockets.

use std::time::Duration;

use fairgate::http::Options;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::server::{Server, ceiling};

/// Longer than any of the limits below, shorter than anybody's patience.
const PATIENCE: Duration = Duration::from_secs(15);

async fn server(options: Options) -> Server {
    Server::with_options(vec![ceiling("main", &[("a", 1.0)])], options).await
}

async fn connect(server: &Server, bytes: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(bytes.as_bytes()).await.unwrap();
    stream
}

/// Everything that comes until the other side closes.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset is a close like any other here.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.expect("the server hung up");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn a_connection_that_sends_nothing_is_closed() {
    let server = server(Options { header_read_timeout_ms: 100, ..Options::default() }).await;
    assert_eq!(rest(&mut connect(&server, "").await).await, "");
}

#[tokio::test]
async fn a_connection_that_never_finishes_its_head_is_closed() {
    let server = server(Options { header_read_timeout_ms: 100, ..Options::default() }).await;
    let mut stream = connect(&server, "POST /acquire HTTP/1.1\r\nhost: x\r\n").await;
    let answer = rest(&mut stream).await;
    assert!(!answer.contains(" 200 ") && !answer.contains(" 201 "), "{answer}");
}

#[tokio::test]
async fn an_idle_connection_is_closed_after_its_first_request() {
    let server = server(Options { header_read_timeout_ms: 1_500, ..Options::default() }).await;
    let mut stream = connect(&server, "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
}

#[tokio::test]
async fn a_body_that_never_comes_is_408_and_takes_nothing() {
    let server = server(Options { request_timeout_ms: 100, ..Options::default() }).await;
    let head = "POST /acquire HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                content-length: 34\r\n\r\n{\"tenant\":\"a\",";
    let mut stream = connect(&server, head).await;
    let mut start = [0; 12];
    timeout(PATIENCE, stream.read_exact(&mut start)).await.expect("an answer").unwrap();
    assert_eq!(&start, b"HTTP/1.1 408");
    assert_eq!(server.get("/stats").await.body["leases"], 0);
}

#[tokio::test]
async fn callers_that_leave_before_their_request_is_whole_leave_nothing_behind() {
    let server = server(Options::default()).await;
    let body = r#"{"tenant":"a","cost":0.001,"holdMs":100000}"#;
    let whole = format!(
        "POST /acquire HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    for round in 0..1_000 {
        // Every place in the request but its end.
        let cut = round * 7 % (whole.len() - 1);
        drop(connect(&server, &whole[..cut]).await);
    }
    // A whole request after all of these is answered, so all of these have been dealt with.
    let lease = server.grant("a", 1.0, 10).await;
    server.delete(&lease).await;
    assert_eq!(server.get("/stats").await.body["leases"], 0);
}

#[tokio::test]
async fn garbage_is_answered_with_an_error_or_a_close_and_the_next_one_is_served() {
    let server = server(Options { header_read_timeout_ms: 500, ..Options::default() }).await;
    let many_headers = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(5_000));
    let long_header = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "y".repeat(1 << 20));
    let long_path = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "z".repeat(200_000));
    for garbage in [
        "\r\n\r\n\r\n",
        "\0\0\0\0",
        "SSH-2.0-x\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "POST /acquire HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        "POST /acquire HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        &many_headers,
        &long_header,
        &long_path,
    ] {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        // The server may hang up before it has read everything.
        let _ = stream.write_all(garbage.as_bytes()).await;
        let answer = rest(&mut stream).await;
        assert!(!answer.starts_with("HTTP/1.1 2"), "{answer}");
    }
    assert_eq!(server.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_body_of_unknown_length_is_cut_off_at_the_limit() {
    let server = server(Options { max_body_bytes: 1_000, ..Options::default() }).await;
    let chunk = format!("3e8\r\n{}\r\n", " ".repeat(1_000));
    let head = "POST /acquire HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                transfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    let mut stream = connect(&server, &format!("{head}{chunk}{chunk}0\r\n\r\n")).await;
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 413"));
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let server = server(Options { header_read_timeout_ms: 1_500, ..Options::default() }).await;
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n");
    let mut stream =
        connect(&server, &(get("/healthz") + &get("/nowhere") + &get("/readyz"))).await;
    let answers = rest(&mut stream).await;
    let codes: Vec<_> =
        answers.match_indices("HTTP/1.1 ").map(|(at, _)| &answers[at + 9..at + 12]).collect();
    assert_eq!(codes, ["200", "404", "200"]);
}
