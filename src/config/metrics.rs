//! The section `[metrics]`.

use super::reader::Reader;
use crate::metrics::Options;

pub(super) fn read(reader: &mut Reader<'_>) -> Options {
    let default = Options::default();
    Options { max_tenants: reader.size("maxTenants", 0..=1_000_000, default.max_tenants) }
}
