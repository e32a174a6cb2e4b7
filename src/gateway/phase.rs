//! Serving, or on the way out.

use std::sync::atomic::{AtomicBool, Ordering};

/// What the gateway is doing.
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
}

impl PhaseCell {
    pub(super) fn load(&self) -> Phase {
        if self.draining.load(Ordering::Relaxed) { Phase::Draining } else { Phase::Serving }
    }

    pub(super) fn store(&self, phase: Phase) {
        self.draining.store(phase == Phase::Draining, Ordering::Relaxed);
    }
}
