//! One file of one commit, for questions about a single document.

use super::entry::Mode;
use super::lookup::entry_at;
use super::store::{Kind, Loss, Store};
use super::{Error, Limits, ObjectId, Repository};

impl Repository {
    /// The bytes of a file in the tree of a commit; `None` where no file stands at that path.
    ///
    /// # Errors
    /// When an object on the way to it cannot be read.
    pub fn file_at(&self, rev: ObjectId, path: &str) -> Result<Option<Vec<u8>>, Error> {
        let store = Store::open(&self.place, 0)?;
        let Some((Mode::File, id)) = entry_at(&store, rev, path)? else { return Ok(None) };
        let fail = |loss: Loss| Error::Unreadable {
            what: "file",
            oid: id,
            reason: loss.words().to_owned(),
        };
        let limit = Limits::default().document_bytes;
        store.read(id, Kind::Blob, limit, <[u8]>::to_vec).map(Some).map_err(fail)
    }
}
