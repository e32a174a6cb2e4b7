//! The log's single writer: whatever arrives while one batch is being made durable forms the next.
//!
//! A record is appended under its ceiling's lock and before its command is applied, so the log has
//! the order of decisions. Nobody is answered before the record is in the log. If the store fails,
//! nothing more is: the log stays failed, and the process should end.

use std::io;
use std::sync::mpsc::{self, SyncSender, TrySendError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use tokio::sync::watch;

use super::driver::Unavailable;
use super::{Durability, JournalOptions, Stopwatch};
use crate::journal::{self, Append, Record, Store, frame, segment_name};
use crate::metrics::JournalEdges;

/// Records waiting to be written, in bytes; beyond this, commands are turned away.
const PENDING_BYTES_MAX: usize = 64 << 20;

/// The log of all ceilings.
#[derive(Debug)]
pub(super) struct Log {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    pending: Mutex<Pending>,
    arrived: Condvar,
    written: watch::Sender<Written>,
}

#[derive(Debug, Default)]
struct Pending {
    content: Vec<u8>,
    /// The number of the first record in `content`, and of the next to be appended.
    first: u64,
    next: u64,
    closed: bool,
}

/// How far the log has got.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// Every record below this number is in the log.
    pub(super) below: u64,
    /// Why nothing more will be.
    pub(super) failed: Option<Arc<str>>,
}

impl Log {
    /// Opens a segment for the records from number `next` on, and starts writing.
    pub(super) fn start(
        store: Arc<dyn Store>,
        next: u64,
        options: JournalOptions,
        edges: JournalEdges,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            pending: Mutex::new(Pending { first: next, next, ..Pending::default() }),
            arrived: Condvar::new(),
            written: watch::Sender::new(Written { below: next, failed: None }),
        });
        // One request for a snapshot may wait; a second would ask for no more than the first.
        let (compact, requests) = mpsc::sync_channel::<u64>(1);
        let segment = Segment::create(store.as_ref(), next)?;
        let writer = Writer { store: Arc::clone(&store), segment, options, compact, edges };
        let for_writer = Arc::clone(&shared);
        let threads = vec![
            thread::Builder::new().name("journal".into()).spawn(move || writer.run(&for_writer))?,
            thread::Builder::new().name("snapshot".into()).spawn(move || {
                for before in requests {
                    take_snapshot(store.as_ref(), before);
                }
            })?,
        ];
        Ok(Self { shared, threads })
    }

    /// Appends a record, to be written soon, and returns its number.
    pub(super) fn append(&self, record: &Record<'_>) -> Result<u64, Unavailable> {
        if self.shared.written.borrow().failed.is_some() {
            return Err(Unavailable::LogFailed);
        }
        let mut pending = self.shared.pending();
        if pending.content.len() >= PENDING_BYTES_MAX {
            return Err(Unavailable::Overloaded);
        }
        journal::encode(record, &mut pending.content);
        let number = pending.next;
        pending.next += 1;
        drop(pending);
        self.shared.arrived.notify_one();
        Ok(number)
    }

    /// Waits until record `number` is in the log.
    pub(super) async fn written(&self, number: u64) -> Result<(), Unavailable> {
        let mut written = self.shared.written.subscribe();
        let reached = |written: &Written| written.below > number || written.failed.is_some();
        match written.wait_for(reached).await {
            Ok(written) if written.below > number => Ok(()),
            _ => Err(Unavailable::LogFailed),
        }
    }

    /// How far the log has got, to be watched.
    pub(super) fn watch(&self) -> watch::Receiver<Written> {
        self.shared.written.subscribe()
    }
}

impl Drop for Log {
    /// What was appended is written before the threads end.
    fn drop(&mut self) {
        self.shared.pending().closed = true;
        self.shared.arrived.notify_one();
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn pending(&self) -> MutexGuard<'_, Pending> {
        // Nothing that could leave it half changed happens under this lock.
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for records and takes all there are: the number of the first and of the one after the
    /// last, and their bytes. None once the log is closed and everything was taken.
    fn take(&self, spare: Vec<u8>) -> Option<(u64, u64, Vec<u8>)> {
        let mut pending = self.pending();
        while pending.content.is_empty() {
            if pending.closed {
                return None;
            }
            pending = self.arrived.wait(pending).unwrap_or_else(PoisonError::into_inner);
        }
        let content = std::mem::replace(&mut pending.content, spare);
        let (first, next) = (pending.first, pending.next);
        pending.first = next;
        Some((first, next, content))
    }
}

/// The thread that writes.
struct Writer {
    store: Arc<dyn Store>,
    segment: Segment,
    options: JournalOptions,
    compact: SyncSender<u64>,
    edges: JournalEdges,
}

impl Writer {
    fn run(mut self, shared: &Shared) {
        let mut spare = Vec::new();
        while let Some((first, next, content)) = shared.take(std::mem::take(&mut spare)) {
            let watch = Stopwatch::start();
            if let Err(error) = self.write(first, next, &content) {
                tracing::error!(%error, "the journal failed; nothing more is answered");
                let failed = Some(error.to_string().into());
                shared.written.send_modify(|written| written.failed = failed);
                return;
            }
            self.edges.committed(next - first, watch.elapsed().as_secs_f64());
            shared.written.send_modify(|written| written.below = next);
            spare = content;
            spare.clear();
        }
    }

    fn write(&mut self, first: u64, next: u64, content: &[u8]) -> io::Result<()> {
        if self.segment.is_full(&self.options) {
            self.segment = Segment::create(self.store.as_ref(), first)?;
            match self.compact.try_send(first) {
                // The one that waits covers most of it; the next rotation asks for the rest.
                Ok(()) | Err(TrySendError::Full(_)) => {}
                Err(TrySendError::Disconnected(_)) => {
                    return Err(io::Error::other("the thread that takes snapshots has ended"));
                }
            }
        }
        self.segment.write(first, next, content, self.options.sync)
    }
}

/// The segment being written.
struct Segment {
    file: Box<dyn Append>,
    records: u64,
    bytes: u64,
    buffer: Vec<u8>,
}

impl Segment {
    fn create(store: &dyn Store, first: u64) -> io::Result<Self> {
        let mut file = store.create(&segment_name(first))?;
        file.append(&frame::segment_head(first))?;
        file.sync()?;
        Ok(Self { file, records: 0, bytes: 0, buffer: Vec::new() })
    }

    fn is_full(&self, options: &JournalOptions) -> bool {
        self.records >= options.snapshot_every_commands
            || self.bytes >= options.snapshot_every_bytes
    }

    fn write(&mut self, first: u64, next: u64, content: &[u8], sync: Durability) -> io::Result<()> {
        self.buffer.clear();
        self.buffer.extend_from_slice(&frame::batch_head(first, content));
        self.buffer.extend_from_slice(content);
        self.file.append(&self.buffer)?;
        if sync == Durability::Always {
            self.file.sync()?;
        }
        self.records += next - first;
        self.bytes += self.buffer.len() as u64;
        Ok(())
    }
}

/// A snapshot that fails costs disk and the time of a recovery, but loses nothing.
fn take_snapshot(store: &dyn Store, before: u64) {
    let watch = Stopwatch::start();
    match journal::compact(store, before, &mut |_| {}) {
        Ok(()) => {
            let took_ms = watch.elapsed().as_millis();
            tracing::info!(records = before - 1, took_ms, "snapshot taken");
        }
        Err(error) => tracing::error!(%error, "no snapshot could be taken; the log goes on"),
    }
}
