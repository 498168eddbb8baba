//! Several repositories in one run, and repositories that have to be cloned first.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::ffi::OsStr;
use std::fs;
use std::process::Output;

use git2::Repository;
use serde_json::Value;
use support::audit::claim_audit;
use support::build::{self, Built};
use support::story;

#[test]
fn each_is_a_line_and_one_that_fails_stops_none() {
    let (leads, clean) = (built("three-cards"), built("three-cards-retested"));
    let none = leads.path().join("no-such-folder");
    let named = [leads.path(), &none, clean.path()];
    for jobs in ["1", "3"] {
        let done =
            run(named.iter().map(OsStr::new).chain(words(&["--format", "json", "--jobs", jobs])));
        assert_eq!(done.status.code(), Some(2));
        let schema = fs::read_to_string("docs/report-of-several.schema.json").unwrap();
        let schema = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
        let lines: Vec<Value> =
            text(&done.stdout).lines().map(|it| serde_json::from_str(it).unwrap()).collect();
        assert_eq!(lines.len(), 3);
        for (line, named) in lines.iter().zip(named) {
            assert!(schema.is_valid(line), "{line}");
            assert_eq!(line["repository"]["path"], named.to_str().unwrap());
        }
        assert_eq!(lines[0]["summary"]["lead_only"], 2);
        assert!(lines[1]["error"].as_str().unwrap().contains("no-such-folder"), "{}", lines[1]);
        assert_eq!(lines[2]["summary"]["lead_only"], 0);
        let said = text(&done.stderr);
        assert!(said.starts_with("error: ") && said.contains("no-such-folder"), "{said}");
    }
}

#[test]
fn people_read_one_report_after_the_other_and_a_sum() {
    let (leads, clean) = (built("three-cards"), built("three-cards-retested"));
    let done = run([leads.path(), clean.path()]);
    assert_eq!(done.status.code(), Some(1));
    let said = text(&done.stdout);
    let at = |words: &str| said.find(words).unwrap_or_else(|| panic!("no {words:?} in {said}"));
    let heading = |repo: &Built| format!("== {}\n", repo.path().display());
    assert!(at(&heading(&leads)) < at("predates-pitfall"));
    assert!(at("predates-pitfall") < at(&heading(&clean)));
    assert!(said.ends_with("2 repositories: 1 with leads, 1 without\n"), "{said}");
    assert_eq!(run([clean.path(), clean.path()]).status.code(), Some(0));

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.txt");
    let words =
        [OsStr::new("--output"), file.as_os_str(), leads.path().as_ref(), clean.path().as_ref()];
    let written = run(words);
    assert_eq!((written.status.code(), text(&written.stdout)), (Some(1), String::new()));
    assert_eq!(fs::read_to_string(&file).unwrap(), said);
}

#[test]
fn a_list_names_them() {
    let leads = built("three-cards");
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("repos.txt");
    let path = leads.path().display();
    fs::write(&list, format!("# ours\n\n  {path}\n{path}\n")).unwrap();
    let words = [OsStr::new("--repos"), list.as_os_str(), OsStr::new("--format=json")];
    let done = run(words);
    assert_eq!((done.status.code(), text(&done.stdout).lines().count()), (Some(1), 2));
    let piped = assert_cmd::Command::from_std(claim_audit())
        .args(["--repos", "-", "--format=json"])
        .write_stdin(format!("{path}\n"))
        .output()
        .unwrap();
    let first = text(&done.stdout).lines().next().map(|line| format!("{line}\n"));
    assert_eq!(Some(text(&piped.stdout)), first);
    fs::write(&list, "# none yet\n").unwrap();
    let empty = run(words);
    assert_eq!(empty.status.code(), Some(2));
    assert!(text(&empty.stderr).contains("names no repository"));
}

#[test]
fn what_is_about_one_repository_is_refused_for_several() {
    for option in [
        "--format=sarif",
        "--claim=a.md:1",
        "--retest=a.md:1",
        "--print-config",
        "--explain-line=a.md:1",
    ] {
        let done = run(["a", "b", option]);
        assert_eq!(done.status.code(), Some(2), "{option}");
        assert!(text(&done.stderr).contains("several"), "{}", text(&done.stderr));
    }
}

#[test]
fn an_address_is_cloned_audited_and_removed() {
    let repo = built("three-cards");
    let room = tempfile::tempdir().unwrap();
    let address = format!("file://{}", repo.path().display());
    let done = claim_audit()
        .args([&address, "--format=json"])
        .env("TMPDIR", room.path())
        .env("GIT_DIR", "/nowhere/that/a/hook/runs")
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(report["repository"]["path"], address);
    assert_eq!(report["summary"]["lead_only"], 2);
    assert_eq!(fs::read_dir(room.path()).unwrap().count(), 0, "the clone is gone");

    let wrong = run(["https://me:secret@localhost:1/a"]);
    assert_eq!(wrong.status.code(), Some(2));
    let said = text(&wrong.stderr);
    assert!(said.contains("git cannot clone https://localhost:1/a"), "{said}");
    assert!(!said.contains("secret"), "{said}");
}

#[test]
fn a_kept_clone_follows_its_origin() {
    let repo = built("three-cards");
    let origin = Repository::open(repo.path()).unwrap();
    let cache = tempfile::tempdir().unwrap();
    let address = format!("file://{}", repo.path().display());
    let revision = || {
        let words = [&address, "--clone-cache", cache.path().to_str().unwrap(), "--format=json"];
        let done = run(words);
        assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
        let report: Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 1);
        report["repository"]["rev"].as_str().unwrap().to_owned()
    };
    let head = || origin.head().unwrap().peel_to_commit().unwrap();
    assert_eq!(revision(), head().id().to_string());
    // Another branch becomes the default one, and gets a commit more.
    origin.branch("trunk", &head(), false).unwrap();
    origin.set_head("refs/heads/trunk").unwrap();
    let (tree, who) = (head().tree().unwrap(), head().author().to_owned());
    origin.commit(Some("HEAD"), &who, &who, "Nothing new", &tree, &[&head()]).unwrap();
    assert_eq!(revision(), head().id().to_string());
}

fn built(name: &str) -> Built {
    build::repository(&story::named(name))
}

fn words<'a>(words: &'a [&'a str]) -> impl Iterator<Item = &'a OsStr> {
    words.iter().map(OsStr::new)
}

fn run(words: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    claim_audit().args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
