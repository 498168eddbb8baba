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

    /// Where the repository says that it came from, as `host/owner/name` in lower case: a link to
    /// such a place is a link to this repository.
    pub fn addresses(&self) -> Vec<String> {
        let Ok(names) = self.inner.remotes() else { return Vec::new() };
        let urls = names.iter().flatten().filter_map(|name| {
            let remote = self.inner.find_remote(name?).ok()?;
            address(remote.url().ok()?)
        });
        let mut all: Vec<String> = urls.collect();
        all.sort();
        all.dedup();
        all
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

/// `host/owner/name` of a remote's address; `None` for a folder of this machine.
fn address(url: &str) -> Option<String> {
    let rest = match url.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => rest.to_owned(),
        // `git@host:owner/name`
        None => {
            let (host, path) = url.split_once(':').filter(|(host, _)| host.contains('.'))?;
            format!("{host}/{path}")
        }
    };
    let rest = rest.rsplit_once('@').map_or(rest.as_str(), |(_, rest)| rest);
    let rest = rest.trim_end_matches('/');
    let rest = rest.strip_suffix(".git").unwrap_or(rest).to_lowercase();
    (rest.matches('/').count() >= 2).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_whatever_the_protocol() {
        for url in [
            "https://forge.example/Owner/Engine.git",
            "https://token@forge.example/owner/engine/",
            "git@forge.example:owner/engine.git",
            "ssh://git@forge.example/owner/engine",
        ] {
            assert_eq!(address(url).as_deref(), Some("forge.example/owner/engine"), "{url}");
        }
        for url in ["../engine", "file:///srv/a/b/engine", "C:\\engine", ""] {
            assert_eq!(address(url), None, "{url}");
        }
    }
}
