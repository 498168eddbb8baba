//! Tables in the making: cells come in reading order, [`Table`] comes out rectangular.

use super::inline::Inline;
use super::{Lines, Mark, Row, Table, Text};

/// Columns kept of one table.
const MAX_COLUMNS: usize = 1000;
/// A cell that spans rows is read into each of them up to this many bytes.
const MAX_COPIED: usize = 200;

/// Cells that may be added to a document's tables beyond those that were written: a few bytes of
/// markup can ask for millions.
#[derive(Debug)]
pub(super) struct Allowance {
    left: usize,
    /// Something was left out.
    pub(super) exceeded: bool,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { left: 1 << 17, exceeded: false }
    }
}

impl Allowance {
    fn take(&mut self, cells: usize) -> bool {
        let granted = cells <= self.left;
        if granted {
            self.left -= cells;
        } else {
            self.exceeded = true;
        }
        granted
    }
}

/// What is known of a cell before its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellShape {
    /// Marked as a column title.
    pub(super) header: bool,
    /// Columns it covers.
    pub(super) columns: usize,
    /// Rows it covers.
    pub(super) rows: usize,
    /// The rows below have an empty cell each where it covers them.
    pub(super) written: bool,
}

impl CellShape {
    /// An ordinary cell of one column and one row.
    pub(super) fn plain(header: bool) -> Self {
        Self { header, columns: 1, rows: 1, written: false }
    }
}

#[derive(Debug)]
struct DraftRow {
    cells: Vec<Text>,
    lines: Lines,
    /// Whether all cells with text are column titles; `None` before the first.
    header: Option<bool>,
}

/// A cell that covers rows below its own.
#[derive(Clone, Debug, Default)]
struct Reach {
    /// How many more.
    rows: usize,
    text: Text,
    written: bool,
}

/// Gathers one table.
#[derive(Debug, Default)]
pub(super) struct TableDraft {
    rows: Vec<DraftRow>,
    row: Option<DraftRow>,
    cell: Option<(Inline, CellShape)>,
    /// How many rows a rule said are titles.
    titles: Option<usize>,
    /// By column: how many more rows the cell above reaches down, and its text.
    reaching_down: Vec<Reach>,
}

impl TableDraft {
    /// The text of the cell that is open.
    pub(super) fn cell(&mut self) -> Option<&mut Inline> {
        self.cell.as_mut().map(|(inline, _)| inline)
    }

    /// Starts a row on this line; an open one ends.
    pub(super) fn open_row(&mut self, line: u32, allowance: &mut Allowance) {
        self.close_row(allowance);
        self.row = Some(DraftRow {
            cells: Vec::new(),
            lines: Lines { start: line, end: line },
            header: None,
        });
    }

    /// Starts a cell; an open one ends. A cell outside a row starts one.
    pub(super) fn open_cell(&mut self, line: u32, shape: CellShape, allowance: &mut Allowance) {
        self.close_cell(allowance);
        if self.row.is_none() {
            self.open_row(line, allowance);
        }
        self.cell = Some((Inline::default(), shape));
    }

