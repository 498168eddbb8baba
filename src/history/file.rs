//! One file of one commit, for questions about a single document or setting.

use super::entry::{Mode, split_first};
use super::store::{Kind, Loss, Store};
use super::{Error, Limits, ObjectId, Repository, commit};

/// What stands at a path of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file's bytes.
    File(Vec<u8>),
    /// The names of the files directly in a folder, as git sorts them; lossily decoded.
    Folder(Vec<String>),
}

impl Repository {
    /// The bytes of a file in the tree of a commit; `None` where no file stands at that path.
    ///
    /// # Errors
    /// When an object on the way to it cannot be read.
    pub fn file_at(&self, rev: ObjectId, path: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(match self.entry_at(rev, path)? {
            Some(Entry::File(bytes)) => Some(bytes),
            Some(Entry::Folder(_)) | None => None,
        })
    }

    /// The file or folder at a path in the tree of a commit. Symbolic links are not followed.
    ///
    /// # Errors
    /// When an object on the way to it cannot be read.
    pub fn entry_at(&self, rev: ObjectId, path: &str) -> Result<Option<Entry>, Error> {
        let limits = Limits::default();
        let store = Store::open(&self.place, 0)?;
        let fail = |what, oid| {
            move |loss: Loss| Error::Unreadable { what, oid, reason: loss.words().to_owned() }
        };
        let tree = store
            .read(rev, Kind::Commit, limits.commit_bytes, |bytes| commit::parse(bytes, 0).tree);
        let Some(mut tree) = tree.map_err(fail("commit", rev))? else { return Ok(None) };
        let mut names = path.trim_end_matches('/').split('/').peekable();
        while let Some(name) = names.next() {
            let entry = store.read(tree, Kind::Tree, limits.tree_bytes, |bytes| {
                entries(bytes)
                    .find(|(_, known, _)| *known == name.as_bytes())
                    .map(|(mode, _, id)| (mode, id))
            });
            match (entry.map_err(fail("tree", tree))?, names.peek()) {
                (Some((Mode::Folder, id)), Some(_)) => tree = id,
                (Some((Mode::File, id)), None) => {
                    let bytes = store.read(id, Kind::Blob, limits.document_bytes, <[u8]>::to_vec);
                    return bytes.map(Entry::File).map(Some).map_err(fail("file", id));
                }
                (Some((Mode::Folder, id)), None) => {
                    let names = store.read(id, Kind::Tree, limits.tree_bytes, |bytes| {
                        let files = entries(bytes).filter(|(mode, ..)| *mode == Mode::File);
                        files
                            .map(|(_, name, _)| String::from_utf8_lossy(name).into_owned())
                            .collect()
                    });
                    return names.map(Entry::Folder).map(Some).map_err(fail("tree", id));
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

/// The entries of a tree object, up to the first that is cut off.
fn entries(bytes: &[u8]) -> impl Iterator<Item = (Mode, &[u8], ObjectId)> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (entry, after) = split_first(rest)?;
        rest = after;
        Some((entry.mode, entry.name, entry.id))
    })
}
