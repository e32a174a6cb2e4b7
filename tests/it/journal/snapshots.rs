//! Snapshots: the same state, less to read.

use fairgate::gateway::JournalOptions;
use fairgate::journal;

use super::store::{Crash, Disk};
use super::world::{Known, NEVER, START, leases, open, run, two, work};

fn bits(disk: &Disk) -> String {
    let recovered = journal::recover(disk, &mut |_| {}).unwrap();
    let states = recovered.ceilings.iter().map(|c| (c.name.as_str(), c.engine.state()));
    format!("{:?}", states.collect::<Vec<_>>())
}

/// Three segments, the last one empty; and the number that it begins with.
fn segments() -> (Disk, u64) {
    let disk = Disk::default();
    for _ in 0..2 {
        let (gateway, clock) = open(disk.clone(), two(), NEVER, START).unwrap();
        let mut known = Known { held: leases(&gateway), ..Known::default() };
        run(work(&gateway, &clock, 40, &mut known));
    }
    drop(open(disk.clone(), two(), NEVER, START).unwrap());
    let next = journal::recover(&disk, &mut |_| {}).unwrap().next;
    (disk, next)
}

#[test]
fn a_snapshot_replaces_what_came_before_it_and_nothing_else() {
    let (disk, next) = segments();
    let before = bits(&disk);
    journal::compact(&disk, next, &mut |_| {}).unwrap();
    assert_eq!(bits(&disk), before);
    let names: Vec<_> = disk.files().into_keys().collect();
    assert_eq!(names, [journal::segment_name(next), journal::snapshot_name(next - 1)]);
    // And once more over itself.
    journal::compact(&disk, next, &mut |_| {}).unwrap();
    assert_eq!(bits(&disk), before);
}

#[test]
fn a_snapshot_cut_short_at_any_step_loses_nothing() {
    let (disk, next) = segments();
    let before = bits(&disk);
    let files = disk.files();
    for step in 0..6 {
        let failing = Disk::failing_from(step);
        for (name, content) in &files {
            failing.after(Crash::Process);
            failing.put(name, content);
        }
        let _ = journal::compact(&failing, next, &mut |_| {});
        assert_eq!(bits(&failing.after(Crash::Machine(step))), before, "at step {step}");
    }
}

#[test]
fn the_gateway_takes_snapshots_as_it_goes() {
    let options = JournalOptions { snapshot_every_commands: 50, ..NEVER };
    let disk = Disk::default();
    let (gateway, clock) = open(disk.clone(), two(), options, START).unwrap();
    let mut known = Known::default();
    for _ in 0..20 {
        run(work(&gateway, &clock, 40, &mut known));
    }
    let found = leases(&gateway);
    // Dropping the gateway waits for its threads.
    drop(gateway);
    let files = disk.files();
    assert!(files.keys().any(|name| name.starts_with("snapshot")), "{:?}", files.keys());
    assert!(files.len() <= 4, "{:?}", files.keys());
    let (gateway, _) = open(disk, two(), options, START).unwrap();
    assert_eq!(leases(&gateway), found);
    known.check(&gateway);
}
