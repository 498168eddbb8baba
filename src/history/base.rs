//! An earlier commit of a walked history: where a branch left another, and all that was known there.
//!
//! A change is judged by two audits, before and after it. The history after it contains the one
//! before, so nothing is walked or read twice.

use std::collections::HashSet;

use super::ancestry::Ancestry;
use super::forest::TreeId;
use super::hash::IdMap;
use super::store::{Kind, Loss, Store};
use super::{Commit, CommitId, Counts, Error, History, Limits, ObjectId, Repository, commit};

impl Repository {
    /// The newest common ancestors of a walked history and another commit: more than one where the
    /// two merged each other crosswise. Sorted, never empty.
    ///
    /// Only commits outside the history are read: where their parents enter it, it is known.
    ///
    /// # Errors
    /// When the other commit cannot be read, when a bound is reached, and when there is no common
    /// ancestor that can be seen.
    pub fn merge_bases(&self, history: &History, other: ObjectId) -> Result<Vec<CommitId>, Error> {
        let limits = Limits::default();
        let store = Store::open(&self.place, 0)?;
        let shallow = self.shallow_commits()?;
        let mut inside: IdMap<CommitId> = IdMap::default();
        for (commit, id) in history.commits.iter().zip((0..).map(CommitId)) {
            inside.insert(commit.oid, id);
        }
        let mut entered = Vec::new();
        let mut cut_off = history.commits.iter().any(|commit| commit.boundary);
        let mut seen = HashSet::new();
        let mut stack = vec![other];
        while let Some(id) = stack.pop() {
            if let Some(known) = inside.get(&id) {
                entered.push(*known);
                continue;
            }
            if !seen.insert(id) {
                continue;
            }
            if seen.len() > limits.commits {
                return Err(Error::Limit { what: "commits", limit: limits.commits as u64 });
            }
            let parents = store.read_checked(id, Kind::Commit, limits.commit_bytes, |bytes| {
                commit::parse(bytes, 0).parents
            });
            match parents {
                Ok(parents) if shallow.contains(&id) => cut_off |= !parents.is_empty(),
                Ok(parents) => stack.extend(parents),
                Err(loss) if id == other => return Err(unreadable(id, loss)),
                Err(_) => cut_off = true,
            }
        }
        entered.sort_unstable();
        entered.dedup();
        let mut bases: Vec<CommitId> = Vec::new();
        for commit in entered.into_iter().rev() {
            if !bases.iter().any(|newer| history.is_ancestor(commit, *newer)) {
                bases.push(commit);
            }
        }
        bases.reverse();
        if bases.is_empty() {
            let rev = history.commits.last().map_or(other, |head| head.oid);
            return Err(Error::Unrelated { base: other, rev, cut_off });
        }
        Ok(bases)
    }
}

impl History {
    /// The history that ends at one of these commits: what a walk from it would have found, with
    /// this history's numbers of paths and blobs (so values by blob serve both) and commit numbers
    /// of its own. Its caveats are this history's.
    ///
    /// # Errors
    /// When there is no such commit or the documents at it are not known.
    pub fn at(&self, commit: CommitId) -> Result<History, Error> {
        let found = self.commits.get(commit.0 as usize);
        let tree = self.documents.get(commit.0 as usize).copied();
        if tree.is_none_or(|tree| tree == TreeId::UNKNOWN) {
            let oid = found.map_or(ObjectId([0; 20]), |commit| commit.oid);
            return Err(Error::Unreadable {
                what: "tree of commit",
                oid,
                reason: "missing, corrupt or over the limit of documents".to_owned(),
            });
        }
        let head = commit.0 as usize;
        let mut kept = vec![false; self.commits.len()];
        kept[head] = true;
        for (at, commit) in self.commits.iter().enumerate().take(head + 1).rev() {
            if kept[at] {
                commit.parents.iter().for_each(|parent| kept[parent.0 as usize] = true);
            }
        }
        let mut number = vec![CommitId(u32::MAX); self.commits.len()];
        let (mut commits, mut documents) = (Vec::new(), Vec::new());
        let (mut changes, mut ends) = (Vec::new(), Vec::new());
        for (at, commit) in self.commits.iter().enumerate().filter(|(at, _)| kept[*at]) {
            number[at] = CommitId(u32::try_from(commits.len()).unwrap_or(u32::MAX));
            let parents = commit.parents.iter().map(|parent| number[parent.0 as usize]).collect();
            commits.push(Commit { parents, ..commit.clone() });
            documents.push(self.documents[at]);
            changes
                .extend_from_slice(self.changes(CommitId(u32::try_from(at).unwrap_or(u32::MAX))));
            ends.push(changes.len());
        }
        let counts = Counts { commits: commits.len(), ..self.counts };
        Ok(History {
            head: CommitId(u32::try_from(commits.len().saturating_sub(1)).unwrap_or(0)),
            ancestry: Ancestry::new(&commits),
            paths: self.paths.clone(),
            blobs: self.blobs.clone(),
            forest: self.forest.clone(),
            places: self.places.clone(),
            blob_of: self.blob_of.clone(),
            caveats: self.caveats.clone(),
            limits: self.limits,
            commits,
            changes,
            ends,
            documents,
            counts,
        })
    }
}

fn unreadable(oid: ObjectId, loss: Loss) -> Error {
    Error::Unreadable { what: "commit", oid, reason: loss.words().to_owned() }
}
