//! A memo makes reading faster and nothing else: remembered or not, a document says the same.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use claim_audit::documents::{self, Format};
use claim_audit::extract::{self, Memo};
use claim_audit::rules::RuleSet;
use proptest::prelude::*;
use support::story;

static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::built_in().unwrap());

/// The texts of all stories, version by version, and the golden documents.
static TEXTS: LazyLock<Vec<(Format, String)>> = LazyLock::new(|| {
    let mut found = Vec::new();
    for story in story::all() {
        for (path, text) in story.commits.iter().flat_map(|commit| &commit.write) {
            found.extend(Format::of_name(path).map(|format| (format, text.clone())));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/documents");
    let mut folders: Vec<_> = fs::read_dir(root).unwrap().map(|it| it.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let mut files: Vec<_> =
            fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
        files.sort();
        for file in files {
            let format = Format::of_name(&file.to_string_lossy());
            let text = fs::read(&file).unwrap();
            found
                .extend(format.map(|format| (format, String::from_utf8_lossy(&text).into_owned())));
        }
    }
    found
});

fn says_the_same(memo: &Memo<'_>, format: Format, text: &str) {
    let document = documents::parse(format, text.as_bytes());
    assert_eq!(memo.statements(&document), extract::statements(&document, &RULES), "{text}");
}

#[test]
fn documents_say_the_same_again_and_at_other_lines() {
    let memo = Memo::new(&RULES);
    for (format, text) in &*TEXTS {
        says_the_same(&memo, *format, text);
        says_the_same(&memo, *format, text);
        says_the_same(&memo, *format, &format!("\n\n{text}"));
        says_the_same(&memo, *format, &format!("# Notes\n\nA word before.\n\n{text}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Versions of a document, each with a line of the one before removed or another text's
    /// line put in, read with one memo that may be too small.
    #[test]
    fn edited_documents_say_the_same(
        at in any::<prop::sample::Index>(),
        capacity in prop::sample::select(vec![0, 200_000, 32 << 20]),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()), 1..6),
    ) {
        let memo = Memo::with_capacity(&RULES, capacity);
        let (format, text) = at.get(&TEXTS);
        let mut lines: Vec<&str> = text.lines().collect();
        says_the_same(&memo, *format, text);
        for (place, other, remove) in &edits {
            if *remove && !lines.is_empty() {
                lines.remove(place.index(lines.len()));
            } else {
                let (_, other) = other.get(&TEXTS);
                let line = other.lines().nth(place.index(other.lines().count().max(1))).unwrap_or_default();
                lines.insert(place.index(lines.len() + 1), line);
            }
            says_the_same(&memo, *format, &lines.join("\n"));
        }
    }
}
