//! Which later claims say the opposite of the same subject.

use std::collections::{BTreeMap, HashMap};

use super::{Confidence, Ledger};
use crate::documents::Lines;
use crate::extract::Kind;
use crate::history::{Order, OrderedBy};
use crate::lineage::{Lineage, opposite};

/// Words that a subject must have at least to be one: "it" and "status" are everything's.
const SUBJECT_WORDS: usize = 2;

/// A claim that says the opposite.
#[derive(Clone, Copy, Debug)]
pub struct Opposite<'a> {
    /// The later claim.
    pub lineage: &'a Lineage,
    /// How sure it is that both are about the same.
    pub confidence: Confidence,
}

/// A word that more claims hold says nothing about which are meant.
const COMMON: usize = 64;
/// How many claims each is compared with.
const CANDIDATES: usize = 32;

/// Claims by their subjects and words.
#[derive(Debug, Default)]
pub(super) struct Subjects<'a> {
    holders: HashMap<u64, Vec<&'a Lineage>>,
}

impl<'a> Subjects<'a> {
    pub(super) fn new(claims: &'a [Lineage]) -> Self {
        let mut holders: HashMap<u64, Vec<&Lineage>> = HashMap::new();
        for claim in claims.iter().filter(|one| one.claim.kind != Kind::Measurement) {
            for trait_of in traits(claim) {
                holders.entry(trait_of).or_default().push(claim);
            }
        }
        holders.retain(|_, all| all.len() <= COMMON);
        Self { holders }
    }

    /// Claims that share most, by path, then line.
    fn near(&self, claim: &Lineage) -> Vec<&'a Lineage> {
        let mut common: BTreeMap<(&str, Lines, u64), (usize, &'a Lineage)> = BTreeMap::new();
        for other in traits(claim).filter_map(|one| self.holders.get(&one)).flatten().copied() {
            let place = (other.path.as_str(), other.claim.lines, other.claim.key);
            common.entry(place).or_insert((0, other)).0 += 1;
        }
        let mut found: Vec<_> = common.into_values().collect();
        found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        found.into_iter().take(CANDIDATES).map(|(_, other)| other).collect()
    }
}

fn traits(claim: &Lineage) -> impl Iterator<Item = u64> {
    claim.claim.words.iter().copied().chain([claim.claim.subject_key])
}

impl<'a> Ledger<'a> {
    /// Later claims that say the opposite of the same subject, the surest first.
    pub fn opposites(&self, claim: &Lineage) -> Vec<Opposite<'a>> {
        if claim.claim.kind == Kind::Measurement {
            return Vec::new();
        }
        let near = self.subjects.near(claim).into_iter();
        let mut found: Vec<_> = near.filter_map(|other| self.opposite(claim, other)).collect();
        found.sort_by_key(|found| std::cmp::Reverse(found.confidence));
        found
    }

    fn opposite(&self, claim: &Lineage, other: &'a Lineage) -> Option<Opposite<'a>> {
        if words(&claim.claim.subject) < SUBJECT_WORDS || !opposite(&claim.claim, &other.claim) {
            return None;
        }
        // What was run later, and not again before the other was said.
        let order = self.history().order(claim.last_tested.commit, other.introduced.commit);
        let Order::Before(by) = order else { return None };
        let section = |one: &Lineage| one.claim.section.last().map(|title| title.to_lowercase());
        let same_section = section(claim) == section(other);
        let confidence = match by {
            OrderedBy::Ancestry if same_section => Confidence::High,
            _ if same_section => Confidence::Medium,
            // Another section can have other conditions, which stand in its title or nowhere.
            _ => Confidence::Low,
        };
        Some(Opposite { lineage: other, confidence })
    }
}

/// Words of a text; two Han characters count as one.
fn words(text: &str) -> usize {
    let is_han = |c: char| ('\u{3400}'..='\u{9fff}').contains(&c);
    let han = text.chars().filter(|c| is_han(*c)).count();
    let latin = text.split(|c: char| !c.is_alphanumeric() || is_han(c));
    latin.filter(|word| !word.is_empty()).count() + han / 2
}
