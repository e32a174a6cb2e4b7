//! What must hold between any two commands. Tests, recovery and simulations loop over [`ALL`].
//!
//! To add one: a function and a row.

use super::{Engine, Lease, TOLERANCE, TenantIx, Total};

/// One property of an engine at rest.
pub struct Invariant {
    /// What it is called in a report.
    pub name: &'static str,
    /// Checks it; the error says what was found.
    pub check: fn(&Engine) -> Result<(), String>,
}

/// Every invariant. Each takes a walk over all tenants and leases.
pub const ALL: &[Invariant] = &[
    Invariant { name: "accounts_equal_leases", check: accounts_equal_leases },
    Invariant { name: "guarantee_is_not_exceeded", check: guarantee_is_not_exceeded },
    Invariant { name: "ceiling_is_not_exceeded", check: ceiling_is_not_exceeded },
    Invariant { name: "parts_sum_to_the_charge", check: parts_sum_to_the_charge },
    Invariant { name: "loans_end_within_the_horizon", check: loans_end_within_the_horizon },
    Invariant { name: "lenders_were_idle", check: lenders_were_idle },
];

/// The first invariant that does not hold, with what was found.
#[must_use]
pub fn first_broken(engine: &Engine) -> Option<(&'static str, String)> {
    ALL.iter().find_map(|invariant| {
        let found = (invariant.check)(engine).err()?;
        Some((invariant.name, found))
    })
}

fn ensure(holds: bool, found: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(found()) }
}

/// Each tenant's running totals are the sums over its leases and loans.
fn accounts_equal_leases(engine: &Engine) -> Result<(), String> {
    #[derive(Clone, Copy, Default)]
    struct Sums {
        own_used: Total,
        lent: Total,
        borrowed: Total,
        held: Total,
    }
    let mut sums = vec![Sums::default(); engine.tenants.len()];
    for lease in engine.leases() {
        let holder = &mut sums[lease.tenant.index()];
        holder.held.add(lease.units);
        if lease.own > 0.0 {
            holder.own_used.add(lease.own);
        }
        for loan in &lease.borrowed {
            sums[lease.tenant.index()].borrowed.add(loan.units);
            sums[loan.lender.index()].lent.add(loan.units);
        }
    }
    for (ix, (tenant, sums)) in engine.tenants.iter().zip(sums).enumerate() {
        let pairs = [
            ("held", tenant.held, sums.held),
            ("own_used", tenant.own_used, sums.own_used),
            ("borrowed", tenant.borrowed, sums.borrowed),
            ("lent", tenant.lent, sums.lent),
        ];
        for (name, account, sum) in pairs {
            let same = account.members() == sum.members()
                && (account.value() - sum.value()).abs() <= TOLERANCE
                && (account.members() > 0 || account == Total::default());
            ensure(same, || format!("tenant {ix}: {name} is {account:?}, its leases say {sum:?}"))?;
        }
        let claims: Total = tenant.claims.iter().fold(Total::default(), |mut sum, (_, claim)| {
            sum.add(claim.units);
            sum
        });
        let drawn = tenant.own_used.value() + tenant.lent.value();
        ensure((claims.value() - drawn).abs() <= TOLERANCE, || {
            format!("tenant {ix}: claims are {}, but {drawn} is drawn", claims.value())
        })?;
    }
    Ok(())
}

/// Own units in use and units lent stay within each guarantee, up to the tolerance and to what
/// rounding does to amounts of the ceiling's size (the last lender of a loan takes what it leaves).
fn guarantee_is_not_exceeded(engine: &Engine) -> Result<(), String> {
    for (ix, tenant) in engine.tenants.iter().enumerate() {
        let slack = TOLERANCE + rounding(engine.config.ceiling());
        ensure(tenant.room() >= -slack, || {
            format!("tenant {ix}: {} of its guarantee is left", tenant.room())
        })?;
    }
    Ok(())
}

/// All units held stay within the ceiling, up to one tolerance per tenant.
fn ceiling_is_not_exceeded(engine: &Engine) -> Result<(), String> {
    let held: f64 = engine.tenants.iter().map(|tenant| tenant.held.value()).sum();
    let ceiling = engine.config.ceiling();
    #[expect(clippy::cast_precision_loss, reason = "at most TENANTS_MAX tenants")]
    let slack = (TOLERANCE + rounding(ceiling)) * engine.tenants.len() as f64;
    ensure(held <= ceiling + slack, || {
        format!("{held} units are held under a ceiling of {ceiling}")
    })
}

/// Each lease's own part and loans are its charge.
fn parts_sum_to_the_charge(engine: &Engine) -> Result<(), String> {
    each_lease(engine, |lease| {
        let parts = lease.own + lease.borrowed_units();
        let slack = TOLERANCE + rounding(lease.units);
        ensure((parts - lease.units).abs() <= slack, || {
            format!("its parts are {parts}, its charge is {}", lease.units)
        })
    })
}

/// No loan is declared for longer than the horizon.
fn loans_end_within_the_horizon(engine: &Engine) -> Result<(), String> {
    let horizon_ms = engine.config.reclaim_horizon_ms();
    each_lease(engine, |lease| {
        let in_time = lease.borrowed.is_empty() || lease.hold_ms() <= horizon_ms;
        ensure(in_time, || format!("borrows for {} ms", lease.hold_ms()))
    })
}

/// Each lender had been inactive for long enough when it lent, and holds nothing from before.
fn lenders_were_idle(engine: &Engine) -> Result<(), String> {
    let mut oldest = vec![u64::MAX; engine.tenants.len()];
    for lease in engine.leases.values() {
        let oldest = &mut oldest[lease.tenant.index()];
        *oldest = lease.id.seq.min(*oldest);
    }
    let idle_after_ms = engine.config.idle_after_ms();
    each_lease(engine, |lease| {
        lease.borrowed.iter().try_for_each(|loan| {
            let quiet_ms = lease.granted_at.saturating_sub(loan.lender_active_at);
            let TenantIx(lender) = loan.lender;
            ensure(quiet_ms >= idle_after_ms && oldest[lender as usize] > lease.id.seq, || {
                format!("tenant {lender} lent after {quiet_ms} ms, or while it held a lease")
            })
        })
    })
}

fn each_lease(engine: &Engine, check: impl Fn(&Lease) -> Result<(), String>) -> Result<(), String> {
    engine.leases().into_iter().try_for_each(|lease| {
        check(lease).map_err(|found| format!("lease {}: {found}", lease.id.seq))
    })
}

/// The rounding that is unavoidable at this size.
fn rounding(units: f64) -> f64 {
    units.abs() * f64::EPSILON * 4.0
}
