//! Which statement that appeared is which one that vanished, in other words or with another result.
//!
//! Only what changed in one commit is compared, and only with candidates that share a subject or
//! rare words: never all pairs. Pairs are one to one, best first. Where in doubt there is no tie:
//! a missing tie makes a claim look younger, which hides a lead, but a wrong one invents a past.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::How;
use super::births::Placed;
use crate::extract::{Claim, HedgeClass, Kind, Pitfall, Quantity, Script};

/// Words in common that make two statements with equal results one statement.
const REWORDED: f64 = 0.5;
/// The same where several equal numbers speak for it too.
const REWORDED_WITH_NUMBERS: f64 = 0.3;
/// Words in common that make two statements of one section results of one subject.
const REVISED: f64 = 0.6;
/// Words in common that two statements of one subject have though their outcomes differ.
const OPPOSITE: f64 = 0.4;
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
    /// The same subject with another unit or somebody else's figure: nothing was run.
    Corrected,
}

/// Pairs claims that appeared with claims that vanished: `(appeared, vanished, tie)`, by index.
pub(super) fn claims(
    new: &[Placed<'_, Claim>],
    old: &[Placed<'_, Claim>],
) -> Vec<(usize, usize, Tie)> {
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
) -> Vec<(usize, usize, Tie)> {
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
) -> Vec<(usize, usize, Tie)> {
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
            pairs.push((young, old, tie));
        }
    }
    pairs
}

/// Each names a condition that the other gives another value.
pub(super) fn other_conditions(old: &Claim, new: &Claim) -> bool {
    other_terms(&old.terms, &new.terms) || other_numerals(&conditions(old), &conditions(new))
}

/// The two say the opposite of one subject under one condition, as far as words can tell.
pub fn opposite(a: &Claim, b: &Claim) -> bool {
    let kinds = (a.kind, b.kind);
    // Subjects without words are equal and say nothing.
    matches!(kinds, (Kind::Failure, Kind::Success) | (Kind::Success, Kind::Failure))
        && shared(&a.words, &b.words) >= OPPOSITE
        && matches!(tie(a, b), Some((Tie::Revised(How::Outcome), _)))
}

pub(super) fn tie(old: &Claim, new: &Claim) -> Option<(Tie, f64)> {
    let same_subject = old.subject_key == new.subject_key || again(old, new);
    if other_conditions(old, new) || (!same_subject && other_names(old, new)) {
        return None;
    }
    let likeness = shared(&old.words, &new.words);
    let opposite = (old.kind == Kind::Failure) != (new.kind == Kind::Failure);
    let values = compare_values(old, new);
    let needed = if values.equal > 1 { REWORDED_WITH_NUMBERS } else { REWORDED };
    let alike = same_subject || likeness >= needed || carried_over(old, new, values.equal);
    if !opposite && !values.changed && alike {
        let tie = if ran_at_last(old, new) { Tie::Revised(How::Text) } else { Tie::Reworded };
        return Some((tie, likeness));
    }
    let same_place = old.section.last() == new.section.last();
    if same_subject || (likeness >= REVISED && same_place) {
        let tie = match opposite {
            true => Tie::Revised(How::Outcome),
            false if not_run(old, new) => Tie::Corrected,
            false => Tie::Revised(How::Number),
        };
        return Some((tie, likeness));
    }
    None
}

/// The same subject, whatever the occasion on which each was run.
fn again(old: &Claim, new: &Claim) -> bool {
    let subject = |claim: &Claim| claim.occasion.as_ref().map(|it| it.subject);
    subject(old).is_some() && subject(old) == subject(new)
}

/// The newer one was run again on a later occasion.
pub(super) fn later(old: &Claim, new: &Claim) -> bool {
    let both = old.occasion.as_ref().zip(new.occasion.as_ref());
    both.is_some_and(|(old, new)| old.subject == new.subject && new.when.after(&old.when))
}

/// The same numbers and the same code, all of them, in another language.
fn carried_over(old: &Claim, new: &Claim, equal: usize) -> bool {
    let scripts = (Script::of(&old.text), Script::of(&new.text));
    let translated = scripts.0 != scripts.1 && scripts.0.min(scripts.1) != Script::None;
    let numbers = equal == old.values.len() && equal == new.values.len();
    let names = old.identifiers == new.identifiers;
    translated && numbers && names && equal + old.identifiers.len() > 0
}

/// The older text admits that it was not run, the newer one no longer does.
fn ran_at_last(old: &Claim, new: &Claim) -> bool {
    let estimated =
        |claim: &Claim| claim.hedges.iter().any(|one| one.class == HedgeClass::Estimate);
    estimated(old) && !estimated(new)
}

