//! The command line.

use std::process::ExitCode;

/// Runs the program and gives its exit status.
pub fn run() -> ExitCode {
    ExitCode::from(2)
}
