//! From bytes to state: the newest snapshot, then what was recorded after it.

use super::frame::{Batch, Next, Segment};
use super::names::{segment_first, segment_name, snapshot_last, snapshot_name};
use super::record::{CeilingRecord, Record, decode};
use super::{Ceiling, Damage, JournalError, Store, snapshot};
use crate::engine::{Command, Engine, Outcome, invariants};

/// How far a recovery has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Segments read so far.
    pub segments_read: usize,
    /// Segments to read in all.
    pub segments: usize,
    /// Records applied so far.
    pub records: u64,
}

/// The trace of a crash in mid-write at the end of the last segment. Nothing in it was ever
/// acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The last segment.
    pub file: String,
    /// Bytes of it that are whole.
    pub kept: u64,
    /// Bytes after these that are not.
    pub torn: u64,
}

/// A journal's state.
#[derive(Clone, Debug, Default)]
pub struct Recovered {
    /// The ceilings, by the number under which records name them.
    pub ceilings: Vec<Ceiling>,
    /// The number of the next record.
    pub next: u64,
    /// The latest stamp of any record, in milliseconds since the Unix epoch.
    pub last_stamp: Option<i64>,
    /// What the newest snapshot covers: everything up to this record number.
    pub snapshot_last: Option<u64>,
    /// Records applied after the snapshot.
    pub records: u64,
    /// The names of the segments that were read.
    pub segments: Vec<String>,
    /// What has to be cut off before the journal is written to again.
    pub tail: Option<Tail>,
}

/// Is shown what a journal says while it is being read.
pub trait Observer {
    /// The ceiling with this number begins, or goes on from a snapshot, as it stands.
    fn begins(&mut self, number: usize, ceiling: &Ceiling);

    /// A command was applied to it.
    fn applied(&mut self, number: usize, now: i64, command: &Command<'_>, outcome: &Outcome);
}

/// Looks away.
impl Observer for () {
    fn begins(&mut self, _: usize, _: &Ceiling) {}
    fn applied(&mut self, _: usize, _: i64, _: &Command<'_>, _: &Outcome) {}
}

/// Reads a journal to its end and changes nothing.
///
/// # Errors
///
/// It cannot be read, was written by an unknown version, is damaged, or does not add up.
pub fn recover(
    store: &dyn Store,
    progress: &mut dyn FnMut(Progress),
) -> Result<Recovered, JournalError> {
    recover_observed(store, progress, &mut ())
}

/// The same, shown to `observer` as it goes.
///
/// # Errors
///
/// As [`recover`].
pub fn recover_observed(
    store: &dyn Store,
    progress: &mut dyn FnMut(Progress),
    observer: &mut dyn Observer,
) -> Result<Recovered, JournalError> {
    let recovered = replay_before(store, u64::MAX, progress, observer)?;
    for ceiling in &recovered.ceilings {
        if let Some((name, found)) = invariants::first_broken(&ceiling.engine) {
            let detail = format!("{name}: {found}");
            return Err(JournalError::Inconsistent { ceiling: ceiling.name.clone(), detail });
        }
    }
    Ok(recovered)
}

/// Reads a journal up to the segment that begins with record number `before`.
pub(super) fn replay_before(
    store: &dyn Store,
    before: u64,
    progress: &mut dyn FnMut(Progress),
    observer: &mut dyn Observer,
) -> Result<Recovered, JournalError> {
    let names = store.names().map_err(JournalError::io("the journal"))?;
    let snapshot_last = names.iter().filter_map(|name| snapshot_last(name)).max();
    let mut recovered = Recovered { next: 1, ..Recovered::default() };
    if let Some(last) = snapshot_last {
        let name = snapshot_name(last);
        let bytes = store.read(&name).map_err(JournalError::io(&name))?;
        recovered.ceilings = snapshot::decode(&name, &bytes, last)?;
        recovered.next = last + 1;
        recovered.snapshot_last = snapshot_last;
        recovered.last_stamp = recovered.ceilings.iter().map(|c| c.engine.now()).max();
        for (number, ceiling) in recovered.ceilings.iter().enumerate() {
            observer.begins(number, ceiling);
        }
    }
    let from = recovered.next;
    let mut firsts: Vec<u64> = names.iter().filter_map(|name| segment_first(name)).collect();
    firsts.sort_unstable();
    let is_last = |first| firsts.last() == Some(&first);
    let wanted: Vec<_> = firsts.iter().copied().filter(|&f| (from..before).contains(&f)).collect();
    for (nth, &first) in wanted.iter().enumerate() {
        progress(Progress {
            segments_read: nth,
            segments: wanted.len(),
            records: recovered.records,
        });
        let name = segment_name(first);
        let bytes = store.read(&name).map_err(JournalError::io(&name))?;
        let segment = Segment::open(&name, &bytes, first, is_last(first))?;
        recovered.replay_segment(segment, first, observer)?;
        recovered.segments.push(name);
    }
    Ok(recovered)
}

impl Recovered {
    fn replay_segment(
        &mut self,
        mut segment: Segment<'_>,
        first: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), JournalError> {
        if first != self.next {
            return Err(segment.damaged(Damage::Gap { expected: self.next, found: first }));
        }
        loop {
            match segment.next()? {
                Next::Batch(batch) => self.replay_batch(&segment, &batch, observer)?,
                Next::End => return Ok(()),
                Next::Torn => {
                    self.tail = Some(segment.tail());
                    return Ok(());
                }
            }
        }
    }