/// The numbers are the same in another unit, or the newer ones are told, computed or expected where
/// the older ones were not.
fn not_run(old: &Claim, new: &Claim) -> bool {
    let numbers = |claim: &Claim| claim.values.iter().map(|it| it.number.clone()).collect();
    let (before, after): (Vec<String>, Vec<String>) = (numbers(old), numbers(new));
    let respelled = !before.is_empty() && before == after;
    let taken = |class| {
        new.hedges.iter().any(|it| it.class == class)
            && !old.hedges.iter().any(|it| it.class == class)
    };
    respelled || taken(HedgeClass::SecondHand) || taken(HedgeClass::Estimate)
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

/// Each has a number among its conditions that the other lacks: another condition, not another
/// wording. Both are sorted.
fn other_numerals(old: &[&str], new: &[&str]) -> bool {
    let lacks = |a: &[&str], b: &[&str]| a.iter().any(|one| b.binary_search(one).is_err());
    lacks(old, new) && lacks(new, old)
}

/// A claim's numbers but for those that were measured.
fn conditions(claim: &Claim) -> Vec<&str> {
    let mut measured: HashMap<&str, usize> = HashMap::new();
    for value in &claim.values {
        *measured.entry(value.number.trim_start_matches('-')).or_default() += 1;
    }
    let is_condition = |number: &&str| match measured.get_mut::<str>(number) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    claim.numerals.iter().map(String::as_str).filter(is_condition).collect()
}

/// Both name things, and nothing that the other names: two models, two flags, two files.
pub(super) fn other_names(old: &Claim, new: &Claim) -> bool {
    let bare = |name: &String| {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let names = |claim: &Claim| claim.identifiers.iter().map(bare).collect::<Vec<String>>();
    let (old, new) = (names(old), names(new));
    // `model` and `model.bin` may be one thing.
    let same = |a: &String| new.iter().any(|b| a.contains(b.as_str()) || b.contains(a.as_str()));
    !old.is_empty() && !new.is_empty() && !old.iter().any(same)
}

pub(super) struct Values {
    /// Numbers that both have.
    pub(super) equal: usize,
    /// A number was replaced: both have one that the other lacks, or nothing is left in common.
    pub(super) changed: bool,
}

/// A column more or less is no change as long as the other numbers stand, and a number that one
/// tells as a result and the other as a condition is the same.
pub(super) fn compare_values(old: &Claim, new: &Claim) -> Values {
    let mut left: Vec<&Quantity> = old.values.iter().collect();
    let mut added: Vec<&Quantity> = Vec::new();
    let mut equal = 0;
    for value in &new.values {
        if let Some(at) = left.iter().position(|one| same_value(one, value)) {
            left.remove(at);
            equal += 1;
        } else {
            added.push(value);
        }
    }
    // What stands among the conditions of both is no result of either.
    let (mut before, mut after) = (conditions(old), conditions(new));
    before.retain(|one| match after.iter().position(|other| other == one) {
        Some(at) => {
            after.remove(at);
            false
        }
        None => true,
    });
    let told = |value: &&Quantity, among: &[&str]| among.contains(&value.number.as_str());
    left.retain(|value| !told(value, &after));
    added.retain(|value| !told(value, &before));
    let nothing_common = equal == 0 && left.len() + added.len() > 0;
    Values { equal, changed: (!left.is_empty() && !added.is_empty()) || nothing_common }
}

/// The same but for the sign: often it is a dash only, and a loss is told with or without it.
pub(super) fn same_size(old: &Quantity, new: &Quantity) -> bool {
    is_same((old, size(old)), (new, size(new)))
}

/// A number without its sign.
pub(super) fn size(value: &Quantity) -> &str {
    value.number.trim_start_matches('-')
}

/// Equal, or the newer one is the older one rounded to fewer digits. A respelled unit was made
/// canonical before; a unit named on one side only is the same number with its column's title.
pub(super) fn same_value(old: &Quantity, new: &Quantity) -> bool {
    is_same((old, &old.number), (new, &new.number))
}

/// The same for quantities with the numbers that count.
fn is_same(old: (&Quantity, &str), new: (&Quantity, &str)) -> bool {
    let (left, right) = (&old.0.unit, &new.0.unit);
    if left != right && !left.is_empty() && !right.is_empty() {
        return false;
    }
    old.1 == new.1 || rounds_to(old, new)
}

/// The newer number is the older one as it would be written with as many digits.
fn rounds_to((old, exact): (&Quantity, &str), (new, rounded): (&Quantity, &str)) -> bool {
    if new.digits >= old.digits {
        return false;
    }
    let (Ok(exact), Ok(rounded)) = (exact.parse::<f64>(), rounded.parse::<f64>()) else {
        return false;
    };
    if !exact.is_finite() || !rounded.is_finite() || rounded == 0.0 {
        return false;
    }
    let step = 10_f64.powf(rounded.abs().log10().floor() + 1.0 - f64::from(new.digits));
    // 1,047,736 written as 1.05M; 98 written as 100 would be another number.
    (step <= 1.0 || new.digits > 2) && (exact - rounded).abs() <= step * 0.5 * (1.0 + 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::Dimension;

    #[test]
    fn fewer_digits_of_the_same_number_are_the_same() {
        let quantity = |written: &str| {
            let number = written.trim_end_matches('0').trim_end_matches('.');
            let number = if written.contains('.') { number } else { written };
            let shown = written.trim_start_matches(['0', '.']);
            let shown = if written.contains('.') { shown } else { shown.trim_end_matches('0') };
            Quantity {
                number: number.to_owned(),
                unit: String::new(),
                dimension: Dimension::Other,
                digits: shown.chars().filter(char::is_ascii_digit).count() as u8,
            }
        };
        for (old, new, same) in [
            ("98.14", "98.1", true),
            ("98.1", "98.14", false),
            ("155.4", "155", true),
            ("155.4", "156", false),
            ("424.52", "424.50", false),
            ("26.04", "26.0", true),
            ("26.4", "26.0", false),
            ("1047736", "1050000", true),
            ("98", "100", false),
            ("98.1", "100", false),
            ("0.0385", "0.04", true),
            ("0.0385", "0.05", false),
            ("12", "13", false),
        ] {
            let (left, right) = (quantity(old), quantity(new));
            let rounds = rounds_to((&left, &left.number), (&right, &right.number));
            assert_eq!(rounds, same, "{old} as {new}");
        }
    }

    #[test]
    fn numerals_are_conditions_where_each_lacks_one() {
        assert!(other_numerals(&["0.9", "3"], &["0.9", "4"]));
        assert!(!other_numerals(&["0.9", "3"], &["3"]));
        assert!(!other_numerals(&["3"], &["3"]));
    }
}
