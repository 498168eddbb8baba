//! What stands at the end: evidence in numbers, the pitfalls that matter most, the sum.

use std::collections::BTreeMap;
use std::io;

use super::sheet::{Ink, Sheet, columns, padded};
use super::{Context, change, claim, pitfall, place};
use crate::extract::Kind;
use crate::report::{Options, basis, escape, leads, sum, suppressed};
use crate::texts::{self, Message};
use crate::verdict::{JudgedClaim, SuppressedBy, Verdict};

/// How many of the pitfalls that challenge claims are named at the end.
const RANKED: usize = 10;

pub(super) fn evidence(sheet: &mut Sheet<'_>, context: Context<'_>, all: bool) -> io::Result<()> {
    let mut documents: BTreeMap<&str, Vec<&JudgedClaim>> = BTreeMap::new();
    for judged in context.audit.claims.iter().filter(|it| it.verdict == Verdict::Evidence) {
        documents.entry(&judged.lineage.path).or_default().push(judged);
    }
    let count: usize = documents.values().map(Vec::len).sum();
    if count == 0 {
        return Ok(());
    }
    let heading = texts::text(context.language, "heading-evidence");
    let mut count = format!("  {}", context.counted("claims", count));
    if !all {
        count.push_str("  ");
        count.push_str(&texts::text(context.language, "all-lists-them"));
    }
    sheet.line(0, &[(Ink::Strong, &heading), (Ink::Dim, &count)])?;
    if all {
        sheet.blank()?;
    }
    let width = documents.keys().map(|path| columns(path)).max().unwrap_or(0).min(48);
    for (path, claims) in documents {
        if all {
            for judged in claims {
                claim::headers(sheet, context, 2, &[judged])?;
                claim::life(sheet, context, 4, judged)?;
            }
        } else {
            sheet.line(
                2,
                &[
                    (Ink::Plain, &format!("{}  ", padded(path, width))),
                    (Ink::Evidence, &kinds(context, &claims)),
                ],
            )?;
        }
    }
    sheet.blank()
}

/// Leads that somebody knows of, and who said so.
pub(super) fn known(sheet: &mut Sheet<'_>, context: Context<'_>) -> io::Result<()> {
    let count = suppressed(context.audit).count();
    if count == 0 {
        return Ok(());
    }
    let heading = texts::text(context.language, "heading-suppressed");
    let count = format!("  {}", context.counted("leads", count));
    sheet.line(0, &[(Ink::Strong, &heading), (Ink::Dim, &count)])?;
    for (judged, suppression) in suppressed(context.audit) {
        claim::headers(sheet, context, 2, &[judged])?;
        let by = match &suppression.by {
            SuppressedBy::Comment { path, line } => {
                Message::new("suppressed-by-comment").with("place", format!("{path}:{line}"))
            }
            SuppressedBy::Config => Message::new("suppressed-by-config"),
            SuppressedBy::Baseline => Message::new("suppressed-by-baseline"),
        };
        let mut by = by.say(context.language);
        if !suppression.reason.is_empty() {
            by.push_str(": ");
            by.push_str(&escape::cut(&suppression.reason, escape::TEXT_LIMIT));
        }
        sheet.hang(4, &[], (Ink::Dim, &by))?;
    }
    sheet.blank()
}

/// `2 successes, 1 measurement`.
fn kinds(context: Context<'_>, claims: &[&JudgedClaim]) -> String {
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for judged in claims {
        *counts.entry(judged.lineage.claim.kind).or_insert(0) += 1;
    }
    let said = counts.into_iter().map(|(kind, count)| {
        let id = match kind {
            Kind::Failure => "failures",
            Kind::Success => "successes",
            Kind::Measurement => "measurements",
        };
        context.counted(id, count)
    });
    said.collect::<Vec<_>>().join(&texts::text(context.language, "enumeration"))
}

/// How many pitfalls are known, and which of them a retest should answer first.
pub(super) fn pitfalls(sheet: &mut Sheet<'_>, context: Context<'_>, all: bool) -> io::Result<()> {
    let known = &context.audit.pitfalls;
    if known.is_empty() {
        return Ok(());
    }
    let ranks = pitfall::challenging(context.audit);
    let count = Message::new("pitfalls-known")
        .with("known", known.len())
        .with("challenging", ranks.len())
        .say(context.language);
    let heading = texts::text(context.language, "heading-pitfalls");
    sheet.wrapped(0, &[(Ink::Strong, &heading)], 2, (Ink::Dim, &format!("  {count}")))?;
    if all {
        sheet.blank()?;
        for known in known {
            pitfall::full(sheet, context, 2, known)?;
            sheet.blank()?;
        }
        return Ok(());
    }
    let width =
        ranks.first().map_or(0, |(_, leads)| columns(&context.counted("leads", *leads)) + 1);
    for (known, leads) in ranks.iter().take(RANKED) {
        let leads = padded(&context.counted("leads", *leads), width + 1);
        let entry = &known.lineage.pitfall;
        let place = place(&known.lineage.path, entry.lines);
        let triggers = format!("  {}  [{}]", pitfall::triggers(context, entry), known.id);
        sheet.wrapped(
            2,
            &[(Ink::Lead, &leads), (Ink::Place(&known.lineage.path), &place)],
            4 + width,
            (Ink::Plain, &triggers),
        )?;
    }
    if let Some(left) = ranks.len().checked_sub(RANKED).filter(|left| *left > 0) {
        sheet.line(2, &[(Ink::Dim, &context.counted("and-more", left))])?;
    }
    sheet.blank()
}

/// The sum in one line to quote, and what it rests on.
pub(super) fn closing(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    options: &Options,
) -> io::Result<()> {
    let audit = context.audit;
    let leads = leads(audit).count();
    let clean = leads == 0 && !audit.claims.is_empty() && audit.caveats.is_empty();
    let ink = if clean { Ink::Evidence } else { Ink::Lead };
    match &options.comparison {
        Some(comparison) => change::sum(sheet, context, comparison)?,
        None => sheet.hang(0, &[], (ink, &sum(audit, context.language)))?,
    }
    let mut basis = basis(audit, context.receipts, context.language);
    if leads > 0 {
        basis.push_str(&texts::text(context.language, "sentence-separator"));
        basis.push_str(&texts::text(context.language, "receipts-run"));
    }
    sheet.hang(0, &[], (Ink::Dim, &basis))?;
    if options.below_threshold > 0 {
        let hidden = context.counted("below-threshold", options.below_threshold);
        sheet.hang(0, &[], (Ink::Dim, &hidden))?;
    }
    Ok(())
}
