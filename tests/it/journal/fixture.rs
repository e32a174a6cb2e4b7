//! A journal written by the first version, which every later one must read.

use std::path::Path;

use fairgate::journal;
use fairgate::store::Folder;

/// What that journal holds: the state of each ceiling, as it was when it was written.
const HOLDS: &str = include_str!("../../fixtures/journal-v1.txt");

#[test]
fn the_journal_of_version_1_is_read_to_the_same_bits() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/journal-v1");
    let recovered = journal::recover(&Folder::read_only(&dir), &mut |_| {}).unwrap();
    assert!(recovered.snapshot_last.is_some() && recovered.records > 20);
    let states = recovered.ceilings.iter().map(|c| format!("{} {:?}\n", c.name, c.engine.state()));
    assert_eq!(states.collect::<String>(), HOLDS);
}
