//! Reading tree objects, each distinct one once, level by level.
//!
//! First all root trees in the order of the history, then all their folders, and so on: the trees
//! of one path stand next to each other, as in a pack's delta chains, and every level can be split
//! over threads without any of them reading what another has read. The result does not depend on
//! how it was split.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::caveats::Unseen;
use super::hash::IdMap;
use super::store::{Kind, Loss, Place, Store};
use super::threads;
use super::{Error, Limits, ObjectId, Progress, Selection};

/// Trees handed to a thread at once.
const BATCH: usize = 128;
/// Top bit: a folder, else a file.
const FOLDER: u32 = 1 << 31;
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

/// Reads all trees below `roots`; root number n of the input is raw tree n of the result.
///
/// `roots` are distinct.
pub(super) fn read(
    place: &Place,
    roots: &[ObjectId],
    selection: &dyn Selection,
    limits: &Limits,
    jobs: usize,
    progress: &dyn Progress,
    unseen: &mut Unseen,
) -> Result<RawTrees, Error> {
    let mut workers = Vec::new();
    for worker in 0..jobs.max(1) {
        workers.push(Worker::new(Store::open(place, worker)?, selection, limits));
    }
    let mut trees = RawTrees::default();
    let mut merge = Merge {
        names: HashMap::new(),
        files: HashMap::default(),
        folders: IdMap::default(),
        words: vec![Words::default(); workers.len()],
    };
    for root in roots {
        merge.folder(&mut trees, *root);
    }
    progress.phase("trees", None);
    let mut level: Vec<u32> =
        (0..trees.ids.len()).filter_map(|tree| u32::try_from(tree).ok()).collect();
    while !level.is_empty() {
        let ids: Vec<ObjectId> =
            level.iter().filter_map(|tree| trees.ids.get(*tree as usize).copied()).collect();
        let batches = read_level(&mut workers, &ids, progress)?;
        let mut found = Vec::new();
        for (number, worker, batch) in batches {
            let mut entries = batch.entries.as_slice();
            for (offset, result) in batch.trees.iter().enumerate() {
                let Some(tree) = level.get(number * BATCH + offset) else {
                    break;
                };
                let result = match result {
                    Ok(read) => {
                        let start = trees.entries.len();
                        let (own, rest) = entries.split_at(read.entries);
                        entries = rest;
                        merge.add(&mut trees, worker, &workers[worker], own, &mut found);
                        if read.malformed {
                            let name = trees.name_of(*tree);
                            unseen.add(
                                "malformed-tree",
                                "entries that git would not write were left out of a tree",
                                name,
                            );
                        }
                        Some((start, trees.entries.len()))
                    }
                    Err(loss) => {
                        lost(unseen, &trees.name_of(*tree), *loss, limits);
                        None
                    }
                };
                if let Some(span) = trees.spans.get_mut(*tree as usize) {
                    *span = result;
                }
            }
        }
        if trees.entries.len() > limits.tree_entries || trees.ids.len() >= FOLDER as usize {
            return Err(Error::Limit { what: "tree entries", limit: limits.tree_entries as u64 });
        }
        // Trees of one name together, in the order of the history.
        found.sort_by_key(|(name, _)| *name);
        level = found.into_iter().map(|(_, tree)| tree).collect();
    }
    Ok(trees)
}

fn lost(unseen: &mut Unseen, name: &str, loss: Loss, limits: &Limits) {
    let (code, say) = match loss {
        Loss::Missing => {
            ("missing-object", "documents could not be seen, their tree is missing".to_owned())
        }
        Loss::Corrupt => {
            ("corrupt-object", "documents could not be seen, their tree is corrupt".to_owned())
        }
        Loss::Permission => (
            "unreadable-object",
            "documents could not be seen, permission denied for their tree".to_owned(),
        ),
        Loss::TooLarge => (
            "too-large",
            format!(
                "documents could not be seen, their tree is over the limit of {} bytes",
                limits.tree_bytes
            ),
        ),
    };
    unseen.add(code, &say, name.to_owned());
}

/// `(batch number, worker, batch)`, sorted by batch number.
type Batches = Vec<(usize, usize, Batch)>;

fn read_level(
    workers: &mut [Worker<'_>],
    ids: &[ObjectId],
    progress: &dyn Progress,
) -> Result<Batches, Error> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    // A thread for a handful of trees costs more than it brings, and deep nesting is made of such levels.
    let useful = ids.len().div_ceil(BATCH).clamp(1, workers.len());
    threads::run(&mut workers[..useful], |number, worker| {
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            let Some(ids) = ids.chunks(BATCH).nth(batch) else {
                break;
            };
            let read = worker.read(ids);
            progress.advance(ids.len() as u64);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((batch, number, read));
        }
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(batch, _, _)| *batch);
    Ok(done)
}

