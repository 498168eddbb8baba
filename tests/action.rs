//! The GitHub Action's steps as a runner starts them: a clone with a pull request's branch, and a `gh`
//! that writes down what it is asked.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use support::audit::sealed;
use support::build;
use support::story;
use tempfile::TempDir;

/// Answers with `$GH_KNOWN` when comments are listed, fails with `$GH_STATUS`.
const GH: &str = r#"#!/usr/bin/env bash
for word in "$@"; do printf '%s\n' "$word"; done >>"$GH_LOG"
echo . >>"$GH_LOG"
[ "${GH_STATUS:-0}" = 0 ] || { echo "Resource not accessible by integration" >&2; exit "$GH_STATUS"; }
case "$*" in *--paginate*) printf '%s' "${GH_KNOWN:-}" ;; esac
"#;

struct Runner {
    folder: TempDir,
}

impl Runner {
    /// A checkout with full history of the second change of the story; `main` is before it.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repo = build::repository(&story::named("three-changes"));
        let [base, head] = [repo.commits[1], repo.commits[2]].map(|oid| oid.to_string());
        let bare = folder.path().join("bare.git");
        let runner = Self { folder };
        let source = repo.path().to_str().unwrap();
        runner.git(&["clone", "--quiet", "--bare", source, bare.to_str().unwrap()]);
        let inside = ["--git-dir", bare.to_str().unwrap()];
        runner.git(&[&inside[..], &["update-ref", "refs/heads/main", &base]].concat());
        runner.git(&[&inside[..], &["update-ref", "refs/pull/7/merge", &head]].concat());
        runner.checkout(&[]);
        let bin = runner.path("bin");
        fs::create_dir(&bin).unwrap();
        fs::write(bin.join("gh"), GH).unwrap();
        fs::set_permissions(bin.join("gh"), fs::Permissions::from_mode(0o755)).unwrap();
        runner
    }

    fn checkout(&self, args: &[&str]) {
        let (url, work) =
            (format!("file://{}", self.path("bare.git").display()), self.path("work"));
        let _ = fs::remove_dir_all(&work);
        let work = work.to_str().unwrap();
        self.git(&[&["clone", "--quiet"], args, &[&url, work]].concat());
        let inside = ["-C", work];
        let depth = if args.is_empty() { "--depth=2147483647" } else { "--depth=1" };
        self.git(
            &[&inside[..], &["fetch", "--quiet", depth, "origin", "refs/pull/7/merge"]].concat(),
        );
        self.git(&[&inside[..], &["checkout", "--quiet", "FETCH_HEAD"]].concat());
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn git(&self, args: &[&str]) {
        let output = sealed("git").args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    }

    fn audit(&self, vars: &[(&str, &str)]) -> Output {
        for file in ["gh.log", "output", "summary"] {
            fs::write(self.path(file), "").unwrap();
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("action/audit.sh");
        let mut command = sealed("bash");
        let path = command.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, it)| it);
        let path = format!("{}:{}", self.path("bin").display(), path.unwrap().to_string_lossy());
        command
            .arg(script)
            .current_dir(self.path("work"))
            .env("PATH", path)
            .env("CLAIM_AUDIT", env!("CARGO_BIN_EXE_claim-audit"))
            .env("GITHUB_REPOSITORY", "heron/bench")
            .env("GITHUB_REF", "refs/pull/7/merge")
            .env("GITHUB_BASE_REF", "main")
            .env("GITHUB_OUTPUT", self.path("output"))
            .env("GITHUB_STEP_SUMMARY", self.path("summary"))
            .env("RUNNER_TEMP", self.folder.path())
            .env("GH_LOG", self.path("gh.log"))
            .envs(vars.iter().copied())
            .output()
            .unwrap()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The words of each call of `gh`.
    fn calls(&self) -> Vec<Vec<String>> {
        let log = self.read("gh.log");
        let calls = log.split("\n.\n").filter(|call| !call.is_empty());
        calls.map(|call| call.lines().map(str::to_owned).collect()).collect()
    }
}

