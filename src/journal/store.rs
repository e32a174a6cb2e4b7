//! What a journal is kept on: named files that grow at their end and can be made durable.

use std::io;

/// The port. One process at a time owns a store.
pub trait Store: Send + Sync {
    /// Every file's name, in any order.
    ///
    /// # Errors
    ///
    /// The medium failed.
    fn names(&self) -> io::Result<Vec<String>>;

    /// A file's whole content.
    ///
    /// # Errors
    ///
    /// There is no such file, or the medium failed.
    fn read(&self, name: &str) -> io::Result<Vec<u8>>;

    /// Creates an empty file that must not exist yet, and opens it for appending. That it exists
    /// is durable with its first [`Append::sync`].
    ///
    /// # Errors
    ///
    /// The file exists, or the medium failed.
    fn create(&self, name: &str) -> io::Result<Box<dyn Append>>;

    /// Writes a whole file, durably, so that a crash leaves all of it or none.
    ///
    /// # Errors
    ///
    /// The medium failed.
    fn publish(&self, name: &str, content: &[u8]) -> io::Result<()>;

    /// Cuts a file to `length` bytes, durably.
    ///
    /// # Errors
    ///
    /// There is no such file, or the medium failed.
    fn truncate(&self, name: &str, length: u64) -> io::Result<()>;

    /// Removes a file, durably. One that is not there is no error.
    ///
    /// # Errors
    ///
    /// The medium failed.
    fn remove(&self, name: &str) -> io::Result<()>;
}

/// A file open for appending.
pub trait Append: Send {
    /// Hands `bytes` to the system. They survive the end of the process, but not of the machine.
    ///
    /// # Errors
    ///
    /// The medium failed; some of the bytes may have been written.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Makes everything that was appended durable. They survive the end of the machine.
    ///
    /// # Errors
    ///
    /// The medium failed; nobody knows which of the bytes are durable.
    fn sync(&mut self) -> io::Result<()>;
}
