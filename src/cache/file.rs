//! One file of the cache: numbered records, each with a checksum, in an embedded store.
//!
//! The store locks its file, so it is open only while records are read or written. A run that finds it
//! open waits a moment and then goes on without.

use std::fs;
use std::io::ErrorKind;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::thread;
use std::time::Duration;

use redb::{
    Database, DatabaseError, ReadableTable, ReadableTableMetadata, StorageError, TableDefinition,
    TableError, TransactionError,
};

const RECORDS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("records");

/// What was found in files of trees, by what was looked for.
const ANSWERS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("answers");

/// So many questions are kept with their answers: with `--base` there are two in one run.
const QUESTIONS: u64 = 4;

/// Bytes that the store may keep in memory for itself.
const MEMORY: usize = 1 << 20;

/// How often and how long to wait for another run.
const TRIES: usize = 10;
const WAIT: Duration = Duration::from_millis(20);

/// What a file holds.
pub(super) enum Found {
    /// Its records, in order.
    Records(Vec<Vec<u8>>),
    /// There is none yet.
    Nothing,
    /// It is no such file.
    Damaged,
    /// It cannot be opened now: another run has it, or there is no permission.
    Closed,
}

/// All records of a file.
pub(super) fn read(path: &Path) -> Found {
    let Ok(file) = fs::symlink_metadata(path) else { return Found::Nothing };
    if !file.is_file() {
        return Found::Closed;
    }
    caught(|| records(path, file.len())).unwrap_or(Found::Damaged)
}

fn records(path: &Path, size: u64) -> Result<Found, Failure> {
    let database = match patiently(|| builder().open(path)) {
        Err(Failure::Closed) => return Ok(Found::Closed),
        opened => opened?,
    };
    let transaction = database.begin_read()?;
    let table = match transaction.open_table(RECORDS) {
        Err(TableError::TableDoesNotExist(_)) => return Ok(Found::Records(Vec::new())),
        table => table?,
    };
    let mut found = Vec::new();
    let mut bytes = 0;
    for record in table.iter()? {
        let (_, record) = record?;
        bytes += record.value().len() as u64;
        // A damaged tree of pages may go round in circles.
        if bytes > size || found.len() as u64 > size {
            return Err(Failure::Damaged);
        }
        found.push(record.value().to_vec());
    }
    Ok(Found::Records(found))
}

/// Adds records behind the first `known`, unless another run has added some meanwhile.
pub(super) fn append(path: &Path, known: u64, records: &[Vec<u8>]) {
    let done = caught(|| {
        let database = patiently(|| builder().create(path))?;
        let transaction = database.begin_write()?;
        {
            let mut table = transaction.open_table(RECORDS)?;
            let next = table.last()?.map_or(0, |(last, _)| last.value().saturating_add(1));
            if next != known {
                return Err(Failure::Closed);
            }
            for (number, record) in (known..).zip(records) {
                table.insert(number, record.as_slice())?;
            }
        }
        transaction.commit().map_err(|_| Failure::Closed)
    });
    if matches!(done, Err(Failure::Damaged)) {
        remove(path);
    }
}

/// The record under a question, if there is one.
pub(super) fn answer(path: &Path, question: &[u8]) -> Option<Vec<u8>> {
    if !fs::symlink_metadata(path).is_ok_and(|file| file.is_file()) {
        return None;
    }
    let found = caught(|| {
        let database = patiently(|| builder().open(path))?;
        let table = database.begin_read()?.open_table(ANSWERS)?;
        Ok(table.get(question)?.map(|record| record.value().to_vec()))
    });
    found.ok().flatten()
}

/// Puts a record under a question. Of those under others only a few are kept.
pub(super) fn put_answer(path: &Path, question: &[u8], record: &[u8]) {
    let done = caught(|| {
        let database = patiently(|| builder().create(path))?;
        let transaction = database.begin_write()?;
        {
            let mut table = transaction.open_table(ANSWERS)?;
            if table.len()? >= QUESTIONS && table.get(question)?.is_none() {
                table.retain(|_, _| false)?;
            }
            table.insert(question, record)?;
        }
        transaction.commit().map_err(|_| Failure::Closed)
    });
    if matches!(done, Err(Failure::Damaged)) {
        remove(path);
    }
}

/// Throws a file away.
pub(super) fn remove(path: &Path) {
    // Where that fails, it is found damaged again.
    let _ = fs::remove_file(path);
}

fn builder() -> redb::Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(MEMORY);
    builder
}

/// Why a file cannot be used.
enum Failure {
    Closed,
    Damaged,
}

fn patiently(open: impl Fn() -> Result<Database, DatabaseError>) -> Result<Database, Failure> {
    for _ in 0..TRIES {
        match open() {
            Err(DatabaseError::DatabaseAlreadyOpen) => thread::sleep(WAIT),
            opened => return Ok(opened?),
        }
    }
    Err(Failure::Closed)
}

/// The store panics on some damage; that is a damaged file and no more.
fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(Err(Failure::Damaged))
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Io(error) => match error.kind() {
                ErrorKind::InvalidData | ErrorKind::UnexpectedEof => Self::Damaged,
                _ => Self::Closed,
            },
            _ => Self::Damaged,
        }
    }
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::DatabaseAlreadyOpen => Self::Closed,
            DatabaseError::Storage(error) => error.into(),
            _ => Self::Damaged,
        }
    }
}

impl From<TransactionError> for Failure {
    fn from(error: TransactionError) -> Self {
        match error {
            TransactionError::Storage(error) => error.into(),
            _ => Self::Damaged,
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Storage(error) => error.into(),
            _ => Self::Damaged,
        }
    }
}