    fn replay_batch(
        &mut self,
        segment: &Segment<'_>,
        batch: &Batch<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), JournalError> {
        if batch.first != self.next {
            let gap = Damage::Gap { expected: self.next, found: batch.first };
            return Err(segment.damaged(gap));
        }
        let mut rest = batch.content;
        while !rest.is_empty() {
            let (record, after) = decode(rest).map_err(|damage| segment.damaged(damage))?;
            self.replay(&record, observer).map_err(|fault| fault.at(self.next, segment))?;
            self.next += 1;
            self.records += 1;
            rest = after;
        }
        Ok(())
    }

    fn begin(&mut self, ceiling: usize, settings: &CeilingRecord<'_>) -> Result<(), Damage> {
        let engine = Engine::new(settings.config()?, settings.epoch);
        let name = settings.name.to_owned();
        let begun = self.ceilings.len();
        if let Some(before) = self.ceilings.get_mut(ceiling) {
            let engine = engine.continuing(before.engine.granted());
            *before = Ceiling { name, engine };
        } else if ceiling == begun {
            self.ceilings.push(Ceiling { name, engine });
        } else {
            return Err(Damage::Unintroduced);
        }
        Ok(())
    }

    fn replay(&mut self, record: &Record<'_>, observer: &mut dyn Observer) -> Result<(), Fault> {
        match record {
            Record::Begin { ceiling, settings } => {
                let number = *ceiling as usize;
                self.begin(number, settings)?;
                observer.begins(number, &self.ceilings[number]);
                self.last_stamp = self.last_stamp.max(Some(settings.started_at));
            }
            Record::Entry { ceiling, now, granted, entry } => {
                let number = *ceiling as usize;
                let ceiling = self.ceilings.get_mut(number);
                let engine = &mut ceiling.ok_or(Damage::Unintroduced)?.engine;
                let (found, recorded) = (engine.granted(), *granted);
                if found != recorded {
                    return Err(Fault::Diverged { found, recorded });
                }
                let config = engine.config().clone();
                let command = entry.command(&config)?;
                let outcome = engine.apply(*now, command);
                observer.applied(number, *now, &command, &outcome);
                self.last_stamp = self.last_stamp.max(Some(*now));
            }
        }
        Ok(())
    }
}

/// What can be wrong with a record whose checksum matches.
enum Fault {
    Damage(Damage),
    Diverged { found: u64, recorded: u64 },
}

impl From<Damage> for Fault {
    fn from(damage: Damage) -> Self {
        Self::Damage(damage)
    }
}

impl Fault {
    fn at(self, number: u64, segment: &Segment<'_>) -> JournalError {
        match self {
            Self::Damage(damage) => segment.damaged(damage),
            Self::Diverged { found, recorded } => {
                JournalError::Diverged { number, found, recorded }
            }
        }
    }
}
