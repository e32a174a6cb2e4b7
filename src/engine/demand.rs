//! What a tenant is owed and does not hold, over time.
//!
//! A want is the largest single charge that was refused and may still be asked for again; not the
//! sum, so that retrying often inflates nothing. A reclaim is a wait for one's own lent units. A
//! return is the time from a lender's first ask until its lent units are home. All three are
//! settled lazily: between two changes of a tenant nothing about it moves but time.

/// An outstanding want.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Want {
    /// The largest single charge refused.
    pub units: f64,
    /// When it was last asked for.
    pub asked_at: i64,
}

/// A wait for one's own lent units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reclaim {
    /// When the first such refusal was.
    pub since: i64,
    /// The largest charge so refused.
    pub charge: f64,
}

/// What a tenant held and was owed while it was being settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Position {
    pub(super) guarantee: f64,
    pub(super) held: f64,
    pub(super) free: f64,
    pub(super) borrowed: f64,
    pub(super) lent: f64,
}

/// One tenant's demand and the integrals over it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// What it asked for and did not get; `None` once served or lapsed.
    pub want: Option<Want>,
    /// The wait for its own units in progress.
    pub reclaim: Option<Reclaim>,
    /// When it first asked while units of it were out on loan, if they are not home yet.
    pub returning_since: Option<i64>,
    /// Units × milliseconds by which lending kept it below its share.
    pub deficit_unit_ms: f64,
    /// Units × milliseconds it borrowed.
    pub borrowed_unit_ms: f64,
    /// Units × milliseconds it lent.
    pub lent_unit_ms: f64,
    /// The longest reclaim that ended in a grant, in milliseconds.
    pub worst_reclaim_ms: i64,
    /// The longest return, in milliseconds.
    pub worst_return_ms: i64,
    /// Returns that took longer than the horizon: how often the bound was broken.
    pub returns_over_horizon: u64,
    /// Up to when the integrals are settled.
    pub settled_at: i64,
}

impl Demand {
    pub(super) fn starting_at(now: i64) -> Self {
        Self { settled_at: now, ..Self::default() }
    }

    /// Carries the integrals on to `now`, in which time the tenant stood at `at`, and drops a
    /// want that lapses on the way.
    pub(super) fn settle(&mut self, now: i64, idle_after_ms: i64, at: &Position) {
        let elapsed = unit_time(self.settled_at, now);
        accrue(&mut self.borrowed_unit_ms, at.borrowed * elapsed);
        accrue(&mut self.lent_unit_ms, at.lent * elapsed);
        if let Some(want) = self.want {
            let lapses_at = want.asked_at.saturating_add(idle_after_ms);
            let wanted = unit_time(self.settled_at, now.min(lapses_at));
            accrue(&mut self.deficit_unit_ms, gap(want, at) * wanted);
            if now.saturating_sub(want.asked_at) >= idle_after_ms {
                self.want = None;
                self.reclaim = None;
            }
        }
        self.settled_at = self.settled_at.max(now);
    }

    /// An ask for `charge` was refused at `now`, and waiting can cure it.
    pub(super) fn asked_in_vain(&mut self, charge: f64, now: i64) {
        let units = self.want.map_or(charge, |want| want.units.max(charge));
        self.want = Some(Want { units, asked_at: now });
    }

    /// That refusal was for the tenant's own units, which others hold.
    pub(super) fn waits_for_own(&mut self, charge: f64, now: i64) {
        let reclaim = self.reclaim.get_or_insert(Reclaim { since: now, charge });
        reclaim.charge = reclaim.charge.max(charge);
    }

    /// `charge` was granted at `now`, which brought the tenant to its guarantee or did not.
    /// Returns how long a reclaim took that ended with it, in milliseconds.
    pub(super) fn served(&mut self, charge: f64, has_its_share: bool, now: i64) -> Option<i64> {
        let covers = |wanted: f64| super::units::fits(wanted, charge);
        let reclaiming = self.reclaim.is_some();
        if self.want.is_some_and(|want| covers(want.units) || (reclaiming && has_its_share)) {
            self.want = None;
        }
        let ended = self.reclaim.take_if(|wait| covers(wait.charge) || has_its_share)?;
        let waited_ms = now.saturating_sub(ended.since);
        self.worst_reclaim_ms = self.worst_reclaim_ms.max(waited_ms);
        Some(waited_ms)
    }

    /// The tenant asked at `now` while units of it were out on loan.
    pub(super) fn calls_home(&mut self, now: i64) {
        self.returning_since.get_or_insert(now);
    }

    /// The return in progress ends at `now`, if there is one: the units are home, or the tenant
    /// has been quiet for so long that it lends anew.
    pub(super) fn returned(&mut self, now: i64, horizon_ms: i64) {
        if let Some(since) = self.returning_since.take() {
            let took_ms = now.saturating_sub(since);
            self.worst_return_ms = self.worst_return_ms.max(took_ms);
            self.returns_over_horizon += u64::from(took_ms > horizon_ms);
        }
    }

    /// The demand as it would stand if the return in progress ended at `now`; for reports, which
    /// must show a broken bound before it is over.
    pub(super) fn with_return_so_far(mut self, now: i64, horizon_ms: i64) -> Self {
        self.returned(now, horizon_ms);
        self
    }
}

/// By how much a tenant at `at` is kept below its share by what it has lent.
fn gap(want: Want, at: &Position) -> f64 {
    let short = !super::units::fits(want.units, at.free) && at.lent > super::units::TOLERANCE;
    if !short {
        return 0.0;
    }
    let entitled = at.guarantee.min(at.held + want.units);
    (entitled - at.held).max(0.0)
}

/// Adds to an integral, which stays a number whatever is added.
fn accrue(integral: &mut f64, amount: f64) {
    *integral = (*integral + amount).min(f64::MAX);
}

#[expect(clippy::cast_precision_loss, reason = "an integral over 2^53 ms is past caring")]
fn unit_time(from: i64, to: i64) -> f64 {
    to.saturating_sub(from).max(0) as f64
}
