//! `POST /acquire`.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::super::problem::Problem;
use super::LeaseWire;
use crate::engine::{Config, Refusal};

/// The body as it is written. Each value is judged by its own field's rule, so that a mistake can
/// be named.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct AcquireBody<'a> {
    #[serde(borrow)]
    tenant: &'a RawValue,
    #[serde(borrow)]
    cost: &'a RawValue,
    #[serde(borrow)]
    hold_ms: &'a RawValue,
    #[serde(borrow, default, deserialize_with = "given")]
    ceiling: Option<&'a RawValue>,
}

/// A field that is there, even if it is `null`.
fn given<'de: 'a, 'a, D: Deserializer<'de>>(value: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(value).map(Some)
}

impl AcquireBody<'_> {
    pub(crate) fn tenant(&self) -> Result<String, Problem> {
        text("tenant", self.tenant)
    }

    pub(crate) fn ceiling(&self) -> Result<Option<String>, Problem> {
        self.ceiling.map(|value| text("ceiling", value)).transpose()
    }

    /// The cost; infinite where no number could hold it, which the engine's rule then names.
    pub(crate) fn cost(&self) -> Result<f64, Problem> {
        number("cost", self.cost)
    }

    /// The hold. A number with a fraction of zero, such as `100.0`, is an integer.
    pub(crate) fn hold_ms(&self) -> Result<i64, Problem> {
        if let Ok(integer) = self.hold_ms.get().parse() {
            return Ok(integer);
        }
        let value = number("holdMs", self.hold_ms)?;
        // Beyond 2^53 a float may not be the integer that was meant, and no hold is that long.
        if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
            #[expect(clippy::cast_possible_truncation, reason = "an integer within 2^53")]
            return Ok(value as i64);
        }
        let detail = "holdMs must be an integer number of milliseconds, from 1 to a year";
        Err(Problem::unprocessable("invalid_hold", detail)
            .field("holdMs")
            .value(self.hold_ms.get()))
    }
}

fn text(field: &'static str, value: &RawValue) -> Result<String, Problem> {
    serde_json::from_str(value.get()).map_err(|_| mistyped(field, "a text", value))
}

fn number(field: &'static str, value: &RawValue) -> Result<f64, Problem> {
    let is_number = value.get().starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let value_of = is_number.then(|| value.get().parse().ok()).flatten();
    value_of.ok_or_else(|| mistyped(field, "a number", value))
}

fn mistyped(field: &'static str, expected: &str, value: &RawValue) -> Problem {
    Problem::malformed(format!("{field} must be {expected}")).field(field).value(value.get())
}

/// A grant.
#[derive(Debug, Serialize)]
pub(crate) struct GrantAnswer<'a> {
    pub(crate) ok: bool,
    pub(crate) lease: LeaseWire<'a>,
}

/// A refusal.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RefusalAnswer<'a> {
    ok: bool,
    ceiling: &'a str,
    tenant: &'a str,
    reason: &'static str,
    curable: bool,
    retry_after_ms: Option<i64>,
    ask_again_within_ms: Option<i64>,
    blocking_leases: Vec<String>,
    blocking_leases_total: usize,
    explanation: String,
}

impl<'a> RefusalAnswer<'a> {
    pub(crate) fn of(ceiling: &'a str, refusal: &Refusal, config: &'a Config) -> Self {
        Self {
            ok: false,
            ceiling,
            tenant: config.tenant(refusal.facts.tenant).id(),
            reason: refusal.reason.code(),
            curable: refusal.curable,
            retry_after_ms: refusal.retry_after_ms,
            ask_again_within_ms: refusal.ask_again_within_ms,
            blocking_leases: refusal.blocking.iter().map(|held| held.lease.to_string()).collect(),
            blocking_leases_total: refusal.blocking_total,
            explanation: refusal.explanation(config),
        }
    }
}
