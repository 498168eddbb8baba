//! Where in the history each statement appeared, and what vanished when it did.
//!
//! One pass, parents first. A document is compared with itself in each parent, so a merge never
//! gives birth to what a parent has at that path; what it has elsewhere is older anyway.

use std::collections::{BTreeMap, HashMap};

use super::copies::Told;
use super::likeness::{self, Tie};
use crate::extract::{Claim, Statements};
use crate::history::{BlobId, Change, CommitId, History, PathId, PerBlob};

/// A statement that stands in a document and in none of that document's parent versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Birth {
    pub(super) commit: CommitId,
    pub(super) path: PathId,
    pub(super) blob: BlobId,
    /// Index into the blob's statements of this kind.
    pub(super) index: usize,
    /// A parent version could not be read: it may have stood there.
    pub(super) hidden: bool,
    /// The statement it replaced.
    pub(super) from: Option<(u64, Tie)>,
}

/// By key, in the order of commits.
pub(super) type Births = HashMap<u64, Vec<Birth>>;

/// A statement at a place, while one commit is compared with its parents.
pub(super) struct Placed<'a, T> {
    pub(super) key: u64,
    pub(super) path: PathId,
    pub(super) blob: BlobId,
    pub(super) index: usize,
    /// Number of statements in that document, for relative positions.
    pub(super) of: usize,
    pub(super) said: &'a T,
}

pub(super) fn of_claims<'a>(history: &History, statements: &'a PerBlob<Statements>) -> Births {
    let mut told = Told::default();
    let pair = |new: &[Placed<'a, Claim>], old: &[Placed<'a, Claim>]| {
        let mut ties = likeness::claims(new, old);
        told.copies(new, &mut ties);
        ties
    };
    births(history, statements, |said| &said.claims, |claim| claim.key, pair)
}

pub(super) fn of_pitfalls(history: &History, statements: &PerBlob<Statements>) -> Births {
    births(history, statements, |said| &said.pitfalls, |pitfall| pitfall.key, likeness::pitfalls)
}

/// `pair` ties statements that are new in a commit, by index, to older ones, by key; it sees them
/// in the order of commits.
fn births<'a, T: 'a>(
    history: &History,
    statements: &'a PerBlob<Statements>,
    pick: fn(&Statements) -> &Vec<T>,
    key: fn(&T) -> u64,
    mut pair: impl FnMut(&[Placed<'a, T>], &[Placed<'a, T>]) -> Vec<(usize, u64, Tie)>,
) -> Births {
    let mut births = Births::new();
    for at in 0..history.commits().len() {
        let commit = CommitId(u32::try_from(at).unwrap_or(u32::MAX));
        let changes = history.changes(commit);
        let mut appeared = Vec::new();
        let mut vanished: BTreeMap<u64, Placed<'a, T>> = BTreeMap::new();
        for change in changes {
            compare(change, statements, pick, key, &mut appeared, &mut vanished);
        }
        for (placed, _) in &appeared {
            vanished.remove(&placed.key);
        }
        let (new, known): (Vec<_>, Vec<_>) =
            appeared.into_iter().partition(|(placed, _)| !births.contains_key(&placed.key));
        for (placed, hidden) in known {
            births.entry(placed.key).or_default().push(placed.born(commit, hidden, None));
        }
        let (new, hidden): (Vec<_>, Vec<_>) = new.into_iter().unzip();
        let vanished: Vec<_> = vanished.into_values().collect();
        let mut from = vec![None; new.len()];
        if !new.is_empty() {
            for (young, old, tie) in pair(&new, &vanished) {
                if let Some(slot) = from.get_mut(young) {
                    *slot = Some((old, tie));
                }
            }
        }
        for ((placed, hidden), from) in new.into_iter().zip(hidden).zip(from) {
            births.entry(placed.key).or_default().push(placed.born(commit, hidden, from));
        }
    }
    births
}

impl<T> Placed<'_, T> {
    fn born(&self, commit: CommitId, hidden: bool, from: Option<(u64, Tie)>) -> Birth {
        Birth { commit, path: self.path, blob: self.blob, index: self.index, hidden, from }
    }
}

fn compare<'a, T: 'a>(
    change: &Change,
    statements: &'a PerBlob<Statements>,
    pick: fn(&Statements) -> &Vec<T>,
    key: fn(&T) -> u64,
    appeared: &mut Vec<(Placed<'a, T>, bool)>,
    vanished: &mut BTreeMap<u64, Placed<'a, T>>,
) {
    let place = |blob: BlobId| -> BTreeMap<u64, Placed<'a, T>> {
        let Some(said) = statements.get(blob).map(pick) else {
            return BTreeMap::new();
        };
        let mut placed = BTreeMap::new();
        for (index, one) in said.iter().enumerate() {
            placed.entry(key(one)).or_insert(Placed {
                key: key(one),
                path: change.path,
                blob,
                index,
                of: said.len(),
                said: one,
            });
        }
        placed
    };
    let mut new = change.blob.map(place).unwrap_or_default();
    let hidden = change.before.iter().flatten().any(|blob| statements.get(*blob).is_none());
    let mut gone = BTreeMap::new();
    for before in change.before.iter().flatten() {
        for (key, placed) in place(*before) {
            gone.entry(key).or_insert(placed);
        }
    }
    let stayed: Vec<u64> = new.keys().filter(|key| gone.contains_key(key)).copied().collect();
    for key in stayed {
        new.remove(&key);
        gone.remove(&key);
    }
    appeared.extend(new.into_values().map(|placed| (placed, hidden)));
    for (key, placed) in gone {
        vanished.entry(key).or_insert(placed);
    }
}
