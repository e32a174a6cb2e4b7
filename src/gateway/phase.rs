//! Reading the journal, serving, or on the way out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What an open gateway is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It admits.
    Serving,
    /// It was told to stop: it takes releases and answers reads, and admits nothing more.
    Draining,
}

#[derive(Debug, Default)]
pub(super) struct PhaseCell {
    draining: AtomicBool,
    /// How far the reading of the journal has come, in words.
    progress: Mutex<Option<Arc<str>>>,
}

impl PhaseCell {
    pub(super) fn load(&self) -> Phase {
        if self.draining.load(Ordering::Relaxed) { Phase::Draining } else { Phase::Serving }
    }

    pub(super) fn store(&self, phase: Phase) {
        self.draining.store(phase == Phase::Draining, Ordering::Relaxed);
    }

    pub(super) fn progress(&self) -> Arc<str> {
        let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.clone().unwrap_or_else(|| "nothing has been read yet".into())
    }

    pub(super) fn set_progress(&self, words: String) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(words.into());
    }
}
