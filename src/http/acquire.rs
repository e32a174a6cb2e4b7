//! `POST /acquire`.

use axum::Json;
use axum::extract::State;
use axum::http::header::{HeaderName, HeaderValue, LOCATION, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::App;
use super::advice::Advice;
use super::extract::JsonBody;
use super::problem::Problem;
use super::wire::{AcquireBody, GrantAnswer, LeaseWire, RefusalAnswer};
use crate::engine::{Acquire, Granted, Outcome, Refusal};
use crate::gateway::Ceiling;

const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");

/// A caller that leaves before its grant is in the log has its lease released; after that, the
/// answer is on its way.
pub(super) async fn acquire(State(app): State<App>, body: JsonBody) -> Result<Response, Problem> {
    let body: AcquireBody<'_> = body.parse()?;
    let ceiling = app.gateway.ceiling(body.ceiling()?.as_deref())?;
    let tenant = body.tenant()?;
    let request = Acquire { tenant: &tenant, cost: body.cost()?, hold_ms: body.hold_ms()? };
    match app.gateway.acquire(ceiling, request).await? {
        Outcome::Granted(granted) => Ok(grant(ceiling, &granted)),
        Outcome::Refused(refusal) => Ok(refuse(ceiling, &refusal)),
        Outcome::Invalid(error) => Err(Problem::from(error)),
        // An acquire is never answered as a release.
        Outcome::Released(_) | Outcome::NotHeld(_) => Err(super::problem::defect()),
    }
}

fn grant(ceiling: &Ceiling, granted: &Granted) -> Response {
    let Granted { lease, .. } = granted;
    let lease = LeaseWire::of(ceiling.name(), lease, ceiling.config(), lease.granted_at);
    let mut headers = HeaderMap::new();
    if let Ok(location) = HeaderValue::from_str(&format!("/leases/{}", lease.id)) {
        headers.insert(LOCATION, location);
    }
    (StatusCode::CREATED, headers, Json(GrantAnswer { ok: true, lease })).into_response()
}

fn refuse(ceiling: &Ceiling, refusal: &Refusal) -> Response {
    let mut headers = HeaderMap::new();
    let status = match Advice::of(refusal, ceiling.config().idle_after_ms()) {
        Some(advice) => {
            headers.insert(RETRY_AFTER_MS, HeaderValue::from(advice.ms));
            if let Some(seconds) = advice.seconds {
                headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
            }
            StatusCode::TOO_MANY_REQUESTS
        }
        None => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let answer = RefusalAnswer::of(ceiling.name(), refusal, ceiling.config());
    (status, headers, Json(answer)).into_response()
}
