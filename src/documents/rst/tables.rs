//! Tables of reStructuredText: drawn as a grid, ruled with `===`, as nested lists, as CSV.

use unicode_width::UnicodeWidthChar;

use crate::documents::builder::Builder;
use crate::documents::spans::{self, Passage};
use crate::documents::table::CellShape;

use super::text::SYNTAX;

/// A line with its number.
pub(super) type Line<'a> = (u32, &'a str);

/// Columns read of one drawn table.
const MAX_DRAWN: usize = 256;

/// Lines of a cell.
type Cell<'a> = Vec<Line<'a>>;

/// Reads the grid table at the start of these lines; how many lines it takes.
pub(super) fn grid(lines: &[Line<'_>], builder: &mut Builder) -> usize {
    let length =
        lines.iter().take_while(|(_, text)| text.trim_start().starts_with(['+', '|'])).count();
    let lines = lines.get(..length).unwrap_or_default();
    let mut borders: Vec<usize> = lines
        .iter()
        .filter(|(_, text)| is_rule(text))
        .flat_map(|(_, text)| {
            columns(text).filter(|(_, _, sign)| *sign == '+').map(|(column, ..)| column)
        })
        .collect();
    borders.sort_unstable();
    borders.dedup();
    borders.truncate(MAX_DRAWN + 1);
    let width = borders.len().saturating_sub(1);
    let mut cells: Vec<Cell<'_>> = vec![Vec::new(); width];
    let mut spanning: Vec<Option<Cell<'_>>> = vec![None; width];
    builder.open_table(None);
    for (line, text) in lines {
        let ruled = is_rule(text);
        let parts = if ruled { Vec::new() } else { parts_of(text, &borders) };
        if ruled || parts.iter().any(|(_, part)| is_dashed(part)) {
            end_row(&mut cells, &mut spanning, builder);
            for (cell, above) in cells.iter_mut().zip(&mut spanning) {
                *above = Some(std::mem::take(cell)).filter(|_| !ruled);
            }
            // Where this line has a rule, the cell above ends; elsewhere it reaches on down.
            for (column, part) in parts {
                if is_dashed(part) {
                    spanning.get_mut(column).into_iter().for_each(|above| *above = None);
                }
            }
            if ruled && text.contains("+=") {
                builder.end_titles();
            }
            continue;
        }
        for (column, part) in parts {
            cells.get_mut(column).into_iter().for_each(|cell| cell.push((*line, part)));
        }
    }
    end_row(&mut cells, &mut spanning, builder);
    builder.close_table();
    length
}

/// Reads the table ruled with `===` at the start of these lines; how many lines it takes, 0 where
/// it is none.
pub(super) fn simple(lines: &[Line<'_>], builder: &mut Builder) -> usize {
    let Some((_, top)) = lines.first() else {
        return 0;
    };
    let mut starts = Vec::new();
    let mut before = ' ';
    for (column, _, sign) in columns(top) {
        if sign == '=' && before != '=' {
            starts.push(column);
        }
        before = sign;
    }
    starts.truncate(MAX_DRAWN);
    let blank_after =
        |index: usize| lines.get(index + 1).is_none_or(|(_, next)| next.trim().is_empty());
    let borders = lines.iter().enumerate().skip(1).filter(|(_, (_, text))| is_simple_rule(text));
    let Some(end) = borders.map(|(index, _)| index).find(|index| blank_after(*index)) else {
        return 0;
    };
    let mut cells: Vec<Cell<'_>> = vec![Vec::new(); starts.len()];
    let mut none = vec![None; starts.len()];
    builder.open_table(None);
    for (line, text) in lines.get(1..end).unwrap_or_default() {
        if text.trim().bytes().all(|byte| matches!(byte, b'-' | b' ')) {
            continue;
        }
        if is_simple_rule(text) {
            end_row(&mut cells, &mut none, builder);
            cells.iter_mut().for_each(Vec::clear);
            builder.end_titles();
            continue;
        }
        let parts = ruled_parts(text, &starts);
        if parts.last().is_some_and(|(column, first)| *column == 0 && !first.trim().is_empty()) {
            end_row(&mut cells, &mut none, builder);
            cells.iter_mut().for_each(Vec::clear);
        }
        for (column, part) in parts {
            cells.get_mut(column).into_iter().for_each(|cell| cell.push((*line, part)));
        }
    }
    end_row(&mut cells, &mut none, builder);
    builder.close_table();
    end + 1
}

/// Reads the body of a `list-table`: an item for each row, in it an item for each cell.
pub(super) fn list(lines: &[Line<'_>], titles: usize, builder: &mut Builder) {
    let mut cells: Vec<Cell<'_>> = Vec::new();
    let mut rows = 0;
    builder.open_table(None);
    for (line, text) in lines {
        let mut content = text.trim();
        if let Some(row) =
            content.strip_prefix(['*', '-']).map(str::trim_start).filter(|row| is_bullet(row))
        {
            rows += usize::from(!cells.is_empty());
            end_list_row(&mut cells, builder, rows == titles);
            content = row;
        }
        match content.strip_prefix(['-', '*']).filter(|_| is_bullet(content)) {
            Some(words) => cells.push(vec![(*line, words)]),
            None => cells.last_mut().into_iter().for_each(|cell| cell.push((*line, content))),
        }
    }
    rows += 1;
    end_list_row(&mut cells, builder, rows == titles);
    builder.close_table();
}

/// Reads the body of a `csv-table`.
pub(super) fn csv(
    header: Option<Line<'_>>,
    lines: &[Line<'_>],
    titles: usize,
    builder: &mut Builder,
) {
    builder.open_table(None);
    for (index, (line, text)) in header.iter().chain(lines).enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        builder.open_row(*line);
        for cell in csv_cells(text.trim()) {
            write_cell(&[(*line, &cell)], builder);
        }
        if index + 1 == titles + usize::from(header.is_some()) {
            builder.end_titles();
        }
    }
    builder.close_table();
}

/// A line of dashes with crosses.
pub(super) fn is_rule(text: &str) -> bool {
    let text = text.trim();
    text.len() >= 3
        && text.starts_with('+')
        && text.ends_with('+')
        && text.bytes().all(|byte| matches!(byte, b'+' | b'-' | b'='))
}

/// At least two stretches of `=`.
pub(super) fn is_simple_rule(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("==")
        && text.contains(" =")
        && text.bytes().all(|byte| matches!(byte, b'=' | b' '))
}

fn is_bullet(text: &str) -> bool {
    text == "-" || text == "*" || text.starts_with("- ") || text.starts_with("* ")
}

fn end_row<'a>(cells: &mut [Cell<'a>], above: &mut [Option<Cell<'a>>], builder: &mut Builder) {
    let worded = |cell: &Cell<'_>| cell.iter().any(|(_, text)| !text.trim().is_empty());
    let first = cells
        .iter()
        .flatten()
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(line, _)| *line)
        .min();
    let Some(first) = first else { return };
    builder.open_row(first);
    for (cell, above) in cells.iter_mut().zip(above) {
        if let Some(above) = above.take_if(|_| !worded(cell)) {
            *cell = above;
        }
    }
    let used = cells.iter().rposition(worded).map_or(0, |last| last + 1);
    cells.iter().take(used).for_each(|cell| write_cell(cell, builder));
}

/// Whether this part of a grid's line is a rule.
fn is_dashed(part: &str) -> bool {
    part.len() >= 2 && part.bytes().all(|byte| matches!(byte, b'-' | b'='))
}

fn end_list_row(cells: &mut Vec<Cell<'_>>, builder: &mut Builder, titles: bool) {
    let Some((first, _)) = cells.first().and_then(|cell| cell.first()) else {
        return;
    };
    builder.open_row(*first);
    cells.iter().for_each(|cell| write_cell(cell, builder));
    cells.clear();
    if titles {
        builder.end_titles();
    }
}

fn write_cell(lines: &[(u32, &str)], builder: &mut Builder) {
    let mut passage = Passage::default();
    for (line, text) in lines {
        passage.push(*line, text.trim());
    }
    let line = lines.first().map_or(1, |(line, _)| *line);
    builder.open_cell(line, CellShape::plain(false));
    spans::write(&passage.take(), &SYNTAX, builder.inline());
    builder.close_cell();
}

/// Characters with the column they begin at on a terminal, and their byte offset.
fn columns(text: &str) -> impl Iterator<Item = (usize, usize, char)> {
    text.char_indices().scan(0, |column, (offset, sign)| {
        let at = *column;
        *column += sign.width().unwrap_or(0);
        Some((at, offset, sign))
    })
}

/// The text of each column of a grid; a cell over several columns stands in its first.
fn parts_of<'a>(text: &'a str, borders: &[usize]) -> Vec<(usize, &'a str)> {
    let content = text.trim();
    let inner = content.strip_prefix('|').and_then(|inner| inner.strip_suffix('|'));
    // As many bars as borders: taken at their word, even where wide characters shift them.
    if let Some(inner) = inner.filter(|inner| inner.matches('|').count() + 2 == borders.len()) {
        return inner.split('|').enumerate().collect();
    }
    let mut parts = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for (column, offset, sign) in columns(text) {
        let Ok(border) = borders.binary_search(&column) else {
            continue;
        };
        if !matches!(sign, '|' | '+') {
            continue;
        }
        if let Some((index, from)) = open {
            parts.extend(text.get(from..offset).map(|part| (index, part)));
        }
        open = Some((border, offset + 1));
    }
    parts
}

/// The text of each column of a ruled table, last first; text over a gap belongs to the column it
/// began in.
fn ruled_parts<'a>(text: &'a str, starts: &[usize]) -> Vec<(usize, &'a str)> {
    let mut cuts = Vec::new();
    let mut before = ' ';
    let mut next = 0;
    for (column, offset, sign) in columns(text) {
        while let Some(start) = starts.get(next).filter(|start| **start <= column) {
            if *start == column && (before == ' ' || next == 0) {
                cuts.push((next, offset));
            }
            next += 1;
        }
        before = sign;
    }
    let mut end = text.len();
    let mut parts = Vec::with_capacity(cuts.len());
    for (column, cut) in cuts.into_iter().rev() {
        parts.extend(text.get(cut..end).map(|part| (column, part)));
        end = cut;
    }
    parts
}

/// The cells of one CSV line; quoted cells do not go on to the next line.
fn csv_cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let cell_begins = cells.last().is_some_and(|cell| cell.trim().is_empty());
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cells.last_mut().into_iter().for_each(|cell| cell.push('"'));
            }
            '"' if quoted || cell_begins => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().into_iter().for_each(|cell| cell.push(c)),
        }
    }
    cells
}
