//! `fairgate health`: asks a running gateway whether it is ready, so that a container image needs
//! no other program for its health check.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::process::ExitCode;
use std::time::Duration;

use super::{FAILED, WRONG, complain};

/// Whom to ask, and how long to wait.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What to ask; plain HTTP
    #[arg(long, default_value = "http://127.0.0.1:8080/readyz", env = "FAIRGATE_HEALTH_URL")]
    url: String,
    /// How long to wait for each step of the answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    timeout_ms: u64,
}

pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let Arguments { url, timeout_ms } = arguments;
    let Some((host, path)) = split(url) else {
        let problem = format!("fairgate: {url:?} is no address; write http://HOST:PORT/readyz");
        return complain(&problem, WRONG);
    };
    match status(host, path, Duration::from_millis(*timeout_ms)) {
        Ok(200) => ExitCode::SUCCESS,
        Ok(status) => complain(&format!("fairgate: {url} answers {status}"), FAILED),
        Err(error) => complain(&format!("fairgate: {url}: {error}"), FAILED),
    }
}

fn split(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("http://")?;
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let safe = |text: &str| text.bytes().all(|b| b.is_ascii_graphic());
    let path = if path.is_empty() { "/readyz" } else { path };
    (!host.is_empty() && safe(host) && safe(path)).then_some((host, path))
}

/// The status code of one GET.
fn status(host: &str, path: &str, timeout: Duration) -> io::Result<u16> {
    let address = host
        .to_socket_addrs()?
        .next()
        .ok_or_else(|| io::Error::other("the name has no address"))?;
    let mut stream = TcpStream::connect_timeout(&address, timeout)?;
    stream.set_read_timeout(Some(timeout))?;
    stream.set_write_timeout(Some(timeout))?;
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")?;
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    let code = str::from_utf8(&head).ok().and_then(|head| head.strip_prefix("HTTP/1.1 "));
    code.and_then(|code| code.parse().ok()).ok_or_else(|| io::Error::other("this is not HTTP"))
}
