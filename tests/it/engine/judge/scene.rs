//! A small language for stories about one ceiling.
//!
//! A lease is called by its tenant's name and a number (`b2` is b's second); every answer is
//! told in words, so that a story reads as a list of calls beside what they were told.

use std::collections::BTreeMap;

use fairgate::engine::{
    Acquire, Command, Config, Engine, FairnessUnit, LeaseId, Outcome, Refusal, Settings, Stats,
    TenantIx, TenantSettings, TenantStats, invariants,
};

/// The settings that a story starts from: everybody has been quiet for ever at 0.
pub(crate) fn settings(ceiling: f64, tenants: &[(&str, f64)]) -> Settings {
    let tenants = tenants.iter().map(|&(id, weight)| TenantSettings { id: id.into(), weight });
    Settings {
        ceiling,
        fairness_unit: Some(FairnessUnit::Cost),
        tenants: tenants.collect(),
        reclaim_horizon_ms: 100,
        idle_after_ms: 1_000,
        started_at: -1_000_000,
    }
}

/// One ceiling and the names that the story gave to its leases.
pub(crate) struct Scene {
    pub(crate) engine: Engine,
    names: BTreeMap<LeaseId, String>,
}

/// A ceiling of 100 for a and b alike, lent for 100 ms at the most, idle after 1,000 ms.
pub(crate) fn even_split() -> Scene {
    Scene::of(settings(100.0, &[("a", 1.0), ("b", 1.0)]))
}

/// The same among as many tenants as there are letters in `ids`.
pub(crate) fn shared_by(ceiling: f64, ids: &str) -> Scene {
    let tenants: Vec<_> = (0..ids.len()).map(|at| (&ids[at..=at], 1.0)).collect();
    Scene::of(settings(ceiling, &tenants))
}

impl Scene {
    pub(crate) fn of(settings: Settings) -> Self {
        let config = Config::new(settings).expect("a story's configuration keeps the rules");
        Self { engine: Engine::new(config, 7), names: BTreeMap::new() }
    }

    /// Asks for `cost` units, and tells the answer.
    pub(crate) fn ask(&mut self, now: i64, name: &str, cost: f64, hold_ms: i64) -> String {
        match self.outcome(now, name, cost, hold_ms) {
            Outcome::Granted(granted) => {
                let mut parts = vec![format!("own {}", round(granted.lease.own))];
                for loan in &granted.lease.borrowed {
                    parts.push(format!("{} from {}", round(loan.units), self.id(loan.lender)));
                }
                parts.join(", ")
            }
            Outcome::Refused(refusal) => self.told(&refusal),
            Outcome::Invalid(error) => format!("invalid: {}", error.code()),
            other => panic!("an acquire was answered with {other:?}"),
        }
    }

    /// Asks, and gives the whole answer.
    pub(crate) fn outcome(&mut self, now: i64, name: &str, cost: f64, hold_ms: i64) -> Outcome {
        let tenant = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let ask = Acquire { tenant, cost, hold_ms };
        let outcome = self.engine.apply(now, Command::Acquire(ask));
        if let Outcome::Granted(granted) = &outcome {
            self.names.insert(granted.lease.id, name.to_owned());
        }
        self.keeps_the_rules();
        outcome
    }

    /// Asks for what must be refused, and gives the refusal.
    pub(crate) fn refusal(&mut self, now: i64, name: &str, cost: f64, hold_ms: i64) -> Refusal {
        match self.outcome(now, name, cost, hold_ms) {
            Outcome::Refused(refusal) => *refusal,
            other => panic!("{name} was not refused: {other:?}"),
        }
    }

    /// Asks for what must be refused, and gives its explanation.
    pub(crate) fn explained(&mut self, now: i64, name: &str, cost: f64, hold_ms: i64) -> String {
        self.refusal(now, name, cost, hold_ms).explanation(self.engine.config())
    }

