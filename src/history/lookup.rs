//! Single questions to the repository about what a text refers to.

use super::entry::{Mode, split_first};
use super::store::{Kind, Loss, Store};
use super::{Error, Limits, ObjectId, Repository, commit};

impl Repository {
    /// Whether a file or a folder stands at a path in the tree of a commit. The top itself does.
    ///
    /// # Errors
    /// When an object on the way to it cannot be read.
    pub fn has_path(&self, rev: ObjectId, path: &str) -> Result<bool, Error> {
        if path.is_empty() {
            return Ok(true);
        }
        let store = Store::open(&self.place, 0)?;
        Ok(entry_at(&store, rev, path)?.is_some())
    }
}

/// What stands at a path in the tree of a commit.
pub(super) fn entry_at(
    store: &Store,
    rev: ObjectId,
    path: &str,
) -> Result<Option<(Mode, ObjectId)>, Error> {
    let limits = Limits::default();
    let fail = |what, oid| {
        move |loss: Loss| Error::Unreadable { what, oid, reason: loss.words().to_owned() }
    };
    let tree =
        store.read(rev, Kind::Commit, limits.commit_bytes, |bytes| commit::parse(bytes, 0).tree);
    let Some(mut tree) = tree.map_err(fail("commit", rev))? else { return Ok(None) };
    let mut names = path.split('/').peekable();
    while let Some(name) = names.next() {
        let entry = store.read(tree, Kind::Tree, limits.tree_bytes, |bytes| {
            let mut rest = bytes;
            while let Some((entry, after)) = split_first(rest) {
                if entry.name == name.as_bytes() {
                    return Some((entry.mode, entry.id));
                }
                rest = after;
            }
            None
        });
        match (entry.map_err(fail("tree", tree))?, names.peek()) {
            (Some((Mode::Folder, id)), Some(_)) => tree = id,
            (Some(found), None) => return Ok(Some(found)),
            _ => return Ok(None),
        }
    }
    Ok(None)
}
