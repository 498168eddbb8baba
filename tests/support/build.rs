//! A story's commits as a real repository: the same ids on every machine, no shell, no clock.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use chrono::{DateTime, Utc};
use encoding_rs::Encoding;
use git2::{Index, IndexEntry, IndexTime, Oid, Repository, RepositoryInitOptions, Signature, Time};
use tempfile::TempDir;

use super::story::{Commit, Story};

type Files = BTreeMap<String, String>;

/// A repository in a temporary folder, removed when dropped.
pub(crate) struct Built {
    pub(crate) dir: TempDir,
    /// In the order of the story's commits.
    pub(crate) commits: Vec<Oid>,
    /// All files of each commit.
    pub(crate) files: Vec<Files>,
}

impl Built {
    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The place of a commit in the story, counted from one.
    pub(crate) fn number(&self, hex: &str) -> Option<usize> {
        self.commits.iter().position(|oid| oid.to_string() == hex).map(|index| index + 1)
    }

    /// The files of the audited commit.
    pub(crate) fn head(&self) -> &Files {
        self.files.last().unwrap()
    }
}

/// Builds the repository with the last commit checked out on `main`.
pub(crate) fn repository(story: &Story) -> Built {
    let dir = tempfile::tempdir().unwrap();
    let (commits, files) = repository_at(story, dir.path());
    Built { dir, commits, files }
}

/// Builds the repository in a folder: the ids and all files of each commit.
pub(crate) fn repository_at(story: &Story, path: &Path) -> (Vec<Oid>, Vec<Files>) {
    let mut options = RepositoryInitOptions::new();
    options.initial_head("main").external_template(false);
    let repo = Repository::init_opts(path, &options).unwrap();
    repo.config().unwrap().set_bool("core.autocrlf", false).unwrap();

    let (mut oids, mut trees): (Vec<Oid>, Vec<Files>) = (Vec::new(), Vec::new());
    let mut encodings: BTreeMap<String, String> = BTreeMap::new();
    for (index, commit) in story.commits.iter().enumerate() {
        let default = if index == 0 { Vec::new() } else { vec![index] };
        let parents: Vec<usize> =
            commit.parents.clone().unwrap_or(default).iter().map(|number| number - 1).collect();
        let files = files_of(&repo, commit, &parents, &oids, &trees);
        encodings.extend(commit.encode.clone());
        let bytes = files.iter().map(|(path, text)| {
            let label = encodings.get(path).map_or("utf-8", String::as_str);
            (path.as_str(), encoded(text, label))
        });
        let bytes: Vec<_> = bytes.collect();
        oids.push(write(&repo, commit, &bytes, &parents, &oids));
        trees.push(files);
    }
    let head = *oids.last().unwrap();
    repo.reference("refs/heads/main", head, true, "").unwrap();
    repo.checkout_head(Some(git2::build::CheckoutBuilder::new().force())).unwrap();
    for (name, number) in &story.branches {
        repo.reference(&format!("refs/heads/{name}"), oids[number - 1], true, "").unwrap();
    }
    if let Some(number) = story.cut_at {
        cut(&repo, oids[number - 1]);
    }
    (oids, trees)
}

/// The first parent's files, what the other parents changed, then what the commit itself does.
fn files_of(
    repo: &Repository,
    commit: &Commit,
    parents: &[usize],
    oids: &[Oid],
    trees: &[Files],
) -> Files {
    let mut files = parents.first().map_or_else(Files::new, |first| trees[*first].clone());
    for other in parents.iter().skip(1) {
        let base = repo
            .merge_base(oids[parents[0]], oids[*other])
            .ok()
            .and_then(|base| oids.iter().position(|oid| *oid == base))
            .map_or_else(Files::new, |index| trees[index].clone());
        let theirs = &trees[*other];
        for path in base.keys().chain(theirs.keys()).cloned().collect::<Vec<_>>() {
            let changed_there = theirs.get(&path) != base.get(&path);
            let changed_here = files.get(&path) != base.get(&path);
            match theirs.get(&path) {
                _ if !changed_there || files.get(&path) == theirs.get(&path) => {}
                _ if changed_here => {
                    let message = &commit.message;
                    assert!(commit.write.contains_key(&path), "`{message}`: conflict in {path}");
                }
                Some(text) => drop(files.insert(path, text.clone())),
                None => drop(files.remove(&path)),
            }
        }
    }
    let missing = |path: &str| -> ! { panic!("`{}`: no file {path}", commit.message) };
    for (from, to) in &commit.moves {
        let text = files.remove(from).unwrap_or_else(|| missing(from));
        files.insert(to.clone(), text);
    }
    for path in &commit.delete {
        files.remove(path).unwrap_or_else(|| missing(path));
    }
    let write = commit.write.iter().map(|(path, text)| (path.clone(), with_ids(text, oids)));
    files.extend(write);
    files
}

/// A text with `{commit 2}` as the beginning of that commit's id.
fn with_ids(text: &str, oids: &[Oid]) -> String {
    (1..).zip(oids).fold(text.to_owned(), |text, (number, oid)| {
        text.replace(&format!("{{commit {number}}}"), &oid.to_string()[..10])
    })
}

fn write(
    repo: &Repository,
    commit: &Commit,
    files: &[(&str, Cow<'_, [u8]>)],
    parents: &[usize],
    oids: &[Oid],
) -> Oid {
    let mut index = Index::new().unwrap();
    for (path, bytes) in files {
        let id = repo.blob(bytes).unwrap();
        index.add(&entry(path, id)).unwrap();
    }
    let tree = repo.find_tree(index.write_tree_to(repo).unwrap()).unwrap();
    let parents: Vec<_> =
        parents.iter().map(|parent| repo.find_commit(oids[*parent]).unwrap()).collect();
    let author = signature(commit.at);
    let committer = signature(commit.commit_at.unwrap_or(commit.at));
    let parents: Vec<_> = parents.iter().collect();
    repo.commit(None, &author, &committer, &commit.message, &tree, &parents).unwrap()
}

fn encoded<'a>(text: &'a str, label: &str) -> Cow<'a, [u8]> {
    let encoding = Encoding::for_label(label.as_bytes());
    let encoding = encoding.unwrap_or_else(|| panic!("no encoding is called {label}"));
    let (bytes, _, lost) = encoding.encode(text);
    assert!(!lost, "{label} cannot write {text}");
    bytes
}

fn entry(path: &str, id: Oid) -> IndexEntry {
    let time = IndexTime::new(0, 0);
    IndexEntry {
        ctime: time,
        mtime: time,
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

fn signature(at: DateTime<Utc>) -> Signature<'static> {
    Signature::new("A. Author", "a@example.org", &Time::new(at.timestamp(), 0)).unwrap()
}

/// Makes the repository what a shallow clone is: the commit's parents are named and not there.
fn cut(repo: &Repository, boundary: Oid) {
    let mut walk = repo.revwalk().unwrap();
    walk.push(boundary).unwrap();
    for oid in walk.map(Result::unwrap).filter(|oid| *oid != boundary).collect::<Vec<_>>() {
        let hex = oid.to_string();
        fs::remove_file(repo.path().join("objects").join(&hex[..2]).join(&hex[2..])).unwrap();
    }
    fs::write(repo.path().join("shallow"), format!("{boundary}\n")).unwrap();
}
