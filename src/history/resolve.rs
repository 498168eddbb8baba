//! From what a user calls a commit to its id.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;

use git2::ErrorCode;

use super::references::{self, References};
use super::store::{Kind, Loss, Store, object_id, parse_hex};
use super::{Error, ObjectId, Repository};

/// Tags of tags are followed this far.
const TAGS: usize = 16;
/// References to references are followed this far, as git does.
const REFERENCES: usize = 6;

impl Repository {
    /// The commit that `rev` names: a branch, a tag, an id or its beginning, `HEAD~2` and the like.
    ///
    /// # Errors
    /// When there is no commit at all, when nothing or no single commit has this name, and when the
    /// reference behind it is broken.
    pub fn resolve(&self, rev: &str) -> Result<ObjectId, Error> {
        let store = Store::open(&self.place, 0)?;
        if let Some(id) = parse_hex(rev.as_bytes()) {
            return match store.header(id) {
                Err(Loss::Missing) => Err(Error::UnknownRevision { rev: rev.to_owned() }),
                _ => peel(&store, rev, id),
            };
        }
        let unusual = |character: char| character.is_control() || character.is_whitespace();
        if rev.is_empty() || rev.contains(unusual) && !rev.contains([':', '{']) {
            return Err(Error::RevisionSyntax { rev: rev.to_owned() });
        }
        self.check_references(rev)?;
        if self.references == References::Files {
            return self.resolve_by_hand(&store, rev);
        }
        if rev == "HEAD" {
            return match self.inner.refname_to_id(rev) {
                Ok(id) => {
                    object_id(id).map_or_else(|| Err(unknown(rev)), |id| peel(&store, rev, id))
                }
                Err(error) => Err(self.explain_head(&error)),
            };
        }
        // A reference is not parsed by libgit2, which refuses some commits that git takes.
        let reference =
            self.inner.resolve_reference_from_short_name(rev).and_then(|found| found.resolve());
        if let Some(id) = reference.ok().and_then(|found| found.target()).and_then(object_id) {
            return peel(&store, rev, id);
        }
        match self.inner.revparse_single(rev) {
            Ok(object) => {
                object_id(object.id()).map_or_else(|| Err(unknown(rev)), |id| peel(&store, rev, id))
            }
            Err(error) => Err(match error.code() {
                ErrorCode::InvalidSpec => Error::RevisionSyntax { rev: rev.to_owned() },
                ErrorCode::Ambiguous => Error::AmbiguousRevision { rev: rev.to_owned() },
                // HEAD~1 of a repository without commits deserves the same word as HEAD.
                _ if self.inner.refname_to_id("HEAD").is_err() && rev.starts_with("HEAD") => {
                    self.explain_head(&error)
                }
                _ => unknown(rev),
            }),
        }
    }

    /// As [`Repository::resolve`], where libgit2 knows the objects but not the references.
    fn resolve_by_hand(&self, store: &Store, rev: &str) -> Result<ObjectId, Error> {
        let end = rev.find(['^', '~', ':', '@']).unwrap_or(rev.len());
        let (base, rest) = rev.split_at(end);
        let base = if base.is_empty() { "HEAD" } else { base };
        let rest = if rest == "@" { "" } else { rest };
        let Some(id) = references::named(&self.place, base) else {
            if base == "HEAD" {
                let message = "it names no commit";
                return Err(self.explain_head(&git2::Error::new(
                    ErrorCode::NotFound,
                    git2::ErrorClass::Reference,
                    message,
                )));
            }
            return match self.inner.revparse_single(rev).ok().and_then(|it| object_id(it.id())) {
                Some(id) => peel(store, rev, id),
                None => Err(unknown(rev)),
            };
        };
        if rest.is_empty() {
            return peel(store, rev, id);
        }
        let found = self.inner.revparse_single(&format!("{id}{rest}"));
        match found.ok().and_then(|object| object_id(object.id())) {
            Some(id) => peel(store, rev, id),
            None => Err(unknown(rev)),
        }
    }

