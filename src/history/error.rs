//! Why a repository could not be audited at all.

use std::io;
use std::path::PathBuf;

use super::ObjectId;

/// Why nothing could be read. Texts in the fields may come from the repository: they are hostile
/// until whoever prints them has cleaned them.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing at this path.
    #[error("no such folder: {}", path.display())]
    NoPath {
        /// As given.
        path: PathBuf,
    },
    /// The path names a file or something else that is no folder.
    #[error("not a folder: {}", path.display())]
    NotAFolder {
        /// As given.
        path: PathBuf,
    },
    /// Neither this folder nor one above it belongs to a repository.
    #[error("not a git repository: {}", path.display())]
    NoRepository {
        /// As given.
        path: PathBuf,
    },
    /// There is a `.git`, but it is none: empty, a loop, pointing nowhere.
    #[error("not a git repository: {} is not usable: {message}", found.display())]
    BrokenRepository {
        /// The `.git` that was found.
        found: PathBuf,
        /// What git says about it.
        message: String,
    },
    /// The operating system does not let us read this.
    #[error("permission denied: {}", path.display())]
    Permission {
        /// What could not be read.
        path: PathBuf,
    },
    /// The repository belongs to another user, and git's `safe.directory` does not allow it.
    #[error("{} is owned by another user (safe.directory)", path.display())]
    ForeignOwner {
        /// The folder to be named in `safe.directory`.
        path: PathBuf,
    },
    /// Its object ids are not SHA-1.
    #[error("object format `{format}` is not supported: {}", path.display())]
    ObjectFormat {
        /// The git folder.
        path: PathBuf,
        /// As its configuration names it, `sha256` for instance.
        format: String,
    },
    /// Its references are not stored as files.
    #[error("reference storage `{storage}` is not supported: {}", path.display())]
    RefStorage {
        /// The git folder.
        path: PathBuf,
        /// As its configuration names it, `reftable` for instance.
        storage: String,
    },
    /// It uses an extension that git2 does not know.
    #[error("repository extension `{name}` is not supported: {}", path.display())]
    Extension {
        /// The git folder.
        path: PathBuf,
        /// The key below `extensions.`.
        name: String,
    },
    /// It is written for a newer git.
    #[error("repository format version {version} is not supported: {}", path.display())]
    FormatVersion {
        /// The git folder.
        path: PathBuf,
        /// `core.repositoryformatversion`.
        version: i64,
    },
    /// A git configuration file (the repository's or the user's) cannot be read.
    #[error("bad git config: {message}")]
    Config {
        /// The git folder.
        path: PathBuf,
        /// What git says; it names file and line.
        message: String,
    },
    /// The list of cut-off commits is no list of ids.
    #[error("bad shallow file: {}", path.display())]
    ShallowFile {
        /// The file.
        path: PathBuf,
    },
    /// The repository has no commit yet.
    #[error("no commit yet in {}", path.display())]
    NoCommit {
        /// The repository as shown.
        path: PathBuf,
    },
    /// HEAD names a branch without a commit, though there are others.
    #[error("HEAD names `{branch}`, which has no commit")]
    UnbornHead {
        /// The full reference name.
        branch: String,
    },
    /// HEAD or another name is known, but what it leads to is broken or not there.
    #[error("HEAD or a reference is unusable: `{name}`: {message}")]
    Reference {
        /// The reference or what else was given.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// No commit has this name.
    #[error("no commit `{rev}` in this repository")]
    UnknownRevision {
        /// As given.
        rev: String,
    },
    /// Several objects start with these digits.
    #[error("rev `{rev}` is ambiguous")]
    AmbiguousRevision {
        /// As given.
        rev: String,
    },
    /// A range or something else that names no single object.
    #[error("rev `{rev}` does not name one commit")]
    RevisionSyntax {
        /// As given.
        rev: String,
    },
    /// The revision names a tree or a file's content.
    #[error("`{rev}` is not a commit but a {kind}")]
    NotACommit {
        /// As given.
        rev: String,
        /// `tree`, `blob` or the like.
        kind: &'static str,
    },
    /// The audited commit or its tree cannot be read, so there is nothing to say.
    #[error("{what} {oid} is {reason}")]
    Unreadable {
        /// `commit` or `tree`.
        what: &'static str,
        /// Which.
        oid: ObjectId,
        /// `missing`, `corrupt` or the like, for people.
        reason: String,
    },
    /// The history is cut off and that was not allowed.
    #[error("shallow history: only {commits} commits are here")]
    Shallow {
        /// How many commits can be seen.
        commits: usize,
    },
    /// Two commits have no ancestor in common that can be seen.
    #[error("no common ancestor of {base} and {rev}")]
    Unrelated {
        /// The commit to compare with.
        base: ObjectId,
        /// The audited commit.
        rev: ObjectId,
        /// One of their histories is cut off, so that there may be one.
        cut_off: bool,
    },
    /// What stands at a path of the commit is no regular file but a folder, a link or a submodule.
    #[error("no regular file in the repository: {path}")]
    NotAFile {
        /// The path.
        path: String,
    },
    /// A file that is read by its name is larger than anything of its kind.
    #[error("more than {limit} bytes: {path}")]
    TooLarge {
        /// The path.
        path: String,
        /// How many bytes there may be.
        limit: usize,
    },
    /// The audited commit has no document.
    #[error("no document at commit {commit}")]
    NoDocuments {
        /// The audited commit.
        commit: ObjectId,
    },
    /// A bound that protects time and memory was reached where going on would hide something.
    #[error("more than {limit} {what}: limit reached")]
    Limit {
        /// What was counted, in the plural.
        what: &'static str,
        /// The bound.
        limit: u64,
    },
    /// A thread could not be started.
    #[error("could not start a thread")]
    Thread(#[source] io::Error),
    /// Anything else that git says.
    #[error("git: {message}")]
    Git {
        /// What git says.
        message: String,
    },
}
