//! `GET /leases`, `GET /leases/{id}` and `DELETE /leases/{id}`.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::App;
use super::extract::{Params, Segment};
use super::problem::Problem;
use super::wire::{LeaseWire, PageAnswer, ReleaseAnswer};
use crate::engine::{Lease, LeaseId, Outcome, RequestError};
use crate::gateway::Ceiling;

/// Leases on a page that does not say how many it wants.
const PAGE_SIZE: usize = 100;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageParams {
    ceiling: Option<String>,
    tenant: Option<String>,
    overrun: Option<bool>,
    limit: Option<usize>,
    after: Option<String>,
}

pub(super) async fn page(
    State(app): State<App>,
    Params(params): Params<PageParams>,
) -> Result<Response, Problem> {
    let ceiling = app.gateway.ceiling(params.ceiling.as_deref())?;
    let limit = page_size(params.limit, app.options.max_page_size)?;
    let after = params.after.as_deref().map_or(Ok(0), |after| cursor(&app, ceiling, after))?;
    let tenant = match params.tenant.as_deref().map(|id| ceiling.config().find(id)) {
        Some(None) => return Err(RequestError::UnknownTenant.into()),
        found => found.flatten(),
    };
    let keep = |lease: &Lease, now: i64| {
        tenant.is_none_or(|tenant| lease.tenant == tenant)
            && params.overrun.is_none_or(|overrun| lease.is_overrun(now) == overrun)
    };
    // One more than asked for tells whether there is another page.
    let (now, mut leases) = ceiling.leases(after, limit + 1, keep)?;
    let more = leases.len() > limit;
    leases.truncate(limit);
    let next = leases.last().filter(|_| more).map(|lease| lease.id.to_string());
    let config = ceiling.config();
    let leases = leases.iter().map(|lease| LeaseWire::of(ceiling.name(), lease, config, now));
    let leases = leases.collect();
    Ok(Json(PageAnswer { ceiling: ceiling.name(), now, leases, next }).into_response())
}

fn page_size(limit: Option<usize>, max: usize) -> Result<usize, Problem> {
    let limit = limit.unwrap_or(PAGE_SIZE.min(max));
    if (1..=max).contains(&limit) {
        return Ok(limit);
    }
    let detail = format!("limit must be an integer from 1 to {max}");
    Err(Problem::unprocessable("invalid_limit", detail).field("limit").value(&limit.to_string()))
}

/// The grant after which a page begins.
fn cursor(app: &App, ceiling: &Ceiling, after: &str) -> Result<u64, Problem> {
    let id = after.parse::<LeaseId>().ok();
    let own = id.filter(|&id| {
        let found = app.gateway.ceiling_of(id).ok().flatten();
        found.is_some_and(|found| found.number() == ceiling.number())
    });
    own.map(|id| id.seq).ok_or_else(|| {
        let detail = "after must be the value of next of an earlier page of the same ceiling";
        Problem::unprocessable("invalid_cursor", detail).field("after").value(after)
    })
}

pub(super) async fn one(State(app): State<App>, Segment(id): Segment) -> Result<Response, Problem> {
    let (ceiling, id) = issued(&app, &id)?;
    let (now, lease) = ceiling.lease(id)?;
    let lease = lease
        .ok_or_else(|| Problem::not_found("lease_ended", "this lease has ended").field("id"))?;
    Ok(Json(LeaseWire::of(ceiling.name(), &lease, ceiling.config(), now)).into_response())
}

pub(super) async fn release(
    State(app): State<App>,
    Segment(id): Segment,
) -> Result<Response, Problem> {
    let (ceiling, id) = issued(&app, &id)?;
    let released = match app.gateway.release(ceiling, id).await? {
        Outcome::Released(released) => Some(released),
        _ => None,
    };
    Ok(Json(ReleaseAnswer::of(released)).into_response())
}

/// The ceiling that once granted the lease called `id`.
fn issued<'a>(app: &'a App, id: &str) -> Result<(&'a Ceiling, LeaseId), Problem> {
    if let Ok(id) = id.parse::<LeaseId>()
        && let Some(ceiling) = app.gateway.ceiling_of(id)?
        && ceiling.has_issued(id)?
    {
        return Ok((ceiling, id));
    }
    let detail = "no lease was ever granted under this id; since leases live in memory, a restart \
                  of the gateway forgets them";
    Err(Problem::not_found("no_such_lease", detail).field("id").value(id))
}
