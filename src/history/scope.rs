//! What to walk: from which commit, which files, with which bounds.

use super::{Limits, ObjectId};

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
    /// Something happened that changes nothing about the result.
    fn note(&self, _text: &str) {}
}

/// Says nothing to nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn phase(&self, _name: &'static str, _total: Option<u64>) {}
    fn advance(&self, _by: u64) {}
}
