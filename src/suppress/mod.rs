//! Leads that somebody declared known: by a comment beside the claim, by an entry of the
//! configuration, or by a baseline.
//!
//! A suppression covers reasons, not claims: where a lead gets a further reason, it counts again. What
//! suppresses nothing, or no longer, is a caveat, so that dead decisions do not pile up.

mod baseline;
mod remark;

use std::collections::{BTreeMap, HashSet};

use chrono::NaiveDate;

use crate::checks::{Confidence, Reason};
use crate::history::Caveat;
use crate::verdict::{Audit, JudgedClaim, SuppressedBy, Suppression, Verdict};

pub use baseline::{Baseline, BaselineError};

/// An entry of the configuration: this claim is known to be a lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The claim's id.
    pub claim: String,
    /// The checks whose reasons it covers; all where there is none.
    pub checks: Vec<String>,
    /// Why, in somebody's words.
    pub reason: String,
    /// The last day on which it holds.
    pub until: Option<NaiveDate>,
    /// Where it is written, `file:line:column`.
    pub place: String,
}

/// What is known of leads, and by what it is judged.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// Entries of the configuration.
    pub entries: &'a [Entry],
    /// Leads of an earlier audit.
    pub baseline: Option<&'a Baseline>,
    /// The day on which entries are asked whether they still hold.
    pub today: NaiveDate,
    /// The checks that ran: nothing is said of suppressions of others.
    pub checks: &'a [&'a str],
    /// Every check's name.
    pub all_checks: &'a [&'a str],
    /// Confidence from which a reason makes a lead.
    pub threshold: Confidence,
}

/// Marks the leads that are known, and adds what is wrong with suppressions to the caveats.
///
/// With an audit `before` a change, only comments that stand there too hold: a change cannot excuse
/// itself.
pub fn suppress(audit: &mut Audit, known: &Known<'_>, before: Option<&Audit>) {
    let mut covers: BTreeMap<usize, Vec<Cover>> = BTreeMap::new();
    let mut caveats = Vec::new();
    remark::covers(audit, known, before, &mut covers, &mut caveats);
    of_entries(audit, known, &mut covers, &mut caveats);
    of_baseline(audit, known, &mut covers, &mut caveats);
    for (at, covers) in covers {
        if let Some(claim) = audit.claims.get_mut(at) {
            let open = reasons(claim, known).any(|it| !covers.iter().any(|by| by.covers(it)));
            if claim.verdict == Verdict::LeadOnly && !open {
                claim.suppression = covers.into_iter().next().map(|it| it.suppression);
            }
        }
    }
    audit.caveats.extend(caveats);
    audit.caveats.sort();
    audit.caveats.dedup();
}

/// One suppression that holds for a claim.
struct Cover {
    /// The checks whose reasons it covers; all where there is none.
    checks: Vec<String>,
    /// The pitfalls too, as a baseline knows them.
    exactly: Option<HashSet<(&'static str, Option<usize>)>>,
    suppression: Suppression,
}

impl Cover {
    fn covers(&self, reason: &Reason) -> bool {
        match &self.exactly {
            Some(known) => {
                let pitfall = reason.challenge.as_ref().map(|challenge| challenge.pitfall);
                known.contains(&(reason.check, pitfall))
            }
            None => self.checks.is_empty() || self.checks.iter().any(|it| it == reason.check),
        }
    }
}

/// The reasons that make a claim a lead.
fn reasons<'a>(
    claim: &'a JudgedClaim,
    known: &Known<'_>,
) -> impl Iterator<Item = &'a Reason> + use<'a> {
    let threshold = known.threshold;
    claim.reasons.iter().filter(move |reason| reason.confidence >= threshold)
}

/// Whether some of a suppression's checks ran, so that it can be said to be of no use.
fn ran(checks: &[String], known: &Known<'_>) -> bool {
    checks.is_empty() || checks.iter().any(|check| known.checks.contains(&check.as_str()))
}

fn of_entries(
    audit: &Audit,
    known: &Known<'_>,
    covers: &mut BTreeMap<usize, Vec<Cover>>,
    caveats: &mut Vec<Caveat>,
) {
    let note =
        |code, place: &str, what: String| Caveat { code, message: format!("{place}: {what}") };
    for entry in known.entries {
        let Entry { claim: id, checks, reason, until, place } = entry;
        if let Some(until) = until.filter(|until| *until < known.today) {
            let what = format!("the entry for {id} held until {until}");
            caveats.push(note("expired-suppression", place, what));
            continue;
        }
        let Some(at) = audit.claims.iter().position(|claim| claim.id == *id) else {
            let what = format!("no claim {id} stands in the documents any more");
            caveats.push(note("unused-suppression", place, what));
            continue;
        };
        let suppression = Suppression { by: SuppressedBy::Config, reason: reason.clone() };
        let cover = Cover { checks: checks.clone(), exactly: None, suppression };
        let used = audit
            .claims
            .get(at)
            .is_some_and(|claim| reasons(claim, known).any(|reason| cover.covers(reason)));
        if used {
            covers.entry(at).or_default().push(cover);
        } else if ran(checks, known) {
            let what = format!("{id} is no lead for such a reason");
            caveats.push(note("unused-suppression", place, what));
        }
    }
}

fn of_baseline(
    audit: &Audit,
    known: &Known<'_>,
    covers: &mut BTreeMap<usize, Vec<Cover>>,
    caveats: &mut Vec<Caveat>,
) {
    let Some(baseline) = known.baseline else {
        return;
    };
    let mut used = 0;
    for (at, claim) in audit.claims.iter().enumerate() {
        let Some(exactly) = baseline.reasons(audit, claim) else {
            continue;
        };
        let by = SuppressedBy::Baseline;
        let suppression = Suppression { by, reason: String::new() };
        let cover = Cover { checks: Vec::new(), exactly: Some(exactly), suppression };
        if reasons(claim, known).any(|reason| cover.covers(reason)) {
            used += 1;
            covers.entry(at).or_default().push(cover);
        }
    }
    if let Some(unused) = baseline.len().checked_sub(used).filter(|unused| *unused > 0) {
        let message = format!(
            "{unused} of {} entries of the baseline are leads no more: --write-baseline renews it",
            baseline.len()
        );
        caveats.push(Caveat { code: "unused-suppression", message });
    }
}
