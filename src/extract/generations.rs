//! A map that forgets what was not asked for lately, once it is full.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::Fingerprint;

/// Parts of a map with a lock each, so that threads seldom wait.
const SHARDS: usize = 16;

/// What an entry weighs beside its value: its fingerprint and its share of the free places.
const ENTRY_BYTES: usize = 32;

/// What is kept in a map.
pub(super) trait Kept: Clone {
    /// Bytes that it holds beyond its own size and that would go with it.
    fn weight(&self) -> usize;
}

/// Values under the fingerprints of whatever they were made from.
#[derive(Debug)]
pub(super) struct Generations<V> {
    /// Bytes in the young generation of a shard; about twice as much is held at most.
    capacity: usize,
    shards: Vec<Mutex<Shard<V>>>,
}

/// What is asked for moves to the young generation, and when that is full the old one is dropped.
#[derive(Debug)]
struct Shard<V> {
    young: HashMap<Fingerprint, V>,
    old: HashMap<Fingerprint, V>,
    /// Bytes in the young generation.
    bytes: usize,
}

impl<V: Kept> Generations<V> {
    /// An empty map that keeps about so many bytes; none at all with 0.
    pub(super) fn new(capacity: usize) -> Self {
        let shard = || Mutex::new(Shard { young: HashMap::new(), old: HashMap::new(), bytes: 0 });
        Self { capacity: capacity / SHARDS, shards: (0..SHARDS).map(|_| shard()).collect() }
    }

    /// The value under a fingerprint, if it is still known.
    pub(super) fn get(&self, key: Fingerprint) -> Option<V> {
        let mut shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shard.young.get(&key) {
            return Some(known.clone());
        }
        let known = shard.old.remove(&key)?;
        shard.add(key, known.clone(), self.capacity);
        Some(known)
    }

    /// Keeps a value.
    pub(super) fn put(&self, key: Fingerprint, value: V) {
        let mut shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        shard.add(key, value, self.capacity);
    }

    fn shard(&self, key: Fingerprint) -> &Mutex<Shard<V>> {
        &self.shards[usize::from(key.0[0]) % SHARDS]
    }
}

impl<V: Kept> Shard<V> {
    fn add(&mut self, key: Fingerprint, value: V, capacity: usize) {
        let weight = ENTRY_BYTES + size_of::<V>() + value.weight();
        if self.bytes + weight > capacity {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        if weight <= capacity {
            self.bytes += weight;
            self.young.insert(key, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Kept for u32 {
        fn weight(&self) -> usize {
            100
        }
    }

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let map = Generations::new(SHARDS * 1000);
        let key = |n: u32| Fingerprint::of(&n.to_le_bytes());
        map.put(key(0), 0);
        for n in 1_u32..2_000 {
            assert_eq!(map.get(key(0)), Some(0), "after {n}");
            map.put(key(n), n);
        }
        assert_eq!(map.get(key(1_999)), Some(1_999));
        assert_eq!(map.get(key(1)), None);
        let bytes = |shard: &Mutex<Shard<u32>>| shard.lock().unwrap().bytes;
        assert!(map.shards.iter().map(bytes).sum::<usize>() <= SHARDS * 1000);
    }

    #[test]
    fn a_map_of_no_size_keeps_nothing() {
        let map = Generations::new(0);
        map.put(Fingerprint::of(b"a"), 1_u32);
        assert_eq!(map.get(Fingerprint::of(b"a")), None);
    }
}
