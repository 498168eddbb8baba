//! The history's shape: all commits, parents before children.
//!
//! The walk follows the parents that each commit's own text names. A commit-graph file, grafts and
//! replacements can say something else and are not asked.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::fs;
use std::io::{BufRead, BufReader};

use super::caveats::Unseen;
use super::commit::{RawCommit, parse};
use super::hash::IdMap;
use super::store::{Kind, Loss, Store, parse_hex};
use super::{Commit, CommitId, Error, Limits, ObjectId, Repository, Scope};

/// A commit dated earlier than a parent by more than this is a sign of a wrong clock.
const SKEW: i64 = 24 * 60 * 60;

impl Repository {
    /// Reads all commits, parents before children; the audited one comes last.
    pub(super) fn read_commits(
        &self,
        scope: &Scope<'_>,
        unseen: &mut Unseen,
    ) -> Result<Graph, Error> {
        let limits = &scope.limits;
        let store = Store::open(&self.place, 0)?;
        let shallow = self.shallow_commits()?;
        let mut cut_off = 0;
        let mut found: Vec<Found> = Vec::new();
        let mut known: IdMap<Option<u32>> = IdMap::default();
        let mut stack = vec![scope.rev];
        scope.progress.phase("commits", None);
        while let Some(id) = stack.pop() {
            if known.contains_key(&id) {
                continue;
            }
            let read = store.read_checked(id, Kind::Commit, limits.commit_bytes, |bytes| {
                parse(bytes, limits.message_bytes)
            });
            let mut commit = match read {
                Ok(commit) => commit,
                Err(loss) if id == scope.rev => {
                    return Err(Error::Unreadable {
                        what: "commit",
                        oid: id,
                        reason: loss.words().to_owned(),
                    });
                }
                Err(loss) => {
                    lost_commit(unseen, id, loss);
                    known.insert(id, None);
                    continue;
                }
            };
            let mut boundary = false;
            if shallow.contains(&id) && !commit.parents.is_empty() {
                commit.parents.clear();
                boundary = true;
                cut_off += 1;
            }
            if commit.parents.len() > limits.parents {
                commit.parents.truncate(limits.parents);
                boundary = true;
                let say =
                    format!("parents beyond the limit of {} were not followed", limits.parents);
                unseen.add("too-many-parents", &say, format!("commit {}", id.short()));
            }
            note_commit(unseen, id, &commit, limits);
            stack.extend(commit.parents.iter().rev());
            known.insert(id, u32::try_from(found.len()).ok());
            found.push(Found { id, commit, boundary });
            if found.len() > limits.commits {
                return Err(Error::Limit { what: "commits", limit: limits.commits as u64 });
            }
            if found.len().is_multiple_of(256) {
                scope.progress.advance(256);
            }
        }
        if cut_off > 0 {
            if !scope.allow_shallow {
                return Err(Error::Shallow { commits: found.len() });
            }
            let what =
                format!("{cut_off} of {} commits have parents that are not here", found.len());
            unseen.add("shallow", "the history is shallow, what is older cannot be seen", what);
        }
        sort(found, &known)
    }

    /// The commits whose parents were not fetched.
    pub(super) fn shallow_commits(&self) -> Result<HashSet<ObjectId>, Error> {
        // In a linked work tree the list is in the common folder, where libgit2 does not look.
        let file = self.place.common_dir.join("shallow");
        let bad = || Error::ShallowFile { path: file.clone() };
        if !file.is_file() {
            return Ok(HashSet::new());
        }
        let lines = BufReader::new(
            fs::File::open(&file).map_err(|_| Error::Permission { path: file.clone() })?,
        );
        lines
            .split(b'\n')
            .filter(|line| !matches!(line, Ok(line) if line.trim_ascii().is_empty()))
            .map(|line| parse_hex(line.map_err(|_| bad())?.trim_ascii()).ok_or_else(bad))
            .collect()
    }
}

/// What was read of the history's shape.
pub(super) struct Graph {
    pub(super) commits: Vec<Commit>,
    /// The tree of each commit.
    pub(super) trees: Vec<Option<ObjectId>>,
}

