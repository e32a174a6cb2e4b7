//! A refusal in plain English, made from its own facts when somebody reads it.

use std::fmt;

use super::{Blocker, Config, FairnessUnit, Reason, Refusal};

/// How many blocking leases the text names.
const NAMED_MAX: usize = 3;

impl Refusal {
    /// One paragraph: who asked for what, which limit met it, who holds what for how long, why
    /// the rule exists, and what the caller can change. `config` is that of the engine that
    /// refused.
    #[must_use]
    pub fn explanation(&self, config: &Config) -> String {
        let text = Explanation { refusal: self, config };
        let parts = match self.reason {
            Reason::CostExceedsCeiling => text.cost_exceeds_ceiling(),
            Reason::GuaranteeOnLoan => text.guarantee_on_loan(),
            Reason::HoldExceedsReclaimHorizon => text.hold_exceeds_reclaim_horizon(),
            Reason::NoLendableCapacity => text.no_lendable_capacity(),
        };
        parts.join(" ")
    }
}

struct Explanation<'a> {
    refusal: &'a Refusal,
    config: &'a Config,
}

impl Explanation<'_> {
    fn cost_exceeds_ceiling(&self) -> Vec<String> {
        let ceiling = Units(self.config.ceiling());
        vec![
            self.asked(),
            format!("The whole ceiling holds {ceiling}, so no wait can make room for it."),
            "A grant is never split, because the caller could not use less than it asked for."
                .to_owned(),
            format!("Ask for {ceiling} or less at a time, or raise the ceiling."),
        ]
    }

    fn guarantee_on_loan(&self) -> Vec<String> {
        let facts = &self.refusal.facts;
        vec![
            self.asked(),
            format!(
                "It is owed that much: its guarantee is {}, of which its own leases use {}. But \
                 {} of it went out on loan while the tenant was quiet, and {} is free.",
                Units(self.guarantee()),
                Units(facts.own_used),
                Units(facts.lent),
                Units(facts.free),
            ),
            format!("{} {}.", self.why_not_borrowed(), self.holders()),
            "A lease is never taken away from its holder, so the units come home as these end; \
             meanwhile none of them is lent anew, as long as the tenant keeps asking."
                .to_owned(),
            self.ask_again(),
        ]
    }

    fn hold_exceeds_reclaim_horizon(&self) -> Vec<String> {
        let facts = &self.refusal.facts;
        let horizon_ms = self.config.reclaim_horizon_ms();
        let guarantee = Units(self.guarantee());
        let mut parts = vec![
            self.asked(),
            format!(
                "Only {} of its guarantee of {guarantee} is free, so {} would have to be \
                 borrowed, and units are lent for {horizon_ms} ms at the most (the reclaim \
                 horizon).",
                Units(facts.free),
                Units(facts.charge - facts.free),
            ),
            "A lease is never taken away from its holder: a longer loan would keep a lender that \
             comes back waiting for the rest of this call."
                .to_owned(),
        ];
        if self.refusal.curable {
            parts.push(format!(
                "Hold for {horizon_ms} ms or less and the request may borrow; or wait until it \
                 fits into the tenant's own guarantee. {}.",
                self.holders()
            ));
            parts.push(self.ask_again());
        } else {
            parts.push(format!(
                "Waiting is no cure, because the request is larger than the guarantee. Hold for \
                 {horizon_ms} ms or less, ask for {guarantee} or less at a time, or raise \
                 reclaimHorizonMs if the tenants can stand to wait that long for their own units."
            ));
        }
        parts
    }

    fn no_lendable_capacity(&self) -> Vec<String> {
        let facts = &self.refusal.facts;
        vec![
            self.asked(),
            format!(
                "{} of its guarantee of {} is free, and the tenants that are idle could lend {}; \
                 together that is {} too little.",
                Units(facts.free),
                Units(self.guarantee()),
                Units(facts.lendable),
                Units(facts.charge - facts.free - facts.lendable),
            ),
            format!(
                "Only a tenant that holds nothing and has been quiet for {} ms lends, so that \
                 nobody who is working finds its share gone.",
                self.config.idle_after_ms()
            ),
            format!("{}.", self.holders()),
            self.ask_again(),
        ]
    }

    fn asked(&self) -> String {
        let facts = &self.refusal.facts;
        let what = match self.config.fairness_unit() {
            FairnessUnit::Cost => format!("{} cost units", Units(facts.charge)),
            FairnessUnit::Requests => format!("1 request (of cost {})", Units(facts.cost)),
        };
        let tenant = self.config.tenant(facts.tenant).id();
        format!("Tenant {tenant:?} asked to hold {what} for {} ms.", facts.hold_ms)
    }

    fn why_not_borrowed(&self) -> String {
        let facts = &self.refusal.facts;
        let horizon_ms = self.config.reclaim_horizon_ms();
        if facts.hold_ms > horizon_ms {
            format!(
                "It cannot borrow others' units instead, since those are lent for {horizon_ms} ms \
                 at the most."
            )
        } else {
            format!("The tenants that are idle could lend no more than {}.", Units(facts.lendable))
        }
    }

    /// Who holds what for how long, without a full stop.
    fn holders(&self) -> String {
        let blocking = &self.refusal.blocking;
        if self.refusal.blocking_total == 0 {
            return "No lease holds units that it could use".to_owned();
        }
        let named: Vec<_> = blocking.iter().take(NAMED_MAX).map(|held| self.holder(held)).collect();
        let more = self.refusal.blocking_total - named.len();
        let more = match more {
            0 => String::new(),
            1 => ", and 1 more lease stands before it".to_owned(),
            more => format!(", and {more} more leases stand before it"),
        };
        format!("It waits for {}{more}", named.join(", "))
    }

    fn holder(&self, held: &Blocker) -> String {
        let tenant = self.config.tenant(held.tenant).id();
        let left_ms = held.deadline.saturating_sub(self.refusal.facts.now);
        let units = Units(held.units);
        if left_ms < 0 {
            format!(
                "{units} held by {tenant:?} ({} ms past the deadline)",
                left_ms.saturating_neg()
            )
        } else {
            format!("{units} held by {tenant:?} (for another {left_ms} ms)")
        }
    }

    fn ask_again(&self) -> String {
        let estimate = match self.refusal.retry_after_ms {
            Some(wait_ms) => format!(
                "If the holders keep to their deadlines and nobody else asks, the request fits in \
                 {wait_ms} ms."
            ),
            None => "Nobody can say when it will fit, because the leases that end in time do not \
                     free enough."
                .to_owned(),
        };
        match self.refusal.ask_again_within_ms {
            Some(within_ms) => format!(
                "{estimate} Ask again within {within_ms} ms: a tenant that is silent for {} ms no \
                 longer counts as waiting.",
                self.config.idle_after_ms()
            ),
            None => estimate,
        }
    }

    fn guarantee(&self) -> f64 {
        self.config.tenant(self.refusal.facts.tenant).guarantee()
    }
}

/// An amount as people write it: at most six decimals, and none that say nothing.
struct Units(f64);

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (self.0 * 1e6).round() / 1e6;
        if rounded.is_finite() && (rounded != 0.0 || self.0 == 0.0) {
            write!(f, "{rounded}")
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}
