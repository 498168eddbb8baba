//! Claims that a document takes back: where each ended, and the life before.
//!
//! What is struck out is known by its key, what is withdrawn in words by its likeness to a claim that
//! vanished in the same commit. A claim that still stands somewhere has not ended.

use std::collections::{BTreeMap, HashSet};

use super::births::{self, Birth, Placed};
use super::likeness::{self, Tie};
use super::origin::{self, Known};
use super::{Ended, Sighting};
use crate::extract::Claim;
use crate::history::{CommitId, PathId};

/// Traces what is withdrawn at the audited commit, in the order given. `standing` are keys of claims
/// that stand there.
pub(super) fn trace(
    known: &Known<'_>,
    withdrawn: Vec<(String, Claim)>,
    standing: &HashSet<u64>,
) -> Vec<Ended> {
    if withdrawn.is_empty() {
        return Vec::new();
    }
    let births = births::of_withdrawn(known.history, known.statements);
    let first = |key| births.get(&key).and_then(|all| all.first());
    let ends: Vec<(String, Claim, &Birth)> = withdrawn
        .into_iter()
        .filter(|(_, claim)| !standing.contains(&claim.key))
        .filter_map(|(path, claim)| {
            let birth = first(claim.key)?;
            Some((path, claim, birth))
        })
        .collect();
    let before = before(known, &ends);
    let mut all = Vec::new();
    for (at, (path, claim, birth)) in ends.into_iter().enumerate() {
        let stood = match known.births.get(&claim.key) {
            Some(stood) => stood.first().and_then(|it| claim_of(known, it)),
            None => before.get(&at).copied(),
        };
        let Some(stood) = stood else { continue };
        // As it stood, at the place where it is taken back now.
        let ended = Claim { lines: claim.lines, also: Vec::new(), ..stood.clone() };
        let Some(traced) = origin::of_claim(known, path, ended) else { continue };
        let path = known.history.path(birth.path).to_owned();
        let said = known.statements.get(birth.blob).and_then(|it| it.withdrawn.get(birth.index));
        let lines = said.map_or(claim.lines, |it| it.lines);
        let end = Sighting { commit: birth.commit, path, lines };
        all.push(Ended { lineage: traced.lineage, end, words: claim.text.clone() });
    }
    all
}

/// Of what is withdrawn in words, the claim that it was until then, by index.
fn before<'a>(known: &Known<'a>, ends: &[(String, Claim, &Birth)]) -> BTreeMap<usize, &'a Claim> {
    let mut places: BTreeMap<(CommitId, PathId), Vec<usize>> = BTreeMap::new();
    for (at, (_, claim, birth)) in ends.iter().enumerate() {
        if !known.births.contains_key(&claim.key) {
            places.entry((birth.commit, birth.path)).or_default().push(at);
        }
    }
    let mut found = BTreeMap::new();
    for ((commit, path), here) in places {
        let new = here.iter().filter_map(|at| ends.get(*at)).map(|(_, claim, birth)| Placed {
            key: claim.key,
            path,
            blob: birth.blob,
            index: birth.index,
            of: here.len(),
            said: claim,
        });
        let (new, old) = (new.collect::<Vec<_>>(), vanished(known, commit, path));
        for (young, old_at, tie) in likeness::claims(&new, &old) {
            let pair = here.get(young).zip(old.get(old_at)).filter(|_| tie == Tie::Reworded);
            found.extend(pair.map(|(at, placed)| (*at, placed.said)));
        }
    }
    found
}

/// Claims that stood in a document and do no longer since a commit.
fn vanished<'a>(known: &Known<'a>, commit: CommitId, path: PathId) -> Vec<Placed<'a, Claim>> {
    let claims = |blob| known.statements.get(blob).map_or(&[][..], |said| said.claims.as_slice());
    let changes = known.history.changes(commit).iter().filter(|change| change.path == path);
    let mut gone = Vec::new();
    for change in changes {
        let left: HashSet<u64> =
            change.blob.map_or(&[][..], claims).iter().map(|claim| claim.key).collect();
        for blob in change.before.iter().flatten().copied() {
            let all = claims(blob);
            gone.extend(all.iter().enumerate().filter(|(_, it)| !left.contains(&it.key)).map(
                |(index, said)| Placed { key: said.key, path, blob, index, of: all.len(), said },
            ));
        }
    }
    gone
}

fn claim_of<'a>(known: &Known<'a>, birth: &Birth) -> Option<&'a Claim> {
    known.statements.get(birth.blob)?.claims.get(birth.index)
}
