//! What versions of a document have in common is held once.
//!
//! A statement is a place and what is said there. Consecutive versions say nearly all the same at
//! other lines, so what is said stands behind an [`Arc`], and equal ones become the same one.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Assertion, Claim, Pitfall, Statements, Warning, Wording};
use crate::documents::Lines;

/// Parts of a map with a lock each, so that threads seldom wait.
const SHARDS: usize = 16;

/// So many that have one key are compared, the latest first: one row under titles that change.
const ALIKE: usize = 8;

impl Assertion {
    /// It, said at a place.
    pub(crate) fn at(self, lines: Lines) -> Claim {
        Claim { lines, also: Vec::new(), what: Arc::new(self) }
    }
}

impl Deref for Claim {
    type Target = Assertion;

    fn deref(&self) -> &Assertion {
        &self.what
    }
}

/// A claim that changes no longer shares what it says.
impl DerefMut for Claim {
    fn deref_mut(&mut self) -> &mut Assertion {
        Arc::make_mut(&mut self.what)
    }
}

impl Warning {
    /// It, said at a place.
    pub(crate) fn at(self, lines: Lines) -> Pitfall {
        Pitfall { lines, what: Arc::new(self) }
    }
}

impl Deref for Pitfall {
    type Target = Warning;

    fn deref(&self) -> &Warning {
        &self.what
    }
}

/// A pitfall that changes no longer shares what it says.
impl DerefMut for Pitfall {
    fn deref_mut(&mut self) -> &mut Warning {
        Arc::make_mut(&mut self.what)
    }
}

/// What was said so far, each once.
#[derive(Debug, Default)]
pub(super) struct Shared {
    assertions: Once<Assertion>,
    warnings: Once<Warning>,
    wordings: Once<Wording>,
}

impl Shared {
    /// Makes what is said the same as what was said before where they are equal.
    pub(super) fn share(&self, said: &mut Statements) {
        for claim in said.claims.iter_mut().chain(&mut said.withdrawn) {
            self.assertions.share(claim.key, &mut claim.what);
        }
        for pitfall in &mut said.pitfalls {
            self.warnings.share(pitfall.key, &mut pitfall.what);
        }
        for mention in &mut said.mentions {
            self.wordings.share(mention.wording.key, &mut mention.wording);
        }
    }
}

/// Values by a key that unequal ones may have in common.
#[derive(Debug)]
struct Once<T> {
    shards: [Mutex<HashMap<u64, Vec<Arc<T>>>>; SHARDS],
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self { shards: std::array::from_fn(|_| Mutex::default()) }
    }
}

impl<T: PartialEq> Once<T> {
    fn share(&self, key: u64, value: &mut Arc<T>) {
        let shard = &self.shards[key as usize % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let alike = shard.entry(key).or_default();
        match alike.iter().rev().find(|it| Arc::ptr_eq(it, value) || it.as_ref() == value.as_ref())
        {
            Some(known) => *value = Arc::clone(known),
            None => {
                if alike.len() == ALIKE {
                    alike.remove(0);
                }
                alike.push(Arc::clone(value));
            }
        }
    }
}
