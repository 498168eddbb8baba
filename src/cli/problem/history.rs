//! The way out of each error of [`crate::history`].

use std::path::Path;

use super::Told;
use crate::history::Error;
use crate::report::shell_word;

const COMPLETE_IT: &str =
    "fetch the rest with `git fetch --unshallow`; in CI, check out with `fetch-depth: 0`";
const FSCK: &str = "`git fsck` says what is broken; a fresh clone usually repairs it";

/// A history error in words.
pub(super) fn tell(error: &Error) -> Told {
    let told = Told::new(error.to_string());
    match error {
        Error::NoPath { .. } => told.help("REPO is a path inside a repository: check its spelling"),
        Error::NotAFolder { .. } => told.help("name the folder that holds it"),
        Error::NoRepository { .. } => {
            told.help("name a folder of a git clone: an export or a download has no history")
        }
        Error::BrokenRepository { .. } => told
            .help("`git status` in that folder should say the same")
            .help("clone it again, or run `git worktree repair` where it is a linked worktree"),
        Error::Permission { .. } => told.help("run as a user who may read it"),
        Error::ForeignOwner { path } => told
            .help(format!(
                "if you trust it, say so to git: `git config --global --add safe.directory {}`",
                word(path)
            ))
            .help(
                "`--trust-repository` audits it this once: claim-audit runs nothing that it names",
            ),
        Error::ObjectFormat { .. } => told.help("only SHA-1 repositories can be read so far"),
        Error::RefStorage { .. } => {
            told.help("in a copy of it, run `git refs migrate --ref-format=files`")
        }
        Error::Extension { name, .. } => told.help(format!(
            "`git config extensions.{}` shows it; a fresh clone without it can be audited",
            shell_word(name)
        )),
        Error::FormatVersion { .. } => told.help("a fresh clone by an older git can be audited"),
        Error::Config { .. } => {
            told.help("`git config --list --show-origin` should stop at the same line")
        }
        Error::ShallowFile { .. } => told.help(COMPLETE_IT),
        Error::NoCommit { .. } => told.help("an audit needs a history: commit something first"),
        Error::UnbornHead { .. } => {
            told.help("name another commit with `--rev`; `git branch -a` lists branches")
        }
        Error::Reference { .. } => told.help("name another commit with `--rev`").help(FSCK),
        Error::UnknownRevision { rev } => told.help(unknown(rev)),
        Error::AmbiguousRevision { .. } => told.help("write more of its digits"),
        Error::RevisionSyntax { .. } | Error::NotACommit { .. } => {
            told.help("`--rev` takes one commit: a branch, a tag or an id")
        }
        Error::Unreadable { .. } => told.help(FSCK),
        Error::Shallow { .. } => told.help(COMPLETE_IT).help(
            "`--allow-shallow` audits what is there; claims from before the cut become leads",
        ),
        Error::Unrelated { cut_off: true, .. } => told.help(COMPLETE_IT),
        Error::Unrelated { cut_off: false, .. } => {
            told.help("name a commit that this history grew out of with `--base`")
        }
        Error::NotAFile { .. } => {
            told.help("links and submodules are not followed: put the file itself there")
        }
        Error::TooLarge { .. } => told.help("such a file is never that large: cut it"),
        Error::NoDocuments { .. } => told.help(
            "documents are text files such as README.md; `--include` and `--exclude` narrow them",
        ),
        Error::Limit { .. } => told
            .help("bounds keep a hostile repository from taking all memory")
            .help("`--limit NAME=NUMBER` moves one; docs/limits.md names them"),
        Error::Thread(source) => Told::new(format!("{error}: {source}")).help("try `--jobs 1`"),
        Error::Git { .. } => told.help(FSCK),
    }
}

/// Where to get a revision that is not there.
fn unknown(rev: &str) -> String {
    match rev.split_once('/') {
        Some((remote @ ("origin" | "upstream"), branch)) => format!(
            "fetch it first with `git fetch {remote} {}`; in CI, check out with `fetch-depth: 0`",
            shell_word(branch)
        ),
        _ => "`git log --all` shows what `--rev` can name; in CI, check out with `fetch-depth: 0`"
            .into(),
    }
}

fn word(path: &Path) -> String {
    shell_word(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_a_way_out() {
        let (path, text) = (|| "a b/repo".into(), || String::from("x"));
        let oid = crate::history::ObjectId([0xab; 20]);
        let errors = [
            Error::NoPath { path: path() },
            Error::NotAFolder { path: path() },
            Error::NoRepository { path: path() },
            Error::BrokenRepository { found: path(), message: text() },
            Error::Permission { path: path() },
            Error::ForeignOwner { path: path() },
            Error::ObjectFormat { path: path(), format: "sha256".into() },
            Error::RefStorage { path: path(), storage: "reftable".into() },
            Error::Extension { path: path(), name: "worktreeConfigs".into() },
            Error::FormatVersion { path: path(), version: 99 },
            Error::Config { path: path(), message: text() },
            Error::ShallowFile { path: path() },
            Error::NoCommit { path: path() },
            Error::UnbornHead { branch: "refs/heads/main".into() },
            Error::Reference { name: "HEAD".into(), message: text() },
            Error::UnknownRevision { rev: "origin/main".into() },
            Error::UnknownRevision { rev: "v9".into() },
            Error::AmbiguousRevision { rev: "ab".into() },
            Error::RevisionSyntax { rev: "a..b".into() },
            Error::NotACommit { rev: "v1".into(), kind: "blob" },
            Error::Unreadable { what: "tree", oid, reason: "missing".into() },
            Error::Shallow { commits: 1 },
            Error::Unrelated { base: oid, rev: oid, cut_off: true },
            Error::Unrelated { base: oid, rev: oid, cut_off: false },
            Error::NotAFile { path: text() },
            Error::NoDocuments { commit: oid },
            Error::Limit { what: "commits", limit: 5 },
            Error::Thread(std::io::ErrorKind::OutOfMemory.into()),
            Error::Git { message: text() },
        ];
        let mut all = Vec::new();
        for error in &errors {
            let told = tell(error);
            assert!(!told.help.is_empty());
            told.write(false, &mut all).unwrap();
        }
        insta::assert_snapshot!(String::from_utf8(all).unwrap());
    }
}
