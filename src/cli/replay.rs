//! `fairgate replay`: a recorded sequence of calls, answered line by line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::{FAILED, WRONG, complain, written};
use crate::trace::{LINE_BYTES_MAX, Replay};

/// What to replay, and how to show it.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The trace: JSON lines, the configuration first; standard input if left out or -
    file: Option<PathBuf>,
    /// Show a table per tenant at the end instead of the answers
    #[arg(long)]
    summary: bool,
}

pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let mut input: Box<dyn BufRead> = match &arguments.file {
        Some(path) if path.as_os_str() != "-" => match File::open(path) {
            Ok(file) => Box::new(BufReader::new(file)),
            Err(error) => {
                return complain(&format!("fairgate: {}: {error}", path.display()), WRONG);
            }
        },
        _ => Box::new(io::stdin().lock()),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut replay = Replay::default();
    let ended = replay_all(&mut replay, &mut input, &mut out, arguments.summary);
    match ended {
        Ok(()) => written(out.flush()),
        Err(Ended::Writing(error)) => written(Err(error)),
        Err(Ended::Reading(error)) => {
            // What was answered so far stays good; the fault is told last.
            let _ = out.flush();
            complain(&format!("fairgate: {error}"), FAILED)
        }
        Err(Ended::Wrong(problem)) => {
            let _ = out.flush();
            complain(&format!("fairgate: {problem}"), WRONG)
        }
    }
}

enum Ended {
    Reading(io::Error),
    Writing(io::Error),
    Wrong(String),
}

fn replay_all(
    replay: &mut Replay,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
    summary: bool,
) -> Result<(), Ended> {
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        number += 1;
        let most = LINE_BYTES_MAX as u64 + 1;
        let read = input.take(most).read_until(b'\n', &mut line).map_err(Ended::Reading)?;
        if read == 0 {
            break;
        }
        if line.len() > LINE_BYTES_MAX {
            let problem = format!("line {number}: longer than {LINE_BYTES_MAX} bytes");
            return Err(Ended::Wrong(problem));
        }
        let text = str::from_utf8(&line)
            .map_err(|_| Ended::Wrong(format!("line {number}: this is not UTF-8 text")))?;
        let answer = replay.line(text).map_err(|error| Ended::Wrong(error.to_string()))?;
        if let Some(answer) = answer.filter(|_| !summary) {
            writeln!(out, "{answer}").map_err(Ended::Writing)?;
        }
    }
    match replay.summary() {
        None => Err(Ended::Wrong("the trace is empty: its first line is the configuration".into())),
        Some(table) if summary => write!(out, "{table}").map_err(Ended::Writing),
        Some(_) => Ok(()),
    }
}
