//! From a commit to its whole history: every commit, and every document that each one changed.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::fs;
use std::io::{BufRead, BufReader};

use super::ancestry::Ancestry;
use super::caveats::Unseen;
use super::commit::{RawCommit, parse};
use super::differ::{Differ, Difference};
use super::forest::{Forest, TreeId};
use super::hash::IdMap;
use super::store::{Kind, Loss, Store, parse_hex};
use super::{
    Blob, BlobId, Change, Commit, CommitId, Counts, Error, History, Limits, ObjectId, PathId,
    Repository, Scope, trees,
};

/// A commit dated earlier than a parent by more than this is a sign of a wrong clock.
const SKEW: i64 = 24 * 60 * 60;

impl Repository {
    /// Reads every commit reachable from the scope's revision and compares its documents with
    /// those of its parents.
    ///
    /// Replacements (`git replace`) and grafts are not obeyed: what was committed is read.
    ///
    /// # Errors
    /// When the audited commit or its tree cannot be read or holds no document, when the history is
    /// shallow and the scope does not allow that, and when a limit would hide something.
    pub fn walk(&self, scope: &Scope<'_>) -> Result<History, Error> {
        let limits = &scope.limits;
        let mut unseen = Unseen::default();
        let mut graph = self.read_commits(scope, &mut unseen)?;
        self.note_rewrites(&mut unseen);
        note_skew(&graph.commits, &mut unseen);

        let (roots, root_of) = distinct(graph.trees.iter().copied());
        let raw = trees::read(
            &self.place,
            &roots,
            scope.selection,
            limits,
            scope.jobs,
            scope.progress,
            &mut unseen,
        )?;
        let numbers: Vec<u32> =
            (0..roots.len()).filter_map(|root| u32::try_from(root).ok()).collect();
        let (forest, grown) = Forest::grow(raw, &numbers, limits, &mut unseen);
        let documents: Vec<TreeId> = root_of
            .iter()
            .map(|root| root.and_then(|root| grown.get(root).copied()).unwrap_or(TreeId::UNKNOWN))
            .collect();
        let head = CommitId(u32::try_from(graph.commits.len().saturating_sub(1)).unwrap_or(0));
        if documents.last() == Some(&TreeId::UNKNOWN) {
            return Err(self.explain_head_tree(scope, &graph));
        }

        let mut differ = Differ::new(&forest, scope.selection, limits);
        scope.progress.phase("changes", Some(documents.len() as u64));
        let mut differences = Vec::new();
        let mut ends = Vec::with_capacity(documents.len());
        for (commit, tree) in graph.commits.iter_mut().zip(&documents) {
            let parents: Vec<TreeId> = commit
                .parents
                .iter()
                .filter_map(|parent| documents.get(parent.0 as usize).copied())
                .collect();
            if differ.compare(*tree, &parents, &mut differences, &mut unseen)? {
                commit.boundary = true;
            }
            ends.push(differences.len());
            scope.progress.advance(1);
        }
        let mut paths = differ.paths;
        let (shown, path_numbers) = paths.sort(&forest);
        let (changes, blobs, blob_of) = number_blobs(differences, &ends, &path_numbers, &forest);
        let ancestry = Ancestry::new(&graph.commits);
        let counts =
            Counts { commits: graph.commits.len(), trees: forest.trees_read, blobs: blobs.len() };
        let mut history = History {
            commits: graph.commits,
            head,
            paths: shown,
            blobs,
            changes,
            ends,
            documents,
            forest,
            places: paths,
            blob_of,
            ancestry,
            caveats: unseen.caveats(),
            counts,
            limits: *limits,
        };
        if history.documents_at(head).is_empty() {
            return Err(Error::NoDocuments { commit: scope.rev });
        }
        self.note_partial_clone(&mut history.caveats);
        history.caveats.sort();
        Ok(history)
    }

