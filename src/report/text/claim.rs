//! One claim: its line, and when it was made and tested.

use std::borrow::Cow;
use std::io;

use super::sheet::{Ink, Sheet, columns, padded};
use super::{Context, commit, place};
use crate::extract::Claim;
use crate::report::{escape, how_word, kind_word, word};
use crate::texts::Message;
use crate::verdict::{EndedClaim, JudgedClaim, Verdict};

/// The claims of a stack, a line each where all fit, else with their texts below.
pub(super) fn headers(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    claims: &[&JudgedClaim],
) -> io::Result<()> {
    let rows: Vec<(String, String, String)> = claims
        .iter()
        .map(|judged| {
            let lineage = &judged.lineage;
            let text = escape::cut(&said(&lineage.claim), escape::TEXT_LIMIT);
            (
                place(&lineage.path, lineage.claim.lines),
                word(context.language, "kind", kind_word(lineage.claim.kind)),
                format!("{text}  [{}]", judged.id),
            )
        })
        .collect();
    let places = rows.iter().map(|(place, ..)| columns(place)).max().unwrap_or(0);
    let kinds = rows.iter().map(|(_, kind, _)| columns(kind)).max().unwrap_or(0);
    let taken = indent + 2 + places + 2 + kinds + 2;
    let one_line = rows.iter().all(|(.., text)| sheet.fits(taken, text));
    for (judged, (place, kind, text)) in claims.iter().zip(&rows) {
        let (mark, ink) = mark(judged);
        let place = padded(place, places + 2);
        let kind = padded(kind, if one_line { kinds + 2 } else { 0 });
        let header =
            [(ink, mark), (Ink::Place(&judged.lineage.path), place.as_str()), (ink, kind.as_str())];
        if one_line {
            sheet.hang(indent, &header, (Ink::Plain, text))?;
        } else {
            sheet.line(indent, &header)?;
            sheet.hang(indent + 2, &[], (Ink::Plain, text))?;
        }
    }
    Ok(())
}

/// A claim that was taken back: where, what, and its text as it stood.
pub(super) fn ended(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    ended: &EndedClaim,
) -> io::Result<()> {
    let lineage = &ended.ended.lineage;
    let place = format!("{}  ", place(&lineage.path, lineage.claim.lines));
    let kind = word(context.language, "kind", kind_word(lineage.claim.kind));
    let header =
        [(Ink::Dim, "- "), (Ink::Place(&lineage.path), place.as_str()), (Ink::Dim, kind.as_str())];
    sheet.line(0, &header)?;
    let text = escape::cut(&said(&lineage.claim), escape::TEXT_LIMIT);
    sheet.hang(2, &[], (Ink::Plain, &format!("{text}  [{}]", ended.id)))
}

/// When a claim was first made and, where that is another commit, when it was last tested.
pub(super) fn life(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    judged: &JudgedClaim,
) -> io::Result<()> {
    let lineage = &judged.lineage;
    commit::sighting(
        sheet,
        context,
        indent,
        "label-introduced",
        &lineage.introduced,
        lineage.at_or_before,
    )?;
    if lineage.last_tested.commit == lineage.introduced.commit {
        return Ok(());
    }
    commit::sighting(sheet, context, indent, "label-last-tested", &lineage.last_tested, false)?;
    if let Some(retest) = lineage.retests.last() {
        let words = Message::new("by-its")
            .with("how", word(context.language, "how", how_word(retest.how)))
            .with("words", escape::cut(&retest.words, escape::LINE_LIMIT))
            .say(context.language);
        sheet.hang(indent, &[(Ink::Dim, &context.no_label())], (Ink::Dim, &words))?;
    } else if lineage.last_tested.commit < lineage.introduced.commit {
        let words = Message::new("corrected-since").say(context.language);
        sheet.hang(indent, &[(Ink::Dim, &context.no_label())], (Ink::Dim, &words))?;
    }
    Ok(())
}

/// The claim's text, with its subject before it where the text by itself does not say what it is
/// about: a table row whose subject is the table's caption.
fn said(claim: &Claim) -> Cow<'_, str> {
    let named = claim.subject.split_whitespace().any(|word| claim.text.contains(word));
    if named || claim.subject.is_empty() {
        Cow::Borrowed(&claim.text)
    } else {
        Cow::Owned(format!("{}: {}", claim.subject, claim.text))
    }
}

fn mark(judged: &JudgedClaim) -> (&'static str, Ink<'static>) {
    match judged.verdict {
        Verdict::Evidence => ("✓ ", Ink::Evidence),
        Verdict::LeadOnly if judged.suppression.is_some() => ("- ", Ink::Dim),
        Verdict::LeadOnly => ("? ", Ink::Lead),
    }
}
