//! Every metric, declared once and read from the engines at scrape time.

/// Bounds on what is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The most tenants per ceiling with series of their own; the rest are summed as `other`.
    pub max_tenants: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_tenants: 1_000 }
    }
}
