//! The list `[[ceilings]]`, each with its `[[ceilings.tenants]]`.

use std::collections::HashSet;

use super::reader::Reader;
use crate::engine::{Config, ConfigError, FairnessUnit, Settings, TenantSettings};
use crate::gateway::{CEILING_NAME_CHARS_MAX, CeilingOptions};

/// The most ceilings in one gateway.
const CEILINGS_MAX: usize = 1_000;

pub(super) fn read_all(root: &mut Reader<'_>) -> Vec<CeilingOptions> {
    let mut names = HashSet::new();
    let mut count = 0;
    let ceilings = root.list("ceilings", |reader, _| {
        count += 1;
        let ceiling = read(reader)?;
        if names.insert(ceiling.name.clone()) {
            return Some(ceiling);
        }
        reader.error("name", format_args!("is {:?}, which another ceiling has", ceiling.name));
        None
    });
    if count == 0 {
        root.missing(
            "ceilings",
            "there is nothing to guard. Write a [[ceilings]] table, or give --ceiling, \
             --fairness-unit, --tenant, --reclaim-horizon-ms and --idle-after-ms",
        );
    } else if count > CEILINGS_MAX {
        root.error("ceilings", format_args!("has {count} entries; at most {CEILINGS_MAX} may be"));
    }
    ceilings.into_iter().flatten().collect()
}

fn read(reader: &mut Reader<'_>) -> Option<CeilingOptions> {
    let name = reader.text("name").map(str::to_owned);
    if name.is_none() {
        reader.missing("name", "a ceiling is called by its name, such as \"main\"");
    } else if !name.as_deref().is_some_and(is_name) {
        let name = name.as_deref().unwrap_or_default();
        reader.error(
            "name",
            format_args!(
                "is {name:?}; write 1 to {CEILING_NAME_CHARS_MAX} of the characters A-Z, a-z, \
                 0-9, '.', '_' and '-'"
            ),
        );
    }
    let ceiling = required(reader, "ceiling", Reader::number, "units that may be held at once");
    let fairness_unit = fairness_unit(reader);
    let horizon = "the longest time a returning tenant may wait, in milliseconds";
    let reclaim_horizon_ms = required(reader, "reclaimHorizonMs", Reader::any_integer, horizon);
    let idle = "how long a tenant must be quiet before it lends, in milliseconds";
    let idle_after_ms = required(reader, "idleAfterMs", Reader::any_integer, idle);
    let tenants = reader.list("tenants", |reader, _| {
        let id = required(reader, "id", Reader::text, "the tenant's name")?;
        let weight = required(reader, "weight", Reader::number, "its part relative to the others'");
        Some(TenantSettings { id: id.to_owned(), weight: weight? })
    });
    let settings = Settings {
        ceiling: ceiling?,
        fairness_unit: Some(fairness_unit?),
        tenants: tenants.into_iter().collect::<Option<_>>()?,
        reclaim_horizon_ms: reclaim_horizon_ms?,
        idle_after_ms: idle_after_ms?,
        started_at: 0,
    };
    match Config::new(settings) {
        Ok(config) => Some(CeilingOptions { name: name.filter(|name| is_name(name))?, config }),
        Err(errors) => {
            for error in errors {
                reader.error_below(error);
            }
            None
        }
    }
}

fn fairness_unit(reader: &mut Reader<'_>) -> Option<FairnessUnit> {
    let Some(name) = reader.text("fairnessUnit") else {
        reader.error_below(ConfigError::MissingFairnessUnit);
        return None;
    };
    let unit = FairnessUnit::from_name(name);
    if unit.is_none() {
        let expected = "write \"cost\" or \"requests\"";
        reader.error("fairnessUnit", format_args!("is {name:?}; {expected}"));
    }
    unit
}

fn required<'a, 'r, T>(
    reader: &mut Reader<'a>,
    key: &'static str,
    read: impl FnOnce(&mut Reader<'a>, &'static str) -> Option<T> + 'r,
    meaning: &str,
) -> Option<T> {
    let has_key = reader.has(key);
    let value = read(reader, key);
    if !has_key {
        reader.missing(key, meaning);
    }
    value
}

fn is_name(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    (1..=CEILING_NAME_CHARS_MAX).contains(&name.len()) && name.bytes().all(plain)
}
