//! The report for people at a terminal.
//!
//! Caveats stand first, then the leads in full, then evidence as counts, then the sum. Receipts are
//! never wrapped: they are there to be copied.

mod group;
mod reason;
mod sheet;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use self::group::{Document, Group};
use self::sheet::{Ink, Sheet, columns, padded};
use super::{Options, Receipts, by_rule, effect_word, escape, facts, kind_word, leads, moment};
use crate::history::CommitId;
use crate::lineage::Sighting;
use crate::verdict::{Audit, JudgedClaim, KnownPitfall, Verdict};

/// Width of the labels at the left of details, with the gap behind them.
const LABEL: usize = 10;

/// Author and committer time further apart than this are both printed.
const REBASED: u64 = 86_400;

/// What every part of the report reads.
#[derive(Clone, Copy)]
struct Context<'a> {
    audit: &'a Audit,
    receipts: Receipts,
}

/// Writes the report.
pub(super) fn write(audit: &Audit, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let context = Context {
        audit,
        receipts: Receipts::new(audit),
    };
    let mut sheet = Sheet::new(out, options.width, options.color);
    caveats(&mut sheet, audit)?;
    for document in group::by_document(audit) {
        leads_of(&mut sheet, context, &document)?;
    }
    evidence(&mut sheet, context, options.all)?;
    pitfalls(&mut sheet, context, options.all)?;
    closing(&mut sheet, context, options)
}

fn caveats(sheet: &mut Sheet<'_>, audit: &Audit) -> io::Result<()> {
    for caveat in &audit.caveats {
        let message = escape::cut(&caveat.message, escape::MESSAGE_LIMIT);
        sheet.wrapped(
            0,
            &[
                (Ink::Lead, "! "),
                (Ink::Strong, caveat.code),
                (Ink::Plain, ": "),
            ],
            2,
            (Ink::Plain, &message),
        )?;
    }
    if audit.caveats.is_empty() {
        Ok(())
    } else {
        sheet.blank()
    }
}

fn leads_of(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    document: &Document<'_>,
) -> io::Result<()> {
    let count = format!("  {}", counted(document.leads(), "lead"));
    sheet.line(0, &[(Ink::Strong, document.path), (Ink::Dim, &count)])?;
    sheet.blank()?;
    for group in &document.groups {
        leads_under(sheet, context, group)?;
    }
    Ok(())
}

fn leads_under(sheet: &mut Sheet<'_>, context: Context<'_>, group: &Group<'_>) -> io::Result<()> {
    if let Some(known) = group.pitfall.and_then(|it| context.audit.pitfalls.get(it)) {
        pitfall(sheet, context, 2, known)?;
        sheet.blank()?;
    }
    for stack in &group.stacks {
        let indent = if group.pitfall.is_some() { 4 } else { 2 };
        let claims: Vec<&JudgedClaim> = stack.claims().collect();
        headers(sheet, indent, &claims)?;
        life(sheet, context, indent + 2, stack.first)?;
        reason::write(sheet, context, indent + 2, stack, group.pitfall)?;
        sheet.blank()?;
    }
    Ok(())
}

/// A pitfall in full: where it stands, what it says, what to avoid, since when.
fn pitfall(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    known: &KnownPitfall,
) -> io::Result<()> {
    let lineage = &known.lineage;
    let place = format!("{}:{}", lineage.path, lineage.pitfall.lines.start);
    let kind = format!("  {}  [{}]", effect_word(lineage.pitfall.effect), known.id);
    sheet.line(
        indent,
        &[
            (Ink::Pitfall, &label("pitfall")),
            (Ink::Strong, &place),
            (Ink::Dim, &kind),
        ],
    )?;
    sheet.quote(
        indent,
        Ink::Pitfall,
        &escape::cut(&lineage.pitfall.text, escape::TEXT_LIMIT),
    )?;
    let triggers: Vec<String> = lineage
        .pitfall
        .triggers
        .iter()
        .map(|it| escape::cut(it, escape::LINE_LIMIT))
        .collect();
    sheet.hang(
        indent,
        &[(Ink::Dim, &label("avoid"))],
        (Ink::Plain, &triggers.join(", ")),
    )?;
    sighting(
        sheet,
        context,
        indent,
        "since",
        &lineage.introduced,
        lineage.at_or_before,
    )
}

