//! A map from bytes that forgets what was not asked for lately.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Parts of a map with a lock each, so that threads seldom wait.
const SHARDS: usize = 16;

/// What an entry weighs beside its bytes.
const ENTRY_BYTES: usize = 64;

/// Values under whole keys, not under hashes of them: no two texts can be taken for each other, by
/// chance or by intent.
#[derive(Debug)]
pub(super) struct Generations<V> {
    /// Bytes in the young generation of a shard; about twice as much is held at most.
    capacity: usize,
    shards: Vec<Mutex<Shard<V>>>,
}

type Known<V> = HashMap<Box<[u8]>, (V, usize), BuildHasherDefault<Xxh3Default>>;

/// What is asked for moves to the young generation, and when that is full the old one is dropped.
#[derive(Debug)]
struct Shard<V> {
    young: Known<V>,
    old: Known<V>,
    /// Bytes in the young generation.
    bytes: usize,
}

impl<V: Clone> Generations<V> {
    /// An empty map that keeps about so many bytes; none at all with 0.
    pub(super) fn new(capacity: usize) -> Self {
        let shard =
            || Mutex::new(Shard { young: Known::default(), old: Known::default(), bytes: 0 });
        Self { capacity: capacity / SHARDS, shards: (0..SHARDS).map(|_| shard()).collect() }
    }

    /// The value under a key, if it is still known.
    pub(super) fn get(&self, key: &[u8]) -> Option<V> {
        let mut shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, _)) = shard.young.get(key) {
            return Some(known.clone());
        }
        let (key, (known, weight)) = shard.old.remove_entry(key)?;
        shard.add(key, known.clone(), weight, self.capacity);
        Some(known)
    }

    /// Keeps a value that weighs so many bytes beside its key.
    pub(super) fn put(&self, key: &[u8], value: V, weight: usize) {
        let mut shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        let weight = weight + key.len() + ENTRY_BYTES;
        shard.add(key.into(), value, weight, self.capacity);
    }

    fn shard(&self, key: &[u8]) -> &Mutex<Shard<V>> {
        // The map takes other bits of another hash than this.
        &self.shards[(xxh3_64(key) >> 32) as usize % SHARDS]
    }
}

impl<V> Shard<V> {
    fn add(&mut self, key: Box<[u8]>, value: V, weight: usize, capacity: usize) {
        if self.bytes + weight > capacity {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        if weight <= capacity {
            self.bytes += weight;
            self.young.insert(key, (value, weight));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let map = Generations::new(SHARDS * 1000);
        map.put(b"kept", 0, 100);
        for n in 1_u32..2_000 {
            assert_eq!(map.get(b"kept"), Some(0), "after {n}");
            map.put(&n.to_le_bytes(), n, 100);
        }
        assert_eq!(map.get(&1_999_u32.to_le_bytes()), Some(1_999));
        assert_eq!(map.get(&1_u32.to_le_bytes()), None);
        let bytes = |shard: &Mutex<Shard<u32>>| shard.lock().unwrap().bytes;
        assert!(map.shards.iter().map(bytes).sum::<usize>() <= SHARDS * 1000);
    }

    #[test]
    fn a_map_of_no_size_keeps_nothing() {
        let map = Generations::new(0);
        map.put(b"a", 1, 0);
        assert_eq!(map.get(b"a"), None);
    }
}
