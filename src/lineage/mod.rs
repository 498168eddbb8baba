//! One claim across edits, moves and renames: when it was first made, when last tested.
//!
//! A key says what is claimed, not where or how, so the oldest commit that holds a key is its
//! origin and moves cost nothing. Rewording changes the key: the two are tied where one vanishes
//! and the other appears in the same commit. Line blame is the tempting alternative; it answers
//! who last touched the line. Knows nothing of a pitfall's effect, of verdicts, or why anybody asks.

mod births;
mod confirmed;
mod ended;
mod figures;
#[cfg(test)]
pub(crate) mod fixture;
mod id;
mod life;
mod likeness;
mod origin;
mod originals;
mod pitfalls;
mod remarks;
mod repeats;
mod retests;
mod retold;
mod runs;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use crate::documents::Lines;
use crate::extract::{Claim, Pitfall, Remark, RetestNote, Statements};
use crate::history::{CommitId, History, PerBlob};
use origin::Known;
use originals::Originals;
use retold::Retold;
use runs::Runs;

pub use figures::{telling, tells};
pub use id::{claim_ids, ended_ids, pitfall_ids};
pub use life::{Link, Step, Why};
pub use likeness::opposite;
pub use retests::conflict;

/// A place in the history at which a statement was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// In which commit's tree.
    pub commit: CommitId,
    /// Document path at that commit.
    pub path: String,
    /// Lines in that version of the document.
    pub lines: Lines,
}

/// How a retest is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// The commit message says so about this subject.
    Message,
    /// The claim's own number was replaced by a newly measured one.
    Number,
    /// The claim's outcome was replaced.
    Outcome,
    /// A `Retest:` trailer.
    Trailer,
    /// The document says that it was confirmed, or no longer that it was never run.
    Text,
}

/// A later commit that really ran the subject again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retest {
    /// Which commit.
    pub commit: CommitId,
    /// How it is known.
    pub how: How,
    /// The words it rests on.
    pub words: String,
    /// Where in a document they stand; `None` where the commit's message says them.
    pub seen: Option<Sighting>,
}

/// One claim that stands at the audited commit, with its life.
#[derive(Clone, Debug, PartialEq)]
pub struct Lineage {
    /// As it stands at the audited commit.
    pub claim: Claim,
    /// Document path at the audited commit.
    pub path: String,
    /// The oldest commit that gives this subject this outcome.
    pub introduced: Sighting,
    /// The newest commit that measured it; `introduced` where none did later, and where the
    /// statement only puts right the unit or source of an older one, that one's last test.
    pub last_tested: Sighting,
    /// Retests in order, oldest first. One in the introducing commit itself says that the claim
    /// replaced another number or outcome there.
    pub retests: Vec<Retest>,
    /// Every statement it grew out of and every place it came to, oldest first.
    pub life: Vec<Step>,
    /// The origin is hidden by a cut-off history: `introduced` is "at or before".
    pub at_or_before: bool,
}

/// One pitfall that stands at the audited commit.
#[derive(Clone, Debug, PartialEq)]
pub struct PitfallLineage {
    /// As it stands at the audited commit.
    pub pitfall: Pitfall,
    /// Document path at the audited commit.
    pub path: String,
    /// The oldest commit that names its trigger together with the ban or the effect.
    pub introduced: Sighting,
    /// The origin is hidden by a cut-off history.
    pub at_or_before: bool,
}

/// A claim that a document of the audited commit takes back.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// The claim as it stood, at the place where it is taken back, with its life before.
    pub lineage: Lineage,
    /// Where it was first taken back.
    pub end: Sighting,
    /// The words that take it back, or that are struck out.
    pub words: String,
}

/// A remark to this program that stands at the audited commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemarkLineage {
    /// As it stands at the audited commit.
    pub remark: Remark,
    /// Document path at the audited commit.
    pub path: String,
    /// The newest commit that added it.
    pub written: CommitId,
    /// The claims that it speaks of, by index.
    pub claims: Vec<usize>,
    /// Those of them that say something else than when it was written.
    pub outdated: Vec<usize>,
}

