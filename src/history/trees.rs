//! Reading tree objects, each distinct one once, level by level.
//!
//! First all root trees in the order of the history, then all their folders, and so on: the trees
//! of one path stand next to each other, as in a pack's delta chains, and every level can be split
//! over threads without any of them reading what another has read. The result does not depend on
//! how it was split.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::caveats::Unseen;
use super::hash::{ById, Numbered};
use super::reader::{Batch, Found, Reader};
use super::store::{Loss, Place, Store};
use super::{Error, Limits, ObjectId, Progress, Selection, threads};

/// Trees handed to a thread at once.
const BATCH: usize = 128;
/// Batches of a level that wait to be merged: the roots of a long history would all be held twice.
const AT_ONCE: usize = 64;
/// Top bit of a child: a folder, else a file.
pub(super) const FOLDER: u32 = 1 << 31;
/// Not yet numbered.
const NONE: u32 = u32::MAX;

/// What an entry of a raw tree leads to.
pub(super) enum RawChild {
    File(u32),
    Folder(u32),
}

impl RawChild {
    pub(super) fn of(child: u32) -> Self {
        match child & FOLDER {
            0 => Self::File(child),
            _ => Self::Folder(child & !FOLDER),
        }
    }
}

/// The index of the last of `len` things, below the bit that marks folders.
pub(super) fn number(len: usize) -> u32 {
    u32::try_from(len.saturating_sub(1)).unwrap_or(0) & !FOLDER
}

/// All tree objects, reduced to the entries that can matter.
#[derive(Default)]
pub(super) struct RawTrees {
    pub(super) names: Vec<Box<[u8]>>,
    pub(super) files: Vec<(ObjectId, u8)>,
    ids: Vec<ObjectId>,
    /// Where a tree's entries are; `None` if it could not be read.
    spans: Vec<Option<(usize, usize)>>,
    entries: Vec<(u32, u32)>,
}

impl RawTrees {
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// `(name, child)` in the order of the tree object.
    pub(super) fn entries(&self, tree: u32) -> Option<&[(u32, u32)]> {
        let (start, end) = (*self.spans.get(tree as usize)?)?;
        self.entries.get(start..end)
    }

    /// For messages.
    pub(super) fn name_of(&self, tree: u32) -> String {
        self.ids.get(tree as usize).map_or_else(String::new, |id| format!("tree {}", id.short()))
    }
}

/// Reads all trees below `roots`, which are distinct; root number n becomes raw tree n.
pub(super) fn read(
    place: &Place,
    roots: &[ObjectId],
    selection: &dyn Selection,
    limits: &Limits,
    jobs: usize,
    progress: &dyn Progress,
    unseen: &mut Unseen,
) -> Result<RawTrees, Error> {
    let mut readers = Vec::new();
    for worker in 0..jobs.max(1) {
        readers.push(Reader::new(Store::open(place, worker)?, selection, limits));
    }
    let mut merge = Merge::new(readers.len());
    for root in roots {
        merge.folder(*root);
    }
    progress.phase("trees", None);
    let mut level: Vec<u32> = (0..).take(roots.len()).collect();
    while !level.is_empty() {
        for part in level.chunks(BATCH * AT_ONCE) {
            let id = |tree: &u32| merge.folders.list.get(*tree as usize).copied();
            let ids: Vec<ObjectId> = part.iter().filter_map(id).collect();
            for (number, reader, batch) in read_level(&mut readers, &ids, progress)? {
                let trees = part.get(number * BATCH..).unwrap_or(&[]);
                merge.add(trees, reader, &readers[reader].found, &batch, limits, unseen);
            }
        }
        if merge.entries.len() > limits.tree_entries || merge.spans.len() >= FOLDER as usize {
            return Err(Error::Limit { what: "tree entries", limit: limits.tree_entries as u64 });
        }
        // Trees of one name together, in the order of the history.
        let mut found = std::mem::take(&mut merge.found);
        found.sort_by_key(|(name, _)| *name);
        level = found.into_iter().map(|(_, tree)| tree).collect();
    }
    Ok(RawTrees {
        names: merge.names,
        files: merge.files.list,
        ids: merge.folders.list,
        spans: merge.spans,
        entries: merge.entries,
    })
}

/// `(batch number, reader, batch)`, sorted by batch number.
type Batches = Vec<(usize, usize, Batch)>;

fn read_level(
    readers: &mut [Reader<'_>],
    ids: &[ObjectId],
    progress: &dyn Progress,
) -> Result<Batches, Error> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    // A thread for a handful of trees costs more than it brings, and deep nesting is made of such
    // levels.
    let useful = ids.len().div_ceil(BATCH).clamp(1, readers.len());
    threads::run(&mut readers[..useful], |number, reader| {
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            let Some(ids) = ids.chunks(BATCH).nth(batch) else { break };
            let read = reader.read(ids);
            progress.advance(ids.len() as u64);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((batch, number, read));
        }
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(batch, _, _)| *batch);
    Ok(done)
}

