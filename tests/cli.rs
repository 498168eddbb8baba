//! The binary as a user or a script meets it: exit status, streams, colour, errors with a way out.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Output, Stdio};

use git2::Repository;
use support::audit::claim_audit;
use support::build::{self, Built};
use support::story;

const ESCAPE: char = '\u{1b}';

#[test]
fn exit_status_tells_whether_there_is_a_lead() {
    let leads = built("three-cards");
    let clean = built("three-cards-retested");
    let nothing = built("no-claims-at-all");
    assert_eq!(run(leads.path(), &[]).status.code(), Some(1));
    assert_eq!(run(leads.path(), &["--fail-on", "never"]).status.code(), Some(0));
    assert_eq!(run(clean.path(), &[]).status.code(), Some(0));
    assert_eq!(run(nothing.path(), &[]).status.code(), Some(0));
}

#[test]
fn what_is_not_asked_for_is_not_reported() {
    let repo = built("three-cards");
    let leads = |level: &str| {
        let args = ["--format", "json", "--min-confidence", level];
        let report: serde_json::Value =
            serde_json::from_slice(&run(repo.path(), &args).stdout).unwrap();
        report["summary"]["lead_only"].clone()
    };
    assert_eq!(
        [leads("low"), leads("medium"), leads("high")].map(|n| n.as_u64()),
        [Some(3), Some(2), Some(2)]
    );
    let status = |args: &[&str]| run(repo.path(), args).status.code();
    assert_eq!(status(&["--no-check", "predates-pitfall"]), Some(0));
    assert_eq!(status(&["--min-confidence", "high"]), Some(1));
    assert_eq!(status(&["--kind", "success"]), Some(0));
    assert_eq!(status(&["--exclude", "*.md"]), Some(2), "nothing left to read is no clean answer");
    let medium_only = built("renamed-in-between");
    assert_eq!(run(medium_only.path(), &["--min-confidence", "high"]).status.code(), Some(0));
}

#[test]
fn an_older_commit_can_be_audited() {
    let repo = built("three-cards");
    let first = repo.commits[0].to_string();
    assert_eq!(run(repo.path(), &["--rev", &first]).status.code(), Some(0));
    assert_eq!(run(repo.path(), &["--rev", &first[..10]]).status.code(), Some(0));
    assert_eq!(run(repo.path(), &["--rev", "HEAD~1"]).status.code(), Some(1));
    assert_eq!(run(repo.path(), &["--rev", "main"]).status.code(), Some(1));
}

#[test]
fn a_repository_is_found_from_inside_it_and_bare() {
    let repo = built("renamed-in-between");
    assert_eq!(run(&repo.path().join("docs"), &[]).status.code(), Some(1));
    let output = claim_audit().current_dir(repo.path().join("docs/2026")).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "the default is the folder one stands in");
    let bare = tempfile::tempdir().unwrap();
    let url = repo.path().to_str().unwrap();
    git2::build::RepoBuilder::new().bare(true).clone(url, bare.path()).unwrap();
    assert_eq!(run(bare.path(), &[]).status.code(), Some(1));
}

#[test]
fn errors_name_the_cause_and_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    refuses(&run(&missing, &[]), &["missing"]);
    refuses(&run(folder.path(), &[]), &["repository"]);

    let empty = tempfile::tempdir().unwrap();
    Repository::init(empty.path()).unwrap();
    refuses(&run(empty.path(), &[]), &["commit"]);

    let repo = built("three-cards");
    refuses(&run(repo.path(), &["--rev", "no-such-branch"]), &["no-such-branch"]);
    refuses(&run(repo.path(), &["--no-check", "predates-pitfal"]), &["predates-pitfall"]);

    let mut story = story::named("no-claims-at-all");
    story.commits[0].write = [("main.c".to_owned(), "int main;\n".to_owned())].into();
    refuses(&run(build::repository(&story).path(), &[]), &["document"]);
}

