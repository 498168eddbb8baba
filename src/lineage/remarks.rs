//! Remarks to this program: when each was written, and which claims it speaks of.
//!
//! A remark is about what stood beside it when somebody wrote it. Where that has become another
//! result since, the remark still stands there and means nothing any more.

use std::collections::{BTreeMap, HashMap};

use super::{Lineage, RemarkLineage};
use crate::documents::Lines;
use crate::extract::{Remark, Statements};
use crate::history::{BlobId, CommitId, History, Order, PerBlob};

/// All remarks of the audited commit, by path, then line.
pub(super) fn trace(
    history: &History,
    statements: &PerBlob<Statements>,
    claims: &[Lineage],
) -> Vec<RemarkLineage> {
    let mut standing: Vec<(&str, &Remark)> = Vec::new();
    for (path, blob) in history.documents_at(history.head()) {
        let said = statements.get(blob).map_or(&[][..], |said| said.remarks.as_slice());
        standing.extend(said.iter().map(|remark| (history.path(path), remark)));
    }
    if standing.is_empty() {
        return Vec::new();
    }
    standing.sort_by_key(|(path, remark)| (*path, remark.lines));
    let written = written(history, statements);
    let mut by_path: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, claim) in claims.iter().enumerate() {
        by_path.entry(&claim.path).or_default().push(at);
    }
    let about = |path: &str, lines: Lines| {
        let all = by_path.get(path).into_iter().flatten().copied();
        all.filter(|at| claims.get(*at).is_some_and(|claim| touches(claim, lines))).collect()
    };
    let trace = |(path, remark): (&str, &Remark)| {
        let written = written.get(remark.text.as_str()).copied().unwrap_or(history.head());
        let claims_here: Vec<usize> =
            remark.about.map_or_else(Vec::new, |lines| about(path, lines));
        let younger = |at: &usize| {
            let born = claims.get(*at).map(|claim| claim.introduced.commit);
            born.is_some_and(|born| matches!(history.order(born, written), Order::After(_)))
        };
        let outdated = claims_here.iter().copied().filter(younger).collect();
        let (remark, path) = (remark.clone(), path.to_owned());
        RemarkLineage { remark, path, written, claims: claims_here, outdated }
    };
    standing.into_iter().map(trace).collect()
}

fn touches(claim: &Lineage, lines: Lines) -> bool {
    let meets = |own: &Lines| own.start <= lines.end && lines.start <= own.end;
    meets(&claim.claim.lines) || claim.claim.also.iter().any(meets)
}

/// The newest commit with more remarks of a text than its parents had: moving one adds none.
fn written<'a>(
    history: &History,
    statements: &'a PerBlob<Statements>,
) -> HashMap<&'a str, CommitId> {
    let count = |blob: Option<BlobId>| {
        let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
        let said = blob.and_then(|blob| statements.get(blob));
        for remark in said.into_iter().flat_map(|said| &said.remarks) {
            *counts.entry(&remark.text).or_default() += 1;
        }
        counts
    };
    let mut written = HashMap::new();
    for at in 0..history.commits().len() {
        let commit = CommitId(u32::try_from(at).unwrap_or(u32::MAX));
        let mut growth: BTreeMap<&str, i64> = BTreeMap::new();
        for change in history.changes(commit) {
            let mut before: BTreeMap<&str, i64> = BTreeMap::new();
            for (text, there) in change.before.iter().flat_map(|blob| count(*blob)) {
                let most = before.entry(text).or_default();
                *most = there.max(*most);
            }
            for (text, here) in count(change.blob) {
                *growth.entry(text).or_default() += here;
            }
            for (text, there) in before {
                *growth.entry(text).or_default() -= there;
            }
        }
        written
            .extend(growth.into_iter().filter(|(_, more)| *more > 0).map(|(it, _)| (it, commit)));
    }
    written
}
