//! A stranger's text stays text in every format: one hostile story, looked at byte by byte.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use claim_audit::cli::args::FormatName;
use claim_audit::report::escape;
use clap::ValueEnum;
use support::audit::claim_audit;
use support::build;
use support::story;

/// What acts, where it stands in that format as it is.
fn acts(format: &str) -> &'static [&'static str] {
    match format {
        // A comment is rendered: no tag, no call of people or issues, no link but our own.
        "markdown" => &[
            "<script",
            "<img",
            "</details><",
            "<!-- x",
            " @everyone",
            " #2",
            "](javascript:",
            "](https://stranger",
            "![t]",
        ],
        "html" => {
            &["<script>alert", "<img src=x", "</details><script", "<!-- x", "href=\"javascript:"]
        }
        // Programs read these: a value must not end what it stands in.
        "junit" => &["<script", "<img", "]]> -->", "</details>"],
        "sarif" | "json" | "jsonl" | "rdjson" => &["\n::error file", "\n::set-output"],
        _ => &[],
    }
}

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
            let raw = report.chars().find(|it| *it != '\n' && it.is_control());
            assert_eq!(raw, None, "{name}: {report}");
            if !matches!(name, "json" | "jsonl" | "sarif" | "rdjson") {
                let hidden = report.chars().find(|it| *it != '\n' && escape::is_hostile(*it));
                // A joiner of no width is how a mention is made harmless.
                assert!(
                    matches!(hidden, None | Some('\u{200b}')),
                    "{name}: {hidden:?} in {report}"
                );
            }
            for word in acts(name) {
                assert!(!report.contains(word), "{name}: {word:?} in {report}");
            }
            // A workflow takes commands at the start of a line, whatever the format it is shown in.
            for line in report.lines().map(str::trim_start).filter(|line| line.starts_with("::")) {
                let (command, _) = line.split_once("::owned").unwrap_or((line, ""));
                assert!(name == "github" && command == line, "{name}: {line}");
            }
            let value: Result<serde_json::Value, _> = serde_json::from_str(&report);
            assert!(value.is_ok() || !matches!(name, "json" | "sarif"), "{name}: {report}");
        }
    }
}
