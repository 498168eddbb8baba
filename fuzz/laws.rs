//! What must hold of any bytes. The fuzz targets and `tests/fuzz_corpus.rs` call the same functions.

mod medium;
mod repository;

use std::sync::LazyLock;

use claim_audit::arithmetic::{self, Grid, Outcome, Size, Suffix, Unit, Vocabulary};
use claim_audit::checks::{self, Confidence};
use claim_audit::config::Config;
use claim_audit::documents::{self, Document, Format};
use claim_audit::extract::{self, Memo, proof};
use claim_audit::forge::Events;
use claim_audit::history::{NoProgress, ObjectId, Repository};
use claim_audit::report::{self, escape};
use claim_audit::rules::RuleSet;
use claim_audit::suppress::Baseline;
use claim_audit::verdict::Audit;
use claim_audit::{Options, cli::args::FormatName};
use clap::ValueEnum;
use repository::Invented;

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

/// Works out whatever a text and a table say of numbers.
pub fn arithmetic(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let unit = |base: &str, factor: f64, loosely| Unit {
        base: base.to_owned(),
        share: base == "%",
        size: (base != "%").then(|| Size { of: "B".to_owned(), factor, loosely }),
    };
    let units =
        [("GiB", 1024.0, None), ("MiB", 1.0, None), ("GB", 1000.0, Some(1024.0)), ("%", 1.0, None)];
    let words = Vocabulary {
        units: units
            .map(|(name, factor, loosely)| (name.to_owned(), unit(name, factor, loosely)))
            .into(),
        suffixes: vec![Suffix { text: "k".to_owned(), factor: 1e3 }],
        equals: list(&["is", "即"]),
        of: list(&["of"]),
        about: list(&["about", "约"]),
        from: list(&["from"]),
        to: list(&["to"]),
        times: list(&["times"]),
        plus: list(&["plus"]),
        minus: list(&["minus"]),
        wholes: list(&["layers", "层"]),
        totals: ["total".to_owned()].into(),
    };
    // What it says of an equation stands on one line.
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for equation in arithmetic::equations(&text, &words) {
        assert!(line.contains(&equation.text) && line.contains(&equation.stated), "{equation:?}");
        assert!(!equation.computed.is_empty(), "{equation:?}");
    }
    let row = |line: &str| line.split('|').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = text.lines();
    let (header, rows) =
        (row(lines.next().unwrap_or_default()), lines.map(row).collect::<Vec<_>>());
    for (at, equation) in arithmetic::totals(Grid { header: &header, rows: &rows }, &words) {
        assert!(at < rows.len(), "{equation:?} in row {at} of {}", rows.len());
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).take(40).collect();
    if !digits.is_empty() {
        let found = arithmetic::equations(&format!("{digits} GiB = {digits} GiB"), &words);
        assert!(found.iter().all(|it| it.outcome == Outcome::Holds), "{found:?}");
    }
}

/// Reads any text as the configuration, as a baseline and as what a forge knows.
pub fn settings(bytes: &[u8]) {
    let names: Vec<&str> = checks::ALL.iter().map(|check| check.name()).collect();
    match Config::parse("fuzz.yml", bytes, &names) {
        Ok((config, _)) => {
            let written = config.to_yaml().unwrap();
            let (again, _) = Config::parse("again.yml", written.as_bytes(), &names).unwrap();
            assert_eq!(again, config, "{written}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let text = String::from_utf8_lossy(bytes);
    if let Ok(baseline) = Baseline::parse(&text) {
        assert_eq!(Baseline::parse(&baseline.to_text()), Ok(baseline));
    }
    if let Err(error) = Events::read(bytes) {
        assert!(!error.to_string().is_empty());
    }
}

/// Audits a history whose versions of a document are parted by NUL bytes, and writes every report.
pub fn history(bytes: &[u8]) {
    let repo = Invented::new();
    let mut parent = None;
    for (number, version) in (0..).zip(bytes.split(|byte| *byte == 0).take(8)) {
        let message = String::from_utf8_lossy(version);
        let paths = ["RESULTS.md", "NOTES.md"].iter().take(1 + number % 2);
        let files: Vec<_> = paths.map(|path| (*path, version)).collect();
        parent = Some(repo.commit(parent, "A. Author", &message, &files, &[]));
    }
    let audit = audit(&repo);
    for format in FormatName::value_variants() {
        medium::check(*format, &written(&audit, *format));
    }
}

/// A document that only moves is as old as it was.
pub fn lineage(bytes: &[u8]) {
    let repo = Invented::new();
    let mut parent = None;
    let mut last: &[u8] = &[];
    for version in bytes.split(|byte| *byte == 0).take(8) {
        parent = Some(repo.commit(parent, "A. Author", "Go on", &[("RESULTS.md", version)], &[]));
        last = version;
    }
    let before = audit(&repo);
    repo.commit(parent, "A. Author", "Move", &[("docs/runs.md", last)], &["RESULTS.md"]);
    let after = audit(&repo);
    assert_eq!(ages(&before), ages(&after));
}

/// What is claimed, and since which commit and line.
fn ages(audit: &Audit) -> Vec<(String, ObjectId, u32)> {
    let ages = audit.claims.iter().map(|judged| {
        let since = &judged.lineage.introduced;
        let commit = audit.facts[since.commit.0 as usize].oid;
        (judged.lineage.claim.text.clone(), commit, since.lines.start)
    });
    let mut ages: Vec<_> = ages.collect();
    ages.sort();
    ages
}

/// Names, paths, messages and texts of a stranger, parted by NUL bytes, in every report.
pub fn reports(bytes: &[u8]) {
    let parts: Vec<&[u8]> = bytes.splitn(4, |byte| *byte == 0).collect();
    let part = |at: usize| String::from_utf8_lossy(parts.get(at).copied().unwrap_or_default());
    let usable = |it: &char| !matches!(it, '\n' | '<' | '>' | '\0');
    let author: String = format!("a{}b", part(0)).chars().filter(usable).collect();
    let name = part(1).replace(['/', '\0'], "");
    let name: String = name.chars().take(60).collect();
    let path = format!("a{name}.md");
    let (message, text) = (part(2), part(3));
    let document = format!(
        "# {text}\n\nThree cards {text} crash.\n\n| cards {text} | outcome |\n|---|---|\n| {text} | crashes |\n"
    );
    let pitfall = format!(
        "# Pitfalls\n\n- Never set `KESTREL_ALLOC=growable`: it crashes the allocator. {text}\n"
    );
    let repo = Invented::new();
    let first = repo.commit(None, &author, &message, &[(&path, document.as_bytes())], &[]);
    let files: [(&str, &[u8]); 1] = [("PITFALLS.md", pitfall.as_bytes())];
    repo.commit(Some(first), &author, &message, &files, &[]);
    let audit = audit(&repo);
    for format in FormatName::value_variants() {
        medium::check(*format, &written(&audit, *format));
    }
}

fn audit(repo: &Invented) -> Audit {
    let repo = Repository::open(repo.path()).unwrap();
    let rev = repo.resolve("HEAD").unwrap();
    let options = Options { threshold: Confidence::Low, ..Options::new(rev) };
    claim_audit::audit(&repo, &options, &RULES, checks::ALL, &NoProgress).unwrap()
}

fn written(audit: &Audit, format: FormatName) -> String {
    let options = report::Options {
        repository: "a\u{1b}[2J".to_owned(),
        width: 80,
        all: true,
        ..Default::default()
    };
    let mut out = Vec::new();
    report::write(format.into(), audit, &options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}
