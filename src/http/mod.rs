//! The HTTP face: routes, wire types, and the only mapping to status codes.
//!
//! `routes` is the table of contents. A handler extracts, converts, calls the gateway, converts
//! back; it never decides anything about units. In reading order: `routes`, `acquire`, `leases`,
//! `reports`, `status` (the handlers), `wire` (JSON in and out), `extract` (bodies and queries),
//! `problem` (errors as RFC 9457), `advice` (when to come back), `observe` (request ids, the access
//! log, time limits), `server` (sockets).

mod acquire;
mod advice;
mod extract;
mod leases;
mod observe;
mod options;
mod problem;
mod reports;
mod routes;
mod server;
mod status;
mod wire;

pub use self::options::Options;
pub use self::routes::{ROUTES, Route, router};
pub use self::server::{Running, bind};

use std::sync::Arc;

use crate::gateway::Gateway;

/// What every handler gets.
#[derive(Clone, Debug)]
pub struct App {
    /// The ceilings.
    pub gateway: Arc<Gateway>,
    /// The limits.
    pub options: Options,
}
