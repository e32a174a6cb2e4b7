//! Bodies and queries, with every mistake answered as a problem that names the field.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use super::App;
use super::problem::Problem;

/// The whole body of a request that says it is JSON.
#[derive(Debug)]
pub(super) struct JsonBody(Bytes);

impl FromRequest<App> for JsonBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            let detail = "write the header content-type: application/json";
            let title = "The body is of an unknown kind";
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            let problem = Problem::new(status, "unsupported_media_type", title, detail);
            return Err(problem.field("content-type"));
        }
        let body = Bytes::from_request(request, app).await;
        body.map(Self).map_err(|rejection| unread(&rejection, app.options.max_body_bytes))
    }
}

impl JsonBody {
    /// Reads the body as `T`, which is an object; derived readers would take a list of its values
    /// as well.
    pub(super) fn parse<'a, T: serde::Deserialize<'a>>(&'a self) -> Result<T, Problem> {
        if !self.0.trim_ascii_start().starts_with(b"{") {
            return Err(Problem::malformed(
                "the body must be a JSON object, as in {\"tenant\": ...}",
            ));
        }
        serde_json::from_slice(&self.0).map_err(|error| named(error.to_string()))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn unread(rejection: &BytesRejection, max_body_bytes: usize) -> Problem {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let detail = format!("a body may have {max_body_bytes} bytes at the most");
        let title = "The body is too large";
        return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", title, detail);
    }
    Problem::malformed(format!("the body could not be read: {}", rejection.body_text()))
}

/// A query string, read as `T`.
#[derive(Debug)]
pub(super) struct Params<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<App> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        match Query::<T>::from_request_parts(parts, app).await {
            Ok(Query(params)) => Ok(Self(params)),
            Err(rejection) => {
                let text = rejection.body_text();
                Err(named(text.replace("Failed to deserialize query string: ", "")))
            }
        }
    }
}

/// The parameter of a path, as it was meant.
#[derive(Debug)]
pub(super) struct Segment(pub(super) String);

impl FromRequestParts<App> for Segment {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let path = Path::<String>::from_request_parts(parts, app).await;
        path.map(|Path(segment)| Self(segment))
            .map_err(|rejection| Problem::malformed(rejection.body_text()).field("id"))
    }
}

/// A parser's complaint, with the field that it names (in backticks, or before a colon).
fn named(complaint: String) -> Problem {
    let in_backticks = complaint.split('`').nth(1);
    let before_colon = complaint.split_once(": ").map(|(field, _)| field);
    let is_field = |field: &&str| {
        !field.is_empty() && field.len() <= 64 && field.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    let speaks_of_fields = complaint.contains("field");
    let field = in_backticks.filter(|_| speaks_of_fields).or(before_colon).filter(is_field);
    match field.map(str::to_owned) {
        Some(field) => Problem::malformed(complaint).field(field),
        None => Problem::malformed(complaint),
    }
}
