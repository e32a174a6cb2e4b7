//! What can be wrong with a journal, where, and what to do about it.

use std::io;

/// A journal that cannot be used as it is.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The medium failed.
    #[error("{file}: {source}")]
    Io {
        /// Which file.
        file: String,
        /// What happened.
        source: io::Error,
    },
    /// The file was written by a version of this program that this one does not know.
    #[error(
        "{file}: written in journal format version {found}, but this program reads version \
         {known}; run the program that wrote it"
    )]
    UnknownVersion {
        /// Which file.
        file: String,
        /// The version that it says.
        found: u8,
        /// The version that this program knows.
        known: u8,
    },
    /// Bytes are not what was written.
    #[error(
        "{file}, byte {offset}: {damage}. Nothing after this point can be trusted, so the journal \
         is not used; restore the file from a copy, or move the directory away to begin without \
         the leases in it"
    )]
    Damaged {
        /// Which file.
        file: String,
        /// Where in it.
        offset: u64,
        /// What was found.
        damage: Damage,
    },
    /// Applying what was recorded led elsewhere than it did before.
    #[error(
        "record {number}: replaying the journal led to {found} grants where {recorded} had been \
         recorded; this program decides differently from the one that wrote the journal"
    )]
    Diverged {
        /// The record before which it was noticed.
        number: u64,
        /// Grants in the replayed state.
        found: u64,
        /// Grants that the journal says.
        recorded: u64,
    },
    /// The recovered state does not add up.
    #[error("the recovered state of ceiling {ceiling:?} is inconsistent: {detail}")]
    Inconsistent {
        /// Which ceiling.
        ceiling: String,
        /// What was found.
        detail: String,
    },
}

impl JournalError {
    pub(super) fn io(file: &str) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Io { file: file.to_owned(), source }
    }

    pub(super) fn damaged(file: &str, offset: usize, damage: Damage) -> Self {
        Self::Damaged { file: file.to_owned(), offset: offset as u64, damage }
    }
}

/// In which way bytes are not what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The file does not begin as one of its kind does.
    #[error("this is not the beginning of a file of this kind")]
    NotOurs,
    /// The head of a file or a batch fails its checksum.
    #[error("the checksum of a head does not match")]
    HeadChecksum,
    /// The content of a file or a batch fails its checksum.
    #[error("the checksum of the content does not match")]
    ContentChecksum,
    /// The file ends inside a batch that others follow, or inside a snapshot.
    #[error("the file ends too early")]
    Truncated,
    /// A batch does not continue the one before it.
    #[error("record {expected} should follow, but record {found} does: records are missing")]
    Gap {
        /// The number that should come next.
        expected: u64,
        /// The number that does.
        found: u64,
    },
    /// A record's checksum matches, but it says nothing that can be understood.
    #[error("a record cannot be decoded")]
    Undecodable,
    /// A record names a ceiling or a tenant that no record before it introduced.
    #[error("a record names a ceiling or a tenant that was never introduced")]
    Unintroduced,
}