/// What a worker made of some trees; names and objects by its own numbers.
struct Batch {
    trees: Vec<Result<ReadTree, Loss>>,
    entries: Vec<(u32, u32)>,
}

struct ReadTree {
    entries: usize,
    malformed: bool,
}

/// A name as the selection judges it.
#[derive(Clone, Copy)]
struct Class {
    file: Option<u8>,
    descends: bool,
    valid: bool,
    /// Its number, once an entry with it was kept.
    number: u32,
}

struct Worker<'a> {
    store: Store,
    selection: &'a dyn Selection,
    limit: usize,
    classes: HashMap<Box<[u8]>, Class, super::hash::ByBytes>,
    names: Vec<Box<[u8]>>,
    files: HashMap<(ObjectId, u8), u32, super::hash::ById>,
    file_list: Vec<(ObjectId, u8)>,
    folders: IdMap<u32>,
    folder_list: Vec<ObjectId>,
}

impl<'a> Worker<'a> {
    fn new(store: Store, selection: &'a dyn Selection, limits: &Limits) -> Self {
        Self {
            store,
            selection,
            limit: limits.tree_bytes,
            classes: HashMap::default(),
            names: Vec::new(),
            files: HashMap::default(),
            file_list: Vec::new(),
            folders: IdMap::default(),
            folder_list: Vec::new(),
        }
    }

    fn read(&mut self, ids: &[ObjectId]) -> Batch {
        let mut batch = Batch { trees: Vec::with_capacity(ids.len()), entries: Vec::new() };
        // The store is lent out while its bytes are used.
        let Self {
            store,
            selection,
            limit,
            classes,
            names,
            files,
            file_list,
            folders,
            folder_list,
        } = self;
        for id in ids {
            let start = batch.entries.len();
            let result = store.read(*id, Kind::Tree, *limit, |bytes| {
                let mut malformed = false;
                let mut rest = bytes;
                while !rest.is_empty() {
                    let Some((mode, name, object, after)) = split_entry(rest) else {
                        return Err(Loss::Corrupt);
                    };
                    rest = after;
                    if mode == Mode::Other {
                        continue;
                    }
                    let class = match classes.get_mut(name) {
                        Some(class) => class,
                        None => {
                            let class = classify(name, *selection);
                            classes.entry(name.into()).or_insert(class)
                        }
                    };
                    if mode == Mode::Unknown || !class.valid {
                        malformed = true;
                        continue;
                    }
                    let child = match (mode, class.file) {
                        (Mode::Folder, _) if class.descends => {
                            FOLDER
                                | *folders.entry(object).or_insert_with(|| {
                                    folder_list.push(object);
                                    number(folder_list.len())
                                })
                        }
                        (Mode::File, Some(kind)) => {
                            *files.entry((object, kind)).or_insert_with(|| {
                                file_list.push((object, kind));
                                number(file_list.len())
                            })
                        }
                        _ => continue,
                    };
                    if class.number == NONE {
                        names.push(name.into());
                        class.number = number(names.len());
                    }
                    batch.entries.push((class.number, child));
                }
                Ok(malformed)
            });
            let result = result.and_then(|parsed| parsed);
            if result.is_err() {
                batch.entries.truncate(start);
            }
            batch.trees.push(
                result
                    .map(|malformed| ReadTree { entries: batch.entries.len() - start, malformed }),
            );
        }
        batch
    }
}

/// The index of the last of `len` things, below the bit that marks folders.
fn number(len: usize) -> u32 {
    u32::try_from(len.saturating_sub(1)).unwrap_or(0) & !FOLDER
}

