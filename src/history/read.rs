//! Reading each distinct document once, on several threads, with the same result for any number.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::caveats::Unseen;
use super::rewrites::partial_clone;
use super::store::{Kind, Loss, Place, Store};
use super::{
    Blob, BlobId, Caveat, Error, History, Limits, NoProgress, ObjectId, Progress, Repository,
    threads,
};

/// Documents handed to a thread at once: enough that versions of one file mostly stay together.
const BATCH: usize = 64;

/// What is being read.
#[derive(Clone, Copy, Debug)]
pub struct BlobSource<'a> {
    /// Its number.
    pub blob: BlobId,
    /// Its id in git.
    pub oid: ObjectId,
    /// The tag that [`super::Selection::kind`] gave.
    pub kind: u8,
    /// A path at which it stands, the first that was met; it can stand at others too.
    pub path: &'a str,
}

/// A value for each distinct document.
#[derive(Debug)]
pub struct PerBlob<T> {
    values: Vec<Option<T>>,
    caveats: Vec<Caveat>,
    read: usize,
}

impl<T> PerBlob<T> {
    /// What was made of a document; `None` if it could not be read, which is not "nothing in it".
    pub fn get(&self, blob: BlobId) -> Option<&T> {
        self.values.get(blob.0 as usize)?.as_ref()
    }

    /// All documents in order, with what was made of those that could be read.
    pub fn iter(&self) -> impl Iterator<Item = (BlobId, Option<&T>)> {
        (0..).map(BlobId).zip(self.values.iter().map(Option::as_ref))
    }

    /// What could not be read, sorted.
    pub fn caveats(&self) -> &[Caveat] {
        &self.caveats
    }

    /// How many documents were read.
    pub fn read(&self) -> usize {
        self.read
    }
}

impl<T> PerBlob<Result<T, String>> {
    /// Takes what could not be understood (for a reason that completes a sentence about the document)
    /// as what could not be read.
    pub fn understood(self, history: &History) -> PerBlob<T> {
        let mut unseen = Unseen::default();
        let mut understand = |(blob, value): (&Blob, Option<Result<T, String>>)| match value? {
            Ok(value) => Some(value),
            Err(why) => {
                let what = format!("{} ({})", history.path(blob.path), blob.oid.short());
                unseen.add("unreadable-document", &format!("not read, since it {why}"), what);
                None
            }
        };
        let values: Vec<_> = history.blobs().iter().zip(self.values).map(&mut understand).collect();
        let mut caveats = self.caveats;
        caveats.extend(unseen.caveats());
        caveats.sort();
        PerBlob { read: values.iter().flatten().count(), values, caveats }
    }
}

