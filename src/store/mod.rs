//! Where a journal is kept: implementations of the journal's port.
//!
//! To add one: a file here, a choice in `config`.

mod folder;

pub use self::folder::{Folder, OpenError};
