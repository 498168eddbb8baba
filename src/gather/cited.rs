//! Whether what a claim refers to is there: in the audited history, in its tree, in its documents.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use chrono::DateTime;

use super::Sources;
use super::sections::{Sections, letters, percent};
use crate::documents::{Format, Lines};
use crate::extract::{self, Claim, Reference, Referent};
use crate::forge::State;
use crate::history::{Caveat, CommitId, Limits, ObjectId, PathId};
use crate::ledger::citations::Standing;
use crate::lineage::{self, Lineage, Sighting};

/// Answers, each question once.
pub(super) struct Resolver<'a> {
    sources: Sources<'a>,
    head: ObjectId,
    commits: HashSet<ObjectId>,
    /// Numbers of pull requests that commits of the history say they merge.
    merged: BTreeSet<u64>,
    /// Where it was cloned from, as `host/owner/name` in lower case.
    address: Option<String>,
    named: HashMap<String, Option<ObjectId>>,
    paths: HashMap<(ObjectId, String), bool>,
    sections: HashMap<(ObjectId, String), Option<Rc<Sections>>>,
    /// Bytes of the documents behind `sections`.
    kept: usize,
    turned: HashMap<(CommitId, [String; 3]), Rc<[Turned]>>,
    /// What may still be done.
    left: usize,
}

/// Bytes of the documents whose sections are kept at one time.
const KEPT: usize = 64 << 20;

/// What comparing two claims counts, in bytes of documents that are read for sections.
const COMPARISON: usize = 16;

/// A claim of a section that is gone, and where the section says the opposite now.
#[derive(Clone, Copy)]
struct Turned {
    key: u64,
    lines: Lines,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(sources: Sources<'a>) -> Self {
        let commits = sources.history.commits();
        let merged = commits.iter().flat_map(|it| extract::merged(&it.message, sources.rules));
        Self {
            sources,
            head: commits.last().map_or(ObjectId([0; 20]), |head| head.oid),
            commits: commits.iter().map(|commit| commit.oid).collect(),
            merged: merged.collect(),
            address: sources
                .repo
                .remote()
                .and_then(|web| web.split_once("://").map(|(_, address)| address.to_lowercase())),
            named: HashMap::new(),
            paths: HashMap::new(),
            sections: HashMap::new(),
            kept: 0,
            turned: HashMap::new(),
            left: sources.citation_bytes,
        }
    }

    /// Says so where there was more to look up than is bearable: no further answers were given.
    pub(super) fn caveat(&self) -> Option<Caveat> {
        let message = "so many claims refer to sections that what became of some was not looked up";
        (self.left == 0).then(|| Caveat { code: "too-many-citations", message: message.to_owned() })
    }

    /// Takes work from what is left; `None` once it is more than that.
    fn spend(&mut self, work: usize) -> Option<()> {
        let left = self.left.checked_sub(work);
        self.left = left.unwrap_or(0);
        left.map(drop)
    }

    /// What is known of a reference of a claim.
    pub(super) fn standing(&mut self, claim: &Lineage, it: &Reference) -> Option<Standing> {
        if it.elsewhere {
            return None;
        }
        let name = it.name.as_str();
        match (it.referent, &it.forge) {
            (Referent::Commit, _) => self.commit(name),
            (Referent::PullRequest | Referent::Number, _) => self.pull_request(claim, name),
            (Referent::Branch, _) => self.branch(name),
            (Referent::File, _) => self.file(claim, name),
            (Referent::Section, _) => self.titled(claim, name),
            (Referent::Link, None) => self.link(claim, name),
            (Referent::Link, Some((repo, what))) if self.address.as_ref() == Some(repo) => {
                match what.as_str() {
                    "commit" | "commits" => {
                        let hex = name.split(['/', '#']).next().unwrap_or(name);
                        self.commit(hex).or(Some(Standing::Absent))
                    }
                    "pull" | "pulls" | "merge_requests" | "pull-requests" => {
                        self.pull_request(claim, name.split(['/', '#']).next().unwrap_or(name))
                    }
                    "blob" | "tree" | "raw" => {
                        let (branch, path) = name.split_once('/')?;
                        // A link to a fixed commit shows what it always showed.
                        let fixed = branch.len() == 40;
                        if fixed { None } else { self.link(claim, &format!("/{path}")) }
                    }
                    _ => None,
                }
            }
            (Referent::Link, Some(_)) => None,
        }
    }

