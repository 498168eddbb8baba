//! What a question found in the files of trees, such as where they set a pitfall's trigger.
//!
//! A question is a digest of all that is looked for. One more commit mostly asks the same again, and
//! nearly all files are the same: they are not read for that.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::{Cache, DocumentName, file, folder, record};
use crate::history::{History, ObjectId};

/// Answers to one question, by file.
#[derive(Debug)]
pub(crate) struct Answers<'c> {
    cache: &'c Cache,
    path: PathBuf,
    question: [u8; 32],
    known: HashMap<DocumentName, Vec<u8>>,
    learned: Mutex<Vec<(DocumentName, Vec<u8>)>>,
}

/// As they are written.
type Told = Vec<([u8; 20], u8, Vec<u8>)>;

impl Cache {
    /// What is known of a question that was asked of a history.
    pub(crate) fn answers(
        &self,
        history: &History,
        reading: &[u8],
        question: &[u8],
    ) -> Answers<'_> {
        let path = self.file(history, reading);
        let question: [u8; 32] = Sha256::digest(question).into();
        let told = file::answer(&path, &question).and_then(|it| record::unpack::<Told>(&it));
        let told = told.unwrap_or_default().into_iter();
        Answers {
            cache: self,
            path,
            question,
            known: told.map(|(id, kind, answer)| ((ObjectId(id), kind), answer)).collect(),
            learned: Mutex::default(),
        }
    }
}

impl Answers<'_> {
    /// The answer for a file.
    pub(crate) fn get(&self, name: DocumentName) -> Option<&[u8]> {
        self.known.get(&name).map(Vec::as_slice)
    }

    /// Takes note of one, from any thread.
    pub(crate) fn learn(&self, name: DocumentName, answer: Vec<u8>) {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner).push((name, answer));
    }

    /// Keeps what was learned since. Where that is not possible, it is asked again.
    pub(crate) fn keep(self) {
        let learned = self.learned.into_inner().unwrap_or_else(PoisonError::into_inner);
        if learned.is_empty() {
            return;
        }
        let mut all: Told = self
            .known
            .into_iter()
            .chain(learned)
            .map(|((id, kind), answer)| (id.0, kind, answer))
            .collect();
        all.sort_unstable();
        let Some(record) = record::pack(&all) else { return };
        let records = [record];
        if folder::make_room(&self.cache.folder, &self.path, &records, self.cache.limit) {
            file::put_answer(&self.path, &self.question, &records[0]);
        }
    }
}
