//! The engine and the model side by side, taking the same steps.

use fairgate::engine::{
    Acquire, Command, Config, Engine, FairnessUnit, LeaseId, Outcome, Settings, TenantSettings,
};

use super::super::model::{Answer, Model, Rules};
use super::steps::{At, Charge, Hold, Step, What};

/// The one epoch of these engines.
pub(super) const EPOCH: u64 = 7;

/// A step, resolved: what is really called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) now: i64,
    pub(super) what: Called,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Called {
    Acquire { tenant: usize, cost: f64, hold_ms: i64 },
    Release { number: u64 },
}

pub(super) struct World {
    pub(super) engine: Engine,
    pub(super) model: Model,
}

pub(super) fn name(tenant: usize) -> String {
    format!("t{tenant}")
}

pub(super) fn config(rules: &Rules) -> Config {
    let tenants = rules.weights.iter().enumerate();
    Config::new(Settings {
        ceiling: rules.ceiling,
        fairness_unit: Some(if rules.counts_cost {
            FairnessUnit::Cost
        } else {
            FairnessUnit::Requests
        }),
        tenants: tenants
            .map(|(tenant, &weight)| TenantSettings { id: name(tenant), weight })
            .collect(),
        reclaim_horizon_ms: rules.horizon_ms,
        idle_after_ms: rules.idle_after_ms,
        started_at: rules.started_at,
    })
    .expect("the rules that are drawn are valid")
}

/// Applies a call to an engine.
pub(super) fn apply(engine: &mut Engine, call: Call) -> Outcome {
    match call.what {
        Called::Acquire { tenant, cost, hold_ms } => {
            let ask = Acquire { tenant: &name(tenant), cost, hold_ms };
            engine.apply(call.now, Command::Acquire(ask))
        }
        Called::Release { number } => {
            let lease = LeaseId { epoch: EPOCH, seq: number };
            engine.apply(call.now, Command::Release(lease))
        }
    }
}

/// A fresh engine that tells every blocking lease.
pub(super) fn engine(rules: &Rules) -> Engine {
    Engine::new(config(rules), EPOCH).listing_blocking(usize::MAX)
}

/// Everything an engine knows, to the bit: two values print alike only if they are alike.
pub(super) fn bits(engine: &Engine) -> String {
    format!("{:?}", engine.state())
}

impl World {
    pub(super) fn new(rules: Rules) -> Self {
        Self { engine: engine(&rules), model: Model::new(rules) }
    }

    /// Makes one call on both sides; both answers.
    pub(super) fn take(&mut self, call: Call) -> (Outcome, Answer) {
        let outcome = apply(&mut self.engine, call);
        let answer = match call.what {
            Called::Acquire { tenant, cost, hold_ms } => {
                self.model.acquire(call.now, tenant, cost, hold_ms)
            }
            Called::Release { number } => self.model.release(call.now, number),
        };
        (outcome, answer)
    }

    /// The calls that the steps come to, one after the other.
    pub(super) fn calls(rules: &Rules, steps: &[Step]) -> Vec<Call> {
        let mut world = Self::new(rules.clone());
        let resolve = |step| {
            let call = world.resolve(step);
            world.take(call);
            call
        };
        steps.iter().map(resolve).collect()
    }

    /// What a step means in this state.
    pub(super) fn resolve(&self, step: &Step) -> Call {
        let now = self.instant(step.at);
        let later = self.model.at(now);
        let what = match step.what {
            What::Ask { tenant, charge, hold } => Called::Acquire {
                tenant: tenant % (later.tenants.len() + usize::from(tenant == 5)),
                cost: amount(&later, tenant % later.tenants.len(), charge),
                hold_ms: match hold {
                    Hold::Exactly(hold_ms) => hold_ms,
                    Hold::Horizon(more_ms) => later.rules.horizon_ms + more_ms,
                },
            },
            What::Release { nth } => Called::Release {
                number: match later.leases.len() {
                    0 => 0,
                    held => later.leases[nth % held].number,
                },
            },
            What::ReleaseUnknown { number } => Called::Release { number },
        };
        Call { now, what }
    }

    fn instant(&self, at: At) -> i64 {
        let model = &self.model;
        let tenant = |ix: usize| &model.tenants[ix % model.tenants.len()];
        match at {
            At::Later(ms) => model.now + ms,
            At::Deadline(off) => {
                let ahead = model.leases.iter().map(|lease| lease.deadline);
                ahead.filter(|&due| due >= model.now).min().map_or(model.now, |due| due + off)
            }
            At::Idle(ix, off) => tenant(ix).last_activity + model.rules.idle_after_ms + off,
            At::Lapse(ix, off) => tenant(ix)
                .want
                .map_or(model.now, |(_, asked_at)| asked_at + model.rules.idle_after_ms + off),
        }
    }
}

fn amount(model: &Model, tenant: usize, charge: Charge) -> f64 {
    let free = model.free(tenant);
    match charge {
        Charge::Exactly(units) => units,
        Charge::Part(part) => model.rules.ceiling * part,
        Charge::Free(little) => free + little,
        Charge::All(little) => {
            let offers = model.offers(tenant);
            free + offers.iter().map(|offer| offer.1).sum::<f64>() + little
        }
        Charge::Guarantee(little) => model.guarantee(tenant) + little,
        Charge::Owed(little) => model.guarantee(tenant) - model.own_used(tenant) + little,
        Charge::Want => model.tenants[tenant].want.map_or(free, |want| want.0),
    }
}
