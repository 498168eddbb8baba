//! One file of one commit, for questions about a single document.

use super::entry::{Mode, split_first};
use super::store::{Kind, Loss, Store};
use super::{Error, Limits, ObjectId, Repository, commit};

impl Repository {
    /// The bytes of a file in the tree of a commit; `None` where no file stands at that path.
    ///
    /// # Errors
    /// When an object on the way to it cannot be read, and when a folder, a link or a submodule stands
    /// there.
    pub fn file_at(&self, rev: ObjectId, path: &str) -> Result<Option<Vec<u8>>, Error> {
        let limits = Limits::default();
        let store = Store::open(&self.place, 0)?;
        let fail = |what, oid| {
            move |loss: Loss| Error::Unreadable { what, oid, reason: loss.words().to_owned() }
        };
        let tree = store
            .read(rev, Kind::Commit, limits.commit_bytes, |bytes| commit::parse(bytes, 0).tree);
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
                (Some((Mode::File, id)), None) => {
                    let bytes = store.read(id, Kind::Blob, limits.document_bytes, <[u8]>::to_vec);
                    return bytes.map(Some).map_err(|loss| Error::Unreadable {
                        what: "file",
                        oid: id,
                        reason: format!("{}: {path}", loss.words()),
                    });
                }
                (Some(_), None) => return Err(Error::NotAFile { path: path.to_owned() }),
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}