/// The life of everything that stands at the audited commit, by path, then line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lineages {
    /// Claims; the same statement twice in one document is one claim.
    pub claims: Vec<Lineage>,
    /// Claims that are struck out or withdrawn, and stand nowhere else.
    pub ended: Vec<Ended>,
    /// Pitfalls; likewise.
    pub pitfalls: Vec<PitfallLineage>,
    /// Remarks, each for itself.
    pub remarks: Vec<RemarkLineage>,
}

/// Follows every claim and pitfall of the audited commit back to its origin.
///
/// `notes` are what commit messages say of retests, in the order of their commits. Time and memory
/// are linear in the distinct document versions.
pub fn trace(
    history: &History,
    statements: &PerBlob<Statements>,
    notes: &[(CommitId, RetestNote)],
) -> Lineages {
    let claims = births::of_claims(history, statements);
    let mentions = births::of_mentions(history, statements);
    let originals = Originals::new(&mentions, statements);
    let retold = Retold::new(&claims, statements);
    let known = Known {
        history,
        statements,
        births: &claims,
        originals: &originals,
        retold: &retold,
        runs: &Runs::new(history, statements),
    };
    let mut claims = standing(history, statements, |said| &said.claims, merge_repeats)
        .into_iter()
        .filter_map(|(path, claim)| origin::of_claim(&known, path, claim))
        .collect::<Vec<_>>();
    let index = retests::Index::new(&claims);
    retests::attach(history, statements, notes, &index, &mut claims);
    confirmed::attach(history, statements, &index, &mut claims);
    repeats::attach(history, statements, known.births, &mut claims);
    retests::in_order(&mut claims);
    let alive: HashSet<u64> = claims.iter().flat_map(|it| it.keys.iter().copied()).collect();
    let withdrawn = standing(history, statements, |said| &said.withdrawn, merge_repeats);
    let ended = ended::trace(&known, withdrawn, &alive);
    let births = births::of_pitfalls(history, statements);
    let pitfalls = pitfalls::trace(
        history,
        statements,
        &births,
        &originals,
        standing(history, statements, |said| &said.pitfalls, first_of_each),
    );
    let claims: Vec<Lineage> = claims.into_iter().map(|traced| traced.lineage).collect();
    let remarks = remarks::trace(history, statements, &claims);
    Lineages { claims, ended, pitfalls, remarks }
}

/// Statements of the audited commit by path, then line.
fn standing<T: Clone>(
    history: &History,
    statements: &PerBlob<Statements>,
    pick: fn(&Statements) -> &Vec<T>,
    merge: fn(&[T]) -> Vec<T>,
) -> Vec<(String, T)> {
    let mut documents = history.documents_at(history.head());
    documents.sort_by(|a, b| history.path(a.0).cmp(history.path(b.0)));
    let mut all = Vec::new();
    for (path, blob) in documents {
        let Some(said) = statements.get(blob) else {
            continue;
        };
        all.extend(merge(pick(said)).into_iter().map(|one| (history.path(path).to_owned(), one)));
    }
    all
}

/// Keeps the first of equal claims of a document and notes where the others stand.
fn merge_repeats(claims: &[Claim]) -> Vec<Claim> {
    let mut sorted: Vec<&Claim> = claims.iter().collect();
    sorted.sort_by_key(|claim| claim.lines);
    let mut first = HashMap::new();
    let mut merged: Vec<Claim> = Vec::new();
    for claim in sorted {
        match first.get(&claim.key).and_then(|at: &usize| merged.get_mut(*at)) {
            Some(kept) => {
                kept.also.push(claim.lines);
                kept.also.extend(&claim.also);
                kept.also.sort();
                kept.also.dedup();
                let own = kept.lines;
                kept.also.retain(|lines| *lines != own);
            }
            None => {
                first.insert(claim.key, merged.len());
                merged.push(claim.clone());
            }
        }
    }
    merged
}

fn first_of_each(pitfalls: &[Pitfall]) -> Vec<Pitfall> {
    let mut sorted: Vec<&Pitfall> = pitfalls.iter().collect();
    sorted.sort_by_key(|pitfall| pitfall.lines);
    let mut seen = std::collections::HashSet::new();
    sorted.into_iter().filter(|pitfall| seen.insert(pitfall.key)).cloned().collect()
}
