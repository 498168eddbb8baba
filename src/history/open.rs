//! Finding and opening exactly one repository.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use git2::{ErrorClass, ErrorCode, RepositoryOpenFlags};

use super::store::{Place, git_error, is_there, prepare};
use super::{Error, Repository};

impl Repository {
    /// Opens the repository that a folder belongs to.
    ///
    /// The first `.git` upwards from `path` is the one, or the first folder that is a bare
    /// repository. If it is broken or cannot be read, that is an error: git would go on to a
    /// repository further up, and another history would be audited without a word.
    ///
    /// # Errors
    /// When the path is missing or no folder, when no repository is found, or when the one found
    /// cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Error> {
        prepare();
        let shown = path.to_owned();
        let kind = fs::metadata(path).map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => Error::Permission { path: shown.clone() },
            _ => Error::NoPath { path: shown.clone() },
        })?;
        if !kind.is_dir() {
            return Err(Error::NotAFolder { path: shown });
        }
        let folder = path.canonicalize().map_err(|_| Error::NoPath { path: shown.clone() })?;
        let Some(found) = find(&folder)? else {
            return Err(Error::NoRepository { path: shown });
        };
        let flags = RepositoryOpenFlags::NO_SEARCH;
        let inner = git2::Repository::open_ext(&found, flags, std::iter::empty::<&Path>())
            .map_err(|error| explain(&found, &error))?;
        let place =
            Place { git_dir: inner.path().to_owned(), common_dir: inner.commondir().to_owned() };
        Ok(Self { shown, inner, place })
    }
}

/// The first `.git` or bare repository upwards.
fn find(folder: &Path) -> Result<Option<PathBuf>, Error> {
    for folder in folder.ancestors() {
        let inside = folder.join(".git");
        match inside.symlink_metadata() {
            Ok(_) => return readable(&inside).map(|()| Some(inside)),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(Error::Permission { path: inside });
            }
            Err(_) => {}
        }
        // A work tree's private folder has no objects of its own but names the common one.
        let is_git_dir = is_there(folder, "HEAD")
            && (is_there(folder, "commondir")
                || (is_there(folder, "objects") && is_there(folder, "refs")));
        if is_git_dir {
            return readable(folder).map(|()| Some(folder.to_owned()));
        }
    }
    Ok(None)
}

/// A `.git` that we may not look into is reported as that: git calls it "not found".
fn readable(found: &Path) -> Result<(), Error> {
    let denied = |result: io::Result<()>| match result {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            Err(Error::Permission { path: found.to_owned() })
        }
        _ => Ok(()),
    };
    match fs::metadata(found) {
        Ok(kind) if kind.is_dir() => {
            denied(fs::read_dir(found).map(|_| ()))?;
            denied(fs::File::open(found.join("HEAD")).map(|_| ()))
        }
        // Only regular files are opened: opening a named pipe would wait for ever.
        Ok(kind) if kind.is_file() => denied(fs::File::open(found).map(|_| ())),
        Ok(_) => Err(Error::BrokenRepository {
            found: found.to_owned(),
            message: "neither a folder nor a file".to_owned(),
        }),
        Err(error) => denied(Err(error)).and_then(|()| {
            Err(Error::BrokenRepository {
                found: found.to_owned(),
                message: "it leads nowhere".to_owned(),
            })
        }),
    }
}

/// Why opening failed, by looking at the configuration and not only at git's words.
fn explain(found: &Path, error: &git2::Error) -> Error {
    let path = found.to_owned();
    let message = error.message().to_owned();
    if error.code() == ErrorCode::Owner {
        let folder = if found.ends_with(".git") { found.parent() } else { None };
        return Error::ForeignOwner { path: folder.unwrap_or(found).to_owned() };
    }
    if let Some(config) = local_config(found) {
        if let Ok(format) = config.get_string("extensions.objectformat")
            && !format.eq_ignore_ascii_case("sha1")
        {
            return Error::ObjectFormat { path, format };
        }
        if let Ok(storage) = config.get_string("extensions.refstorage")
            && !storage.eq_ignore_ascii_case("files")
        {
            return Error::RefStorage { path, storage };
        }
        if let Ok(version) = config.get_i64("core.repositoryformatversion")
            && !(0..=1).contains(&version)
        {
            return Error::FormatVersion { path, version };
        }
    }
    if let Some((_, name)) = message.split_once("unsupported extension name extensions.") {
        return Error::Extension { path, name: name.to_owned() };
    }
    if message.contains("graft OID") {
        return Error::ShallowFile { path: found.join("shallow") };
    }
    match (error.class(), error.code()) {
        (ErrorClass::Config, _) => Error::Config { path, message },
        (_, ErrorCode::Locked) => Error::Permission { path },
        (_, ErrorCode::NotFound) => Error::BrokenRepository { found: path, message },
        _ => git_error_at(path, error),
    }
}

fn git_error_at(found: PathBuf, error: &git2::Error) -> Error {
    match error.class() {
        ErrorClass::Repository | ErrorClass::Os => {
            Error::BrokenRepository { found, message: error.message().to_owned() }
        }
        _ => Error::Git { message: error.message().to_owned() },
    }
}

/// The repository's own configuration, found without opening the repository.
fn local_config(found: &Path) -> Option<git2::Config> {
    let git_dir = if found.is_dir() { found.to_owned() } else { follow(found)? };
    let common = read_line(&git_dir.join("commondir")).map(|line| git_dir.join(line));
    git2::Config::open(&common.unwrap_or(git_dir).join("config")).ok()
}

/// Where a `.git` file leads.
fn follow(file: &Path) -> Option<PathBuf> {
    let line = read_line(file)?;
    Some(file.parent()?.join(line.strip_prefix("gitdir:")?.trim_start()))
}

/// The first line of a small regular file.
fn read_line(file: &Path) -> Option<String> {
    let kind = fs::metadata(file).ok()?;
    if !kind.is_file() || kind.len() > 1 << 16 {
        return None;
    }
    Some(fs::read_to_string(file).ok()?.lines().next()?.trim_end().to_owned())
}

impl From<git2::Error> for Error {
    fn from(error: git2::Error) -> Self {
        git_error(error)
    }
}