    fn explain_head_tree(&self, scope: &Scope<'_>, graph: &Graph) -> Error {
        let tree = graph.trees.last().copied().flatten();
        let oid = tree.unwrap_or(scope.rev);
        let header = Store::open(&self.place, 0).map(|store| store.header(oid));
        let reason = match (tree, header) {
            (None, _) => "missing from its commit, which is corrupt",
            (_, Ok(Err(loss))) => loss.words(),
            (_, Ok(Ok((size, Kind::Tree)))) if size > scope.limits.tree_bytes => {
                Loss::TooLarge.words()
            }
            (_, Ok(Ok((_, Kind::Tree)))) => "corrupt or over the limit of documents",
            _ => Loss::Corrupt.words(),
        };
        Error::Unreadable { what: "tree", oid, reason: reason.to_owned() }
    }

    /// Reads all commits, parents before children; the audited one comes last.
    fn read_commits(&self, scope: &Scope<'_>, unseen: &mut Unseen) -> Result<Graph, Error> {
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
            if found.len() % 256 == 0 {
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
    fn shallow_commits(&self) -> Result<HashSet<ObjectId>, Error> {
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
struct Graph {
    commits: Vec<Commit>,
    /// The tree of each commit.
    trees: Vec<Option<ObjectId>>,
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

/// Each value once, in order, and which of them each was.
pub(super) fn distinct(
    values: impl Iterator<Item = Option<ObjectId>>,
) -> (Vec<ObjectId>, Vec<Option<usize>>) {
    let mut list = Vec::new();
    let mut places: IdMap<usize> = IdMap::default();
    let which = values
        .map(|value| {
            value.map(|value| {
                *places.entry(value).or_insert_with(|| {
                    list.push(value);
                    list.len() - 1
                })
            })
        })
        .collect();
    (list, which)
}

/// Numbers the documents' texts in the order in which they are best read, by path and newest first
/// (packs store differences in that order), and rewrites the differences into changes.
fn number_blobs(
    differences: Vec<Difference>,
    ends: &[usize],
    path_numbers: &[u32],
    forest: &Forest,
) -> (Vec<Change>, Vec<Blob>, Vec<Option<BlobId>>) {
    let path = |old: u32| PathId(path_numbers.get(old as usize).copied().unwrap_or(u32::MAX));
    let mut first: Vec<Option<(PathId, Reverse<usize>)>> = vec![None; forest.files.len()];
    let mut start = 0;
    for (commit, end) in ends.iter().enumerate() {
        for difference in &differences[start..*end] {
            for file in difference.before.iter().copied().chain([difference.file]).flatten() {
                first[file as usize].get_or_insert((path(difference.path), Reverse(commit)));
            }
        }
        start = *end;
    }
    let mut order: Vec<((PathId, Reverse<usize>), usize)> =
        first.iter().enumerate().filter_map(|(file, first)| Some(((*first)?, file))).collect();
    order.sort_unstable();
    let mut blob_of = vec![None; forest.files.len()];
    let mut blobs = Vec::with_capacity(order.len());
    for ((path, Reverse(commit)), file) in order {
        let (oid, kind) = forest.files[file];
        blob_of[file] = Some(BlobId(u32::try_from(blobs.len()).unwrap_or(u32::MAX)));
        blobs.push(Blob {
            oid,
            kind,
            path,
            commit: CommitId(u32::try_from(commit).unwrap_or(u32::MAX)),
        });
    }
    let blob = |file: Option<u32>| file.and_then(|file| blob_of[file as usize]);
    let mut changes: Vec<Change> = differences
        .into_iter()
        .map(|difference| Change {
            path: path(difference.path),
            blob: blob(difference.file),
            before: difference.before.into_iter().map(blob).collect(),
        })
        .collect();
    let mut start = 0;
    for end in ends {
        changes[start..*end].sort_unstable_by_key(|change| change.path);
        start = *end;
    }
    (changes, blobs, blob_of)
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

fn note_skew(commits: &[Commit], unseen: &mut Unseen) {
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
