//! `fairgate serve`: builds everything from the options, then serves until told to stop.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use super::{FAILED, WRONG, complain};
use crate::config::{self, JournalConfig, LogFormat, LogOptions, Options};
use crate::gateway::{
    CeilingOptions, Clock, Gateway, Journal, Keeping, OpenError, Recorder, ShutdownOptions,
    SystemClock,
};
use crate::http::{self, App, Running};
use crate::store::Folder;

/// Serves; `record` names the file of a recording.
pub(super) fn run(options: Options, record: Option<&Path>) -> ExitCode {
    let recorder = match record.map(|path| recorder(&options, path)).transpose() {
        Ok(recorder) => recorder,
        Err(problem) => return complain(&format!("fairgate: {problem}"), WRONG),
    };
    if let Err(problem) = start_log(&options.log) {
        return complain(&format!("fairgate: {problem}"), WRONG);
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return complain(&format!("fairgate: no threads: {error}"), FAILED),
    };
    let served = runtime.block_on(serve(options, recorder));
    // A journal may still be being read; nobody waits for that any more.
    runtime.shutdown_background();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            tracing::error!(%problem, "stopped");
            complain(&format!("fairgate: {problem}"), FAILED)
        }
    }
}

async fn serve(options: Options, recorder: Option<Arc<Recorder>>) -> Result<(), String> {
    for warning in config::warnings(&options) {
        tracing::warn!("{warning}");
    }
    // Signals are caught before anything is served, so that none is missed.
    let mut signals = Signals::catch().map_err(|error| format!("signals: {error}"))?;
    let names: Vec<_> = options.ceilings.iter().map(|ceiling| ceiling.name.as_str()).collect();
    let gateway = Gateway::new(&names, options.metrics).map_err(|error| error.to_string())?;
    let listen = options.http.listen;
    let app = App { gateway: Arc::clone(&gateway), options: options.http };
    let mut running = http::bind(app).await.map_err(|error| format!("{listen}: {error}"))?;
    tracing::info!(addr = %running.address(), ceilings = names.len(), "listening");
    // Alive but not ready until the journal has been read.
    let (ceilings, journal) = (options.ceilings, options.journal);
    let (opening, recording) = (Arc::clone(&gateway), recorder.clone());
    let opened = tokio::task::spawn_blocking(move || open(&opening, ceilings, &journal, recording));
    tokio::select! {
        opened = opened => opened.map_err(|error| error.to_string())??,
        () = signals.next() => {
            tracing::info!("told to stop before the journal was read");
            return Ok(());
        }
    }
    tracing::info!(addr = %running.address(), "ready");
    let ended = tokio::select! {
        () = signals.next() => stop(&gateway, running, options.shutdown, signals).await,
        failed = running.failed() => failed.map_err(|error| error.to_string()),
        reason = gateway.log_failed() => Err(format!(
            "the journal cannot be written ({reason}); nothing was answered that is not in it"
        )),
    };
    if let Some(recorder) = recorder {
        recorder.flush();
    }
    ended
}

/// A recording is of one ceiling, whose leases are in memory: a journal is a better one.
fn recorder(options: &Options, path: &Path) -> Result<Arc<Recorder>, String> {
    if options.journal.dir.is_some() {
        return Err("--record goes without a journal; use fairgate journal export".to_owned());
    }
    if options.ceilings.len() != 1 {
        return Err("--record goes with one ceiling; a trace is the story of one".to_owned());
    }
    let recorder = Recorder::create(path).map_err(|error| format!("{}: {error}", path.display()));
    recorder.map(Arc::new)
}

/// A last stamp further ahead of the wall clock than this, in milliseconds, is not gone on from
/// without being told to.
const CLOCK_SKEW_MS_MAX: i64 = 3_600_000;

fn open(
    gateway: &Gateway,
    ceilings: Vec<CeilingOptions>,
    config: &JournalConfig,
    recorder: Option<Arc<Recorder>>,
) -> Result<(), String> {
    let keeping = match &config.dir {
        None => {
            tracing::warn!(
                "NO JOURNAL: leases live in memory, and a restart forgets them while their calls \
                 go on; set journal.dir to keep them"
            );
            Keeping::Memory(recorder)
        }
        Some(dir) => {
            let folder = Folder::open(dir).map_err(|error| error.to_string())?;
            tracing::info!(dir = %dir.display(), sync = ?config.options.sync, "journal");
            Keeping::Journal(Journal { store: Arc::new(folder), options: config.options })
        }
    };
    let clock = |last_stamp: Option<i64>| {
        let clock = SystemClock::start();
        let (clock, ahead_ms) = clock.not_before(last_stamp.unwrap_or(i64::MIN));
        gateway.metrics().journal().skewed(ahead_ms);
        if ahead_ms > CLOCK_SKEW_MS_MAX && !config.accept_clock_skew {
            return Err(OpenError::ClockSkew { ahead_ms });
        }
        if ahead_ms > 0 {
            tracing::warn!(ahead_ms, "the journal is ahead of the wall clock; its time is kept");
        }
        Ok(Arc::new(clock) as Arc<dyn Clock>)
    };
    gateway.open(ceilings, keeping, clock).map_err(|error| error.to_string())
}

/// Tells load balancers, waits for them, finishes what is in flight. A second signal ends it at
/// once.
async fn stop(
    gateway: &Gateway,
    running: Running,
    options: ShutdownOptions,
    mut signals: Signals,
) -> Result<(), String> {
    let ShutdownOptions { drain_delay_ms, drain_timeout_ms } = options;
    gateway.drain();
    tracing::info!(drain_delay_ms, drain_timeout_ms, "draining");
    let ended = async {
        tokio::time::sleep(Duration::from_millis(drain_delay_ms)).await;
        running.stop(Duration::from_millis(drain_timeout_ms)).await
    };
    tokio::select! {
        ended = ended => ended.map_err(|error| error.to_string())?,
        () = signals.next() => tracing::warn!("told again: ending at once"),
    }
    tracing::info!("stopped");
    Ok(())
}

/// SIGTERM and SIGINT.
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    fn catch() -> io::Result<Self> {
        let terminate = signal(SignalKind::terminate())?;
        Ok(Self { terminate, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

fn start_log(options: &LogOptions) -> Result<(), String> {
    let filter: Targets = options.filter.parse().map_err(|error| format!("log.filter: {error}"))?;
    let human = match options.format {
        LogFormat::Auto => io::stderr().is_terminal(),
        LogFormat::Human => true,
        LogFormat::Json => false,
    };
    let lines = fmt::layer().with_writer(io::stderr);
    let lines = if human {
        lines.with_ansi(io::stderr().is_terminal()).boxed()
    } else {
        lines.json().flatten_event(true).boxed()
    };
    let log = tracing_subscriber::registry().with(lines.with_filter(filter));
    log.try_init().map_err(|error| error.to_string())
}
