//! The server's address and limits.

use std::net::{Ipv4Addr, SocketAddr};

/// Where the server listens, and the bounds on what a client may make it do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Where it listens; port 0 takes a free one, which is logged.
    pub listen: SocketAddr,
    /// The largest request body, in bytes.
    pub max_body_bytes: usize,
    /// How long, in milliseconds, a connection may take to send a request's head, and how long it
    /// may stay silent before and between requests.
    pub header_read_timeout_ms: u64,
    /// How long, in milliseconds, a request may take in all once its head has been read.
    pub request_timeout_ms: u64,
    /// The most leases on one page of `GET /leases`.
    pub max_page_size: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            max_body_bytes: 64 * 1024,
            header_read_timeout_ms: 30_000,
            request_timeout_ms: 10_000,
            max_page_size: 1_000,
        }
    }
}
