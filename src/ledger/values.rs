//! Which later texts give another number than a claim: a correction, or the same quantity again.

use std::collections::{BTreeSet, HashMap};

use super::Ledger;
use crate::extract::{Claim, Kind, Placed, Quantity, SignClass};
use crate::history::{CommitId, Order};
use crate::lineage::Lineage;

/// Words, numbers aside, that a statement needs to be of one quantity and no other.
const WORDS: usize = 3;
/// Values of one quantity that lie within this share of each other are one value.
const SAME: f64 = 0.10;
/// Digits that a number needs to be known again without its unit.
const DIGITS: usize = 3;

/// A later text that says that a number is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Correction<'a> {
    /// Where it stands at the audited commit.
    pub path: &'a str,
    /// What it says.
    pub placed: &'a Placed,
}

/// Measurements by the words that they are told in.
#[derive(Debug, Default)]
pub(super) struct Wordings<'a>(HashMap<Vec<u64>, Vec<&'a Lineage>>);

impl<'a> Wordings<'a> {
    pub(super) fn new(claims: &'a [Lineage]) -> Self {
        let mut all: HashMap<Vec<u64>, Vec<&Lineage>> = HashMap::new();
        for lineage in claims {
            if let Some(wording) = wording(&lineage.claim) {
                all.entry(wording).or_default().push(lineage);
            }
        }
        all.retain(|_, told| told.len() > 1);
        Self(all)
    }
}

/// A measurement's words without its values: conditions stay, so that other ones make another
/// quantity. A row is told by its title and its column too.
fn wording(claim: &Claim) -> Option<Vec<u64>> {
    let [value] = claim.values.as_slice() else { return None };
    if claim.kind != Kind::Measurement || claim.topic.len() < WORDS {
        return None;
    }
    let own = xxhash_rust::xxh3::xxh3_64(format!("{}{}", value.number, value.unit).as_bytes());
    let mut words: Vec<u64> = claim.words.iter().copied().filter(|word| *word != own).collect();
    words.extend(&claim.metric);
    Some(words)
}

impl<'a> Ledger<'a> {
    /// Tells whether a commit came before another.
    pub fn is_before(&self, one: CommitId, other: CommitId) -> bool {
        matches!(self.history.order(one, other), Order::Before(_))
    }

    /// Later texts that correct a number of a claim.
    pub fn corrections(&self, claim: &Lineage) -> Vec<Correction<'a>> {
        let later = |path: &str, placed: &Placed| {
            let seen = self.lineages.claims.iter().find(|other| {
                other.path == path
                    && other.claim.lines.start <= placed.lines.end
                    && placed.lines.start <= other.claim.lines.end
            });
            match seen {
                Some(other) => self.is_before(claim.last_tested.commit, other.introduced.commit),
                None => !self.said_at(claim.last_tested.commit, placed),
            }
        };
        let all = self.signs().filter(|(_, placed)| placed.sign.class == SignClass::Corrected);
        let itself = |path: &str, placed: &Placed| {
            path == claim.path
                && placed.lines.start <= claim.claim.lines.end
                && claim.claim.lines.start <= placed.lines.end
        };
        all.filter(|(path, placed)| !itself(path, placed))
            .filter(|(_, placed)| gives(&claim.claim, &placed.sign.words))
            .filter(|(path, placed)| later(path, placed))
            .map(|(path, placed)| Correction { path, placed })
            .collect()
    }

    /// Whether the documents of a commit's tree said the same already.
    fn said_at(&self, commit: CommitId, placed: &Placed) -> bool {
        self.history.documents_at(commit).into_iter().any(|(_, blob)| {
            let said = self.statements.get(blob).map(|said| said.signs.as_slice());
            said.unwrap_or_default().iter().any(|other| other.sign == placed.sign)
        })
    }

    /// Later measurements of another document that tell the same quantity in the same words and give
    /// another value of it. Without a title over both, each may speak of a thing of its own.
    pub fn other_values(&self, claim: &Lineage) -> Vec<&'a Lineage> {
        let Some(wording) = wording(&claim.claim) else { return Vec::new() };
        let told = self.wordings.0.get(&wording).map_or(&[][..], Vec::as_slice);
        let differs = |other: &&&Lineage| {
            other.path != claim.path
                && claim.claim.section.last().is_some()
                && other.claim.section.last() == claim.claim.section.last()
                && self.is_before(claim.last_tested.commit, other.introduced.commit)
                && far(&claim.claim.values, &other.claim.values)
        };
        told.iter().filter(differs).copied().collect()
    }
}

fn far(one: &[Quantity], other: &[Quantity]) -> bool {
    let ([a], [b]) = (one, other) else { return false };
    let number = |it: &Quantity| it.number.parse::<f64>().ok();
    let (Some(x), Some(y)) = (number(a), number(b)) else { return false };
    a.unit == b.unit && (x - y).abs() > SAME * x.abs().max(y.abs())
}

/// Whether a claim gives the number that a correction is about: the last one of its words.
fn gives(claim: &Claim, words: &str) -> bool {
    let Some(wrong) = numbers(words).pop() else { return false };
    let digits = wrong.chars().filter(char::is_ascii_digit).count();
    digits >= DIGITS && numbers(&claim.text).into_iter().collect::<BTreeSet<_>>().contains(&wrong)
}

/// The numbers of a text as written, without the marks between thousands.
fn numbers(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for part in text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',') {
        let bare = part.trim_matches(['.', ',']).replace(',', "");
        if bare.starts_with(|c: char| c.is_ascii_digit()) {
            all.push(bare);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::tests::claim;

    #[test]
    fn a_correction_is_about_its_last_number() {
        let said = |text: &str| claim(Kind::Measurement, text);
        let wrong = "125,216 steps, not 250,432";
        assert!(gives(&said("125216 decisions = 250,432 steps"), wrong));
        assert!(!gives(&said("125,216 decisions"), wrong));
        assert!(!gives(&said("1250432 steps"), wrong));
        assert!(!gives(&said("12 cards"), "10 cards, not 12"));
    }
}
