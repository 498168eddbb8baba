//! Jupyter notebooks: Markdown cells as one Markdown document, code cells as code; outputs are no text.
//!
//! Lines are those of the notebook file: of the JSON string in which each line of a cell stands.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::builder::Builder;
use super::source::Source;
use super::{Lines, Text, code, markdown};

#[derive(Deserialize)]
struct Notebook<'a> {
    #[serde(borrow, default)]
    cells: Vec<Cell<'a>>,
    /// Where version 3 keeps its cells.
    #[serde(borrow, default)]
    worksheets: Vec<Worksheet<'a>>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Worksheet<'a> {
    #[serde(borrow, default)]
    cells: Vec<Cell<'a>>,
}

#[derive(Deserialize)]
struct Cell<'a> {
    #[serde(borrow, default)]
    cell_type: Cow<'a, str>,
    #[serde(borrow)]
    source: Option<&'a RawValue>,
    /// Code in version 3.
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    /// Of a heading cell in version 3.
    level: Option<u8>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    kernelspec: Kernel,
}

#[derive(Default, Deserialize)]
struct Kernel {
    #[serde(default)]
    language: String,
}

/// Reads a notebook file.
pub(super) fn read(source: &Source, builder: &mut Builder) {
    let notebook: Notebook<'_> = match serde_json::from_str(&source.text) {
        Ok(notebook) => notebook,
        Err(error) => {
            let (line, column) = (error.line(), error.column());
            return builder.problem(format!(
                "no notebook: the JSON ends making sense at line {line}, column {column}"
            ));
        }
    };
    let worksheets = notebook.worksheets.into_iter().flat_map(|worksheet| worksheet.cells);
    for cell in notebook.cells.into_iter().chain(worksheets) {
        let text = cell.source.or(cell.input).and_then(|raw| cell_text(raw, source));
        let Some(text) = text.filter(|text| !text.text.trim().is_empty()) else {
            continue;
        };
        match &*cell.cell_type {
            "markdown" => markdown::read_part(&text, 0, builder),
            "heading" => {
                builder.inline().push_lines(&text.text, text.lines_from(0));
                builder.heading(cell.level.unwrap_or(1).clamp(1, 6), None);
            }
            "code" => {
                let mut block = Text::default();
                code::push(&mut block, &text.text, text.lines_from(0));
                code::trim(&mut block);
                let lines = Lines { start: text.line_of(0), end: text.line_of(text.text.len()) };
                let language = Some(notebook.metadata.kernelspec.language.as_str())
                    .filter(|name| !name.is_empty());
                builder.code(language.unwrap_or("python"), lines, block);
            }
            _ => {}
        }
        builder.close_to(0);
    }
}

/// A cell's text: one string, or a string for each line.
fn cell_text(raw: &RawValue, source: &Source) -> Option<Source> {
    let one = raw.get().starts_with('"');
    let strings: Vec<&RawValue> =
        if one { vec![raw] } else { serde_json::from_str(raw.get()).ok()? };
    let mut text = String::new();
    let mut numbers = Vec::new();
    for string in strings {
        // Both are slices of the same text.
        let offset = (string.get().as_ptr() as usize).checked_sub(source.text.as_ptr() as usize)?;
        let line = source.line_of(offset);
        let part: String = serde_json::from_str(string.get()).ok()?;
        for part in part.split_inclusive('\n') {
            if text.is_empty() || text.ends_with('\n') {
                numbers.push(line);
            }
            text.push_str(part);
        }
    }
    Some(Source::mapped(text, numbers))
}
