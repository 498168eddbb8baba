//! Every document in `testdata/documents/FORMAT/` against the blocks beside it.
//!
//! `UPDATE_BLOCKS=1` writes the `.blocks` files anew: read the difference before committing it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a failure here is the point, and the environment says whether to write"
)]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use claim_audit::documents::{Block, BlockKind, Document, Format, Lines, Mark, Quote, Text, parse};
use proptest::prelude::*;

#[test]
fn documents_read_as_written_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/documents");
    let update = std::env::var_os("UPDATE_BLOCKS").is_some();
    let mut wrong = Vec::new();
    let mut read = 0;
    for input in inputs(&root) {
        let format = Format::of_name(input.to_str().unwrap()).expect("a known extension");
        let bytes = fs::read(&input).unwrap();
        let document = parse(format, &bytes);
        holds(&document, &bytes);
        let seen = dump(&document);
        let expected = input.with_extension("blocks");
        if update {
            fs::write(&expected, &seen).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default().replace("\r\n", "\n") != seen {
            wrong.push(format!("{}:\n{seen}", input.display()));
        }
        read += 1;
    }
    assert!(read > 0, "no documents in {}", root.display());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn inputs(root: &Path) -> Vec<PathBuf> {
    let list = |folder: &Path| {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let mut inputs: Vec<_> = list(root).iter().flat_map(|format| list(format)).collect();
    inputs.retain(|path| {
        path.extension().is_some_and(|extension| extension != "blocks" && extension != "statements")
    });
    inputs.sort();
    inputs
}

/// One line for each block: number, lines, kind, where it stands, text with its marks visible and
/// `⏎N` where source line N begins. Table rows follow below.
fn dump(document: &Document) -> String {
    let mut out = String::new();
    for problem in &document.problems {
        writeln!(out, "! {problem}").unwrap();
    }
    for (index, block) in document.blocks.iter().enumerate() {
        let kind = match &block.kind {
            BlockKind::Heading(section) => format!("heading {}", document.sections[*section].level),
            BlockKind::Paragraph => "paragraph".to_owned(),
            BlockKind::Item { checked: None } => "item".to_owned(),
            BlockKind::Item { checked: Some(done) } => {
                format!("item [{}]", if *done { 'x' } else { ' ' })
            }
            BlockKind::Table(_) => "table".to_owned(),
            BlockKind::Code { language } => format!("code {language}").trim_end().to_owned(),
            BlockKind::Comment => "comment".to_owned(),
            BlockKind::CodeComment => "comment of code".to_owned(),
            BlockKind::Field { key } => format!("field {key}"),
        };
        write!(out, "#{index} {} {kind}", span(block.lines)).unwrap();
        match block.quote {
            Quote::None => {}
            quote => write!(out, " quote={}", format!("{quote:?}").to_lowercase()).unwrap(),
        }
        if let Some(parent) = block.parent {
            write!(out, " in #{parent}").unwrap();
        }
        write!(out, " ({})", document.section_path(block.section).join(" / ")).unwrap();
        match &block.kind {
            BlockKind::Table(table) => {
                let row =
                    |cells: &[Text]| cells.iter().map(visible).collect::<Vec<_>>().join(" | ");
                write!(out, "\n    | {} |", row(&table.header)).unwrap();
                for body in &table.rows {
                    write!(out, "\n    {} | {} |", span(body.lines), row(&body.cells)).unwrap();
                }
                writeln!(out).unwrap();
            }
            _ => writeln!(out, ": {}", visible(&block.text)).unwrap(),
        }
    }
    out
}

fn span(lines: Lines) -> String {
    if lines.start == lines.end {
        lines.start.to_string()
    } else {
        format!("{}-{}", lines.start, lines.end)
    }
}

fn visible(text: &Text) -> String {
    let signs = |mark: &Mark| match mark {
        Mark::Code => ("`", "`"),
        Mark::Strong => ("**", "**"),
        Mark::Emphasis => ("_", "_"),
        Mark::Strike => ("~~", "~~"),
        Mark::Link => ("[", "]"),
    };
    // At one offset: inner marks end first, then a line begins, then outer marks begin first.
    let mut inserts: Vec<(usize, u8, String)> = Vec::new();
    for (range, mark) in text.marks.iter().rev() {
        inserts.push((range.end, 0, signs(mark).1.to_owned()));
    }
    for (offset, line) in text.lines.iter().skip(1) {
        inserts.push((*offset, 1, format!("⏎{line} ")));
    }
    for (range, mark) in &text.marks {
        inserts.push((range.start, 2, signs(mark).0.to_owned()));
    }
    inserts.sort_by_key(|(offset, order, _)| (*offset, *order));
    let mut shown = String::new();
    let mut from = 0;
    for (offset, _, insert) in inserts {
        shown.push_str(&text.plain[from..offset]);
        shown.push_str(&insert);
        from = offset;
    }
    shown.push_str(&text.plain[from..]);
    shown.replace('\n', "\\n").replace('\0', "␀")
}

/// What holds of every document, whatever its bytes.
fn holds(document: &Document, bytes: &[u8]) {
    let last = u32::try_from(bytes.iter().filter(|byte| **byte == b'\n').count()).unwrap() + 1;
    let within = |lines: Lines| {
        assert!(
            1 <= lines.start && lines.start <= lines.end && lines.end <= last,
            "{lines:?} of {last}"
        )
    };
    let text = |text: &Text| {
        assert_eq!(text.lines.is_empty(), text.plain.is_empty(), "{text:?}");
        assert!(text.lines.first().is_none_or(|first| first.0 == 0), "{text:?}");
        assert!(text.lines.is_sorted_by(|a, b| a.0 <= b.0 && a.1 < b.1), "{text:?}");
        assert!(text.marks.is_sorted_by_key(|(range, _)| range.start), "{text:?}");
        for (range, _) in &text.marks {
            assert!(range.start < range.end && text.plain.get(range.clone()).is_some(), "{text:?}");
        }
        for (offset, line) in &text.lines {
            assert!(text.plain.is_char_boundary(*offset) && (1..=last).contains(line), "{text:?}");
        }
    };
    assert!(
        document.blocks.is_sorted_by_key(|block| block.lines.start),
        "blocks in order of their first lines: {:?}",
        starts(document)
    );
    for (index, block) in document.blocks.iter().enumerate() {
        let Block { kind, section, lines, text: words, parent, .. } = block;
        within(*lines);
        text(words);
        assert!(section.is_none_or(|section| section < document.sections.len()));
        assert!(parent.is_none_or(|parent| {
            parent < index && matches!(document.blocks[parent].kind, BlockKind::Item { .. })
        }));
        for (_, line) in &words.lines {
            assert!(lines.start <= *line && *line <= lines.end, "{block:?}");
        }
        if let BlockKind::Table(table) = kind {
            table.header.iter().for_each(text);
            for row in &table.rows {
                within(row.lines);
                assert!(row.lines.start >= lines.start && row.lines.end <= lines.end, "{block:?}");
                assert_eq!(row.cells.len(), table.header.len());
                row.cells.iter().for_each(text);
            }
        }
    }
    for (index, section) in document.sections.iter().enumerate() {
        within(section.lines);
        assert!(
            (1..=6).contains(&section.level) && section.parent.is_none_or(|parent| parent < index)
        );
    }
}

fn starts(document: &Document) -> Vec<(u32, &BlockKind)> {
    document.blocks.iter().map(|block| (block.lines.start, &block.kind)).collect()
}

fn formats() -> impl Iterator<Item = Format> {
    (0..=u8::MAX).filter_map(Format::of_tag)
}

/// Words that are markup somewhere, so that random documents are not only prose.
fn soup() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "\n",
        "\n",
        "\n\n",
        " ",
        "  ",
        "    ",
        "\t",
        "\r\n",
        "- ",
        "* ",
        "1. ",
        "> ",
        "# ",
        "## ",
        "| ",
        "|",
        "|---|",
        "---",
        "===",
        "```",
        "~~~",
        "`",
        "``",
        "**",
        "_",
        "~~",
        "[",
        "](x)",
        "![",
        "<b>",
        "</b>",
        "<br>",
        "<table>",
        "<tr>",
        "<td>",
        "<th rowspan=3>",
        "<td colspan=2>",
        "</td>",
        "</table>",
        "<li>",
        "<ul>",
        "</ul>",
        "</li>",
        "<blockquote>",
        "</blockquote>",
        "<pre>",
        "</pre>",
        "<!-- ",
        " -->",
        "<details>",
        "<summary>",
        "</summary>",
        "<del>",
        "<sup>",
        "&amp;",
        "&#10;",
        "&",
        "[^1]",
        "[^1]: ",
        "> [!NOTE]\n",
        "- [ ] ",
        "- [x] ",
        "+++",
        "key: value",
        "{",
        "}",
        "[",
        "]",
        "\"",
        ",",
        "\"cells\"",
        ":",
        "\"source\"",
        "\\n",
        "\\",
        ".. note::",
        "::",
        "====",
        "+---+",
        "|===",
        "\\begin{tabular}",
        "\\end{tabular}",
        "\\item",
        "&&",
        "\\\\",
        "* TODO ",
        "#+begin_src",
        "#+end_src",
        "a",
        "3 cards fail",
        "三张卡失败",
        "，",
        "\u{3000}",
        "é",
        "\0",
        "\u{feff}",
        "🚀",
    ]);
    prop::collection::vec(words, 0..60).prop_map(|words| words.concat())
}

