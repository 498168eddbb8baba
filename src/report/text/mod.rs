//! The report for people at a terminal.
//!
//! Caveats stand first, then the leads in full, then evidence as counts, then the sum. Receipts are
//! never wrapped: they are there to be copied.

mod change;
mod claim;
mod commit;
mod pitfall;
mod reason;
mod sheet;
mod summary;
pub(super) mod timeline;

use std::io::{self, Write};

use self::sheet::{Ink, Sheet, columns, padded};
use super::group::{self, Document, Group};
use super::{Options, Receipts, caveat_words, escape};
use crate::documents::Lines;
use crate::texts::{self, Language, Message};
use crate::verdict::{Audit, JudgedClaim};

/// The labels of details; what follows them is aligned behind the widest.
const LABELS: &[&str] = &[
    "label-pitfall",
    "label-triggers",
    "label-needed",
    "label-introduced",
    "label-last-tested",
    "label-lag",
    "label-exposure",
    "label-receipts",
];

/// Columns between a label and what follows it.
const GAP: usize = 2;

/// Longest path that is printed, in columns; receipts carry it whole.
const PATH_LIMIT: usize = 240;

/// What every part of the report reads.
#[derive(Clone, Copy)]
struct Context<'a> {
    audit: &'a Audit,
    receipts: Receipts,
    language: Language,
    /// Columns that a label takes with the gap behind it.
    labels: usize,
}

impl<'a> Context<'a> {
    fn new(audit: &'a Audit, language: Language) -> Self {
        let widest = LABELS.iter().map(|id| columns(&texts::text(language, id))).max().unwrap_or(0);
        Self { audit, receipts: Receipts::new(audit), language, labels: widest + GAP }
    }

    /// A label of its id, padded.
    fn label(self, id: &str) -> String {
        padded(&texts::text(self.language, id), self.labels)
    }

    /// The room of a label, empty.
    fn no_label(self) -> String {
        padded("", self.labels)
    }

    /// How many there are of something: `2 leads`.
    fn counted(self, id: &'static str, count: usize) -> String {
        Message::new(id).with("count", count).say(self.language)
    }
}

/// Writes the report.
pub(super) fn write(audit: &Audit, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let context = Context::new(audit, options.language);
    let mut sheet = Sheet::new(out, options.width, options.color, options.links.as_deref());
    caveats(&mut sheet, context)?;
    for document in group::by_document(audit) {
        leads_of(&mut sheet, context, &document)?;
    }
    summary::known(&mut sheet, context)?;
    match &options.comparison {
        Some(comparison) => change::others(&mut sheet, context, comparison)?,
        None => summary::evidence(&mut sheet, context, options.all)?,
    }
    summary::pitfalls(&mut sheet, context, options.all)?;
    summary::closing(&mut sheet, context, options)
}

fn caveats(sheet: &mut Sheet<'_>, context: Context<'_>) -> io::Result<()> {
    for caveat in &context.audit.caveats {
        let message = caveat_words(caveat, context.language);
        sheet.wrapped(
            0,
            &[(Ink::Lead, "! "), (Ink::Strong, caveat.code), (Ink::Plain, ": ")],
            2,
            (Ink::Plain, &message),
        )?;
    }
    if context.audit.caveats.is_empty() { Ok(()) } else { sheet.blank() }
}

fn leads_of(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    document: &Document<'_>,
) -> io::Result<()> {
    let count = format!("  {}", context.counted("leads", document.leads()));
    sheet.line(0, &[(Ink::Strong, document.path), (Ink::Dim, &count)])?;
    sheet.blank()?;
    for group in &document.groups {
        leads_under(sheet, context, group)?;
    }
    Ok(())
}

fn leads_under(sheet: &mut Sheet<'_>, context: Context<'_>, group: &Group<'_>) -> io::Result<()> {
    let shared = reason::shared(context, group);
    if let Some(known) = group.pitfall.and_then(|it| context.audit.pitfalls.get(it)) {
        pitfall::full(sheet, context, 2, known)?;
        reason::commands(sheet, context, 2, &shared)?;
        sheet.blank()?;
    }
    for stack in &group.stacks {
        let indent = if group.pitfall.is_some() { 4 } else { 2 };
        let claims: Vec<&JudgedClaim> = stack.claims().collect();
        claim::headers(sheet, context, indent, &claims)?;
        claim::life(sheet, context, indent + 2, stack.first)?;
        reason::write(sheet, context, indent + 2, stack, group.pitfall, &shared)?;
        sheet.blank()?;
    }
    Ok(())
}

