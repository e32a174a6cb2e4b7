//! What a scrape costs, and for how long it keeps a ceiling from deciding.
//!
//! `cargo bench --bench scrape`
#![expect(clippy::expect_used, reason = "a benchmark that cannot start should stop")]

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use fairgate::engine::{Config, FairnessUnit, Settings, TenantSettings};
use fairgate::gateway::{CeilingOptions, Clock, Gateway, SystemClock};
use fairgate::metrics::Options;

const TENANTS: [u32; 3] = [10, 1_000, 10_000];

fn gateway(tenants: u32) -> Arc<Gateway> {
    let tenant = |n: u32| TenantSettings { id: format!("tenant-{n}"), weight: 1.0 };
    let config = Config::new(Settings {
        ceiling: 1e6,
        fairness_unit: Some(FairnessUnit::Cost),
        tenants: (0..tenants).map(tenant).collect(),
        reclaim_horizon_ms: 1_000,
        idle_after_ms: 2_000,
        started_at: 0,
    });
    let ceiling =
        CeilingOptions { name: "main".to_owned(), config: config.expect("a configuration") };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    let options = Options { max_tenants: usize::MAX };
    Gateway::start(vec![ceiling], options, &clock).expect("a gateway")
}

fn scrape(c: &mut Criterion) {
    let mut group = c.benchmark_group("scrape");
    group.sample_size(20);
    for tenants in TENANTS {
        let gateway = gateway(tenants);
        group.bench_function(BenchmarkId::new("all of it", tenants), |b| {
            b.iter(|| gateway.metrics().render().expect("metrics").len());
        });
        group.bench_function(BenchmarkId::new("under the lock", tenants), |b| {
            b.iter(|| gateway.ceilings()[0].stats().expect("a ceiling").held);
        });
    }
    group.finish();
}

criterion_group!(benches, scrape);
criterion_main!(benches);
