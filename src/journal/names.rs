//! The names of a journal's files.

/// The segment whose first record is number `first`.
#[must_use]
pub fn segment_name(first: u64) -> String {
    format!("segment-{first:020}.fgj")
}

/// The snapshot that holds everything up to record number `last`.
#[must_use]
pub fn snapshot_name(last: u64) -> String {
    format!("snapshot-{last:020}.fgs")
}

/// The record number in a segment's name.
pub(super) fn segment_first(name: &str) -> Option<u64> {
    number(name, "segment-", ".fgj")
}

/// The record number in a snapshot's name.
pub(super) fn snapshot_last(name: &str) -> Option<u64> {
    number(name, "snapshot-", ".fgs")
}

fn number(name: &str, prefix: &str, suffix: &str) -> Option<u64> {
    let digits = name.strip_prefix(prefix)?.strip_suffix(suffix)?;
    let plain = digits.len() == 20 && digits.bytes().all(|b| b.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}
