//! Pull-request mode as a user meets it: what a change did, and nothing else.
//!
//! `UPDATE_REPORTS=1` writes the expected reports anew: read the difference before committing it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::fs;
use std::path::Path;
use std::process::Output;
use std::sync::LazyLock;

use claim_audit::compare::{Comparison, compare};
use claim_audit::history::{self, NoProgress, Repository};
use claim_audit::rules::RuleSet;
use claim_audit::verdict::Audit;
use claim_audit::{Change, Options, checks};
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
        let output = changed(&repo, base, head, &["--format", "markdown"]);
        assert_eq!(output.status.code(), Some(status), "change {change}");
        expect(&format!("three-changes/{change}.md"), &output.stdout);
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

/// Moving documents is no change to tell of.
#[test]
fn a_change_of_places_makes_no_lead() {
    each_story(|story| {
        let built = build::repository(story);
        let moves = built.head().keys().filter(|path| path.ends_with(".md"));
        let moves = moves.map(|path| (path.clone(), format!("moved/{path}"))).collect();
        let longer =
            story.then(Commit { message: "Tidy up".to_owned(), moves, ..Commit::default() });
        let built = build::repository(&longer);
        let [.., base, head] = built.commits[..] else { return Ok(()) };
        let Change { before, after } = audits(&built, base, head)?;
        let Comparison { new_leads, turned, cleared, lapsed, .. } = compare(&before, &after);
        let quiet = [new_leads, turned, cleared, lapsed].iter().all(Vec::is_empty);
        if quiet { Ok(()) } else { Err(format!("{:?}", compare(&before, &after))) }
    });
}

/// One walk serves both audits, so the one before must be what a walk from there would have given.
#[test]
fn the_audit_before_a_change_is_the_audit_of_its_base() {
    each_story(|story: &Story| {
        let built = build::repository(story);
        let repo = Repository::open(built.path()).unwrap();
        let head = *built.commits.last().unwrap();
        // Commits that a story cuts off are not there.
        for base in built.commits.iter().filter(|base| repo.resolve(&base.to_string()).is_ok()) {
            let Ok(Change { before, .. }) = audits(&built, *base, head) else { continue };
            let alone = with_options(&built, &before.rev.to_string(), |repo, options| {
                claim_audit::audit(repo, options, &RULES, checks::ALL, &NoProgress)
            });
            if before.documents == 0 && alone.is_err() {
                // Nothing to audit, but something to compare with.
                continue;
            }
            // What could not be seen was looked for from the head.
            let alone = Audit { caveats: before.caveats.clone(), ..alone? };
            if alone != before {
                return Err(format!("another audit at {base}"));
            }
        }
        Ok(())
    });
}

static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::built_in().unwrap());

/// The audits before and after a change, without the program around them.
fn audits(built: &Built, base: Oid, head: Oid) -> Result<Change, String> {
    with_options(built, &head.to_string(), |repo, options| {
        let base = repo.resolve(&base.to_string())?;
        claim_audit::audit_change(repo, base, options, &RULES, checks::ALL, &NoProgress)
    })
}

fn with_options<T>(
    built: &Built,
    rev: &str,
    audit: impl FnOnce(&Repository, &Options<'_>) -> Result<T, history::Error>,
) -> Result<T, String> {
    let repo = Repository::open(built.path()).unwrap();
    let options = Options { allow_shallow: true, ..Options::new(repo.resolve(rev).unwrap()) };
    audit(&repo, &options).map_err(|error| error.to_string())
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

/// Compares with a file of `testdata/reports`, byte for byte; versions have names there.
#[expect(clippy::disallowed_methods, reason = "a developer's switch, as for golden documents")]
fn expect(name: &str, bytes: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/reports").join(name);
    let found = String::from_utf8(bytes.to_vec()).unwrap();
    let rules: Vec<_> =
        RULES.packs().iter().map(|it| format!("{}@{}", it.id, it.version)).collect();
    let found =
        found.replace(env!("CARGO_PKG_VERSION"), "VERSION").replace(&rules.join(", "), "PACKS");
    if std::env::var_os("UPDATE_REPORTS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{name} is not as expected; found\n{found}");
}
