//! Every document in `testdata/documents/FORMAT/` that has a `.statements` file beside it makes those
//! claims and pitfalls and no others.
//!
//! The files are written by hand: what a careful reader says, `LINE KIND` for a claim and
//! `LINE pitfall EFFECT TRIGGER` for a pitfall, by the line where it starts.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use claim_audit::documents::{Format, parse};
use claim_audit::extract::{Kind, statements};
use claim_audit::rules::RuleSet;

#[test]
fn documents_say_what_is_written_down() {
    let rules = RuleSet::built_in().unwrap();
    let mut wrong = Vec::new();
    let expectations = expectations();
    assert!(expectations.len() > 10, "only {} documents", expectations.len());
    for expected in expectations {
        let document = document_of(&expected);
        let bytes = fs::read(&document).unwrap();
        let format = Format::of_name(document.to_str().unwrap()).unwrap();
        let said = statements(&parse(format, &bytes), &rules);
        let claims = said.claims.iter().map(|claim| {
            let kind = match claim.kind {
                Kind::Failure => "failure",
                Kind::Success => "success",
                Kind::Measurement => "measurement",
            };
            format!("{} {kind}", claim.lines.start)
        });
        let pitfalls = said.pitfalls.iter().map(|pitfall| {
            let effect = pitfall.effect.name();
            format!("{} pitfall {effect} {}", pitfall.lines.start, pitfall.triggers[0])
        });
        let found: BTreeSet<String> = claims.chain(pitfalls).collect();
        let text = fs::read_to_string(&expected).unwrap();
        let wanted: BTreeSet<String> = text.lines().map(str::to_owned).collect();
        let lines = String::from_utf8_lossy(&bytes).into_owned();
        let line_of = |statement: &String| {
            let number: usize = statement.split(' ').next().unwrap().parse().unwrap();
            lines.lines().nth(number - 1).unwrap_or_default().to_owned()
        };
        let name = document.file_name().unwrap().to_string_lossy().into_owned();
        wrong.extend(
            wanted
                .difference(&found)
                .map(|it| format!("{name}: missing   {it:24} | {}", line_of(it))),
        );
        wrong.extend(
            found
                .difference(&wanted)
                .map(|it| format!("{name}: too much  {it:24} | {}", line_of(it))),
        );
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

fn expectations() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/documents");
    let list = |folder: &Path| {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = list(&root).iter().flat_map(|format| list(format)).collect();
    all.retain(|path| path.extension().is_some_and(|extension| extension == "statements"));
    all.sort();
    all
}

/// The document beside a file of statements.
fn document_of(statements: &Path) -> PathBuf {
    let stem = statements.file_stem().unwrap();
    let beside = fs::read_dir(statements.parent().unwrap()).unwrap();
    beside
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            let extension = path.extension().unwrap_or_default();
            path.file_stem() == Some(stem) && extension != "statements" && extension != "blocks"
        })
        .unwrap_or_else(|| panic!("no document beside {}", statements.display()))
}
