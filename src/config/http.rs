//! The section `[http]`.

use super::reader::Reader;
use crate::http::Options;

pub(super) fn read(reader: &mut Reader<'_>) -> Options {
    let default = Options::default();
    Options {
        listen: reader.parsed(
            "listen",
            "an address and a port, such as \"127.0.0.1:8080\"",
            |text| text.parse().ok(),
            default.listen,
        ),
        max_body_bytes: reader.size("maxBodyBytes", 256..=1 << 30, default.max_body_bytes),
        header_read_timeout_ms: reader
            .millis("headerReadTimeoutMs", default.header_read_timeout_ms),
        request_timeout_ms: reader.millis("requestTimeoutMs", default.request_timeout_ms),
        max_page_size: reader.size("maxPageSize", 1..=100_000, default.max_page_size),
    }
}
