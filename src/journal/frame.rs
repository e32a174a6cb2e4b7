//! How batches of records lie in a segment, and what a crash may have done to the last one.
//!
//! A batch is read whole or not at all: head and content each have a checksum. What follows the
//! last whole batch of the last segment may be the trace of a crash in mid-write, a *torn tail*,
//! which was never acknowledged and is dropped. It is told from damage by what a crash can do to
//! an append: the file ends too early, or some disk sector was never written and reads as zeros.
//! Whole sectors of other bytes with a wrong checksum are damage, and so is anything wrong that a
//! readable batch follows.

use super::{Damage, JournalError, Tail};

/// The format of segments and snapshots that this program writes and reads.
pub const VERSION: u8 = 1;
/// Bytes before a segment's first batch.
pub const SEGMENT_HEAD_BYTES: usize = 32;
/// Bytes before a batch's content.
pub const BATCH_HEAD_BYTES: usize = 24;

const SEGMENT_MAGIC: &[u8; 8] = b"fairgate";
const BATCH_MAGIC: &[u8; 4] = b"fgb\n";
/// The least that a disk writes at once.
const SECTOR_BYTES: usize = 512;

/// The first bytes of the segment whose first record is number `first`.
#[must_use]
pub fn segment_head(first: u64) -> [u8; SEGMENT_HEAD_BYTES] {
    let mut head = [0; SEGMENT_HEAD_BYTES];
    head[..8].copy_from_slice(SEGMENT_MAGIC);
    head[8] = VERSION;
    head[16..24].copy_from_slice(&first.to_le_bytes());
    let checksum = crc32fast::hash(&head[..28]);
    head[28..].copy_from_slice(&checksum.to_le_bytes());
    head
}

/// One batch: the number of its first record, and its records.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Batch<'a> {
    /// The number of its first record.
    pub first: u64,
    /// Its records, one after the other.
    pub content: &'a [u8],
}

/// The head of a batch with this content.
#[must_use]
pub fn batch_head(first: u64, content: &[u8]) -> [u8; BATCH_HEAD_BYTES] {
    let mut head = [0; BATCH_HEAD_BYTES];
    head[..4].copy_from_slice(BATCH_MAGIC);
    // The writer bounds a batch far below this.
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    head[4..8].copy_from_slice(&length.to_le_bytes());
    head[8..16].copy_from_slice(&first.to_le_bytes());
    head[16..20].copy_from_slice(&crc32fast::hash(content).to_le_bytes());
    let checksum = crc32fast::hash(&head[..20]);
    head[20..].copy_from_slice(&checksum.to_le_bytes());
    head
}

/// A segment being read.
#[derive(Debug)]
pub(super) struct Segment<'a> {
    file: &'a str,
    bytes: &'a [u8],
    offset: usize,
    /// Only the last segment of a journal may end in a torn tail.
    is_last: bool,
}

/// What comes next in a segment.
#[derive(Debug, PartialEq)]
pub(super) enum Next<'a> {
    /// A whole batch.
    Batch(Batch<'a>),
    /// The end of the file.
    End,
    /// The trace of a crash in mid-write, up to the end of the file.
    Torn,
}

impl<'a> Segment<'a> {
    /// Opens the segment `file`, which by its name begins with record number `first`.
    pub(super) fn open(
        file: &'a str,
        bytes: &'a [u8],
        first: u64,
        is_last: bool,
    ) -> Result<Self, JournalError> {
        let mut segment = Self { file, bytes, offset: 0, is_last };
        let head = segment_head(first);
        match bytes.get(..SEGMENT_HEAD_BYTES) {
            Some(found) if found == head => segment.offset = SEGMENT_HEAD_BYTES,
            // Created, but nothing that is in it was ever acknowledged.
            _ if is_last && segment.was_torn(SEGMENT_HEAD_BYTES) => {}
            None => return Err(segment.damaged(Damage::Truncated)),
            Some(found) => return Err(segment.wrong_head(found)),
        }
        Ok(segment)
    }