struct Found {
    id: ObjectId,
    commit: RawCommit,
    boundary: bool,
}

/// Puts parents before children; among those that are ready, the earlier committed first.
fn sort(found: Vec<Found>, known: &IdMap<Option<u32>>) -> Result<Graph, Error> {
    let parents: Vec<Vec<u32>> = found
        .iter()
        .map(|found| {
            found.commit.parents.iter().filter_map(|id| known.get(id).copied().flatten()).collect()
        })
        .collect();
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); found.len()];
    let mut missing: Vec<usize> = Vec::with_capacity(found.len());
    let mut ready = BinaryHeap::new();
    let key = |number: u32| {
        let found = &found[number as usize];
        Reverse((found.commit.commit_time, found.id, number))
    };
    for (number, parents) in (0_u32..).zip(&parents) {
        missing.push(parents.len());
        if parents.is_empty() {
            ready.push(key(number));
        }
        for parent in parents {
            children[*parent as usize].push(number);
        }
    }
    let mut order = Vec::with_capacity(found.len());
    let mut place = vec![CommitId(0); found.len()];
    while let Some(Reverse((_, _, number))) = ready.pop() {
        place[number as usize] = CommitId(u32::try_from(order.len()).unwrap_or(u32::MAX));
        order.push(number);
        for child in &children[number as usize] {
            missing[*child as usize] -= 1;
            if missing[*child as usize] == 0 {
                ready.push(key(*child));
            }
        }
    }
    if order.len() < found.len() {
        // Ids are hashes of what names the parents, and they were checked.
        return Err(Error::Git { message: "commits are their own ancestors".to_owned() });
    }
    let mut found: Vec<Option<Found>> = found.into_iter().map(Some).collect();
    let mut graph =
        Graph { commits: Vec::with_capacity(order.len()), trees: Vec::with_capacity(order.len()) };
    for number in order {
        let Some(Found { id, commit, boundary }) = found[number as usize].take() else {
            continue;
        };
        let here: Vec<CommitId> =
            parents[number as usize].iter().map(|parent| place[*parent as usize]).collect();
        graph.trees.push(commit.tree);
        graph.commits.push(Commit {
            oid: id,
            boundary: boundary || here.len() < commit.parents.len(),
            parents: here,
            author_time: commit.author_time,
            commit_time: commit.commit_time,
            message: commit.message,
        });
    }
    Ok(graph)
}

fn lost_commit(unseen: &mut Unseen, id: ObjectId, loss: Loss) {
    let (code, say) = match loss {
        Loss::Missing => ("missing-object", "the history before a missing commit cannot be seen"),
        Loss::Corrupt => ("corrupt-object", "the history before a corrupt commit cannot be seen"),
        Loss::Permission => {
            ("unreadable-object", "the history before a commit cannot be seen, permission denied")
        }
        Loss::TooLarge => {
            ("too-large", "the history before a commit over the size limit cannot be seen")
        }
    };
    unseen.add(code, say, format!("commit {}", id.short()));
}

fn note_commit(unseen: &mut Unseen, id: ObjectId, commit: &RawCommit, limits: &Limits) {
    if commit.malformed {
        let say = "a commit's header is malformed, its date may be wrong";
        unseen.add("malformed-commit", say, format!("commit {}", id.short()));
    }
    if commit.cut {
        let say = format!(
            "a commit message was read only up to the limit of {} bytes",
            limits.message_bytes
        );
        unseen.add("long-message", &say, format!("commit {}", id.short()));
    }
}

/// Notes commits that are dated well before their parents.
pub(super) fn note_skew(commits: &[Commit], unseen: &mut Unseen) {
    for commit in commits {
        let newest = commit
            .parents
            .iter()
            .filter_map(|parent| commits.get(parent.0 as usize))
            .map(|p| p.commit_time)
            .max();
        if newest.is_some_and(|newest| newest - commit.commit_time > SKEW) {
            let say = "commits are dated more than a day before their parents (clock skew)";
            unseen.add("clock-skew", say, commit.oid.short());
        }
    }
}
