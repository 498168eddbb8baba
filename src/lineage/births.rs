//! Where in the history each statement appeared, and what vanished when it did.
//!
//! One pass, parents first. A document is compared with itself in each parent, so a merge never
//! gives birth to what a parent has at that path; what it has elsewhere is older anyway.

use std::collections::{BTreeMap, HashMap};

use super::likeness::{self, Tie};
use crate::extract::{Claim, Confirmation, Mention, Statements};
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
    pub(super) from: Option<Replaced>,
    /// Where the same statement stood until this commit.
    pub(super) moved_from: Option<PathId>,
}

/// A statement that vanished when another appeared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Replaced {
    pub(super) key: u64,
    /// Where it stood.
    pub(super) path: PathId,
    pub(super) tie: Tie,
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

pub(super) fn of_claims(history: &History, statements: &PerBlob<Statements>) -> Births {
    births(history, statements, |said| &said.claims, |claim| claim.key, likeness::claims)
}

pub(super) fn of_pitfalls(history: &History, statements: &PerBlob<Statements>) -> Births {
    births(history, statements, |said| &said.pitfalls, |pitfall| pitfall.key, likeness::pitfalls)
}

pub(super) fn of_mentions(history: &History, statements: &PerBlob<Statements>) -> Births {
    let alone = |_: &[Placed<'_, Mention>], _: &[Placed<'_, Mention>]| Vec::new();
    births(history, statements, |said| &said.mentions, |mention| mention.wording.key, alone)
}

pub(super) fn of_withdrawn(history: &History, statements: &PerBlob<Statements>) -> Births {
    let alone = |_: &[Placed<'_, Claim>], _: &[Placed<'_, Claim>]| Vec::new();
    births(history, statements, |said| &said.withdrawn, |claim| claim.key, alone)
}

/// As many as vanish are told again in other words or another language: only what is more is new.
pub(super) fn of_confirmations(history: &History, statements: &PerBlob<Statements>) -> Births {
    let in_turn = |new: &[Placed<'_, Confirmation>], old: &[Placed<'_, Confirmation>]| {
        (0..new.len().min(old.len())).map(|at| (at, at, Tie::Reworded)).collect()
    };
    births(history, statements, |said| &said.confirmations, |it| it.key, in_turn)
}

/// `pair` ties statements that are new in a commit to those that vanished there, both by index.
fn births<'a, T: 'a>(
    history: &History,
    statements: &'a PerBlob<Statements>,
    pick: fn(&Statements) -> &Vec<T>,
    key: fn(&T) -> u64,
    mut pair: impl FnMut(&[Placed<'a, T>], &[Placed<'a, T>]) -> Vec<(usize, usize, Tie)>,
) -> Births {
    let mut births = Births::new();
    for at in 0..history.commits().len() {
        let commit = CommitId(u32::try_from(at).unwrap_or(u32::MAX));
        let changes = history.changes(commit);
        let mut appeared = Vec::new();
        let mut vanished: BTreeMap<u64, Placed<'a, T>> = BTreeMap::new();
        let mut left: BTreeMap<u64, Vec<PathId>> = BTreeMap::new();
        for change in changes {
            for placed in compare(change, statements, pick, key, &mut appeared) {
                left.entry(placed.key).or_default().push(placed.path);
                vanished.entry(placed.key).or_insert(placed);
            }
        }
        let (new, known): (Vec<_>, Vec<_>) =
            appeared.into_iter().partition(|(placed, _)| !births.contains_key(&placed.key));
        for (placed, hidden) in known {
            vanished.remove(&placed.key);
            let from = left.get(&placed.key).into_iter().flatten().copied();
            let same = |path: &PathId| common_end(history.path(*path), history.path(placed.path));
            let moved_from = from.rev().max_by_key(same);
            let birth = Birth { moved_from, ..placed.born(commit, hidden, None) };
            births.entry(placed.key).or_default().push(birth);
        }
        for (placed, _) in &new {
            vanished.remove(&placed.key);
        }
        let (new, hidden): (Vec<_>, Vec<_>) = new.into_iter().unzip();
        let vanished: Vec<_> = vanished.into_values().collect();
        let mut from = vec![None; new.len()];
        if !new.is_empty() {
            for (young, old, tie) in pair(&new, &vanished) {
                if let (Some(slot), Some(old)) = (from.get_mut(young), vanished.get(old)) {
                    *slot = Some(Replaced { key: old.key, path: old.path, tie });
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
    fn born(&self, commit: CommitId, hidden: bool, from: Option<Replaced>) -> Birth {
        let Self { path, blob, index, .. } = *self;
        Birth { commit, path, blob, index, hidden, from, moved_from: None }
    }
}

/// Adds what a version of a document has and none of its parents' versions had; returns what it lacks.
fn compare<'a, T: 'a>(
    change: &Change,
    statements: &'a PerBlob<Statements>,
    pick: fn(&Statements) -> &Vec<T>,
    key: fn(&T) -> u64,
    appeared: &mut Vec<(Placed<'a, T>, bool)>,
) -> Vec<Placed<'a, T>> {
    let said = |blob: BlobId| statements.get(blob).map_or(&[][..], |said| pick(said).as_slice());
    // Sorted lists and not maps: this is done for every version, and nearly all of it stays.
    let firsts = |blob: BlobId| {
        let mut firsts: Vec<(u64, BlobId, usize)> =
            said(blob).iter().enumerate().map(|(index, one)| (key(one), blob, index)).collect();
        firsts.sort_unstable();
        firsts.dedup_by_key(|(key, ..)| *key);
        firsts
    };
    let new = change.blob.map(firsts).unwrap_or_default();
    let hidden = change.before.iter().flatten().any(|blob| statements.get(*blob).is_none());
    let mut gone: Vec<_> = change.before.iter().flatten().flat_map(|blob| firsts(*blob)).collect();
    gone.sort_by_key(|(key, ..)| *key);
    gone.dedup_by_key(|(key, ..)| *key);
    let is_in = |list: &[(u64, BlobId, usize)], key: u64| {
        list.binary_search_by_key(&key, |(key, ..)| *key).is_ok()
    };
    let place = |(key, blob, index): &(u64, BlobId, usize)| {
        let all = said(*blob);
        let (key, blob, index) = (*key, *blob, *index);
        Some(Placed { key, path: change.path, blob, index, of: all.len(), said: all.get(index)? })
    };
    let appear = new.iter().filter(|(key, ..)| !is_in(&gone, *key)).filter_map(place);
    appeared.extend(appear.map(|placed| (placed, hidden)));
    gone.iter().filter(|(key, ..)| !is_in(&new, *key)).filter_map(place).collect()
}

/// How many names two paths have in common, counted from the end.
fn common_end(a: &str, b: &str) -> usize {
    a.rsplit('/').zip(b.rsplit('/')).take_while(|(a, b)| a == b).count()
}