    fn resolve(&mut self, rev: &str) -> Option<ObjectId> {
        let repo = self.sources.repo;
        let known = self.named.entry(rev.to_owned());
        *known.or_insert_with(|| repo.resolve(rev).ok())
    }

    fn commit(&mut self, hex: &str) -> Option<Standing> {
        let is_hex = hex.len() >= 7 && hex.chars().all(|c| c.is_ascii_hexdigit());
        let commit = self.resolve(hex).filter(|it| is_hex && it.to_string().starts_with(hex))?;
        Some(self.reached(commit))
    }

    fn reached(&self, commit: ObjectId) -> Standing {
        if self.commits.contains(&commit) { Standing::Here } else { Standing::Apart(commit) }
    }

    fn branch(&mut self, name: &str) -> Option<Standing> {
        let places = ["refs/heads/", "refs/remotes/origin/", "refs/tags/"];
        let tip = places.iter().find_map(|place| self.resolve(&format!("{place}{name}")))?;
        Some(self.reached(tip))
    }

    fn pull_request(&mut self, claim: &Lineage, number: &str) -> Option<Standing> {
        let number = number.parse().ok()?;
        let here = self.merged.contains(&number).then_some(Standing::Here);
        let Some(known) = self.sources.events.pull_request(number) else { return here };
        let tested = self.sources.history.commits().get(claim.last_tested.commit.0 as usize)?;
        let later = |at: &str| {
            DateTime::parse_from_rfc3339(at).is_ok_and(|at| at.timestamp() > tested.author_time)
        };
        let renamed = known.renames.iter().find(|rename| later(&rename.at));
        let retitled = renamed.map(|rename| {
            let last = known.renames.last().map_or(&rename.to, |last| &last.to);
            let to = known.title.as_ref().unwrap_or(last).clone();
            Standing::Retitled { from: rename.from.clone(), to }
        });
        match known.state {
            Some(State::Open) if here.is_none() => Some(Standing::Open),
            Some(State::Closed) if here.is_none() => Some(Standing::Closed),
            Some(State::Merged) => match known.merge_commit.as_deref().map(|it| self.commit(it)) {
                _ if here.is_some() => retitled.or(here),
                Some(Some(Standing::Here)) => retitled.or(Some(Standing::Here)),
                Some(_) => {
                    let base = known.base.clone().unwrap_or_default();
                    Some(Standing::MergedElsewhere(base))
                }
                None => retitled,
            },
            _ => retitled.or(here),
        }
    }

    /// Whether something stands at a path of a commit.
    fn has(&mut self, commit: ObjectId, path: &str) -> bool {
        let repo = self.sources.repo;
        let known = self.paths.entry((commit, path.to_owned()));
        *known.or_insert_with(|| repo.has_path(commit, path).unwrap_or(false))
    }

    fn oid(&self, commit: CommitId) -> Option<ObjectId> {
        Some(self.sources.history.commits().get(commit.0 as usize)?.oid)
    }

    fn file(&mut self, claim: &Lineage, name: &str) -> Option<Standing> {
        let top = self.path(claim, &format!("/{name}"));
        match top {
            Some(Standing::Here) | None => self.path(claim, name).or(top),
            known => match self.path(claim, name) {
                Some(Standing::Here) => Some(Standing::Here),
                _ => known,
            },
        }
    }

