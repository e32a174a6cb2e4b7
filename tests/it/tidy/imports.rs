//! Who may import whom.

use super::tree::rust;

/// Each module, and what of ours it may import. `None`: everything.
const TABLE: &[(&str, Option<&[&str]>)] = &[
    ("engine", Some(&[])),
    ("journal", Some(&["engine", "trace"])),
    ("trace", Some(&["engine"])),
    ("metrics", Some(&["engine"])),
    ("store", Some(&["journal"])),
    ("gateway", Some(&["engine", "journal", "metrics", "trace"])),
    ("http", Some(&["engine", "gateway", "metrics"])),
    ("config", Some(&["engine", "gateway", "http", "metrics"])),
    ("cli", None),
];

/// The modules that a line of code names by a path from the crate's root.
fn imported(line: &str) -> Vec<&str> {
    let code = line.split("//").next().unwrap_or("");
    let paths = code.split("crate::").skip(1);
    let names = paths.flat_map(|path| match path.strip_prefix('{') {
        Some(group) => group.split(',').map(str::trim).collect(),
        None => vec![path],
    });
    let name = |path: &str| -> usize {
        path.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(path.len())
    };
    names.map(|path| &path[..name(path)]).filter(|name| !name.is_empty()).collect()
}

#[test]
fn modules_import_only_what_they_may() {
    let mut seen = Vec::new();
    for file in rust("src") {
        let Some((module, _)) = file.path["src/".len()..].split_once('/') else { continue };
        let row = TABLE.iter().find(|(name, _)| *name == module);
        let (name, allowed) = row.unwrap_or_else(|| panic!("{module} is not in the table"));
        seen.push(*name);
        let Some(allowed) = allowed else { continue };
        for (nth, line) in file.text.lines().enumerate() {
            for import in imported(line).into_iter().filter(|import| *import != module) {
                assert!(allowed.contains(&import), "{}:{}: imports {import}", file.path, nth + 1);
            }
        }
    }
    for (name, _) in TABLE {
        assert!(seen.contains(name), "{name} is in the table, but not in src");
    }
}

#[test]
fn imports_are_found_in_all_their_forms() {
    assert_eq!(imported("use crate::engine::{Config, Engine};"), ["engine"]);
    assert_eq!(imported("use crate::{gateway, http, metrics};"), ["gateway", "http", "metrics"]);
    assert_eq!(imported("fn f(x: crate::http::Options) -> crate::cli::X {"), ["http", "cli"]);
    assert_eq!(imported("// as crate::http does"), [""; 0]);
    assert_eq!(imported("use super::engine;"), [""; 0]);
}
