//! One thread's reading of tree objects.

use std::collections::HashMap;

use super::entry::{Class, Mode, split_first};
use super::hash::{ByBytes, ById, Numbered};
use super::store::{Kind, Loss, Store};
use super::trees::{FOLDER, number};
use super::{Limits, ObjectId, Selection};

/// So many names are remembered; a hostile history can have any number.
const NAMES: usize = 1 << 20;

/// What was made of some trees.
pub(super) struct Batch {
    pub(super) trees: Vec<Result<ReadTree, Loss>>,
    /// `(name, child)` of all of them one after another, by the reader's own numbers.
    pub(super) entries: Vec<(u32, u32)>,
}

/// How one tree was read.
pub(super) struct ReadTree {
    /// How many entries were kept.
    pub(super) entries: usize,
    /// Some were left out that git would not have written.
    pub(super) malformed: bool,
}

/// Reads trees and keeps the entries that the selection can want.
pub(super) struct Reader<'a> {
    store: Store,
    limit: usize,
    pub(super) found: Found<'a>,
}

/// What a reader has met, numbered in the order of first sight.
pub(super) struct Found<'a> {
    selection: &'a dyn Selection,
    classes: HashMap<Box<[u8]>, Class, ByBytes>,
    pub(super) names: Vec<Box<[u8]>>,
    pub(super) files: Numbered<(ObjectId, u8), ById>,
    pub(super) folders: Numbered<ObjectId, ById>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(store: Store, selection: &'a dyn Selection, limits: &Limits) -> Self {
        let found = Found {
            selection,
            classes: HashMap::default(),
            names: Vec::new(),
            files: Numbered::default(),
            folders: Numbered::default(),
        };
        Self { store, limit: limits.tree_bytes, found }
    }

    pub(super) fn read(&mut self, ids: &[ObjectId]) -> Batch {
        let mut batch = Batch { trees: Vec::with_capacity(ids.len()), entries: Vec::new() };
        for id in ids {
            let start = batch.entries.len();
            let take_in = |bytes: &[u8]| self.found.take_in(bytes, &mut batch.entries);
            let read = self.store.read(*id, Kind::Tree, self.limit, take_in);
            let tree = match read.and_then(|malformed| malformed) {
                Ok(malformed) => Ok(ReadTree { entries: batch.entries.len() - start, malformed }),
                Err(loss) => {
                    batch.entries.truncate(start);
                    Err(loss)
                }
            };
            batch.trees.push(tree);
        }
        batch
    }
}

impl Found<'_> {
    /// Adds the wanted entries of a tree object; says whether some were malformed.
    fn take_in(&mut self, bytes: &[u8], entries: &mut Vec<(u32, u32)>) -> Result<bool, Loss> {
        if self.classes.len() > NAMES {
            self.classes.clear();
        }
        let mut malformed = false;
        let mut rest = bytes;
        while !rest.is_empty() {
            let (entry, after) = split_first(rest).ok_or(Loss::Corrupt)?;
            rest = after;
            if entry.mode == Mode::Other {
                continue;
            }
            let class = match self.classes.get_mut(entry.name) {
                Some(class) => class,
                None => {
                    let class = Class::of(entry.name, self.selection);
                    self.classes.entry(entry.name.into()).or_insert(class)
                }
            };
            if entry.mode == Mode::Unknown || !class.valid {
                malformed = true;
                continue;
            }
            let child = match (entry.mode, class.file) {
                (Mode::Folder, _) if class.descends => self.folders.number(entry.id).0 | FOLDER,
                (Mode::File, Some(kind)) => self.files.number((entry.id, kind)).0,
                _ => continue,
            };
            let name = *class.number.get_or_insert_with(|| {
                self.names.push(entry.name.into());
                number(self.names.len())
            });
            entries.push((name, child));
        }
        Ok(malformed)
    }
}
