//! Results that are told again elsewhere: a summary, a translation, a table split in two.
//!
//! Nothing vanishes where a number is copied, so it is known by its numbers: all of them were told
//! before, together, and by something that is not about another condition.

use std::collections::{BTreeMap, HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::births::Placed;
use super::likeness::{self, Tie};
use crate::extract::{Claim, Quantity};

/// Words in common, numbers included, that make one the copy of the other.
const ALIKE: f64 = 0.3;
/// Equal numbers that are no coincidence.
const NUMBERS: usize = 2;
/// Digits of a number that alone is no coincidence.
const LONG: usize = 4;
/// Digits of several equal numbers together that are none.
const TOGETHER: usize = 5;
/// A number that more claims hold tells nothing.
const COMMON: usize = 64;
/// How many older claims each new one is compared with.
const CANDIDATES: usize = 8;

/// All claims with telling numbers, in the order in which they were first made.
#[derive(Default)]
pub(super) struct Told<'a> {
    claims: Vec<(u64, &'a Claim)>,
    by_number: HashMap<u64, Vec<usize>>,
}

impl<'a> Told<'a> {
    /// Ties those of the new claims that are not tied yet to what they repeat, and remembers all.
    pub(super) fn copies(&mut self, new: &[Placed<'a, Claim>], ties: &mut Vec<(usize, u64, Tie)>) {
        let tied: HashSet<usize> = ties.iter().map(|(young, ..)| *young).collect();
        let free = new.iter().enumerate().filter(|(at, _)| !tied.contains(at));
        ties.extend(
            free.filter_map(|(at, one)| Some((at, self.original(one.said)?, Tie::Reworded))),
        );
        for one in new {
            for number in one.said.values.iter().filter_map(telling) {
                self.by_number.entry(number).or_default().push(self.claims.len());
            }
            self.claims.push((one.key, one.said));
        }
    }

    fn original(&self, new: &Claim) -> Option<u64> {
        let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
        for number in new.values.iter().filter_map(telling) {
            let Some(holders) = self.by_number.get(&number).filter(|all| all.len() <= COMMON)
            else {
                continue;
            };
            for holder in holders {
                *votes.entry(*holder).or_default() += 1;
            }
        }
        let mut candidates: Vec<(usize, usize)> = votes.into_iter().collect();
        candidates.sort_by_key(|(old, count)| (std::cmp::Reverse(*count), *old));
        let candidates = candidates.into_iter().take(CANDIDATES);
        let told = candidates.filter_map(|(at, _)| self.claims.get(at));
        let alike = told.filter_map(|(key, old)| Some((repeats(old, new)?, *key)));
        // The first of equally like ones: the oldest.
        let best = alike.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, key)| key)
    }
}

/// How much alike an old and a new claim are if the new one tells only what the old one told.
fn repeats(old: &Claim, new: &Claim) -> Option<f64> {
    let (tie, likeness) = likeness::tie(old, new)?;
    let known = |value: &&Quantity| old.values.iter().any(|one| likeness::same_value(one, value));
    let shared: Vec<&Quantity> = new.values.iter().filter(known).collect();
    let (equal, all) = (shared.len(), shared.len() == new.values.len());
    let together: usize = shared.iter().map(|value| digits(value)).sum();
    let several = equal >= NUMBERS && together >= TOGETHER;
    let enough = several || (all && shared.iter().any(|value| digits(value) >= LONG));
    let only = all || (several && equal == old.values.len());
    (tie == Tie::Reworded && enough && only && likeness >= ALIKE).then_some(likeness)
}

fn telling(value: &Quantity) -> Option<u64> {
    let name = || xxh3_64(format!("{} {}", value.number, value.unit).as_bytes());
    (digits(value) >= 3).then(name)
}

fn digits(value: &Quantity) -> usize {
    let number = value.number.trim_start_matches(['-', '0', '.']);
    let number = if number.contains('.') { number } else { number.trim_end_matches('0') };
    number.chars().filter(char::is_ascii_digit).count()
}