    fn wrong_head(&self, found: &[u8]) -> JournalError {
        let version = found[8];
        if &found[..8] != SEGMENT_MAGIC {
            self.damaged(Damage::NotOurs)
        } else if version != VERSION && has_checksum(found) {
            let file = self.file.to_owned();
            JournalError::UnknownVersion { file, found: version, known: VERSION }
        } else {
            self.damaged(Damage::HeadChecksum)
        }
    }

    /// What is whole of this segment, and what is not.
    pub(super) fn tail(&self) -> Tail {
        Tail {
            file: self.file.to_owned(),
            kept: self.offset as u64,
            torn: (self.bytes.len() - self.offset) as u64,
        }
    }

    pub(super) fn damaged(&self, damage: Damage) -> JournalError {
        JournalError::damaged(self.file, self.offset, damage)
    }

    /// Reads the next batch.
    pub(super) fn next(&mut self) -> Result<Next<'a>, JournalError> {
        let rest = &self.bytes[self.offset..];
        if rest.is_empty() {
            return Ok(Next::End);
        }
        if self.offset < SEGMENT_HEAD_BYTES {
            // The head itself is torn; opening it has checked that.
            let followed = self.is_followed();
            return if followed { Err(self.damaged(Damage::HeadChecksum)) } else { Ok(Next::Torn) };
        }
        match read_batch(rest) {
            Ok((batch, length)) => {
                self.offset += length;
                Ok(Next::Batch(batch))
            }
            Err((damage, extent)) => {
                if self.is_last && self.was_torn(extent) && !self.is_followed() {
                    Ok(Next::Torn)
                } else {
                    Err(self.damaged(damage))
                }
            }
        }
    }

    /// Whether the next `extent` bytes look like an append that a crash cut off: the file ends
    /// before them, or one of the sectors they lie in was never written.
    fn was_torn(&self, extent: usize) -> bool {
        let Some(end) = self.offset.checked_add(extent).filter(|&end| end <= self.bytes.len())
        else {
            return true;
        };
        let mut from = self.offset;
        while from < end {
            let to = (from / SECTOR_BYTES + 1).saturating_mul(SECTOR_BYTES).min(end);
            if self.bytes[from..to].iter().all(|&byte| byte == 0) {
                return true;
            }
            from = to;
        }
        false
    }

    /// Whether any readable batch lies further on.
    fn is_followed(&self) -> bool {
        let rest = &self.bytes[self.offset + 1..];
        let starts = rest.windows(BATCH_MAGIC.len()).enumerate();
        let mut starts = starts.filter(|(_, bytes)| bytes == BATCH_MAGIC);
        starts.any(|(start, _)| read_batch(&rest[start..]).is_ok())
    }
}

/// The batch at the start of `bytes` and its length in bytes; or what is wrong with it, and how
/// many bytes it would take if they were right.
fn read_batch(bytes: &[u8]) -> Result<(Batch<'_>, usize), (Damage, usize)> {
    let Some((head, rest)) = bytes.split_at_checked(BATCH_HEAD_BYTES) else {
        return Err((Damage::Truncated, BATCH_HEAD_BYTES));
    };
    if &head[..4] != BATCH_MAGIC || !has_checksum(head) {
        return Err((Damage::HeadChecksum, BATCH_HEAD_BYTES));
    }
    let length = u32_at(head, 4) as usize;
    let extent = BATCH_HEAD_BYTES + length;
    let content = rest.get(..length).ok_or((Damage::Truncated, extent))?;
    if crc32fast::hash(content) != u32_at(head, 16) {
        return Err((Damage::ContentChecksum, extent));
    }
    Ok((Batch { first: u64_at(head, 8), content }, extent))
}

/// Whether the last four bytes of a head are the checksum of those before.
pub(super) fn has_checksum(head: &[u8]) -> bool {
    head.split_last_chunk()
        .is_some_and(|(rest, sum)| crc32fast::hash(rest) == u32::from_le_bytes(*sum))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    word.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(word)
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(word)
}
