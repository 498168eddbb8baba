//! What stands at the end: evidence in numbers, the pitfalls that matter most, the sum.

use std::collections::BTreeMap;
use std::io;

use super::sheet::{Ink, Sheet, columns, padded};
use super::{Context, change, claim, counted, pitfall, place};
use crate::report::{Options, by_rule, kind_word, leads};
use crate::verdict::{Audit, JudgedClaim, Verdict};

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
    let hint = if all { "" } else { "  (--all lists them)" };
    sheet.line(
        0,
        &[(Ink::Strong, "Evidence"), (Ink::Dim, &format!("  {}{hint}", counted(count, "claim")))],
    )?;
    if all {
        sheet.blank()?;
    }
    let width = documents.keys().map(|path| columns(path)).max().unwrap_or(0).min(48);
    for (path, claims) in documents {
        if all {
            for judged in claims {
                claim::headers(sheet, 2, &[judged])?;
                claim::life(sheet, context, 4, judged)?;
            }
        } else {
            sheet.line(
                2,
                &[
                    (Ink::Plain, &format!("{}  ", padded(path, width))),
                    (Ink::Evidence, &kinds(&claims)),
                ],
            )?;
        }
    }
    sheet.blank()
}

/// `2 successes, 1 measurement`.
fn kinds(claims: &[&JudgedClaim]) -> String {
    let mut counts = BTreeMap::new();
    for judged in claims {
        *counts.entry(judged.lineage.claim.kind).or_insert(0) += 1;
    }
    let counts: Vec<String> =
        counts.into_iter().map(|(kind, count)| counted(count, kind_word(kind))).collect();
    counts.join(", ")
}

/// How many pitfalls are known, and which of them a retest should answer first.
pub(super) fn pitfalls(sheet: &mut Sheet<'_>, context: Context<'_>, all: bool) -> io::Result<()> {
    let known = &context.audit.pitfalls;
    if known.is_empty() {
        return Ok(());
    }
    let ranks = pitfall::challenging(context.audit);
    let verb = if ranks.len() == 1 { "challenges" } else { "challenge" };
    let count = format!("  {} known, {} of them {verb} a claim", known.len(), ranks.len());
    sheet.wrapped(0, &[(Ink::Strong, "Pitfalls")], 2, (Ink::Dim, &count))?;
    if all {
        sheet.blank()?;
        for known in known {
            pitfall::full(sheet, context, 2, known)?;
            sheet.blank()?;
        }
        return Ok(());
    }
    let width = ranks.first().map_or(0, |(_, leads)| counted(*leads, "lead").len() + 1);
    for (known, leads) in ranks.iter().take(RANKED) {
        let leads = padded(&counted(*leads, "lead"), width + 1);
        let entry = &known.lineage.pitfall;
        let place = place(&known.lineage.path, entry.lines);
        let triggers = format!("  {}  [{}]", pitfall::triggers(entry), known.id);
        sheet.wrapped(
            2,
            &[(Ink::Lead, &leads), (Ink::Strong, &place)],
            4 + width,
            (Ink::Plain, &triggers),
        )?;
    }
    if let Some(left) = ranks.len().checked_sub(RANKED).filter(|left| *left > 0) {
        sheet.line(2, &[(Ink::Dim, &format!("and {left} more"))])?;
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
    let (claims, leads) = (audit.claims.len(), leads(audit).count());
    match &options.comparison {
        Some(comparison) => change::sum(sheet, context, comparison)?,
        None => sum(sheet, audit, claims, leads)?,
    }
    let mut basis = format!(
        "claim-audit {} read {} and {} at {}",
        env!("CARGO_PKG_VERSION"),
        counted(audit.commits, "commit"),
        counted(audit.documents, "document"),
        context.receipts.short(audit.rev),
    );
    if !audit.packs.is_empty() {
        basis.push_str(&format!(" with {}", audit.packs.join(", ")));
    }
    if !audit.caveats.is_empty() {
        basis.push_str(&format!(", with {} (see above)", counted(audit.caveats.len(), "caveat")));
    }
    basis.push('.');
    if leads > 0 {
        basis.push_str(" Receipts run in a shell at the top of the repository.");
    }
    sheet.hang(0, &[], (Ink::Dim, &basis))?;
    if options.below_threshold > 0 {
        let hidden = format!(
            "{} below the wanted confidence: --min-confidence low shows what else may be weak.",
            counted(options.below_threshold, "reason")
        );
        sheet.hang(0, &[], (Ink::Dim, &hidden))?;
    }
    Ok(())
}

/// How many of the claims are leads, and by which checks.
fn sum(sheet: &mut Sheet<'_>, audit: &Audit, claims: usize, leads: usize) -> io::Result<()> {
    let (ink, sum) = match (claims, leads) {
        (0, _) => (Ink::Lead, "No claim was found, so nothing was judged.".to_owned()),
        (_, 0) => {
            let them = if claims == 1 { "it" } else { "them" };
            let stand = if claims == 1 {
                "The only claim stands".to_owned()
            } else {
                format!("All {claims} claims stand")
            };
            if audit.caveats.is_empty() {
                (Ink::Evidence, format!("{stand} as evidence: no check speaks against {them}."))
            } else {
                (Ink::Lead, format!("{stand} as evidence as far as the history could be read."))
            }
        }
        _ => {
            let verb = if leads == 1 { "is a lead" } else { "are leads" };
            let checks: Vec<String> =
                by_rule(audit).into_iter().map(|(check, n)| format!("{n} by {check}")).collect();
            let sum = format!(
                "{leads} of {} {verb}, not evidence: {}.",
                counted(claims, "claim"),
                checks.join(", ")
            );
            (Ink::Lead, sum)
        }
    };
    sheet.hang(0, &[], (ink, &sum))
}
