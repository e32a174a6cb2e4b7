//! The gateway about itself: alive, ready, metrics, contract.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::App;
use super::problem::{Problem, defect};

const OPENAPI: &str = include_str!("../../openapi.yaml");

#[derive(Debug, Serialize)]
struct AliveAnswer {
    alive: bool,
}

#[derive(Debug, Serialize)]
struct ReadyAnswer {
    ready: bool,
}

/// The process answers; a supervisor need not restart it.
pub(super) async fn alive() -> Response {
    Json(AliveAnswer { alive: true }).into_response()
}

/// The gateway admits; a load balancer may send it requests.
pub(super) async fn ready(State(app): State<App>) -> Result<Response, Problem> {
    app.gateway.ready()?;
    Ok(Json(ReadyAnswer { ready: true }).into_response())
}

/// Reading every account may take milliseconds, so it happens where blocking is allowed.
pub(super) async fn metrics(State(app): State<App>) -> Result<Response, Problem> {
    let rendered = tokio::task::spawn_blocking(move || app.gateway.metrics().render()).await;
    match rendered {
        Ok(Ok(text)) => Ok(([(CONTENT_TYPE, prometheus::TEXT_FORMAT)], text).into_response()),
        Ok(Err(error)) => {
            tracing::error!(%error, "metrics could not be rendered");
            Err(defect())
        }
        Err(error) => {
            tracing::error!(%error, "rendering metrics was cut off");
            Err(defect())
        }
    }
}

pub(super) async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/yaml")], OPENAPI).into_response()
}
