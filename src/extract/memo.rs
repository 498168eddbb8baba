//! What was read before, so that consecutive versions of a document are not read again.
//!
//! Versions of a document share nearly all their stretches, and a stretch says the same wherever it
//! stands (see [`super::stretch`]). The memo keeps what each said under its whole bytes, not under
//! a hash of them: no two texts can be taken for each other, by chance or by intent. It changes the
//! time that reading takes and nothing else, so it may forget at will.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::{Claim, Confirmation, Mention, Pitfall, Placed, Statements, stretch};
use crate::documents::{Document, Lines};
use crate::rules::RuleSet;

/// Parts of a memo with a lock each, so that threads seldom wait.
const SHARDS: usize = 16;

/// Bytes that a memo keeps before it starts to forget; about twice as much is held at most.
const CAPACITY: usize = 32 << 20;

/// What a statement weighs beside its texts: its own size and its lists'.
const STATEMENT_BYTES: usize = 1024;

/// Reads documents by one rule set and remembers what their stretches said.
#[derive(Debug)]
pub struct Memo<'r> {
    rules: &'r RuleSet,
    capacity: usize,
    shards: Vec<Mutex<Shard>>,
}

type Said = HashMap<Box<[u8]>, Arc<Statements>, BuildHasherDefault<Xxh3Default>>;

/// Two generations: what is asked for moves to the young one, and when that is full the old one is
/// dropped.
#[derive(Debug, Default)]
struct Shard {
    young: Said,
    old: Said,
    /// Bytes in the young generation.
    bytes: usize,
}

impl<'r> Memo<'r> {
    /// A memo that knows nothing yet.
    pub fn new(rules: &'r RuleSet) -> Memo<'r> {
        Memo::with_capacity(rules, CAPACITY)
    }

    /// A memo that keeps about so many bytes; none at all with 0.
    pub fn with_capacity(rules: &'r RuleSet, capacity: usize) -> Memo<'r> {
        Memo { rules, capacity, shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    /// Reads all that a document says, as [`super::statements`] does.
    pub fn statements(&self, document: &Document) -> Statements {
        super::read(document, self.rules, Some(self), None)
    }

    /// What a stretch says, remembered or as `read` finds it.
    pub(super) fn stretch(
        &self,
        document: &Document,
        range: &std::ops::Range<usize>,
        read: impl FnOnce() -> Statements,
    ) -> Statements {
        let Some((key, base)) = stretch::key(document, range) else { return read() };
        if let Some(known) = self.known(&key) {
            return moved(&known, |line| line.wrapping_add(base));
        }
        let said = read();
        self.keep(key, moved(&said, |line| line.wrapping_sub(base)));
        said
    }

    fn shard(&self, key: &[u8]) -> &Mutex<Shard> {
        // The map takes other bits of another hash than this.
        &self.shards[(xxh3_64(key) >> 32) as usize % SHARDS]
    }

    fn known(&self, key: &[u8]) -> Option<Arc<Statements>> {
        let mut shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shard.young.get(key) {
            return Some(Arc::clone(known));
        }
        let (key, known) = shard.old.remove_entry(key)?;
        shard.add(key, Arc::clone(&known), self.capacity / SHARDS);
        Some(known)
    }

    fn keep(&self, key: Vec<u8>, said: Statements) {
        let mut shard = self.shard(&key).lock().unwrap_or_else(PoisonError::into_inner);
        shard.add(key.into_boxed_slice(), Arc::new(said), self.capacity / SHARDS);
    }
}

impl Shard {
    fn add(&mut self, key: Box<[u8]>, said: Arc<Statements>, capacity: usize) {
        let texts: usize =
            said.claims.iter().map(|claim| claim.text.len() + claim.subject.len()).sum();
        let count =
            said.claims.len() + said.pitfalls.len() + said.signs.len() + said.mentions.len();
        let count = count + said.withdrawn.len() + said.confirmations.len();
        let bytes = key.len() + texts + count * STATEMENT_BYTES + size_of::<Statements>();
        if self.bytes + bytes > capacity {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        if bytes <= capacity {
            self.bytes += bytes;
            self.young.insert(key, said);
        }
    }
}

/// The same statements at other lines.
fn moved(said: &Statements, line: impl Fn(u32) -> u32) -> Statements {
    let at = |lines: Lines| Lines { start: line(lines.start), end: line(lines.end) };
    let claim = |it: &Claim| Claim {
        lines: at(it.lines),
        also: it.also.iter().copied().map(&at).collect(),
        ..it.clone()
    };
    let pitfall = |it: &Pitfall| Pitfall { lines: at(it.lines), ..it.clone() };
    Statements {
        claims: said.claims.iter().map(claim).collect(),
        pitfalls: said.pitfalls.iter().map(pitfall).collect(),
        withdrawn: said.withdrawn.iter().map(claim).collect(),
        confirmations: said
            .confirmations
            .iter()
            .map(|it| Confirmation { lines: at(it.lines), ..it.clone() })
            .collect(),
        remarks: said.remarks.clone(),
        signs: said.signs.iter().map(|it| Placed { lines: at(it.lines), ..it.clone() }).collect(),
        mentions: said
            .mentions
            .iter()
            .map(|it| Mention { lines: at(it.lines), wording: Arc::clone(&it.wording) })
            .collect(),
        problems: said.problems.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::{Format, parse};

    #[test]
    fn a_memo_of_any_size_reads_the_same() {
        let rules = RuleSet::built_in().unwrap();
        let section =
            |n: usize| format!("## Run {n}\n\nWith {n} cards the loader fails at start.\n\n");
        for capacity in [0, 40_000, CAPACITY] {
            let memo = Memo::with_capacity(&rules, capacity);
            let mut text = String::from("# Log\n\n");
            for n in 0..12 {
                text.push_str(&section(n));
                let document = parse(Format::Markdown, text.as_bytes());
                let said = memo.statements(&document);
                assert_eq!(said, super::super::statements(&document, &rules));
                assert_eq!(said.claims.len(), n + 1);
            }
            let kept = |shard: &Mutex<Shard>| shard.lock().unwrap().bytes;
            assert!(memo.shards.iter().map(kept).sum::<usize>() <= capacity);
        }
    }
}
