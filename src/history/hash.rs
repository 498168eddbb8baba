//! Fast hashing of object ids, which are hashes already, and of short names.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

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
