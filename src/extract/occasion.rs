//! On which occasion a result was obtained: the day, the version or the commit that a row or a
//! sentence names. The same subject on a later occasion was run again.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::reading::Reading;
use super::subject::{Tokens, key};
use crate::rules::RuleSet;

/// The occasion of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occasion {
    /// The subject without it, after normalisation: equal ones were run on several occasions.
    pub subject: u64,
    /// When, or on what.
    pub when: When,
}

/// What tells an occasion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum When {
    /// Year, month, day.
    Day(u32, u32, u32),
    /// Parts of a version.
    Version(Vec<u64>),
    /// A commit's hexadecimal id. Ids have no order: any other one is another occasion.
    Commit(String),
}

impl When {
    /// Whether this is later than another one, as far as the two can tell.
    pub fn after(&self, other: &When) -> bool {
        match (self, other) {
            (When::Day(..), When::Day(..)) | (When::Version(_), When::Version(_)) => {
                self.parts() > other.parts()
            }
            (When::Commit(a), When::Commit(b)) => a != b,
            _ => false,
        }
    }

    fn parts(&self) -> Vec<u64> {
        match self {
            When::Day(year, month, day) => [year, month, day].map(|it| u64::from(*it)).to_vec(),
            When::Version(parts) => parts.clone(),
            When::Commit(_) => Vec::new(),
        }
    }
}

#[expect(clippy::expect_used, reason = "the expressions are literals and a test compiles them")]
static DAY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?-u:\b)((?:19|20)[0-9]{2})[-/.年](1[0-2]|0?[1-9])[-/.月](3[01]|[12][0-9]|0?[1-9])(?:日|(?-u:\b))")
        .expect("a valid expression")
});

#[expect(clippy::expect_used, reason = "the expressions are literals and a test compiles them")]
static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:v[0-9]+(?:\.[0-9]+)*|[0-9]+(?:\.[0-9]+){2,})$").expect("a valid expression")
});

/// The occasion of a sentence whose outcome begins at an offset: a day that it names.
pub(super) fn of_sentence(
    rules: &RuleSet,
    reading: &Reading,
    range: &Range<usize>,
    outcome: usize,
    section: Option<&str>,
) -> Option<Occasion> {
    let (at, when) = day(&reading.norm[range.clone()])?;
    let at = range.start + at.start..range.start + at.end;
    let told = range.start..outcome.max(range.start);
    let line = Tokens::outside(reading, &told, &at, rules).line();
    let line = if at.start < told.end { line } else { Tokens::new(reading, &told, rules).line() };
    subject(&[line], section, when)
}

/// The occasion of a row: one of its cells is nothing but a day, a version or a commit. `lasting`
/// are the other cells that tell its subject.
pub(super) fn of_row(
    rules: &RuleSet,
    cells: &[Reading],
    lasting: &[&Reading],
    section: Option<&str>,
) -> Option<Occasion> {
    let mut told = cells.iter().filter_map(of_cell);
    let when = told.next()?;
    if told.next().is_some() {
        return None;
    }
    let line = |cell: &&Reading| Tokens::new(cell, &(0..cell.norm.len()), rules).line();
    let mut lines: Vec<String> = lasting.iter().map(line).collect();
    lines.sort();
    subject(&lines, section, when)
}

/// A text without the days that it names.
pub(super) fn without_days(text: &str) -> String {
    DAY.replace_all(text, " ").into_owned()
}

fn subject(lines: &[String], section: Option<&str>, when: When) -> Option<Occasion> {
    let told = lines.iter().any(|line| line.chars().any(char::is_alphabetic));
    let parts = section.into_iter().chain(lines.iter().map(String::as_str));
    told.then(|| Occasion { subject: key(parts), when })
}

/// What a cell tells that holds nothing else.
pub(super) fn of_cell(cell: &Reading) -> Option<When> {
    let text = cell.shown.trim();
    if let Some((at, when)) = day(text).filter(|(at, _)| at.len() == text.len()) {
        debug_assert_eq!(at.start, 0, "the whole cell");
        return Some(when);
    }
    if VERSION.is_match(text) {
        let parts = text.trim_start_matches('v').split('.').map(|part| part.parse().ok());
        return parts.collect::<Option<Vec<u64>>>().map(When::Version);
    }
    let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let mixed = text.contains(|c: char| c.is_ascii_digit())
        && text.contains(|c: char| c.is_ascii_alphabetic());
    let commit = (7..=40).contains(&text.len()) && text.chars().all(hex) && mixed;
    commit.then(|| When::Commit(text.to_owned()))
}

fn day(text: &str) -> Option<(Range<usize>, When)> {
    let found = DAY.captures(text)?;
    let part = |at: usize| found.get(at)?.as_str().parse().ok();
    Some((found.get(0)?.range(), When::Day(part(1)?, part(2)?, part(3)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> Option<When> {
        of_cell(&Reading::of_plain(text, 1))
    }

    #[test]
    fn a_cell_that_is_a_day_a_version_or_a_commit_is_an_occasion() {
        assert_eq!(cell("2026-03-09"), Some(When::Day(2026, 3, 9)));
        assert_eq!(cell("2026年3月9日"), Some(When::Day(2026, 3, 9)));
        assert_eq!(cell("v0.10"), Some(When::Version(vec![0, 10])));
        assert_eq!(cell("0.10.2"), Some(When::Version(vec![0, 10, 2])));
        assert_eq!(cell("`0de45b0`"), Some(When::Commit("0de45b0".to_owned())));
        for none in ["0.90", "98.14", "4", "1234567", "deadbeef", "2026-13-40", "run of 2026-03-09"]
        {
            assert_eq!(cell(none), None, "{none}");
        }
    }

    #[test]
    fn later_is_told_within_one_kind_only() {
        let day = |month, day| When::Day(2026, month, day);
        assert!(day(3, 9).after(&day(2, 28)) && !day(3, 9).after(&day(3, 9)));
        let version = |text| cell(text).unwrap();
        assert!(version("v0.10").after(&version("v0.9.7")));
        assert!(!version("v0.9").after(&version("v0.10")));
        assert!(version("0de45b0").after(&version("f008b55")));
        assert!(!version("v1").after(&day(3, 9)));
    }
}
