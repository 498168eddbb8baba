//! Living with findings: the repository's own configuration, comments, entries, baselines, retests.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use support::audit::claim_audit;
use support::build::{self, Built};
use support::story::{self, Commit, Story};

const ESTIMATES: &str = "# Results\n\n| Setup | Speed | Note |\n|---|---|---|\n\
    | 4 devices, batch 8 | 41.0 tok/s | measured |\n\
    | 8 devices, batch 8 | 80 tok/s | extrapolated, not run |\n";

/// The estimate with a comment in its row.
fn excused(reason: &str) -> String {
    let comment = format!("not run <!-- claim-audit: ignore[estimate] {reason} --> |");
    ESTIMATES.replace("not run |", &comment)
}

#[test]
fn the_file_of_the_audited_commit_is_obeyed_and_options_go_before_it() {
    let config = "checks: {estimate: false}\n";
    let repo = with(ESTIMATES, config);
    assert_eq!(status(&repo, &[]), 0);
    assert_eq!(caveats(&repo, &[]), ["narrowed"], "a stranger's file is told of");
    assert_eq!(status(&repo, &["--check", "estimate"]), 1);
    assert_eq!(status(&repo, &["--no-config"]), 1);
    assert_eq!(status(&with(ESTIMATES, "fail_on: never\n"), &[]), 0);
    assert_eq!(status(&with(ESTIMATES, "fail_on: never\n"), &["--fail-on", "lead"]), 1);
    assert_eq!(status(&with(ESTIMATES, "kinds: [failure]\n"), &[]), 0);
    let all = with(ESTIMATES, "documents: {exclude: ['*.md']}\n");
    refuses(&run(&all, &[]), "no document");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.yml");
    fs::write(&file, config).unwrap();
    let plain = with(ESTIMATES, "");
    assert_eq!(status(&plain, &["--config", file.to_str().unwrap()]), 0);
    assert_eq!(status(&plain, &["--config", "/nowhere/at/all.yml"]), 2);
}

#[test]
fn what_is_wrong_in_the_file_is_said_with_its_place() {
    let repo = with(ESTIMATES, "checks:\n  estimat: false\n");
    refuses(&run(&repo, &[]), "did you mean `estimate`?");
    refuses(&run(&repo, &[]), "--> .claim-audit.yml:2:3");
    refuses(&run(&with(ESTIMATES, "rules: [lab]\n"), &[]), "no rule pack lab in the repository");
    refuses(&run(&with(ESTIMATES, "rules: [../lab]\n"), &[]), "no path inside");
}

#[test]
fn rules_of_the_repository_are_read_from_its_commit() {
    let pack = "pack: {id: lab, version: 3, title: Lab}\ncues:\n- id: lab.fizzles\n  kind: failure\n  \
        strength: alone\n  say: [\"fizzled out\"]\n  must_match: [\"The third run fizzled out.\"]\n  \
        must_not_match: [\"The third run starts.\"]\n";
    let mut story = story("# Results\n\nThe third run fizzled out.\n", "rules: [lab/]\n");
    story.commits[0].write.insert("lab/words.yml".to_owned(), pack.to_owned());
    let repo = build::repository(&story);
    fs::remove_file(repo.path().join("lab/words.yml")).unwrap();
    let report = json(&repo, &[]);
    assert_eq!(report["claims"].as_array().map(Vec::len), Some(1), "{report:#}");
    assert!(report["packs"].as_array().unwrap().contains(&Value::from("lab@3")));
}

#[test]
fn packs_of_the_repository_are_read_up_to_the_bound_and_no_further() {
    let pack = format!("#{}\n", "x".repeat(250_000));
    let name = |at: usize| format!("p{at}.yml");
    let (many, named) = (17, 40);
    let list = (0..named).map(|at| format!("- {}\n", name(at))).collect::<String>();
    let mut story = story(ESTIMATES, &format!("rules:\n{list}"));
    // Those that are named beyond the bound are not there: they are not looked for.
    story.commits[0].write.extend((0..many).map(|at| (name(at), pack.clone())));
    refuses(&run(&build::repository(&story), &[]), "bytes of rules");
}

