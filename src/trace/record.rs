//! Writing traces: the lines that a replay reads.

use serde::Serialize;
use serde_json::{Value, json};

use super::StateRecord;
use crate::engine::{Acquire, Command, Config, LeaseId, Outcome, State, TenantConfig};

/// The first line: what the ceiling is built from.
#[must_use]
pub fn config_line(config: &Config) -> String {
    let tenant = |tenant: &TenantConfig| json!({"id": tenant.id(), "weight": tenant.weight()});
    let tenants: Vec<_> = config.tenants().iter().map(tenant).collect();
    line(&json!({"config": {
        "ceiling": config.ceiling(),
        "fairnessUnit": config.fairness_unit().name(),
        "reclaimHorizonMs": config.reclaim_horizon_ms(),
        "idleAfterMs": config.idle_after_ms(),
        "startedAt": config.started_at(),
        "tenants": tenants,
    }}))
}

/// The second line, where the recording does not begin at the beginning.
#[must_use]
pub fn state_line(state: &State) -> String {
    line(&json!({"state": StateRecord::of(state)}))
}

/// A command, named after what it led to.
#[must_use]
pub fn command_line(now: i64, command: &Command<'_>, outcome: &Outcome) -> String {
    match (command, outcome) {
        (Command::Acquire(request), Outcome::Granted(granted)) => {
            acquire_line(now, request, Some(granted.lease.id))
        }
        (Command::Acquire(request), _) => acquire_line(now, request, None),
        (Command::Release(lease), _) => release_line(now, *lease),
    }
}

/// An acquire; `lease` is what was granted.
fn acquire_line(now: i64, request: &Acquire<'_>, lease: Option<LeaseId>) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Line<'a> {
        op: &'static str,
        now: i64,
        tenant: &'a str,
        cost: f64,
        hold_ms: i64,
        #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    }
    let name = lease.map(|lease| lease.to_string());
    let Acquire { tenant, cost, hold_ms } = *request;
    line(&Line { op: "acquire", now, tenant, cost, hold_ms, name })
}

/// A release.
fn release_line(now: i64, lease: LeaseId) -> String {
    line(&json!({"op": "release", "now": now, "lease": lease.to_string()}))
}

/// Whatever is written here has a form in JSON.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| Value::Null.to_string())
}
