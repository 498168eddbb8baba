//! Difficult repositories: each is audited, refused or audited with a caveat, as its case expects.
//!
//! `testdata/torture/make.py` builds them with Python and git and writes beside each what is expected;
//! where either is missing, nothing is tested. They are built once for each version of that file.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "torture/case.rs"]
mod case;
#[path = "torture/judge.rs"]
mod judge;
#[path = "torture/run.rs"]
mod run;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use case::Case;

/// Takes minutes without optimisation: run by `cargo test --release`, or by name.
const LONG: &[&str] = &["linear-20k"];

/// `TORTURE=NAME,NAME` runs those cases alone.
#[expect(clippy::disallowed_methods, reason = "a test may be told what to do")]
fn only() -> String {
    std::env::var("TORTURE").unwrap_or_default()
}

#[test]
fn every_case_is_answered_as_expected() {
    let Some(folder) = cases() else {
        println!("no Python 3 or no git here: nothing tested");
        return;
    };
    let only = only();
    let wanted = |case: &Case| {
        let long = cfg!(debug_assertions) && LONG.contains(&case.name.as_str());
        match only.as_str() {
            "" => !long,
            only => only.split(',').any(|name| name == case.name),
        }
    };
    let cases: Vec<Case> = case::all(&folder).into_iter().filter(wanted).collect();
    assert!(cases.len() > 250 || !only.is_empty(), "only {} cases", cases.len());

    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    let told = judge::Told::default();
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = judge::judge(&folder, case, &told);
                    rows.lock().unwrap().push((&case.name, case, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap();
    rows.sort_by_key(|(name, _, _)| *name);
    let mut table = String::from("case\texpected\tseen\tseconds\n");
    let mut failures = Vec::new();
    for (name, case, row) in &rows {
        table += &format!("{name}\t{}\t{}\t{:.1}\n", case.expected(), row.seen, row.seconds);
        if !row.problems.is_empty() {
            failures.push(format!("{name}: {}\n    {}", case.what, row.problems.join("\n    ")));
        }
    }
    let seen = folder.with_extension("tsv");
    fs::write(&seen, table).unwrap();
    assert!(
        failures.is_empty(),
        "{} of {} cases fail; {} lists all\n\n{}\n",
        failures.len(),
        rows.len(),
        seen.display(),
        failures.join("\n")
    );
}

/// The folder of the cases, built if they are not there; `None` where that is not possible.
fn cases() -> Option<PathBuf> {
    let maker = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/torture/make.py");
    for program in ["python3", "git"] {
        let found = Command::new(program).arg("--version").stdout(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            return None;
        }
    }
    let version = xxhash_rust::xxh3::xxh3_64(&fs::read(&maker).unwrap());
    let root = if rights() { "-root" } else { "" };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("torture-{version:x}{root}"));
    let done = folder.join("done");
    if !done.exists() {
        let jobs = std::thread::available_parallelism().map_or(2, usize::from).to_string();
        let status =
            Command::new("python3").arg(&maker).args(["--jobs", &jobs]).arg(&folder).status();
        assert!(status.unwrap().success(), "some cases could not be built");
        fs::write(done, "").unwrap();
    }
    Some(folder)
}

/// Whether this runs as root: some cases need files of other users, which only root can make.
fn rights() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}
