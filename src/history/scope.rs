//! What to walk: from which commit, which files, with which bounds.

use super::ObjectId;

/// What a walk reads.
pub struct Scope<'a> {
    /// The audited commit, from [`super::Repository::resolve`].
    pub rev: ObjectId,
    /// Which files are documents.
    pub selection: &'a dyn Selection,
    /// Takes a history that is cut off, with a caveat, instead of refusing it.
    pub allow_shallow: bool,
    /// Number of threads; 0 counts as 1.
    pub jobs: usize,
    /// Told how far the walk is.
    pub progress: &'a dyn Progress,
    /// Bounds for hostile or enormous repositories.
    pub limits: Limits,
}

/// Which files are documents.
///
/// Trees are read without knowing where they hang, so that each is read once: what can be told by
/// a bare name is asked first, once per name and thread, and the whole path last.
pub trait Selection: Sync {
    /// Whether a folder of this name is entered at all.
    fn descends(&self, folder_name: &[u8]) -> bool;
    /// A tag for the format of a file of this name; `None` if it is no document. Equal bytes with
    /// equal tags are one document text.
    fn kind(&self, file_name: &[u8]) -> Option<u8>;
    /// Whether the document at this path counts; asked once per distinct path.
    fn includes(&self, path: &str) -> bool;
}

/// Told how far reading is, from any thread.
pub trait Progress: Sync {
    /// A phase begins; `total` is the number of steps if it is known.
    fn phase(&self, name: &'static str, total: Option<u64>);
    /// More steps are done.
    fn advance(&self, by: u64);
}

/// Says nothing to nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn phase(&self, _name: &'static str, _total: Option<u64>) {}
    fn advance(&self, _by: u64) {}
}

/// Bounds, generous for real repositories. What is beyond them is a caveat, or an error where going
/// on would hide something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one document or file.
    pub document_bytes: usize,
    /// Documents in one commit; the largest folders beyond are not read.
    pub documents: usize,
    /// Folders above a document.
    pub depth: u32,
    /// Bytes of one path.
    pub path_bytes: usize,
    /// Bytes of one commit message; the rest is cut off.
    pub message_bytes: usize,
    /// Bytes of one commit object.
    pub commit_bytes: usize,
    /// Bytes of one tree object.
    pub tree_bytes: usize,
    /// Parents of one commit.
    pub parents: usize,
    /// Commits; more are an error.
    pub commits: usize,
    /// Entries of all distinct trees together that can matter; more are an error.
    pub tree_entries: usize,
    /// Changed documents of all commits together, each counted with its parents; more are an error.
    pub changes: usize,
    /// Tree entries compared over all commits; more are an error.
    pub steps: u64,
    /// Bytes of all distinct paths together; more are an error.
    pub all_path_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            document_bytes: 2 << 20,
            documents: 100_000,
            depth: 4_096,
            path_bytes: 32 << 10,
            message_bytes: 64 << 10,
            commit_bytes: 16 << 20,
            tree_bytes: 64 << 20,
            parents: 1_024,
            commits: 5_000_000,
            tree_entries: 50_000_000,
            changes: 4_000_000,
            steps: 4_000_000_000,
            all_path_bytes: 256 << 20,
        }
    }
}