/// The claims of a stack, a line each where all fit, else with their texts below.
fn headers(sheet: &mut Sheet<'_>, indent: usize, claims: &[&JudgedClaim]) -> io::Result<()> {
    let rows: Vec<(String, &str, String)> = claims
        .iter()
        .map(|judged| {
            let lineage = &judged.lineage;
            let text = escape::cut(&lineage.claim.text, escape::TEXT_LIMIT);
            (
                format!("{}:{}", lineage.path, lineage.claim.lines.start),
                kind_word(lineage.claim.kind),
                format!("{text}  [{}]", judged.id),
            )
        })
        .collect();
    let places = rows
        .iter()
        .map(|(place, ..)| columns(place))
        .max()
        .unwrap_or(0);
    let kinds = rows
        .iter()
        .map(|(_, kind, _)| columns(kind))
        .max()
        .unwrap_or(0);
    let taken = indent + 2 + places + 2 + kinds + 2;
    let one_line = rows.iter().all(|(.., text)| sheet.fits(taken, text));
    for (judged, (place, kind, text)) in claims.iter().zip(&rows) {
        let (mark, ink) = mark(judged.verdict);
        let place = padded(place, places + 2);
        let kind = padded(kind, if one_line { kinds + 2 } else { 0 });
        let header = [
            (ink, mark),
            (Ink::Strong, place.as_str()),
            (ink, kind.as_str()),
        ];
        if one_line {
            sheet.hang(indent, &header, (Ink::Plain, text))?;
        } else {
            sheet.line(indent, &header)?;
            sheet.hang(indent + 2, &[], (Ink::Plain, text))?;
        }
    }
    Ok(())
}

fn mark(verdict: Verdict) -> (&'static str, Ink) {
    match verdict {
        Verdict::Evidence => ("✓ ", Ink::Evidence),
        Verdict::LeadOnly => ("? ", Ink::Lead),
    }
}

/// When a claim was first made and, where that is another commit, when it was last tested.
fn life(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    judged: &JudgedClaim,
) -> io::Result<()> {
    let lineage = &judged.lineage;
    sighting(
        sheet,
        context,
        indent,
        "claimed",
        &lineage.introduced,
        lineage.at_or_before,
    )?;
    if lineage.last_tested.commit == lineage.introduced.commit {
        return Ok(());
    }
    sighting(
        sheet,
        context,
        indent,
        "tested",
        &lineage.last_tested,
        false,
    )?;
    if let Some(retest) = lineage.retests.last() {
        let words = format!(
            "by its {}: {}",
            super::how_word(retest.how),
            escape::cut(&retest.words, escape::LINE_LIMIT)
        );
        sheet.hang(indent, &[(Ink::Dim, &label(""))], (Ink::Dim, &words))?;
    }
    Ok(())
}

/// A commit with its times and summary behind a label.
fn sighting(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    name: &str,
    sighting: &Sighting,
    at_or_before: bool,
) -> io::Result<()> {
    let commit = short(context, sighting.commit);
    let name = label(name);
    let commit = if at_or_before {
        format!("at or before {commit}  ")
    } else {
        format!("{commit}  ")
    };
    let told = told(context.audit, sighting.commit);
    sheet.wrapped(
        indent,
        &[(Ink::Dim, &name), (Ink::Plain, &commit)],
        indent + LABEL,
        (Ink::Plain, &told),
    )
}

/// A commit's abbreviated id.
fn short(context: Context<'_>, commit: CommitId) -> String {
    facts(context.audit, commit)
        .map_or_else(|| "unknown".to_owned(), |it| context.receipts.short(it.oid))
}

