//! What of a finished audit is reported: the wanted kinds and the wanted confidence.

use super::args::AskedClaim;
use crate::checks::Confidence;
use crate::documents::Lines;
use crate::extract::Kind;
use crate::report::Asked;
use crate::rules::nearest;
use crate::verdict::{Audit, EndedClaim, JudgedClaim, Verdict};

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

/// The claim whose life somebody asks for: one that stands, else one that was taken back; else the
/// name of the nearest.
pub(super) fn find_any(audit: &Audit, asked: &AskedClaim) -> Result<Asked, Option<String>> {
    let here = |it: &EndedClaim| match asked {
        AskedClaim::Id(id) => it.id == *id,
        AskedClaim::Line(path, line) => {
            let lines = it.ended.lineage.claim.lines;
            it.ended.lineage.path == *path && (lines.start..=lines.end).contains(line)
        }
    };
    find(audit, asked)
        .map(Asked::Standing)
        .or_else(|nearest| audit.ended.iter().position(here).map(Asked::Ended).ok_or(nearest))
}

/// The claim that somebody asks for, by its place in the audit; else the name of the nearest.
pub(super) fn find(audit: &Audit, asked: &AskedClaim) -> Result<usize, Option<String>> {
    match asked {
        AskedClaim::Id(id) => {
            let known = audit.claims.iter().map(|judged| judged.id.as_str());
            known.clone().position(|known| known == id).ok_or_else(|| {
                let near = nearest(id, known);
                near.map(str::to_owned)
            })
        }
        AskedClaim::Line(path, line) => {
            let here = audit.claims.iter().enumerate().filter(|(_, it)| it.lineage.path == *path);
            // Of several on a line the one that has fewest others is meant.
            let best = here.min_by_key(|(_, it)| (distance(it, *line), lines(it), *line));
            match best {
                Some((at, judged)) if distance(judged, *line) == 0 => Ok(at),
                Some((_, judged)) => Err(Some(place(judged))),
                None => {
                    let known = audit.claims.iter().map(|judged| judged.lineage.path.as_str());
                    let near = nearest(path, known);
                    Err(near.and_then(|near| {
                        audit.claims.iter().find(|it| it.lineage.path == near).map(place)
                    }))
                }
            }
        }
    }
}

fn place(judged: &JudgedClaim) -> String {
    format!("{}:{}", judged.lineage.path, judged.lineage.claim.lines.start)
}

/// Lines between a line and the nearest of those on which a claim stands.
fn distance(judged: &JudgedClaim, line: u32) -> u32 {
    let claim = &judged.lineage.claim;
    let all = std::iter::once(&claim.lines).chain(&claim.also);
    let away = |it: &Lines| it.start.saturating_sub(line).max(line.saturating_sub(it.end));
    all.map(away).min().unwrap_or(u32::MAX)
}

fn lines(judged: &JudgedClaim) -> u32 {
    let lines = judged.lineage.claim.lines;
    lines.end.saturating_sub(lines.start)
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
    fn a_claim_is_found_by_its_id_and_by_its_line() {
        let audit = sample::audit();
        let by_id = |id: &str| find(&audit, &AskedClaim::Id(id.into()));
        let by_line = |path: &str, line| find(&audit, &AskedClaim::Line(path.into(), line));
        assert_eq!(by_id("c-00000003"), Ok(2));
        assert_eq!(by_id("c-0000003"), Err(Some("c-00000003".into())));
        assert_eq!(by_id("nothing like it"), Err(None));
        assert_eq!(by_line("RESULTS.md", 139), Ok(2));
        assert_eq!(by_line("RESULTS.md", 141), Err(Some("RESULTS.md:140".into())));
        assert_eq!(by_line("RESULT.md", 139), Err(Some("RESULTS.md:139".into())));
        assert_eq!(by_line("?", 1), Err(None));
    }

    #[test]
    fn only_the_wanted_kinds_are_left() {
        let mut audit = sample::audit();
        narrow(&mut audit, &[Kind::Success, Kind::Measurement], Confidence::Low);
        assert_eq!(audit.claims.len(), 4);
    }
}
