//! A newer row beside the old one: the same subject, run again on a later day, version or commit.
//!
//! Found by the subject without its occasion. Of a subject that was run on very many occasions only
//! the last runs are told, so that time and memory stay linear.

use std::collections::{BTreeSet, HashMap};

use super::births::{Birth, Births};
use super::likeness;
use super::origin::Traced;
use super::retests::tested;
use super::{How, Retest, Sighting};
use crate::extract::{Claim, Kind, Statements};
use crate::history::{History, PerBlob};

/// Later runs of one claim that are told.
const TOLD: usize = 4;
/// Runs of one subject that are looked at for each claim, the newest first.
const LOOKED: usize = 32;

/// Adds to each claim that names an occasion the later ones of the same subject.
pub(super) fn attach(
    history: &History,
    statements: &PerBlob<Statements>,
    births: &Births,
    claims: &mut [Traced],
) {
    let subject = |claim: &Claim| claim.occasion.as_ref().map(|it| it.subject);
    let mut asked: BTreeSet<u64> = BTreeSet::new();
    asked.extend(claims.iter().filter_map(|traced| subject(&traced.lineage.claim)));
    let mut runs: HashMap<u64, Vec<(&Birth, &Claim)>> = HashMap::new();
    for birth in births.values().filter_map(|all| all.first()) {
        let said = statements.get(birth.blob);
        let Some(claim) = said.and_then(|said| said.claims.get(birth.index)) else { continue };
        if let Some(subject) = subject(claim).filter(|it| asked.contains(it)) {
            runs.entry(subject).or_default().push((birth, claim));
        }
    }
    for all in runs.values_mut() {
        all.sort_unstable_by_key(|(birth, _)| (birth.commit, birth.path, birth.index));
    }
    for Traced { lineage, keys, .. } in claims {
        let all = subject(&lineage.claim).and_then(|subject| runs.get(&subject));
        let newest = all.into_iter().flatten().rev().take(LOOKED);
        let mut paths: BTreeSet<&str> =
            lineage.life.iter().map(|step| step.seen.path.as_str()).collect();
        paths.insert(&lineage.path);
        let again = newest.filter(|(birth, run)| {
            !keys.contains(&run.key)
                && paths.contains(history.path(birth.path))
                && birth.commit != lineage.introduced.commit
                && history.is_ancestor(lineage.introduced.commit, birth.commit)
                && likeness::later(&lineage.claim, run)
                && !likeness::other_conditions(&lineage.claim, run)
        });
        let again: Vec<_> = again.take(TOLD).map(|(birth, run)| (*birth, *run)).collect();
        for (birth, run) in again {
            let path = history.path(birth.path).to_owned();
            let seen = Sighting { commit: birth.commit, path, lines: run.lines };
            let retest = Retest {
                commit: birth.commit,
                how: how(&lineage.claim, run),
                words: run.text.clone(),
                seen: Some(seen.clone()),
            };
            tested(history, lineage, retest, seen);
        }
    }
}

fn how(old: &Claim, new: &Claim) -> How {
    if (old.kind == Kind::Failure) != (new.kind == Kind::Failure) {
        How::Outcome
    } else if likeness::compare_values(old, new).changed {
        How::Number
    } else {
        How::Text
    }
}
