//! The life of a claim as a code flow: made, tested, doubted, still standing.

use super::model::{CodeFlow, Location, Step, Text, ThreadFlow};
use super::{location, plain, text};
use crate::lineage::Sighting;
use crate::report::{Receipts, effect_word, escape, facts, how_word, moment};
use crate::verdict::{Audit, JudgedClaim, KnownPitfall};

/// GitHub keeps no more related locations of a result.
const RELATED: usize = 100;

/// The pitfalls that challenge a claim, each once, the surest first.
pub(super) fn pitfalls<'a>(audit: &'a Audit, judged: &JudgedClaim) -> Vec<&'a KnownPitfall> {
    let mut indices = Vec::new();
    for challenge in judged.reasons.iter().filter_map(|it| it.challenge.as_ref()) {
        if !indices.contains(&challenge.pitfall) && indices.len() < RELATED {
            indices.push(challenge.pitfall);
        }
    }
    indices.into_iter().filter_map(|at| audit.pitfalls.get(at)).collect()
}

/// A pitfall as a related location, which messages link by its number.
pub(super) fn related(id: usize, known: &KnownPitfall) -> Location {
    let lineage = &known.lineage;
    let words = escape::cut(&lineage.pitfall.text, escape::TEXT_LIMIT);
    let said = format!("Pitfall ({}): {words}", effect_word(lineage.pitfall.effect));
    Location {
        id: Some(id),
        message: Some(text(&said)),
        ..location(&lineage.path, lineage.pitfall.lines)
    }
}

/// What happened to a claim, in the order of the history.
pub(super) fn history(
    audit: &Audit,
    receipts: Receipts,
    judged: &JudgedClaim,
    pitfalls: &[&KnownPitfall],
) -> CodeFlow {
    let lineage = &judged.lineage;
    let claim = || location(&lineage.path, lineage.claim.lines);
    let mut events = Vec::new();
    let before = if lineage.at_or_before { "at or before " } else { "" };
    events.push((
        &lineage.introduced,
        format!("Claim first stated {before}{}", seen(audit, receipts, &lineage.introduced)),
        claim(),
    ));
    if lineage.last_tested.commit != lineage.introduced.commit {
        let how = lineage.retests.last().map_or_else(String::new, |retest| {
            let words = escape::cut(&retest.words, escape::LINE_LIMIT);
            format!(", by its {}: {words}", how_word(retest.how))
        });
        let said = seen(audit, receipts, &lineage.last_tested);
        events.push((&lineage.last_tested, format!("Last tested {said}{how}"), claim()));
    }
    for known in pitfalls {
        let lineage = &known.lineage;
        let said = seen(audit, receipts, &lineage.introduced);
        let place = location(&lineage.path, lineage.pitfall.lines);
        events.push((&lineage.introduced, format!("Pitfall became known {said}"), place));
    }
    // Commits are numbered in the order of the history.
    events.sort_by_key(|(sighting, ..)| sighting.commit);
    let step = |(place, (sighting, said, location)): (usize, (&Sighting, String, Location))| Step {
        location: Location { message: Some(Text { text: plain(&said) }), ..location },
        execution_order: place,
        execution_time_utc: facts(audit, sighting.commit)
            .and_then(|it| moment::rfc3339(it.author_time)),
    };
    let mut steps: Vec<Step> = (1..).zip(events).map(step).collect();
    let said = text("Claim stands here in the audited commit");
    steps.push(Step {
        execution_order: steps.len() + 1,
        location: Location { message: Some(said), ..claim() },
        execution_time_utc: None,
    });
    CodeFlow { thread_flows: [ThreadFlow { locations: steps }] }
}

/// Commit, time, place then and summary of a sighting.
fn seen(audit: &Audit, receipts: Receipts, sighting: &Sighting) -> String {
    let place = format!("{}:{}", sighting.path, sighting.lines.start);
    let place = escape::cut(&place, 2 * escape::LINE_LIMIT);
    let Some(facts) = facts(audit, sighting.commit) else { return format!("as {place}") };
    let time = moment::utc(facts.author_time).unwrap_or_default();
    let summary = escape::cut(&facts.summary, escape::LINE_LIMIT);
    format!("in {} of {time} as {place}: {summary}", receipts.short(facts.oid))
}
