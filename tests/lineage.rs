//! Laws of age: what only says the same in another form gets no younger, and a changed number does.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use chrono::{DateTime, TimeDelta};
use claim_audit::history::{NoProgress, Repository};
use claim_audit::rules::RuleSet;
use claim_audit::verdict::Audit;
use claim_audit::{Options, checks};
use proptest::prelude::*;
use support::build;
use support::story::{self, Commit, Story};

static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::built_in().unwrap());

/// How three results are written down.
#[derive(Clone, Debug, Default)]
struct Form {
    /// A list, a table, a table with its columns aligned, one with a further column.
    layout: u8,
    bold: bool,
    /// Windows line ends.
    crlf: bool,
    /// Counts in words.
    words: bool,
    /// All of it in Chinese.
    chinese: bool,
    /// Subjects are links.
    links: bool,
    /// Blank lines and breaks inside sentences.
    loose: bool,
    heading: u8,
    folder: u8,
    /// How the documents are called.
    name: u8,
    /// One document, or one for each result.
    split: bool,
    /// The order of the results.
    turned: bool,
}

/// One edit that leaves the meaning alone.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Layout(u8),
    Bold,
    Crlf,
    Words,
    Translate,
    Links,
    Loose,
    Heading(u8),
    Folder(u8),
    Rename(u8),
    Split,
    Turn,
}

impl Form {
    fn after(&self, edit: Edit) -> Self {
        let mut form = self.clone();
        match edit {
            Edit::Layout(layout) => form.layout = layout,
            Edit::Bold => form.bold = !form.bold,
            Edit::Crlf => form.crlf = !form.crlf,
            Edit::Words => form.words = !form.words,
            Edit::Translate => form.chinese = !form.chinese,
            Edit::Links => form.links = !form.links,
            Edit::Loose => form.loose = !form.loose,
            Edit::Heading(heading) => form.heading = heading,
            Edit::Folder(folder) => form.folder = folder,
            Edit::Rename(name) => form.name = name,
            Edit::Split => form.split = !form.split,
            Edit::Turn => form.turned = !form.turned,
        }
        form
    }

    /// `speeds` are those of decoding, prefill and a warm start.
    fn documents(&self, speeds: [&str; 3]) -> BTreeMap<String, String> {
        let count = |digit: &str, word: &str, han: &str| match (self.words, self.chinese) {
            (false, _) => digit.to_owned(),
            (true, false) => word.to_owned(),
            (true, true) => han.to_owned(),
        };
        let subject = |english: &str, chinese: &str, count: String| {
            let said = match self.chinese {
                true => format!("{count} 张卡{chinese}"),
                false => format!("{english} with {count} cards"),
            };
            if self.links { format!("[{said}](setup.md)") } else { said }
        };
        let speed = |number: &str| {
            if self.bold { format!("**{number} tok/s**") } else { format!("{number} tok/s") }
        };
        let [decode, prefill, warm] = speeds;
        let mut facts = vec![
            (subject("Decode", "解码", count("4", "four", "四")), speed(decode)),
            (subject("Prefill", "预填充", count("2", "two", "两")), speed(prefill)),
            (
                subject("Warm start of the loader", "加载器热启动", count("3", "three", "三")),
                speed(warm),
            ),
        ];
        if self.turned {
            facts.reverse();
        }
        let groups: Vec<&[(String, String)]> =
            if self.split { facts.chunks(1).collect() } else { vec![&facts] };
        let folder = ["", "docs/", "docs/old/"][usize::from(self.folder % 3)];
        let name = ["results", "BENCHMARKS"][usize::from(self.name % 2)];
        let pages = groups.iter().enumerate();
        pages.map(|(at, facts)| (format!("{folder}{name}-{at}.md"), self.page(facts))).collect()
    }

