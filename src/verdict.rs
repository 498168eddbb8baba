//! Verdicts: runs the checks over the claims and calls each evidence or a lead only.

use crate::checks::{Check, Confidence, Reason};
use crate::documents::Format;
use crate::history::{Blob, Caveat, ObjectId};
use crate::ledger::Ledger;
use crate::lineage::{self, Ended, Lineage, PitfallLineage, RemarkLineage};

/// What is said of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// No check has anything to say at the threshold.
    Evidence,
    /// At least one reason holds.
    LeadOnly,
}

/// From which confidence on a reason makes a lead, where nobody says otherwise.
pub const DEFAULT_THRESHOLD: Confidence = Confidence::Medium;

/// A claim with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedClaim {
    /// `c-` and eight hexadecimal digits, from subject and outcome; unique within an audit.
    pub id: String,
    /// Its life.
    pub lineage: Lineage,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is a lead, the surest first. Evidence has only reasons below the threshold.
    pub reasons: Vec<Reason>,
    /// Set where somebody decided that this lead is known. Reports list it as suppressed, never as
    /// evidence, and it does not count towards the exit status.
    pub suppression: Option<Suppression>,
}

impl JudgedClaim {
    /// Whether it is a lead that nobody declared known: only such ones count.
    pub fn counts(&self) -> bool {
        self.verdict == Verdict::LeadOnly && self.suppression.is_none()
    }
}

/// Who said that a lead is known, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// Where it is written down.
    pub by: SuppressedBy,
    /// Why, in that person's words; empty for a baseline.
    pub reason: String,
}

/// Where a suppression is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuppressedBy {
    /// A comment beside the claim.
    Comment {
        /// The document.
        path: String,
        /// 1-based.
        line: u32,
    },
    /// An entry of the configuration.
    Config,
    /// The baseline file.
    Baseline,
}

/// A claim that is taken back, with the id that it had. Nothing judges it any more.
#[derive(Clone, Debug, PartialEq)]
pub struct EndedClaim {
    /// `c-` and eight hexadecimal digits.
    pub id: String,
    /// Its life and its end.
    pub ended: Ended,
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
    /// The address that the repository was cloned from, without names and passwords.
    pub remote: Option<String>,
    /// Number of commits read.
    pub commits: usize,
    /// Number of documents at the audited commit that could be read.
    pub documents: usize,
    /// Facts by [`crate::history::CommitId`] for every commit of the history, in its order.
    pub facts: Vec<CommitFacts>,
    /// What could not be seen, sorted.
    pub caveats: Vec<Caveat>,
    /// By path, then line.
    pub claims: Vec<JudgedClaim>,
    /// What is struck out or withdrawn, by path, then line.
    pub ended: Vec<EndedClaim>,
    /// By path, then line.
    pub pitfalls: Vec<KnownPitfall>,
    /// What comments in the documents tell this program, by path, then line.
    pub remarks: Vec<RemarkLineage>,
    /// Rule packs used, as `id@version`.
    pub packs: Vec<String>,
}

/// Asks every check about every claim.
///
/// A claim is evidence if no reason reaches `threshold`; weaker reasons stay with it, to be shown.
/// Caveats of anything but the history and the documents are the caller's to add, and the remote.
pub fn judge(
    ledger: &Ledger<'_>,
    checks: &[&dyn Check],
    threshold: Confidence,
    packs: Vec<String>,
) -> Audit {
    let history = ledger.history();
    let lineages = ledger.lineages();
    let claims = lineage::claim_ids(&lineages.claims)
        .into_iter()
        .zip(&lineages.claims)
        .map(|(id, lineage)| {
            let reasons = reasons(ledger, checks, lineage);
            let lead = reasons.iter().any(|reason| reason.confidence >= threshold);
            let verdict = if lead { Verdict::LeadOnly } else { Verdict::Evidence };
            JudgedClaim { id, lineage: lineage.clone(), verdict, reasons, suppression: None }
        })
        .collect();
    let ended = lineage::ended_ids(&lineages.ended)
        .into_iter()
        .zip(&lineages.ended)
        .map(|(id, ended)| EndedClaim { id, ended: ended.clone() })
        .collect();
    let pitfalls = lineage::pitfall_ids(&lineages.pitfalls)
        .into_iter()
        .zip(&lineages.pitfalls)
        .map(|(id, lineage)| KnownPitfall { id, lineage: lineage.clone() })
        .collect();
    let facts = history.commits().iter().map(|commit| CommitFacts {
        oid: commit.oid,
        author_time: commit.author_time,
        commit_time: commit.commit_time,
        summary: commit.message.lines().next().unwrap_or_default().to_owned(),
    });
    let mut caveats = history.caveats().to_vec();
    caveats.extend_from_slice(ledger.statements().caveats());
    caveats.sort();
    caveats.dedup();
    Audit {
        rev: ledger.commit(history.head()).map_or(ObjectId([0; 20]), |head| head.oid),
        remote: None,
        commits: history.commits().len(),
        documents: history
            .documents_at(history.head())
            .into_iter()
            .filter(|(_, blob)| ledger.statements().get(*blob).is_some())
            .filter(|(_, blob)| history.blobs().get(blob.0 as usize).is_some_and(is_text))
            .count(),
        facts: facts.collect(),
        caveats,
        claims,
        ended,
        pitfalls,
        remarks: lineages.remarks.clone(),
        packs,
    }
}

/// Scripts are read for their warnings only: no reader would call them documents.
fn is_text(blob: &Blob) -> bool {
    Format::of_tag(blob.kind) != Some(Format::Script)
}