/// A reader's numbers and what they are in the result.
#[derive(Clone, Default)]
struct Translation {
    names: Vec<u32>,
    files: Vec<u32>,
    folders: Vec<u32>,
}

/// Turns the readers' own numbers into common ones, given out in the order of first sight.
struct Merge {
    name_numbers: HashMap<Box<[u8]>, u32>,
    names: Vec<Box<[u8]>>,
    files: Numbered<(ObjectId, u8), ById>,
    folders: Numbered<ObjectId, ById>,
    translations: Vec<Translation>,
    spans: Vec<Option<(usize, usize)>>,
    entries: Vec<(u32, u32)>,
    /// Folders that were met for the first time, with their names.
    found: Vec<(u32, u32)>,
}

impl Merge {
    fn new(readers: usize) -> Self {
        Self {
            name_numbers: HashMap::new(),
            names: Vec::new(),
            files: Numbered::default(),
            folders: Numbered::default(),
            translations: vec![Translation::default(); readers],
            spans: Vec::new(),
            entries: Vec::new(),
            found: Vec::new(),
        }
    }

    fn folder(&mut self, id: ObjectId) -> (u32, bool) {
        let (number, new) = self.folders.number(id);
        if new {
            self.spans.push(None);
        }
        (number, new)
    }

    /// Takes over what a reader made of the first of `trees`.
    fn add(
        &mut self,
        trees: &[u32],
        reader: usize,
        found: &Found<'_>,
        batch: &Batch,
        limits: &Limits,
        unseen: &mut Unseen,
    ) {
        let mut translation = std::mem::take(&mut self.translations[reader]);
        translation.names.resize(found.names.len(), NONE);
        translation.files.resize(found.files.list.len(), NONE);
        translation.folders.resize(found.folders.list.len(), NONE);
        let mut entries = batch.entries.iter();
        for (tree, read) in trees.iter().zip(&batch.trees) {
            let start = self.entries.len();
            let name = || {
                let id = self.folders.list.get(*tree as usize);
                id.map_or_else(String::new, |id| format!("tree {}", id.short()))
            };
            match read {
                Ok(read) => {
                    if read.malformed {
                        let say = "entries that git would not write were left out of a tree";
                        unseen.add("malformed-tree", say, name());
                    }
                    for (own_name, own_child) in entries.by_ref().take(read.entries) {
                        let entry = self.translate(&mut translation, found, *own_name, *own_child);
                        self.entries.push(entry);
                    }
                    if let Some(span) = self.spans.get_mut(*tree as usize) {
                        *span = Some((start, self.entries.len()));
                    }
                }
                Err(loss) => lost(unseen, name(), *loss, limits),
            }
        }
        self.translations[reader] = translation;
    }

    fn translate(
        &mut self,
        known: &mut Translation,
        found: &Found<'_>,
        own_name: u32,
        own_child: u32,
    ) -> (u32, u32) {
        let name = &mut known.names[own_name as usize];
        if *name == NONE {
            *name = self.name(&found.names[own_name as usize]);
        }
        let child = match RawChild::of(own_child) {
            RawChild::Folder(own) => {
                let folder = &mut known.folders[own as usize];
                if *folder == NONE {
                    let (number, new) = self.folder(found.folders.list[own as usize]);
                    *folder = number;
                    if new {
                        self.found.push((*name, number));
                    }
                }
                *folder | FOLDER
            }
            RawChild::File(own) => {
                let file = &mut known.files[own as usize];
                if *file == NONE {
                    *file = self.files.number(found.files.list[own as usize]).0;
                }
                *file
            }
        };
        (*name, child)
    }

    fn name(&mut self, bytes: &[u8]) -> u32 {
        if let Some(number) = self.name_numbers.get(bytes) {
            return *number;
        }
        self.names.push(bytes.into());
        let number = number(self.names.len());
        self.name_numbers.insert(bytes.into(), number);
        number
    }
}

fn lost(unseen: &mut Unseen, name: String, loss: Loss, limits: &Limits) {
    let (code, why) = match loss {
        Loss::Missing => ("missing-object", "their tree is missing".to_owned()),
        Loss::Corrupt => ("corrupt-object", "their tree is corrupt".to_owned()),
        Loss::Permission => ("unreadable-object", "permission denied for their tree".to_owned()),
        Loss::TooLarge => {
            ("too-large", format!("their tree is over the limit of {} bytes", limits.tree_bytes))
        }
    };
    unseen.add(code, &format!("documents could not be seen, {why}"), name);
}
