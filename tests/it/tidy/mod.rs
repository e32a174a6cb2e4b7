//! The repository checks itself: who imports whom, sizes, leftovers, documents.

mod documents;
mod imports;
mod sources;
mod tree;
