//! The life of one claim at a terminal: when, in which commit, what happened, and a receipt.

use std::io::{self, Write};

use super::sheet::{Ink, Sheet};
use super::{Context, caveats, claim, commit, place, reason};
use crate::report::group::Stack;
use crate::report::timeline::{self, Event, Told, What, why_message};
use crate::report::{Options, confidence_word, escape, facts, how_word, moment, word};
use crate::texts::{self, Message};
use crate::verdict::{Audit, JudgedClaim, Verdict};

/// Columns of details below an event's head.
const INDENT: usize = 4;

/// Writes the life of a claim.
pub(in crate::report) fn write(
    audit: &Audit,
    told: Told<'_>,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let context = Context::new(audit, options.language);
    let mut sheet = Sheet::new(out, options.width, options.color, options.links.as_deref());
    caveats(&mut sheet, context)?;
    match told {
        Told::Standing(judged) => claim::headers(&mut sheet, context, 0, &[judged])?,
        Told::Ended(ended) => claim::ended(&mut sheet, context, ended)?,
    }
    sheet.blank()?;
    for event in timeline::events(audit, told) {
        head(&mut sheet, context, &event)?;
        details(&mut sheet, context, &event)?;
        if let Some(command) = event.receipt(audit, context.receipts) {
            sheet.line(INDENT, &[(Ink::Command, &command)])?;
        }
    }
    sheet.blank()?;
    match told {
        Told::Standing(judged) => closing(&mut sheet, context, judged),
        Told::Ended(_) => {
            sheet.hang(0, &[], (Ink::Dim, &texts::text(context.language, "was-withdrawn")))
        }
    }
}

/// `2026-08-03 00:57:23 UTC  0de45b0  first stated  RESULTS.md:120`.
fn head(sheet: &mut Sheet<'_>, context: Context<'_>, event: &Event<'_>) -> io::Result<()> {
    let time = facts(context.audit, event.commit)
        .map(|it| moment::told(context.language, it.author_time))
        .unwrap_or_default();
    let commit = commit::short(context, event.commit);
    let ink = match event.what {
        What::Challenged { .. } | What::Retracted { .. } | What::Withdrawn { .. } => Ink::Lead,
        What::Retested { .. } => Ink::Evidence,
        What::Stated { .. } => Ink::Strong,
    };
    let what = word(context.language, "event", event.word());
    let mut spans = vec![
        (Ink::Dim, time.as_str()),
        (Ink::Plain, "  "),
        (Ink::Plain, commit.as_str()),
        (Ink::Plain, "  "),
        (ink, what.as_str()),
    ];
    let seen = event.seen.map(|it| place(&it.path, it.lines));
    if let Some(seen) = &seen {
        spans.extend([(Ink::Plain, "  "), (Ink::Dim, seen.as_str())]);
    }
    sheet.line(0, &spans)
}

fn details(sheet: &mut Sheet<'_>, context: Context<'_>, event: &Event<'_>) -> io::Result<()> {
    match event.what {
        What::Stated { why, text, .. } => {
            sheet.quote(INDENT, Ink::Dim, &timeline::excerpt(text))?;
            if why.is_empty() {
                return Ok(());
            }
            let why: Vec<Message> = why.iter().map(|it| why_message(*it)).collect();
            let known = Message::new("known-by").with("why", why).say(context.language);
            sheet.hang(INDENT, &[], (Ink::Dim, &known))
        }
        What::Retracted { text } | What::Withdrawn { words: text } => {
            sheet.quote(INDENT, Ink::Lead, &timeline::excerpt(text))
        }
        What::Retested { how, words } => {
            let how = word(context.language, "how", how_word(how));
            let words = escape::cut(words, escape::TEXT_LIMIT);
            let text = Message::new("by-its").with("how", how).with("words", words);
            sheet.hang(INDENT, &[], (Ink::Plain, &text.say(context.language)))
        }
        What::Challenged { pitfall, confidence } => {
            let Some(known) = context.audit.pitfalls.get(pitfall) else { return Ok(()) };
            let text = timeline::excerpt(&known.lineage.pitfall.text);
            let confidence = word(context.language, "confidence", confidence_word(confidence));
            let lead_in = format!("{confidence}  ");
            sheet.hang(INDENT, &[(Ink::Lead, &lead_in)], (Ink::Plain, &text))
        }
    }
}

/// The verdict, and the reasons in full.
fn closing(sheet: &mut Sheet<'_>, context: Context<'_>, judged: &JudgedClaim) -> io::Result<()> {
    let (id, ink) = match judged.verdict {
        Verdict::Evidence => ("stands-as-evidence", Ink::Evidence),
        Verdict::LeadOnly => ("is-a-lead", Ink::Lead),
    };
    sheet.hang(0, &[], (ink, &texts::text(context.language, id)))?;
    let alone = Stack { first: judged, more: Vec::new() };
    reason::write(sheet, context, INDENT, &alone, None, &[])
}