    fn link(&mut self, claim: &Lineage, target: &str) -> Option<Standing> {
        let target = target.strip_prefix("file:").unwrap_or(target);
        let scheme = target.split(['/', '#', '?']).next().unwrap_or_default();
        if scheme.contains(':') || target.starts_with("//") {
            return None;
        }
        let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| {
            (path, Some(anchor).filter(|it| !it.is_empty()))
        });
        let path = path.split('?').next().unwrap_or(path);
        let standing = if path.is_empty() { Some(Standing::Here) } else { self.path(claim, path) };
        match (standing, anchor) {
            (Some(Standing::Here), Some(anchor)) => self.anchor(claim, path, anchor),
            (standing, _) => standing,
        }
    }

    /// What became of a path, which is relative to the claim's document or, with a slash before it,
    /// to the top.
    fn path(&mut self, claim: &Lineage, path: &str) -> Option<Standing> {
        let now = join(&claim.path, path)?;
        if self.has(self.head, &now) {
            return Some(Standing::Here);
        }
        let history = self.sources.history;
        let tested = self.oid(claim.last_tested.commit)?;
        let then = join(&claim.last_tested.path, path)?;
        let known = |path: &str| history.paths().binary_search_by(|it| it.as_str().cmp(path)).ok();
        // It is the document that moved away from it.
        if self.has(self.head, &then) {
            return Some(Standing::Here);
        }
        let stood = if self.has(tested, &then) { &then } else { &now };
        if stood == &now && !self.has(tested, &then) {
            known(&now)?;
        }
        let blob = known(stood).and_then(|at| {
            history.blob_at(claim.last_tested.commit, PathId(u32::try_from(at).ok()?))
        });
        let same = blob.and_then(|blob| {
            let mut documents = history.documents_at(history.head()).into_iter();
            documents.find(|(_, other)| *other == blob).map(|(path, _)| history.path(path))
        });
        Some(match same {
            Some(to) => Standing::Moved { path: stood.clone(), to: to.to_owned() },
            None => Standing::Removed { path: stood.clone() },
        })
    }

    fn sections(&mut self, commit: ObjectId, path: &str) -> Option<Rc<Sections>> {
        let at = (commit, path.to_owned());
        if let Some(known) = self.sections.get(&at) {
            return known.clone();
        }
        let bytes = Format::of_name(path).and_then(|format| {
            let limit = Limits::default().document_bytes;
            Some((format, self.sources.repo.file_at(commit, path, limit).ok().flatten()?))
        });
        let size = bytes.as_ref().map_or(0, |(_, bytes)| bytes.len());
        self.spend(size)?;
        if self.kept > KEPT {
            self.sections.clear();
            self.kept = 0;
        }
        self.kept += size;
        let read = bytes.map(|(format, bytes)| Rc::new(Sections::of(format, &bytes)));
        self.sections.insert(at, read.clone());
        read
    }

    /// What became of a section that is linked to.
    fn anchor(&mut self, claim: &Lineage, path: &str, anchor: &str) -> Option<Standing> {
        let place = |document: &str| match path {
            "" => Some(document.to_owned()),
            path => join(document, path),
        };
        let (now, then) = (place(&claim.path)?, place(&claim.last_tested.path)?);
        let tested = self.oid(claim.last_tested.commit)?;
        let title = self.sections(tested, &then)?.by_anchor(anchor)?;
        if self.sections(self.head, &now)?.by_anchor(anchor).is_none() {
            return Some(Standing::SectionGone { path: now, title });
        }
        self.reversed(claim, &then, &now, &title).or(Some(Standing::Here))
    }

    /// What became of a section that is named by its title, in the claim's own document or any.
    fn titled(&mut self, claim: &Lineage, title: &str) -> Option<Standing> {
        let history = self.sources.history;
        let tested = self.oid(claim.last_tested.commit)?;
        let documents = |commit: CommitId| {
            let all = history.documents_at(commit).into_iter();
            all.map(|(path, _)| history.path(path).to_owned()).collect::<Vec<_>>()
        };
        // The own document first; others only where the title is told by words.
        let own = [claim.last_tested.path.clone()];
        let then = own.into_iter().find(|path| {
            self.sections(tested, path).is_some_and(|it| it.by_title(title).is_some())
        })?;
        let title = self.sections(tested, &then)?.by_title(title)?;
        let now = claim.path.clone();
        let stands = |it: &mut Self, path: &str| {
            it.sections(it.head, path).is_some_and(|it| it.by_title(&title).is_some())
        };
        if stands(self, &now) {
            return self.reversed(claim, &then, &now, &title).or(Some(Standing::Here));
        }
        if documents(history.head()).iter().any(|path| stands(self, path)) {
            return Some(Standing::Here);
        }
        Some(Standing::SectionGone { path: now, title })
    }

    /// A subject of the section that had one outcome when the claim was last tested and has the
    /// opposite now.
    fn reversed(
        &mut self,
        claim: &Lineage,
        then: &str,
        now: &str,
        title: &str,
    ) -> Option<Standing> {
        let at = (claim.last_tested.commit, [then, now, title].map(str::to_owned));
        let turned = match self.turned.get(&at) {
            Some(known) => known.clone(),
            None => {
                let found: Rc<[Turned]> = self.turned_in(at.0, then, now, title)?.into();
                self.turned.insert(at, found.clone());
                found
            }
        };
        let turned = turned.iter().find(|it| it.key != claim.claim.key)?;
        let commit = self.sources.history.head();
        let now = Sighting { commit, path: now.to_owned(), lines: turned.lines };
        Some(Standing::Reversed { title: title.to_owned(), now })
    }

    /// The claims of a section that are gone since a commit and whose opposite stands there now.
    fn turned_in(
        &mut self,
        tested: CommitId,
        then: &str,
        now: &str,
        title: &str,
    ) -> Option<Vec<Turned>> {
        let title = letters(title);
        let within =
            |one: &&Claim| !title.is_empty() && one.section.iter().any(|it| letters(it) == title);
        let after = self.said(self.sources.history.head(), now)?;
        let before = self.said(tested, then)?;
        let stands: HashSet<u64> = after.iter().map(|it| it.key).collect();
        let gone: Vec<&Claim> =
            before.iter().filter(|it| !stands.contains(&it.key)).filter(within).collect();
        if gone.is_empty() {
            return Some(Vec::new());
        }
        let new: Vec<&Claim> = after.iter().filter(within).collect();
        self.spend(gone.len() * new.len() * COMPARISON)?;
        let turned = new.iter().flat_map(|new| {
            let old = gone.iter().filter(|old| lineage::opposite(old, new));
            old.map(|old| Turned { key: old.key, lines: new.lines })
        });
        Some(turned.collect())
    }

    fn said(&self, commit: CommitId, path: &str) -> Option<&'a [Claim]> {
        let Sources { history, statements, .. } = self.sources;
        let at = history.paths().binary_search_by(|it| it.as_str().cmp(path)).ok()?;
        let blob = history.blob_at(commit, PathId(u32::try_from(at).ok()?))?;
        Some(statements.get(blob)?.claims.as_slice())
    }
}

/// A path from the top, of one that is written in a document.
fn join(document: &str, path: &str) -> Option<String> {
    let path = percent(path);
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let start = if path.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_as_readers_follow_them() {
        for (document, path, joined) in [
            ("docs/a.md", "b.md", Some("docs/b.md")),
            ("docs/a.md", "../b%20c.md", Some("b c.md")),
            ("docs/a.md", "/b.md", Some("b.md")),
            ("a.md", "./x/../b.md", Some("b.md")),
            ("a.md", "../b.md", None),
        ] {
            assert_eq!(join(document, path).as_deref(), joined, "{path} in {document}");
        }
    }
}
