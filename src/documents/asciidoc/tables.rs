//! Tables of AsciiDoc: cells after bars, as many to a row as the columns say.

use crate::documents::builder::Builder;
use crate::documents::spans::{self, Passage};
use crate::documents::table::CellShape;

use super::text::SYNTAX;

/// How often `9*|` repeats a cell at most.
const MAX_REPEATS: usize = 10;

/// A table's cells as they come.
pub(super) struct CellStream {
    /// Columns, once known.
    width: Option<usize>,
    /// `%header`, or a blank line below the first row.
    titled: Option<bool>,
    cells: Vec<(Passage, CellShape, u32)>,
    /// Columns of the row so far.
    filled: usize,
    rows: usize,
    first_line: bool,
}

impl CellStream {
    /// Starts a table under this attribute list.
    pub(super) fn new(attributes: &str) -> Self {
        Self {
            width: columns_of(attributes),
            titled: if attributes.contains("noheader") {
                Some(false)
            } else {
                (attributes.contains("%header")
                    || attributes.contains("options=\"header")
                    || attributes.contains("opts=\"header"))
                .then_some(true)
            },
            cells: Vec::new(),
            filled: 0,
            rows: 0,
            first_line: true,
        }
    }

    /// Reads a line of the table.
    pub(super) fn line(&mut self, line: u32, text: &str, builder: &mut Builder) {
        let content = text.trim();
        if content.is_empty() {
            if self.rows == 0 && self.titled.is_none() && !self.cells.is_empty() && !self.first_line
            {
                self.titled = Some(self.width.is_none_or(|width| self.filled <= width));
            }
            self.end_first_line(builder);
            return;
        }
        if !self.first_line && self.width.is_none() {
            // The first line of cells tells the columns; it is complete now.
            self.end_first_line(builder);
        }
        let mut parts = split_cells(content).into_iter();
        if let Some(before) = parts.next().filter(|before| !before.is_empty())
            && let Some((passage, ..)) = self.cells.last_mut()
        {
            passage.push(line, before);
        }
        while let (Some(shape), Some(words)) = (parts.next(), parts.next()) {
            self.end_row_if_full(builder);
            let (times, shape) = shape_of(shape);
            for _ in 0..times {
                let mut passage = Passage::default();
                passage.push(line, &words.trim().replace("\\|", "|"));
                self.filled += shape.columns;
                self.cells.push((passage, shape, line));
            }
        }
        self.first_line = false;
    }

    /// Writes what is left.
    pub(super) fn finish(mut self, builder: &mut Builder) {
        self.end_row(builder);
    }

    fn end_first_line(&mut self, builder: &mut Builder) {
        if self.width.is_none() && !self.cells.is_empty() {
            self.width = Some(self.filled);
        }
        self.end_row_if_full(builder);
    }

    fn end_row_if_full(&mut self, builder: &mut Builder) {
        if self.width.is_some_and(|width| self.filled >= width) && !self.cells.is_empty() {
            self.end_row(builder);
        }
    }

    fn end_row(&mut self, builder: &mut Builder) {
        let Some((_, _, first)) = self.cells.first() else {
            return;
        };
        builder.open_row(*first);
        for (mut passage, shape, line) in self.cells.drain(..) {
            builder.open_cell(line, shape);
            spans::write(&passage.take(), &SYNTAX, builder.inline());
            builder.close_cell();
        }
        self.filled = 0;
        self.rows += 1;
        if self.rows == 1 && self.titled == Some(true) {
            builder.end_titles();
        }
    }
}

/// How many columns `cols="1,2"`, `cols="3*"` or `cols=2*,1` ask for.
fn columns_of(attributes: &str) -> Option<usize> {
    let value = attributes.split_once("cols=")?.1;
    let value = match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => value.split([',', ']']).next()?,
    };
    let count = |column: &str| {
        let times =
            column.trim().split_once('*').and_then(|(times, _)| times.parse::<usize>().ok());
        times.unwrap_or(1).clamp(1, 1000)
    };
    Some(value.split([',', ';']).map(count).sum())
}

/// The text before the first bar, then for each cell its specification and its text.
fn split_cells(content: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    let bytes = content.as_bytes();
    let bars = content.match_indices('|').map(|(at, _)| at);
    for bar in bars.filter(|bar| *bar == 0 || bytes.get(bar - 1) != Some(&b'\\')) {
        let before = content.get(from..bar).unwrap_or_default();
        // The specification is the last word before the bar.
        let cut = before.rfind([' ', '\t']).map_or(0, |space| space + 1);
        let spec = before.get(cut..).filter(|spec| is_spec(spec));
        let cut = spec.map_or(before.len(), |_| cut);
        parts.push(before.get(..cut).unwrap_or_default().trim());
        parts.push(spec.unwrap_or_default());
        from = bar + 1;
    }
    parts.push(content.get(from..).unwrap_or_default().trim());
    parts
}

fn is_spec(spec: &str) -> bool {
    let styles = spec.trim_start_matches(|c: char| c.is_ascii_digit() || "+.*<>^".contains(c));
    let numbers = spec.get(..spec.len() - styles.len()).unwrap_or_default();
    let counted = numbers.is_empty() || numbers.ends_with(['+', '*', '<', '>', '^']);
    counted && matches!(styles, "" | "a" | "d" | "e" | "h" | "l" | "m" | "s") && !spec.is_empty()
}

/// How often a cell is repeated, and its shape.
fn shape_of(spec: &str) -> (usize, CellShape) {
    let mut shape = CellShape::plain(spec.ends_with('h'));
    let number = |text: &str| text.parse().ok().filter(|number| (1..=1000).contains(number));
    if let Some((times, _)) = spec.split_once('*') {
        return (number(times).unwrap_or(1).min(MAX_REPEATS), shape);
    }
    if let Some((span, _)) = spec.split_once('+') {
        let (columns, rows) = span.split_once('.').unwrap_or((span, ""));
        shape.columns = number(columns).unwrap_or(1);
        shape.rows = number(rows).unwrap_or(1);
    }
    (1, shape)
}
