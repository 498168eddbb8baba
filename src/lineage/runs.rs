//! Documents that report one run each: same name, sibling folders, other results.
//!
//! `runs/07/review.md` and `runs/08/review.md` may well give the same number of the same thing; it
//! was measured in each of them. A copy or a translation gives most of the results again.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::births::Birth;
use crate::extract::Statements;
use crate::history::{BlobId, CommitId, History, PathId, PerBlob};

/// A version of a document at a place.
type Version = (PathId, BlobId);

/// Which documents report different runs. All claims of two documents ask the same: it is found out
/// once for them.
pub(super) struct Runs<'a> {
    history: &'a History,
    statements: &'a PerBlob<Statements>,
    known: RefCell<HashMap<(Version, Version, CommitId), bool>>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(history: &'a History, statements: &'a PerBlob<Statements>) -> Self {
        Self { history, statements, known: RefCell::default() }
    }

    /// Whether a statement in one document and a younger one in another are of two runs.
    pub(super) fn apart(&self, older: Version, younger: &Birth) -> bool {
        if older.0 == younger.path {
            return false;
        }
        let pair = (older, (younger.path, younger.blob), younger.commit);
        if let Some(known) = self.known.borrow().get(&pair) {
            return *known;
        }
        let apart = apart(self.history, self.statements, older, younger);
        self.known.borrow_mut().insert(pair, apart);
        apart
    }
}

fn apart(
    history: &History,
    statements: &PerBlob<Statements>,
    older: Version,
    younger: &Birth,
) -> bool {
    let (path, blob) = older;
    if !siblings(history.path(path), history.path(younger.path)) {
        return false;
    }
    // A folder that was renamed is no sibling: the two never stood side by side.
    let Some(beside) = history.blob_at(younger.commit, path) else { return false };
    let keys = |blob| -> HashSet<u64> {
        let said = statements.get(blob);
        said.into_iter().flat_map(|said| &said.claims).map(|claim| claim.key).collect()
    };
    let mut there = keys(beside);
    there.extend(keys(blob));
    let here = keys(younger.blob);
    let again = here.iter().filter(|key| there.contains(key)).count();
    2 * again < here.len()
}

/// The same file name in the same place of two folders, of which one folder's name differs.
fn siblings(a: &str, b: &str) -> bool {
    let (mut left, mut right) = (a.rsplit('/'), b.rsplit('/'));
    if left.next() != right.next() {
        return false;
    }
    let mut others = 0;
    loop {
        match (left.next(), right.next()) {
            (None, None) => return others == 1,
            (Some(one), Some(other)) => others += usize::from(one != other),
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::siblings;

    #[test]
    fn one_folder_has_another_name() {
        for (a, b, expected) in [
            ("runs/07/review.md", "runs/08/review.md", true),
            ("07/a/review.md", "08/a/review.md", true),
            ("07/a/review.md", "08/b/review.md", false),
            ("runs/07/review.md", "runs/07/review.md", false),
            ("runs/07/review.md", "runs/08/notes.md", false),
            ("runs/review.md", "review.md", false),
        ] {
            assert_eq!(siblings(a, b), expected, "{a} {b}");
        }
    }
}
