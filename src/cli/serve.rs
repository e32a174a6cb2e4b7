//! `fairgate serve`: builds everything from the options, then serves until told to stop.

use std::process::ExitCode;

use crate::config::Options;

pub(super) fn run(_options: Options) -> ExitCode {
    ExitCode::SUCCESS
}
