//! The state of every ceiling in one file, so that recovery need not begin at the beginning.

use serde::{Deserialize, Serialize};

use super::frame::{VERSION, has_checksum, u32_at, u64_at};
use super::record::CeilingRecord;
use super::{Damage, JournalError};
use crate::engine::Engine;
use crate::trace::{StateRecord, UnknownTenant};

const MAGIC: &[u8; 8] = b"fairgats";
const HEAD_BYTES: usize = 32;

/// A ceiling as it stands in a journal.
#[derive(Clone, Debug)]
pub struct Ceiling {
    /// Its name.
    pub name: String,
    /// Its state.
    pub engine: Engine,
}

/// A snapshot's bytes: the state of `ceilings` after record number `last`.
pub(super) fn encode(last: u64, ceilings: &[Ceiling]) -> Result<Vec<u8>, postcard::Error> {
    let records: Vec<_> = ceilings.iter().map(CeilingSnapshot::of).collect();
    let content = postcard::to_allocvec(&records)?;
    let mut bytes = Vec::with_capacity(HEAD_BYTES + content.len());
    bytes.extend(MAGIC);
    bytes.extend([VERSION, 0, 0, 0]);
    bytes.extend(crc32fast::hash(&content).to_le_bytes());
    bytes.extend(last.to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(content);
    Ok(bytes)
}

/// Reads the snapshot `file`, which by its name holds everything up to record number `last`.
pub(super) fn decode(file: &str, bytes: &[u8], last: u64) -> Result<Vec<Ceiling>, JournalError> {
    let damaged = |at, damage| JournalError::damaged(file, at, damage);
    let (head, content) =
        bytes.split_at_checked(HEAD_BYTES).ok_or_else(|| damaged(0, Damage::Truncated))?;
    if &head[..8] != MAGIC {
        return Err(damaged(0, Damage::NotOurs));
    }
    if !has_checksum(head) {
        return Err(damaged(0, Damage::HeadChecksum));
    }
    if head[8] != VERSION {
        let file = file.to_owned();
        return Err(JournalError::UnknownVersion { file, found: head[8], known: VERSION });
    }
    if u64_at(head, 16) != last {
        return Err(damaged(16, Damage::Gap { expected: last, found: u64_at(head, 16) }));
    }
    if crc32fast::hash(content) != u32_at(head, 12) {
        return Err(damaged(HEAD_BYTES, Damage::ContentChecksum));
    }
    let records: Vec<CeilingSnapshot<'_>> =
        postcard::from_bytes(content).map_err(|_| damaged(HEAD_BYTES, Damage::Undecodable))?;
    records.iter().map(|record| record.ceiling(file)).collect()
}

/// One ceiling as it is written.
#[derive(Debug, Serialize, Deserialize)]
struct CeilingSnapshot<'a> {
    #[serde(borrow)]
    settings: CeilingRecord<'a>,
    state: StateRecord,
}

impl<'a> CeilingSnapshot<'a> {
    fn of(ceiling: &'a Ceiling) -> Self {
        let (engine, name) = (&ceiling.engine, ceiling.name.as_str());
        Self {
            settings: CeilingRecord::of(name, engine.epoch(), engine.config()),
            state: StateRecord::of(&engine.state()),
        }
    }

    fn ceiling(&self, file: &str) -> Result<Ceiling, JournalError> {
        let damaged = |damage| JournalError::damaged(file, HEAD_BYTES, damage);
        let config = self.settings.config().map_err(damaged)?;
        let state = self.state.state(&config);
        let state = state.map_err(|UnknownTenant| damaged(Damage::Unintroduced))?;
        let name = self.settings.name.to_owned();
        match Engine::restore(config, state) {
            Ok(engine) => Ok(Ceiling { name, engine }),
            Err(error) => {
                Err(JournalError::Inconsistent { ceiling: name, detail: error.to_string() })
            }
        }
    }
}
