//! Repositories of whatever bytes a law is fed: bare, in a temporary folder, without a clock.

use std::cell::Cell;
use std::path::Path;

use git2::{Index, IndexEntry, IndexTime, Oid, Repository, Signature, Time};
use tempfile::TempDir;

/// A repository that is removed when dropped.
pub struct Invented {
    folder: TempDir,
    repo: Repository,
    commits: Cell<i64>,
}

impl Invented {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repository::init_bare(folder.path()).unwrap();
        repo.set_head("refs/heads/main").unwrap();
        Self { folder, repo, commits: Cell::new(0) }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The next commit of `main`: the parent's files, with some written and some taken away.
    pub fn commit(
        &self,
        parent: Option<Oid>,
        author: &str,
        message: &str,
        write: &[(&str, &[u8])],
        delete: &[&str],
    ) -> Oid {
        let parent = parent.map(|id| self.repo.find_commit(id).unwrap());
        let mut index = Index::new().unwrap();
        if let Some(parent) = &parent {
            index.read_tree(&parent.tree().unwrap()).unwrap();
        }
        for path in delete {
            index.remove(Path::new(path), 0).unwrap();
        }
        for (path, bytes) in write {
            index.add(&entry(path, self.repo.blob(bytes).unwrap())).unwrap();
        }
        let tree = self.repo.find_tree(index.write_tree_to(&self.repo).unwrap()).unwrap();
        let number = self.commits.replace(self.commits.get() + 1);
        let time = Time::new(1_700_000_000 + number * 7_000, 0);
        let who = Signature::new(author, "a.author@example.org", &time).unwrap();
        let message = message.replace('\0', "");
        let parents: Vec<_> = parent.iter().collect();
        self.repo.commit(Some("HEAD"), &who, &who, &message, &tree, &parents).unwrap()
    }
}

fn entry(path: &str, id: Oid) -> IndexEntry {
    IndexEntry {
        ctime: IndexTime::new(0, 0),
        mtime: IndexTime::new(0, 0),
        dev: 0,
        ino: 0,
        mode: 0o100_644,
        uid: 0,
        gid: 0,
        file_size: 0,
        id,
        flags: 0,
        flags_extended: 0,
        path: path.as_bytes().to_vec(),
    }
}