#[test]
fn a_change_cannot_switch_its_own_audit_off() {
    let mut story = story("# Results\n", "");
    let change = Commit {
        message: "Numbers, and no audit".to_owned(),
        write: [
            ("README.md".to_owned(), excused("trust me")),
            (".claim-audit.yml".to_owned(), "checks: {estimate: false}\n".to_owned()),
        ]
        .into(),
        ..Commit::default()
    };
    story = story.then(change.clone());
    let repo = build::repository(&story);
    let output = run(&repo, &["--base", "HEAD~1", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["caveats"][0]["code"], "suppression-not-in-base");
    assert_eq!(status(&repo, &[]), 0, "once merged, both hold");
}

#[test]
fn a_comment_holds_until_its_claim_says_something_else() {
    let said = excused("ordered for May");
    let story = story(&said, "");
    let repo = build::repository(&story);
    assert_eq!(status(&repo, &[]), 0);
    assert_eq!(status(&repo, &["--no-check", "estimate"]), 0);
    let then = |text: String| {
        let commit = Commit {
            message: "Edit".to_owned(),
            write: [("README.md".to_owned(), text)].into(),
            ..Commit::default()
        };
        build::repository(&story.then(commit))
    };
    let moved = then(format!("# Rigs\n\nSome words before.\n\n{said}"));
    assert_eq!(status(&moved, &[]), 0, "moved lines");
    let other = then(said.replace("80 tok", "120 tok"));
    assert_eq!(status(&other, &[]), 1, "another number");
    assert_eq!(caveats(&other, &[]), ["outdated-suppression"]);
    let again = then(said.replace("80 tok", "120 tok").replace("May", "June"));
    assert_eq!(status(&again, &[]), 0, "the comment was looked at again");
    let wrong = then(said.replace("[estimate]", "[estimat]"));
    assert_eq!(status(&wrong, &[]), 1);
    assert_eq!(caveats(&wrong, &[]), ["bad-suppression"]);
}

#[test]
fn entries_hold_by_id_until_their_day() {
    let id = json(&with(ESTIMATES, ""), &[])["claims"][1]["id"].as_str().unwrap().to_owned();
    let entry = |rest: &str| format!("ignore:\n- claim: {id}\n  reason: ordered\n{rest}");
    assert_eq!(status(&with(ESTIMATES, &entry("")), &[]), 0);
    let dated = with(ESTIMATES, &entry("  until: 2026-05-01\n"));
    let on = |day: &str| {
        let seconds = chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").unwrap();
        let seconds = seconds.and_hms_opt(12, 0, 0).unwrap().and_utc().timestamp().to_string();
        let run = claim_audit()
            .args(["--format", "json"])
            .env("SOURCE_DATE_EPOCH", seconds)
            .current_dir(dated.path())
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&run.stdout).unwrap();
        (run.status.code(), report["caveats"][0]["code"].as_str().map(str::to_owned))
    };
    assert_eq!(on("2026-05-01"), (Some(0), None));
    assert_eq!(on("2026-05-02"), (Some(1), Some("expired-suppression".to_owned())));
    let other = with(ESTIMATES, &entry("  checks: [second-hand]\n"));
    assert_eq!(status(&other, &[]), 1);
    assert_eq!(caveats(&other, &[]), ["unused-suppression"]);
    let gone = with("Nothing here.\n", &entry(""));
    assert_eq!(caveats(&gone, &[]), ["unused-suppression"]);
}

#[test]
fn a_suppressed_lead_is_listed_and_never_called_evidence() {
    let repo = build::repository(&story::named("ignored-comment"));
    let report = json(&repo, &[]);
    assert_eq!(report["claims"][1]["verdict"], "lead_only");
    assert_eq!(report["claims"][1]["suppression"]["by"], "comment");
    assert_eq!(report["summary"]["evidence"], 1);
    assert_eq!(report["summary"]["suppressed"], 1);
    let said = text(&run(&repo, &["--format", "markdown"]).stdout);
    assert!(said.contains("ordered for May"), "{said}");
    let said = text(&run(&repo, &[]).stdout);
    assert!(said.contains("suppressed"), "{said}");
}

