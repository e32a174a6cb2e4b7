//! `GET /stats`, `GET /fairness` and `GET /plan`.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::App;
use super::extract::Params;
use super::problem::Problem;
use super::wire::{FairnessAnswer, PlanAnswer, StatsAnswer};
use crate::engine::{Fairness, Plan};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportParams {
    ceiling: Option<String>,
}

pub(super) async fn stats(
    State(app): State<App>,
    Params(params): Params<ReportParams>,
) -> Result<Response, Problem> {
    let ceiling = app.gateway.ceiling(params.ceiling.as_deref())?;
    let stats = ceiling.stats()?;
    Ok(Json(StatsAnswer::of(ceiling.name(), &stats, ceiling.config())).into_response())
}

pub(super) async fn fairness(
    State(app): State<App>,
    Params(params): Params<ReportParams>,
) -> Result<Response, Problem> {
    let ceiling = app.gateway.ceiling(params.ceiling.as_deref())?;
    let (stats, config) = (ceiling.stats()?, ceiling.config());
    let fairness = Fairness::of(&stats, config);
    Ok(Json(FairnessAnswer::of(ceiling.name(), stats.now, fairness, config)).into_response())
}

pub(super) async fn plan(
    State(app): State<App>,
    Params(params): Params<ReportParams>,
) -> Result<Response, Problem> {
    let ceiling = app.gateway.ceiling(params.ceiling.as_deref())?;
    let plan = Plan::of(&ceiling.stats()?, ceiling.config());
    Ok(Json(PlanAnswer::of(ceiling.name(), &plan, ceiling.config())).into_response())
}