#[test]
fn a_shallow_history_is_refused_with_the_fix() {
    let repo = built("cut-history");
    let output = run(repo.path(), &[]);
    refuses(&output, &["shallow", "--unshallow", "--allow-shallow"]);
    let output = run(repo.path(), &["--allow-shallow"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("shallow"), "the report itself carries the caveat");
}

#[test]
fn wrong_usage_is_status_two() {
    let repo = built("three-cards");
    for args in [&["--format", "yaml"][..], &["--no-such-flag"], &["--min-confidence", "some"]] {
        let output = run(repo.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        assert!(text(&output.stderr).contains("error: "), "{args:?}");
    }
}

#[test]
fn help_and_version_are_reports_too() {
    for flag in ["--help", "-h", "--version", "--list-checks", "--list-rules"] {
        let output = claim_audit().arg(flag).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{flag}: {}", text(&output.stderr));
        assert!(!output.stdout.is_empty(), "{flag}");
        assert!(output.stderr.is_empty(), "{flag}");
    }
    let output = claim_audit().args(["--explain", "predates-pitfall"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let output = claim_audit().args(["--explain", "no-such-check"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn standard_output_carries_the_report_and_nothing_else() {
    let repo = built("three-cards");
    let output = run(repo.path(), &["--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["schema_version"], 1);
    assert_eq!(report["tool"]["name"], "claim-audit");
    assert_eq!(report["summary"]["claims"], 4);
    assert_eq!(report["summary"]["lead_only"], 2);
    assert_eq!(report["summary"]["evidence"], 2);
    assert_eq!(report["summary"]["by_rule"]["predates-pitfall"], 2);
    assert_eq!(text(&output.stderr), "", "no progress where there is no terminal");
}

#[test]
fn the_text_report_tells_the_story() {
    let repo = built("three-cards");
    let output = text(&run(repo.path(), &[]).stdout);
    for words in [
        "RESULTS.md:6",
        "3 devices + draft head",
        "predates-pitfall",
        "13 h 30 m",
        "PITFALLS.md",
        "2026-03-02",
        "git show",
    ] {
        assert!(output.contains(words), "no {words:?} in\n{output}");
    }
}

#[test]
fn colour_is_asked_for_and_refused_as_everywhere() {
    let repo = built("three-cards");
    let coloured = |args: &[&str], vars: &[(&str, &str)]| {
        let output = claim_audit()
            .args(args)
            .envs(vars.iter().copied())
            .current_dir(repo.path())
            .output()
            .unwrap();
        text(&output.stdout).contains(ESCAPE)
    };
    assert!(!coloured(&[], &[]), "no terminal, no colour");
    assert!(coloured(&["--color", "always"], &[]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1")]), "a flag beats a variable");
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["--format", "json", "--color", "always"], &[]));
}

#[test]
fn reports_for_people_speak_the_language_of_the_option_or_the_locale() {
    let repo = built("three-cards");
    let told = |args: &[&str], locale: &str| {
        let mut command = claim_audit();
        command.args(args).current_dir(repo.path()).env("LC_ALL", locale);
        text(&command.output().unwrap().stdout)
    };
    let (english, chinese) = (told(&[], "C.UTF-8"), told(&["--lang", "zh"], "C.UTF-8"));
    assert!(english.contains("are leads, not evidence"), "{english}");
    assert!(chinese.contains("只是线索，不是证据"), "{chinese}");
    assert_eq!(told(&[], "zh_CN.UTF-8"), chinese);
    assert_eq!(told(&["--lang", "en"], "zh_CN.UTF-8"), english);
    let json = ["--format", "json"];
    assert_eq!(told(&json, "zh_CN.UTF-8"), told(&json, "C.UTF-8"), "programs read English");
}

#[test]
fn output_goes_to_a_file_byte_for_byte() {
    let repo = built("three-cards");
    let target = tempfile::tempdir().unwrap();
    let file = target.path().join("report.json");
    let args = ["--format", "json", "--output", file.to_str().unwrap()];
    let written = claim_audit().args(args).current_dir(repo.path()).output().unwrap();
    assert_eq!(written.status.code(), Some(1), "{}", text(&written.stderr));
    assert_eq!(text(&written.stdout), "");
    let printed =
        claim_audit().args(["--format", "json"]).current_dir(repo.path()).output().unwrap();
    assert_eq!(fs::read(&file).unwrap(), printed.stdout);

    let nowhere = target.path().join("missing/report.json");
    refuses(&run(repo.path(), &["--output", nowhere.to_str().unwrap()]), &["report.json"]);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let repo = built("three-cards");
    let mut child = claim_audit()
        .args(["--format", "json"])
        .current_dir(repo.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(stderr, "");
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
}

#[test]
fn hostile_text_never_reaches_the_terminal_raw() {
    let repo = built("hostile-text");
    for args in [&["--color", "never"][..], &["--color", "never", "-v"]] {
        let output = run(repo.path(), args);
        let printed = text(&output.stdout) + &text(&output.stderr);
        assert!(printed.contains("RESULTS.md:5"), "the claim in hostile company is reported");
        let raw =
            |c: &char| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c);
        let found: Vec<_> = printed.chars().filter(raw).collect();
        assert!(found.is_empty(), "{found:?} in\n{printed:?}");
    }
}

#[test]
fn more_pairs_than_the_bound_are_refused() {
    let repo = built("three-cards");
    refuses(
        &run(repo.path(), &["--limit", "pairs=0"]),
        &["pairs of claims and pitfalls", "--limit"],
    );
    assert_ne!(run(repo.path(), &["--limit", "pairs=100"]).status.code(), Some(2));
}

fn built(name: &str) -> Built {
    build::repository(&story::named(name))
}

fn run(repo: &Path, args: &[&str]) -> Output {
    claim_audit().args(args).arg(repo).output().unwrap()
}

/// Status 2, nothing on standard output, and on standard error an error with a help line, in
/// lower case and without a full stop.
fn refuses(output: &Output, words: &[&str]) {
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(text(&output.stdout), "", "{stderr}");
    assert!(stderr.starts_with("error: "), "{stderr}");
    assert!(stderr.contains("\nhelp: "), "no way out in {stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    for word in words {
        assert!(stderr.contains(word), "no {word:?} in {stderr}");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_life_of_a_withdrawn_claim_tells_its_end() {
    let repo = built("withdrawn-later");
    let told = |args: &[&str]| {
        let output = run(repo.path(), args);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let text = told(&["--claim", "NOTES.md:3"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("- NOTES.md:3  failure"), "{text}");
    assert!(
        text.contains("first stated  NOTES.md:3") && text.contains("withdrawn  NOTES.md:3"),
        "{text}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&told(&["--claim", "NOTES.md:3", "--format", "json"])).unwrap();
    assert!(json["claim"]["verdict"].is_null());
    let last = json["events"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["event"], &last["text"]),
        (&"withdrawn".into(), &"Three cards crash.".into())
    );
    assert_eq!(repo.number(last["commit"].as_str().unwrap()), Some(3));
    // It keeps the id that it had.
    let id = json["claim"]["id"].as_str().unwrap();
    assert_eq!(told(&["--claim", id]), text);
    assert!(told(&["--claim", id, "--rev", "HEAD~1", "--fail-on", "never"]).contains("challenged"));
    assert!(told(&["--claim", id, "--lang", "zh"]).contains("已撤回"));
}
