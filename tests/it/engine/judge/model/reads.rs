//! The reports, each summed up anew.

use super::Model;

/// Named numbers, as the model and the engine both report them; what is not there is NaN.
pub(in crate::engine::judge) type Figures = Vec<(&'static str, f64)>;

pub(in crate::engine::judge) fn or_nan(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}

#[expect(clippy::cast_precision_loss, reason = "the sequences span far less than 2^53 ms")]
pub(in crate::engine::judge) fn ms(value: i64) -> f64 {
    value as f64
}

impl Model {
    /// The model as it would stand at `now`.
    pub(in crate::engine::judge) fn at(&self, now: i64) -> Self {
        let mut later = self.clone();
        later.settle(now);
        later
    }

    /// One tenant's figures; settle first.
    pub(in crate::engine::judge) fn figures(&self, tenant: usize) -> Figures {
        let mut shown = self.clone();
        shown.end_return(tenant);
        let account = &shown.tenants[tenant];
        let mine = || self.leases.iter().filter(|lease| lease.tenant == tenant);
        let overrun = || mine().filter(|lease| self.now > lease.deadline);
        let oldest_ms = overrun().map(|lease| self.now - lease.deadline).max().unwrap_or(0);
        vec![
            ("guarantee", self.guarantee(tenant)),
            ("held", self.held(tenant)),
            ("own used", self.own_used(tenant)),
            ("borrowed", self.borrowed(tenant)),
            ("lent", self.lent(tenant)),
            ("free", self.free(tenant)),
            ("idle", f64::from(u8::from(self.is_idle(tenant, self.now)))),
            ("leases", count(mine().count())),
            ("overrun leases", count(overrun().count())),
            ("oldest overrun", ms(oldest_ms)),
            ("want", or_nan(account.want.map(|want| want.0))),
            ("deficit", account.deficit),
            ("borrowed time", account.borrowed_time),
            ("lent time", account.lent_time),
            ("worst reclaim", ms(account.worst_reclaim_ms)),
            ("waiting", or_nan(account.reclaim.map(|wait| ms(self.now - wait.0)))),
            ("worst return", ms(account.worst_return_ms)),
            ("late returns", f64::from(account.late_returns)),
            ("grants", f64::from(account.grants)),
            ("granted cost", account.granted_cost),
            ("releases", f64::from(account.releases)),
            ("ceiling refusals", f64::from(account.refusals[0])),
            ("loan refusals", f64::from(account.refusals[1])),
            ("horizon refusals", f64::from(account.refusals[2])),
            ("capacity refusals", f64::from(account.refusals[3])),
        ]
    }

    /// The overrun leases, longest overdue first.
    pub(in crate::engine::judge) fn overrun(&self) -> Vec<u64> {
        let mut late: Vec<_> = self.leases.iter().filter(|l| self.now > l.deadline).collect();
        late.sort_by_key(|lease| (lease.deadline, lease.number));
        late.iter().map(|lease| lease.number).collect()
    }

    /// Cost share, request share and weight share of each tenant, then the skews and the rest.
    pub(in crate::engine::judge) fn fairness(&self) -> (Vec<[f64; 3]>, Figures) {
        let cost: f64 = self.tenants.iter().map(|tenant| tenant.granted_cost).sum();
        let requests: f64 = self.tenants.iter().map(|tenant| f64::from(tenant.grants)).sum();
        let weight: f64 = self.rules.weights.iter().sum();
        let of = |part: f64, all: f64| if requests > 0.0 { part / all } else { 0.0 };
        let rows = self.tenants.iter().zip(&self.rules.weights);
        let shares: Vec<_> = rows
            .map(|(tenant, own)| {
                let grants = f64::from(tenant.grants);
                [of(tenant.granted_cost, cost), of(grants, requests), own / weight]
            })
            .collect();
        let skew = |share: usize| {
            let ratios = shares.iter().map(|row| row[share] / row[2]);
            or_nan((requests > 0.0).then(|| ratios.fold(0.0, f64::max)))
        };
        let gaps: Vec<f64> = shares.iter().map(|row| (row[0] - row[1]).abs()).collect();
        let figures = vec![
            ("cost skew", skew(0)),
            ("request skew", skew(1)),
            ("divergence", gaps.iter().sum::<f64>() / 2.0),
            ("largest gap", gaps.iter().copied().fold(0.0, f64::max)),
        ];
        (shares, figures)
    }

    /// Each tenant's demand, target and held units, by filling everybody's cup step by step.
    pub(in crate::engine::judge) fn plan(&self) -> Vec<[f64; 3]> {
        let tenants = 0..self.tenants.len();
        let demands: Vec<_> = tenants
            .map(|tenant| {
                let want = self.tenants[tenant].want.map_or(0.0, |want| want.0);
                (self.held(tenant) + want).min(self.rules.ceiling)
            })
            .collect();
        let mut targets = vec![0.0; demands.len()];
        let mut thirsty: Vec<usize> = (0..demands.len()).collect();
        let mut left = self.rules.ceiling;
        loop {
            let weights: f64 = thirsty.iter().map(|&tenant| self.rules.weights[tenant]).sum();
            let share = |tenant: usize| left * self.rules.weights[tenant] / weights;
            let full: Vec<_> =
                thirsty.iter().copied().filter(|&one| demands[one] <= share(one)).collect();
            if full.is_empty() {
                for &tenant in &thirsty {
                    targets[tenant] = share(tenant);
                }
                break;
            }
            for tenant in full {
                targets[tenant] = demands[tenant];
                left -= demands[tenant];
                thirsty.retain(|&other| other != tenant);
            }
        }
        let rows = demands.iter().zip(targets).enumerate();
        rows.map(|(tenant, (&demand, target))| [demand, target, self.held(tenant)]).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of leases")]
fn count(number: usize) -> f64 {
    number as f64
}
