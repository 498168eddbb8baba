//! Which of two commits came first.

use std::collections::HashSet;

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

/// Answers whether one commit is an ancestor of another.
///
/// The longest chain of parents that ends at the audited commit is the main line. Of each commit it
/// is known which main line commit was the first to contain it and which was the last that it
/// contains; that decides nearly all questions. The others are searched for on the side branches
/// alone, which are cut into runs without a fork or a merge inside.
#[derive(Debug)]
pub(super) struct Ancestry {
    places: Vec<Place>,
    runs: Vec<Run>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    /// Position of the first main line commit that is this one or a descendant.
    joins: u32,
    /// One more than the position of the last main line commit that is this one or an ancestor.
    leaves: u32,
    run: u32,
}

#[derive(Debug, Default)]
struct Run {
    /// Runs of the first commit's parents.
    before: Vec<u32>,
    on_main: bool,
}

impl Ancestry {
    /// `commits` has parents before children and ends with the audited one.
    pub(super) fn new(commits: &[Commit]) -> Self {
        let main = main_line(commits);
        let mut children = vec![0_u32; commits.len()];
        let mut places = vec![Place { joins: u32::MAX, leaves: 0, run: 0 }; commits.len()];
        for (position, commit) in (0..).zip(&main) {
            places[commit.0 as usize] = Place { joins: position, leaves: position + 1, run: 0 };
        }
        let mut runs: Vec<Run> = Vec::new();
        for commit in commits {
            for parent in &commit.parents {
                children[parent.0 as usize] += 1;
            }
        }
        for (index, commit) in commits.iter().enumerate() {
            let on_main = places[index].leaves > 0;
            let of = |parent: &CommitId| places[parent.0 as usize];
            let leaves = commit.parents.iter().map(|parent| of(parent).leaves).max().unwrap_or(0);
            let continued = match commit.parents.as_slice() {
                [parent] if children[parent.0 as usize] == 1 => {
                    Some(of(parent).run).filter(|run| runs[*run as usize].on_main == on_main)
                }
                _ => None,
            };
            let run = continued.unwrap_or_else(|| {
                let before = commit.parents.iter().map(|parent| of(parent).run).collect();
                runs.push(Run { before, on_main });
                u32::try_from(runs.len() - 1).unwrap_or(u32::MAX)
            });
            places[index].leaves = places[index].leaves.max(leaves);
            places[index].run = run;
        }
        for (index, commit) in commits.iter().enumerate().rev() {
            let joins = places[index].joins;
            for parent in &commit.parents {
                let parent = &mut places[parent.0 as usize];
                parent.joins = parent.joins.min(joins);
            }
        }
        Self { places, runs }
    }

    /// `a` is an ancestor of `b`; no commit is its own.
    pub(super) fn is_ancestor(&self, a: CommitId, b: CommitId) -> bool {
        let place = |commit: CommitId| self.places.get(commit.0 as usize);
        let (Some(from), Some(to)) = (place(a), place(b)) else {
            return false;
        };
        if a >= b {
            return false;
        }
        if from.joins < to.leaves || from.run == to.run {
            return true;
        }
        let is_main = |run: u32| self.runs.get(run as usize).is_none_or(|run| run.on_main);
        if is_main(from.run) {
            return false;
        }
        // What a main line commit contains has joined by then, so the search ends there; and the
        // runs of ancestors have smaller numbers.
        let mut seen = HashSet::new();
        let mut stack = vec![to.run];
        while let Some(run) = stack.pop() {
            for before in self.runs.get(run as usize).iter().flat_map(|run| &run.before) {
                if *before == from.run {
                    return true;
                }
                if *before > from.run && !is_main(*before) && seen.insert(*before) {
                    stack.push(*before);
                }
            }
        }
        false
    }
}

/// The longest chain of parents that ends at the last commit, oldest first.
fn main_line(commits: &[Commit]) -> Vec<CommitId> {
    // Length of the longest chain that ends at each commit, and the parent it comes from.
    let mut chains: Vec<(u32, Option<CommitId>)> = Vec::with_capacity(commits.len());
    for commit in commits {
        let mut best = (0, None);
        for parent in &commit.parents {
            let length = chains[parent.0 as usize].0;
            if length > best.0 {
                best = (length, Some(*parent));
            }
        }
        chains.push((best.0 + 1, best.1));
    }
    let mut line = Vec::new();
    let mut at = u32::try_from(commits.len()).ok().and_then(|len| len.checked_sub(1)).map(CommitId);
    while let Some(commit) = at {
        line.push(commit);
        at = chains[commit.0 as usize].1;
    }
    line.reverse();
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::ObjectId;

    fn commits(parents: &[Vec<u32>]) -> Vec<Commit> {
        parents
            .iter()
            .map(|parents| Commit {
                oid: ObjectId([0; 20]),
                parents: parents.iter().map(|parent| CommitId(*parent)).collect(),
                author_time: 0,
                commit_time: 0,
                message: String::new(),
                boundary: false,
            })
            .collect()
    }

    /// Ancestors by the definition.
    fn contains(parents: &[Vec<u32>], a: u32, b: u32) -> bool {
        parents[b as usize].iter().any(|parent| *parent == a || contains(parents, a, *parent))
    }

    fn agree(parents: &[Vec<u32>]) {
        let ancestry = Ancestry::new(&commits(parents));
        let count = u32::try_from(parents.len()).unwrap_or(0);
        for a in 0..count {
            for b in 0..count {
                let expected = contains(parents, a, b);
                assert_eq!(
                    ancestry.is_ancestor(CommitId(a), CommitId(b)),
                    expected,
                    "{a} {b} of {parents:?}"
                );
            }
        }
    }

    #[test]
    fn knows_hand_made_graphs() {
        agree(&[vec![]]);
        agree(&[vec![], vec![0], vec![1]]);
        // A side branch with a fork of its own, merged late.
        agree(&[vec![], vec![0], vec![0], vec![1], vec![2], vec![2], vec![4, 5], vec![3, 6]]);
        // Criss-cross, two roots, an octopus.
        agree(&[vec![], vec![], vec![0], vec![0], vec![2, 3], vec![3, 2], vec![4, 5, 1]]);
    }

    proptest::proptest! {
        #[test]
        fn knows_any_graph(seed in proptest::collection::vec(proptest::collection::vec(0_u32..12, 0..4), 1..12)) {
            let mut parents: Vec<Vec<u32>> = Vec::new();
            for (index, wanted) in (0_u32..).zip(seed) {
                let mut list: Vec<u32> = Vec::new();
                for parent in wanted {
                    if parent < index && !list.contains(&parent) {
                        list.push(parent);
                    }
                }
                parents.push(list);
            }
            // All must be reachable from the last.
            let last = u32::try_from(parents.len()).unwrap_or(0);
            parents.push((0..last).filter(|a| !(0..last).any(|b| parents[b as usize].contains(a))).collect());
            agree(&parents);
        }
    }
}
