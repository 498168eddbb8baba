//! Names of claims and pitfalls that survive moved lines and files.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::{Ended, Lineage, PitfallLineage};

/// The id of each claim, in the order given: `c-` and eight hexadecimal digits, all distinct.
pub fn claim_ids(claims: &[Lineage]) -> Vec<String> {
    distinct("c-", claims.iter().map(|lineage| lineage.claim.key))
}

/// The id of each claim that has ended: the one that it had while it stood.
pub fn ended_ids(ended: &[Ended]) -> Vec<String> {
    distinct("c-", ended.iter().map(|it| it.lineage.claim.key))
}

/// The id of each pitfall, in the order given: `p-` and eight hexadecimal digits, all distinct.
pub fn pitfall_ids(pitfalls: &[PitfallLineage]) -> Vec<String> {
    distinct("p-", pitfalls.iter().map(|lineage| lineage.pitfall.key))
}

/// The id that a key has where no other claim says the same or collides.
pub(super) fn plain_claim_id(key: u64) -> String {
    name("c-", key, 0)
}

/// Equal keys are told apart by their order. So are different keys that fold to the same digits.
fn distinct(prefix: &str, keys: impl Iterator<Item = u64>) -> Vec<String> {
    let mut next = HashMap::new();
    let mut taken = HashSet::new();
    keys.map(|key| {
        let ordinal = next.entry(key).or_insert(0_u64);
        loop {
            let id = name(prefix, key, *ordinal);
            *ordinal += 1;
            if taken.insert(id.clone()) {
                return id;
            }
        }
    })
    .collect()
}

fn name(prefix: &str, key: u64, ordinal: u64) -> String {
    let mixed = match ordinal {
        0 => key,
        _ => xxh3_64([key.to_le_bytes(), ordinal.to_le_bytes()].as_flattened()),
    };
    let folded = (mixed ^ (mixed >> 32)) & 0xffff_ffff;
    format!("{prefix}{folded:08x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_and_colliding_keys_get_ids_of_their_own() {
        let colliding = 0x0000_0001_0000_0002;
        let other = 0x0000_0000_0000_0003;
        let ids = distinct("c-", [colliding, other, colliding, 7].into_iter());
        assert_eq!(ids[0], "c-00000003");
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 4);
        assert_eq!(ids[3], plain_claim_id(7));
        assert!(ids.iter().all(|id| id.len() == 10));
    }

    #[test]
    fn the_first_keeps_its_id_when_a_second_appears() {
        let alone = distinct("c-", [9].into_iter());
        let both = distinct("c-", [9, 9].into_iter());
        assert_eq!(alone[0], both[0]);
    }
}
