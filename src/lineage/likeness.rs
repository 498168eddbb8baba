//! Which statement that appeared is which one that vanished, in other words or with another result.
//!
//! Only what changed in one commit is compared, and only with candidates that share a subject or
//! rare words: never all pairs. Pairs are one to one, best first. Where in doubt there is no tie:
//! a missing tie makes a claim look younger, which hides a lead, but a wrong one invents a past.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::How;
use super::births::Placed;
use crate::extract::{Claim, HedgeClass, Kind, Pitfall, Quantity};

/// Words in common that make two statements with equal results one statement.
const REWORDED: f64 = 0.5;
/// The same where several equal numbers speak for it too.
const REWORDED_WITH_NUMBERS: f64 = 0.3;
/// Words in common that make two statements of one section results of one subject.
const REVISED: f64 = 0.6;
/// Words in common that make two entries about one trigger the same pitfall.
const SAME_PITFALL: f64 = 0.2;
/// A word that more vanished statements hold says nothing about which one is meant.
const COMMON: usize = 64;
/// How many candidates each statement is compared with.
const CANDIDATES: usize = 8;

/// How a statement relates to the one it replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tie {
    /// The same, in other words.
    Reworded,
    /// The same subject, measured or tried again.
    Revised(How),
}

/// Pairs claims that appeared with claims that vanished: `(appeared, key of the vanished, tie)`.
pub(super) fn claims(
    new: &[Placed<'_, Claim>],
    old: &[Placed<'_, Claim>],
) -> Vec<(usize, u64, Tie)> {
    let traits = |claim: &Claim| {
        let mut traits = claim.words.clone();
        traits.push(claim.subject_key);
        traits
    };
    pair(new, old, traits, |new, old| {
        let (tie, likeness) = tie(old.said, new.said)?;
        let bonus = [
            (new.said.subject_key == old.said.subject_key, 0.5),
            (matches!(tie, Tie::Reworded), 0.4),
            (new.path == old.path, 0.25),
            (new.said.section.last() == old.said.section.last(), 0.2),
        ];
        let place = |one: &Placed<'_, Claim>| one.index as f64 / one.of.max(1) as f64;
        let near = 0.1 * (1.0 - (place(new) - place(old)).abs());
        let bonus: f64 = bonus.iter().filter(|(holds, _)| *holds).map(|(_, worth)| worth).sum();
        Some((tie, likeness + bonus + near))
    })
}

/// Pairs pitfalls that appeared with pitfalls that vanished: same first trigger, like words.
pub(super) fn pitfalls(
    new: &[Placed<'_, Pitfall>],
    old: &[Placed<'_, Pitfall>],
) -> Vec<(usize, u64, Tie)> {
    pair(
        new,
        old,
        |pitfall: &Pitfall| pitfall.words.clone(),
        |new, old| {
            let first =
                |pitfall: &Pitfall| pitfall.triggers.first().map(|name| name.to_lowercase());
            let likeness = shared(&new.said.words, &old.said.words);
            let same = first(new.said)? == first(old.said)? && likeness >= SAME_PITFALL;
            same.then_some((Tie::Reworded, likeness))
        },
    )
}

fn pair<T>(
    new: &[Placed<'_, T>],
    vanished: &[Placed<'_, T>],
    traits: impl Fn(&T) -> Vec<u64>,
    judge: impl Fn(&Placed<'_, T>, &Placed<'_, T>) -> Option<(Tie, f64)>,
) -> Vec<(usize, u64, Tie)> {
    let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, placed) in vanished.iter().enumerate() {
        for one in traits(placed.said) {
            holders.entry(one).or_default().push(at);
        }
    }
    let mut scored = Vec::new();
    for (at, placed) in new.iter().enumerate() {
        let mut common: BTreeMap<usize, usize> = BTreeMap::new();
        for one in traits(placed.said) {
            let Some(holders) = holders.get(&one).filter(|all| all.len() <= COMMON) else {
                continue;
            };
            for holder in holders {
                *common.entry(*holder).or_default() += 1;
            }
        }
        let mut candidates: Vec<(usize, usize)> = common.into_iter().collect();
        candidates.sort_by_key(|(old, count)| (std::cmp::Reverse(*count), *old));
        for (candidate, _) in candidates.into_iter().take(CANDIDATES) {
            let Some(against) = vanished.get(candidate) else {
                continue;
            };
            if let Some((tie, score)) = judge(placed, against) {
                scored.push((score, at, candidate, tie));
            }
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut taken_new, mut taken_old) = (HashSet::new(), HashSet::new());
    let mut pairs = Vec::new();
    for (_, young, old, tie) in scored {
        if !taken_new.contains(&young) && !taken_old.contains(&old) {
            taken_new.insert(young);
            taken_old.insert(old);
            pairs.extend(vanished.get(old).map(|placed| (young, placed.key, tie)));
        }
    }
    pairs
}

/// The two say the opposite of one subject under one condition, as far as words can tell.
pub fn opposite(a: &Claim, b: &Claim) -> bool {
    let kinds = (a.kind, b.kind);
    matches!(kinds, (Kind::Failure, Kind::Success) | (Kind::Success, Kind::Failure))
        && matches!(tie(a, b), Some((Tie::Revised(How::Outcome), _)))
}

pub(super) fn tie(old: &Claim, new: &Claim) -> Option<(Tie, f64)> {
    if other_terms(&old.terms, &new.terms) || other_numerals(&old.subject, &new.subject) {
        return None;
    }
    let likeness = shared(&old.words, &new.words);
    let same_subject = old.subject_key == new.subject_key;
    let opposite = (old.kind == Kind::Failure) != (new.kind == Kind::Failure);
    let values = compare_values(&old.values, &new.values);
    let needed = if values.equal > 1 { REWORDED_WITH_NUMBERS } else { REWORDED };
    let alike = same_subject || likeness >= needed;
    if !opposite && !values.changed && alike {
        let tie = if ran_at_last(old, new) { Tie::Revised(How::Text) } else { Tie::Reworded };
        return Some((tie, likeness));
    }
    let same_place = old.section.last() == new.section.last();
    if same_subject || (likeness >= REVISED && same_place) {
        let how = if opposite { How::Outcome } else { How::Number };
        return Some((Tie::Revised(how), likeness));
    }
    None
}

/// The older text admits that it was not run, the newer one no longer does.
fn ran_at_last(old: &Claim, new: &Claim) -> bool {
    let estimated =
        |claim: &Claim| claim.hedges.iter().any(|one| one.class == HedgeClass::Estimate);
    estimated(old) && !estimated(new)
}

/// Jaccard index of two sorted, distinct lists.
pub(super) fn shared(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut both) = (0, 0, 0_usize);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        both += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    match a.len() + b.len() - both {
        0 => 0.0,
        all => both as f64 / all as f64,
    }
}

/// Both name the same condition and give it different values: `device=3` against `device=4`.
fn other_terms(old: &[String], new: &[String]) -> bool {
    super::retests::conflict(old, new)
}

/// Each has a number in its subject that the other lacks: another condition, not another wording.
fn other_numerals(old: &str, new: &str) -> bool {
    let (old, new) = (numerals(old), numerals(new));
    old.iter().any(|one| !new.contains(one)) && new.iter().any(|one| !old.contains(one))
}

fn numerals(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
        .map(|part| part.trim_matches(['.', ',']).replace(',', ""))
        .filter(|part| !part.is_empty())
        .map(|part| part.parse::<f64>().map_or(part, |number| number.to_string()))
        .collect()
}

struct Values {
    /// Numbers that both have.
    equal: usize,
    /// A number was replaced: both have one that the other lacks, or nothing is left in common.
    changed: bool,
}

/// A column more or less is no change as long as the other numbers stand.
fn compare_values(old: &[Quantity], new: &[Quantity]) -> Values {
    let mut left: Vec<&Quantity> = old.iter().collect();
    let mut equal = 0;
    for value in new {
        if let Some(at) = left.iter().position(|one| same_value(one, value)) {
            left.remove(at);
            equal += 1;
        }
    }
    let lacking = !left.is_empty() && equal < new.len();
    let nothing_common = equal == 0 && old.len() + new.len() > 0;
    Values { equal, changed: lacking || nothing_common }
}

/// Equal, or the newer one is the older one rounded to fewer digits. A respelled unit was made
/// canonical before; a unit named on one side only is the same number with its column's title.
pub(super) fn same_value(old: &Quantity, new: &Quantity) -> bool {
    if old.unit != new.unit && !old.unit.is_empty() && !new.unit.is_empty() {
        return false;
    }
    old.number == new.number || rounds_to(&old.number, &new.number)
}

fn rounds_to(old: &str, new: &str) -> bool {
    let (Ok(exact), Ok(rounded)) = (old.parse::<f64>(), new.parse::<f64>()) else {
        return false;
    };
    let decimals = |text: &str| text.split_once('.').map_or(0, |(_, tail)| tail.len());
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
    let significant = |text: &str| {
        let text = text.trim_start_matches(['-', '+', '0', '.']);
        let text = if text.contains('.') { text } else { text.trim_end_matches('0') };
        digits(text)
    };
    if !exact.is_finite() || !rounded.is_finite() || significant(new) >= significant(old) {
        return false;
    }
    let step = if decimals(new) > 0 || decimals(old) > 0 {
        10_f64.powi(-i32::try_from(decimals(new)).unwrap_or(i32::MAX))
    } else if significant(new) >= 3 {
        // 1,047,736 written as 1.05M; 98 written as 100 would be another number.
        10_f64.powi(i32::try_from(digits(new) - significant(new)).unwrap_or(i32::MAX))
    } else {
        return false;
    };
    (exact - rounded).abs() <= step * 0.5 * (1.0 + 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_digits_of_the_same_number_are_the_same() {
        for (old, new, same) in [
            ("98.14", "98.1", true),
            ("98.1", "98.14", false),
            ("155.4", "155", true),
            ("155.4", "156", false),
            ("1047736", "1050000", true),
            ("98", "100", false),
            ("98.1", "100", false),
            ("0.0385", "0.04", true),
            ("0.0385", "0.05", false),
            ("12", "13", false),
        ] {
            assert_eq!(rounds_to(old, new), same, "{old} as {new}");
        }
    }

    #[test]
    fn numerals_of_a_subject_are_conditions() {
        assert!(other_numerals("3 cards, util 0.90", "4 cards, util 0.90"));
        assert!(!other_numerals("3 cards, util 0.90", "3 cards at 0.9"));
        assert!(!other_numerals("three cards", "3 cards"));
    }
}
