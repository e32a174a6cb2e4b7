//! Which ceiling a request means, and what is done with its command.

use super::driver::{Ceiling, Unavailable};
use super::{Gateway, Phase};
use crate::engine::{Acquire, Command, LeaseId, Outcome};

/// A request that names no ceiling of this gateway.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownCeiling {
    /// It names none, and there are several.
    #[error("this gateway guards several ceilings; name one of them: {known}")]
    Unnamed {
        /// The names there are, cut to a readable number.
        known: String,
    },
    /// There is none of that name.
    #[error("there is no such ceiling; the names are {known}")]
    NoSuchName {
        /// The names there are, cut to a readable number.
        known: String,
    },
}

/// How many ceilings an error names.
const NAMED_MAX: usize = 10;

impl Gateway {
    /// The ceiling called `name`; the only one where the name is left out.
    ///
    /// # Errors
    ///
    /// There is none of that name, or several and no name.
    pub fn ceiling(&self, name: Option<&str>) -> Result<&Ceiling, UnknownCeiling> {
        match (name, self.ceilings.as_slice()) {
            (None, [only]) => Ok(only),
            (None, _) => Err(UnknownCeiling::Unnamed { known: self.known() }),
            (Some(name), _) => {
                let ceiling = self.by_name.get(name).and_then(|&nth| self.ceilings.get(nth));
                ceiling.ok_or_else(|| UnknownCeiling::NoSuchName { known: self.known() })
            }
        }
    }

    /// The ceiling that may have granted the lease `id`.
    #[must_use]
    pub fn ceiling_of(&self, id: LeaseId) -> Option<&Ceiling> {
        self.by_epoch.get(&id.epoch).and_then(|&nth| self.ceilings.get(nth))
    }

    /// Asks `ceiling` for units.
    ///
    /// # Errors
    ///
    /// The gateway is stopping, or the ceiling has failed; nothing was taken.
    pub fn acquire(&self, ceiling: &Ceiling, request: Acquire<'_>) -> Result<Outcome, Unavailable> {
        match self.phase() {
            Phase::Draining => Err(Unavailable::Draining),
            Phase::Serving => self.apply(ceiling, Command::Acquire(request)),
        }
    }

    /// Ends the lease `id` of `ceiling`.
    ///
    /// # Errors
    ///
    /// The ceiling has failed; the lease may or may not have ended.
    pub fn release(&self, ceiling: &Ceiling, id: LeaseId) -> Result<Outcome, Unavailable> {
        self.apply(ceiling, Command::Release(id))
    }

    fn apply(&self, ceiling: &Ceiling, command: Command<'_>) -> Result<Outcome, Unavailable> {
        let outcome = ceiling.apply(command)?;
        self.metrics.observe_outcome(ceiling.number(), &outcome);
        Ok(outcome)
    }

    fn known(&self) -> String {
        let mut known: Vec<_> = self.ceilings.iter().take(NAMED_MAX).map(Ceiling::name).collect();
        if self.ceilings.len() > NAMED_MAX {
            known.push("...");
        }
        known.join(", ")
    }
}
