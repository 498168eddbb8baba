//! Where what was read is kept from one audit to the next.

use std::env;
use std::fs::File;
use std::io::Read;

use etcetera::BaseStrategy;
use xxhash_rust::xxh3::Xxh3Default;

use super::args::Args;
use crate::Cache;

/// The cache, unless it is not wanted or there is no place for it.
pub(super) fn cache(args: &Args) -> Option<Cache> {
    if args.no_cache {
        return None;
    }
    let folder = match &args.cache_dir {
        Some(folder) => folder.clone(),
        // What the system knows of a home that the environment does not name is not ours to use.
        None if !names_a_home() => return None,
        None => {
            let places = etcetera::choose_base_strategy().ok()?;
            // A home that is not there is not made.
            let base = places.cache_dir();
            let there = base.is_dir() || places.home_dir().is_dir();
            there.then(|| base.join(env!("CARGO_PKG_NAME")))?
        }
    };
    Some(Cache::new(folder, build()?, args.cache_size.saturating_mul(1 << 20)))
}

/// Whether the environment says where a user's files are.
#[expect(clippy::disallowed_methods, reason = "this is where the program reads its environment")]
fn names_a_home() -> bool {
    let names =
        if cfg!(windows) { ["USERPROFILE", "LOCALAPPDATA"] } else { ["HOME", "XDG_CACHE_HOME"] };
    names.iter().any(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// A digest of the running program: another build may read in another way.
fn build() -> Option<u128> {
    let mut program = File::open(env::current_exe().ok()?).ok()?;
    let mut digest = Xxh3Default::new();
    let mut bytes = vec![0; 1 << 16];
    loop {
        match program.read(&mut bytes).ok()? {
            0 => return Some(digest.digest128()),
            read => digest.update(bytes.get(..read)?),
        }
    }
}
