//! Ten times the text takes about ten times the work, in every format and however it is built.
//!
//! Time on the processor is compared and not time that passes, so that a busy machine does not matter.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::sync::LazyLock;

use claim_audit::checks::{self};
use claim_audit::documents::{self, Format};
use claim_audit::extract;
use claim_audit::history::{NoProgress, Repository};
use claim_audit::rules::RuleSet;
use claim_audit::{Options, audit};

const FORMATS: &[Format] = &[
    Format::Markdown,
    Format::PlainText,
    Format::Html,
    Format::Rst,
    Format::AsciiDoc,
    Format::Latex,
    Format::Org,
    Format::Notebook,
    Format::Script,
];

/// Repeated, each is a known way to make a parser look back, nest or fill up.
const PATTERNS: &[&str] = &[
    "[",
    "[a](",
    "![[",
    "](",
    "*a ",
    "**x",
    "_a*",
    "e``",
    "~~~\n",
    "```\n",
    "<",
    "a<!--",
    "a<?",
    "<div>",
    "</p>",
    "<td>",
    "<ul><li>",
    "&#27;",
    "&amp;x",
    "> ",
    ">\n",
    "- ",
    "- a\n",
    " - x\n  ",
    "1. ",
    "# H\n\n",
    "|a",
    "|x\n",
    "|a|b|\n|-|-|\n",
    "| ",
    "a\n===\n",
    "+--+\n",
    "+--+--+\n|  |  |\n",
    "== ==\n",
    ".. a::\n\n",
    ".. |x| replace:: y\n",
    ":a: b\n",
    "`a`_ ",
    "|===\n",
    "|===\n|a\n",
    "====\n",
    "[[a]]\n",
    "include::a[]\n",
    "* a\n",
    "** b\n",
    "#+begin_x\n",
    ":PROPERTIES:\n",
    "\\begin{a}",
    "\\a{",
    "{",
    "}",
    "$",
    "\\item ",
    "& \\\\\n",
    "\\def\\a{\\a}",
    "%\n",
    "\"",
    "[1,",
    "{\"a\":",
    "{\"cells\":[",
    "\t",
    " \t",
    "\r",
    "\0",
    "a\u{301}",
    "\u{202e}",
    "\u{ff}",
    "x",
    "x\n",
    "x\n\n",
    "[^1]: [^2]\n\n",
    "[l]: /u\n",
    "9",
    "9.9 ",
    "---\n",
];

/// A claim, a pitfall, and prose that is neither: these are also read for what they say.
const SENTENCES: &[&str] = &[
    "- The `alpha-7b` server fails with out of memory on 3 cards at 41.2 tok/s.\n",
    "- Do not set `ALLOC_MODE=pooled`: the server crashes at start.\n\n",
    "It was not expected that the run would be repeated if the second one, which failed, was ",
    "| `alpha` | 3 cards | fails with out of memory |\n",
];

const SMALL: usize = 10_000;

/// The system counts in steps of some milliseconds; what is below is no matter in any case.
const NOISE: u64 = 120_000_000;

#[test]
fn reading_takes_time_in_proportion() {
    in_parallel(FORMATS, |format| {
        for pattern in PATTERNS.iter().chain(SENTENCES) {
            let work = |bytes: usize, times: usize| {
                let text = pattern.repeat(bytes / pattern.len() + 1);
                cost(times, || drop(documents::parse(*format, text.as_bytes())))
            };
            in_proportion(&format!("{format:?} of {pattern:?}"), work);
        }
    });
}

#[test]
fn understanding_takes_time_in_proportion() {
    static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::built_in().unwrap());
    LazyLock::force(&RULES);
    in_parallel(SENTENCES, |sentence| {
        let work = |bytes: usize, times: usize| {
            let text = format!("# Results\n\n{}", sentence.repeat(bytes / sentence.len() + 1));
            let document = documents::parse(Format::Markdown, text.as_bytes());
            cost(times, || drop(extract::statements(&document, &RULES)))
        };
        in_proportion(sentence, work);
    });
}

/// Each claim looks up a section, and is held against each pitfall: nothing else may depend on the
/// others.
#[test]
fn judging_takes_time_in_proportion() {
    let rules = RuleSet::built_in().unwrap();
    let audited = |before: &str, after: &str, claims: usize| {
        let claim = |at| {
            format!("{before}The `m{at}` server fails on {at} cards, see [it](#notes).{after}")
        };
        let lines: String = (0..claims).map(claim).collect();
        let repo = repository(&format!("# Results\n\n## Notes\n\n{lines}\n"));
        cost(1, || {
            let repo = Repository::open(repo.path()).unwrap();
            let options = Options::new(repo.resolve("HEAD").unwrap());
            let audit = audit(&repo, &options, &rules, checks::ALL, &NoProgress).unwrap();
            assert_eq!(audit.claims.len(), claims);
        })
    };
    for (before, after) in [("- ", "\n"), ("", " ")] {
        let (small, large) = (audited(before, after, 60), audited(before, after, 600));
        assert!(large < NOISE + 30 * small, "{small} ns for 60 claims, {large} ns for 600");
    }
}

/// A repository with one document.
fn repository(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let repo = git2::Repository::init(folder.path()).unwrap();
    fs::write(folder.path().join("RESULTS.md"), text).unwrap();
    let mut index = repo.index().unwrap();
    index.add_path(std::path::Path::new("RESULTS.md")).unwrap();
    let tree = repo.find_tree(index.write_tree().unwrap()).unwrap();
    let time = git2::Time::new(1_700_000_000, 0);
    let who = git2::Signature::new("A. Author", "a.author@example.org", &time).unwrap();
    repo.commit(Some("HEAD"), &who, &who, "Record", &tree, &[]).unwrap();
    folder
}

/// Ten small texts and one ten times as large take about the same; with a quadratic step the large one
/// would take ten times as long.
fn in_proportion(what: &str, work: impl Fn(usize, usize) -> u64) {
    let large = || work(10 * SMALL, 1);
    let small = || work(SMALL, 10);
    // Whatever else the machine does can only add.
    let slow = |large: u64, small: u64| large > NOISE + 3 * small;
    if large() <= NOISE {
        return;
    }
    let (large, small) = (large().min(large()), small().max(small()));
    assert!(
        !slow(large, small),
        "{what}: {small} ns for ten texts, {large} ns for one ten times as large"
    );
}

fn in_parallel<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    std::thread::scope(|scope| {
        for item in items {
            scope.spawn(|| work(item));
        }
    });
}

/// Nanoseconds on the processor for doing it so often.
fn cost(times: usize, work: impl Fn()) -> u64 {
    let used = || {
        let all = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        all.split_whitespace().next().unwrap().parse::<u64>().unwrap()
    };
    let before = used();
    (0..times).for_each(|_| work());
    used() - before
}
