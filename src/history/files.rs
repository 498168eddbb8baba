//! Files of single commits that are no documents: what scripts and configuration said at the time.

use super::caveats::Unseen;
use super::differ::Differ;
use super::forest::{Child, Forest, TreeId};
use super::paths::{Paths, TOP};
use super::read::{keep, read_objects};
use super::store::{Kind, Store};
use super::{
    Caveat, CommitId, Error, History, ObjectId, Progress, Repository, Selection, commit, trees,
};

/// The selected files of some commits, with a value for each distinct one.
#[derive(Debug)]
pub struct Files<T> {
    forest: Forest,
    paths: Paths,
    shown: Vec<String>,
    /// The commits asked for, sorted, with their trees of files.
    roots: Vec<(CommitId, TreeId)>,
    /// By the forest's numbers of files.
    values: Vec<Option<T>>,
    caveats: Vec<Caveat>,
}

/// What is being read for [`Repository::files_at`].
#[derive(Clone, Copy, Debug)]
pub struct FileSource<'a> {
    /// Its id in git.
    pub oid: ObjectId,
    /// The tag that [`Selection::kind`] gave.
    pub kind: u8,
    /// A path at which it stands; it can stand at others too.
    pub path: &'a str,
}

impl<T> Files<T> {
    /// The files of a commit, sorted by path, with what was made of each: `None` for those that
    /// could not be read or are binary.
    pub fn at(&self, commit: CommitId) -> Vec<(&str, Option<&T>)> {
        let root = self.roots.binary_search_by_key(&commit, |(commit, _)| *commit);
        let Some((_, root)) = root.ok().and_then(|index| self.roots.get(index)) else {
            return Vec::new();
        };
        let mut files: Vec<(u32, u32)> = Vec::new();
        list(&self.forest, &self.paths, *root, |path, file| files.push((path, file)));
        files.sort_unstable();
        files
            .into_iter()
            .filter_map(|(path, file)| {
                let value = self.values.get(file as usize).and_then(Option::as_ref);
                Some((self.shown.get(path as usize)?.as_str(), value))
            })
            .collect()
    }

    /// What could not be read, sorted.
    pub fn caveats(&self) -> &[Caveat] {
        &self.caveats
    }
}

