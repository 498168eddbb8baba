//! What must hold of any bytes. The fuzz targets and `tests/fuzz_corpus.rs` call the same functions.

use std::path::Path;
use std::sync::LazyLock;

use claim_audit::checks::{self, Confidence};
use claim_audit::documents::{self, Document, Format};
use claim_audit::extract::{self, Memo, proof};
use claim_audit::forge::Events;
use claim_audit::history::{Limits, NoProgress, Repository};
use claim_audit::report::{self, escape};
use claim_audit::rules::RuleSet;
use claim_audit::{Globs, Options, cli::args::FormatName, texts::Language};
use clap::ValueEnum;

static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::built_in().unwrap());

/// Reads a document and what it says.
pub fn document(format: Format, bytes: &[u8]) {
    let document = documents::parse(format, bytes);
    check_places(&document, bytes);
    let statements = extract::statements(&document, &RULES);
    assert_eq!(Memo::new(&RULES).statements(&document), statements);
    let last = last_line(bytes);
    for claim in &statements.claims {
        assert!(claim.lines.start >= 1 && claim.lines.start <= claim.lines.end, "{claim:?}");
        assert!(claim.lines.end <= last, "{claim:?} of {last} lines");
    }
    for pitfall in &statements.pitfalls {
        assert!(pitfall.lines.start >= 1 && pitfall.lines.end <= last, "{pitfall:?}");
    }
}

/// Blocks, sections and lines point to what is there.
fn check_places(document: &Document, bytes: &[u8]) {
    let last = last_line(bytes);
    for (index, block) in document.blocks.iter().enumerate() {
        assert!(block.lines.start >= 1 && block.lines.start <= block.lines.end, "{block:?}");
        assert!(block.lines.end <= last, "{block:?} of {last} lines");
        assert!(block.parent.is_none_or(|parent| parent < index), "{block:?}");
        assert!(block.section.is_none_or(|it| it < document.sections.len()), "{block:?}");
        for (offset, _) in block.text.plain.char_indices() {
            assert!((1..=last).contains(&block.text.line_at(offset)), "{block:?}");
        }
        // Walked from outside in by readers: a circle would never end.
        let _ = document.section_path(block.section);
    }
    for (index, section) in document.sections.iter().enumerate() {
        assert!(section.parent.is_none_or(|parent| parent < index), "{section:?}");
    }
}

/// No encoding has more lines than bytes.
fn last_line(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).unwrap().saturating_add(1)
}

/// Loads and compiles a rule pack.
pub fn rules(bytes: &[u8]) {
    match RuleSet::with(&[vec![("fuzz.yml".to_owned(), bytes.to_vec())]]) {
        Ok(rules) => drop(proof::further_failures(&rules)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Reads any text as a number of a sentence and of a table.
pub fn number(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let page = format!(
        "# Throughput\n\nThe server reaches {text} tok/s on 2 cards, {text} as much as before.\n\n\
         | cards | tok/s | {text} |\n|---|---|---|\n| 2 | {text} | fails |\n"
    );
    document(Format::Markdown, page.as_bytes());
}

/// Cuts and escapes any text.
pub fn escaping(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let shown = escape::visible(&text);
    assert!(!shown.contains(escape::is_hostile));
    assert_eq!(escape::visible(&shown), shown);
    for columns in [0, 1, 2, 7, 80, usize::MAX] {
        let cut = escape::cut(&text, columns);
        assert!(!cut.contains(escape::is_hostile));
        assert!(columns == 0 || unicode_width::UnicodeWidthStr::width(cut.as_str()) <= columns);
    }
}

/// Audits a history whose versions of a document are parted by NUL bytes, and writes every report.
pub fn history(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    commit_each(folder.path(), bytes);
    let repo = Repository::open(folder.path()).unwrap();
    let globs = Globs::new(&[], &[]).unwrap();
    let events = Events::default();
    let options = Options {
        events: &events,
        rev: repo.resolve("HEAD").unwrap(),
        globs: &globs,
        allow_shallow: false,
        jobs: 1,
        threshold: Confidence::Low,
        limits: Limits::default(),
    };
    let audit = claim_audit::audit(&repo, &options, &RULES, checks::ALL, &NoProgress).unwrap();
    let options = report::Options {
        links: None,
        repository: "a\u{1b}[2J".to_owned(),
        width: 80,
        color: false,
        all: true,
        below_threshold: 0,
        comparison: None,
        language: Language::English,
    };
    for format in FormatName::value_variants() {
        let mut out = Vec::new();
        report::write((*format).into(), &audit, &options, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        let raw = out.chars().find(|it| it.is_control() && *it != '\n');
        assert_eq!(raw, None, "{format:?}: {out}");
        if *format == FormatName::Json {
            let value: serde_json::Value = serde_json::from_str(&out).unwrap();
            assert_eq!(value["schema_version"], 1);
        }
    }
}

/// At most eight commits: each writes one version, and every second one to another document too.
fn commit_each(folder: &Path, bytes: &[u8]) {
    let repo = git2::Repository::init_bare(folder).unwrap();
    let mut parent: Option<git2::Oid> = None;
    let mut index = git2::Index::new().unwrap();
    for (number, version) in (0..).zip(bytes.split(|byte| *byte == 0).take(8)) {
        let blob = repo.blob(version).unwrap();
        for path in ["RESULTS.md", "NOTES.md"].iter().take(1 + number as usize % 2) {
            index.add(&entry(path, blob)).unwrap();
        }
        let tree = repo.find_tree(index.write_tree_to(&repo).unwrap()).unwrap();
        let time = git2::Time::new(1_700_000_000 + number * 7_000, 0);
        let who = git2::Signature::new("A. Author", "a.author@example.org", &time).unwrap();
        let message = String::from_utf8_lossy(version).replace('\0', "");
        let parents: Vec<_> = parent.iter().map(|id| repo.find_commit(*id).unwrap()).collect();
        let parents: Vec<_> = parents.iter().collect();
        parent = Some(repo.commit(None, &who, &who, &message, &tree, &parents).unwrap());
    }
    repo.reference("refs/heads/main", parent.unwrap(), true, "").unwrap();
    repo.set_head("refs/heads/main").unwrap();
}

fn entry(path: &str, id: git2::Oid) -> git2::IndexEntry {
    git2::IndexEntry {
        ctime: git2::IndexTime::new(0, 0),
        mtime: git2::IndexTime::new(0, 0),
        dev: 0,
        ino: 0,
        mode: 0o100_644,
        uid: 0,
        gid: 0,
        file_size: 0,
        id,
        flags: 0,
        flags_extended: 0,
        path: path.as_bytes().to_vec(),
    }
}
