//! A store that crashes: it fails at a chosen step, and what was not synced may be lost in part,
//! in any order.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex};

use fairgate::journal::{Append, Store};

/// A disk whose power can be cut.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk(Arc<Mutex<State>>);

#[derive(Clone, Debug, Default)]
struct State {
    files: BTreeMap<String, File>,
    /// Steps taken so far, and the one from which on every step fails.
    steps: u64,
    fails_from: Option<u64>,
}

#[derive(Clone, Debug, Default)]
struct File {
    synced: Vec<u8>,
    /// Whether the folder durably knows the file.
    is_known: bool,
    /// Appended since the last sync.
    unsynced: Vec<Vec<u8>>,
}

impl File {
    fn content(&self) -> Vec<u8> {
        [self.synced.clone(), self.unsynced.concat()].concat()
    }
}

/// What a crash keeps of what was not synced.
#[derive(Clone, Copy, Debug)]
pub(super) enum Crash {
    /// Only the process ended: the system has everything that was handed to it.
    Process,
    /// The machine ended: any sectors of what was not synced may be lost.
    Machine(u64),
}

const SECTOR: usize = 512;

impl Disk {
    /// From step `step` on (counted from 0), everything fails.
    pub(super) fn failing_from(step: u64) -> Self {
        let disk = Self::default();
        disk.0.lock().unwrap().fails_from = Some(step);
        disk
    }

    pub(super) fn steps(&self) -> u64 {
        self.0.lock().unwrap().steps
    }

    /// The disk as it is found after a crash.
    pub(super) fn after(&self, crash: Crash) -> Self {
        let mut state = self.0.lock().unwrap().clone();
        (state.steps, state.fails_from) = (0, None);
        let mut random = match crash {
            Crash::Process => 0,
            Crash::Machine(seed) => seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        };
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        let mut lost = BTreeSet::new();
        for (name, file) in &mut state.files {
            let written = file.unsynced.concat();
            let start = file.synced.len();
            match crash {
                Crash::Process => file.synced.extend(&written),
                Crash::Machine(_) => {
                    if !file.is_known && next() % 2 == 0 {
                        lost.insert(name.clone());
                        continue;
                    }
                    // The length may have become durable for any part of what was written.
                    let length = start + usize::try_from(next()).unwrap_or(0) % (written.len() + 1);
                    file.synced.extend(&written[..length - start]);
                    // And so may each sector.
                    let mut from = start;
                    while from < length {
                        let to = ((from / SECTOR + 1) * SECTOR).min(length);
                        if next() % 3 == 0 {
                            file.synced[from..to].fill(0);
                        }
                        from = to;
                    }
                }
            }
            file.unsynced.clear();
            file.is_known = true;
        }
        state.files.retain(|name, _| !lost.contains(name));
        Self(Arc::new(Mutex::new(state)))
    }

    /// Every file's content.
    pub(super) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let state = self.0.lock().unwrap();
        state.files.iter().map(|(name, file)| (name.clone(), file.content())).collect()
    }

    pub(super) fn with_files(files: BTreeMap<String, Vec<u8>>) -> Self {
        let file = |synced| File { synced, is_known: true, unsynced: Vec::new() };
        let files = files.into_iter().map(|(name, content)| (name, file(content))).collect();
        Self(Arc::new(Mutex::new(State { files, ..State::default() })))
    }

    fn step<T>(&self, act: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.0.lock().unwrap();
        let step = state.steps;
        state.steps += 1;
        if state.fails_from.is_some_and(|from| step >= from) {
            return Err(io::Error::other(format!("the disk failed at step {step}")));
        }
        act(&mut state)
    }
}

impl Store for Disk {
    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.0.lock().unwrap().files.keys().cloned().collect())
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let state = self.0.lock().unwrap();
        state.files.get(name).map(File::content).ok_or(io::ErrorKind::NotFound.into())
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn Append>> {
        self.step(|state| {
            assert!(!state.files.contains_key(name), "{name} exists");
            state.files.insert(name.to_owned(), File::default());
            Ok(())
        })?;
        Ok(Box::new(Growing { disk: self.clone(), name: name.to_owned() }))
    }

    fn publish(&self, name: &str, content: &[u8]) -> io::Result<()> {
        self.step(|state| {
            let file = File { synced: content.to_vec(), is_known: true, unsynced: Vec::new() };
            state.files.insert(name.to_owned(), file);
            Ok(())
        })
    }

    fn truncate(&self, name: &str, length: u64) -> io::Result<()> {
        self.step(|state| {
            let file = state.files.get_mut(name).ok_or(io::ErrorKind::NotFound)?;
            let mut content = file.content();
            content.truncate(usize::try_from(length).unwrap());
            *file = File { synced: content, is_known: true, unsynced: Vec::new() };
            Ok(())
        })
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.step(|state| {
            state.files.remove(name);
            Ok(())
        })
    }
}

struct Growing {
    disk: Disk,
    name: String,
}

impl Append for Growing {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let failed = self.disk.step(|state| {
            state.files.get_mut(&self.name).unwrap().unsynced.push(bytes.to_vec());
            Ok(())
        });
        if failed.is_err() {
            // A failing write may have written a part.
            let mut state = self.disk.0.lock().unwrap();
            let part = bytes[..bytes.len() / 2].to_vec();
            state.files.get_mut(&self.name).unwrap().unsynced.push(part);
        }
        failed
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.step(|state| {
            let file = state.files.get_mut(&self.name).unwrap();
            file.synced = file.content();
            file.unsynced.clear();
            file.is_known = true;
            Ok(())
        })
    }
}

impl Disk {
    /// Puts a whole file there, outside the count of steps.
    pub(super) fn put(&self, name: &str, content: &[u8]) {
        let file = File { synced: content.to_vec(), is_known: true, unsynced: Vec::new() };
        self.0.lock().unwrap().files.insert(name.to_owned(), file);
    }
}
