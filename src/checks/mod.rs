//! The ways in which a claim can be a lead and not evidence: a file per check.

pub mod arithmetic;
pub mod blind_probe;
pub mod config_drift;
pub mod confounded;
pub mod contradicted;
pub mod estimate;
pub mod invariant;
pub mod predates_pitfall;
pub mod second_hand;
pub mod stale_citation;
pub mod truncated_history;
pub mod unmerged_fix;
pub mod wrong_phase;

use crate::documents::Lines;
use crate::extract::{Hedge, HedgeClass};
use crate::history::ObjectId;
use crate::ledger::Ledger;
use crate::lineage::{Lineage, Sighting};
use crate::texts::{self, Language, Message};

pub use crate::history::OrderedBy;
pub use crate::ledger::{Confidence, Exposure};

/// One way in which a claim can be a lead and not evidence.
///
/// A check reads the ledger and nothing else: no repository, no options, no other check. No
/// reason means "nothing to say", never "evidence". What it says, and what `--explain` tells of it,
/// stands in the language files under its name ([`crate::texts`]).
pub trait Check: Sync {
    /// Kebab-case, equal to the file's name. Users write it after `--no-check`: it never changes.
    fn name(&self) -> &'static str;
    /// Whether it runs where nobody names it: a check that too often says what its readers would not
    /// defend waits until somebody asks for it.
    fn on_by_default(&self) -> bool {
        true
    }
    /// Why this claim is a lead, as far as this check can see.
    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason>;
}

/// Every check, in the order in which reports list reasons.
pub const ALL: &[&dyn Check] = &[
    &predates_pitfall::PredatesPitfall,
    &contradicted::Contradicted,
    &truncated_history::TruncatedHistory,
    &unmerged_fix::UnmergedFix,
    &stale_citation::StaleCitation,
    &config_drift::ConfigDrift,
    &second_hand::SecondHand,
    &estimate::Estimate,
    &invariant::Invariant,
    &blind_probe::BlindProbe,
    &wrong_phase::WrongPhase,
    &confounded::Confounded,
    &arithmetic::Arithmetic,
];

/// A check explained to its users, a paragraph each on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guide {
    /// What it says of a claim, and why that matters.
    pub what: String,
    /// An example in which it fires.
    pub fires: String,
    /// An example in which it does not.
    pub silent: String,
    /// What to do about its reason.
    pub fix: String,
}

impl Guide {
    /// What the language files say of a check.
    pub fn of(check: &dyn Check, language: Language) -> Self {
        let text = |part: &str| {
            let text = texts::text(language, &format!("{}.{part}", check.name()));
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        Self {
            what: text("explain"),
            fires: text("fires"),
            silent: text("silent"),
            fix: text("fix"),
        }
    }
}

/// Something a reader can check by hand: reports print it as a git command that shows what it says.
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
    /// What a commit has that another has not: `git log --format='%h %aI %s' FROM..TO`.
    Beyond {
        /// The audited commit.
        from: ObjectId,
        /// The commit that it lacks.
        to: ObjectId,
    },
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
    /// The check's name; [`crate::verdict::judge`] writes it.
    pub check: &'static str,
    /// How sure.
    pub confidence: Confidence,
    /// One sentence for people; the text has the check's name.
    pub message: Message,
    /// Set where a pitfall challenges the claim.
    pub challenge: Option<Challenge>,
    /// Id of the rule, where what challenges the claim is a pitfall that a rule pack knows.
    pub known: Option<String>,
    /// What a reader can run, in reading order.
    pub receipts: Vec<Receipt>,
}

impl Reason {
    /// A reason without receipts.
    pub fn new(confidence: Confidence, message: Message) -> Self {
        Self { check: "", confidence, message, challenge: None, known: None, receipts: Vec::new() }
    }

    /// Adds a receipt, if there is one.
    #[must_use]
    pub fn receipt(mut self, receipt: Option<Receipt>) -> Self {
        self.receipts.extend(receipt);
        self
    }
}

impl Receipt {
    /// The lines at which something was seen.
    pub fn show(ledger: &Ledger<'_>, seen: &Sighting) -> Option<Self> {
        let commit = ledger.commit(seen.commit)?.oid;
        Some(Self::Show { commit, path: seen.path.clone(), lines: seen.lines })
    }
}

/// Where a claim stands at the audited commit.
fn standing(claim: &Lineage, ledger: &Ledger<'_>) -> Sighting {
    let commit = ledger.history().head();
    Sighting { commit, path: claim.path.clone(), lines: claim.claim.lines }
}

/// Words of a repository inside a message: on one line, cut where they go on too long.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 80;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
    }
}

/// The hedges of one class, the surest first: in the claim's own words, then around it, then in
/// another part of its sentence.
fn hedges(claim: &Lineage, class: HedgeClass) -> Vec<(Confidence, &Hedge)> {
    let own = |hedge: &Hedge| {
        let text = claim.claim.text.to_lowercase();
        !hedge.words.trim().is_empty() && text.contains(&hedge.words.trim().to_lowercase())
    };
    let mut found: Vec<_> = claim
        .claim
        .hedges
        .iter()
        .filter(|hedge| hedge.class == class)
        .map(|hedge| {
            let confidence = match hedge {
                hedge if hedge.aside => Confidence::Low,
                hedge if own(hedge) => Confidence::High,
                _ => Confidence::Medium,
            };
            (confidence, hedge)
        })
        .collect();
    found.sort_by_key(|(confidence, _)| std::cmp::Reverse(*confidence));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_cut_between_characters() {
        assert_eq!(excerpt(" a\n b "), "a b");
        assert_eq!(excerpt(&"三".repeat(100)).chars().count(), 81);
    }

    #[test]
    fn checks_have_names_of_their_own() {
        let mut names: Vec<_> = ALL.iter().map(|check| check.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        for language in Language::ALL {
            for name in &names {
                assert!(texts::has(*language, name), "{name} has no text in {}", language.tag());
                for part in ["explain", "fires", "silent", "fix"] {
                    let part = format!("{name}.{part}");
                    assert!(texts::has(*language, &part), "no {part} in {}", language.tag());
                }
            }
        }
    }
}
