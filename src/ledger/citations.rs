//! What became of the things that claims refer to: gathered before the ledger is made, as exposure
//! is. A reference to another repository is unknown, never missing.

use std::collections::HashMap;

use crate::extract::Reference;
use crate::history::ObjectId;
use crate::lineage::{Lineage, Sighting};

/// What is known of something that a claim refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is there: in the audited history, or in its tree.
    Here,
    /// A commit that the repository holds and the audited history does not.
    Apart(ObjectId),
    /// A commit of this repository, by its link, that the repository does not hold.
    Absent,
    /// A pull request that the forge says is neither merged nor closed.
    Open,
    /// A pull request that the forge says was closed without being merged.
    Closed,
    /// A pull request that the forge says was merged into this branch, with a commit that the audited
    /// history does not have.
    MergedElsewhere(String),
    /// A pull request whose title the forge says has changed since the claim was last tested.
    Retitled {
        /// The title then.
        from: String,
        /// The title now.
        to: String,
    },
    /// A file that stood in the repository and does not any more.
    Removed {
        /// Where it stood.
        path: String,
    },
    /// A document that stands at another place now.
    Moved {
        /// Where it stood.
        path: String,
        /// Where it stands.
        to: String,
    },
    /// A section that a document had and has not any more.
    SectionGone {
        /// The document, where it stands now.
        path: String,
        /// The section's title as it was.
        title: String,
    },
    /// A section that says the opposite of a subject now.
    Reversed {
        /// Its title.
        title: String,
        /// What it says now.
        now: Sighting,
    },
}

/// A reference of a claim, with what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// What is referred to.
    pub reference: Reference,
    /// `None` where nobody can say.
    pub standing: Option<Standing>,
}

/// The references of all claims of the audited commit.
#[derive(Debug, Default)]
pub struct Citations {
    by_claim: HashMap<(String, u32, u64), Vec<Citation>>,
}

impl Citations {
    /// Adds what a claim refers to.
    pub fn add(&mut self, claim: &Lineage, citations: Vec<Citation>) {
        if !citations.is_empty() {
            self.by_claim.insert(key(claim), citations);
        }
    }

    /// What a claim refers to, in the order of the rules.
    pub fn of(&self, claim: &Lineage) -> &[Citation] {
        self.by_claim.get(&key(claim)).map_or(&[], Vec::as_slice)
    }
}

fn key(claim: &Lineage) -> (String, u32, u64) {
    (claim.path.clone(), claim.claim.lines.start, claim.claim.key)
}
