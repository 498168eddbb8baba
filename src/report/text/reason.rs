//! Why a stack of claims is a lead: each reason with what it rests on and its receipts.

use std::collections::BTreeSet;
use std::io;

use super::sheet::{Ink, Sheet};
use super::{Context, commit, pitfall};
use crate::checks::{Challenge, Reason};
use crate::report::group::{Group, Stack};
use crate::report::{confidence_word, escape, exposure_message, lag_message, word};
use crate::verdict::JudgedClaim;

/// Writes all reasons of a stack; `told` is the pitfall that stands above it in full, with those
/// receipts that are in `shown`.
pub(super) fn write(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    stack: &Stack<'_>,
    told: Option<usize>,
    shown: &[String],
) -> io::Result<()> {
    let mut shown: BTreeSet<String> = shown.iter().cloned().collect();
    for (at, reason) in stack.first.reasons.iter().enumerate() {
        let confidence = word(context.language, "confidence", confidence_word(reason.confidence));
        let confidence = format!(" ({confidence})  ");
        let lead_in = [(Ink::Lead, reason.check), (Ink::Dim, confidence.as_str())];
        let message = escape::cut(&reason.message.say(context.language), escape::TEXT_LIMIT);
        sheet.wrapped(indent, &lead_in, indent + 2, (Ink::Plain, &message))?;
        if let Some(challenge) = &reason.challenge {
            if told != Some(challenge.pitfall)
                && let Some(known) = context.audit.pitfalls.get(challenge.pitfall)
            {
                pitfall::brief(sheet, context, indent, known)?;
            }
            details(sheet, context, indent, stack, challenge)?;
        }
        let reasons = stack.claims().filter_map(|judged| judged.reasons.get(at));
        receipts(sheet, context, indent, reasons, &mut shown)?;
    }
    Ok(())
}

fn details(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    stack: &Stack<'_>,
    challenge: &Challenge,
) -> io::Result<()> {
    let lag = lag_message(challenge).say(context.language);
    sheet.hang(indent, &[(Ink::Dim, &context.label("label-lag"))], (Ink::Plain, &lag))?;
    let tree = commit::short(context, stack.first.lineage.last_tested.commit);
    let exposure = exposure_message(challenge, tree).say(context.language);
    sheet.hang(indent, &[(Ink::Dim, &context.label("label-exposure"))], (Ink::Plain, &exposure))
}

/// The commands that every claim under a pitfall has, where there is more than one stack of them.
pub(super) fn shared(context: Context<'_>, group: &Group<'_>) -> Vec<String> {
    let commands = |judged: &JudgedClaim| -> Vec<String> {
        let challenged = |reason: &&Reason| {
            group.pitfall.is_some()
                && reason.challenge.as_ref().map(|it| it.pitfall) == group.pitfall
        };
        let receipts = judged.reasons.iter().filter(challenged).flat_map(|it| &it.receipts);
        receipts.map(|it| context.receipts.command(it)).collect()
    };
    let [first, others @ ..] = group.stacks.as_slice() else { return Vec::new() };
    if others.is_empty() {
        return Vec::new();
    }
    let mut shared = commands(first.first);
    for judged in group.stacks.iter().flat_map(Stack::claims) {
        let own = commands(judged);
        shared.retain(|command| own.contains(command));
    }
    shared
}

/// Commands behind a label.
pub(super) fn commands(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    commands: &[String],
) -> io::Result<()> {
    let mut name = context.label("label-receipts");
    for command in commands {
        sheet.line(indent, &[(Ink::Dim, &name), (Ink::Command, command)])?;
        name = context.no_label();
    }
    Ok(())
}

/// The commands of one reason for all claims of a stack, each once.
fn receipts<'a>(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    reasons: impl Iterator<Item = &'a Reason>,
    shown: &mut BTreeSet<String>,
) -> io::Result<()> {
    // The claims' own lines first, then what they share: the order in which a reader asks.
    let columns: Vec<&[_]> = reasons.map(|reason| reason.receipts.as_slice()).collect();
    let longest = columns.iter().map(|receipts| receipts.len()).max().unwrap_or(0);
    let rows = (0..longest).flat_map(|at| columns.iter().filter_map(move |it| it.get(at)));
    let new: Vec<String> = rows
        .map(|receipt| context.receipts.command(receipt))
        .filter(|command| shown.insert(command.clone()))
        .collect();
    commands(sheet, context, indent, &new)
}
