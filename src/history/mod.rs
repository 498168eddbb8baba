//! The git side: one repository, its commits, its documents, and what came before what.
//!
//! The only module that names git2. It knows nothing of claims, rules or output.

use std::fmt;

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
