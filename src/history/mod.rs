//! The git side: one repository, its commits, its documents, and what came before what.
//!
//! The only module that names git2. It knows nothing of claims, rules or output.
//!
//! [`Repository::walk`] reads every commit and every distinct tree once; trees become numbers that
//! are equal where the documents in them are equal, and comparing numbers is all that is left to do.
//! [`Repository::read_each`] then reads every distinct document once. libgit2 is used as an object
//! store only: its sorted walk turns one bad commit into an empty history, and its tree walk and
//! diffs recurse and never end on trees made to harm.

mod ancestry;
mod base;
mod caveats;
mod commit;
mod differ;
mod entry;
mod error;
mod file;
mod files;
mod forest;
mod graph;
mod hash;
mod limits;
mod lookup;
mod open;
mod paths;
mod pieces;
mod read;
mod reader;
mod references;
mod remote;
mod resolve;
mod rewrites;
mod scope;
mod store;
mod threads;
mod trees;
mod walk;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use ancestry::{Order, OrderedBy};
pub use error::Error;
pub use file::Entry;
pub use files::{FileSource, Files};
pub use limits::Limits;
pub use open::Opening;
pub use read::{BlobSource, PerBlob};
pub use scope::{NoProgress, Progress, Scope, Selection};

use ancestry::Ancestry;
use forest::{Child, Forest, TreeId};
use paths::Paths;
use references::References;
use store::Place;

/// A commit's place in [`History::commits`]: parents stand before their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(pub u32);

/// A distinct document text: equal bytes read as the same kind of file are one blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobId(pub u32);

/// A distinct document path, slash separated, from the top of the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathId(pub u32);

/// The name git gives to an object: 20 bytes, shown as 40 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub [u8; 20]);

impl ObjectId {
    /// The first seven digits: for people, not unique.
    pub fn short(&self) -> String {
        self.to_string().chars().take(7).collect()
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What is kept of one commit.
#[derive(Clone, Debug)]
pub struct Commit {
    /// Its object id.
    pub oid: ObjectId,
    /// Parents that could be read, first parent first.
    pub parents: Vec<CommitId>,
    /// Seconds since 1970 UTC at which the author wrote it.
    pub author_time: i64,
    /// Seconds since 1970 UTC at which it was committed.
    pub commit_time: i64,
    /// The whole message, lossily decoded; its first line is the summary.
    pub message: String,
    /// Its parents are cut off (shallow, missing, unreadable): never an origin.
    pub boundary: bool,
}

/// A document that differs from the same path in every parent of its commit.
#[derive(Clone, Debug)]
pub struct Change {
    /// Where.
    pub path: PathId,
    /// The new text; `None` where the document was removed.
    pub blob: Option<BlobId>,
    /// The text at this path in each parent, in the order of [`Commit::parents`].
    pub before: Vec<Option<BlobId>>,
}

/// Something that could not be seen. It stands in every report.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Caveat {
    /// Kebab-case and stable, for programs.
    pub code: &'static str,
    /// One sentence for people.
    pub message: String,
}

/// A distinct document text and where it was first met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blob {
    /// Its id in git.
    pub oid: ObjectId,
    /// The tag that [`Selection::kind`] gave.
    pub kind: u8,
    /// A path at which it stands.
    pub path: PathId,
}

/// How much was read, for reports and for tests of the promise that nothing is read twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Commits.
    pub commits: usize,
    /// Distinct tree objects.
    pub trees: usize,
    /// Distinct document texts; [`PerBlob::read`] tells how many could be read.
    pub blobs: usize,
}

/// An opened repository.
pub struct Repository {
    shown: PathBuf,
    inner: git2::Repository,
    place: Place,
    references: References,
}

impl Repository {
    /// The path it was opened by, to be shown to people.
    pub fn path(&self) -> &Path {
        &self.shown
    }

    /// The git folder that was opened.
    pub fn git_dir(&self) -> &Path {
        &self.place.git_dir
    }
}

/// All commits reachable from one, and their documents. Holds no handle to the repository.
#[derive(Debug)]
pub struct History {
    commits: Vec<Commit>,
    head: CommitId,
    paths: Arc<[String]>,
    blobs: Arc<[Blob]>,
    /// Changes of all commits one after another; `ends` tells where each commit's end.
    changes: Vec<Change>,
    ends: Vec<usize>,
    documents: Vec<TreeId>,
    forest: Arc<Forest>,
    places: Arc<Paths>,
    /// By the forest's numbers of files.
    blob_of: Arc<[Option<BlobId>]>,
    ancestry: Ancestry,
    caveats: Vec<Caveat>,
    counts: Counts,
    limits: Limits,
}

