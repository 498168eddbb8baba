//! How fast documents are read: `just bench`, in bytes of documents per second and thread.
//!
//! The texts are those of the stories and of the golden documents, so the figures compare with each
//! other and over time, not with those of other programs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a bench fails by panicking"
)]

#[allow(dead_code, reason = "the bench takes the texts alone")]
#[path = "../tests/support/story.rs"]
mod story;

use std::fs;
use std::path::Path;

use claim_audit::documents::{self, Document, Format};
use claim_audit::extract::{self, Memo};
use claim_audit::rules::RuleSet;
use divan::Bencher;
use divan::counter::BytesCount;

/// How often the texts are repeated.
const TIMES: usize = 8;

fn main() {
    divan::main();
}

/// Every text once: name and bytes.
fn texts() -> Vec<(Format, Vec<u8>)> {
    let mut found = Vec::new();
    for story in story::all() {
        for (path, text) in story.commits.iter().flat_map(|commit| &commit.write) {
            found.extend(Format::of_name(path).map(|format| (format, text.clone().into_bytes())));
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
            found.extend(format.map(|format| (format, fs::read(&file).unwrap())));
        }
    }
    found
}

/// All Markdown, repeated, as the versions of one document that grows by a text at a time.
fn versions() -> Vec<Vec<u8>> {
    let markdown = texts().into_iter().filter(|(format, _)| *format == Format::Markdown);
    let mut all = Vec::new();
    let grown = markdown.map(|(_, text)| {
        all.extend_from_slice(b"\n\n# Part\n\n");
        all.extend(text);
        all.clone()
    });
    grown.collect()
}

fn size<'a>(texts: impl IntoIterator<Item = &'a Vec<u8>>) -> BytesCount {
    BytesCount::new(texts.into_iter().map(Vec::len).sum::<usize>())
}

fn parsed() -> (Vec<Document>, BytesCount) {
    let texts = texts();
    let bytes = size(texts.iter().map(|(_, text)| text));
    (texts.iter().map(|(format, text)| documents::parse(*format, text)).collect(), bytes)
}

/// Loading the built-in rules and reading one sentence: what every start pays.
#[divan::bench]
fn start() {
    let rules = RuleSet::built_in().unwrap();
    let document = documents::parse(Format::Markdown, b"# Results\n\nThree cards fail at start.\n");
    divan::black_box(extract::statements(&document, &rules));
}

/// Bytes to blocks.
#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    let texts = texts();
    bencher.counter(size(texts.iter().map(|(_, text)| text))).bench_local(|| {
        for (format, text) in &texts {
            divan::black_box(documents::parse(*format, text));
        }
    });
}

/// Blocks to statements, nothing remembered.
#[divan::bench]
fn statements(bencher: Bencher<'_, '_>) {
    let rules = RuleSet::built_in().unwrap();
    let (documents, bytes) = parsed();
    bencher.counter(bytes).bench_local(|| {
        for document in &documents {
            divan::black_box(extract::statements(document, &rules));
        }
    });
}

/// Blocks to statements where all stood in an earlier version.
#[divan::bench]
fn remembered(bencher: Bencher<'_, '_>) {
    let rules = RuleSet::built_in().unwrap();
    let (documents, bytes) = parsed();
    let memo = Memo::new(&rules);
    bencher.counter(bytes).bench_local(|| {
        for document in &documents {
            divan::black_box(memo.statements(document));
        }
    });
}

/// Bytes to statements over the versions of a growing document, from an empty memo.
#[divan::bench(sample_count = 10)]
fn history(bencher: Bencher<'_, '_>) {
    let rules = RuleSet::built_in().unwrap();
    let versions: Vec<Vec<u8>> = (0..TIMES).flat_map(|_| versions()).collect();
    bencher.counter(size(&versions)).bench_local(|| {
        let memo = Memo::new(&rules);
        for text in &versions {
            divan::black_box(memo.statements(&documents::parse(Format::Markdown, text)));
        }
    });
}