    /// Ends the open cell.
    pub(super) fn close_cell(&mut self, allowance: &mut Allowance) {
        let (Some((mut inline, shape)), Some(row)) = (self.cell.take(), self.row.as_mut()) else {
            return;
        };
        Self::fill_from_above(&mut self.reaching_down, row, allowance);
        if row.cells.len() >= MAX_COLUMNS {
            allowance.exceeded = true;
            return;
        }
        let mut text = Text::default();
        if let Some((words, lines)) = inline.take() {
            row.lines.end = row.lines.end.max(lines.end);
            row.header = Some(shape.header && row.header != Some(false));
            text = words;
        } else if let Some(reach) =
            self.reaching_down.get_mut(row.cells.len()).filter(|reach| reach.rows > 0)
            && allowance.take(1)
        {
            reach.rows -= 1;
            text.clone_from(&reach.text);
        }
        let columns = shape.columns.clamp(1, MAX_COLUMNS - row.cells.len());
        let columns = if allowance.take(columns - 1) { columns } else { 1 };
        // A title over several columns is each one's title; a wide body cell is said once.
        let copied = text.plain.len() <= MAX_COPIED;
        let further = if shape.header && copied { text.clone() } else { Text::default() };
        if shape.rows > 1 && copied {
            let end = row.cells.len() + columns;
            if self.reaching_down.len() < end {
                self.reaching_down.resize(end, Reach::default());
            }
            for slot in self.reaching_down.iter_mut().take(end).skip(row.cells.len()) {
                *slot = Reach { rows: shape.rows - 1, text: text.clone(), written: shape.written };
            }
        }
        row.cells.push(text);
        row.cells.extend(std::iter::repeat_n(further, columns - 1));
    }

    /// Ends the open row.
    pub(super) fn close_row(&mut self, allowance: &mut Allowance) {
        self.close_cell(allowance);
        if let Some(mut row) = self.row.take() {
            Self::fill_from_above(&mut self.reaching_down, &mut row, allowance);
            self.rows.push(row);
        }
    }

    /// A rule under the rows so far: the first one sets titles apart.
    pub(super) fn end_titles(&mut self, allowance: &mut Allowance) {
        self.close_row(allowance);
        if !self.rows.is_empty() {
            self.titles.get_or_insert(self.rows.len());
        }
    }

    /// The finished table and its lines.
    pub(super) fn finish(mut self, allowance: &mut Allowance) -> (Table, Option<Lines>) {
        self.close_row(allowance);
        let lines = self.rows.first().zip(self.rows.last());
        let lines =
            lines.map(|(first, last)| Lines { start: first.lines.start, end: last.lines.end });
        let width = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
        let marked = || self.rows.iter().take_while(|row| row.header == Some(true)).count();
        let titles = match self.titles.unwrap_or_else(marked) {
            0 => usize::from(self.rows.first().is_some_and(all_bold)),
            // A rule below all rows sets nothing apart.
            all if all == self.rows.len() => usize::from(self.titles.is_none() || all == 1),
            titles => titles,
        };
        let mut header: Vec<Inline> = std::iter::repeat_with(Inline::default).take(width).collect();
        let mut rows = Vec::with_capacity(self.rows.len() - titles);
        for (index, mut row) in self.rows.into_iter().enumerate() {
            if index < titles {
                for (column, text) in header.iter_mut().zip(row.cells) {
                    // A title that spans rows is said once.
                    if !column.ends_with(&text.plain) {
                        column.append(text);
                    }
                }
            } else {
                if allowance.take(width - row.cells.len()) {
                    row.cells.resize(width, Text::default());
                }
                rows.push(Row { cells: row.cells, lines: row.lines });
            }
        }
        let header = header
            .into_iter()
            .map(|mut column| column.take().map(|(text, _)| text).unwrap_or_default());
        (Table { header: header.collect(), rows }, lines)
    }

    fn fill_from_above(reaching_down: &mut [Reach], row: &mut DraftRow, allowance: &mut Allowance) {
        while let Some(reach) = reaching_down.get_mut(row.cells.len())
            && reach.rows > 0
            && !reach.written
            && row.cells.len() < MAX_COLUMNS
            && allowance.take(1)
        {
            reach.rows -= 1;
            row.cells.push(reach.text.clone());
        }
    }
}

/// Whether all cells with text, and at least one, are bold from end to end.
fn all_bold(row: &DraftRow) -> bool {
    let mut worded = row.cells.iter().filter(|cell| !cell.plain.is_empty()).peekable();
    worded.peek().is_some()
        && worded.all(|cell| {
            cell.marks
                .iter()
                .any(|(range, mark)| *mark == Mark::Strong && *range == (0..cell.plain.len()))
        })
}
