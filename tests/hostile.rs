//! A stranger's text stays text in every format: one hostile story, looked at byte by byte.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(unreachable_pub, reason = "the fuzz targets use it too")]
#[path = "../fuzz/medium.rs"]
mod medium;
#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use claim_audit::cli::args::FormatName;
use clap::ValueEnum;
use support::audit::claim_audit;
use support::build;
use support::story;

#[test]
fn a_strangers_text_acts_in_no_format() {
    let repo = build::repository(&story::named("hostile-text"));
    for format in FormatName::value_variants() {
        let value = format.to_possible_value().unwrap();
        let name = value.get_name();
        for further in [&[][..], &["--all"]] {
            let mut command = claim_audit();
            command.current_dir(repo.path()).args(["--color", "never", "--format", name]);
            let output = command.args(["--min-confidence", "low"]).args(further).output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{name}");
            assert_eq!(output.stderr, b"", "{name}");
            let report = String::from_utf8(output.stdout).unwrap();
            assert!(report.contains("RESULTS.md"), "{name} tells of the claims: {report}");
            medium::check(*format, &report);
        }
    }
}
