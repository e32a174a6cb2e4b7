//! The next snapshot, made the way recovery makes a state: the snapshot before it, and the
//! segments that followed. It never touches a live engine, so admission does not wait for it.

use super::names::{segment_first, snapshot_last, snapshot_name};
use super::recovery::{Progress, replay_before};
use super::{JournalError, Store, snapshot};

/// Publishes a snapshot of everything before record number `before`, which must be the first of a
/// segment, then removes the segments and snapshots that it replaces.
///
/// # Errors
///
/// The journal cannot be read, or the store failed. Nothing has been removed then that the
/// newest durable snapshot does not replace.
pub fn compact(
    store: &dyn Store,
    before: u64,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), JournalError> {
    let state = replay_before(store, before, progress, &mut ())?;
    let last = before - 1;
    let name = snapshot_name(last);
    let bytes = snapshot::encode(last, &state.ceilings).map_err(|error| JournalError::Io {
        file: name.clone(),
        source: std::io::Error::other(error),
    })?;
    store.publish(&name, &bytes).map_err(JournalError::io(&name))?;
    for name in store.names().map_err(JournalError::io("the journal"))? {
        let replaced = segment_first(&name).is_some_and(|first| first < before)
            || snapshot_last(&name).is_some_and(|covered| covered < last);
        if replaced {
            store.remove(&name).map_err(JournalError::io(&name))?;
        }
    }
    Ok(())
}
