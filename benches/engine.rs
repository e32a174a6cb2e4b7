//! What one decision costs, alone and beside many tenants and leases.
//!
//! `cargo bench --no-default-features` prints the time per operation. Compare within one run:
//! absolute times move with the machine.
#![expect(clippy::expect_used, clippy::panic, reason = "a benchmark that cannot start should stop")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use fairgate::engine::{
    Acquire, Config, Decision, Engine, FairnessUnit, LeaseId, Settings, TenantSettings,
};

/// Tenants and leases outstanding.
const SIZES: [(u32, u32); 6] =
    [(2, 0), (100, 0), (10_000, 0), (2, 100_000), (100, 100_000), (10_000, 100_000)];

const HOUR_MS: i64 = 3_600_000;

/// An engine in which half of the tenants hold `leases` between them and the others are idle.
fn engine(tenants: u32, leases: u32) -> Engine {
    let tenant = |n: u32| TenantSettings { id: format!("tenant-{n}"), weight: 1.0 };
    let config = Config::new(Settings {
        ceiling: f64::from(tenants) * 1e6,
        fairness_unit: Some(FairnessUnit::Cost),
        tenants: (0..tenants).map(tenant).collect(),
        reclaim_horizon_ms: 1_000,
        idle_after_ms: 2_000,
        started_at: -2_000,
    })
    .expect("a configuration that keeps the rules");
    let mut engine = Engine::new(config, 1);
    for n in 0..leases {
        let tenant = format!("tenant-{}", n % (tenants / 2));
        // Deadlines in no particular order, as real calls have them.
        let hold_ms = HOUR_MS + i64::from(n.wrapping_mul(2_654_435_761) % 1_000_000);
        grant(&mut engine, 0, Acquire { tenant: &tenant, cost: 1.0, hold_ms });
    }
    engine
}

fn grant(engine: &mut Engine, now: i64, request: Acquire<'_>) -> LeaseId {
    match engine.acquire(now, request) {
        Ok(Decision::Granted(granted)) => granted.lease.id,
        other => panic!("expected a grant, got {other:?}"),
    }
}

/// Acquire and release, `cost` units at a time.
fn pairs(c: &mut Criterion, name: &str, cost: f64) {
    let mut group = c.benchmark_group(name);
    for (tenants, leases) in SIZES {
        let mut engine = engine(tenants, leases);
        let id = BenchmarkId::from_parameter(format!("{tenants} tenants, {leases} leases"));
        group.bench_function(id, |b| {
            let mut now = 0;
            b.iter(|| {
                now += 1;
                let lease =
                    grant(&mut engine, now, Acquire { tenant: "tenant-0", cost, hold_ms: 1_000 });
                engine.release(now, lease)
            });
        });
    }
    group.finish();
}

fn own(c: &mut Criterion) {
    pairs(c, "acquire own + release", 10.0);
}

fn loan(c: &mut Criterion) {
    pairs(c, "acquire by loan + release", 1.2e6);
}

/// A refusal that one lease of the tenant's own stands before.
fn refusal(c: &mut Criterion) {
    let mut group = c.benchmark_group("refusal");
    for (tenants, leases) in SIZES {
        let mut engine = engine(tenants, leases);
        let last = format!("tenant-{}", tenants - 1);
        let ask = Acquire { tenant: &last, cost: 0.9e6, hold_ms: 2 * HOUR_MS };
        grant(&mut engine, 0, ask);
        let id = BenchmarkId::from_parameter(format!("{tenants} tenants, {leases} leases"));
        group.bench_function(id, |b| {
            let mut now = 0;
            b.iter(|| {
                now += 1;
                engine.acquire(now, ask)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, own, loan, refusal);
criterion_main!(benches);
