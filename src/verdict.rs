//! Verdicts: runs the checks over the claims and calls each evidence or a lead only.

use crate::checks::Reason;
use crate::history::{Caveat, ObjectId};
use crate::lineage::{Lineage, PitfallLineage};

/// What is said of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// No check has anything to say.
    Evidence,
    /// At least one reason holds.
    LeadOnly,
}

/// A claim with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedClaim {
    /// `c-` and eight hexadecimal digits, from subject and outcome; unique within an audit.
    pub id: String,
    /// Its life.
    pub lineage: Lineage,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is a lead; empty for evidence.
    pub reasons: Vec<Reason>,
}

/// A pitfall with its id.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownPitfall {
    /// `p-` and eight hexadecimal digits; unique within an audit.
    pub id: String,
    /// Its life.
    pub lineage: PitfallLineage,
}

/// The commit facts that reports print, for the commits that an audit names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitFacts {
    /// Its object id.
    pub oid: ObjectId,
    /// Seconds since 1970 UTC.
    pub author_time: i64,
    /// Seconds since 1970 UTC.
    pub commit_time: i64,
    /// First line of the message.
    pub summary: String,
}

/// A finished audit: all that any report needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// The audited commit.
    pub rev: ObjectId,
    /// Number of commits read.
    pub commits: usize,
    /// Number of documents at the audited commit.
    pub documents: usize,
    /// Facts by [`crate::history::CommitId`] for every commit of the history, in its order.
    pub facts: Vec<CommitFacts>,
    /// What could not be seen, sorted.
    pub caveats: Vec<Caveat>,
    /// By path, then line.
    pub claims: Vec<JudgedClaim>,
    /// By path, then line.
    pub pitfalls: Vec<KnownPitfall>,
    /// Rule packs used, as `id@version`.
    pub packs: Vec<String>,
}
