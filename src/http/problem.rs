//! Errors of a request as RFC 9457 problems. Every error that this program answers is made here.

use axum::Json;
use axum::http::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::engine::RequestError;
use crate::gateway::{LookupError, Unavailable};

const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");
/// How much of a wrong value is repeated, in characters.
const VALUE_CHARS_MAX: usize = 128;

/// What went wrong with a request.
#[derive(Debug)]
pub(super) struct Problem(Box<Parts>);

#[derive(Debug)]
struct Parts {
    status: StatusCode,
    headers: HeaderMap,
    body: Body,
}

#[derive(Debug, Serialize)]
struct Body {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: String,
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

impl Problem {
    /// A problem of this `status`: a stable `code`, what it means in general, and in particular.
    pub(super) fn new(
        status: StatusCode,
        code: &'static str,
        title: &'static str,
        detail: impl Into<String>,
    ) -> Self {
        let body = Body {
            r#type: format!("urn:fairgate:problem:{code}"),
            title,
            status: status.as_u16(),
            detail: detail.into(),
            code,
            field: None,
            value: None,
        };
        Self(Box::new(Parts { status, headers: HeaderMap::new(), body }))
    }

    /// The request cannot be understood.
    pub(super) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", "The request cannot be understood", detail)
    }

    /// The request can be understood, but not be done: `code` says why.
    pub(super) fn unprocessable(code: &'static str, detail: impl Into<String>) -> Self {
        let title = "The request makes no sense here";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, title, detail)
    }

    /// There is nothing by that name.
    pub(super) fn not_found(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, "There is nothing here", detail)
    }

    /// Names the field that is wrong.
    pub(super) fn field(mut self, field: impl Into<String>) -> Self {
        self.0.body.field = Some(field.into());
        self
    }

    /// Repeats the value that is wrong, cut to a readable length.
    pub(super) fn value(mut self, value: &str) -> Self {
        self.0.body.value = Some(value.chars().take(VALUE_CHARS_MAX).collect());
        self
    }

    fn header(mut self, name: axum::http::HeaderName, value: HeaderValue) -> Self {
        self.0.headers.insert(name, value);
        self
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let Parts { status, headers, body } = *self.0;
        (status, headers, [(CONTENT_TYPE, PROBLEM_JSON)], Json(body)).into_response()
    }
}

impl From<RequestError> for Problem {
    fn from(error: RequestError) -> Self {
        let field = match error {
            RequestError::UnknownTenant => "tenant",
            RequestError::InvalidCost { .. } => "cost",
            RequestError::InvalidHold { .. } => "holdMs",
        };
        Self::unprocessable(error.code(), error.to_string()).field(field)
    }
}

impl From<LookupError> for Problem {
    fn from(error: LookupError) -> Self {
        match error {
            LookupError::Unknown(error) => {
                Self::unprocessable("unknown_ceiling", error.to_string()).field("ceiling")
            }
            LookupError::Unavailable(error) => error.into(),
        }
    }
}

impl From<Unavailable> for Problem {
    fn from(error: Unavailable) -> Self {
        let code = match error {
            Unavailable::Draining => "draining",
            Unavailable::Recovering(_) => "recovering",
            Unavailable::LogFailed => "journal_failed",
            Unavailable::Overloaded => "overloaded",
            Unavailable::Failed => "ceiling_failed",
        };
        let title = "The gateway cannot do this now";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, title, error.to_string())
            .header(RETRY_AFTER, HeaderValue::from_static("1"))
    }
}

pub(super) fn no_such_path() -> Problem {
    Problem::not_found("no_such_path", "no such path; GET /openapi.yaml lists them all")
}

pub(super) fn method_not_allowed(allow: &str) -> Problem {
    let detail = format!("this path takes {allow}");
    let title = "This path does not take that method";
    let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", title, detail);
    match HeaderValue::from_str(allow) {
        Ok(allow) => problem.header(ALLOW, allow),
        Err(_) => problem,
    }
}

pub(super) fn too_slow(timeout_ms: u64) -> Problem {
    let detail =
        format!("no answer within {timeout_ms} ms; if units were asked for, none are held");
    Problem::new(
        StatusCode::REQUEST_TIMEOUT,
        "request_timeout",
        "The request took too long",
        detail,
    )
}

pub(super) fn defect() -> Problem {
    let detail = "a defect of the gateway; its log names it beside this request's id";
    let title = "The gateway failed";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", title, detail)
}
