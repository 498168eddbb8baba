//! The folder of the cache's files: what of it has to go so that the rest has room.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What files of the cache end in; others in the folder are left alone.
pub(super) const ENDING: &str = "claims";

/// Files of one history that are kept, each of another program, other rules or bounds.
const OF_ONE_HISTORY: usize = 3;

struct Kept {
    path: PathBuf,
    bytes: u64,
    written: Option<SystemTime>,
}

/// Makes the folder, and removes what was written longest ago until there is room for `records` in the
/// file at `path`. False where they do not fit or the folder cannot be made.
pub(super) fn make_room(folder: &Path, path: &Path, records: &[Vec<u8>], limit: u64) -> bool {
    if fs::create_dir_all(folder).is_err() {
        return false;
    }
    let new: u64 = records.iter().map(|record| record.len() as u64).sum();
    let mut files = files(folder);
    files.sort_by_key(|file| file.written);
    let own = files.iter().position(|file| file.path == path).map(|at| files.remove(at));
    let own_bytes = own.map_or(0, |own| own.bytes);
    if own_bytes.saturating_add(new) > limit {
        // It has outgrown the cache: what is new is kept from the next audit on.
        super::file::remove(path);
        return false;
    }
    let mut same = files.iter().filter(|file| root(&file.path) == root(path)).count();
    let mut all: u64 = files.iter().map(|file| file.bytes).sum::<u64>() + own_bytes + new;
    for file in files {
        let too_many = root(&file.path) == root(path) && same >= OF_ONE_HISTORY;
        if too_many || all > limit {
            super::file::remove(&file.path);
            all = all.saturating_sub(file.bytes);
            same -= usize::from(root(&file.path) == root(path));
        }
    }
    true
}

fn files(folder: &Path) -> Vec<Kept> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let kept = entries.filter_map(|entry| {
        let path = entry.path();
        let file = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let ours = path.extension().is_some_and(|ending| ending == ENDING);
        ours.then(|| Kept { path, bytes: file.len(), written: file.modified().ok() })
    });
    kept.collect()
}

/// The part of a file's name that names the history.
fn root(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()?.split('-').next()
}