    fn page(&self, facts: &[(String, String)]) -> String {
        let title =
            ["Results", "What we measured", "Benchmark results"][usize::from(self.heading % 3)];
        let title = if self.chinese { "实测结果" } else { title };
        let mut text = format!("# {title}\n\n");
        match self.layout % 4 {
            0 => {
                for (subject, outcome) in facts {
                    let gap = if self.loose { "\n  " } else { " " };
                    let verb = if self.chinese { "实测" } else { "ran at" };
                    text.push_str(&format!("- {subject} {verb}{gap}{outcome}.\n"));
                    text.push_str(if self.loose { "\n" } else { "" });
                }
            }
            1 => table(&mut text, "| Setup | Speed |\n|---|---|\n", facts, |s, o| {
                format!("| {s} | {o} |")
            }),
            2 => table(&mut text, "| Setup | Speed |\n|:--|--:|\n", facts, |s, o| {
                format!("| {s:50} | {o:>20} |")
            }),
            _ => table(&mut text, "| Board | Setup | Speed |\n|---|---|---|\n", facts, |s, o| {
                format!("| A | {s} | {o} |")
            }),
        }
        if self.crlf { text.replace('\n', "\r\n") } else { text }
    }
}

fn table(
    text: &mut String,
    head: &str,
    facts: &[(String, String)],
    row: impl Fn(&str, &str) -> String,
) {
    text.push_str(head);
    for (subject, outcome) in facts {
        text.push_str(&row(subject, outcome));
        text.push('\n');
    }
}

/// A history that writes each form in turn.
fn history(versions: &[BTreeMap<String, String>]) -> Story {
    let start = DateTime::from_timestamp(1_785_718_643, 0).unwrap();
    let mut before: BTreeMap<String, String> = BTreeMap::new();
    let mut commits = Vec::new();
    for (at, files) in (0..).zip(versions) {
        let delete = before.keys().filter(|path| !files.contains_key(*path)).cloned().collect();
        before.clone_from(files);
        commits.push(Commit {
            at: start + TimeDelta::days(at),
            message: "Edit".to_owned(),
            write: files.clone(),
            delete,
            ..Commit::default()
        });
    }
    Story { name: "form".into(), commits, ..story::named("table-realigned") }
}

/// The commit in which each claim was introduced, counted from one, by a number of its outcome.
fn ages(story: &Story) -> BTreeMap<String, usize> {
    let built = build::repository(story);
    let repo = Repository::open(built.path()).unwrap();
    let options = Options::new(repo.resolve("HEAD").unwrap());
    let audit: Audit =
        claim_audit::audit(&repo, &options, &RULES, checks::ALL, &NoProgress).unwrap();
    let introduced = audit.claims.iter().map(|judged| {
        let commit = audit.facts[judged.lineage.introduced.commit.0 as usize].oid;
        let number = built.number(&commit.to_string()).unwrap();
        (judged.lineage.claim.values[0].number.clone(), number)
    });
    introduced.collect()
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        (0_u8..4).prop_map(Edit::Layout),
        Just(Edit::Bold),
        Just(Edit::Crlf),
        Just(Edit::Words),
        Just(Edit::Translate),
        Just(Edit::Links),
        Just(Edit::Loose),
        (0_u8..3).prop_map(Edit::Heading),
        (0_u8..3).prop_map(Edit::Folder),
        (0_u8..2).prop_map(Edit::Rename),
        Just(Edit::Split),
        Just(Edit::Turn),
    ];
    proptest::collection::vec(edit, 1..7)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn other_forms_keep_the_age_and_another_number_starts_one(edits in edits(), moved in 0_usize..3) {
        // As written first, rounded, and measured again.
        let written = [["98.14", "98.1", "98.73"], ["811.53", "811.5", "823.9"], ["23.75", "23.8", "24.6"]];
        let speeds = |age: usize| {
            [0, 1, 2].map(|at| written[at][if at == moved { age } else { 0 }])
        };
        let mut form = Form::default();
        let mut versions = vec![form.documents(speeds(0))];
        for edit in edits {
            form = form.after(edit);
            versions.push(form.documents(speeds(0)));
        }
        let known = |age: usize, introduced: usize| -> BTreeMap<String, usize> {
            let told = speeds(age).map(str::to_owned).into_iter().enumerate();
            told.map(|(at, number)| (number, if at == moved { introduced } else { 1 })).collect()
        };
        prop_assert_eq!(ages(&history(&versions)), known(0, 1));
        versions.push(form.documents(speeds(1)));
        prop_assert_eq!(ages(&history(&versions)), known(1, 1), "rounded");
        versions.push(form.documents(speeds(2)));
        prop_assert_eq!(ages(&history(&versions)), known(2, versions.len()), "measured again");
    }
}
