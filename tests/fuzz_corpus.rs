//! What the fuzz targets promise of any bytes holds for all that lies in `testdata/`, and for what
//! once broke it (`fuzz/regressions/TARGET/`).

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, unreachable_pub, reason = "each fuzz target uses one")]
#[path = "../fuzz/laws.rs"]
mod laws;

use std::fs;
use std::path::{Path, PathBuf};

use claim_audit::documents::Format;

/// A target, its law, and the folders of the bytes it is fed first.
type Target = (&'static str, fn(&[u8]), &'static [&'static str]);

const TARGETS: &[Target] = &[
    ("arithmetic", laws::arithmetic, &["testdata/documents/plain_text", "testdata/stories"]),
    ("asciidoc", |it| laws::document(Format::AsciiDoc, it), &["testdata/documents"]),
    ("escaping", laws::escaping, &["testdata/documents", "testdata/stories"]),
    ("history", laws::history, &["testdata/documents/markdown"]),
    ("html", |it| laws::document(Format::Html, it), &["testdata/documents"]),
    ("latex", |it| laws::document(Format::Latex, it), &["testdata/documents"]),
    ("lineage", laws::lineage, &["testdata/documents/markdown"]),
    ("markdown", |it| laws::document(Format::Markdown, it), &["testdata/documents"]),
    ("notebook", |it| laws::document(Format::Notebook, it), &["testdata/documents"]),
    ("number", laws::number, &["testdata/documents/plain_text"]),
    ("org", |it| laws::document(Format::Org, it), &["testdata/documents"]),
    ("plain_text", |it| laws::document(Format::PlainText, it), &["testdata/documents"]),
    ("reports", laws::reports, &["testdata/documents/plain_text"]),
    ("rst", |it| laws::document(Format::Rst, it), &["testdata/documents"]),
    ("rules", laws::rules, &["testdata/rules"]),
    ("settings", laws::settings, &["testdata/rules", "testdata/stories"]),
];

#[test]
fn the_laws_hold_for_all_seeds_and_for_what_once_broke_them() {
    for (target, law, seeds) in TARGETS {
        let regressions = format!("fuzz/regressions/{target}");
        for folder in seeds.iter().copied().chain([regressions.as_str()]) {
            for file in files(&root().join(folder)) {
                let bytes = fs::read(&file).unwrap();
                let done = std::panic::catch_unwind(|| law(&bytes));
                assert!(done.is_ok(), "{target} on {}", file.display());
            }
        }
    }
}

#[test]
fn every_target_is_replayed_here() {
    let mut targets: Vec<String> = files(&root().join("fuzz/fuzz_targets"))
        .iter()
        .map(|file| file.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    targets.sort();
    assert_eq!(targets, TARGETS.iter().map(|target| target.0).collect::<Vec<_>>());
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder, none where there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}
