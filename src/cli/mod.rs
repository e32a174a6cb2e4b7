//! The command line: one file per subcommand.
//!
//! Exit codes: 0 all is well, 1 something failed while running, 2 the command line, the
//! configuration or the trace is wrong.

mod check;
mod health;
mod journal;
mod overrides;
mod replay;
mod serve;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use self::overrides::OverrideArgs;
use crate::config::{self, Options};

/// Something failed while running.
const FAILED: u8 = 1;
/// The command line, the configuration or the trace is wrong.
const WRONG: u8 = 2;

/// One capacity ceiling shared across tenants: idle shares are lent out, and every loan is back
/// by a deadline.
#[derive(Debug, Parser)]
#[command(name = "fairgate", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the gateway
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(ServeArguments),
    /// Say what a configuration means, or everything that is wrong with it
    Check(Configured),
    /// Replay a recorded sequence of calls to the same answers, one JSON line each
    Replay(replay::Arguments),
    /// Look into a journal
    #[command(subcommand)]
    Journal(journal::Arguments),
    /// Ask a running gateway whether it is ready; exit 0 if it is (for container health checks)
    Health(health::Arguments),
}

const SERVE_EXAMPLES: &str = "\
Examples:
  fairgate serve --config fairgate.example.toml
  fairgate serve --ceiling 100 --fairness-unit cost --tenant acme=3 --tenant globex=1 \\
      --reclaim-horizon-ms 30000 --idle-after-ms 60000

Environment variables override the file, flags override both.";

/// What to run.
#[derive(Debug, clap::Args)]
struct ServeArguments {
    #[command(flatten)]
    configured: Configured,
    /// Write what is asked to a new file, as a trace for fairgate replay (without a journal)
    #[arg(long, value_name = "FILE", help_heading = "Journal")]
    record: Option<PathBuf>,
}

/// A file and what is laid over it.
#[derive(Debug, clap::Args)]
struct Configured {
    /// The configuration file (TOML; fairgate.example.toml documents every key)
    #[arg(long, value_name = "FILE", env = "FAIRGATE_CONFIG")]
    config: Option<PathBuf>,
    #[command(flatten)]
    overrides: OverrideArgs,
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Serve(ServeArguments { configured, record }) => match configured.load() {
            Ok(options) => serve::run(options, record.as_deref()),
            Err(code) => code,
        },
        Command::Check(configured) => match configured.load() {
            Ok(options) => check::run(&options),
            Err(code) => code,
        },
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Journal(arguments) => journal::run(&arguments),
        Command::Health(arguments) => health::run(&arguments),
    }
}

impl Configured {
    /// The options, or everything that is wrong on standard error.
    fn load(self) -> Result<Options, ExitCode> {
        let Self { config, overrides } = self;
        let (file, from) = match &config {
            None => (None, "the command line".to_owned()),
            Some(path) => {
                let file = std::fs::read_to_string(path).map_err(|error| {
                    complain(&format!("fairgate: {}: {error}", path.display()), WRONG)
                })?;
                (Some(file), path.display().to_string())
            }
        };
        config::load(file.as_deref(), &overrides.into()).map_err(|errors| {
            let count = errors.0.len();
            let mistakes = if count == 1 { "1 mistake" } else { &format!("{count} mistakes") };
            complain(&format!("fairgate: {mistakes} in {from}:\n{errors}"), WRONG)
        })
    }
}

/// Says what is wrong on standard error, and with which code to exit.
fn complain(text: &str, code: u8) -> ExitCode {
    // Where standard error is gone too, the exit code still tells.
    let _ = writeln!(io::stderr(), "{text}");
    ExitCode::from(code)
}

/// The exit code after writing to standard output: a reader that has seen enough is no failure.
fn written(result: io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => complain(&format!("fairgate: standard output: {error}"), FAILED),
    }
}

/// The definition of the command line, for tests of itself.
#[must_use]
pub fn definition() -> clap::Command {
    Arguments::command()
}
