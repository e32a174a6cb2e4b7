//! A recording of what one ceiling was asked, as a trace for `fairgate replay`.
//!
//! It is for gateways without a journal, which is the better recording: this one is buffered, and
//! what is in the buffer when the process is killed is lost.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::engine::{Command, Config, Outcome};
use crate::trace;

/// A trace being written.
#[derive(Debug)]
pub struct Recorder {
    /// `None` once writing has failed.
    file: Mutex<Option<BufWriter<File>>>,
}

impl Recorder {
    /// Begins a trace in a file that must not exist yet.
    ///
    /// # Errors
    ///
    /// The file exists or cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: Mutex::new(Some(BufWriter::new(File::create_new(path)?))) })
    }

    pub(super) fn begins(&self, config: &Config) {
        self.line(&trace::config_line(config));
    }

    pub(super) fn applied(&self, now: i64, command: &Command<'_>, outcome: &Outcome) {
        self.line(&trace::command_line(now, command, outcome));
    }

    /// Writes out what is buffered.
    pub fn flush(&self) {
        self.write(Write::flush);
    }

    fn line(&self, line: &str) {
        self.write(|file| writeln!(file, "{line}"));
    }

    /// A recording that fails ends; the gateway goes on without it.
    fn write(&self, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = file.as_mut().and_then(|file| write(file).err()) {
            tracing::error!(%error, "the recording failed and ends here");
            *file = None;
        }
    }
}