    /// Why HEAD leads nowhere.
    fn explain_head(&self, error: &git2::Error) -> Error {
        let name = "HEAD".to_owned();
        let broken =
            |message: &str| Error::Reference { name: name.clone(), message: message.to_owned() };
        if error.code() != ErrorCode::NotFound {
            return broken(error.message());
        }
        match self.symbolic_target("HEAD").ok().flatten() {
            Some(branch) if self.has_references() => Error::UnbornHead { branch },
            Some(_) => Error::NoCommit { path: self.shown.clone() },
            None => broken(error.message()),
        }
    }

    /// Refuses names whose file is no regular file: reading a named pipe would wait for ever.
    fn check_references(&self, rev: &str) -> Result<(), Error> {
        let base = rev
            .split(['^', '~', ':', '@', '{'])
            .next()
            .filter(|base| !base.is_empty())
            .unwrap_or("HEAD");
        let mut names: Vec<String> = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"]
            .iter()
            .map(|prefix| format!("{prefix}{base}"))
            .collect();
        names.push(format!("refs/remotes/{base}/HEAD"));
        for name in names {
            let mut name = name;
            for _ in 0..REFERENCES {
                match self.symbolic_target(&name)? {
                    Some(target) => name = target,
                    None => break,
                }
            }
        }
        Ok(())
    }

    /// What a loose reference points to, if that is a name.
    fn symbolic_target(&self, name: &str) -> Result<Option<String>, Error> {
        if name.split(['/', '\\']).any(|part| part == "..") || Path::new(name).is_absolute() {
            return Ok(None);
        }
        for folder in [&self.place.git_dir, &self.place.common_dir] {
            let file = folder.join(name);
            let Ok(kind) = fs::metadata(&file) else {
                continue;
            };
            if kind.is_dir() {
                continue;
            }
            if !kind.is_file() {
                let message = "neither a file nor a folder".to_owned();
                return Err(Error::Reference { name: name.to_owned(), message });
            }
            if kind.len() > 1 << 16 {
                continue;
            }
            if let Ok(text) = fs::read_to_string(&file) {
                return Ok(text
                    .trim_end()
                    .strip_prefix("ref:")
                    .map(|target| target.trim().to_owned()));
            }
        }
        Ok(None)
    }

    /// Whether any reference exists. Only names are looked at.
    fn has_references(&self) -> bool {
        let packed = self.place.common_dir.join("packed-refs");
        if packed.is_file()
            && let Ok(file) = fs::File::open(packed)
            && BufReader::new(file).lines().map_while(Result::ok).any(|line| !line.starts_with('#'))
        {
            return true;
        }
        any_file(&self.place.common_dir.join("refs"))
    }
}

/// Whether a folder holds a file at any depth that references have.
pub(super) fn any_file(folder: &Path) -> bool {
    let mut stack = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = stack.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < 32 => stack.push((entry.path(), depth + 1)),
                Ok(kind) if kind.is_file() => return true,
                _ => {}
            }
        }
    }
    false
}

fn unknown(rev: &str) -> Error {
    Error::UnknownRevision { rev: rev.to_owned() }
}

/// The commit behind an object: itself, or what a tag (of a tag …) names.
fn peel(store: &Store, rev: &str, id: ObjectId) -> Result<ObjectId, Error> {
    let mut id = id;
    for _ in 0..TAGS {
        let unreadable = |loss: Loss| Error::Reference {
            name: rev.to_owned(),
            message: format!("{id} is {}", loss.words()),
        };
        let (_, kind) = store.header(id).map_err(unreadable)?;
        match kind {
            Kind::Commit => return Ok(id),
            Kind::Tag => {
                let target = store
                    .read(id, Kind::Tag, 1 << 20, |bytes| {
                        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or(bytes);
                        line.strip_prefix(b"object ").and_then(parse_hex)
                    })
                    .map_err(unreadable)?;
                id = target.ok_or_else(|| unreadable(Loss::Corrupt))?;
            }
            Kind::Tree | Kind::Blob => {
                return Err(Error::NotACommit { rev: rev.to_owned(), kind: kind.name() });
            }
        }
    }
    Err(Error::NotACommit { rev: rev.to_owned(), kind: Kind::Tag.name() })
}
