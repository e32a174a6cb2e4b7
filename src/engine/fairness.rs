//! Who got how much since the start, counted both ways.
//!
//! An even split of requests may be a very uneven split of cost, and a report that shows only
//! the configured unit would call it fair. So both are always shown, and whether they disagree.

use super::{Config, Engine, FairnessUnit, Stats};

/// By how much a tenant's two shares may differ before the units are said to disagree.
const DISAGREEMENT: f64 = 0.05;

/// Shares of everything granted since the start; each vector in the order of the configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Fairness {
    /// What the ceiling counts.
    pub fairness_unit: FairnessUnit,
    /// Each tenant's part of all granted cost; 0 before the first grant.
    pub cost_share: Vec<f64>,
    /// Each tenant's part of all grants; 0 before the first grant.
    pub request_share: Vec<f64>,
    /// Each tenant's part of all weight.
    pub weight_share: Vec<f64>,
    /// The largest ratio of a cost share to its weight share; 1 is exactly proportional. `None`
    /// before the first grant.
    pub cost_skew: Option<f64>,
    /// The same for request shares.
    pub request_skew: Option<f64>,
    /// Half the sum of the differences between the two shares: 0 where they agree, at most 1.
    pub units_divergence: f64,
    /// Whether some tenant's two shares differ by more than 0.05.
    pub units_disagree: bool,
}

impl Fairness {
    /// The shares that `stats` come to, which were taken under `config`. Takes a step per tenant.
    #[must_use]
    pub fn of(stats: &Stats, config: &Config) -> Self {
        let tenants = stats.tenants.iter();
        let cost_share = shares(tenants.clone().map(|tenant| tenant.granted_cost));
        #[expect(clippy::cast_precision_loss, reason = "a share needs no more than 53 bits")]
        let request_share = shares(tenants.map(|tenant| tenant.granted_requests as f64));
        let weight_share: Vec<_> =
            config.tenants().iter().map(super::TenantConfig::weight_share).collect();
        let pairs = || cost_share.iter().zip(&request_share);
        let gaps = || pairs().map(|(cost, requests)| (cost - requests).abs());
        Self {
            fairness_unit: config.fairness_unit(),
            cost_skew: skew(&cost_share, &weight_share),
            request_skew: skew(&request_share, &weight_share),
            units_divergence: gaps().sum::<f64>() / 2.0,
            units_disagree: gaps().any(|gap| gap > DISAGREEMENT + super::TOLERANCE),
            cost_share,
            request_share,
            weight_share,
        }
    }
}

impl Engine {
    /// The shares since the start. Takes a step per tenant and changes nothing.
    #[must_use]
    pub fn fairness(&self) -> Fairness {
        Fairness::of(&self.stats(self.now), &self.config)
    }
}

fn shares(totals: impl ExactSizeIterator<Item = f64> + Clone) -> Vec<f64> {
    let sum = |scale: f64| totals.clone().map(|total| total * scale).sum::<f64>();
    #[expect(clippy::cast_precision_loss, reason = "at most TENANTS_MAX tenants")]
    let scale = if sum(1.0).is_finite() { 1.0 } else { 1.0 / totals.len() as f64 };
    let all = sum(scale);
    totals.map(|total| if all > 0.0 { total * scale / all } else { 0.0 }).collect()
}

fn skew(shares: &[f64], weight_shares: &[f64]) -> Option<f64> {
    let granted = shares.iter().any(|&share| share > 0.0);
    let ratios = shares.iter().zip(weight_shares).map(|(share, weight)| share / weight);
    granted.then(|| ratios.filter(|ratio| ratio.is_finite()).fold(0.0, f64::max))
}
