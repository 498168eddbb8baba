//! Pull-request mode as a user meets it: what a change did, and nothing else.
//!
//! `UPDATE_REPORTS=1` writes the expected reports anew: read the difference before committing it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::fs;
use std::path::Path;
use std::process::Output;

use claim_audit::history::{NoProgress, Repository};
use claim_audit::rules::RuleSet;
use claim_audit::{Globs, Options, checks};
use git2::Oid;
use serde_json::Value;
use support::audit::claim_audit;
use support::build::{self, Built};
use support::each_story;
use support::story::{self, Commit, Story};

/// Claims; a pull request that adds a pitfall; a pull request that retests.
#[test]
fn three_changes_give_three_reports() {
    let repo = build::repository(&story::named("three-changes"));
    for (change, status) in [(1, 1), (2, 1), (3, 0)] {
        let [base, head] = [repo.commits[change - 1], repo.commits[change]];
        for (format, extension) in [("text", "txt"), ("markdown", "md")] {
            let output = changed(&repo, base, head, &["--format", format]);
            assert_eq!(output.status.code(), Some(status), "change {change} as {format}");
            expect(&format!("three-changes/{change}.{extension}"), &output.stdout);
        }
    }
}

#[test]
fn only_what_the_branch_did_counts_however_far_the_base_went_on() {
    let told = story::named("three-changes");
    // The ban and further leads stand on the base branch; the change itself is a typo.
    let mut story = told.clone();
    story.commits.truncate(3);
    story.commits.push(Commit {
        at: told.commits[3].at,
        message: "Say where".to_owned(),
        parents: Some(vec![2]),
        write: [("README.md".to_owned(), "# Kestrel bench\n\nNotes of runs.\n".to_owned())].into(),
        ..Commit::default()
    });
    let repo = build::repository(&story);
    let output = changed(&repo, repo.commits[2], repo.commits[3], &["--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let report = json(&output);
    assert_eq!(report["change"]["base"], repo.commits[1].to_string());
    assert_eq!(report["claims"], Value::Array(Vec::new()));
    assert_eq!(report["change"]["untouched_leads"], 1);

    let output = changed(&repo, repo.commits[3], repo.commits[2], &["--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "the other way round the ban is the change");
    assert_eq!(json(&output)["change"]["turned"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_pitfall_that_is_taken_away_is_no_test() {
    let told = story::named("three-changes");
    let mut story = told.clone();
    story.commits.truncate(3);
    let story = story.then(Commit {
        message: "Tidy up".to_owned(),
        delete: vec!["PITFALLS.md".to_owned()],
        ..Commit::default()
    });
    let repo = build::repository(&story);
    let output = changed(&repo, repo.commits[2], repo.commits[3], &["--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let change = &json(&output)["change"];
    assert_eq!(change["lapsed"].as_array().map(Vec::len), Some(1), "{change}");
    assert_eq!(change["cleared"], Value::Array(Vec::new()));
}

#[test]
fn a_base_that_contains_the_commit_is_answered() {
    let repo = build::repository(&story::named("three-changes"));
    for base in [repo.commits[2], repo.commits[3]] {
        let output = changed(&repo, base, repo.commits[2], &["--format", "json"]);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(json(&output)["caveats"][0]["code"], "no-change");
    }
    let output = claim_audit().args(["--base", "no-such"]).arg(repo.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no commit `no-such`"));
}

/// Rewording, moving and reformatting is no change to tell of.
#[test]
fn a_change_of_words_and_places_makes_no_lead() {
    each_story(|story| {
        let built = build::repository(story);
        let moves = built.head().keys().filter(|path| path.ends_with(".md"));
        let moves = moves.map(|path| (path.clone(), format!("moved/{path}"))).collect();
        let longer =
            story.then(Commit { message: "Tidy up".to_owned(), moves, ..Commit::default() });
        let repo = build::repository(&longer);
        let [.., base, head] = repo.commits[..] else { return Ok(()) };
        let args: Vec<&str> = story.args.iter().map(String::as_str).collect();
        let output = changed(&repo, base, head, &[&args[..], &["--format", "json"]].concat());
        let change = &json(&output)["change"];
        let lists = ["new_leads", "turned", "cleared", "lapsed"];
        let quiet = lists.iter().all(|list| change[list].as_array().is_some_and(Vec::is_empty));
        if quiet { Ok(()) } else { Err(format!("{change:#}")) }
    });
}

/// One walk serves both audits, so the one before must be what a walk from there would have given.
#[test]
fn the_audit_before_a_change_is_the_audit_of_its_base() {
    let rules = RuleSet::built_in().unwrap();
    each_story(|story: &Story| {
        let built = build::repository(story);
        let repo = Repository::open(built.path()).unwrap();
        let globs = Globs::default();
        let at = |rev: &Oid| repo.resolve(&rev.to_string());
        let head = Options {
            rev: at(built.commits.last().unwrap()).unwrap(),
            globs: &globs,
            allow_shallow: true,
            jobs: 1,
            threshold: checks::Confidence::Medium,
        };
        // Commits that a story cuts off are not there.
        for base in built.commits.iter().filter_map(|base| at(base).ok()) {
            let all = checks::ALL;
            let change = claim_audit::audit_change(&repo, base, &head, &rules, all, &NoProgress);
            let Ok(change) = change else { continue };
            let alone = Options { rev: change.before.rev, ..head };
            let alone = claim_audit::audit(&repo, &alone, &rules, all, &NoProgress);
            if change.before.documents == 0 && alone.is_err() {
                // Nothing to audit, but something to compare with.
                continue;
            }
            let mut alone = alone.map_err(|error| error.to_string())?;
            // What could not be seen was looked for from the head.
            alone.caveats.clone_from(&change.before.caveats);
            if alone != change.before {
                return Err(format!("another audit at {base}"));
            }
        }
        Ok(())
    });
}

fn changed(repo: &Built, base: Oid, head: Oid, args: &[&str]) -> Output {
    claim_audit()
        .args(["--base", &base.to_string(), "--rev", &head.to_string()])
        .args(args)
        .current_dir(repo.path())
        .output()
        .unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// Compares with a file of `testdata/reports`, byte for byte; the version stands as in the file.
#[expect(clippy::disallowed_methods, reason = "a developer's switch, as for golden documents")]
fn expect(name: &str, bytes: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/reports").join(name);
    let found = String::from_utf8(bytes.to_vec()).unwrap();
    let found = found.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    if std::env::var_os("UPDATE_REPORTS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{name} is not as expected; found\n{found}");
}
