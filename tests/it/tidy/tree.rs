//! The files of the repository.

use std::path::{Path, PathBuf};
use std::{fs, process};

pub(super) struct File {
    /// Its path from the root of the repository.
    pub path: String,
    pub text: String,
}

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every text file that git knows or would take, below `folder`.
pub(super) fn files(folder: &str) -> Vec<File> {
    let list = process::Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "--", folder])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(list.status.success(), "{}", String::from_utf8_lossy(&list.stderr));
    let list = String::from_utf8(list.stdout).unwrap();
    let paths = list.lines().map(PathBuf::from).filter(|path| root().join(path).is_file());
    let read = |path: PathBuf| {
        let text = fs::read_to_string(root().join(&path)).ok()?;
        Some(File { path: path.to_str().unwrap().to_owned(), text })
    };
    let files: Vec<_> = paths.filter_map(read).collect();
    assert!(!files.is_empty(), "nothing below {folder}");
    files
}

pub(super) fn with_extension(folder: &str, extension: &str) -> Vec<File> {
    let files = files(folder).into_iter();
    files.filter(|file| Path::new(&file.path).extension().is_some_and(|e| e == extension)).collect()
}

pub(super) fn rust(folder: &str) -> Vec<File> {
    with_extension(folder, "rs")
}