/// A notebook with this text as its cells, one string for each line.
fn notebook(text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let cell = serde_json::json!({ "cell_type": "markdown", "metadata": {}, "source": lines });
    let one = serde_json::json!({ "cell_type": "markdown", "metadata": {}, "source": text });
    let notebook = serde_json::json!({ "cells": [cell, one, cell], "metadata": {}, "nbformat": 4 });
    serde_json::to_string_pretty(&notebook).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in ".{0,200}") {
        for format in formats() {
            holds(&parse(format, text.as_bytes()), text.as_bytes());
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in formats() {
            parse(format, &bytes);
        }
    }

    #[test]
    fn markup_soup_is_read(text in soup()) {
        for format in formats() {
            holds(&parse(format, text.as_bytes()), text.as_bytes());
        }
    }

    #[test]
    fn notebooks_of_markup_soup_are_read(text in soup()) {
        let notebook = notebook(&text);
        holds(&parse(Format::Notebook, notebook.as_bytes()), notebook.as_bytes());
    }

    #[test]
    fn a_row_of_a_pipe_table_is_one_line(cells in prop::collection::vec("[a-z0-9 .`*]{0,8}", 1..20)) {
        let rows: String = cells.iter().map(|cell| format!("| {cell} | x |\n")).collect();
        let text = format!("Before.\n\n| a | b |\n|---|---|\n{rows}\nAfter.\n");
        let document = parse(Format::Markdown, text.as_bytes());
        let table = document.blocks.iter().find_map(|block| match &block.kind {
            BlockKind::Table(table) => Some(table),
            _ => None,
        });
        for (line, row) in (5..).zip(&table.expect("a table").rows) {
            prop_assert_eq!(row.lines, Lines { start: line, end: line });
        }
    }
}