impl History {
    /// All commits, parents before children; among those that are ready the earlier committed
    /// first, then the smaller id. The audited commit is the last.
    pub fn commits(&self) -> &[Commit] {
        &self.commits
    }

    /// The audited commit.
    pub fn head(&self) -> CommitId {
        self.head
    }

    /// All document paths, sorted by their bytes; names that are not UTF-8 are shown lossily.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// One path; empty for a number that is none.
    pub fn path(&self, path: PathId) -> &str {
        self.paths.get(path.0 as usize).map_or("", String::as_str)
    }

    /// Every distinct document text of the whole history, by [`BlobId`].
    pub fn blobs(&self) -> &[Blob] {
        &self.blobs
    }

    /// The documents of a commit that differ from the same path in every parent, removed ones
    /// included, sorted by path. A commit without parents changes all its documents.
    pub fn changes(&self, commit: CommitId) -> &[Change] {
        let index = commit.0 as usize;
        let start =
            index.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(index).copied().unwrap_or(start);
        self.changes.get(start..end).unwrap_or(&[])
    }

    /// Values of distinct documents by object id and the tag that they were read with.
    pub fn by_object<'a, T>(&self, values: &'a PerBlob<T>) -> HashMap<(ObjectId, u8), &'a T> {
        let known = self.blobs.iter().zip(values.iter());
        known.filter_map(|(blob, (_, value))| Some(((blob.oid, blob.kind), value?))).collect()
    }

    /// All documents of a commit, sorted by path.
    pub fn documents_at(&self, commit: CommitId) -> Vec<(PathId, BlobId)> {
        let mut found = Vec::new();
        let tree = self.documents.get(commit.0 as usize).copied().unwrap_or(TreeId::EMPTY);
        files::list(&self.forest, &self.places, tree, |path, file| {
            if let Some(blob) = self.blob_of.get(file as usize).copied().flatten() {
                found.push((PathId(path), blob));
            }
        });
        found.sort_unstable();
        found
    }

    /// The document at a path of a commit.
    pub fn blob_at(&self, commit: CommitId, path: PathId) -> Option<BlobId> {
        let mut at = Child::Folder(self.documents.get(commit.0 as usize).copied()?);
        for name in self.places.names(path.0) {
            let Child::Folder(tree) = at else { return None };
            at = self.forest.child(tree, name)?;
        }
        match at {
            Child::File(file) => self.blob_of.get(file as usize).copied().flatten(),
            Child::Folder(_) => None,
        }
    }

    /// Whether two commits hold exactly the same documents. False where that is not known.
    pub fn same_documents(&self, a: CommitId, b: CommitId) -> bool {
        let tree = |commit: CommitId| {
            self.documents.get(commit.0 as usize).filter(|tree| **tree != TreeId::UNKNOWN)
        };
        tree(a).is_some() && tree(a) == tree(b)
    }

    /// Whether `a` is an ancestor of `b`. No commit is its own ancestor.
    pub fn is_ancestor(&self, a: CommitId, b: CommitId) -> bool {
        self.ancestry.is_ancestor(a, b)
    }

    /// Tells which of two commits came first, and by what evidence.
    ///
    /// Ancestry decides wherever it can. Committer time is the fallback for parallel branches only,
    /// and says so in its answer: a rebase or an import rewrites dates but not the graph's order.
    /// Parallel commits of the same second are told apart by their order in [`History::commits`].
    pub fn order(&self, a: CommitId, b: CommitId) -> Order {
        if a == b {
            return Order::Same;
        }
        if self.is_ancestor(a, b) {
            return Order::Before(OrderedBy::Ancestry);
        }
        if self.is_ancestor(b, a) {
            return Order::After(OrderedBy::Ancestry);
        }
        let key = |commit: CommitId| {
            (self.commits.get(commit.0 as usize).map(|commit| commit.commit_time), commit)
        };
        if key(a) < key(b) { Order::Before(OrderedBy::Time) } else { Order::After(OrderedBy::Time) }
    }

    /// What could not be seen of commits and trees, sorted. Documents that could not be read are in
    /// [`PerBlob::caveats`].
    pub fn caveats(&self) -> &[Caveat] {
        &self.caveats
    }

    /// How much was read.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}
