//! How fast the ages of all claims are found: `just bench`, with the most memory that is held.
//!
//! The history is invented: 20,000 commits, one in ten of which writes a new version of one of forty
//! documents, changing numbers, adding rows and copying some into a summary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a bench fails by panicking"
)]

use std::fmt::Write as _;
use std::io::Write as _;

use claim_audit::documents::{self, Format};
use claim_audit::extract::{Memo, Statements};
use claim_audit::history::{History, Limits, NoProgress, PerBlob, Repository, Scope, Selection};
use claim_audit::lineage;
use claim_audit::rules::RuleSet;
use divan::{AllocProfiler, Bencher};
use git2::{Oid, Signature, Time};
use tempfile::TempDir;

const COMMITS: usize = 20_000;
const VERSIONS: usize = 2_000;
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

fn build() -> TempDir {
    let folder = TempDir::new().unwrap();
    let repo = git2::Repository::init(folder.path()).unwrap();
    let odb = repo.odb().unwrap();
    let pack = odb.add_new_mempack_backend(1_000).unwrap();
    let mut tree = repo.treebuilder(None).unwrap();
    let mut tip: Option<Oid> = None;
    for at in 0..COMMITS {
        if at % (COMMITS / VERSIONS) == 0 {
            let version = at / (COMMITS / VERSIONS);
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
        memo.statements(&documents::parse(Format::Markdown, bytes))
    });
    statements.unwrap()
}

#[divan::bench(sample_count = 3)]
fn ages(bencher: Bencher<'_, '_>) {
    let (folder, rules) = (build(), RuleSet::built_in().unwrap());
    let (repo, history) = walk(&folder);
    let statements = read(&repo, &history, &rules);
    assert_eq!((history.commits().len(), history.blobs().len()), (COMMITS, VERSIONS));
    bencher.bench_local(|| lineage::trace(&history, &statements, &[]));
}

#[divan::bench(sample_count = 1, sample_size = 1)]
fn walk_read_and_ages(bencher: Bencher<'_, '_>) {
    let (folder, rules) = (build(), RuleSet::built_in().unwrap());
    bencher.bench_local(|| {
        let (repo, history) = walk(&folder);
        let statements = read(&repo, &history, &rules);
        lineage::trace(&history, &statements, &[]).claims.len()
    });
}
