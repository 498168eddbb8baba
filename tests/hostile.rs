//! A stranger's text stays text in every format: one hostile story, looked at byte by byte.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use claim_audit::cli::args::FormatName;
use claim_audit::report::escape;
use clap::ValueEnum;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use support::audit::claim_audit;
use support::build;
use support::story;

/// What acts, where it stands in that format as it is.
fn acts(format: &str) -> &'static [&'static str] {
    match format {
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
            if name == "markdown" {
                check_markdown(&report);
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

/// A comment is rendered: no tag, no call of people or issues, no link or image but our own.
fn check_markdown(report: &str) {
    let mut code = false;
    for event in Parser::new_ext(report, Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => code = true,
            Event::End(TagEnd::CodeBlock) => code = false,
            Event::Html(html) | Event::InlineHtml(html) => {
                let own = [
                    "<details>",
                    "</details>",
                    "<summary>",
                    "<br>",
                    "<sub>",
                    "</sub>",
                    "<!-- claim-audit -->",
                ];
                assert!(own.iter().any(|tag| html.trim().starts_with(tag)), "{html:?}");
                assert!(!html.contains("script") && !html.contains("onerror"), "{html:?}");
            }
            Event::Text(text) if !code => {
                assert!(!text.contains("@everyone") && !text.contains("#2"), "{text:?}");
            }
            Event::Start(Tag::Image { dest_url, .. }) => panic!("an image: {dest_url:?}"),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let strange = dest_url.contains("stranger") || dest_url.contains("javascript");
                assert!(!strange, "{dest_url:?}");
            }
            _ => {}
        }
    }
}