impl Repository {
    /// Reads each distinct document of a history once and keeps what `read` makes of it.
    ///
    /// # Errors
    /// See [`Repository::read_rest`].
    pub fn read_each<T: Send>(
        &self,
        history: &History,
        jobs: usize,
        progress: &dyn Progress,
        read: impl Fn(&BlobSource<'_>, &[u8]) -> T + Sync,
    ) -> Result<PerBlob<T>, Error> {
        self.read_rest(history, jobs, progress, |_| None, read)
    }

    /// Asks for each distinct document of a history what is `known` of it, reads the others once and
    /// keeps what `read` makes of them. What is known counts only where the repository still has the
    /// document.
    ///
    /// Both run on up to `jobs` threads; the result does not depend on how many. A document that
    /// is missing, damaged or over the size limit has no value and stands in the caveats.
    ///
    /// # Errors
    /// When the object store cannot be opened or a thread cannot be started.
    pub fn read_rest<T: Send>(
        &self,
        history: &History,
        jobs: usize,
        progress: &dyn Progress,
        known: impl Fn(&BlobSource<'_>) -> Option<T> + Sync,
        read: impl Fn(&BlobSource<'_>, &[u8]) -> T + Sync,
    ) -> Result<PerBlob<T>, Error> {
        let blobs = history.blobs();
        let source = |index: usize| {
            let blob = blobs.get(index)?;
            let number = BlobId(u32::try_from(index).ok()?);
            let path = history.path(blob.path);
            Some(BlobSource { blob: number, oid: blob.oid, kind: blob.kind, path })
        };
        let mut values =
            in_batches(&self.place, blobs.len(), jobs, &NoProgress, |store, index| {
                let source = source(index)?;
                known(&source).filter(|_| store.has(source.oid))
            })?;
        let rest: Vec<usize> =
            (0..).zip(&values).filter_map(|(at, value)| value.is_none().then_some(at)).collect();
        let objects: Vec<ObjectId> =
            rest.iter().filter_map(|at| blobs.get(*at)).map(|blob| blob.oid).collect();
        progress.phase("documents", Some(objects.len() as u64));
        let limit = history.limits.document_bytes;
        let results =
            read_objects(&self.place, &objects, limit, jobs, progress, |index, bytes| {
                Some(read(&source(*rest.get(index)?)?, bytes))
            })?;
        let mut unseen = Unseen::default();
        let made = keep(results, &mut unseen, &history.limits, |index| {
            let blob = rest.get(index).and_then(|at| blobs.get(*at));
            blob.map_or_else(String::new, |blob| {
                format!("{} ({})", history.path(blob.path), blob.oid.short())
            })
        });
        for (at, value) in rest.iter().zip(made) {
            values[*at] = value.flatten();
        }
        let caveats = self.blob_caveats(&unseen);
        Ok(PerBlob { read: values.iter().flatten().count(), values, caveats })
    }

    /// Reads some documents of a history again and hands each to `read` with its place in the list. What
    /// cannot be read has no value.
    ///
    /// # Errors
    /// When the object store cannot be opened or a thread cannot be started.
    pub fn read_again<T: Send>(
        &self,
        history: &History,
        blobs: &[BlobId],
        jobs: usize,
        progress: &dyn Progress,
        read: impl Fn(BlobId, &[u8]) -> T + Sync,
    ) -> Result<Vec<Option<T>>, Error> {
        let object = |blob: &BlobId| history.blobs().get(blob.0 as usize).map(|blob| blob.oid);
        let (blobs, objects): (Vec<BlobId>, Vec<ObjectId>) =
            blobs.iter().filter_map(|blob| Some((*blob, object(blob)?))).unzip();
        progress.phase("citations", Some(objects.len() as u64));
        let limit = history.limits.document_bytes;
        let results =
            read_objects(&self.place, &objects, limit, jobs, progress, |index, bytes| {
                blobs.get(index).map(|blob| read(*blob, bytes))
            })?;
        Ok(results.into_iter().map(|result| result.ok().flatten()).collect())
    }

    pub(super) fn blob_caveats(&self, unseen: &Unseen) -> Vec<Caveat> {
        let mut caveats = unseen.caveats();
        if caveats.iter().any(|caveat| caveat.code == "missing-object") && self.is_partial_clone() {
            caveats.push(partial_clone());
            caveats.sort();
        }
        caveats
    }
}

/// The values that were made; what could not be read is noted.
pub(super) fn keep<T>(
    results: Vec<Result<T, Loss>>,
    unseen: &mut Unseen,
    limits: &Limits,
    name: impl Fn(usize) -> String,
) -> Vec<Option<T>> {
    let mut keep = |(index, result): (usize, Result<T, Loss>)| match result {
        Ok(value) => Some(value),
        Err(loss) => {
            let (code, say) = match loss {
                Loss::Missing => ("missing-object", "file contents are missing".to_owned()),
                Loss::Corrupt => ("corrupt-object", "file contents are corrupt".to_owned()),
                Loss::Permission => (
                    "unreadable-object",
                    "file contents could not be read, permission denied".to_owned(),
                ),
                Loss::TooLarge => (
                    "too-large",
                    format!(
                        "files over the limit of {} bytes were not read",
                        limits.document_bytes
                    ),
                ),
            };
            unseen.add(code, &say, name(index));
            None
        }
    };
    results.into_iter().enumerate().map(&mut keep).collect()
}

/// Reads objects by number, batch by batch, and keeps what `read` makes of each, in their order.
pub(super) fn read_objects<T: Send>(
    place: &Place,
    objects: &[ObjectId],
    limit: usize,
    jobs: usize,
    progress: &dyn Progress,
    read: impl Fn(usize, &[u8]) -> T + Sync,
) -> Result<Vec<Result<T, Loss>>, Error> {
    in_batches(place, objects.len(), jobs, progress, |store, index| {
        let id = objects.get(index).ok_or(Loss::Missing)?;
        store.read_checked(*id, Kind::Blob, limit, |bytes| read(index, bytes))
    })
}

/// Does something with each number below `count` and a store, batch by batch, and keeps what comes of
/// it, in order.
fn in_batches<T: Send>(
    place: &Place,
    count: usize,
    jobs: usize,
    progress: &dyn Progress,
    work: impl Fn(&Store, usize) -> T + Sync,
) -> Result<Vec<T>, Error> {
    let useful = count.div_ceil(BATCH).clamp(1, jobs.max(1));
    let mut stores = Vec::with_capacity(useful);
    for worker in 0..useful {
        stores.push(Store::open(place, worker)?);
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    threads::run(&mut stores, |_, store| {
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            let start = batch.saturating_mul(BATCH);
            if start >= count {
                break;
            }
            let end = count.min(start + BATCH);
            let made: Vec<T> = (start..end).map(|index| work(store, index)).collect();
            progress.advance(made.len() as u64);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((batch, made));
        }
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(batch, _)| *batch);
    Ok(done.into_iter().flat_map(|(_, made)| made).collect())
}
