//! What only the moment of an event knows: how long a request took, a reclaim, a hold.

use prometheus::{Histogram, HistogramOpts, HistogramVec, IntCounter, IntGauge, Registry};

use super::families::float;
use crate::engine::Outcome;

/// Names and meanings of the histograms.
pub(super) const DECLARED: &[(&str, &str)] =
    &[REQUEST, RECLAIM, HOLD_DECLARED, HOLD_ACTUAL, COMMIT, RECORDS, SKEW];

const REQUEST: (&str, &str) = (
    "fairgate_http_request_duration_seconds",
    "How long requests took from their head to the head of their answer.",
);
const RECLAIM: (&str, &str) = (
    "fairgate_reclaim_duration_seconds",
    "How long waits for own lent units took that ended in a grant.",
);
const HOLD_DECLARED: (&str, &str) = (
    "fairgate_hold_declared_seconds",
    "For how long released leases had been declared to be held.",
);
const HOLD_ACTUAL: (&str, &str) =
    ("fairgate_hold_actual_seconds", "For how long released leases were held.");

const COMMIT: (&str, &str) = (
    "fairgate_journal_commit_duration_seconds",
    "How long it took to write a batch to the journal and make it as durable as configured.",
);
const RECORDS: (&str, &str) = ("fairgate_journal_records_total", "Records written to the journal.");
const SKEW: (&str, &str) = (
    "fairgate_clock_skew_ms",
    "By how much the journal's last stamp was ahead of the wall clock at the start.",
);

/// A write to the system takes microseconds, one to the disk from a tenth of a millisecond to the
/// seconds of one that is failing.
const COMMIT_BUCKETS: &[f64] =
    &[0.000_01, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.05, 0.25, 1.0, 10.0];

/// A decision takes microseconds and its answer well under a millisecond; what lies above a few
/// milliseconds is the machine or the network. So: fine below 5 ms, coarse above.
const REQUEST_BUCKETS: &[f64] =
    &[0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.05, 0.25, 1.0, 10.0];

/// Holds and reclaims last as long as the calls behind them, from milliseconds to an hour; three
/// steps per decade tell a call that keeps its word from one that does not.
const HOLD_BUCKETS: &[f64] = &[
    0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0, 300.0, 1_000.0,
    3_600.0,
];

#[derive(Debug)]
pub(super) struct Edges {
    requests: HistogramVec,
    ceilings: Vec<CeilingEdges>,
    pub(super) journal: JournalEdges,
}

/// The handles of the journal; they stay at zero where there is none.
#[derive(Clone, Debug)]
pub struct JournalEdges {
    commit: Histogram,
    records: IntCounter,
    skew: IntGauge,
}

impl JournalEdges {
    fn new(registry: &Registry) -> Result<Self, prometheus::Error> {
        let options = HistogramOpts::new(COMMIT.0, COMMIT.1).buckets(COMMIT_BUCKETS.to_vec());
        let edges = Self {
            commit: Histogram::with_opts(options)?,
            records: IntCounter::new(RECORDS.0, RECORDS.1)?,
            skew: IntGauge::new(SKEW.0, SKEW.1)?,
        };
        registry.register(Box::new(edges.commit.clone()))?;
        registry.register(Box::new(edges.records.clone()))?;
        registry.register(Box::new(edges.skew.clone()))?;
        Ok(edges)
    }

    /// A batch of `records` was written after `seconds`.
    pub fn committed(&self, records: u64, seconds: f64) {
        self.commit.observe(seconds);
        self.records.inc_by(records);
    }

    /// At the start the journal's last stamp was `ahead_ms` ahead of the wall clock.
    pub fn skewed(&self, ahead_ms: i64) {
        self.skew.set(ahead_ms);
    }
}

/// The handles of one ceiling, looked up once.
#[derive(Debug)]
struct CeilingEdges {
    reclaim: Histogram,
    hold_declared: Histogram,
    hold_actual: Histogram,
}

impl Edges {
    pub(super) fn new(registry: &Registry, ceilings: &[&str]) -> Result<Self, prometheus::Error> {
        let vec = |(name, help): (&str, &str), buckets: &[f64], labels: &[&str]| {
            let options = HistogramOpts::new(name, help).buckets(buckets.to_vec());
            let vec = HistogramVec::new(options, labels)?;
            registry.register(Box::new(vec.clone()))?;
            Ok::<_, prometheus::Error>(vec)
        };
        let requests = vec(REQUEST, REQUEST_BUCKETS, &["route", "method", "status"])?;
        let reclaim = vec(RECLAIM, HOLD_BUCKETS, &["ceiling"])?;
        let hold_declared = vec(HOLD_DECLARED, HOLD_BUCKETS, &["ceiling"])?;
        let hold_actual = vec(HOLD_ACTUAL, HOLD_BUCKETS, &["ceiling"])?;
        let ceilings = ceilings.iter().map(|ceiling| CeilingEdges {
            reclaim: reclaim.with_label_values(&[ceiling]),
            hold_declared: hold_declared.with_label_values(&[ceiling]),
            hold_actual: hold_actual.with_label_values(&[ceiling]),
        });
        let ceilings = ceilings.collect();
        Ok(Self { requests, ceilings, journal: JournalEdges::new(registry)? })
    }

    pub(super) fn observe_request(&self, route: &str, method: &str, status: u16, seconds: f64) {
        let mut digits = [0; 3];
        let status = status_text(status, &mut digits);
        self.requests.with_label_values(&[route, method, status]).observe(seconds);
    }

    pub(super) fn observe_outcome(&self, ceiling: usize, outcome: &Outcome) {
        let Some(edges) = self.ceilings.get(ceiling) else { return };
        match outcome {
            Outcome::Granted(granted) => {
                if let Some(waited_ms) = granted.reclaimed_after_ms {
                    edges.reclaim.observe(seconds(waited_ms));
                }
            }
            Outcome::Released(released) => {
                edges.hold_declared.observe(seconds(released.hold_ms));
                edges.hold_actual.observe(seconds(released.held_ms));
            }
            Outcome::Refused(_) | Outcome::NotHeld(_) | Outcome::Invalid(_) => {}
        }
    }
}

fn seconds(ms: i64) -> f64 {
    float(ms) / 1e3
}

/// A status code's three digits.
fn status_text(status: u16, digits: &mut [u8; 3]) -> &str {
    for (digit, power) in digits.iter_mut().zip([100, 10, 1]) {
        *digit = b'0' + u8::try_from(status / power % 10).unwrap_or(0);
    }
    str::from_utf8(digits).unwrap_or("000")
}