/// A commit's times and summary.
fn told(audit: &Audit, commit: CommitId) -> String {
    let Some(facts) = facts(audit, commit) else {
        return "nothing is known of this commit".to_owned();
    };
    let time = |seconds| {
        moment::utc(seconds).unwrap_or_else(|| format!("at {seconds} s, which no calendar has"))
    };
    let summary = escape::cut(&facts.summary, escape::LINE_LIMIT);
    let committed = if facts.author_time.abs_diff(facts.commit_time) > REBASED {
        format!(" (committed {})", time(facts.commit_time))
    } else {
        String::new()
    };
    format!("{}{committed}  {summary}", time(facts.author_time))
}

fn evidence(sheet: &mut Sheet<'_>, context: Context<'_>, all: bool) -> io::Result<()> {
    let mut documents: BTreeMap<&str, Vec<&JudgedClaim>> = BTreeMap::new();
    for judged in context
        .audit
        .claims
        .iter()
        .filter(|it| it.verdict == Verdict::Evidence)
    {
        documents
            .entry(&judged.lineage.path)
            .or_default()
            .push(judged);
    }
    let count: usize = documents.values().map(Vec::len).sum();
    if count == 0 {
        return Ok(());
    }
    let hint = if all { "" } else { "  (--all lists them)" };
    sheet.line(
        0,
        &[
            (Ink::Strong, "Evidence"),
            (Ink::Dim, &format!("  {}{hint}", counted(count, "claim"))),
        ],
    )?;
    if all {
        sheet.blank()?;
    }
    let width = documents
        .keys()
        .map(|path| columns(path))
        .max()
        .unwrap_or(0)
        .min(48);
    for (path, claims) in documents {
        if all {
            for judged in claims {
                headers(sheet, 2, &[judged])?;
                life(sheet, context, 4, judged)?;
            }
        } else {
            sheet.line(
                2,
                &[
                    (Ink::Plain, &padded(path, width + 2)),
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
    let counts: Vec<String> = counts
        .into_iter()
        .map(|(kind, count)| counted(count, kind_word(kind)))
        .collect();
    counts.join(", ")
}

fn pitfalls(sheet: &mut Sheet<'_>, context: Context<'_>, all: bool) -> io::Result<()> {
    let known = &context.audit.pitfalls;
    if known.is_empty() {
        return Ok(());
    }
    let reasons = leads(context.audit).flat_map(|lead| &lead.reasons);
    let challenging: BTreeSet<usize> = reasons
        .filter_map(|it| it.challenge.as_ref())
        .map(|it| it.pitfall)
        .collect();
    let verb = if challenging.len() == 1 {
        "challenges"
    } else {
        "challenge"
    };
    let count = format!(
        "  {} known, {} of them {verb} a claim",
        known.len(),
        challenging.len()
    );
    sheet.wrapped(0, &[(Ink::Strong, "Pitfalls")], 2, (Ink::Dim, &count))?;
    sheet.blank()?;
    if all {
        for known in known {
            pitfall(sheet, context, 2, known)?;
            sheet.blank()?;
        }
    }
    Ok(())
}

/// The sum in one line to quote, and what it rests on.
fn closing(sheet: &mut Sheet<'_>, context: Context<'_>, options: &Options) -> io::Result<()> {
    let audit = context.audit;
    let (claims, leads) = (audit.claims.len(), leads(audit).count());
    let (ink, sum) = match (claims, leads) {
        (0, _) => (
            Ink::Lead,
            "No claim was found, so nothing was judged.".to_owned(),
        ),
        (1, 0) => (
            Ink::Evidence,
            "The only claim stands as evidence.".to_owned(),
        ),
        (_, 0) => (
            Ink::Evidence,
            format!("All {claims} claims stand as evidence."),
        ),
        _ => {
            let verb = if leads == 1 { "is a lead" } else { "are leads" };
            let checks: Vec<String> = by_rule(audit)
                .into_iter()
                .map(|(check, n)| format!("{n} by {check}"))
                .collect();
            let sum = format!(
                "{leads} of {} {verb}, not evidence: {}.",
                counted(claims, "claim"),
                checks.join(", ")
            );
            (Ink::Lead, sum)
        }
    };
    sheet.hang(0, &[], (ink, &sum))?;
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
        basis.push_str(&format!(
            ", with {} (see above)",
            counted(audit.caveats.len(), "caveat")
        ));
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

fn label(name: &str) -> String {
    padded(name, LABEL)
}

/// `1 claim`, `2 claims`, `2 successes`.
fn counted(count: usize, noun: &str) -> String {
    let plural = match (count, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

    use super::*;
    use crate::report::sample;

    fn told(audit: &Audit, options: &Options) -> String {
        let mut out = Vec::new();
        write(audit, options, &mut out).unwrap();
        let version = format!("claim-audit {} ", env!("CARGO_PKG_VERSION"));
        String::from_utf8(out)
            .unwrap()
            .replace(&version, "claim-audit 0.0.0 ")
    }

    #[test]
    fn the_sample_at_the_usual_width() {
        insta::assert_snapshot!(told(&sample::audit(), &sample::options()));
    }

    #[test]
    fn the_sample_in_a_narrow_window() {
        let options = Options {
            width: 60,
            ..sample::options()
        };
        insta::assert_snapshot!(told(&sample::audit(), &options));
    }

    #[test]
    fn the_sample_in_a_wide_window_with_all() {
        let options = Options {
            width: 140,
            all: true,
            below_threshold: 2,
            ..sample::options()
        };
        insta::assert_snapshot!(told(&sample::audit(), &options));
    }

    #[test]
    fn the_sample_in_colour() {
        let options = Options {
            color: true,
            ..sample::options()
        };
        insta::assert_snapshot!(told(&sample::audit(), &options).replace('\u{1b}', "␛"));
    }

    #[test]
    fn rows_under_one_pitfall_are_told_once() {
        let text = told(&sample::many(20), &sample::options());
        assert_eq!(text.matches("Never set").count(), 1);
        assert_eq!(text.matches("? RESULTS.md:").count(), 20);
        assert_eq!(
            text.matches("git show 0de45b0:RESULTS.md | sed -n").count(),
            20
        );
        assert_eq!(text.matches("git log ").count(), 1);
        insta::assert_snapshot!(told(&sample::many(3), &sample::options()));
    }

    #[test]
    fn nothing_found_is_no_clean_bill() {
        insta::assert_snapshot!(told(&sample::empty(), &sample::options()));
    }

    #[test]
    fn all_evidence() {
        let mut audit = sample::audit();
        audit.caveats.clear();
        audit
            .claims
            .retain(|judged| judged.verdict == Verdict::Evidence);
        insta::assert_snapshot!(told(&audit, &sample::options()));
    }

    #[test]
    fn hostile_text_never_reaches_the_terminal_raw() {
        let own = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
        for all in [false, true] {
            let options = Options {
                all,
                ..sample::options()
            };
            let plain = told(&sample::hostile(), &options);
            assert!(plain.contains(r"\u{1b}[2J"), "it is shown, not dropped");
            assert!(
                plain
                    .chars()
                    .all(|character| character == '\n' || !escape::is_hostile(character))
            );
            let coloured = told(
                &sample::hostile(),
                &Options {
                    color: true,
                    ..options
                },
            );
            assert_eq!(
                own.replace_all(&coloured, ""),
                plain,
                "colour adds nothing but colour"
            );
        }
    }

    #[test]
    fn only_receipts_run_over_the_width() {
        for width in [40, 60, 80, 100] {
            let options = Options {
                width,
                all: true,
                ..sample::options()
            };
            for line in told(&sample::audit(), &options).lines() {
                let receipt = line.contains("git ");
                let place = line.contains('[') && line.contains(".md:");
                assert!(
                    receipt || place || columns(line) <= width,
                    "{width}: {line}"
                );
            }
        }
    }

    #[test]
    fn an_audit_that_contradicts_itself_is_still_written() {
        let mut audit = sample::audit();
        audit.facts.clear();
        audit.pitfalls.clear();
        assert!(told(&audit, &sample::options()).contains("nothing is known of this commit"));
    }
}