/// A place that editors and terminals open by a click.
fn place(path: &str, lines: Lines) -> String {
    format!("{}:{}", escape::cut(path, PATH_LIMIT), lines.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::verdict::Verdict;

    fn told(audit: &Audit, options: &Options) -> String {
        let mut out = Vec::new();
        write(audit, options, &mut out).unwrap();
        let version = format!("claim-audit {} ", env!("CARGO_PKG_VERSION"));
        String::from_utf8(out).unwrap().replace(&version, "claim-audit 0.0.0 ")
    }

    #[test]
    fn the_sample_at_the_usual_width() {
        insta::assert_snapshot!(told(&sample::audit(), &Options::default()));
    }

    #[test]
    fn the_sample_in_a_narrow_window() {
        let options = Options { width: 60, ..Options::default() };
        insta::assert_snapshot!(told(&sample::audit(), &options));
    }

    #[test]
    fn the_sample_in_a_wide_window_with_all() {
        let options = Options { width: 140, all: true, below_threshold: 2, ..Options::default() };
        insta::assert_snapshot!(told(&sample::audit(), &options));
    }

    #[test]
    fn the_sample_in_colour() {
        let options = Options { color: true, ..Options::default() };
        insta::assert_snapshot!(told(&sample::audit(), &options).replace('\u{1b}', "␛"));
    }

    #[test]
    fn the_sample_in_chinese() {
        let options = Options { language: Language::Chinese, ..Options::default() };
        insta::assert_snapshot!(told(&sample::audit(), &options));
    }

    #[test]
    fn rows_under_one_pitfall_are_told_once() {
        let text = told(&sample::many(20), &Options::default());
        assert_eq!(text.matches("Never set").count(), 1);
        assert_eq!(text.matches("? RESULTS.md:").count(), 20);
        assert_eq!(text.matches("git show 1c0ffee:RESULTS.md | sed -n").count(), 20);
        assert_eq!(text.matches("git log ").count(), 1);
        insta::assert_snapshot!(told(&sample::many(3), &Options::default()));
    }

    #[test]
    fn a_row_that_does_not_say_what_it_is_about_is_told_with_its_subject() {
        let mut audit = sample::audit();
        audit.claims[1].lineage.claim.subject = "Table 3, Throughput".into();
        let options = Options { all: true, ..Options::default() };
        let text = told(&audit, &options);
        assert!(text.contains("Table 3, Throughput: 4 cards: works."), "{text}");
    }

    #[test]
    fn what_is_suppressed_is_listed_as_that() {
        insta::assert_snapshot!(told(&sample::suppressed(), &Options::default()));
        let mut audit = sample::suppressed();
        audit.claims.retain(|it| it.verdict == Verdict::Evidence || it.suppression.is_some());
        let text = told(&audit, &Options::default());
        assert!(text.contains("No lead is open: 3 of 6 claims are leads that are known"), "{text}");
    }

    #[test]
    fn places_are_links_where_the_terminal_takes_them() {
        let links = Some("file:///srv/lab/".to_owned());
        let options = Options { links, ..Options::default() };
        let link = regex::Regex::new("\u{1b}]8;;([^\u{1b}]*)\u{1b}\\\\").unwrap();
        for audit in [sample::audit(), sample::hostile()] {
            let linked = told(&audit, &options);
            let plain = told(&audit, &Options::default());
            assert_eq!(link.replace_all(&linked, ""), plain, "links add nothing but links");
            let targets: Vec<_> = link.captures_iter(&linked).map(|it| it[1].to_owned()).collect();
            assert_eq!(targets.iter().filter(|it| it.is_empty()).count() * 2, targets.len());
            assert!(targets.iter().all(|it| it.chars().all(|c| c.is_ascii_graphic())));
        }
        let linked = told(&sample::audit(), &options);
        assert!(linked.contains("\u{1b}]8;;file:///srv/lab/docs/%E6%B5%8B%E9%87%8F.md\u{1b}\\docs/测量.md:30\u{1b}]8;;\u{1b}\\"));
    }

    #[test]
    fn nothing_found_is_no_clean_bill() {
        insta::assert_snapshot!(told(&sample::empty(), &Options::default()));
    }

    #[test]
    fn all_evidence() {
        let mut audit = sample::audit();
        audit.caveats.clear();
        audit.claims.retain(|judged| judged.verdict == Verdict::Evidence);
        insta::assert_snapshot!(told(&audit, &Options::default()));
    }

    #[test]
    fn hostile_text_never_reaches_the_terminal_raw() {
        let own = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
        for all in [false, true] {
            let options = Options { all, ..Options::default() };
            let plain = told(&sample::hostile(), &options);
            assert!(plain.contains(r"\u{1b}[2J"), "it is shown, not dropped");
            assert!(
                plain.chars().all(|character| character == '\n' || !escape::is_hostile(character))
            );
            let coloured = told(&sample::hostile(), &Options { color: true, ..options });
            assert_eq!(own.replace_all(&coloured, ""), plain, "colour adds nothing but colour");
        }
    }

    #[test]
    fn only_receipts_run_over_the_width() {
        for width in [40, 60, 80, 100] {
            for language in Language::ALL.iter().copied() {
                let options = Options { width, all: true, language, ..Options::default() };
                for line in told(&sample::audit(), &options).lines() {
                    let receipt = line.contains("git ");
                    let place = line.contains('[') && line.contains(".md:");
                    assert!(receipt || place || columns(line) <= width, "{width}: {line}");
                }
            }
        }
    }

    #[test]
    fn an_audit_that_contradicts_itself_is_still_written() {
        let mut audit = sample::audit();
        audit.facts.clear();
        audit.pitfalls.clear();
        assert!(told(&audit, &Options::default()).contains("a commit of which nothing is known"));
    }
}
