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
