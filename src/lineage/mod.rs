//! One claim across edits, moves and renames: when it was first made, when last tested.
//!
//! Knows nothing of a pitfall's effect, of verdicts, or why anybody asks.

use crate::documents::Lines;
use crate::extract::{Claim, Pitfall};
use crate::history::CommitId;

/// A place in the history at which a statement was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// In which commit's tree.
    pub commit: CommitId,
    /// Document path at that commit.
    pub path: String,
    /// Lines in that version of the document.
    pub lines: Lines,
}

/// How a retest is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// The commit message says so about this subject.
    Message,
    /// The claim's own number was replaced by a newly measured one.
    Number,
    /// The claim's outcome was replaced.
    Outcome,
    /// A `Retest:` trailer.
    Trailer,
    /// The document says that it was confirmed.
    Text,
}

/// A later commit that really ran the subject again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retest {
    /// Which commit.
    pub commit: CommitId,
    /// How it is known.
    pub how: How,
    /// The words it rests on.
    pub words: String,
}

/// One claim that stands at the audited commit, with its life.
#[derive(Clone, Debug, PartialEq)]
pub struct Lineage {
    /// As it stands at the audited commit.
    pub claim: Claim,
    /// Document path at the audited commit.
    pub path: String,
    /// The oldest commit that gives this subject this outcome.
    pub introduced: Sighting,
    /// The newest commit that measured it again; `introduced` where there is none.
    pub last_tested: Sighting,
    /// Retests in order, oldest first.
    pub retests: Vec<Retest>,
    /// The origin is hidden by a cut-off history: `introduced` is "at or before".
    pub at_or_before: bool,
}

/// One pitfall that stands at the audited commit.
#[derive(Clone, Debug, PartialEq)]
pub struct PitfallLineage {
    /// As it stands at the audited commit.
    pub pitfall: Pitfall,
    /// Document path at the audited commit.
    pub path: String,
    /// The oldest commit that names its trigger together with the ban or the effect.
    pub introduced: Sighting,
    /// The origin is hidden by a cut-off history.
    pub at_or_before: bool,
}
