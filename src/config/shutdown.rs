//! The section `[shutdown]`.

use super::reader::Reader;
use crate::gateway::ShutdownOptions;

pub(super) fn read(reader: &mut Reader<'_>) -> ShutdownOptions {
    let default = ShutdownOptions::default();
    ShutdownOptions {
        drain_delay_ms: reader.millis_from("drainDelayMs", 0, default.drain_delay_ms),
        drain_timeout_ms: reader.millis("drainTimeoutMs", default.drain_timeout_ms),
    }
}