    /// Releases a lease by its name, and tells the answer.
    pub(crate) fn release(&mut self, now: i64, name: &str) -> String {
        let outcome = self.engine.apply(now, Command::Release(self.lease_id(name)));
        self.keeps_the_rules();
        match outcome {
            Outcome::Released(released) if released.overran_ms == 0 => {
                format!("held {}", released.held_ms)
            }
            Outcome::Released(released) => {
                format!("held {}, {} too long", released.held_ms, released.overran_ms)
            }
            Outcome::NotHeld(_) => "not held".to_owned(),
            other => panic!("a release was answered with {other:?}"),
        }
    }

    /// The id of the latest lease of that name.
    pub(crate) fn lease_id(&self, name: &str) -> LeaseId {
        let named = self.names.iter().rev().find(|(_, given)| *given == name);
        *named.unwrap_or_else(|| panic!("no lease was ever called {name}")).0
    }

    pub(crate) fn stats(&self, now: i64) -> Stats {
        self.engine.stats(now)
    }

    /// One tenant's figures at `now`.
    pub(crate) fn tenant(&self, now: i64, id: &str) -> TenantStats {
        let ix = self.engine.config().find(id).expect("a tenant of the story");
        self.stats(now).tenants[ix.index()].clone()
    }

    /// What a tenant holds and lends at `now`.
    pub(crate) fn holds(&self, now: i64, id: &str) -> String {
        let row = self.tenant(now, id);
        let [own, borrowed, lent, free] =
            [row.own_used, row.borrowed, row.lent, row.free].map(round);
        let idle = if row.idle { ", idle" } else { "" };
        format!("own {own}, borrowed {borrowed}, lent {lent}, free {free}{idle}")
    }

    /// What a tenant wants at `now`, how long it has waited for its own, and what that has cost.
    pub(crate) fn waits(&self, now: i64, id: &str) -> String {
        let row = self.tenant(now, id);
        let want = row.want.map_or("nothing".to_owned(), |want| round(want).to_string());
        let waiting = row.waiting_ms.map_or(String::new(), |ms| format!(" for {ms} ms"));
        let (deficit, worst) = (round(row.deficit_unit_ms), row.worst_reclaim_ms);
        format!("wants {want}{waiting}, deficit {deficit}, worst {worst}")
    }

    /// How long a tenant's lent units took to come home, as of `now`.
    pub(crate) fn returns(&self, now: i64, id: &str) -> String {
        let row = self.tenant(now, id);
        format!("worst {} ms, {} late", row.worst_return_ms, row.returns_over_horizon)
    }

    /// The overrun leases at `now`, in the order of the report.
    pub(crate) fn overrun(&self, now: i64) -> String {
        let overrun = self.stats(now).overrun;
        overrun.iter().map(|over| self.name(over.lease)).collect::<Vec<_>>().join(" ")
    }

    /// Each tenant's planned units at `now`.
    pub(crate) fn plan(&self, now: i64) -> String {
        let parts = self.engine.plan(now).tenants;
        let told = parts.iter().map(|part| {
            let (demand, target) = (round(part.demand), round(part.target));
            format!("{} {target} of {demand}", self.id(part.tenant))
        });
        told.collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn id(&self, tenant: TenantIx) -> &str {
        self.engine.config().tenant(tenant).id()
    }

    fn told(&self, refusal: &Refusal) -> String {
        let mut text = refusal.reason.code().to_owned();
        if !refusal.curable {
            text.push_str(", for good");
        }
        if let Some(wait_ms) = refusal.retry_after_ms {
            text = format!("{text}, retry in {wait_ms}");
        }
        if !refusal.blocking.is_empty() {
            let names: Vec<_> = refusal.blocking.iter().map(|held| self.name(held.lease)).collect();
            text = format!("{text}, behind {}", names.join(" "));
        }
        text
    }

    fn name(&self, lease: LeaseId) -> &str {
        &self.names[&lease]
    }

    fn keeps_the_rules(&self) {
        assert_eq!(invariants::first_broken(&self.engine), None);
    }
}

/// Units as a story tells them.
fn round(units: f64) -> f64 {
    (units * 1e6).round() / 1e6
}
