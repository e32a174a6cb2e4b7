//! `fairgate check`: what a configuration means.

use std::io::{self, Write};
use std::process::ExitCode;

use super::written;
use crate::config::{self, Options};

pub(super) fn run(options: &Options) -> ExitCode {
    let mut out = io::stdout().lock();
    let mut say = || {
        write!(out, "{}", config::meaning(options))?;
        for warning in config::warnings(options) {
            writeln!(out, "Warning: {warning}")?;
        }
        out.flush()
    };
    written(say())
}
