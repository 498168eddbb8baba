//! Trees of selected files, stored once per distinct content.
//!
//! What git calls a tree becomes a tree that holds only selected files. Two that hold the same
//! files with the same content are one, whatever else lies beside them: equal [`TreeId`]s mean
//! equal documents and the other way round. After this no tree object is read again.

use super::caveats::Unseen;
use super::pieces::{Index, Lists, Pieces};
use super::trees::{RawChild, RawTrees};
use super::{Limits, ObjectId};

/// A distinct tree of selected files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TreeId(u32);

impl TreeId {
    /// No selected file.
    pub(super) const EMPTY: Self = Self(0);
    /// Nobody knows: the tree could not be read or exceeds a bound.
    pub(super) const UNKNOWN: Self = Self(1);
}

/// What a name stands for in a tree: a selected file's content or a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    File(u32),
    Folder(TreeId),
}

/// One line of a tree: name and child, the latter's top bit telling folders from files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: u32,
    child: u32,
}

const FOLDER: u32 = 1 << 31;

impl Entry {
    pub(super) fn new(name: u32, child: Child) -> Self {
        match child {
            Child::File(file) => Self { name, child: file },
            Child::Folder(tree) => Self { name, child: tree.0 | FOLDER },
        }
    }

    /// What tells it from others.
    pub(super) fn bytes(self) -> [u8; 8] {
        (u64::from(self.name) << 32 | u64::from(self.child)).to_le_bytes()
    }

    pub(super) fn child(self) -> Child {
        match self.child & FOLDER {
            0 => Child::File(self.child),
            _ => Child::Folder(TreeId(self.child & !FOLDER)),
        }
    }
}

/// All distinct trees of selected files in a history.
#[derive(Debug)]
pub(super) struct Forest {
    /// Bare names of files and folders.
    pub(super) names: Vec<Box<[u8]>>,
    /// Distinct content, with the tag it is read by.
    pub(super) files: Vec<(ObjectId, u8)>,
    /// Entries of all trees, each tree sorted by name id.
    trees: Lists,
    /// Distinct tree objects that were looked at.
    pub(super) trees_read: usize,
}

impl Forest {
    /// The lines of a tree, sorted by name id.
    pub(super) fn entries(&self, tree: TreeId) -> impl Iterator<Item = Entry> + '_ {
        self.trees.entries(tree.0)
    }

    /// The same piece by piece: trees that share a piece have the same lines there.
    pub(super) fn pieces(&self, tree: TreeId) -> Pieces<'_> {
        self.trees.pieces(tree.0)
    }

    /// What stands under a name.
    pub(super) fn child(&self, tree: TreeId, name: u32) -> Option<Child> {
        self.trees.entry(tree.0, name).map(Entry::child)
    }

    /// Builds the forest from all trees as read, and gives the root that each of `roots` became.
    pub(super) fn grow(
        raw: RawTrees,
        roots: &[u32],
        limits: &Limits,
        unseen: &mut Unseen,
    ) -> (Self, Vec<TreeId>) {
        let mut grower = Grower {
            forest: Self {
                names: Vec::new(),
                files: Vec::new(),
                trees: Lists::default(),
                trees_read: raw.len(),
            },
            counts: vec![0, 0],
            index: Index::default(),
            limit: limits.documents,
        };
        // Of no selected file, and of nobody knows what.
        grower.forest.trees.push_empty();
        grower.forest.trees.push_empty();
        let mut state = vec![State::New; raw.len()];
        for root in roots {
            grower.reduce(&raw, *root, &mut state, unseen);
        }
        let roots = roots.iter().map(|root| done(&state, *root)).collect();
        grower.forest.names = raw.names;
        grower.forest.files = raw.files;
        (grower.forest, roots)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    /// Its children are being looked at; meeting it again is a cycle.
    Open,
    Done(TreeId),
}

fn done(state: &[State], raw: u32) -> TreeId {
    match state.get(raw as usize) {
        Some(State::Done(tree)) => *tree,
        _ => TreeId::UNKNOWN,
    }
}

struct Grower {
    forest: Forest,
    /// How many files each tree holds, folders included.
    counts: Vec<usize>,
    index: Index,
    limit: usize,
}

