//! Which ceiling a request means, and what is done with its command.

use super::driver::{Applied, Ceiling, Unavailable};
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

/// Why a request finds no ceiling.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// It names none of this gateway.
    #[error(transparent)]
    Unknown(#[from] UnknownCeiling),
    /// Nobody can be asked now.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
}

impl Gateway {
    /// The ceiling called `name`; the only one where the name is left out.
    ///
    /// # Errors
    ///
    /// There is none of that name, or several and no name; or the gateway is not open yet.
    pub fn ceiling(&self, name: Option<&str>) -> Result<&Ceiling, LookupError> {
        let open = self.opened()?;
        match (name, open.ceilings.as_slice()) {
            (None, [only]) => Ok(only),
            (None, _) => Err(UnknownCeiling::Unnamed { known: self.known() }.into()),
            (Some(name), ceilings) => {
                let ceiling = open.by_name.get(name).and_then(|&nth| ceilings.get(nth));
                let unknown = || UnknownCeiling::NoSuchName { known: self.known() }.into();
                ceiling.ok_or_else(unknown)
            }
        }
    }

    /// The ceiling that may have granted the lease `id`.
    ///
    /// # Errors
    ///
    /// The gateway is not open yet.
    pub fn ceiling_of(&self, id: LeaseId) -> Result<Option<&Ceiling>, Unavailable> {
        let open = self.opened()?;
        Ok(open.by_epoch.get(&id.epoch).and_then(|&nth| open.ceilings.get(nth)))
    }

    /// Asks `ceiling` for units. A caller that goes away before the answer is ready (the future is
    /// dropped) has its lease released.
    ///
    /// # Errors
    ///
    /// The gateway is stopping, or the ceiling or the log has failed.
    pub async fn acquire(
        &self,
        ceiling: &Ceiling,
        request: Acquire<'_>,
    ) -> Result<Outcome, Unavailable> {
        match self.phase() {
            Phase::Draining => Err(Unavailable::Draining),
            Phase::Serving => self.apply(ceiling, &Command::Acquire(request)).await,
        }
    }

    /// Ends the lease `id` of `ceiling`.
    ///
    /// # Errors
    ///
    /// The ceiling or the log has failed; the lease may or may not have ended.
    pub async fn release(&self, ceiling: &Ceiling, id: LeaseId) -> Result<Outcome, Unavailable> {
        self.apply(ceiling, &Command::Release(id)).await
    }

    async fn apply(
        &self,
        ceiling: &Ceiling,
        command: &Command<'_>,
    ) -> Result<Outcome, Unavailable> {
        let Applied { outcome, record } = ceiling.apply(command)?;
        if let Some(record) = record {
            let unheard = Unheard::of(ceiling, &outcome);
            ceiling.written(record).await?;
            unheard.heard();
        }
        self.metrics.observe_outcome(ceiling.number(), &outcome);
        Ok(outcome)
    }

    fn known(&self) -> String {
        let mut known: Vec<_> = self.ceilings().iter().take(NAMED_MAX).map(Ceiling::name).collect();
        if self.ceilings().len() > NAMED_MAX {
            known.push("...");
        }
        known.join(", ")
    }
}

/// A grant that nobody has heard of yet: if it is dropped, its lease is released, in the log like
/// any other release.
struct Unheard<'a> {
    ceiling: &'a Ceiling,
    lease: Option<LeaseId>,
}

impl<'a> Unheard<'a> {
    fn of(ceiling: &'a Ceiling, outcome: &Outcome) -> Self {
        let lease = match outcome {
            Outcome::Granted(granted) => Some(granted.lease.id),
            _ => None,
        };
        Self { ceiling, lease }
    }

    fn heard(mut self) {
        self.lease = None;
    }
}

impl Drop for Unheard<'_> {
    fn drop(&mut self) {
        if let Some(lease) = self.lease
            && let Err(error) = self.ceiling.apply(&Command::Release(lease))
        {
            tracing::warn!(%lease, %error, "a lease that nobody heard of could not be released");
        }
    }
}
