//! What a column of a table holds: told by its title and its cells together.
//!
//! A title such as "power" or "time" names what was measured in one table and what was set in the
//! next. The cells tell which: levels that rise by equal steps, one value all the way down, dates
//! and clock times were chosen; values that differ in their third digit were found.

use std::sync::LazyLock;

use regex::Regex;

use super::number::{self, Found};
use super::reading::Reading;
use crate::rules::{RuleSet, Tables};

/// Cells that have to agree before they say anything of a column.
const SOME: usize = 3;

/// The same where the title speaks of a measure.
const MANY: usize = 4;

/// Digits that nobody chooses: `98.1` was found, `98` may have been set.
const EXACT: u8 = 3;

#[expect(clippy::expect_used, reason = "the expression is a literal and a test compiles it")]
static WHEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(?:[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?(?: ?[ap]m)?|(?:19|20)[0-9]{2}[-/.]?[01][0-9][-/.]?[0-3][0-9](?: ?- ?(?:19|20)[0-9]{6})?|[0-9]{1,2}/[0-9]{1,2} ?- ?[0-9]{1,2}/[0-9]{1,2}|[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}|[0-9]{1,3} ?- ?[0-9]{1,3} days?)$",
    )
    .expect("a valid expression")
});

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// Words or marks that say how it went.
    Outcome,
    /// Numbers that were found.
    Number,
    /// What was set or chosen.
    Condition,
    /// Remarks.
    Note,
    /// Targets, files, descriptions.
    Other,
    /// Nothing known.
    Open,
}

impl Column {
    /// In words, for notes.
    pub(super) fn name(self) -> &'static str {
        match self {
            Column::Outcome => "outcome",
            Column::Number => "numbers",
            Column::Condition => "condition",
            Column::Note => "remarks",
            Column::Other => "other",
            Column::Open => "open",
        }
    }
}

/// What the cells of a column look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Levels: equal steps or equal ratios.
    Levels,
    /// One number all the way down.
    Same,
    /// Dates or clock times.
    When,
    /// Numbers with more digits than anybody chooses.
    Exact,
    /// Anything else.
    Plain,
}

/// What a column holds by its title (bare, lower case), its place and its cells, and what these show.
pub(super) fn column(
    name: &str,
    index: usize,
    cells: &[&Reading],
    rules: &RuleSet,
) -> (Column, Content) {
    let (titled, content) = (by_title(name, index, &rules.tables), content(cells, rules));
    let column = match (titled, content) {
        (Column::Open | Column::Number, Content::When) => Column::Other,
        (Column::Open, Content::Levels | Content::Same) => Column::Condition,
        (Column::Open, Content::Exact) => Column::Number,
        (Column::Number, Content::Levels | Content::Same)
            if cells.len() >= MANY && !number::names_measured_unit(name, rules) =>
        {
            Column::Condition
        }
        (titled, _) => titled,
    };
    (column, content)
}

fn by_title(name: &str, index: usize, knows: &Tables) -> Column {
    if knows.outcome.is_match(name) {
        Column::Outcome
    } else if knows.success.is_match(name) {
        Column::Number
    } else if knows.other.is_match(name) {
        Column::Other
    } else if knows.note.is_match(name) {
        Column::Note
    } else if knows.condition.is_match(name) {
        Column::Condition
    } else if knows.metric.is_match(name) {
        Column::Number
    } else if index == 0 {
        Column::Condition
    } else {
        Column::Open
    }
}

fn content(cells: &[&Reading], rules: &RuleSet) -> Content {
    let filled: Vec<&str> =
        cells.iter().map(|cell| cell.norm.trim()).filter(|text| !text.is_empty()).collect();
    if filled.len() < SOME {
        return Content::Plain;
    }
    if filled.iter().filter(|text| WHEN.is_match(text)).count() * 2 > filled.len() {
        return Content::When;
    }
    let numbers: Vec<Found> = filled
        .iter()
        .filter_map(|text| {
            let found = number::scan(text, rules).into_iter().next()?;
            (found.range.start == 0).then_some(found)
        })
        .collect();
    if numbers.len() < SOME || numbers.len() * 2 <= filled.len() {
        return Content::Plain;
    }
    if numbers.len() == filled.len() {
        let units_too =
            |found: &Found| (found.quantity.number.clone(), found.quantity.unit.clone());
        let first = units_too(&numbers[0]);
        if numbers.iter().all(|found| units_too(found) == first) {
            return Content::Same;
        }
        let values: Vec<f64> =
            numbers.iter().filter_map(|found| found.quantity.number.parse().ok()).collect();
        let chosen = numbers.iter().all(|found| found.quantity.digits < EXACT || !found.fraction);
        if chosen && are_levels(&values) {
            return Content::Levels;
        }
    }
    let exact = |found: &&Found| found.fraction && found.quantity.digits >= EXACT;
    if numbers.iter().filter(exact).count() * 2 > numbers.len() {
        return Content::Exact;
    }
    Content::Plain
}

/// Tells whether numbers rise or fall by equal steps or by equal ratios.
pub(super) fn are_levels(values: &[f64]) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
    let all = |step: &dyn Fn(&[f64]) -> f64, none: f64| {
        let steps: Vec<f64> = values.windows(2).map(step).collect();
        steps.first().is_some_and(|first| {
            first.is_finite() && !near(*first, none) && steps.iter().all(|it| near(*it, *first))
        })
    };
    all(&|pair| pair[1] - pair[0], 0.0) || all(&|pair| pair[1] / pair[0], 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, cells: &[&str]) -> Column {
        let rules = RuleSet::built_in().unwrap();
        let cells: Vec<Reading> = cells.iter().map(|cell| Reading::of_plain(cell, 1)).collect();
        column(name, 1, &cells.iter().collect::<Vec<_>>(), &rules).0
    }

    #[test]
    fn cells_tell_what_a_title_leaves_open() {
        assert_eq!(of("tray", &["12.61", "9.08", "11.4"]), Column::Number);
        assert_eq!(of("tray", &["12", "9", "11"]), Column::Open);
        assert_eq!(of("tray", &["1", "2", "3"]), Column::Condition);
        assert_eq!(of("tray", &["512", "1024", "2048", "4096"]), Column::Condition);
        assert_eq!(of("tray", &["25 ml", "25 ml", "25 ml"]), Column::Condition);
        assert_eq!(of("tray", &["3:10", "3:51", "4:44"]), Column::Other);
        assert_eq!(of("tray", &["2026-03-02", "2026-03-03", "20260304"]), Column::Other);
        assert_eq!(of("tray", &["11/23-11/24", "11/24-11/25", ""]), Column::Open);
    }

    #[test]
    fn cells_overrule_a_title_that_speaks_of_a_measure() {
        assert_eq!(of("power", &["250 W", "300 W", "350 W", "400 W"]), Column::Condition);
        assert_eq!(of("power", &["250 W", "250 W", "250 W", "250 W"]), Column::Condition);
        assert_eq!(of("power", &["251 W", "307 W", "344 W", "402 W"]), Column::Number);
        assert_eq!(of("time", &["9:40", "9:55", "10:05"]), Column::Other);
        assert_eq!(of("result", &["1", "2", "3", "4"]), Column::Outcome);
        assert_eq!(of("decode tok/s", &["40", "30", "20", "10"]), Column::Number);
    }
}
