//! What a run meets besides the repository: pipes, disks, signals, locales, other processes.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use support::audit::claim_audit;
use support::build::{self, Built};
use support::story;

fn leads() -> Built {
    build::repository(&story::named("three-cards"))
}

/// Runs a line of shell in which `$AUDIT` is the program and `$REPO` the repository.
fn shell(repo: &Built, folder: &Path, line: &str) -> Output {
    let mut command = Command::new("sh");
    command.env("AUDIT", env!("CARGO_BIN_EXE_claim-audit")).env("REPO", repo.path());
    command.env("HOME", "/nonexistent").env_remove("XDG_CACHE_HOME");
    command.current_dir(folder).args(["-c", line]);
    command.stdin(Stdio::null()).output().unwrap()
}

#[test]
fn whoever_closes_the_pipe_changes_nothing_about_what_was_found() {
    let repo = leads();
    for format in ["text", "json"] {
        let mut command = claim_audit();
        command.args(["--format", format]).arg(repo.path());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        assert_eq!(done.status.code(), Some(1), "{format}");
        assert!(done.stderr.is_empty(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let folder = tempfile::tempdir().unwrap();
    for closed in [">&-", "2>&-", ">&- 2>&-", "<&-"] {
        let done = shell(&repo, folder.path(), &format!("\"$AUDIT\" \"$REPO\" {closed}"));
        assert_eq!(done.status.code(), Some(1), "{closed}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_and_leaves_what_was_there() {
    let repo = leads();
    let folder = tempfile::tempdir().unwrap();
    for line in ["\"$AUDIT\" \"$REPO\" > /dev/full", "\"$AUDIT\" --output /dev/full \"$REPO\""] {
        let done = shell(&repo, folder.path(), line);
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{line}");
        assert!(said.starts_with("error: cannot write the report"), "{said}");
    }
    let report = folder.path().join("report.txt");
    fs::write(&report, "before").unwrap();
    // No file may grow at all, which is what a disk without room says too.
    let line = "trap '' XFSZ; ulimit -f 0; exec \"$AUDIT\" --output report.txt \"$REPO\"";
    let done = shell(&repo, folder.path(), line);
    assert_eq!(done.status.code(), Some(2));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("unchanged"), "{said}");
    assert_eq!(fs::read_to_string(&report).unwrap(), "before");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left lying about");
}

#[test]
fn an_end_at_any_time_leaves_a_whole_report() {
    let repo = leads();
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.json");
    let run = || {
        let mut command = claim_audit();
        command.args(["--format", "json", "--output"]).arg(&report).arg(repo.path());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    run().wait().unwrap();
    let whole = fs::read_to_string(&report).unwrap();
    for wait in [0, 1, 3, 10, 30, 60, 100, 150, 200] {
        fs::write(&report, "before").unwrap();
        let mut child = run();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        let left = fs::read_to_string(&report).unwrap();
        assert!(left == "before" || left == whole, "{left}");
    }
}

#[test]
fn home_locale_and_time_zone_change_nothing() {
    let repo = leads();
    let folder = tempfile::tempdir().unwrap();
    let run = |change: &dyn Fn(&mut Command)| {
        let mut command = claim_audit();
        command.current_dir(folder.path()).args(["--format", "json"]).arg(repo.path());
        change(&mut command);
        command.output().unwrap()
    };
    let usual = run(&|_| {});
    assert_eq!(usual.status.code(), Some(1));
    let variables = [
        ("LC_ALL", "C"),
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LC_ALL", "no such locale"),
        ("LANG", "de_DE.ISO-8859-1"),
        ("TZ", "Pacific/Kiritimati"),
        ("TZ", ":/nowhere"),
        ("HOME", "/nonexistent"),
        ("HOME", ""),
        ("TERM", "no-such-terminal"),
        ("COLUMNS", "-1"),
        ("GIT_DIR", "/nonexistent"),
    ];
    for (name, value) in variables {
        let done = run(&|command| {
            command.env(name, value);
        });
        assert_eq!(done.status.code(), Some(1), "{name}={value}");
        assert_eq!(done.stdout, usual.stdout, "{name}={value}");
    }
    let without_home = run(&|command| {
        command.env_remove("HOME").env_remove("XDG_CONFIG_HOME");
    });
    assert_eq!(without_home.stdout, usual.stdout);
}

#[test]
fn garbage_collection_and_pushes_meanwhile_do_no_harm() {
    let repo = leads();
    let rev = repo.commits.last().unwrap().to_string();
    let audit = || {
        let mut command = claim_audit();
        command.args(["--format", "json", "--rev", &rev]).arg(repo.path());
        command.output().unwrap()
    };
    let quiet = audit();
    assert_eq!(quiet.status.code(), Some(1));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let git = |args: &[&str]| {
                let who = ["-c", "user.name=A. Author", "-c", "user.email=a.author@example.org"];
                let mut command = Command::new("git");
                command.current_dir(repo.path()).args(who).args(args);
                let output = command.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            };
            while !done.load(Ordering::Relaxed) {
                git(&["commit", "--quiet", "--allow-empty", "-m", "Go on"]);
                git(&["gc", "--quiet", "--prune=now"]);
            }
        });
        for _ in 0..8 {
            let busy = audit();
            if busy.stdout != quiet.stdout {
                done.store(true, Ordering::Relaxed);
            }
            assert_eq!(String::from_utf8_lossy(&busy.stderr), "");
            assert!(busy.stdout == quiet.stdout, "{}", String::from_utf8_lossy(&busy.stdout));
        }
        done.store(true, Ordering::Relaxed);
    });
}
