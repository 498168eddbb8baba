//! Ten times the text takes about ten times the work, in every format and however it is built.
//!
//! Time on the processor is compared and not time that passes, so that a busy machine does not matter.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::sync::LazyLock;

use claim_audit::documents::{self, Format};
use claim_audit::extract;
use claim_audit::rules::RuleSet;

const FORMATS: &[Format] = &[
    Format::Markdown,
    Format::PlainText,
    Format::Html,
    Format::Rst,
    Format::AsciiDoc,
    Format::Latex,
    Format::Org,
    Format::Notebook,
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

const SMALL: usize = 6_000;

#[test]
fn reading_takes_time_in_proportion() {
    in_parallel(FORMATS, |format| {
        for pattern in PATTERNS.iter().chain(SENTENCES) {
            let work = |bytes: usize| {
                let text = pattern.repeat(bytes / pattern.len() + 1);
                cost(|| drop(documents::parse(*format, text.as_bytes())))
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
        let work = |bytes: usize| {
            let text = format!("# Results\n\n{}", sentence.repeat(bytes / sentence.len() + 1));
            let document = documents::parse(Format::Markdown, text.as_bytes());
            cost(|| drop(extract::statements(&document, &RULES)))
        };
        in_proportion(sentence, work);
    });
}

/// A quadratic step would cost a hundred times as much; small sums are noise.
fn in_proportion(what: &str, work: impl Fn(usize) -> u64) {
    const NOISE: u64 = 30_000_000;
    // Whatever else the machine does can only add.
    let least = |bytes: usize, times: usize| (0..times).map(|_| work(bytes)).min().unwrap();
    let large = work(10 * SMALL);
    if large < NOISE {
        return;
    }
    let small = least(SMALL, 3);
    if large <= 30 * small + NOISE {
        return;
    }
    let large = least(10 * SMALL, 3);
    assert!(
        large <= 30 * small + NOISE,
        "{what}: {small} ns, then {large} ns for ten times as much"
    );
}

fn in_parallel<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    std::thread::scope(|scope| {
        for item in items {
            scope.spawn(|| work(item));
        }
    });
}

/// Nanoseconds on the processor.
fn cost(work: impl FnOnce()) -> u64 {
    let used = || {
        let all = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        all.split_whitespace().next().unwrap().parse::<u64>().unwrap()
    };
    let before = used();
    work();
    used() - before
}
