//! Documents that report one run each: same name, sibling folders, other results.
//!
//! `runs/07/review.md` and `runs/08/review.md` may well give the same number of the same thing; it
//! was measured in each of them. A copy or a translation gives most of the results again.

use std::collections::HashSet;

use super::births::Birth;
use crate::extract::Statements;
use crate::history::{BlobId, History, PathId, PerBlob};

/// Whether a statement in one document and a younger one in another are of two runs.
pub(super) fn apart(
    history: &History,
    statements: &PerBlob<Statements>,
    older: (PathId, BlobId),
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
