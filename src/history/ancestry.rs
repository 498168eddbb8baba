//! Which of two commits came first.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Commit, CommitId};

/// By what it is known which of two commits came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderedBy {
    /// One is an ancestor of the other.
    Ancestry,
    /// Parallel branches: committer time.
    Time,
}

/// How one commit stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    /// They are one.
    Same,
    /// The first was before the second.
    Before(OrderedBy),
    /// The first was after the second.
    After(OrderedBy),
}

/// Remembered answers may take this much memory.
const MEMORY: usize = 32 << 20;

/// Answers whether one commit is an ancestor of another.
///
/// Commits are cut into runs: stretches without a fork or a merge inside. Within a run the number
/// decides, between runs a set of all earlier runs, made when first asked for.
#[derive(Debug)]
pub(super) struct Ancestry {
    run_of: Vec<u32>,
    /// Runs that lead into each run.
    before: Vec<Vec<u32>>,
    reached: Mutex<HashMap<u32, Arc<Vec<u64>>>>,
}

impl Ancestry {
    /// `commits` has parents before children.
    pub(super) fn new(commits: &[Commit]) -> Self {
        let mut children = vec![0_u32; commits.len()];
        for parent in commits.iter().flat_map(|commit| &commit.parents) {
            if let Some(count) = children.get_mut(parent.0 as usize) {
                *count += 1;
            }
        }
        let mut run_of: Vec<u32> = Vec::with_capacity(commits.len());
        let mut before: Vec<Vec<u32>> = Vec::new();
        for commit in commits {
            let run = |parent: &CommitId| run_of.get(parent.0 as usize).copied();
            let only = match commit.parents.as_slice() {
                [parent] if children.get(parent.0 as usize) == Some(&1) => run(parent),
                _ => None,
            };
            let number = only.unwrap_or_else(|| {
                before.push(commit.parents.iter().filter_map(run).collect());
                u32::try_from(before.len() - 1).unwrap_or(u32::MAX)
            });
            run_of.push(number);
        }
        Self { run_of, before, reached: Mutex::default() }
    }

    /// `a` is an ancestor of `b`; no commit is its own.
    pub(super) fn is_ancestor(&self, a: CommitId, b: CommitId) -> bool {
        let run = |commit: CommitId| self.run_of.get(commit.0 as usize).copied();
        let (Some(run_a), Some(run_b)) = (run(a), run(b)) else {
            return false;
        };
        if a >= b {
            return false;
        }
        // A run is left only at its end, so all of an earlier run is before all of a later one.
        run_a == run_b
            || self
                .reached(run_b)
                .get(run_a as usize / 64)
                .is_some_and(|word| word >> (run_a % 64) & 1 == 1)
    }

    fn reached(&self, run: u32) -> Arc<Vec<u64>> {
        if let Some(known) = self.reached.lock().unwrap_or_else(PoisonError::into_inner).get(&run) {
            return Arc::clone(known);
        }
        let words = self.before.len().div_ceil(64);
        let mut reached = vec![0_u64; words];
        let mut stack = vec![run];
        while let Some(run) = stack.pop() {
            for earlier in self.before.get(run as usize).into_iter().flatten() {
                if let Some(word) = reached.get_mut(*earlier as usize / 64) {
                    let bit = 1 << (earlier % 64);
                    if *word & bit == 0 {
                        *word |= bit;
                        stack.push(*earlier);
                    }
                }
            }
        }
        let reached = Arc::new(reached);
        let mut known = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() * (words * 8 + 64) > MEMORY {
            known.clear();
        }
        known.insert(run, Arc::clone(&reached));
        reached
    }
}
