//! From a commit to its whole history: every commit, and every document that each one changed.

use std::cmp::Reverse;
use std::sync::Arc;

use super::ancestry::Ancestry;
use super::caveats::Unseen;
use super::differ::{Differ, Difference};
use super::forest::{Forest, TreeId};
use super::graph::{Graph, note_skew};
use super::hash::IdMap;
use super::store::{Kind, Loss, Store};
use super::{
    Blob, BlobId, Change, CommitId, Counts, Error, History, ObjectId, PathId, Repository, Scope,
    trees,
};

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
            paths: shown.into(),
            blobs: blobs.into(),
            changes,
            ends,
            documents,
            forest: Arc::new(forest),
            places: Arc::new(paths),
            blob_of: blob_of.into(),
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
    for ((path, _), file) in order {
        let (oid, kind) = forest.files[file];
        blob_of[file] = Some(BlobId(u32::try_from(blobs.len()).unwrap_or(u32::MAX)));
        blobs.push(Blob { oid, kind, path });
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
