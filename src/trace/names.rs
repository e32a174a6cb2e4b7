//! What leases are called within a trace.

use std::collections::HashMap;

use crate::engine::LeaseId;

/// The names of the leases that one replay holds. A lease without a name of its own is called
/// after the line that it was granted on, as in `#7`.
#[derive(Debug, Default)]
pub(super) struct Names {
    by_name: HashMap<String, LeaseId>,
    by_lease: HashMap<LeaseId, String>,
}

impl Names {
    /// Calls `lease` by `name`, or by its `line` where there is none.
    pub(super) fn insert(&mut self, lease: LeaseId, name: Option<String>, line: usize) {
        let name = name.unwrap_or_else(|| format!("#{line}"));
        self.by_name.insert(name.clone(), lease);
        self.by_lease.insert(lease, name);
    }

    /// The lease called `name`, the latest if there were several.
    pub(super) fn lease(&self, name: &str) -> Option<LeaseId> {
        self.by_name.get(name).copied()
    }

    /// What `lease` is called.
    pub(super) fn name(&self, lease: LeaseId) -> &str {
        self.by_lease.get(&lease).map_or("", String::as_str)
    }

    /// The lease has ended: nothing will be said about it again.
    pub(super) fn forget(&mut self, lease: LeaseId) {
        if let Some(name) = self.by_lease.remove(&lease)
            && self.by_name.get(&name) == Some(&lease)
        {
            self.by_name.remove(&name);
        }
    }
}
