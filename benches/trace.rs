//! How fast a history is walked, the ages of all claims are found, an audit is made and reported, with
//! the most memory that is held: `cargo bench --bench trace`.
//!
//! The histories are invented: one commit in ten writes a new version of one of forty documents,
//! changing numbers and adding rows. Ten times as many commits should take ten times as long.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a bench fails by panicking"
)]

use std::fmt::Write as _;
use std::io::Write as _;

use claim_audit::checks;
use claim_audit::documents;
use claim_audit::extract::{Memo, Statements};
use claim_audit::history::{History, Limits, NoProgress, PerBlob, Repository, Scope, Selection};
use claim_audit::lineage;
use claim_audit::report::{self, Format};
use claim_audit::rules::RuleSet;
use claim_audit::verdict::Audit;
use claim_audit::{Cache, Options};
use divan::{AllocProfiler, Bencher};
use git2::{Oid, Signature, Time};
use tempfile::TempDir;

const COMMITS: usize = 20_000;
/// One commit in so many writes a document.
const EACH: usize = 10;
const DOCUMENTS: usize = 40;
const ROWS: usize = 40;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Everything that ends in `.md`.
struct Markdown;

impl Selection for Markdown {
    fn descends(&self, _: &[u8]) -> bool {
        true
    }
    fn kind(&self, name: &[u8]) -> Option<u8> {
        name.ends_with(b".md").then_some(0)
    }
    fn includes(&self, _: &str) -> bool {
        true
    }
}

/// A version of a document: rows of numbers that grow in number and change now and then.
fn page(document: usize, version: usize) -> String {
    let mut text = format!("# Results of board {document}\n\n| Setup | Speed |\n|---|---|\n");
    for row in 0..ROWS + version {
        let changed = if row % 7 == version % 7 { version } else { 0 };
        let number = 100.0 + (document * 1_000 + row * 13 + changed * 3) as f64 / 7.0;
        let _ = writeln!(
            text,
            "| kernel {row} of board {document}, batch {} | {number:.2} tok/s |",
            row % 5 + 1
        );
    }
    let _ = writeln!(
        text,
        "\n## Limits\n\n{} cards crash while loading model {document}.",
        version % 3 + 2
    );
    text
}

fn build(commits: usize) -> TempDir {
    let folder = TempDir::new().unwrap();
    let repo = git2::Repository::init(folder.path()).unwrap();
    let odb = repo.odb().unwrap();
    let pack = odb.add_new_mempack_backend(1_000).unwrap();
    let mut tree = repo.treebuilder(None).unwrap();
    let mut tip: Option<Oid> = None;
    for at in 0..commits {
        if at % EACH == 0 {
            let version = at / EACH;
            let document = version % DOCUMENTS;
            let blob = repo.blob(page(document, version / DOCUMENTS).as_bytes()).unwrap();
            tree.insert(format!("board-{document}.md"), blob, 0o100_644).unwrap();
        }
        let root = repo.find_tree(tree.write().unwrap()).unwrap();
        let time = Time::new(1_785_718_643 + at as i64 * 60, 0);
        let author = Signature::new("A", "a@example.org", &time).unwrap();
        let parents: Vec<_> = tip.iter().map(|tip| repo.find_commit(*tip).unwrap()).collect();
        let parents: Vec<_> = parents.iter().collect();
        tip = Some(repo.commit(None, &author, &author, "Work", &root, &parents).unwrap());
    }
    let mut bytes = git2::Buf::new();
    pack.dump(&repo, &mut bytes).unwrap();
    let mut writer = odb.packwriter().unwrap();
    writer.write_all(&bytes).unwrap();
    writer.commit().unwrap();
    repo.reference("refs/heads/main", tip.unwrap(), true, "bench").unwrap();
    repo.set_head("refs/heads/main").unwrap();
    folder
}

fn walk(folder: &TempDir) -> (Repository, History) {
    let repo = Repository::open(folder.path()).unwrap();
    let scope = Scope {
        rev: repo.resolve("HEAD").unwrap(),
        selection: &Markdown,
        allow_shallow: false,
        jobs: 1,
        progress: &NoProgress,
        limits: Limits::default(),
    };
    let history = repo.walk(&scope).unwrap();
    (repo, history)
}

fn read(repo: &Repository, history: &History, rules: &RuleSet) -> PerBlob<Statements> {
    let memo = Memo::new(rules);
    let statements = repo.read_each(history, 1, &NoProgress, |_, bytes| {
        memo.statements(&documents::parse(documents::Format::Markdown, bytes))
    });
    statements.unwrap()
}

#[divan::bench(sample_count = 3)]
fn ages(bencher: Bencher<'_, '_>) {
    let (folder, rules) = (build(COMMITS), RuleSet::built_in().unwrap());
    let (repo, history) = walk(&folder);
    let statements = read(&repo, &history, &rules);
    assert_eq!((history.commits().len(), history.blobs().len()), (COMMITS, COMMITS / EACH));
    bencher.bench_local(|| lineage::trace(&history, &statements, &[]));
}

#[divan::bench(sample_count = 1, sample_size = 1)]
fn walk_read_and_ages(bencher: Bencher<'_, '_>) {
    let (folder, rules) = (build(COMMITS), RuleSet::built_in().unwrap());
    bencher.bench_local(|| {
        let (repo, history) = walk(&folder);
        let statements = read(&repo, &history, &rules);
        lineage::trace(&history, &statements, &[]).claims.len()
    });
}

/// Commits, trees and what changed, without a document.
#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 5)]
fn commits_and_trees(bencher: Bencher<'_, '_>, commits: usize) {
    let folder = build(commits);
    bencher.bench_local(|| walk(&folder).1.counts());
}

fn audited(folder: &TempDir, rules: &RuleSet, cache: Option<&Cache>) -> Audit {
    let repo = Repository::open(folder.path()).unwrap();
    let options = Options { cache, ..Options::new(repo.resolve("HEAD").unwrap()) };
    claim_audit::audit(&repo, &options, rules, checks::ALL, &NoProgress).unwrap()
}

/// All of it with nothing kept.
#[divan::bench(args = [1_000, 10_000], sample_count = 1, sample_size = 1)]
fn audit(bencher: Bencher<'_, '_>, commits: usize) {
    let (folder, rules) = (build(commits), RuleSet::built_in().unwrap());
    bencher.bench_local(|| audited(&folder, &rules, None).claims.len());
}

/// The same where all documents were read before.
#[divan::bench(args = [1_000, 10_000], sample_count = 3)]
fn audit_again(bencher: Bencher<'_, '_>, commits: usize) {
    let (folder, rules) = (build(commits), RuleSet::built_in().unwrap());
    let kept = TempDir::new().unwrap();
    let cache = Cache::new(kept.path().into(), 0, 1 << 30);
    audited(&folder, &rules, Some(&cache));
    bencher.bench_local(|| audited(&folder, &rules, Some(&cache)).claims.len());
}

/// The audit as bytes.
#[divan::bench(args = [Format::Text, Format::Json, Format::Sarif, Format::Html])]
fn report(bencher: Bencher<'_, '_>, format: Format) {
    let audit = audited(&build(1_000), &RuleSet::built_in().unwrap(), None);
    let options = report::Options { all: true, ..Default::default() };
    bencher.bench_local(|| {
        let mut out = Vec::new();
        report::write(format, &audit, &options, &mut out).unwrap();
        out.len()
    });
}