fn reasons(ledger: &Ledger<'_>, checks: &[&dyn Check], claim: &Lineage) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for check in checks {
        let found = check.reasons(claim, ledger).into_iter();
        reasons.extend(found.map(|reason| Reason { check: check.name(), ..reason }));
    }
    // Stable: equally sure reasons stay in the order of the checks.
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.confidence));
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::{ALL, Receipt};
    use crate::documents::Lines;
    use crate::ledger::tests::open;
    use crate::lineage::fixture::{Repo, START};
    use crate::texts::Language;

    const RESULTS: &str = "S 4 cards => works\nF 3 cards => illegal access in weight repack\n\
                           F 2 cards => !cause 140 GB do not fit\nM 8 cards => ~estimate 12.5 tok/s\n\
                           S 9 cards => ~reported works\n";
    const BAN: &str = "P crash ALLOC_CONF=grow:True => unusable, hard fail at @load\n";

    fn story() -> Repo {
        let mut repo = Repo::new();
        repo.then(0, "results", &[("RESULTS.md", RESULTS)]);
        repo.then(78_349, "ban\n\nbody", &[("RESULTS.md", &format!("{RESULTS}{BAN}"))]);
        repo
    }

    type Judged<'a> = (&'a str, Verdict, Vec<(&'static str, Confidence)>);

    fn judged(audit: &Audit) -> Vec<Judged<'_>> {
        let reasons = |claim: &JudgedClaim| {
            claim.reasons.iter().map(|one| (one.check, one.confidence)).collect::<Vec<_>>()
        };
        audit
            .claims
            .iter()
            .map(|claim| (claim.lineage.claim.subject.as_str(), claim.verdict, reasons(claim)))
            .collect()
    }

    #[test]
    fn leads_are_what_a_check_can_doubt() {
        let opened = open(&story());
        let audit = judge(&opened.ledger(), ALL, DEFAULT_THRESHOLD, vec!["core@1".into()]);
        let low = Confidence::Low;
        assert_eq!(
            judged(&audit),
            [
                ("4 cards", Verdict::Evidence, vec![]),
                ("3 cards", Verdict::LeadOnly, vec![("predates-pitfall", Confidence::Medium)]),
                ("2 cards", Verdict::Evidence, vec![("predates-pitfall", low)]),
                ("8 cards", Verdict::LeadOnly, vec![("estimate", Confidence::High)]),
                ("9 cards", Verdict::LeadOnly, vec![("second-hand", Confidence::High)]),
            ]
        );
        assert!(audit.claims[2].reasons.iter().all(|reason| reason.confidence == low));
        assert_eq!((audit.commits, audit.documents, audit.facts.len()), (2, 1, 2));
        assert_eq!(audit.facts[1].summary, "ban");
        assert_eq!(audit.facts[1].author_time, START + 78_349);
        assert_eq!(audit.rev, audit.facts[1].oid);
        assert_eq!(audit.pitfalls.len(), 1);

        let reason = &audit.claims[1].reasons[0];
        let challenge = reason.challenge.as_ref().unwrap();
        assert_eq!((challenge.pitfall, challenge.lag_seconds), (0, 78_349));
        assert!(
            reason
                .message
                .say(Language::English)
                .starts_with("Last tested 21 h 45 m before the pitfall ALLOC_CONF=grow:True")
        );
        let [from, to] = [audit.facts[0].oid, audit.facts[1].oid];
        let show = |commit, line| Receipt::Show {
            commit,
            path: "RESULTS.md".into(),
            lines: Lines { start: line, end: line },
        };
        assert_eq!(
            reason.receipts,
            [
                show(from, 2),
                show(to, 6),
                Receipt::Between { from, to, path: "RESULTS.md".into() },
                Receipt::Grep { token: "ALLOC_CONF=grow:True".into(), commit: from },
            ]
        );
    }

    #[test]
    fn without_a_check_exactly_its_reasons_are_missing() {
        let opened = open(&story());
        let all = judge(&opened.ledger(), ALL, DEFAULT_THRESHOLD, vec![]);
        for left_out in ALL {
            let checks: Vec<_> =
                ALL.iter().copied().filter(|check| check.name() != left_out.name()).collect();
            let audit = judge(&opened.ledger(), &checks, DEFAULT_THRESHOLD, vec![]);
            for (before, after) in all.claims.iter().zip(&audit.claims) {
                let mut expected = before.reasons.clone();
                expected.retain(|reason| reason.check != left_out.name());
                assert_eq!(expected, after.reasons);
            }
        }
    }

    #[test]
    fn the_threshold_decides_what_a_weak_reason_is_worth() {
        let opened = open(&story());
        let leads = |threshold| {
            let audit = judge(&opened.ledger(), ALL, threshold, vec![]);
            audit.claims.iter().filter(|claim| claim.verdict == Verdict::LeadOnly).count()
        };
        assert!(leads(Confidence::Low) >= leads(Confidence::Medium));
        assert!(leads(Confidence::Medium) >= leads(Confidence::High));
    }

    #[test]
    fn a_cut_off_history_makes_leads() {
        let repo = story();
        std::fs::write(repo.path().join(".git/shallow"), format!("{}\n", repo.commits[1])).unwrap();
        let opened = open(&repo);
        let audit = judge(&opened.ledger(), ALL, DEFAULT_THRESHOLD, vec![]);
        assert!(audit.claims.iter().all(|claim| claim.verdict == Verdict::LeadOnly));
        let truncated =
            |claim: &JudgedClaim| claim.reasons.iter().any(|one| one.check == "truncated-history");
        assert!(audit.claims.iter().all(truncated));
        assert!(!audit.caveats.is_empty());
    }
}