impl Grower {
    /// Turns a raw tree and all below it into trees of the forest. No recursion: folders can be
    /// nested as deep as somebody likes. Hashes of trees are not checked, so a forged object can
    /// contain itself; that is found here.
    fn reduce(&mut self, raw: &RawTrees, root: u32, state: &mut [State], unseen: &mut Unseen) {
        let mut stack = vec![(root, 0)];
        while let Some((tree, next)) = stack.pop() {
            let slot = tree as usize;
            if next == 0 && state[slot] != State::New {
                continue;
            }
            let Some(entries) = raw.entries(tree) else {
                state[slot] = State::Done(TreeId::UNKNOWN);
                continue;
            };
            state[slot] = State::Open;
            let mut waiting = None;
            for (offset, (_, child)) in entries.iter().enumerate().skip(next) {
                if let RawChild::Folder(folder) = RawChild::of(*child) {
                    match state[folder as usize] {
                        State::New => {
                            waiting = Some((offset + 1, folder));
                            break;
                        }
                        State::Open => {
                            unseen.add(
                                "corrupt-object",
                                "a tree that contains itself is corrupt",
                                raw.name_of(folder),
                            );
                        }
                        State::Done(_) => {}
                    }
                }
            }
            if let Some((resume, folder)) = waiting {
                stack.push((tree, resume));
                stack.push((folder, 0));
                continue;
            }
            let made = self.make(raw, tree, entries, state, unseen);
            state[slot] = State::Done(made);
        }
    }

    fn make(
        &mut self,
        raw: &RawTrees,
        tree: u32,
        raw_entries: &[(u32, u32)],
        state: &[State],
        unseen: &mut Unseen,
    ) -> TreeId {
        let mut entries = Vec::new();
        let mut files = 0;
        for (name, child) in raw_entries {
            match RawChild::of(*child) {
                RawChild::File(file) => {
                    files += 1;
                    entries.push(Entry::new(*name, Child::File(file)));
                }
                RawChild::Folder(folder) => match done(state, folder) {
                    TreeId::EMPTY => {}
                    folder => entries.push(Entry::new(*name, Child::Folder(folder))),
                },
            }
        }
        // Sorted stably, so of two entries with one name the first one counts, as for git.
        entries.sort_by_key(|entry| entry.name);
        let before = entries.len();
        entries.dedup_by_key(|entry| entry.name);
        if entries.len() < before {
            unseen.add("malformed-tree", "a tree names an entry twice", raw.name_of(tree));
        }
        if files > self.limit {
            unseen.add("too-many-documents", self.limit_words().as_str(), raw.name_of(tree));
            return TreeId::UNKNOWN;
        }
        let mut total = files;
        let mut folders: Vec<(usize, TreeId)> = entries
            .iter()
            .filter_map(|entry| match entry.child() {
                Child::Folder(folder) => Some((self.count(folder), folder)),
                Child::File(_) => None,
            })
            .collect();
        let all = folders.iter().fold(files, |sum, (count, _)| sum.saturating_add(*count));
        if all > self.limit {
            // Twelve objects can say "ten billion paths": the largest folders are left out.
            unseen.add("too-many-documents", self.limit_words().as_str(), raw.name_of(tree));
            folders.sort_unstable();
            let fits = folders
                .iter()
                .take_while(|(count, _)| {
                    let fits = total.saturating_add(*count) <= self.limit;
                    total = total.saturating_add(*count);
                    fits
                })
                .count();
            // A folder that stands here under several names is in or out under all of them.
            let first_out = folders.get(fits).copied();
            total = files;
            for entry in &mut entries {
                if let Child::Folder(folder) = entry.child() {
                    if first_out.is_some_and(|out| (self.count(folder), folder) >= out) {
                        *entry = Entry::new(entry.name, Child::Folder(TreeId::UNKNOWN));
                    } else {
                        total += self.count(folder);
                    }
                }
            }
        } else {
            total = all;
        }
        self.intern(entries, total)
    }

    fn limit_words(&self) -> String {
        format!(
            "folders hold more than the limit of {} documents (a git bomb?), the largest are not read",
            self.limit
        )
    }

    fn count(&self, tree: TreeId) -> usize {
        self.counts.get(tree.0 as usize).copied().unwrap_or(0)
    }

    fn intern(&mut self, entries: Vec<Entry>, count: usize) -> TreeId {
        if entries.is_empty() {
            return TreeId::EMPTY;
        }
        let (number, is_new) = self.forest.trees.once(&entries, &mut self.index);
        if is_new {
            self.counts.push(count);
        }
        TreeId(number & !FOLDER)
    }
}
