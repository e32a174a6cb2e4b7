//! What a line of a trace may say.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::StateRecord;
use crate::engine::{ConfigError, FairnessUnit, Settings, TenantSettings};

/// The first line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    pub(super) config: ConfigLine,
}

/// The second line, where a recording does not begin at the beginning.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StateLine {
    pub(super) state: StateRecord,
}

/// A configuration as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct ConfigLine {
    ceiling: f64,
    fairness_unit: Option<String>,
    tenants: Vec<TenantLine>,
    reclaim_horizon_ms: i64,
    idle_after_ms: i64,
    started_at: i64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TenantLine {
    id: String,
    weight: f64,
}

impl ConfigLine {
    pub(super) fn settings(self) -> Result<Settings, String> {
        let fairness_unit = match self.fairness_unit.as_deref() {
            None => return Err(ConfigError::MissingFairnessUnit.to_string()),
            Some(name) => FairnessUnit::from_name(name).ok_or_else(|| {
                format!("fairnessUnit is {name:?}; write \"cost\" or \"requests\"")
            })?,
        };
        let tenants = self.tenants.into_iter();
        Ok(Settings {
            ceiling: self.ceiling,
            fairness_unit: Some(fairness_unit),
            tenants: tenants.map(|t| TenantSettings { id: t.id, weight: t.weight }).collect(),
            reclaim_horizon_ms: self.reclaim_horizon_ms,
            idle_after_ms: self.idle_after_ms,
            started_at: self.started_at,
        })
    }
}

/// Every other line: an operation and those of these fields that belong to it. Numbers stay as
/// written, so that they are judged by the engine's rules, not by the parser's.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct OpLine<'a> {
    pub(super) op: String,
    #[serde(borrow)]
    now: Option<&'a RawValue>,
    tenant: Option<String>,
    #[serde(borrow)]
    cost: Option<&'a RawValue>,
    #[serde(borrow)]
    hold_ms: Option<&'a RawValue>,
    #[serde(rename = "as")]
    name: Option<String>,
    lease: Option<String>,
}

/// An operation with just the fields that belong to it.
#[derive(Debug)]
pub(super) enum Op {
    Acquire { tenant: String, cost: f64, hold_ms: Option<i64>, name: Option<String> },
    Release { lease: String },
    Stats,
    Fairness,
    Plan,
}

impl OpLine<'_> {
    /// The instant.
    pub(super) fn now(&self) -> Result<i64, String> {
        let written = self.now.ok_or_else(|| missing(&self.op, "now"))?.get();
        written
            .parse()
            .map_err(|_| format!("now is {written}; write an integer number of milliseconds"))
    }

    /// The operation.
    ///
    /// A cost that is no number becomes one that no request may have, and a hold that is not an
    /// integer becomes none: asking for these is an error of the request, not of the trace.
    pub(super) fn op(self) -> Result<Op, String> {
        let Self { op, now: _, tenant, cost, hold_ms, name, lease } = self;
        let extra = |present: bool, field: &str| {
            if present { Err(format!("{op:?} takes no {field:?}")) } else { Ok(()) }
        };
        if op != "acquire" {
            extra(tenant.is_some(), "tenant")?;
            extra(cost.is_some(), "cost")?;
            extra(hold_ms.is_some(), "holdMs")?;
            extra(name.is_some(), "as")?;
        }
        if op != "release" {
            extra(lease.is_some(), "lease")?;
        }
        match op.as_str() {
            "acquire" => Ok(Op::Acquire {
                tenant: tenant.ok_or_else(|| missing(&op, "tenant"))?,
                cost: number(cost.ok_or_else(|| missing(&op, "cost"))?),
                hold_ms: hold_ms.ok_or_else(|| missing(&op, "holdMs"))?.get().parse().ok(),
                name,
            }),
            "release" => Ok(Op::Release { lease: lease.ok_or_else(|| missing(&op, "lease"))? }),
            "stats" => Ok(Op::Stats),
            "fairness" => Ok(Op::Fairness),
            "plan" => Ok(Op::Plan),
            _ => Err(format!("op is {op:?}; write acquire, release, stats, fairness or plan")),
        }
    }
}

fn missing(op: &str, field: &str) -> String {
    format!("{op:?} needs {field:?}")
}

fn number(written: &RawValue) -> f64 {
    let is_number = written.get().starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let value = is_number.then(|| written.get().parse().ok()).flatten();
    value.unwrap_or(f64::NAN)
}
