//! What of a finished audit is reported: the wanted kinds and the wanted confidence.

use crate::checks::Confidence;
use crate::extract::Kind;
use crate::verdict::{Audit, Verdict};

/// Keeps claims of these kinds (all where none is named) and reasons at least this sure.
///
/// A claim all of whose reasons are dropped stands as evidence at this threshold. Returns how many
/// reasons were dropped, so that the report can say that there are more.
pub(super) fn narrow(audit: &mut Audit, kinds: &[Kind], least: Confidence) -> usize {
    if !kinds.is_empty() {
        audit.claims.retain(|judged| kinds.contains(&judged.lineage.claim.kind));
    }
    let mut dropped = 0;
    for judged in &mut audit.claims {
        let before = judged.reasons.len();
        judged.reasons.retain(|reason| reason.confidence >= least);
        if judged.reasons.len() < before && judged.reasons.is_empty() {
            judged.verdict = Verdict::Evidence;
        }
        dropped += before - judged.reasons.len();
    }
    dropped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn leads(audit: &Audit) -> usize {
        audit.claims.iter().filter(|judged| judged.verdict == Verdict::LeadOnly).count()
    }

    #[test]
    fn everything_is_kept_by_default() {
        let mut audit = sample::audit();
        assert_eq!(narrow(&mut audit, &[], Confidence::Low), 0);
        assert_eq!(audit, sample::audit());
    }

    #[test]
    fn a_claim_without_reasons_left_is_evidence() {
        let mut audit = sample::audit();
        let before = leads(&audit);
        assert_eq!(narrow(&mut audit, &[], Confidence::High), 3);
        assert_eq!(leads(&audit), before - 1);
        assert!(
            audit
                .claims
                .iter()
                .all(|it| (it.verdict == Verdict::LeadOnly) != it.reasons.is_empty())
        );
    }

    #[test]
    fn only_the_wanted_kinds_are_left() {
        let mut audit = sample::audit();
        narrow(&mut audit, &[Kind::Success, Kind::Measurement], Confidence::Low);
        assert_eq!(audit.claims.len(), 4);
    }
}
