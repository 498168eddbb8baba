//! Fast hashing of object ids, which are hashes already, and of short names; numbering by hash.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};

use xxhash_rust::xxh3::xxh3_64;

use super::ObjectId;

/// A map by object id.
pub(super) type IdMap<V> = HashMap<ObjectId, V, ById>;
/// For keys that hold an object id.
pub(super) type ById = BuildHasherDefault<IdHasher>;
/// For keys of bytes.
pub(super) type ByBytes = BuildHasherDefault<BytesHasher>;

/// Takes the first eight bytes of an id as its hash.
#[derive(Default)]
pub(super) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk::<8>() {
            self.0 ^= u64::from_le_bytes(*first);
        }
    }

    fn write_u8(&mut self, tag: u8) {
        self.0 = self.0.wrapping_add(u64::from(tag) << 32 | u64::from(tag));
    }

    fn write_usize(&mut self, _length: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Hashes bytes with XXH3.
#[derive(Default)]
pub(super) struct BytesHasher(u64);

impl Hasher for BytesHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= xxh3_64(bytes);
    }

    fn write_usize(&mut self, _length: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Distinct things in the order of first sight.
pub(super) struct Numbered<K, S> {
    numbers: HashMap<K, u32, S>,
    pub(super) list: Vec<K>,
}

impl<K, S: Default> Default for Numbered<K, S> {
    fn default() -> Self {
        Self { numbers: HashMap::default(), list: Vec::new() }
    }
}

impl<K: Copy + Eq + Hash, S: BuildHasher> Numbered<K, S> {
    /// The number of a thing, and whether this is its first sight.
    pub(super) fn number(&mut self, key: K) -> (u32, bool) {
        let Self { numbers, list } = self;
        let before = list.len();
        let number = *numbers.entry(key).or_insert_with(|| {
            list.push(key);
            u32::try_from(list.len() - 1).unwrap_or(u32::MAX)
        });
        (number, list.len() > before)
    }
}
