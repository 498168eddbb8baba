//! Finding and opening exactly one repository.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use git2::{ErrorClass, ErrorCode, RepositoryOpenFlags};

use super::references::References;
use super::store::{Place, git_error, is_there, prepare};
use super::{Error, Repository};

/// How a repository is looked for and what is let in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opening<'a> {
    /// Folders that are not entered on the way upwards, as git's `GIT_CEILING_DIRECTORIES`.
    pub ceilings: &'a [PathBuf],
    /// Opens a repository that belongs to another user, which git's `safe.directory` does not allow.
    pub trust: bool,
}

impl Repository {
    /// Opens the repository that a folder belongs to, if it is the user's own.
    ///
    /// # Errors
    /// As [`Repository::open_with`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::open_with(path, &Opening::default())
    }

    /// Opens the repository that a folder belongs to.
    ///
    /// The first `.git` upwards from `path` is the one, or the first folder that is a bare
    /// repository. If it is broken or cannot be read, that is an error: git would go on to a
    /// repository further up, and another history would be audited without a word.
    ///
    /// # Errors
    /// When the path is missing or no folder, when no repository is found, or when the one found
    /// cannot be opened.
    pub fn open_with(path: &Path, opening: &Opening<'_>) -> Result<Self, Error> {
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
        let Some(found) = find(&folder, opening.ceilings)? else {
            return Err(Error::NoRepository { path: shown });
        };
        let flags = RepositoryOpenFlags::NO_SEARCH;
        match git2::Repository::open_ext(&found, flags, std::iter::empty::<&Path>()) {
            Ok(inner) => {
                let (git_dir, common_dir) = (inner.path().to_owned(), inner.commondir().to_owned());
                let place = Place { git_dir, common_dir };
                Ok(Self { shown, inner, place, references: References::Git })
            }
            Err(error) => match explain(&found, &error) {
                Error::ForeignOwner { path } if opening.trust || is_safe(&path) => {
                    Self::open_by_hand(shown, &found)
                }
                Error::Extension { name, .. } if is_harmless(&name) => {
                    Self::open_by_hand(shown, &found)
                }
                error => Err(error),
            },
        }
    }

    /// Opens what libgit2 refuses though nothing in it is beyond it: the object store alone is
    /// opened, and references are read as files. libgit2's own switches for this are process-wide
    /// and not thread-safe.
    fn open_by_hand(shown: PathBuf, found: &Path) -> Result<Self, Error> {
        let broken = |message: &str| Error::BrokenRepository {
            found: found.to_owned(),
            message: message.to_owned(),
        };
        let git_dir = git_dir(found).ok_or_else(|| broken("it leads nowhere"))?;
        let common_dir = common_dir(&git_dir);
        if let Some(error) = unsupported(found) {
            return Err(error);
        }
        let objects = common_dir.join("objects");
        let objects = objects.to_str().ok_or_else(|| broken("its path is not UTF-8"))?;
        let odb = git2::Odb::new()?;
        odb.add_disk_alternate(objects)?;
        let inner = git2::Repository::from_odb(odb)?;
        let place = Place { git_dir, common_dir };
        Ok(Self { shown, inner, place, references: References::Files })
    }
}

/// The first `.git` or bare repository upwards. Like git, it never goes up into a ceiling, but may
/// start in one.
fn find(start: &Path, ceilings: &[PathBuf]) -> Result<Option<PathBuf>, Error> {
    let ceilings: Vec<PathBuf> = ceilings
        .iter()
        .filter(|ceiling| ceiling.is_absolute())
        .map(|ceiling| ceiling.canonicalize().unwrap_or_else(|_| ceiling.clone()))
        .collect();
    for folder in start.ancestors() {
        if folder != start && ceilings.iter().any(|ceiling| ceiling == folder) {
            break;
        }
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
    if let Some(error) = unsupported(found) {
        return error;
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

/// What the configuration says of a repository that is written in a way that we cannot read.
fn unsupported(found: &Path) -> Option<Error> {
    let path = || found.to_owned();
    let config = local_config(found)?;
    if let Ok(format) = config.get_string("extensions.objectformat")
        && !format.eq_ignore_ascii_case("sha1")
    {
        return Some(Error::ObjectFormat { path: path(), format });
    }
    if let Ok(storage) = config.get_string("extensions.refstorage")
        && !storage.eq_ignore_ascii_case("files")
    {
        return Some(Error::RefStorage { path: path(), storage });
    }
    if let Ok(version) = config.get_i64("core.repositoryformatversion")
        && !(0..=1).contains(&version)
    {
        return Some(Error::FormatVersion { path: path(), version });
    }
    let mut entries = config.entries(Some(r"^extensions\..*")).ok()?;
    while let Some(entry) = entries.next() {
        let entry = entry.ok()?;
        let name = String::from_utf8_lossy(entry.name_bytes());
        let name = name.strip_prefix("extensions.").unwrap_or(&name);
        if !(is_harmless(name) || KNOWN.contains(&name)) {
            return Some(Error::Extension { path: path(), name: name.to_owned() });
        }
    }
    None
}

/// Extensions that libgit2 reads itself.
const KNOWN: &[&str] = &["noop", "objectformat", "preciousobjects", "refstorage", "worktreeconfig"];

/// Whether an extension of git that libgit2 refuses changes nothing for a reader: objects that were
/// not fetched are told apart from damage, and paths of work trees are not needed.
fn is_harmless(extension: &str) -> bool {
    ["partialclone", "relativeworktrees"].iter().any(|it| extension.eq_ignore_ascii_case(it))
}

/// Whether the user's configuration lets a folder in by a prefix (`/srv/*`), which libgit2 does not
/// know. An empty value takes back what was said before.
fn is_safe(folder: &Path) -> bool {
    let Ok(config) = git2::Config::open_default() else { return false };
    let Ok(mut entries) = config.multivar("safe.directory", None) else { return false };
    let mut safe = false;
    while let Some(entry) = entries.next() {
        let Ok(entry) = entry else { return false };
        let value = String::from_utf8_lossy(entry.value_bytes()).into_owned();
        match value.strip_suffix("/*") {
            _ if value.is_empty() => safe = false,
            Some(prefix) => safe |= folder != Path::new(prefix) && folder.starts_with(prefix),
            None => {}
        }
    }
    safe
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
    git2::Config::open(&common_dir(&git_dir(found)?).join("config")).ok()
}

/// The git folder behind a `.git`, which is one or names one.
fn git_dir(found: &Path) -> Option<PathBuf> {
    if found.is_dir() { Some(found.to_owned()) } else { follow(found) }
}

/// The folder that all work trees of a git folder share.
fn common_dir(git_dir: &Path) -> PathBuf {
    let common = read_line(&git_dir.join("commondir")).map(|line| git_dir.join(line));
    common.unwrap_or_else(|| git_dir.to_owned())
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
