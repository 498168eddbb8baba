//! Claims that are told again in another document while the first still stands, known by their words.
//!
//! Where numbers were told before, [`super::originals`] knows; here are the failures and successes
//! without any. Found by rare words, never by trying all claims.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::births::{Birth, Births};
use super::likeness::{self, Tie};
use crate::extract::{Claim, Statements};
use crate::history::PerBlob;

/// Words in common that make one claim the other told again.
const ALIKE: f64 = 0.6;
/// The same in words; fewer say little, however alike.
const WORDS: usize = 4;
/// Claims with a word that are looked at, the oldest first.
const HOLDERS: usize = 64;
/// Claims that are compared with each.
const CANDIDATES: usize = 16;

/// All claims of the history by their words, the oldest first.
pub(super) struct Retold<'a> {
    claims: Vec<(&'a Birth, &'a Claim)>,
    by_word: HashMap<u64, Vec<usize>>,
}

impl<'a> Retold<'a> {
    pub(super) fn new(births: &'a Births, statements: &'a PerBlob<Statements>) -> Self {
        let mut first: Vec<&Birth> = births.values().filter_map(|all| all.first()).collect();
        first.sort_unstable_by_key(|birth| (birth.commit, birth.path, birth.index));
        let mut claims = Vec::with_capacity(first.len());
        let mut by_word: HashMap<u64, Vec<usize>> = HashMap::new();
        for birth in first {
            let said = statements.get(birth.blob);
            let Some(claim) = said.and_then(|said| said.claims.get(birth.index)) else { continue };
            for word in &claim.words {
                let holders = by_word.entry(*word).or_default();
                if holders.len() < HOLDERS {
                    holders.push(claims.len());
                }
            }
            claims.push((birth, claim));
        }
        Self { claims, by_word }
    }

    /// The oldest claim that a claim tells again, and how many words they share. `stands` tells
    /// which other claims stand beside it in its document: those are other claims.
    pub(super) fn of(
        &self,
        claim: &Claim,
        born: &Birth,
        stands: impl Fn(u64) -> bool,
    ) -> Option<(u64, usize)> {
        let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
        for word in &claim.words {
            for holder in self.by_word.get(word).into_iter().flatten() {
                *votes.entry(*holder).or_default() += 1;
            }
        }
        let mut candidates: Vec<(usize, usize)> = votes.into_iter().collect();
        candidates.sort_by_key(|(at, count)| (Reverse(*count), *at));
        candidates.truncate(CANDIDATES);
        candidates.sort_unstable();
        candidates.into_iter().find_map(|(at, _)| {
            let (birth, old) = self.claims.get(at)?;
            let words = old.words.iter().filter(|it| claim.words.binary_search(it).is_ok()).count();
            let beside = birth.path == born.path && stands(old.key);
            let told = old.key != claim.key && birth.commit < born.commit && !beside;
            let same = told && old.kind == claim.kind && words >= WORDS;
            let (tie, likeness) = same.then(|| likeness::tie(old, claim)).flatten()?;
            (tie == Tie::Reworded && likeness >= ALIKE).then_some((old.key, words))
        })
    }
}
