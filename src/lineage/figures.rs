//! A claim's numbers as they are looked for in older lines, and the names lines are found by.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::xxh3_64;

use super::likeness;
use crate::extract::{Claim, Dimension, Quantity, Wording};

/// Digits of one number that count: more prove nothing further.
const DIGITS: u8 = 6;
/// Digits that a rounded number keeps at least.
const ROUNDED: usize = 3;

/// Digits from which a number is hardly told twice by chance.
const TELLING: u8 = 3;

/// The telling numbers of a claim: what another claim tells again if it gives them too.
pub fn telling(claim: &Claim) -> impl Iterator<Item = &Quantity> {
    Figures::of_claim(claim).list.into_iter().filter(|value| value.digits >= TELLING)
}

/// Whether a claim gives a number of another one.
pub fn tells(claim: &Claim, number: &Quantity) -> bool {
    let open = |it: &Quantity| it.dimension == Dimension::Other;
    let same = |it: &&Quantity| it.dimension == number.dimension || open(it) || open(number);
    claim.values.iter().filter(same).any(|it| likeness::same_size(it, number))
}

/// The numbers that make a claim what it is.
pub(super) struct Figures<'a> {
    list: Vec<&'a Quantity>,
}

impl<'a> Figures<'a> {
    /// A claim's measured numbers. Ratios count only where there is nothing else: they are computed
    /// from the others and come and go with them.
    pub(super) fn of_claim(claim: &'a Claim) -> Self {
        let mut all: Vec<&Quantity> = Vec::new();
        for value in &claim.values {
            if !all.iter().any(|known| likeness::same_value(known, value)) {
                all.push(value);
            }
        }
        let ratio = |value: &&Quantity| value.dimension == Dimension::Ratio;
        let telling = |value: &&Quantity| value.digits > 1;
        if all.iter().any(|one| !ratio(one) && telling(one)) {
            all.retain(|one| !ratio(one));
        }
        if all.iter().any(telling) {
            all.retain(telling);
        }
        Self { list: all }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Digits of all of them.
    pub(super) fn digits(&self) -> u32 {
        self.list.iter().map(|value| digits(value)).sum()
    }

    /// What lines with these numbers are found by.
    pub(super) fn names(&self) -> impl Iterator<Item = u64> {
        self.list.iter().flat_map(|value| names(&value.number, value))
    }

    /// Which of them a line tells, and how well.
    pub(super) fn told_by(&self, wording: &Wording) -> Told {
        let mut all = Told::default();
        for (at, value) in self.list.iter().enumerate() {
            let told = wording.figures.iter().filter(|it| likeness::same_size(it, value));
            if let Some(loose) = told.map(|it| is_loose(it, value)).min() {
                all.which.push(at);
                all.digits += digits(value).saturating_sub(u32::from(loose));
                all.loose |= loose;
            }
        }
        all
    }

    /// Whether one of them is a number of another claim.
    pub(super) fn is_in(&self, at: usize, claim: &Claim) -> bool {
        let told = |value: &Quantity| claim.values.iter().any(|it| likeness::same_size(it, value));
        self.list.get(at).is_some_and(|value| told(value))
    }
}

fn digits(value: &Quantity) -> u32 {
    u32::from(value.digits.min(DIGITS))
}

/// What a line tells of a claim's numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// By index.
    pub(super) which: Vec<usize>,
    /// Their digits, taken together.
    pub(super) digits: u32,
    /// One of them is told loosely.
    pub(super) loose: bool,
}

/// Rounded and without the unit: equal by chance more often, so it counts a digit less.
fn is_loose(line: &Quantity, value: &Quantity) -> bool {
    line.unit != value.unit && likeness::size(line) != likeness::size(value)
}

/// What a line is found by: each of its numbers as it is and rounded to fewer digits.
pub(super) fn of_line(wording: &Wording) -> BTreeSet<u64> {
    let figures = wording.figures.iter().filter(|it| it.digits > 1 || !it.unit.is_empty());
    figures
        .flat_map(|it| spellings(&it.number).into_iter().flat_map(|number| names(&number, it)))
        .collect()
}

/// A number with its unit; without it too where that is not far too common.
fn names(number: &str, value: &Quantity) -> Vec<u64> {
    // A sign is often only a dash, and a loss is told with or without it.
    let number = number.trim_start_matches('-');
    let mut names = vec![name(&format!("{number} {}", value.unit))];
    if value.digits > 2 && !value.unit.is_empty() {
        names.push(name(&format!("{number} ")));
    }
    names
}

fn name(number: &str) -> u64 {
    xxh3_64(number.as_bytes())
}

fn spellings(number: &str) -> Vec<String> {
    let mut all = vec![number.to_owned()];
    let Ok(value) = number.parse::<f64>() else { return all };
    let decimals = number.split_once('.').map_or(0, |(_, tail)| tail.len());
    for places in (0..decimals.min(12)).rev() {
        // Halves are rounded either way.
        for nudged in [value * (1.0 + 1e-9), value * (1.0 - 1e-9)] {
            let rounded = canonical(format!("{nudged:.places$}"));
            if significant(&rounded) >= ROUNDED.min(significant(number)) && !all.contains(&rounded)
            {
                all.push(rounded);
            }
        }
    }
    if decimals == 0 {
        for digits in ROUNDED..significant(number) {
            let rounded: f64 = format!("{value:.*e}", digits - 1).parse().unwrap_or(value);
            all.push(format!("{rounded}"));
        }
    }
    all
}

/// As numbers are compared: without trailing zeros.
fn canonical(number: String) -> String {
    if !number.contains('.') {
        return number;
    }
    number.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn significant(number: &str) -> usize {
    let number = number.trim_start_matches(['-', '0', '.']);
    let number = if number.contains('.') { number } else { number.trim_end_matches('0') };
    number.chars().filter(char::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_by_its_roundings() {
        assert_eq!(spellings("98.14"), ["98.14", "98.1"]);
        assert_eq!(spellings("21.15"), ["21.15", "21.2", "21.1"]);
        assert_eq!(spellings("167.39"), ["167.39", "167.4", "167"]);
        assert_eq!(spellings("1047736"), ["1047736", "1050000", "1048000", "1047700", "1047740"]);
        assert_eq!(spellings("12"), ["12"]);
    }
}
