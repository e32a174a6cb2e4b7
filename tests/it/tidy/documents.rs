//! Documents against each other and against the tree.

use super::tree::{File, root, with_extension};

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

fn markdown() -> Vec<File> {
    with_extension(".", "md")
}

/// A document's lines outside its blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_code ^= fence;
        !fence && !in_code
    })
}

/// The targets of links in one line.
fn links(line: &str) -> Vec<&str> {
    let targets = line.split("](").skip(1);
    targets.filter_map(|rest| rest.split(')').next()).collect()
}

#[test]
fn every_document_has_one_title() {
    for file in markdown() {
        let titles = prose(&file.text).filter(|line| line.starts_with("# ")).count();
        assert_eq!(titles, 1, "{}", file.path);
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut seen = 0;
    for file in markdown() {
        let folder = root().join(&file.path);
        let folder = folder.parent().unwrap();
        for link in prose(&file.text).flat_map(links) {
            if link.contains("://") || link.starts_with('#') {
                continue;
            }
            seen += 1;
            let target = folder.join(link.split('#').next().unwrap());
            assert!(target.exists(), "{}: {link} leads nowhere", file.path);
        }
    }
    assert!(seen > 5);
}

#[test]
fn every_test_that_the_readme_names_exists() {
    let readme = read("README.md");
    let named: Vec<_> = readme
        .split('`')
        .filter(|word| word.contains("::") && word.starts_with("tests/"))
        .collect();
    assert!(named.len() > 8, "{named:?}");
    for name in named {
        let (file, test) = name.split_once("::").unwrap();
        let source = read(file);
        assert!(source.contains(&format!("fn {test}(")), "README names {name}");
    }
}

#[test]
fn one_version_of_rust_is_used_everywhere() {
    let cargo = read("Cargo.toml");
    let version = cargo.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap();
    let version = version.trim_matches('"');
    assert!(read("Dockerfile").contains(&format!("FROM rust:{version}-")));
    assert!(read(".github/workflows/ci.yml").contains(&format!("--default-toolchain {version}.")));
}

#[test]
fn the_changelog_knows_this_version_or_what_comes_next() {
    let changelog = read("CHANGELOG.md");
    let heading = changelog.lines().find(|line| line.starts_with("## [")).unwrap();
    let this = concat!("## [", env!("CARGO_PKG_VERSION"), "]");
    assert!(heading == "## [Unreleased]" || heading.starts_with(this), "{heading}");
}

#[test]
fn every_script_that_ci_and_the_readme_run_exists() {
    for path in [".ci/run", "scripts/test", "scripts/check-metrics", "scripts/check-openapi"] {
        assert!(root().join(path).is_file(), "{path}");
    }
    assert!(read(".ci/run").contains("./scripts/test"));
    assert!(read("README.md").contains("./scripts/test"));
    assert!(read(".github/workflows/ci.yml").contains("bash .ci/run"));
}

#[test]
fn code_is_not_taken_for_prose() {
    let text = "# a\n```\n# b\n[x](y)\n```\n[c](d) and [e](f#g)\n";
    assert_eq!(prose(text).collect::<Vec<_>>(), ["# a", "[c](d) and [e](f#g)"]);
    assert_eq!(links("[c](d) and [e](f#g)"), ["d", "f#g"]);
}