#[test]
fn a_baseline_holds_what_was_there_and_nothing_new() {
    let repo = build::repository(&story::named("three-cards"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("leads.jsonl");
    let path = file.to_str().unwrap();
    let written = run(&repo, &["--write-baseline", path]);
    assert_eq!((written.status.code(), written.stdout.len()), (Some(0), 0));
    let baseline = fs::read_to_string(&file).unwrap();
    assert_eq!(baseline.lines().count(), 3, "{baseline}");
    assert!(!baseline.contains("2026-") && !baseline.contains("RESULTS"), "{baseline}");
    assert_eq!(status(&repo, &["--baseline", path]), 0);

    // Lines move, a table is re-aligned: the same bytes.
    let told = story::named("three-cards");
    let moved: String = repo.head()["RESULTS.md"].replace("| ", "|  ");
    let longer = build::repository(&told.then(Commit {
        message: "Tidy up".to_owned(),
        write: [("RESULTS.md".to_owned(), format!("Preface.\n\n{moved}"))].into(),
        ..Commit::default()
    }));
    assert_eq!(status(&longer, &["--baseline", path]), 0);
    run(&longer, &["--write-baseline", path]);
    assert_eq!(fs::read_to_string(&file).unwrap(), baseline);

    let new = build::repository(&told.then(Commit {
        message: "A guess".to_owned(),
        write: [("MORE.md".to_owned(), ESTIMATES.to_owned())].into(),
        ..Commit::default()
    }));
    assert_eq!(status(&new, &["--baseline", path]), 1);
    let clean = with("Nothing here.\n", "");
    assert_eq!(caveats(&clean, &["--baseline", path]), ["unused-suppression"]);
    fs::write(&file, "{}\n").unwrap();
    refuses(&run(&repo, &["--baseline", path]), "not a baseline");
}

#[test]
fn what_is_in_force_can_be_printed_and_used() {
    let repo = with(ESTIMATES, "checks: {estimate: false}\nfail_on: never\n");
    let output = run(&repo, &["--print-config", "--exclude", "old/**", "--min-confidence", "low"]);
    assert_eq!(output.status.code(), Some(0));
    let printed = text(&output.stdout);
    assert!(printed.starts_with("# .claim-audit.yml at "), "{printed}");
    for line in [
        "  - old/**",
        "  estimate: false",
        "  second-hand: true",
        "min_confidence: low",
        "fail_on: never",
    ] {
        assert!(printed.lines().any(|it| it == line), "no {line:?} in\n{printed}");
    }
    let again = with(ESTIMATES, &printed);
    let output = text(&run(&again, &["--print-config"]).stdout);
    let body = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(body(&output), body(&printed));
}

#[test]
fn a_commit_with_the_printed_trailer_clears_the_lead() {
    let told = story::named("three-cards");
    let repo = build::repository(&told);
    let leads = json(&repo, &[]);
    let leads: Vec<&Value> = leads["claims"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|claim| claim["verdict"] == "lead_only")
        .collect();
    assert_eq!(leads.len(), 2);
    let then = |outcome: &[&str]| {
        let mut message = "Run both again with the switch off\n\n".to_owned();
        for lead in &leads {
            let id = lead["id"].as_str().unwrap();
            let at = &lead["location"];
            let place = format!("{}:{}", at["path"].as_str().unwrap(), at["start_line"]);
            let printed =
                |claim: &str| text(&run(&repo, &[&["--retest", claim], outcome].concat()).stdout);
            assert_eq!(printed(id), printed(&place));
            let words = outcome.last().map_or_else(String::new, |it| format!(" {it}"));
            assert!(printed(id).starts_with(&format!("Retest: {id}{words} (")), "{}", printed(id));
            message.push_str(&printed(id));
        }
        build::repository(&told.then(Commit { message, ..Commit::default() }))
    };
    assert_eq!(status(&then(&[]), &[]), 0);
    assert_eq!(status(&then(&["--outcome", "pass"]), &[]), 0);
    let failed = then(&["--outcome", "fail"]);
    assert_eq!(status(&failed, &[]), 1, "what did not hold is no evidence while it stands there");
    refuses(&run(&repo, &["--retest", "c-00000000"]), "no claim `c-00000000`");
    assert_eq!(status(&repo, &["--outcome", "pass"]), 2, "an outcome of what?");
}

#[test]
fn completions_and_the_manual_page_name_the_options() {
    let print = |args: &[&str]| {
        let output = claim_audit().args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        text(&output.stdout)
    };
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(print(&["--completions", shell]).contains("print-config"), "{shell}");
    }
    let page = print(&["--man"]);
    assert!(page.starts_with(".ie") && page.contains(".TH claim-audit 1"), "{page}");
    assert!(page.contains("\\-\\-print\\-config"), "{page}");
}

/// Renewed by `cargo run --example schemas`.
#[test]
fn the_schema_of_the_file_is_that_of_the_types() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("claim-audit.schema.json");
    let stored = fs::read_to_string(file).unwrap_or_default();
    assert!(
        stored == claim_audit::config::schema().unwrap(),
        "renew it: see the comment on this test"
    );
}

fn story(readme: &str, config: &str) -> Story {
    let mut story = story::named("ignored-comment");
    story.commits.truncate(1);
    story.commits[0].write = [("README.md".to_owned(), readme.to_owned())].into();
    if !config.is_empty() {
        story.commits[0].write.insert(".claim-audit.yml".to_owned(), config.to_owned());
    }
    story
}

fn with(readme: &str, config: &str) -> Built {
    build::repository(&story(readme, config))
}

fn run(repo: &Built, args: &[&str]) -> Output {
    claim_audit().args(args).current_dir(repo.path()).output().unwrap()
}

fn status(repo: &Built, args: &[&str]) -> i32 {
    run(repo, args).status.code().unwrap()
}

fn json(repo: &Built, args: &[&str]) -> Value {
    let output = run(repo, &[args, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

fn caveats(repo: &Built, args: &[&str]) -> Vec<String> {
    let report = json(repo, args);
    let all = report["caveats"].as_array().unwrap().iter();
    all.map(|it| it["code"].as_str().unwrap().to_owned()).collect()
}

fn refuses(output: &Output, words: &str) {
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains(words), "no {words:?} in {stderr}");
    assert!(stderr.contains("\nhelp: "), "no way out in {stderr}");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
