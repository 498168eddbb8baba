//! The ways in which a claim can be a lead and not evidence: a file per check.

use crate::documents::Lines;
use crate::history::ObjectId;

/// How sure a reason is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Worth a look.
    Low,
    /// Likely.
    Medium,
    /// As sure as the history can make it.
    High,
}

/// What the claim's own tree says of a pitfall's trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exposure {
    /// A trigger is set in a script, a configuration or a document outside a pitfall entry.
    InUse,
    /// No trace of it: nobody can say.
    Unrecorded,
}

/// By what it is known which of two commits came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderedBy {
    /// One is an ancestor of the other.
    Ancestry,
    /// Parallel branches: committer time.
    Time,
}

/// Something a reader can check by hand: printed as a git command that shows what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receipt {
    /// Lines of a document at a commit: `git show COMMIT:PATH | sed -n A,Bp`.
    Show {
        /// Which commit.
        commit: ObjectId,
        /// Document path at that commit.
        path: String,
        /// Which lines.
        lines: Lines,
    },
    /// What happened between two commits: `git log --format='%h %aI %s' FROM..TO -- PATH`.
    Between {
        /// Older end, not shown by git itself.
        from: ObjectId,
        /// Newer end.
        to: ObjectId,
        /// Limits the log to this path.
        path: String,
    },
    /// The commits themselves with both times: `git show -s --format=…  COMMIT…`.
    Commits(Vec<ObjectId>),
    /// That a token is (or is not) in a commit's tree: `git grep -nF -e TOKEN COMMIT`.
    Grep {
        /// The fixed string searched for.
        token: String,
        /// In which commit.
        commit: ObjectId,
    },
}

/// The pitfall side of a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Index into [`crate::verdict::Audit::pitfalls`].
    pub pitfall: usize,
    /// Author time of the pitfall minus author time of the last test, in seconds.
    pub lag_seconds: i64,
    /// What the claim's own tree says.
    pub exposure: Exposure,
    /// How the order is known.
    pub ordered_by: OrderedBy,
}

/// Why a claim is a lead only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The check's name.
    pub check: &'static str,
    /// How sure.
    pub confidence: Confidence,
    /// One sentence for people, without terminal controls.
    pub message: String,
    /// Set where a pitfall challenges the claim.
    pub challenge: Option<Challenge>,
    /// What a reader can run, in reading order.
    pub receipts: Vec<Receipt>,
}
