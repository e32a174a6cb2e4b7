//! What a configuration comes to, in words, and what in it is likely to surprise.

use std::fmt::Write;

use super::Options;
use crate::engine::Config;
use crate::gateway::{CeilingOptions, Durability};

/// Up to this idle time a client that obeys only `Retry-After`, which counts whole seconds, may
/// come back too late to keep its place.
const IDLE_AFTER_MS_SHORT: i64 = 2_000;
/// Above this ceiling the fixed tolerance is no longer far below the smallest amounts in use.
const CEILING_LARGE: f64 = 100_000.0;
/// How many tenants the description lists.
const TENANTS_LISTED_MAX: usize = 50;

/// What `options` mean, for people.
#[must_use]
pub fn meaning(options: &Options) -> String {
    let mut text = String::new();
    for CeilingOptions { name, config } in &options.ceilings {
        // Writing to a String cannot fail.
        let _ = describe(&mut text, name, config);
    }
    let _ = writeln!(text, "Listens on http://{}.", options.http.listen);
    let _ = match (&options.journal.dir, options.journal.options.sync) {
        (None, _) => {
            writeln!(text, "No journal: leases live in memory, and a restart forgets them.")
        }
        (Some(dir), Durability::Always) => writeln!(
            text,
            "Journal in {}: what was answered survives the end of the machine.",
            dir.display()
        ),
        (Some(dir), Durability::Os) => writeln!(
            text,
            "Journal in {}: what was answered survives the end of the process, but perhaps not of \
             the machine.",
            dir.display()
        ),
    };
    text
}

fn describe(text: &mut String, name: &str, config: &Config) -> std::fmt::Result {
    let unit = config.fairness_unit();
    writeln!(
        text,
        "Ceiling {name:?}: {} units of {unit} at one time, shared by",
        config.ceiling()
    )?;
    let tenants = config.tenants();
    let listed = &tenants[..tenants.len().min(TENANTS_LISTED_MAX)];
    let width = listed.iter().map(|tenant| tenant.id().chars().count()).max().unwrap_or(0);
    for tenant in listed {
        let (id, share) = (tenant.id(), tenant.weight_share() * 100.0);
        let units = (tenant.guarantee() * 1e6).round() / 1e6;
        writeln!(
            text,
            "  {id:<width$}  weight {}, always {units} units ({share:.1} %)",
            tenant.weight()
        )?;
    }
    if tenants.len() > listed.len() {
        writeln!(text, "  and {} more tenants", tenants.len() - listed.len())?;
    }
    let (horizon_ms, idle_after_ms) = (config.reclaim_horizon_ms(), config.idle_after_ms());
    writeln!(
        text,
        "The bound: from the moment a tenant asks, everything that was lent of its units is home \
         within {horizon_ms} ms, if holders release by the deadlines they declared."
    )?;
    writeln!(
        text,
        "Who lends: a tenant that holds nothing and has been quiet for {idle_after_ms} ms."
    )?;
    writeln!(
        text,
        "Who may borrow: a request with holdMs of {horizon_ms} or less. One that holds for longer \
         never borrows: it runs inside its tenant's own units or is refused."
    )?;
    writeln!(
        text,
        "Who keeps a place: a tenant that was refused and asks again within {} ms.\n",
        config.ask_again_within_ms()
    )
}

/// What in `options` is allowed but likely to surprise, one line each.
#[must_use]
pub fn warnings(options: &Options) -> Vec<String> {
    options
        .ceilings
        .iter()
        .flat_map(|ceiling| ceiling_warnings(&ceiling.name, &ceiling.config))
        .collect()
}

fn ceiling_warnings(name: &str, config: &Config) -> Vec<String> {
    let mut warnings = Vec::new();
    let (idle_after_ms, ceiling) = (config.idle_after_ms(), config.ceiling());
    if idle_after_ms <= IDLE_AFTER_MS_SHORT {
        warnings.push(format!(
            "ceiling {name:?}: idleAfterMs is {idle_after_ms}. A client that obeys only \
             Retry-After, which counts whole seconds, may ask again too late to keep its place; \
             clients should obey retry-after-ms, or raise idleAfterMs above {IDLE_AFTER_MS_SHORT}."
        ));
    }
    if ceiling > CEILING_LARGE {
        let scale = 10_f64.powf((ceiling / CEILING_LARGE).log10().ceil());
        warnings.push(format!(
            "ceiling {name:?}: ceiling is {ceiling}. Amounts are compared to within 1e-9; count in \
             units of {scale} (a ceiling of {}) so that rounding stays far below that.",
            ceiling / scale
        ));
    }
    warnings
}
