//! A journal in a folder of its own, one file per segment and snapshot.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::journal::{Append, Store};

/// The file that is locked for as long as a process owns the folder.
const LOCK: &str = "lock";
/// The ending of a file that is being written whole; a crash may leave one behind.
const UNFINISHED: &str = ".unfinished";

/// A folder that this process owns.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Released by the system when the process ends, however it ends.
    _lock: Option<File>,
}

/// A folder that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process owns it.
    #[error("{}: another process uses this journal; end it, or choose another folder", .0.display())]
    InUse(PathBuf),
    /// The medium failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which folder.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
}

impl Folder {
    /// Opens `path` for writing, and creates it where it is missing.
    ///
    /// # Errors
    ///
    /// Another process owns it, or it cannot be created or locked.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let failed = |source| OpenError::Io { path: path.to_owned(), source };
        std::fs::create_dir_all(path).map_err(failed)?;
        let lock =
            OpenOptions::new().create(true).truncate(false).write(true).open(path.join(LOCK));
        let lock = lock.map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OpenError::InUse(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let folder = Self { path: path.to_owned(), _lock: Some(lock) };
        folder.remove_unfinished().map_err(failed)?;
        Ok(folder)
    }

    /// Removes what a crash left half written; it was never part of the journal.
    fn remove_unfinished(&self) -> io::Result<()> {
        for name in self.names()?.iter().filter(|name| name.ends_with(UNFINISHED)) {
            self.remove(name)?;
        }
        Ok(())
    }

    /// Opens `path` for reading only; its owner may go on writing to it.
    #[must_use]
    pub fn read_only(path: &Path) -> Self {
        Self { path: path.to_owned(), _lock: None }
    }

    /// Makes it durable which files there are.
    fn sync_names(&self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()
    }
}

impl Store for Folder {
    fn names(&self) -> io::Result<Vec<String>> {
        let entries = std::fs::read_dir(&self.path)?;
        let names = entries.map(|entry| Ok(entry?.file_name().into_string().ok()));
        names.filter_map(Result::transpose).collect()
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        std::fs::read(self.path.join(name))
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn Append>> {
        let file = OpenOptions::new().create_new(true).append(true).open(self.path.join(name))?;
        Ok(Box::new(Growing { file, folder: Some(File::open(&self.path)?) }))
    }

    fn publish(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let unfinished = self.path.join(format!("{name}{UNFINISHED}"));
        let mut file = File::create(&unfinished)?;
        file.write_all(content)?;
        file.sync_all()?;
        std::fs::rename(unfinished, self.path.join(name))?;
        self.sync_names()
    }

    fn truncate(&self, name: &str, length: u64) -> io::Result<()> {
        let file = OpenOptions::new().write(true).open(self.path.join(name))?;
        file.set_len(length)?;
        file.sync_all()
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match std::fs::remove_file(self.path.join(name)) {
            Ok(()) => self.sync_names(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// A file that only grows.
#[derive(Debug)]
struct Growing {
    file: File,
    /// Until the first sync: the folder, which must come to know the file.
    folder: Option<File>,
}

impl Append for Growing {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        if let Some(folder) = &self.folder {
            folder.sync_all()?;
            self.folder = None;
        }
        Ok(())
    }
}
