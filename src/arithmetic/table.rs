//! Tables that add up: a column or a row that calls itself the total of the others.
//!
//! Which columns are parts of a total no title tells. So a total is believed to be the sum of its
//! neighbours only where it is that in most rows, and then the odd one is told.

use std::ops::Range;

use super::token::{self, Kind, Number, Vocabulary};
use super::value::{Taken, Value};
use super::{Equation, Outcome};

/// A table's cells as text.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    /// Titles of the columns.
    pub header: &'a [String],
    /// Rows below.
    pub rows: &'a [Vec<String>],
}

/// How far a sum may be from the total that it is taken for.
const FARTHEST: f64 = 1.25;
/// The same, where no other column shows that it is one.
const FARTHEST_ALONE: f64 = 1.11;
/// Cells of a table above which it is not worked out.
const LARGEST: usize = 4_000;

/// The equations of a table, each with the row that states the total.
pub fn totals(grid: Grid<'_>, words: &Vocabulary) -> Vec<(usize, Equation)> {
    let columns = grid.header.len().max(grid.rows.iter().map(Vec::len).max().unwrap_or(0));
    let names_one = |text: &String| is_total(text, words);
    let in_rows = grid.rows.iter().any(|row| row.first().is_some_and(names_one));
    let in_header = grid.header.iter().filter(|title| names_one(title)).count() == 1;
    if !(in_rows || in_header) || columns * grid.rows.len() > LARGEST {
        return Vec::new();
    }
    let cells: Vec<Vec<Option<Cell>>> =
        grid.rows.iter().map(|row| row.iter().map(|text| cell(text, words)).collect()).collect();
    let mut found = Vec::new();
    if let Some(total) = grid.header.iter().position(names_one).filter(|_| in_header) {
        found.extend(across(&cells, total, columns));
    }
    if in_rows {
        let is_sum: Vec<bool> =
            grid.rows.iter().map(|row| row.first().is_some_and(names_one)).collect();
        found.extend(down(&cells, &is_sum, columns));
    }
    found
}

struct Cell {
    number: Number,
    text: String,
}

fn is_total(text: &str, words: &Vocabulary) -> bool {
    let bare = text.split(['(', '（', '[']).next().unwrap_or_default();
    let bare = bare.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    words.totals.contains(&bare)
}

/// A cell that is one number and nothing else.
fn cell(text: &str, words: &Vocabulary) -> Option<Cell> {
    let bare: String = text.chars().filter(|c| *c != '*').collect();
    let tokens = token::tokens(&bare, words);
    let [only] = tokens.as_slice() else { return None };
    match &only.kind {
        Kind::Number(number) if !number.spans && number.sign.is_none() => {
            Some(Cell { number: number.clone(), text: bare.trim().to_owned() })
        }
        _ => None,
    }
}

/// A total at the end of each row.
fn across(cells: &[Vec<Option<Cell>>], total: usize, columns: usize) -> Vec<(usize, Equation)> {
    let sets: [Vec<usize>; 2] =
        [(1..total).collect(), (1..columns).filter(|column| *column != total).collect()];
    for set in sets {
        let sums: Vec<(usize, Equation)> = cells
            .iter()
            .enumerate()
            .filter_map(|(index, row)| {
                let cell = |column: &usize| row.get(*column)?.as_ref();
                let parts: Option<Vec<&Cell>> = set.iter().map(cell).collect();
                let sum = sum(&parts?, cell(&total)?)?;
                Some((index, sum))
            })
            .collect();
        let holding = sums.iter().filter(|(_, sum)| sum.outcome == Outcome::Holds).count();
        if holding >= 2 && holding >= 2 * (sums.len() - holding) {
            return sums.into_iter().filter(|(_, sum)| near(sum, FARTHEST)).collect();
        }
    }
    Vec::new()
}

/// A total below each column.
fn down(cells: &[Vec<Option<Cell>>], is_sum: &[bool], columns: usize) -> Vec<(usize, Equation)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (index, _) in is_sum.iter().enumerate().filter(|(_, is)| **is) {
        let rows: Range<usize> = start..index;
        start = index + 1;
        let sums: Vec<Equation> = (1..columns)
            .filter_map(|column| {
                let cell = |row: usize| cells.get(row)?.get(column)?.as_ref();
                let parts: Option<Vec<&Cell>> = rows.clone().map(cell).collect();
                sum(&parts?, cell(index)?)
            })
            .collect();
        let shown = sums.iter().any(|sum| sum.outcome == Outcome::Holds);
        let farthest = if shown { FARTHEST } else { FARTHEST_ALONE };
        let told = sums.len() == 1 || shown;
        let near = sums.into_iter().filter(|sum| told && near(sum, farthest));
        found.extend(near.map(|sum| (index, sum)));
    }
    found
}

fn near(sum: &Equation, farthest: f64) -> bool {
    let number = |text: &str| {
        let digits: String = text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
        digits.parse::<f64>().ok()
    };
    match (number(&sum.computed), number(&sum.stated)) {
        (Some(a), Some(b)) if b > 0.0 => (1.0 / farthest..=farthest).contains(&(a / b)),
        _ => false,
    }
}

/// At least two parts in one unit, and their total in the same.
fn sum(parts: &[&Cell], total: &Cell) -> Option<Equation> {
    let unit = |cell: &Cell| cell.number.unit.as_ref().map(|unit| unit.base.clone());
    if parts.len() < 2 || parts.iter().any(|part| unit(part) != unit(total)) {
        return None;
    }
    let taken = Taken::AsWritten;
    let mut parts_sum = Value::of(&parts[0].number, taken);
    for part in &parts[1..] {
        parts_sum = parts_sum.plus(&Value::of(&part.number, taken))?;
    }
    let stated = Value::stated(&total.number, taken, parts_sum.exact);
    let outcome = if parts_sum.meets(&stated) { Outcome::Holds } else { Outcome::Fails };
    let shown: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    Some(Equation {
        text: format!("{} = {}", shown.join(" + "), total.text),
        computed: super::equation::written(parts_sum.middle(), &total.number),
        stated: total.text.clone(),
        outcome,
        approximate: total.number.about,
    })
}
