//! Around every request: its id, its time limit, its line in the log, its time in the metrics.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

use super::{App, problem};
use crate::gateway::Stopwatch;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The longest request id that is taken over from a client, in characters.
const REQUEST_ID_CHARS_MAX: usize = 128;
/// What requests to paths that do not exist are counted under.
const NO_ROUTE: &str = "none";

/// The time limit strikes while a body is being read or the journal is waited for. In the latter
/// case a grant is released when its future is dropped here.
pub(super) async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let watch = Stopwatch::start();
    let id = request_id(request.headers());
    let method = method_label(request.method());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str);
    let span = tracing::debug_span!("request", id = id.to_str().unwrap_or_default());

    let timeout_ms = app.options.request_timeout_ms;
    let answer = next.run(request).instrument(span.clone());
    let mut response = match tokio::time::timeout(Duration::from_millis(timeout_ms), answer).await {
        Ok(response) => response,
        Err(_) => problem::too_slow(timeout_ms).into_response(),
    };

    let status = response.status();
    let seconds = watch.elapsed().as_secs_f64();
    app.gateway.metrics().observe_request(route, method, status.as_u16(), seconds);
    span.in_scope(|| {
        let (status, duration_ms) = (status.as_u16(), seconds * 1e3);
        if status >= 500 {
            tracing::warn!(method, route, status, duration_ms, "request failed");
        } else {
            tracing::debug!(method, route, status, duration_ms, "request answered");
        }
    });
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// The client's id if it is one that can be logged safely, else a fresh one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_safe = |id: &&HeaderValue| {
        let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':');
        (1..=REQUEST_ID_CHARS_MAX).contains(&id.len()) && id.as_bytes().iter().all(plain)
    };
    headers.get(REQUEST_ID).filter(is_safe).cloned().unwrap_or_else(fresh_id)
}

/// Unique within this process; the log's own time tells processes apart.
fn fresh_id() -> HeaderValue {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    HeaderValue::from(COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Clients may invent methods; the metrics know only these.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        _ => "OTHER",
    }
}
