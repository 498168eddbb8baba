//! Which documents lie so near to each other that what one tells may bear on another.
//!
//! In a small repository everything is about one thing. In a large one a phase or a flag that two
//! documents name links them no more than the language they are written in: what they are about is
//! told by the folder in which they lie.

use std::collections::{BTreeSet, HashMap};

use crate::lineage::Lineages;

/// How many documents that say something lie in each folder and below it.
#[derive(Debug, Default)]
pub(super) struct Places<'a> {
    folders: HashMap<&'a str, usize>,
}

impl<'a> Places<'a> {
    /// Counts the documents of the claims and pitfalls.
    pub(super) fn new(lineages: &'a Lineages) -> Self {
        let claims = lineages.claims.iter().map(|it| it.path.as_str());
        let pitfalls = lineages.pitfalls.iter().map(|it| it.path.as_str());
        let mut folders = HashMap::new();
        for path in claims.chain(pitfalls).collect::<BTreeSet<_>>() {
            above(path).for_each(|folder| *folders.entry(folder).or_default() += 1);
        }
        Self { folders }
    }

    /// Whether two documents are one, or the smallest folder that holds both has at most so many.
    pub(super) fn near(&self, one: &str, other: &str, most: usize) -> bool {
        let shared = || above(one).find(|folder| above(other).any(|it| it == *folder));
        one == other
            || shared().and_then(|it| self.folders.get(it)).is_none_or(|count| *count <= most)
    }
}

/// The folders that hold a path, the smallest first; the root is empty.
fn above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(parent(path), |folder| parent(folder))
}

fn parent(path: &str) -> Option<&str> {
    (!path.is_empty()).then(|| path.rsplit_once('/').map_or("", |(folder, _)| folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_those_above() {
        assert_eq!(above("a/b/c.md").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(above("c.md").collect::<Vec<_>>(), [""]);
    }

    #[test]
    fn few_documents_are_near_to_each_other() {
        let folders = HashMap::from([("", 30), ("notes", 20), ("notes/a", 3), ("book", 10)]);
        let places = Places { folders };
        let near = |one, other| places.near(one, other, 12);
        assert!(near("notes/a/x.md", "notes/a/y.md") && near("book/x.md", "book/y/z.md"));
        assert!(near("notes/x.md", "notes/x.md"));
        assert!(!near("notes/a/x.md", "notes/y.md") && !near("notes/x.md", "book/y.md"));
        assert!(!near("x.md", "y.md"));
    }
}
