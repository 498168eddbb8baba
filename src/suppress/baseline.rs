//! The leads of an earlier audit, in a file: one a line, sorted, without lines or times, so that it
//! changes only where leads do and merges like text.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::checks::{Confidence, Reason};
use crate::verdict::{Audit, JudgedClaim, Verdict};

/// What the first line says.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    claim_audit_baseline: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// The claim's id.
    claim: String,
    /// Subject and outcome in full: ids are short and can collide.
    outcome: String,
    /// Checks, with the pitfall that each rests on.
    reasons: BTreeSet<String>,
}

/// Leads that were known at some time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    leads: BTreeMap<(String, String), BTreeSet<String>>,
}

/// Why a text is no baseline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BaselineError {
    /// Counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl Baseline {
    /// The leads of an audit with their reasons from a confidence on.
    pub fn of(audit: &Audit, threshold: Confidence) -> Self {
        let leads = audit.claims.iter().filter(|claim| claim.verdict == Verdict::LeadOnly);
        let entry = |claim: &JudgedClaim| {
            let sure = claim.reasons.iter().filter(|reason| reason.confidence >= threshold);
            (key(claim), sure.map(|reason| name(audit, reason)).collect())
        };
        Self { leads: leads.map(entry).collect() }
    }

    /// Reads a file that [`Baseline::to_text`] wrote.
    ///
    /// # Errors
    /// Names the line that is none of such a file.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let fail = |line, message: String| BaselineError { line, message };
        let head = lines.next().and_then(|(_, line)| serde_json::from_str::<Head>(line).ok());
        match head.map(|head| head.claim_audit_baseline) {
            Some(VERSION) => {}
            Some(other) => return Err(fail(1, format!("a baseline of version {other}"))),
            None => return Err(fail(1, "not a baseline".to_owned())),
        }
        let mut leads = BTreeMap::new();
        for (number, line) in lines {
            let line: Line =
                serde_json::from_str(line).map_err(|error| fail(number, error.to_string()))?;
            leads.insert((line.claim, line.outcome), line.reasons);
        }
        Ok(Self { leads })
    }

    /// The file.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // A string takes what is written to it, and these types are JSON.
        let head = serde_json::to_string(&Head { claim_audit_baseline: VERSION });
        let _ = writeln!(text, "{}", head.unwrap_or_default());
        for ((claim, outcome), reasons) in &self.leads {
            let (claim, outcome) = (claim.clone(), outcome.clone());
            let line = serde_json::to_string(&Line { claim, outcome, reasons: reasons.clone() });
            let _ = writeln!(text, "{}", line.unwrap_or_default());
        }
        text
    }

    /// How many leads it holds.
    pub fn len(&self) -> usize {
        self.leads.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.leads.is_empty()
    }

    /// The check and the pitfall of those reasons of a claim that it holds; `None` where it does not
    /// hold the claim.
    pub(super) fn reasons(
        &self,
        audit: &Audit,
        claim: &JudgedClaim,
    ) -> Option<HashSet<(&'static str, Option<usize>)>> {
        let known = self.leads.get(&key(claim))?;
        let held = claim.reasons.iter().filter(|reason| known.contains(&name(audit, reason)));
        let pitfall = |reason: &Reason| reason.challenge.as_ref().map(|it| it.pitfall);
        Some(held.map(|reason| (reason.check, pitfall(reason))).collect())
    }
}

fn key(claim: &JudgedClaim) -> (String, String) {
    (claim.id.clone(), format!("{:016x}", claim.lineage.claim.key))
}

fn name(audit: &Audit, reason: &Reason) -> String {
    let pitfall = reason.challenge.as_ref().and_then(|it| audit.pitfalls.get(it.pitfall));
    match pitfall {
        Some(pitfall) => format!("{} {}", reason.check, pitfall.id),
        None => reason.check.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn what_is_written_is_read_back() {
        let baseline = Baseline::of(&sample::audit(), Confidence::Low);
        assert!(baseline.len() > 3);
        let text = baseline.to_text();
        assert_eq!(Baseline::parse(&text).unwrap(), baseline);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert!(lines.is_sorted(), "{text}");
    }

    #[test]
    fn what_is_no_baseline_is_refused_by_its_line() {
        for (text, line) in [
            ("", 1),
            ("[]", 1),
            ("{\"claim_audit_baseline\":2}", 1),
            ("{\"claim_audit_baseline\":1}\nx", 2),
            (
                "{\"claim_audit_baseline\":1}\n\n{\"claim\":\"c\",\"outcome\":\"x\",\"reasons\":[],\"a\":1}",
                3,
            ),
        ] {
            assert_eq!(Baseline::parse(text).unwrap_err().line, line, "{text}");
        }
    }
}
