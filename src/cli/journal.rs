//! `fairgate journal`: looks into a journal without writing to it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;

use super::{FAILED, WRONG, complain, written};
use crate::engine::{Command as EngineCommand, Outcome};
use crate::journal::{self, Ceiling, JournalError, Observer, Recovered, Store};
use crate::store::Folder;
use crate::trace;

/// What to do with a journal. A gateway may go on writing to it meanwhile.
#[derive(Debug, Subcommand)]
pub(super) enum Arguments {
    /// Write what it holds as traces, one per ceiling and configuration, for `fairgate replay`
    Export {
        /// The journal's folder
        dir: PathBuf,
        /// Where to write NAME-1.jsonl, NAME-2.jsonl and so on; existing files are not overwritten
        #[arg(long, value_name = "FOLDER", default_value = ".")]
        out: PathBuf,
    },
    /// Say what it holds: records, time span, snapshot, leases outstanding, size
    Inspect {
        /// The journal's folder
        dir: PathBuf,
    },
    /// Read it to its end, and say whether it is whole
    Verify {
        /// The journal's folder
        dir: PathBuf,
    },
}

pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let (Arguments::Export { dir, .. } | Arguments::Inspect { dir } | Arguments::Verify { dir }) =
        arguments;
    if !dir.is_dir() {
        return complain(&format!("fairgate: {}: no such folder", dir.display()), WRONG);
    }
    let folder = Folder::read_only(dir);
    match arguments {
        Arguments::Export { out, .. } => export(&folder, out),
        Arguments::Inspect { .. } => inspect(&folder, dir),
        Arguments::Verify { .. } => verify(&folder, dir),
    }
}

fn broken(error: &JournalError) -> ExitCode {
    complain(&format!("fairgate: {error}"), FAILED)
}

fn verify(folder: &Folder, dir: &Path) -> ExitCode {
    match journal::recover(folder, &mut |_| {}) {
        Ok(recovered) => {
            let tail = recovered.tail.map_or(String::new(), |tail| {
                format!(", after which {} bytes of a torn tail will be dropped", tail.torn)
            });
            let last = recovered.next - 1;
            let dir = dir.display();
            let mut out = io::stdout().lock();
            written(writeln!(out, "{dir} is whole up to record {last}{tail}"))
        }
        Err(error) => broken(&error),
    }
}

/// What the records after the snapshot say about time.
#[derive(Default)]
struct Span {
    first: Option<i64>,
}

impl Observer for Span {
    fn begins(&mut self, _: usize, _: &Ceiling) {}
    fn applied(&mut self, _: usize, now: i64, _: &EngineCommand<'_>, _: &Outcome) {
        self.first.get_or_insert(now);
    }
}

fn inspect(folder: &Folder, dir: &Path) -> ExitCode {
    let mut span = Span::default();
    let recovered = match journal::recover_observed(folder, &mut |_| {}, &mut span) {
        Ok(recovered) => recovered,
        Err(error) => return broken(&error),
    };
    let text = summary(folder, dir, &recovered, span.first);
    written(text.and_then(|text| io::stdout().lock().write_all(text.as_bytes())))
}

fn summary(
    folder: &Folder,
    dir: &Path,
    recovered: &Recovered,
    first: Option<i64>,
) -> io::Result<String> {
    let names = folder.names()?;
    let sizes = names.iter().map(|name| dir.join(name).metadata().map_or(0, |file| file.len()));
    let mut lines = vec![
        format!("size       {} bytes in {} files", sizes.sum::<u64>(), names.len()),
        match recovered.snapshot_last {
            Some(last) => format!("snapshot   up to record {last}"),
            None => "snapshot   none".to_owned(),
        },
        format!("records    {} after it, the next is {}", recovered.records, recovered.next),
    ];
    if let Some((first, last)) = first.zip(recovered.last_stamp) {
        lines.push(format!("stamps     {first} to {last} (ms since the Unix epoch)"));
    }
    if let Some(tail) = &recovered.tail {
        lines.push(format!("torn tail  {} bytes of {}", tail.torn, tail.file));
    }
    for Ceiling { name, engine } in &recovered.ceilings {
        let held: f64 = engine.stats(engine.now()).held;
        lines.push(format!(
            "ceiling    {name:?}: {} leases outstanding, {held} of {} units held, {} granted",
            engine.lease_count(),
            engine.config().ceiling(),
            engine.granted(),
        ));
    }
    Ok(lines.join("\n") + "\n")
}

fn export(folder: &Folder, out: &Path) -> ExitCode {
    let mut exporter = Exporter { out: out.to_owned(), traces: Vec::new(), failed: None };
    let recovered = journal::recover_observed(folder, &mut |_| {}, &mut exporter);
    let finished = exporter.finish();
    match (recovered, finished) {
        (Err(error), _) => broken(&error),
        (_, Err(error)) => complain(&format!("fairgate: {}: {error}", out.display()), FAILED),
        (_, Ok(paths)) => {
            let paths = paths.iter().map(|path| format!("{}\n", path.display()));
            written(io::stdout().lock().write_all(paths.collect::<String>().as_bytes()))
        }
    }
}

/// Writes traces while the journal is being read.
struct Exporter {
    out: PathBuf,
    /// One per ceiling, by its number.
    traces: Vec<Trace>,
    failed: Option<io::Error>,
}

struct Trace {
    name: String,
    paths: Vec<PathBuf>,
    file: BufWriter<File>,
}

impl Exporter {
    fn open(&mut self, number: usize, ceiling: &Ceiling) -> io::Result<()> {
        let before = self.traces.get(number).map_or(0, |trace| trace.paths.len());
        let path = self.out.join(format!("{}-{}.jsonl", ceiling.name, before + 1));
        let mut file = BufWriter::new(File::create_new(&path)?);
        let engine = &ceiling.engine;
        writeln!(file, "{}", trace::config_line(engine.config()))?;
        writeln!(file, "{}", trace::state_line(&engine.state()))?;
        if let Some(trace) = self.traces.get_mut(number) {
            trace.file.flush()?;
            trace.file = file;
            trace.paths.push(path);
        } else {
            let name = ceiling.name.clone();
            self.traces.push(Trace { name, paths: vec![path], file });
        }
        Ok(())
    }

    fn write(&mut self, number: usize, line: &str) -> io::Result<()> {
        match self.traces.get_mut(number) {
            Some(trace) => writeln!(trace.file, "{line}"),
            None => Ok(()),
        }
    }

    fn finish(mut self) -> io::Result<Vec<PathBuf>> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        self.traces.sort_by(|a, b| a.name.cmp(&b.name));
        let mut paths = Vec::new();
        for mut trace in self.traces {
            trace.file.flush()?;
            paths.append(&mut trace.paths);
        }
        Ok(paths)
    }

    fn keep(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
        }
    }
}

impl Observer for Exporter {
    fn begins(&mut self, number: usize, ceiling: &Ceiling) {
        let opened = self.open(number, ceiling);
        self.keep(opened);
    }

    fn applied(&mut self, number: usize, now: i64, command: &EngineCommand<'_>, outcome: &Outcome) {
        let line = trace::command_line(now, command, outcome);
        let wrote = self.write(number, &line);
        self.keep(wrote);
    }
}