impl Repository {
    /// Reads the files that `selection` chooses in the trees of some commits, each distinct tree and
    /// each distinct file once over all of them, and keeps what `read` makes of each file.
    ///
    /// Files with a NUL byte are no text and have no value.
    ///
    /// # Errors
    /// When the object store cannot be opened, a thread cannot be started or a limit is reached.
    pub fn files_at<T: Send>(
        &self,
        history: &History,
        commits: &[CommitId],
        selection: &dyn Selection,
        jobs: usize,
        progress: &dyn Progress,
        read: impl Fn(&FileSource<'_>, &[u8]) -> T + Sync,
    ) -> Result<Files<T>, Error> {
        self.rest_of_files_at(history, commits, selection, jobs, progress, |_| None, read)
    }

    /// The same, where something may be `known` of files: those that the repository still has are not
    /// read.
    ///
    /// # Errors
    /// As [`Repository::files_at`].
    #[expect(clippy::too_many_arguments, reason = "one more than its sister")]
    pub fn rest_of_files_at<T: Send>(
        &self,
        history: &History,
        commits: &[CommitId],
        selection: &dyn Selection,
        jobs: usize,
        progress: &dyn Progress,
        known: impl Fn(&FileSource<'_>) -> Option<T> + Sync,
        read: impl Fn(&FileSource<'_>, &[u8]) -> T + Sync,
    ) -> Result<Files<T>, Error> {
        let limits = &history.limits;
        let mut unseen = Unseen::default();
        let mut commits: Vec<CommitId> = commits.to_vec();
        commits.sort_unstable();
        commits.dedup();
        let store = Store::open(&self.place, 0)?;
        let tree_of = |commit: &CommitId| {
            let id = history.commits().get(commit.0 as usize)?.oid;
            store
                .read(id, Kind::Commit, limits.commit_bytes, |bytes| commit::parse(bytes, 0).tree)
                .ok()
                .flatten()
        };
        let (roots, which) = super::walk::distinct(commits.iter().map(tree_of));
        let raw = trees::read(&self.place, &roots, selection, limits, jobs, progress, &mut unseen)?;
        let numbers: Vec<u32> =
            (0..roots.len()).filter_map(|root| u32::try_from(root).ok()).collect();
        let (forest, grown) = Forest::grow(raw, &numbers, limits, &mut unseen);

        // Comparing each tree with the one before it names every path and content at least once,
        // without listing what is the same.
        let mut differ = Differ::new(&forest, selection, limits);
        let mut differences = Vec::new();
        let mut first: Vec<Option<u32>> = vec![None; forest.files.len()];
        let mut before = TreeId::EMPTY;
        for tree in &grown {
            differ.compare(*tree, &[before], &mut differences, &mut unseen)?;
            for difference in differences.drain(..) {
                if let Some(file) = difference.file {
                    first[file as usize].get_or_insert(difference.path);
                }
            }
            if *tree != TreeId::UNKNOWN {
                before = *tree;
            }
        }
        let mut paths = differ.paths;
        let (shown, renumbered) = paths.sort(&forest);
        let mut wanted: Vec<(u32, u32)> = (0_u32..)
            .zip(&first)
            .filter_map(|(file, path)| Some((renumbered.get((*path)? as usize).copied()?, file)))
            .collect();
        wanted.sort_unstable();
        let mut values: Vec<Option<T>> =
            std::iter::repeat_with(|| None).take(forest.files.len()).collect();
        let shown_at = |path: u32| shown.get(path as usize).map_or("", String::as_str);
        wanted.retain(|(path, file)| {
            let (oid, kind) = forest.files[*file as usize];
            let known = known(&FileSource { oid, kind, path: shown_at(*path) });
            values[*file as usize] = known.filter(|_| store.has(oid));
            values[*file as usize].is_none()
        });
        let objects: Vec<ObjectId> =
            wanted.iter().map(|(_, file)| forest.files[*file as usize].0).collect();
        let path = |index: usize| wanted.get(index).map_or("", |(path, _)| shown_at(*path));
        progress.phase("files", Some(objects.len() as u64));
        let results = read_objects(
            &self.place,
            &objects,
            limits.document_bytes,
            jobs,
            progress,
            |index, bytes| {
                let (_, file) = wanted.get(index)?;
                let (oid, kind) = forest.files.get(*file as usize).copied()?;
                let is_text = !bytes.contains(&0);
                is_text.then(|| read(&FileSource { oid, kind, path: path(index) }, bytes))
            },
        )?;
        let kept = keep(results, &mut unseen, limits, |index| path(index).to_owned());
        for ((_, file), value) in wanted.iter().zip(kept) {
            values[*file as usize] = value.flatten();
        }
        let root = |which: &Option<usize>| {
            which.and_then(|root| grown.get(root).copied()).unwrap_or(TreeId::UNKNOWN)
        };
        let roots = commits.iter().copied().zip(which.iter().map(root)).collect();
        let caveats = self.blob_caveats(&unseen);
        Ok(Files { forest, paths, shown, roots, values, caveats })
    }
}

/// Calls `found` with number of path and number of file for each document below a tree.
pub(super) fn list(forest: &Forest, paths: &Paths, root: TreeId, mut found: impl FnMut(u32, u32)) {
    let mut stack = vec![(TOP, root)];
    while let Some((folder, tree)) = stack.pop() {
        for entry in forest.entries(tree) {
            let Some(node) = paths.known_child(folder, entry.name) else {
                continue;
            };
            match entry.child() {
                Child::Folder(tree) => stack.push((node, tree)),
                Child::File(file) => {
                    if let Some(path) = paths.known_document(node) {
                        found(path, file);
                    }
                }
            }
        }
    }
}
