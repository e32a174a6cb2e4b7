//! The section `[journal]`.

use std::path::PathBuf;

use super::reader::Reader;
use crate::gateway::{Durability, JournalOptions};

/// Where the journal is kept, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalConfig {
    /// The folder; `None` keeps leases in memory.
    pub dir: Option<PathBuf>,
    /// How.
    pub options: JournalOptions,
    /// Whether to go on from the journal's time where the wall clock is far behind it.
    pub accept_clock_skew: bool,
}

pub(super) fn read(reader: &mut Reader<'_>) -> JournalConfig {
    let default = JournalOptions::default();
    let sync = |name: &str| match name {
        "always" => Some(Durability::Always),
        "os" => Some(Durability::Os),
        _ => None,
    };
    let dir = reader.text("dir");
    if dir.is_some_and(str::is_empty) {
        reader.error("dir", "is empty; write the path of a folder, or leave it out");
    }
    JournalConfig {
        dir: dir.map(PathBuf::from),
        options: JournalOptions {
            sync: reader.parsed("sync", "\"always\" or \"os\"", sync, default.sync),
            snapshot_every_commands: reader
                .count("snapshotEveryCommands", default.snapshot_every_commands),
            snapshot_every_bytes: reader.count("snapshotEveryBytes", default.snapshot_every_bytes),
        },
        accept_clock_skew: reader.flag("acceptClockSkew"),
    }
}
