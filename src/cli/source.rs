//! Where a repository comes from: a folder of this machine, or an address that git clones.
//!
//! The system's git clones, so that its credentials, proxies and certificates work; the program itself
//! speaks no network protocol.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use super::problem::Problem;
use crate::history::Progress;

/// Variables by which a git hook tells git which repository it runs in: not the one to clone into.
const OF_A_HOOK: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// How many lines of what git said are passed on.
const LINES_OF_GIT: usize = 3;

/// A repository to audit.
pub(super) struct Source {
    /// As reports name it: as the user did, but without the name and password of an address.
    pub(super) named: String,
    /// Where it is on this machine.
    pub(super) path: PathBuf,
    /// Removes the clone when the audit is done, unless it is kept.
    _clone: Option<TempDir>,
}

impl Source {
    /// Finds the repository that a user names, or has git clone it: into a folder of `cache`, where
    /// it is kept and brought up to date the next time, or into one that goes with the source.
    pub(super) fn of(
        named: &OsStr,
        cache: Option<&Path>,
        progress: &dyn Progress,
    ) -> Result<Self, Problem> {
        let Some(address) = address(named) else {
            return Ok(Self { named: shown(named), path: named.into(), _clone: None });
        };
        let named = shown(OsStr::new(address));
        progress.phase("clone", None);
        let fail = |source| Problem::CloneFolder { source };
        let Some(cache) = cache else {
            let folder = tempfile::Builder::new().prefix("claim-audit-").tempdir().map_err(fail)?;
            let path = folder.path().join("clone.git");
            clone(address, &path)?;
            return Ok(Self { named, path, _clone: Some(folder) });
        };
        fs::create_dir_all(cache).map_err(fail)?;
        let path = cache.join(folder_name(address));
        if path.is_dir() {
            update(&named, &path)?;
        } else {
            // A clone that is interrupted must not be taken for one.
            let folder =
                tempfile::Builder::new().prefix(".new-").tempdir_in(cache).map_err(fail)?;
            let new = folder.path().join("clone.git");
            clone(address, &new)?;
            // Another run may have been faster: then its clone is as good.
            if let Err(error) = fs::rename(&new, &path)
                && !path.is_dir()
            {
                return Err(fail(error));
            }
        }
        Ok(Self { named, path, _clone: None })
    }
}

/// The address, where it is one and no path: as git tells them apart.
fn address(named: &OsStr) -> Option<&str> {
    let text = named.to_str()?;
    if Path::new(named).exists() {
        return None;
    }
    let (before, after) = text.split_once(':')?;
    // A slash before the colon is a path's, a single letter is a drive.
    let host = before.len() > 1 && !before.contains(['/', '\\']);
    (host && !after.is_empty()).then_some(text)
}

/// A repository as it may be shown: as the user named it, without the name and password of an address.
pub(super) fn shown(named: &OsStr) -> String {
    address(named).map_or_else(|| named.to_string_lossy().into_owned(), without_credentials)
}

fn without_credentials(address: &str) -> String {
    let shown = || {
        let (scheme, rest) = address.split_once("://")?;
        let host = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(host)?;
        let (_, host) = authority.rsplit_once('@')?;
        Some(format!("{scheme}://{host}{path}"))
    };
    shown().unwrap_or_else(|| address.to_owned())
}

/// The folder of an address in a cache: readable, and one for each address.
fn folder_name(address: &str) -> String {
    let shown = without_credentials(address);
    let last = shown.trim_end_matches(['/', '\\']).rsplit(['/', ':', '\\']).next();
    let last = last.unwrap_or_default();
    let last = last.strip_suffix(".git").unwrap_or(last);
    let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let name: String = last.chars().filter(plain).take(60).collect();
    format!("{name}-{:016x}.git", xxh3_64(address.as_bytes()))
}

fn clone(address: &str, into: &Path) -> Result<(), Problem> {
    let words: [&OsStr; 6] = [
        "clone".as_ref(),
        "--bare".as_ref(),
        "--quiet".as_ref(),
        // No hooks: there is nothing that they could be of use for.
        "--template=".as_ref(),
        "--".as_ref(),
        address.as_ref(),
    ];
    let words = words.into_iter().chain([into.as_os_str()]);
    git(words, &without_credentials(address)).map(drop)
}

/// Brings a kept clone up to date: its branches, its tags, and which branch is the default one.
fn update(named: &str, path: &Path) -> Result<(), Problem> {
    let inside = |words: &[&str]| {
        let at = [OsString::from("-C"), path.as_os_str().to_owned()];
        let words = at.into_iter().chain(words.iter().map(OsString::from));
        git(words, named)
    };
    inside(&[
        "fetch",
        "--quiet",
        "--prune",
        "--force",
        "origin",
        "+refs/heads/*:refs/heads/*",
        "+refs/tags/*:refs/tags/*",
    ])?;
    let head = inside(&["ls-remote", "--symref", "origin", "HEAD"])?;
    let branch = head.lines().find_map(|line| line.strip_prefix("ref: ")?.split('\t').next());
    match branch {
        Some(branch) => inside(&["symbolic-ref", "HEAD", branch]).map(drop),
        // The server has no default branch, or does not tell: the old one stays.
        None => Ok(()),
    }
}

/// Runs git and gives what it wrote.
fn git(words: impl IntoIterator<Item = impl AsRef<OsStr>>, named: &str) -> Result<String, Problem> {
    let mut command = Command::new("git");
    for variable in OF_A_HOOK {
        command.env_remove(variable);
    }
    let done = command.args(words).stdin(Stdio::null()).output().map_err(|source| match source
        .kind()
    {
        io::ErrorKind::NotFound => Problem::NoGit { named: named.to_owned() },
        _ => Problem::CloneFolder { source },
    })?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines.len().saturating_sub(LINES_OF_GIT);
    let said = lines.get(last..).unwrap_or_default().join("; ");
    Err(Problem::Clone { named: named.to_owned(), said })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_paths_as_git_does() {
        for named in [
            "https://example.org/a/b",
            "ssh://git@example.org/a/b.git",
            "git@example.org:a/b.git",
            "host:a",
            "file:///srv/a.git",
            "ext::sh -c id",
        ] {
            assert_eq!(address(OsStr::new(named)), Some(named));
        }
        for named in [".", "a/b", "../a:b", "./a:b", "C:/repos/a", "C:\\a", "a", "a:", "", ":a"] {
            assert_eq!(address(OsStr::new(named)), None, "{named}");
        }
        let folder = tempfile::tempdir().unwrap();
        let odd = folder.path().join("a:b");
        fs::create_dir(&odd).unwrap();
        assert_eq!(address(odd.as_os_str()), None);
    }

    #[test]
    fn no_report_shows_a_password() {
        for (address, shown) in [
            ("https://me:secret@example.org/a@b", "https://example.org/a@b"),
            ("https://tok@en@example.org", "https://example.org"),
            ("ssh://git@example.org:22/a", "ssh://example.org:22/a"),
            ("https://example.org/a@b", "https://example.org/a@b"),
            ("git@example.org:a/b", "git@example.org:a/b"),
        ] {
            assert_eq!(without_credentials(address), shown);
        }
        let name = folder_name("https://me:secret@example.org/a/Lab-Notes.git/");
        assert!(name.starts_with("Lab-Notes-") && name.ends_with(".git"), "{name}");
        assert!(!folder_name("https://me:secret@example.org").contains("secret"));
        assert_ne!(folder_name("https://a.example/x"), folder_name("https://b.example/x"));
        assert!(folder_name("host:../..").starts_with('-'));
    }
}
