//! What is kept from one audit to the next changes how much is read and nothing else.
//!
//! That a kept reading gives the same bytes is a law of every story, in tests/stories.rs. Here is what
//! can happen to the files.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

use claim_audit::checks;
use claim_audit::history::{Limits, Progress, Repository};
use claim_audit::rules::RuleSet;
use claim_audit::{Cache, Options};
use support::audit::claim_audit;
use support::build::{self, Built};
use support::story::{self, Commit, Story};
use tempfile::TempDir;

static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::built_in().unwrap());

/// More than a test keeps.
const ROOM: u64 = 64 << 20;

/// What an audit said, and how many documents it read for that.
#[derive(Debug, PartialEq)]
struct Seen {
    audit: String,
    read: u64,
    /// Files of trees that were searched.
    files: u64,
    notes: usize,
}

/// Counts the documents that are read and the notes that are given.
#[derive(Default)]
struct Counter(Mutex<(BTreeMap<&'static str, u64>, usize)>);

impl Progress for Counter {
    fn phase(&self, name: &'static str, total: Option<u64>) {
        *self.0.lock().unwrap().0.entry(name).or_default() += total.unwrap_or_default();
    }
    fn advance(&self, _: u64) {}
    fn note(&self, _: &str) {
        self.0.lock().unwrap().1 += 1;
    }
}

fn audit(repo: &Built, cache: Option<&Cache>) -> Seen {
    audit_within(repo, cache, Limits::default())
}

fn audit_within(repo: &Built, cache: Option<&Cache>, limits: Limits) -> Seen {
    let repo = Repository::open(repo.path()).unwrap();
    let threshold = checks::Confidence::Low;
    let rev = repo.resolve("HEAD").unwrap();
    let options = Options { jobs: 2, threshold, limits, cache, ..Options::new(rev) };
    let counter = Counter::default();
    let audit = claim_audit::audit(&repo, &options, &RULES, checks::ALL, &counter).unwrap();
    let (phases, notes) = counter.0.into_inner().unwrap();
    Seen { audit: format!("{audit:?}"), read: phases["documents"], files: phases["files"], notes }
}

fn told() -> Story {
    story::named("three-cards")
}

/// The story with one more version of each Markdown document.
fn told_on() -> (Story, u64) {
    let built = build::repository(&told());
    let documents = built.head().iter().filter(|(path, _)| path.ends_with(".md"));
    let write = documents.map(|(path, text)| {
        (path.clone(), format!("{text}\nFive cards start at batch 8 and crash.\n"))
    });
    let write: Vec<_> = write.collect();
    let count = write.len() as u64;
    let commit = Commit {
        message: "More".to_owned(),
        write: write.into_iter().collect(),
        ..Commit::default()
    };
    (told().then(commit), count)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn only_file(folder: &TempDir) -> PathBuf {
    let files = files(folder.path());
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

#[test]
fn what_was_read_is_not_read_again() {
    let folder = TempDir::new().unwrap();
    let cache = Cache::new(folder.path().into(), 1, ROOM);
    let repo = build::repository(&told());
    let plain = audit(&repo, None);
    assert!(plain.read > 0 && plain.files > 0);
    assert_eq!(audit(&repo, Some(&cache)), plain, "a first audit reads each document once");
    assert_eq!(audit(&repo, Some(&cache)), Seen { read: 0, files: 0, ..plain });

    let (longer, new) = told_on();
    let longer = build::repository(&longer);
    let plain = audit(&longer, None);
    let seen = audit(&longer, Some(&cache));
    let known = Seen { read: new, files: 0, ..plain };
    assert_eq!(seen, known, "only what the new commit wrote is read");
    assert_eq!(audit(&longer, Some(&cache)).read, 0);
}

#[test]
fn a_document_that_is_gone_is_not_known() {
    let folder = TempDir::new().unwrap();
    let cache = Cache::new(folder.path().into(), 1, ROOM);
    let repo = build::repository(&told());
    audit(&repo, Some(&cache));
    let objects = git2::Repository::open(repo.path()).unwrap();
    let head = objects.head().unwrap().peel_to_tree().unwrap();
    let blob = head.iter().find(|entry| entry.name().is_ok_and(|it| it.ends_with(".md"))).unwrap();
    let hex = blob.id().to_string();
    let loose = objects.path().join("objects").join(&hex[..2]).join(&hex[2..]);
    fs::remove_file(loose).unwrap();
    let plain = audit(&repo, None);
    assert!(plain.audit.contains("missing-object"));
    assert_eq!(audit(&repo, Some(&cache)).audit, plain.audit);
}

#[test]
fn damage_costs_time_and_nothing_else() {
    let repo = build::repository(&told());
    let plain = audit(&repo, None);
    let folder = TempDir::new().unwrap();
    let cache = Cache::new(folder.path().into(), 1, ROOM);
    audit(&repo, Some(&cache));
    let file = only_file(&folder);
    let sound = fs::read(&file).unwrap();
    let mut damaged: Vec<Vec<u8>> = Vec::new();
    // Within a record, and all over the file, most of which is room for more.
    let record = record(&file);
    let start = sound.windows(64).position(|bytes| *bytes == record[..64]).unwrap();
    let within = (start..start + record.len()).step_by(record.len() / 12);
    let full: Vec<usize> = (0..sound.len()).filter(|at| sound[*at] != 0).collect();
    let all_over = full.iter().copied().step_by((full.len() / 24).max(1));
    for at in within.clone().chain(all_over) {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x41;
        damaged.push(bytes);
    }
    let mut zeroed = sound.clone();
    zeroed.iter_mut().skip(4096).take(8192).for_each(|byte| *byte = 0);
    damaged.push(zeroed);
    for length in [0, 1, 100, 4096, sound.len() / 2, sound.len() - 1] {
        damaged.push(sound[..length].to_vec());
    }
    damaged.push(b"something else altogether".repeat(1000));
    let mut noticed = 0;
    for (number, bytes) in damaged.iter().enumerate() {
        fs::write(&file, bytes).unwrap();
        let seen = audit(&repo, Some(&cache));
        assert_eq!(seen.audit, plain.audit, "damage number {number}");
        noticed += seen.notes;
        // And the file works again.
        let again = audit(&repo, Some(&cache));
        assert_eq!((again.audit, again.read), (plain.audit.clone(), 0), "damage number {number}");
    }
    assert!(noticed >= within.count(), "{noticed} of {} are told of", damaged.len());
}

/// The bytes of the first record of a file.
fn record(file: &Path) -> Vec<u8> {
    let records: redb::TableDefinition<'_, u64, &[u8]> = redb::TableDefinition::new("records");
    let database = redb::Database::open(file).unwrap();
    let table = database.begin_read().unwrap().open_table(records).unwrap();
    table.get(0).unwrap().unwrap().value().to_vec()
}

#[test]
fn other_programs_rules_and_bounds_have_other_files() {
    let repo = build::repository(&told());
    let plain = audit(&repo, None);
    let folder = TempDir::new().unwrap();
    let other = |build| Cache::new(folder.path().into(), build, ROOM);
    for build in 1..=6 {
        let seen = audit(&repo, Some(&other(build)));
        assert_eq!(seen, plain, "what another build read is not believed");
    }
    assert_eq!(files(folder.path()).len(), 3, "those written longest ago are gone");
    assert_eq!(audit(&repo, Some(&other(6))).read, 0);
    let tight = Limits { document_bytes: 10, ..Limits::default() };
    let seen = audit_within(&repo, Some(&other(6)), tight);
    assert_eq!(seen.audit, audit_within(&repo, None, tight).audit);
    assert_ne!(seen.audit, plain.audit);
}

#[test]
fn the_folder_holds_no_more_than_it_may() {
    let folder = TempDir::new().unwrap();
    let repo = build::repository(&told());
    let plain = audit(&repo, None);
    assert_eq!(audit(&repo, Some(&Cache::new(folder.path().into(), 1, 10))), plain);
    assert!(files(folder.path()).is_empty(), "what does not fit is not kept");
    fs::write(folder.path().join("notes.txt"), "not ours").unwrap();
    fs::write(folder.path().join("old-1.claims"), vec![0; 1 << 20]).unwrap();
    audit(&repo, Some(&Cache::new(folder.path().into(), 1, 1 << 20)));
    let left = files(folder.path());
    assert!(left.iter().any(|file| file.ends_with("notes.txt")), "{left:?}");
    assert!(!left.iter().any(|file| file.ends_with("old-1.claims")), "{left:?}");
}

#[test]
fn audits_at_the_same_time_do_not_wait_for_each_other() {
    let folder = TempDir::new().unwrap();
    let cache = Cache::new(folder.path().into(), 1, ROOM);
    let repo = build::repository(&told());
    let plain = audit(&repo, None);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(audit(&repo, Some(&cache)).audit, plain.audit));
        }
    });
    assert_eq!(audit(&repo, Some(&cache)), Seen { read: 0, files: 0, ..audit(&repo, None) });

    let file = only_file(&folder);
    let held = redb::Database::open(&file).unwrap();
    assert_eq!(audit(&repo, Some(&cache)), plain, "another has the file: all is read");
    drop(held);
    assert_eq!(audit(&repo, Some(&cache)).read, 0);
}

