//! What documents said, kept on disk so that a second audit reads only what is new.
//!
//! A repository has a file of its own, named by the root of its history and by a digest of all that
//! decides how documents are read: the program's build, the rules, the bounds. Whatever of it changes
//! makes another file. In a file, documents are named by git's id of their bytes, which was checked
//! when they were read (libgit2 refuses bytes that are made to collide), so nothing that a repository
//! holds can speak for another text. The cache changes the time that an audit takes and nothing else:
//! what is missing, damaged, of another version or in another program's hands is read anew.

mod answers;
mod file;
mod folder;
mod record;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::extract::{Assertion, Fingerprint, Part, Parts, Warning, Wording};
use crate::history::{History, ObjectId};
use file::Found;
use record::Numbers;

/// Where the cache is and how much it may hold.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    build: u128,
    limit: u64,
}

/// A document: git's id of its bytes, and the format they are read as.
pub(crate) type DocumentName = (ObjectId, u8);

/// What was made of a document, or why it could not be understood.
pub(crate) type Outcome = Result<Parts, String>;

/// What is known of one repository's documents.
#[derive(Debug)]
pub(crate) struct Shelf<'c> {
    cache: &'c Cache,
    path: PathBuf,
    documents: HashMap<DocumentName, Outcome>,
    parts: Vec<Option<Arc<Part>>>,
    assertions: Vec<Option<Arc<Assertion>>>,
    warnings: Vec<Option<Arc<Warning>>>,
    wordings: Vec<Option<Arc<Wording>>>,
    /// Records in the file.
    records: u64,
    state: State,
}

/// Whether what is learned can be added to the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At its end.
    Sound,
    /// Parts of it are damaged: it has to be made anew.
    Damaged,
    /// It is another program's, or cannot be written.
    Closed,
}

impl Cache {
    /// A cache in a folder, which is made when something is kept. `build` is a digest of the program:
    /// what another build has read is not believed. Above `limit` bytes in all, the files that were
    /// written longest ago go.
    pub fn new(folder: PathBuf, build: u128, limit: u64) -> Cache {
        Cache { folder, build, limit }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is known of a history's documents, read by what `reading` is a digest of.
    pub(crate) fn open(&self, history: &History, reading: &[u8]) -> Shelf<'_> {
        let mut shelf = Shelf {
            cache: self,
            path: self.file(history, reading),
            documents: HashMap::new(),
            parts: Vec::new(),
            assertions: Vec::new(),
            warnings: Vec::new(),
            wordings: Vec::new(),
            records: 0,
            state: State::Sound,
        };
        match file::read(&shelf.path) {
            Found::Records(records) => {
                for bytes in &records {
                    match record::unpack(bytes) {
                        Some(batch) => shelf.take(batch),
                        None => shelf.state = State::Damaged,
                    }
                }
                shelf.records = records.len() as u64;
            }
            Found::Nothing => {}
            Found::Damaged => shelf.state = State::Damaged,
            Found::Closed => shelf.state = State::Closed,
        }
        shelf
    }

    /// The file of a history.
    fn file(&self, history: &History, reading: &[u8]) -> PathBuf {
        let root = history.commits().first().map_or_else(String::new, |root| root.oid.to_string());
        let digest = Sha256::new().chain_update(self.build.to_le_bytes()).chain_update(reading);
        let digest: [u8; 32] = digest.finalize().into();
        let digest: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("{root}-{digest}.{}", folder::ENDING))
    }
}

impl Shelf<'_> {
    /// What is known of a document.
    pub(crate) fn document(&self, name: DocumentName) -> Option<&Outcome> {
        self.documents.get(&name)
    }

    /// The parts of documents that have names.
    pub(crate) fn named(&self) -> HashMap<Fingerprint, Arc<Part>> {
        let parts = self.parts.iter().flatten();
        parts.filter_map(|part| Some((part.name?, Arc::clone(part)))).collect()
    }

    /// Whether some of the file could not be understood.
    pub(crate) fn is_damaged(&self) -> bool {
        self.state == State::Damaged
    }

    /// Keeps what was read since. Where that is not possible, the next audit reads it again.
    pub(crate) fn keep(mut self, mut read: Vec<(DocumentName, Outcome)>) {
        if self.state == State::Closed || (read.is_empty() && self.state == State::Sound) {
            return;
        }
        if self.state == State::Damaged {
            // Made anew from all that is known, so that one bad place does not cost the rest.
            read.extend(std::mem::take(&mut self.documents));
            self.records = 0;
            self.parts.clear();
            self.assertions.clear();
            self.warnings.clear();
            self.wordings.clear();
            file::remove(&self.path);
        }
        read.sort_by_key(|(name, _)| *name);
        let records = record::encode(&read, Numbers::of(&self));
        drop(read);
        if folder::make_room(&self.cache.folder, &self.path, &records, self.cache.limit) {
            file::append(&self.path, self.records, &records);
        }
    }
}
