//! Reads the ceilings when Prometheus asks, and keeps nothing.

use std::sync::Weak;

use prometheus::core::{Collector, Desc};
use prometheus::proto::{Counter, Gauge, LabelPair, Metric, MetricFamily, MetricType};

use super::families::{ALL, Family, Fold, Kind, Read, Row, float};
use super::{Options, Snapshot, Source};
use crate::engine::{Reason, TenantIx};

/// What tenants beyond the bound are called together.
const OTHER: &str = "other";
/// What they are called where a tenant shown by itself has that name.
const OTHER_TAKEN: &str = "(other)";

pub(super) struct CeilingCollector {
    source: Weak<dyn Source>,
    options: Options,
    descs: Vec<Desc>,
}

impl CeilingCollector {
    pub(super) fn new(
        source: Weak<dyn Source>,
        options: Options,
    ) -> Result<Self, prometheus::Error> {
        let desc = |family: &Family| {
            let labels: &[&str] = match family.read {
                Read::Ceiling(_) => &["ceiling"],
                Read::Tenant(..) => &["ceiling", "tenant"],
                Read::Refusals => &["ceiling", "reason", "tenant"],
            };
            let labels = labels.iter().map(|&label| label.to_owned()).collect();
            Desc::new(family.full_name(), family.help.to_owned(), labels, [].into())
        };
        let descs = ALL.iter().map(desc).collect::<Result<_, _>>()?;
        Ok(Self { source, options, descs })
    }
}

impl Collector for CeilingCollector {
    fn desc(&self) -> Vec<&Desc> {
        self.descs.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let mut samples: Vec<Vec<Metric>> = ALL.iter().map(|_| Vec::new()).collect();
        if let Some(source) = self.source.upgrade() {
            source.visit(&mut |snapshot| {
                let shown = Shown::of(snapshot, self.options.max_tenants);
                for (family, samples) in ALL.iter().zip(&mut samples) {
                    shown.read(family, samples);
                }
            });
        }
        ALL.iter().zip(samples).map(|(family, samples)| family_of(family, samples)).collect()
    }
}

fn family_of(family: &Family, samples: Vec<Metric>) -> MetricFamily {
    let mut shown = MetricFamily::default();
    shown.set_name(family.full_name());
    shown.set_help(family.help.to_owned());
    shown.set_field_type(match family.kind {
        Kind::Counter => MetricType::COUNTER,
        Kind::Gauge => MetricType::GAUGE,
    });
    shown.set_metric(samples);
    shown
}

/// One ceiling, its tenants split into those shown by themselves and the rest.
struct Shown<'a> {
    snapshot: &'a Snapshot<'a>,
    alone: Vec<TenantIx>,
    rest: Vec<TenantIx>,
    rest_name: &'static str,
}

impl<'a> Shown<'a> {
    fn of(snapshot: &'a Snapshot<'a>, max_tenants: usize) -> Self {
        let mut alone: Vec<_> = snapshot.config.tenant_ixs().collect();
        let rest = alone.split_off(max_tenants.min(alone.len()));
        let is_other = |ix: &TenantIx| snapshot.config.tenant(*ix).id() == OTHER;
        let rest_name = if alone.iter().any(is_other) { OTHER_TAKEN } else { OTHER };
        Self { snapshot, alone, rest, rest_name }
    }

    fn read(&self, family: &Family, samples: &mut Vec<Metric>) {
        match family.read {
            Read::Ceiling(read) => {
                let labels = vec![label("ceiling", self.snapshot.ceiling)];
                samples.push(sample(family.kind, labels, read(self.snapshot)));
            }
            Read::Tenant(read, fold) => self.each(fold, read, |tenant, value| {
                let labels = vec![label("ceiling", self.snapshot.ceiling), label("tenant", tenant)];
                samples.push(sample(family.kind, labels, value));
            }),
            Read::Refusals => {
                for reason in Reason::ALL {
                    let count = |row: &Row<'_>| float(row.stats.refused[reason as usize]);
                    self.each(Fold::Sum, count, |tenant, value| {
                        let labels = vec![
                            label("ceiling", self.snapshot.ceiling),
                            label("reason", reason.code()),
                            label("tenant", tenant),
                        ];
                        samples.push(sample(family.kind, labels, value));
                    });
                }
            }
        }
    }

    /// Calls `show` with each tenant shown by itself, and with the rest as one.
    fn each(&self, fold: Fold, read: impl Fn(&Row<'_>) -> f64, mut show: impl FnMut(&str, f64)) {
        let read = |&ix: &TenantIx| read(&Row::of(self.snapshot, ix));
        for ix in &self.alone {
            show(self.snapshot.config.tenant(*ix).id(), read(ix));
        }
        if self.rest.is_empty() {
            return;
        }
        let rest = self.rest.iter().map(read);
        let folded = match fold {
            Fold::Max => rest.fold(0.0, f64::max),
            Fold::Sum => rest.sum(),
        };
        show(self.rest_name, folded);
    }
}

fn label(name: &str, value: &str) -> LabelPair {
    let mut label = LabelPair::default();
    label.set_name(name.to_owned());
    label.set_value(value.to_owned());
    label
}

fn sample(kind: Kind, labels: Vec<LabelPair>, value: f64) -> Metric {
    let mut sample = Metric::from_label(labels);
    match kind {
        Kind::Counter => {
            let mut counter = Counter::default();
            counter.set_value(value);
            sample.set_counter(counter);
        }
        Kind::Gauge => {
            let mut gauge = Gauge::default();
            gauge.set_value(value);
            sample.set_gauge(gauge);
        }
    }
    sample
}
