//! Sorted lists of entries that have most of their entries in common.
//!
//! A folder of a thousand files changes in one of them at a time. So a list is cut where the names' numbers
//! pass a multiple of [`SPAN`], equal pieces are one, and a list is the numbers of its pieces: a change
//! costs one piece, and two lists are compared without a look at the pieces that they share.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::forest::Entry;

/// Numbers of names that can stand in one piece.
const SPAN: u32 = 32;

/// Where each of many parts ends in a list of all.
#[derive(Debug)]
struct Parts<T> {
    all: Vec<T>,
    ends: Vec<usize>,
}

impl<T> Default for Parts<T> {
    fn default() -> Self {
        Self { all: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Copy + PartialEq> Parts<T> {
    fn get(&self, part: u32) -> &[T] {
        let part = part as usize;
        let start = part.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        let end = self.ends.get(part).copied().unwrap_or(0);
        self.all.get(start.unwrap_or(0)..end).unwrap_or(&[])
    }

    fn push(&mut self, part: &[T]) -> u32 {
        let number = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.all.extend_from_slice(part);
        self.ends.push(self.all.len());
        number
    }

    /// The number of a part, new or as it is known.
    fn once(&mut self, part: &[T], bytes: &[u8], known: &mut Known) -> (u32, bool) {
        let mut hash = xxh3_64(bytes);
        while let Some(number) = known.get(&hash) {
            if self.get(*number) == part {
                return (*number, false);
            }
            hash = hash.wrapping_add(1);
        }
        let number = self.push(part);
        known.insert(hash, number);
        (number, true)
    }
}

/// Hash of a part to its number; where two differ, the next hash is tried.
type Known = HashMap<u64, u32>;

/// Distinct lists by number.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pieces: Parts<Entry>,
    lists: Parts<u32>,
}

/// What is needed to add lists.
#[derive(Default)]
pub(super) struct Index {
    pieces: Known,
    lists: Known,
    bytes: Vec<u8>,
    list: Vec<u32>,
}

impl Lists {
    /// Takes in an empty list, whether there is one or not.
    pub(super) fn push_empty(&mut self) {
        self.lists.push(&[]);
    }

    /// Takes in a list that is sorted by name, and tells its number and whether it is new.
    pub(super) fn once(&mut self, entries: &[Entry], index: &mut Index) -> (u32, bool) {
        let Index { pieces, lists, bytes, list } = index;
        list.clear();
        for piece in entries.chunk_by(|a, b| span(a) == span(b)) {
            bytes.clear();
            piece.iter().for_each(|entry| bytes.extend_from_slice(&entry.bytes()));
            list.push(self.pieces.once(piece, bytes, pieces).0);
        }
        bytes.clear();
        list.iter().for_each(|piece| bytes.extend_from_slice(&piece.to_le_bytes()));
        self.lists.once(list, bytes, lists)
    }

    /// The entries of a list, in order.
    pub(super) fn entries(&self, list: u32) -> impl Iterator<Item = Entry> + '_ {
        self.lists.get(list).iter().flat_map(|piece| self.pieces.get(*piece)).copied()
    }

    /// The entry of a name.
    pub(super) fn entry(&self, list: u32, name: u32) -> Option<Entry> {
        let pieces = self.lists.get(list);
        let first = |piece: &u32| self.pieces.get(*piece).first().map_or(0, |entry| entry.name);
        let after = pieces.partition_point(|piece| first(piece) <= name);
        let piece = self.pieces.get(*pieces.get(after.checked_sub(1)?)?);
        let at = piece.binary_search_by_key(&name, |entry| entry.name).ok()?;
        piece.get(at).copied()
    }

    /// A list piece by piece.
    pub(super) fn pieces(&self, list: u32) -> Pieces<'_> {
        Pieces { lists: self, rest: self.lists.get(list) }
    }
}

/// What is left of a list.
pub(super) struct Pieces<'a> {
    lists: &'a Lists,
    rest: &'a [u32],
}

impl<'a> Pieces<'a> {
    /// Which numbers of names the next piece is of.
    pub(super) fn span(&self) -> Option<u32> {
        self.lists.pieces.get(*self.rest.first()?).first().map(span)
    }

    /// The piece for some numbers of names, with its own number; those before it are dropped.
    pub(super) fn take(&mut self, wanted: u32) -> Option<(u32, &'a [Entry])> {
        while let Some(next) = self.span().filter(|next| *next <= wanted) {
            let (first, rest) = self.rest.split_first()?;
            self.rest = rest;
            if next == wanted {
                return Some((*first, self.lists.pieces.get(*first)));
            }
        }
        None
    }
}

fn span(entry: &Entry) -> u32 {
    entry.name / SPAN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::forest::Child;

    fn list(names: &[u32]) -> Vec<Entry> {
        names.iter().map(|name| Entry::new(*name, Child::File(name * 2))).collect()
    }

    #[test]
    fn lists_come_back_as_they_were_and_share_pieces() {
        let (mut lists, mut index) = (Lists::default(), Index::default());
        lists.push_empty();
        let all: Vec<u32> = (0..500).filter(|it| it % 3 != 0).collect();
        let without: Vec<u32> = all.iter().copied().filter(|it| *it != 100).collect();
        for (names, number, new) in
            [(&all[..], 1, true), (&without, 2, true), (&all, 1, false), (&[7], 3, true)]
        {
            assert_eq!(lists.once(&list(names), &mut index), (number, new));
            assert_eq!(lists.entries(number).collect::<Vec<_>>(), list(names));
            for name in 0..510 {
                let there = names.contains(&name).then(|| list(&[name])[0]);
                assert_eq!(lists.entry(number, name), there, "{name}");
            }
        }
        assert_eq!(lists.entries(0).count(), 0);
        let held = lists.pieces.all.len();
        assert!(held < all.len() + SPAN as usize + 1, "{held}");
    }

    #[test]
    fn pieces_are_taken_in_order() {
        let (mut lists, mut index) = (Lists::default(), Index::default());
        let number = lists.once(&list(&[1, 2, SPAN, 5 * SPAN + 1]), &mut index).0;
        let mut pieces = lists.pieces(number);
        assert_eq!(pieces.span(), Some(0));
        assert_eq!(pieces.take(1).map(|(_, piece)| piece.to_vec()), Some(list(&[SPAN])));
        assert_eq!(pieces.take(4), None);
        assert_eq!(pieces.take(5).map(|(_, piece)| piece.len()), Some(1));
        assert_eq!((pieces.take(5), pieces.span()), (None, None));
    }
}
