//! Sentences of documents that say that a result was confirmed: which claims they are about.
//!
//! Such a sentence belongs to the claim that it is part of or follows, and to what it names. It says
//! so once: moved, reworded or copied together with its claim, it tells of no further run.

use std::collections::{BTreeSet, HashMap};

use super::births::{self, Birth};
use super::life::Link;
use super::origin::Traced;
use super::retests::{Index, conflict, tested};
use super::{How, Lineage, Retest, Sighting};
use crate::extract::{Confirmation, Statements};
use crate::history::{History, PerBlob};

/// Adds to each claim the sentences of documents that confirm it.
pub(super) fn attach(
    history: &History,
    statements: &PerBlob<Statements>,
    index: &Index,
    claims: &mut [Traced],
) {
    let births = births::of_confirmations(history, statements);
    let said = |birth: &Birth| statements.get(birth.blob)?.confirmations.get(birth.index);
    let mut first: Vec<(&Birth, &Confirmation)> = births
        .values()
        .filter_map(|all| all.first())
        .filter(|birth| birth.from.is_none() && !birth.hidden)
        .filter_map(|birth| Some((birth, said(birth)?)))
        .collect();
    first.sort_unstable_by_key(|(birth, _)| (birth.commit, birth.path, birth.index));
    let mut by_key: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, traced) in claims.iter().enumerate() {
        for key in traced.all_keys() {
            by_key.entry(*key).or_default().push(at);
        }
    }
    for (birth, said) in first {
        let beside = said.about.iter().filter_map(|key| by_key.get(key)).flatten().copied();
        let named = index.named_in_text(&said.note, claims);
        let path = history.path(birth.path);
        for at in beside.chain(named).collect::<BTreeSet<usize>>() {
            let Some(Traced { lineage, first_tested, .. }) = claims.get_mut(at) else { continue };
            let older =
                *first_tested != birth.commit && history.is_ancestor(*first_tested, birth.commit);
            let other = conflict(&said.note.terms, &lineage.claim.terms);
            if !older || other || came_along(lineage, birth, path) {
                continue;
            }
            let seen = Sighting { commit: birth.commit, path: path.to_owned(), lines: said.lines };
            let (commit, words) = (birth.commit, said.note.text.clone());
            let retest = Retest { commit, how: How::Text, words, seen: Some(seen.clone()) };
            tested(history, lineage, retest, seen);
        }
    }
}

/// The claim itself came to that document in that commit, from elsewhere.
fn came_along(lineage: &Lineage, birth: &Birth, path: &str) -> bool {
    let mut here = lineage
        .life
        .iter()
        .filter(|step| step.seen.commit == birth.commit && step.seen.path == path);
    here.any(|step| {
        !matches!(step.link, Some(Link::Reworded | Link::Revised(_) | Link::Corrected))
            && step.same_age
    })
}
