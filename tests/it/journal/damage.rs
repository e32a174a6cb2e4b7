//! Bytes that are not what was written.

use std::collections::BTreeMap;

use fairgate::journal::{self, Damage, JournalError};

use super::store::Disk;
use super::world::{Known, NEVER, START, open, run, two, work};

/// A small journal: a snapshot and a segment after it.
fn journal() -> BTreeMap<String, Vec<u8>> {
    let disk = Disk::default();
    for round in 0..2 {
        let (gateway, clock) = open(disk.clone(), two(), NEVER, START).unwrap();
        let mut known = Known { held: super::world::leases(&gateway), ..Known::default() };
        run(work(&gateway, &clock, 20, &mut known));
        drop(gateway);
        if round == 0 {
            let next = journal::recover(&disk, &mut |_| {}).unwrap().next;
            let (gateway, _) = open(disk.clone(), two(), NEVER, START).unwrap();
            drop(gateway);
            journal::compact(&disk, next, &mut |_| {}).unwrap();
        }
    }
    let files = disk.files();
    assert_eq!(files.len(), 2, "{:?}", files.keys());
    files
}

fn bits(disk: &Disk) -> Result<String, JournalError> {
    let recovered = journal::recover(disk, &mut |_| {})?;
    let states = recovered.ceilings.iter().map(|c| format!("{} {:?}", c.name, c.engine.state()));
    Ok(states.collect())
}

#[test]
fn no_flipped_bit_goes_unnoticed() {
    let files = journal();
    let whole = bits(&Disk::with_files(files.clone())).unwrap();
    let mut noticed = 0;
    for (name, content) in &files {
        for at in 0..content.len() {
            for bit in [0, 3, 7] {
                let mut flipped = files.clone();
                flipped.get_mut(name).unwrap()[at] ^= 1 << bit;
                match bits(&Disk::with_files(flipped)) {
                    Err(error) => {
                        noticed += 1;
                        let text = error.to_string();
                        assert!(text.contains(name.as_str()), "{text} should name {name}");
                    }
                    Ok(found) => assert_eq!(found, whole, "{name} {at}: a silent change"),
                }
            }
        }
    }
    assert!(noticed > 3 * files.values().map(Vec::len).sum::<usize>() * 9 / 10);
}

#[test]
fn a_segment_cut_off_anywhere_is_a_torn_tail_up_to_its_last_whole_batch() {
    let files = journal();
    let (name, content) = files.iter().find(|(name, _)| name.starts_with("segment")).unwrap();
    let mut states = Vec::new();
    for length in 0..=content.len() {
        let mut cut = files.clone();
        cut.get_mut(name).unwrap().truncate(length);
        let disk = Disk::with_files(cut);
        let recovered = journal::recover(&disk, &mut |_| {}).unwrap();
        let kept = recovered.tail.as_ref().map_or(length as u64, |tail| tail.kept);
        let torn = recovered.tail.map_or(0, |tail| tail.torn);
        assert_eq!(kept + torn, length as u64);
        states.push(recovered.next);
        // Opening drops the tail and goes on.
        open(disk, two(), NEVER, START).unwrap();
    }
    assert!(states.is_sorted());
    states.dedup();
    assert!(states.len() > 10);
}

#[test]
fn a_missing_segment_is_a_gap_and_not_silently_skipped() {
    let disk = Disk::default();
    for _ in 0..3 {
        let (gateway, clock) = open(disk.clone(), two(), NEVER, START).unwrap();
        let mut known = Known { held: super::world::leases(&gateway), ..Known::default() };
        run(work(&gateway, &clock, 10, &mut known));
    }
    let files = disk.files();
    assert_eq!(files.len(), 3);
    for missing in files.keys().take(2) {
        let mut files = files.clone();
        files.remove(missing);
        let error = bits(&Disk::with_files(files)).unwrap_err();
        let gap = matches!(error, JournalError::Damaged { damage: Damage::Gap { .. }, .. });
        assert!(gap, "{error}");
    }
}

#[test]
fn a_torn_batch_that_others_follow_is_damage() {
    let disk = Disk::default();
    for _ in 0..2 {
        let (gateway, clock) = open(disk.clone(), two(), NEVER, START).unwrap();
        let mut known = Known { held: super::world::leases(&gateway), ..Known::default() };
        run(work(&gateway, &clock, 10, &mut known));
    }
    let mut files = disk.files();
    let first = files.keys().next().unwrap().clone();
    let content = files.get_mut(&first).unwrap();
    content.truncate(content.len() - 1);
    let error = bits(&Disk::with_files(files)).unwrap_err();
    let damaged = matches!(error, JournalError::Damaged { damage: Damage::Truncated, .. });
    assert!(damaged, "{error}");
}

#[test]
fn an_unknown_version_is_refused_by_name() {
    for kind in ["segment", "snapshot"] {
        let mut files = journal();
        let name = files.keys().find(|name| name.starts_with(kind)).unwrap().clone();
        let head = files.get_mut(&name).unwrap();
        head[8] = 9;
        let checksum = crc32fast::hash(&head[..28]);
        head[28..32].copy_from_slice(&checksum.to_le_bytes());
        let error = bits(&Disk::with_files(files)).unwrap_err();
        assert!(
            matches!(error, JournalError::UnknownVersion { found: 9, known: 1, .. }),
            "{error}"
        );
        assert!(error.to_string().contains(&name), "{error}");
    }
}

#[test]
fn damage_says_what_where_and_what_to_do() {
    let mut files = journal();
    let name = files.keys().next().unwrap().clone();
    let content = files.get_mut(&name).unwrap();
    content[100] ^= 1;
    let text = bits(&Disk::with_files(files)).unwrap_err().to_string();
    for part in [name.as_str(), "byte", "checksum", "restore the file"] {
        assert!(text.contains(part), "{text} should say {part:?}");
    }
}

#[test]
fn a_program_that_decides_differently_is_noticed() {
    // The same records under another ceiling lead to other grants.
    let disk = Disk::default();
    let (gateway, clock) = open(disk.clone(), two(), NEVER, START).unwrap();
    run(work(&gateway, &clock, 20, &mut Known::default()));
    drop(gateway);
    let mut files = disk.files();
    let segment = files.values_mut().next().unwrap();
    let needle = 100.0_f64.to_le_bytes();
    let at = segment.windows(8).position(|bytes| bytes == needle).unwrap();
    segment[at..at + 8].copy_from_slice(&2.0_f64.to_le_bytes());
    // Make the checksums right again, as a program with other rules would have it.
    let head = 32;
    let length = u32::from_le_bytes(segment[head + 4..head + 8].try_into().unwrap()) as usize;
    let checksum = crc32fast::hash(&segment[head + 24..head + 24 + length]);
    segment[head + 16..head + 20].copy_from_slice(&checksum.to_le_bytes());
    let checksum = crc32fast::hash(&segment[head..head + 20]);
    segment[head + 20..head + 24].copy_from_slice(&checksum.to_le_bytes());
    let error = bits(&Disk::with_files(files)).unwrap_err();
    assert!(matches!(error, JournalError::Diverged { .. }), "{error}");
}
