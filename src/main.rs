//! The binary: the command line and its exit status, nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    claim_audit::cli::run()
}