#[test]
fn the_program_keeps_where_it_may_and_is_silent_where_it_may_not() {
    let repo = build::repository(&told());
    let run = |args: &[&str], home: &Path| {
        let mut command = claim_audit();
        command.env("HOME", home).env("USERPROFILE", home).env("LOCALAPPDATA", home.join("local"));
        command.args(["--format", "json", "--fail-on", "never"]).args(args);
        let done = command.current_dir(repo.path()).output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        (done.stdout, String::from_utf8(done.stderr).unwrap())
    };
    let home = TempDir::new().unwrap();
    let plain = run(&["--no-cache"], home.path());
    assert!(files(home.path()).is_empty(), "nothing is kept");
    assert_eq!(run(&[], home.path()), plain);
    assert_eq!(files(home.path()).len(), 1, "it is kept in the home folder");
    let (told, noted) = run(&["-v"], home.path());
    assert_eq!(told, plain.0);
    assert!(noted.contains("documents: 0\n"), "{noted}");

    let own = TempDir::new().unwrap();
    let folder = own.path().join("new/folder");
    assert_eq!(run(&["--cache-dir", folder.to_str().unwrap()], home.path()), plain);
    assert_eq!(files(&folder).len(), 1);

    // No home, a file for a folder, and one that cannot be made.
    let file = own.path().join("file");
    fs::write(&file, "").unwrap();
    let nowhere = own.path().join("none");
    assert_eq!(run(&[], &nowhere), plain);
    assert!(!nowhere.exists(), "no home is made");
    for folder in [file.clone(), file.join("below"), "/proc/none".into()] {
        assert_eq!(run(&["--cache-dir", folder.to_str().unwrap()], home.path()), plain);
    }
    assert_eq!(fs::read(&file).unwrap(), b"");
}
