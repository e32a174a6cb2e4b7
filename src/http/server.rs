//! Sockets: where requests come from, for how long a connection may be silent, and how it all
//! ends.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum_server::Handle;
use axum_server::accept::NoDelayAcceptor;
use hyper_util::rt::TokioTimer;
use tokio::task::JoinHandle;

use super::{App, router};

/// A server that answers.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    handle: Handle<SocketAddr>,
    task: JoinHandle<io::Result<()>>,
}

/// Listens where the options say and serves `app` from then on.
///
/// # Errors
///
/// The address cannot be listened on.
pub async fn bind(app: App) -> io::Result<Running> {
    let listener = std::net::TcpListener::bind(app.options.listen)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let handle = Handle::new();
    let silence = Duration::from_millis(app.options.header_read_timeout_ms);
    let mut server = axum_server::from_tcp(listener)?
        .handle(handle.clone())
        .acceptor(NoDelayAcceptor::new())
        // The header timeout begins with the first byte; this one ends connections that send
        // none.
        .first_request_timeout(silence)
        .accept_error_handler(|peer: Option<&SocketAddr>, error| {
            tracing::debug!(?peer, %error, "a connection could not be accepted");
        });
    let builder = server.http_builder();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(silence);
    builder.http2().timer(TokioTimer::new());
    let task = tokio::spawn(server.serve(router(app).into_make_service()));
    Ok(Running { address, handle, task })
}

impl Running {
    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops accepting, lets requests in flight finish for at most `timeout`, and cuts off the
    /// rest.
    ///
    /// # Errors
    ///
    /// Serving had failed.
    pub async fn stop(self, timeout: Duration) -> io::Result<()> {
        self.handle.graceful_shutdown(Some(timeout));
        self.task.await.map_err(io::Error::other)?
    }

    /// Resolves when serving ends by itself, which it does only by failing.
    ///
    /// # Errors
    ///
    /// Why it failed.
    pub async fn failed(&mut self) -> io::Result<()> {
        (&mut self.task).await.map_err(io::Error::other)?
    }
}
