//! One file of one commit, for questions about a single document or setting.

use super::entry::{Mode, split_first};
use super::lookup::entry_at;
use super::store::{Kind, Loss, Store};
use super::{Error, Limits, ObjectId, Repository};

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
    /// When an object on the way to it cannot be read, when anything but a file stands there, and
    /// when it has more than `limit` bytes.
    pub fn file_at(
        &self,
        rev: ObjectId,
        path: &str,
        limit: usize,
    ) -> Result<Option<Vec<u8>>, Error> {
        Ok(match self.entry_at(rev, path, limit)? {
            Some(Entry::File(bytes)) => Some(bytes),
            Some(Entry::Folder(_)) => return Err(Error::NotAFile { path: path.to_owned() }),
            None => None,
        })
    }

    /// The file or folder at a path in the tree of a commit. Symbolic links are not followed.
    ///
    /// # Errors
    /// When an object on the way to it cannot be read, when a link or a submodule stands there, and
    /// when a file there has more than `limit` bytes.
    pub fn entry_at(
        &self,
        rev: ObjectId,
        path: &str,
        limit: usize,
    ) -> Result<Option<Entry>, Error> {
        let limits = Limits::default();
        let store = Store::open(&self.place, 0)?;
        let fail = |what, oid| {
            move |loss: Loss| Error::Unreadable { what, oid, reason: loss.words().to_owned() }
        };
        match entry_at(&store, rev, path.trim_end_matches('/'))? {
            Some((Mode::File, id)) => store
                .read_checked(id, Kind::Blob, limit, <[u8]>::to_vec)
                .map(|bytes| Some(Entry::File(bytes)))
                .map_err(|loss| match loss {
                    Loss::TooLarge => Error::TooLarge { path: path.to_owned(), limit },
                    other => fail("file", id)(other),
                }),
            Some((Mode::Folder, id)) => store
                .read(id, Kind::Tree, limits.tree_bytes, file_names)
                .map(|names| Some(Entry::Folder(names)))
                .map_err(fail("tree", id)),
            Some(_) => Err(Error::NotAFile { path: path.to_owned() }),
            None => Ok(None),
        }
    }
}

/// The names of the files in a tree object, up to the first entry that is cut off.
fn file_names(bytes: &[u8]) -> Vec<String> {
    let (mut names, mut rest) = (Vec::new(), bytes);
    while let Some((entry, after)) = split_first(rest) {
        if entry.mode == Mode::File {
            names.push(String::from_utf8_lossy(entry.name).into_owned());
        }
        rest = after;
    }
    names
}
