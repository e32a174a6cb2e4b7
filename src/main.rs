//! The command `fairgate`: parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    fairgate::cli::main()
}
