//! Everything known, read-only, and the questions that checks ask.
//!
//! Knows which pitfalls could have touched which claims, not which checks ask. What the trees of
//! the time said was gathered before ([`exposure`]), so nothing here can fail or look around.

mod challenge;
pub mod citations;
pub mod exposure;
mod gate;
mod opposites;
pub mod pins;
mod places;
mod relevance;
mod shared;
#[cfg(test)]
pub(crate) mod tests;
mod trigger;
mod values;
mod world;

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::extract::{Kind, Placed, Statements};
use crate::history::{Commit, CommitId, History, PerBlob};
use crate::lineage::{Lineage, Lineages, PitfallLineage};
use crate::rules::Weights;

pub use challenge::Challenge;
pub use opposites::Opposite;
pub use relevance::Relevance;
pub use values::Correction;
pub use world::{World, WorldChallenge};

use citations::{Citation, Citations};
use exposure::{Search, Traces};
use opposites::Subjects;
use pins::{Drift, Pins};
use places::Places;
use relevance::Commonness;
use values::Wordings;

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

/// The history and all that was read from it.
pub struct Ledger<'a> {
    history: &'a History,
    statements: &'a PerBlob<Statements>,
    lineages: &'a Lineages,
    search: &'a Search,
    traces: &'a Traces,
    citations: Option<&'a Citations>,
    pins: Option<&'a Pins>,
    world: Option<&'a World>,
    weights: &'a Weights,
    common: Commonness,
    places: Places<'a>,
    /// Failures that say what kind of trouble they were.
    failures: Vec<&'a Lineage>,
    /// How many of them each document tells.
    failures_in: HashMap<&'a str, usize>,
    /// Signs of the audited commit's documents that matter beyond the claims beside them.
    signs: Vec<(&'a str, &'a Placed)>,
    subjects: Subjects<'a>,
    wordings: Wordings<'a>,
    /// By claim; found out for all of them when first asked for one.
    challenges: OnceLock<HashMap<Key<'a>, Vec<Challenge>>>,
}

/// A claim of the audited commit: path, first line, what it says.
type Key<'a> = (&'a str, u32, u64);

impl<'a> Ledger<'a> {
    /// Opens the ledger. `traces` holds what `search` found in the trees of [`exposure::commits`];
    /// where a tree was left out, it counts as silent.
    pub fn new(
        history: &'a History,
        statements: &'a PerBlob<Statements>,
        lineages: &'a Lineages,
        search: &'a Search,
        traces: &'a Traces,
        weights: &'a Weights,
    ) -> Self {
        let (common, places) = (Commonness::new(lineages), Places::new(lineages));
        let says =
            |one: &&Lineage| one.claim.kind == Kind::Failure && !one.claim.effects.is_empty();
        let failures: Vec<&Lineage> = lineages.claims.iter().filter(says).collect();
        let mut failures_in = HashMap::<&str, usize>::new();
        for failure in &failures {
            *failures_in.entry(failure.path.as_str()).or_default() += 1;
        }
        let (citations, pins, world) = (None, None, None);
        let subjects = Subjects::new(&lineages.claims);
        let wordings = Wordings::new(&lineages.claims);
        let signs = placed(history, statements);
        Self {
            history,
            statements,
            lineages,
            search,
            traces,
            citations,
            pins,
            world,
            weights,
            common,
            places,
            failures,
            failures_in,
            signs,
            subjects,
            wordings,
            challenges: OnceLock::new(),
        }
    }

    /// What the audited commit's documents tell that matters beyond the claims beside it, by path,
    /// then line.
    pub fn signs(&self) -> impl Iterator<Item = (&'a str, &'a Placed)> {
        self.signs.iter().copied()
    }

    /// Adds what became of the things that claims refer to, what trees pinned, and what the world
    /// knows.
    #[must_use]
    pub fn with(mut self, citations: &'a Citations, pins: &'a Pins, world: &'a World) -> Self {
        (self.citations, self.pins, self.world) = (Some(citations), Some(pins), Some(world));
        self
    }

    /// What a claim refers to, with what became of it.
    pub fn citations(&self, claim: &Lineage) -> &'a [Citation] {
        self.citations.map_or(&[], |citations| citations.of(claim))
    }

    /// What a claim names that was pinned so when it was last tested and is pinned otherwise now.
    pub fn drifts(&self, claim: &Lineage) -> Vec<Drift> {
        self.pins.map(|pins| pins.drifts(claim, self.history.head())).unwrap_or_default()
    }

    /// The history.
    pub fn history(&self) -> &'a History {
        self.history
    }

    /// What each document says.
    pub fn statements(&self) -> &'a PerBlob<Statements> {
        self.statements
    }

    /// All claims and pitfalls of the audited commit.
    pub fn lineages(&self) -> &'a Lineages {
        self.lineages
    }

    /// A pitfall by its index.
    pub fn pitfall(&self, index: usize) -> Option<&'a PitfallLineage> {
        self.lineages.pitfalls.get(index)
    }

    /// A commit of the history.
    pub fn commit(&self, commit: CommitId) -> Option<&'a Commit> {
        self.history.commits().get(commit.0 as usize)
    }

    /// Author time of the pitfall's entry minus author time of the claim's last test, in seconds.
    /// Negative where a clock or a rebase says otherwise than the order.
    pub fn lag(&self, claim: &Lineage, pitfall: &PitfallLineage) -> i64 {
        let time = |commit| self.commit(commit).map_or(0, |commit| commit.author_time);
        time(pitfall.introduced.commit).saturating_sub(time(claim.last_tested.commit))
    }
}

fn placed<'a>(
    history: &'a History,
    statements: &'a PerBlob<Statements>,
) -> Vec<(&'a str, &'a Placed)> {
    let mut all = Vec::new();
    for (path, blob) in history.documents_at(history.head()) {
        let signs = statements.get(blob).map(|said| said.signs.as_slice()).unwrap_or_default();
        all.extend(signs.iter().map(|sign| (history.path(path), sign)));
    }
    all.sort_by_key(|(path, sign)| (*path, sign.lines));
    all
}

fn key(claim: &Lineage) -> Key<'_> {
    (&claim.path, claim.claim.lines.start, claim.claim.key)
}