#[test]
fn the_first_run_writes_a_comment_and_the_next_edits_it() {
    let runner = Runner::new();
    let output = runner.audit(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let calls = runner.calls();
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(calls[0].contains(&"repos/heron/bench/issues/7/comments?per_page=100".to_owned()));
    assert_eq!(calls[1][..4], ["api", "--silent", "--method", "POST"]);
    assert_eq!(calls[1][4], "repos/heron/bench/issues/7/comments");
    let body = calls[1][6].strip_prefix("body=@").unwrap();
    let body = fs::read_to_string(body).unwrap();
    assert!(
        body.starts_with("<!-- claim-audit -->\n### This change: one claim turned into a lead")
    );
    assert_eq!(runner.read("summary"), body);
    assert!(runner.read("output").contains("leads=true\n"));

    let output = runner.audit(&[("GH_KNOWN", "4711\n4712\n"), ("INPUT_FAIL_ON", "never")]);
    assert_eq!(output.status.code(), Some(0));
    let calls = runner.calls();
    assert_eq!(
        calls[1][..5],
        ["api", "--silent", "--method", "PATCH", "repos/heron/bench/issues/comments/4711"]
    );
}

#[test]
fn without_permission_there_are_annotations() {
    let runner = Runner::new();
    let output = runner.audit(&[("GH_STATUS", "1")]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    assert!(said.contains("::notice title=claim-audit::no comment"), "{said}");
    assert!(said.contains("::warning "), "{said}");
    assert!(runner.read("summary").contains("RESULTS.md:5"));
}

#[test]
fn a_change_that_does_nothing_leaves_no_comment() {
    let runner = Runner::new();
    let output = runner.audit(&[("INPUT_BASE", "HEAD")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert_eq!(runner.calls().len(), 1, "only asked");
    assert!(runner.read("output").contains("leads=false\n"));
    let output = runner.audit(&[("INPUT_BASE", "HEAD"), ("GH_KNOWN", "4711")]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(runner.calls().len(), 2, "an old comment is brought up to date");
}

#[test]
fn code_scanning_is_not_told_of_what_is_suppressed() {
    let runner = Runner::new();
    let results = |args: &str| {
        let vars = [("GITHUB_BASE_REF", ""), ("INPUT_SARIF", "all.sarif"), ("INPUT_ARGS", args)];
        let output = runner.audit(&vars);
        assert!(output.status.code().unwrap() < 2, "{}", text(&output.stdout));
        let sarif: serde_json::Value =
            serde_json::from_str(&runner.read("work/all.sarif")).unwrap();
        sarif["runs"][0]["results"].as_array().unwrap().clone()
    };
    let all = results("");
    let known = all[0]["partialFingerprints"]["claimAudit/v1"].as_str().unwrap();
    let config = format!("ignore: [{{claim: {known}, reason: the run is booked}}]\n");
    fs::write(runner.path("known.yml"), config).unwrap();
    let open = results(&format!("--config {}", runner.path("known.yml").display()));
    assert_eq!(open, all[1..]);
}

#[test]
fn a_shallow_checkout_is_refused_with_the_fix() {
    let runner = Runner::new();
    runner.checkout(&["--depth", "1"]);
    let output = runner.audit(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("fetch-depth: 0"), "{}", text(&output.stdout));
    assert!(runner.calls().is_empty());

    let runner = Runner::new();
    let output = runner.audit(&[("GITHUB_BASE_REF", "no-such")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("origin/no-such"), "{}", text(&output.stdout));
}

#[test]
fn names_of_branches_and_options_stay_words() {
    let runner = Runner::new();
    let marker = runner.path("owned");
    let evil = format!("main$(touch {0})`touch {0}`", marker.display());
    let output = runner.audit(&[("GITHUB_BASE_REF", &evil)]);
    assert_eq!(output.status.code(), Some(2));
    let output = runner.audit(&[(
        "INPUT_ARGS",
        &format!("--no-check predates-pitfall $(touch {})", marker.display()),
    )]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(!marker.exists());
    let output = runner.audit(&[("INPUT_ARGS", "--no-check predates-pitfall")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
