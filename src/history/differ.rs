//! What differs between a tree of documents and all of its parents' trees.
//!
//! All parents are descended at once. Where a folder equals that of any parent nothing in it can
//! differ from every parent, so a merge costs little more than comparing numbers.

use super::caveats::Unseen;
use super::forest::{Child, Entry, Forest, TreeId};
use super::paths::{Paths, TOP};
use super::pieces::Pieces;
use super::{Error, Limits, Selection};

/// A document that differs from the same path in every parent, by the numbers of [`Paths`] and
/// [`Forest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) path: u32,
    pub(super) file: Option<u32>,
    pub(super) before: Vec<Option<u32>>,
}

/// Compares trees; its numbers of paths grow with every comparison.
pub(super) struct Differ<'a> {
    pub(super) forest: &'a Forest,
    pub(super) selection: &'a dyn Selection,
    pub(super) limits: &'a Limits,
    pub(super) paths: Paths,
    /// What was found and looked at so far, against the limits.
    found: usize,
    steps: u64,
}

impl<'a> Differ<'a> {
    pub(super) fn new(
        forest: &'a Forest,
        selection: &'a dyn Selection,
        limits: &'a Limits,
    ) -> Self {
        Self { forest, selection, limits, paths: Paths::new(), found: 0, steps: 0 }
    }

    /// Adds the differences between `new` and every one of `old` to `out`. Without parents that is
    /// everything. Says whether a parent's documents were unknown where they mattered.
    pub(super) fn compare(
        &mut self,
        new: TreeId,
        old: &[TreeId],
        out: &mut Vec<Difference>,
        unseen: &mut Unseen,
    ) -> Result<bool, Error> {
        let mut unknown = false;
        let mut stack = vec![(TOP, new, old.to_vec())];
        while let Some((folder, new, mut old)) = stack.pop() {
            if new == TreeId::UNKNOWN || old.contains(&new) {
                continue;
            }
            if old.contains(&TreeId::UNKNOWN) {
                if new == TreeId::EMPTY {
                    continue;
                }
                unknown = true;
                for tree in &mut old {
                    if *tree == TreeId::UNKNOWN {
                        *tree = TreeId::EMPTY;
                    }
                }
            }
            let mut names = Names::new(self.forest, new, &old);
            while let Some((name, new, old)) = names.next() {
                self.steps += 1 + old.len() as u64;
                if new.is_some() && old.contains(&new) {
                    continue;
                }
                let file = |child: &Option<Child>| match child {
                    Some(Child::File(file)) => Some(*file),
                    _ => None,
                };
                let below = |child: &Option<Child>| match child {
                    Some(Child::Folder(tree)) => *tree,
                    _ => TreeId::EMPTY,
                };
                let new_file = file(&new);
                let new_tree = below(&new);
                // A path that no document has in any parent differs only if it has one now.
                let file_differs = old.iter().all(|old| file(old) != new_file)
                    && (new_file.is_some() || !old.is_empty());
                let tree_differs = old.iter().all(|old| below(old) != new_tree)
                    && (new_tree != TreeId::EMPTY || !old.is_empty());
                if !file_differs && !tree_differs {
                    continue;
                }
                let Some(node) = self.paths.child(folder, name, self.forest, self.limits, unseen)
                else {
                    continue;
                };
                if tree_differs {
                    stack.push((node, new_tree, old.iter().map(below).collect()));
                }
                if file_differs
                    && let Some(path) = self.paths.document(node, self.forest, self.selection)
                {
                    self.found += 1 + old.len();
                    out.push(Difference {
                        path,
                        file: new_file,
                        before: old.iter().map(file).collect(),
                    });
                }
            }
            self.check()?;
        }
        Ok(unknown)
    }

    fn check(&self) -> Result<(), Error> {
        let limits = self.limits;
        if self.found > limits.changes {
            return Err(Error::Limit { what: "changed documents", limit: limits.changes as u64 });
        }
        if self.steps > limits.steps {
            return Err(Error::Limit { what: "compared tree entries", limit: limits.steps });
        }
        if self.paths.total_bytes() > limits.all_path_bytes {
            return Err(Error::Limit {
                what: "bytes of document paths",
                limit: limits.all_path_bytes as u64,
            });
        }
        Ok(())
    }
}

/// A name, what stands there in the new tree, and in each old one.
type Row<'a> = (u32, Option<Child>, &'a [Option<Child>]);

/// The names that can differ: those of the new tree and those of the first parent (a document is
/// removed only if every parent has it), with what stands there in each tree. A piece of the new tree that
/// any parent shares is left out: nothing in it differs from every parent.
struct Names<'a> {
    new: Pieces<'a>,
    old: Vec<Pieces<'a>>,
    /// What is left of the pieces that are compared.
    new_piece: &'a [Entry],
    old_pieces: Vec<&'a [Entry]>,
    children: Vec<Option<Child>>,
}

impl<'a> Names<'a> {
    fn new(forest: &'a Forest, new: TreeId, old: &[TreeId]) -> Self {
        Self {
            new: forest.pieces(new),
            old: old.iter().map(|tree| forest.pieces(*tree)).collect(),
            new_piece: &[],
            old_pieces: vec![&[]; old.len()],
            children: Vec::with_capacity(old.len()),
        }
    }

    fn next(&mut self) -> Option<Row<'_>> {
        let name = loop {
            let in_first = self.old_pieces.first().and_then(|entries| entries.first());
            match least(self.new_piece.first(), in_first) {
                Some(name) => break name,
                None => self.advance()?,
            }
        };
        let new = take(&mut self.new_piece, name);
        self.children.clear();
        for entries in &mut self.old_pieces {
            self.children.push(take(entries, name));
        }
        Some((name, new, &self.children))
    }

    /// Goes on to the next pieces; `None` where there are no more.
    fn advance(&mut self) -> Option<()> {
        let in_first = self.old.first().and_then(Pieces::span);
        let span = self.new.span().into_iter().chain(in_first).min()?;
        let new = self.new.take(span);
        self.new_piece = new.map_or(&[], |(_, entries)| entries);
        let mut shared = false;
        for (pieces, entries) in self.old.iter_mut().zip(&mut self.old_pieces) {
            let old = pieces.take(span);
            *entries = old.map_or(&[], |(_, entries)| entries);
            shared |= new.is_some_and(|(new, _)| old.is_some_and(|(old, _)| old == new));
        }
        if shared {
            self.new_piece = &[];
            self.old_pieces.fill(&[]);
        }
        Some(())
    }
}

fn least(new: Option<&Entry>, first: Option<&Entry>) -> Option<u32> {
    new.into_iter().chain(first).map(|entry| entry.name).min()
}

/// What stands at `name`; all entries up to it are dropped.
fn take(entries: &mut &[Entry], name: u32) -> Option<Child> {
    while let Some((first, rest)) = entries.split_first() {
        if first.name > name {
            return None;
        }
        *entries = rest;
        if first.name == name {
            return Some(first.child());
        }
    }
    None
}