fn classify(name: &[u8], selection: &dyn Selection) -> Class {
    let valid = !name.is_empty()
        && name != b"."
        && name != b".."
        && !name.eq_ignore_ascii_case(b".git")
        && !name.contains(&b'/');
    Class {
        file: if valid { selection.kind(name) } else { None },
        descends: valid && selection.descends(name),
        valid,
        number: NONE,
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Mode {
    File,
    Folder,
    /// Symbolic links and submodules: no documents.
    Other,
    /// No mode that git writes.
    Unknown,
}

/// Mode, name and id of a tree's first entry, and what follows; `None` if it is cut off.
fn split_entry(bytes: &[u8]) -> Option<(Mode, &[u8], ObjectId, &[u8])> {
    let space = bytes.iter().take(16).position(|byte| *byte == b' ')?;
    let (digits, rest) = (&bytes[..space], &bytes[space + 1..]);
    let name_end = memchr_nul(rest)?;
    let (name, rest) = (&rest[..name_end], &rest[name_end + 1..]);
    let (id, rest) = rest.split_first_chunk::<20>()?;
    let mode = digits.iter().try_fold(0_u64, |mode, digit| {
        matches!(digit, b'0'..=b'7').then(|| mode << 3 | u64::from(digit - b'0'))
    });
    let mode = match mode.map(|mode| mode & !0o7777) {
        // Old tools wrote files without a type.
        Some(0o100_000 | 0) => Mode::File,
        Some(0o040_000) => Mode::Folder,
        Some(0o120_000 | 0o160_000) => Mode::Other,
        _ => Mode::Unknown,
    };
    Some((mode, name, ObjectId(*id), rest))
}

fn memchr_nul(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| *byte == 0)
}

/// A worker's numbers and what they are in the result.
#[derive(Clone, Default)]
struct Words {
    names: Vec<u32>,
    files: Vec<u32>,
    folders: Vec<u32>,
}

/// Turns the workers' own numbers into common ones, given out in the order of first sight.
struct Merge {
    names: HashMap<Box<[u8]>, u32>,
    files: HashMap<(ObjectId, u8), u32, super::hash::ById>,
    folders: IdMap<u32>,
    words: Vec<Words>,
}

impl Merge {
    fn folder(&mut self, trees: &mut RawTrees, id: ObjectId) -> (u32, bool) {
        let mut new = false;
        let number = *self.folders.entry(id).or_insert_with(|| {
            new = true;
            trees.ids.push(id);
            trees.spans.push(None);
            number(trees.ids.len())
        });
        (number, new)
    }

    fn add(
        &mut self,
        trees: &mut RawTrees,
        index: usize,
        worker: &Worker<'_>,
        entries: &[(u32, u32)],
        found: &mut Vec<(u32, u32)>,
    ) {
        let mut words = std::mem::take(&mut self.words[index]);
        words.names.resize(worker.names.len(), NONE);
        words.files.resize(worker.file_list.len(), NONE);
        words.folders.resize(worker.folder_list.len(), NONE);
        for (own_name, own_child) in entries {
            let name = &mut words.names[*own_name as usize];
            if *name == NONE {
                let bytes = &worker.names[*own_name as usize];
                *name = match self.names.get(bytes) {
                    Some(name) => *name,
                    None => {
                        trees.names.push(bytes.clone());
                        let name = number(trees.names.len());
                        self.names.insert(bytes.clone(), name);
                        name
                    }
                };
            }
            let child = match RawChild::of(*own_child) {
                RawChild::Folder(own) => {
                    let folder = &mut words.folders[own as usize];
                    if *folder == NONE {
                        let (number, new) = self.folder(trees, worker.folder_list[own as usize]);
                        *folder = number;
                        if new {
                            found.push((*name, number));
                        }
                    }
                    *folder | FOLDER
                }
                RawChild::File(own) => {
                    let file = &mut words.files[own as usize];
                    if *file == NONE {
                        let content = worker.file_list[own as usize];
                        *file = *self.files.entry(content).or_insert_with(|| {
                            trees.files.push(content);
                            number(trees.files.len())
                        });
                    }
                    *file
                }
            };
            trees.entries.push((*name, child));
        }
        self.words[index] = words;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_entries_as_git_writes_them_and_as_it_does_not() {
        let entry = |mode: &str, name: &str| {
            let mut bytes = format!("{mode} {name}\0").into_bytes();
            bytes.extend([7; 20]);
            split_entry(&bytes).map(|(mode, name, id, rest)| (mode, name.to_vec(), id, rest.len()))
        };
        let id = ObjectId([7; 20]);
        for (mode, expected) in [
            ("100644", Mode::File),
            ("100755", Mode::File),
            ("100664", Mode::File),
            ("0", Mode::File),
            ("40000", Mode::Folder),
            ("040000", Mode::Folder),
            ("120000", Mode::Other),
            ("160000", Mode::Other),
            ("777777", Mode::Unknown),
            ("10064x", Mode::Unknown),
        ] {
            assert_eq!(entry(mode, "a"), Some((expected, b"a".to_vec(), id, 0)), "{mode}");
        }
        assert_eq!(entry("100644", ""), Some((Mode::File, Vec::new(), id, 0)));
        assert_eq!(split_entry(b"100644 a\0short"), None);
        assert_eq!(split_entry(b"100644"), None);
        assert_eq!(split_entry(&[b'1'; 100]), None);
    }
}
