//! The promise: where holders keep to their deadlines, whoever asks has its whole guarantee
//! home within the horizon, although one borrower asks for everything at every chance it gets.

use proptest::prelude::*;

use super::runs;
use super::steps::{rules, steps};
use super::world::{Call, Called, World};

/// The tenant that loops on acquire.
const GREEDY: usize = 0;

/// It holds no more leases than this and one, or each that ends would leave two behind.
const AT_ONCE: usize = 3;

proptest! {
    #![proptest_config(runs(300))]

    #[test]
    fn a_guarantee_is_home_within_the_horizon_of_an_ask(rules in rules(), steps in steps(50)) {
        let tenants = rules.weights.len();
        let mut trial = Trial { world: World::new(rules), asked: vec![None; tenants] };
        for step in &steps {
            let call = trial.world.resolve(step);
            trial.pass_time(call.now)?;
            trial.take(call)?;
            trial.everything_due_is_home(call.now)?;
        }
    }
}

struct Trial {
    world: World,
    /// When each tenant first asked since it was idle last.
    asked: Vec<Option<i64>>,
}

impl Trial {
    /// Every lease that is due by `now` ends at its deadline, and not before the greedy tenant
    /// has had its chance; it has another one right after.
    fn pass_time(&mut self, now: i64) -> Result<(), TestCaseError> {
        loop {
            let leases = &self.world.model.leases;
            let next = leases.iter().filter(|lease| lease.deadline <= now);
            let Some(due) = next.min_by_key(|lease| (lease.deadline, lease.number)).cloned() else {
                return Ok(());
            };
            self.greedy_asks(due.deadline)?;
            let what = Called::Release { number: due.number };
            self.take(Call { now: due.deadline, what })?;
            self.greedy_asks(due.deadline)?;
        }
    }

    fn greedy_asks(&mut self, now: i64) -> Result<(), TestCaseError> {
        let model = self.world.model.at(now);
        if model.leases.iter().filter(|lease| lease.tenant == GREEDY).count() > AT_ONCE {
            return Ok(());
        }
        let offers = model.offers(GREEDY);
        let all = model.free(GREEDY) + offers.iter().map(|offer| offer.1).sum::<f64>();
        let cost = if all > 1e-6 { all } else { model.rules.ceiling };
        let hold_ms = model.rules.horizon_ms;
        self.take(Call { now, what: Called::Acquire { tenant: GREEDY, cost, hold_ms } })
    }

    fn take(&mut self, call: Call) -> Result<(), TestCaseError> {
        let before = self.world.engine.stats(call.now);
        let (outcome, _) = self.world.take(call);
        let refused_to_ask = matches!(outcome, fairgate::engine::Outcome::Invalid(_));
        if let (Called::Acquire { tenant, .. }, false) = (call.what, refused_to_ask) {
            let asked = &mut self.asked[tenant];
            if asked.is_none() || before.tenants[tenant].idle {
                *asked = Some(before.now);
            }
        }
        self.no_loan_outlives_an_ask()
    }

    /// No loan on a tenant that has asked is younger than the ask, or due after the horizon.
    fn no_loan_outlives_an_ask(&self) -> Result<(), TestCaseError> {
        let engine = &self.world.engine;
        let stats = engine.stats(engine.now());
        for lease in engine.leases() {
            for lender in lease.borrowed.iter().map(|loan| loan.lender.index()) {
                let Some(asked) = self.asked[lender].filter(|_| !stats.tenants[lender].idle) else {
                    continue;
                };
                let last = asked + engine.config().reclaim_horizon_ms();
                prop_assert!(
                    lease.granted_at <= asked && lease.deadline <= last,
                    "tenant {lender} asked at {asked}, and lends until {} from {}",
                    lease.deadline,
                    lease.granted_at,
                );
            }
        }
        Ok(())
    }

    fn everything_due_is_home(&self, now: i64) -> Result<(), TestCaseError> {
        let engine = &self.world.engine;
        let horizon_ms = engine.config().reclaim_horizon_ms();
        for (row, asked) in engine.stats(now).tenants.iter().zip(&self.asked) {
            let due = asked.is_some_and(|asked| now >= asked + horizon_ms && !row.idle);
            prop_assert!(
                !due || row.free + row.own_used >= row.guarantee - 1e-9,
                "asked at {asked:?}, and at {now} its guarantee is not home: {row:?}"
            );
            prop_assert_eq!(row.returns_over_horizon, 0);
        }
        Ok(())
    }
}
