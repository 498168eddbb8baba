//! One claim as a row of a table.

use super::Context;
use super::inline::{self, cell, code, short_code};
use crate::checks::Reason;
use crate::lineage::Sighting;
use crate::report::{
    confidence_word, escape, exposure_word, facts, how_word, kind_word, moment, word,
};
use crate::texts::{Arg, Message, text};
use crate::verdict::{JudgedClaim, SuppressedBy, Suppression};

/// Longest text of a claim in a table, in columns.
const CLAIM: usize = 160;

/// A lead under the pitfall that stands above its table.
pub(super) fn lead(context: Context<'_>, judged: &JudgedClaim, above: Option<usize>) -> String {
    let reasons: Vec<String> = judged.reasons.iter().map(|it| why(context, it, above)).collect();
    let tested = tested(context, judged);
    row(&[claim(context, judged), tested, reasons.join("<br>")])
}

/// A claim that was tested again.
pub(super) fn cleared(context: Context<'_>, judged: &JudgedClaim) -> String {
    let how = judged.lineage.retests.last().map_or_else(String::new, |retest| {
        Message::new("by-its")
            .with("how", word(context.language, "how", how_word(retest.how)))
            .with("words", short_code(&retest.words, escape::LINE_LIMIT))
            .say(context.language)
    });
    row(&[claim(context, judged), tested(context, judged), how])
}

/// A claim whose reasons are gone, without a test.
pub(super) fn lapsed(context: Context<'_>, judged: &JudgedClaim) -> String {
    row(&[claim(context, judged), tested(context, judged)])
}

/// A lead that somebody knows of.
pub(super) fn suppressed(
    context: Context<'_>,
    judged: &JudgedClaim,
    suppression: &Suppression,
) -> String {
    let by = match &suppression.by {
        SuppressedBy::Comment { path, line } => code(&format!("{path}:{line}")),
        SuppressedBy::Config => text(context.language, "comment-by-config"),
        SuppressedBy::Baseline => text(context.language, "comment-by-baseline"),
    };
    let reason = inline::prose(&escape::cut(&suppression.reason, CLAIM));
    row(&[claim(context, judged), by, reason])
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|it| cell(it)).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn claim(context: Context<'_>, judged: &JudgedClaim) -> String {
    let claim = &judged.lineage.claim;
    let place = context.place(&judged.lineage.path, claim.lines);
    let text = short_code(&claim.text, CLAIM);
    let kind = word(context.language, "kind", kind_word(claim.kind));
    format!("{place} {kind} {}<br>{text}", judged.id)
}

fn tested(context: Context<'_>, judged: &JudgedClaim) -> String {
    let lineage = &judged.lineage;
    let hidden = lineage.at_or_before && lineage.last_tested.commit == lineage.introduced.commit;
    let seen = sighting(context, &lineage.last_tested);
    if hidden {
        Message::new("at-or-before").with("commit", seen).say(context.language)
    } else {
        seen
    }
}

/// A commit and its day.
pub(super) fn sighting(context: Context<'_>, seen: &Sighting) -> String {
    let Some(facts) = facts(context.audit, seen.commit) else { return "–".into() };
    let commit = context.commit(facts.oid);
    match moment::utc(facts.author_time) {
        Some(time) => format!("{commit} {}", time.split(' ').next().unwrap_or_default()),
        None => commit,
    }
}

fn why(context: Context<'_>, reason: &Reason, above: Option<usize>) -> String {
    let challenge = reason.challenge.as_ref().filter(|it| Some(it.pitfall) == above);
    let said = match challenge {
        // The pitfall stands above the table; what differs from row to row is when and how sure.
        Some(challenge) => Message::new("comment-challenge")
            .with("lag", Arg::Span(challenge.lag_seconds.saturating_abs()))
            .with("order", if challenge.lag_seconds > 0 { "as-clocks" } else { "against-clocks" })
            .with("exposure", exposure_word(challenge.exposure))
            .say(context.language),
        None => inline::message(&reason.message, context.language),
    };
    let sure = word(context.language, "confidence", confidence_word(reason.confidence));
    format!("**{}** ({sure}): {said}", reason.check)
}
