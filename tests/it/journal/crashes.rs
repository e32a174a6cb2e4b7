//! A crash at every step of a workload.

use fairgate::gateway::{Durability, JournalOptions};
use fairgate::journal;

use super::store::{Crash, Disk};
use super::world::{Known, NEVER, START, leases, open, run, two, work};

const STEPS: u64 = 60;

/// Runs the workload on a disk that fails from `step` on, and returns what a client then knows.
fn crash_at(step: u64, options: JournalOptions) -> (Disk, Known) {
    let disk = Disk::failing_from(step);
    let mut known = Known::default();
    if let Ok((gateway, clock)) = open(disk.clone(), two(), options, START) {
        run(work(&gateway, &clock, STEPS, &mut known));
    }
    (disk, known)
}

fn steps_in_all(options: JournalOptions) -> u64 {
    let (disk, known) = crash_at(u64::MAX, options);
    assert!(!known.held.is_empty() && !known.released.is_empty());
    disk.steps()
}

#[test]
fn what_was_answered_survives_the_end_of_the_machine_at_any_step() {
    let steps = steps_in_all(NEVER);
    assert!(steps > 60, "{steps}");
    for step in 0..=steps {
        let (disk, known) = crash_at(step, NEVER);
        for seed in 0..8 {
            let after = disk.after(Crash::Machine(seed));
            let (gateway, clock) = open(after.clone(), two(), NEVER, START).unwrap();
            known.check(&gateway);
            // And it goes on from there: more work, and another end.
            let mut more = Known { held: leases(&gateway), ..Known::default() };
            run(work(&gateway, &clock, 10, &mut more));
            drop(gateway);
            more.check(&open(after.after(Crash::Machine(seed)), two(), NEVER, START).unwrap().0);
        }
    }
}

#[test]
fn what_was_answered_survives_the_end_of_the_process_at_any_step() {
    let options = JournalOptions { sync: Durability::Os, ..NEVER };
    for step in 0..=steps_in_all(options) {
        let (disk, known) = crash_at(step, options);
        let after = disk.after(Crash::Process);
        known.check(&open(after, two(), options, START).unwrap().0);
    }
}

/// The crashes above have teeth: without the sync, answers are lost.
#[test]
fn without_the_sync_the_end_of_the_machine_loses_answers() {
    let options = JournalOptions { sync: Durability::Os, ..NEVER };
    let (disk, known) = crash_at(u64::MAX, options);
    let lost = (0..20).filter(|&seed| {
        let after = disk.after(Crash::Machine(seed));
        match journal::recover(&after, &mut |_| {}) {
            Ok(recovered) => {
                let found = recovered.ceilings.iter().flat_map(|c| c.engine.leases());
                let found: std::collections::BTreeSet<_> = found.map(|lease| lease.id).collect();
                !known.held.is_subset(&found)
            }
            Err(_) => true,
        }
    });
    assert!(lost.count() > 10);
}

#[test]
fn a_failing_disk_answers_nothing_more() {
    let (disk, _) = crash_at(u64::MAX, NEVER);
    let disk = Disk::failing_from(disk.steps() / 2);
    let (gateway, clock) = open(disk, two(), NEVER, START).unwrap();
    let mut known = Known::default();
    run(work(&gateway, &clock, STEPS, &mut known));
    let before = known.held.len();
    run(work(&gateway, &clock, STEPS, &mut known));
    assert!(known.held.len() <= before, "granted after the journal failed");
    assert!(gateway.ready().is_err());
    assert!(run(gateway.log_failed()).contains("the disk failed"));
}
