//! Another configuration, another time.

use fairgate::engine::{Acquire, LeaseId, Outcome};
use fairgate::gateway::{Gateway, OpenError};

use super::store::Disk;
use super::world::{NEVER, START, ceiling, leases, open, run, two};

fn grant(gateway: &Gateway, tenant: &str, hold_ms: i64) -> LeaseId {
    let ceiling = gateway.ceiling(Some("main")).unwrap();
    let request = Acquire { tenant, cost: 10.0, hold_ms };
    match run(gateway.acquire(ceiling, request)).unwrap() {
        Outcome::Granted(granted) => granted.lease.id,
        other => panic!("{other:?}"),
    }
}

fn release(gateway: &Gateway, id: LeaseId) -> Outcome {
    run(gateway.release(gateway.ceiling_of(id).unwrap().unwrap(), id)).unwrap()
}

#[test]
fn a_restart_arrives_at_the_same_leases_deadlines_and_all() {
    let disk = Disk::default();
    let (gateway, _) = open(disk.clone(), two(), NEVER, START).unwrap();
    let id = grant(&gateway, "a", 5_000);
    drop(gateway);
    let (gateway, clock) = open(disk, two(), NEVER, START + 3_000).unwrap();
    let (_, lease) = gateway.ceilings()[0].lease(id).unwrap();
    assert_eq!(lease.unwrap().deadline, START + 5_000);
    clock.advance(2_500);
    let Outcome::Released(released) = release(&gateway, id) else { panic!("not held") };
    assert_eq!((released.held_ms, released.overran_ms), (5_500, 500));
}

#[test]
fn time_spent_down_is_nobodys_activity() {
    let disk = Disk::default();
    let (gateway, _) = open(disk.clone(), two(), NEVER, START).unwrap();
    grant(&gateway, "a", 5_000);
    drop(gateway);
    let (gateway, _) = open(disk, two(), NEVER, START + 10_000).unwrap();
    let tenants = gateway.ceilings()[0].stats().unwrap().tenants;
    let idle: Vec<_> = tenants.iter().map(|tenant| tenant.idle).collect();
    assert_eq!(idle, [false, true, true], "a holds a lease; the others were last active before");
}

#[test]
fn the_time_never_runs_backwards_over_a_restart() {
    let disk = Disk::default();
    let (gateway, clock) = open(disk.clone(), two(), NEVER, START).unwrap();
    clock.advance(1_000);
    grant(&gateway, "a", 50);
    drop(gateway);
    let (gateway, _) = open(disk, two(), NEVER, START - 50_000).unwrap();
    assert_eq!(gateway.ceilings()[0].stats().unwrap().now, START + 1_000);
}

#[test]
fn another_configuration_is_refused_while_leases_stand_on_the_old_one() {
    let disk = Disk::default();
    let (gateway, _) = open(disk.clone(), two(), NEVER, START).unwrap();
    let id = grant(&gateway, "a", 5_000);
    drop(gateway);
    let mut changed = two();
    changed[0] = ceiling("main", 50.0, &["a", "c"]);
    for ceilings in [changed.clone(), vec![two().remove(1)]] {
        let error = open(disk.clone(), ceilings, NEVER, START).map(|_| ()).unwrap_err();
        let OpenError::ConfigChanged(text) = &error else { panic!("{error}") };
        assert!(text.contains("\"main\"") && text.contains(&id.to_string()), "{text}");
    }
    let error = open(disk.clone(), changed.clone(), NEVER, START).map(|_| ()).unwrap_err();
    let text = error.to_string();
    for part in ["ceiling was 100 and is 50", "tenants was a=1,b=1,c=1 and is a=1,c=1"] {
        assert!(text.contains(part), "{text}");
    }
    // The old one still works, and once the lease has ended, so does the new one.
    let (gateway, _) = open(disk.clone(), two(), NEVER, START).unwrap();
    release(&gateway, id);
    drop(gateway);
    let (gateway, _) = open(disk.clone(), changed.clone(), NEVER, START).unwrap();
    assert_eq!(gateway.ceilings()[0].config().ceiling(), 50.0);
    let later = grant(&gateway, "c", 50);
    assert_eq!((later.epoch, later.seq), (id.epoch, id.seq + 1), "ids go on where they ended");
    assert_eq!(release(&gateway, id), Outcome::NotHeld(id), "and old ones are known as ended");
    drop(gateway);
    // In the log: the next start knows the new one too.
    let (gateway, _) = open(disk, changed, NEVER, START).unwrap();
    assert_eq!(leases(&gateway).into_iter().collect::<Vec<_>>(), [later]);
}

#[test]
fn what_the_engine_does_not_depend_on_may_change() {
    let disk = Disk::default();
    let (gateway, _) = open(disk.clone(), two(), NEVER, START).unwrap();
    let id = grant(&gateway, "a", 5_000);
    drop(gateway);
    // Another order of ceilings, and one more.
    let mut ceilings = two();
    ceilings.reverse();
    ceilings.insert(0, ceiling("new", 5.0, &["z"]));
    let (gateway, _) = open(disk, ceilings, NEVER, START).unwrap();
    assert_eq!(gateway.ceiling_of(id).unwrap().unwrap().name(), "main");
    assert!(matches!(release(&gateway, id), Outcome::Released(_)));
}
