//! Why a stack of claims is a lead: each reason with what it rests on and its receipts.

use std::collections::BTreeSet;
use std::io;

use super::group::Stack;
use super::sheet::{Ink, Sheet};
use super::{Context, commit, label, pitfall};
use crate::checks::{Challenge, Exposure, OrderedBy, Reason};
use crate::report::{confidence_word, escape, moment};

/// Writes all reasons of a stack; `told` is the pitfall that stands above it in full.
pub(super) fn write(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    stack: &Stack<'_>,
    told: Option<usize>,
) -> io::Result<()> {
    let mut shown = BTreeSet::new();
    for (at, reason) in stack.first.reasons.iter().enumerate() {
        let confidence = format!(" ({})  ", confidence_word(reason.confidence));
        let lead_in = [(Ink::Lead, reason.check), (Ink::Dim, confidence.as_str())];
        let message = escape::cut(&reason.message, escape::TEXT_LIMIT);
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
    let lag = moment::lag(challenge.lag_seconds);
    let order = match challenge.ordered_by {
        OrderedBy::Ancestry => "the pitfall's commit descends from it",
        OrderedBy::Time => "parallel branches, ordered by committer time",
    };
    let lag = if challenge.lag_seconds < 0 {
        format!("none by the authors' clocks, which run {lag} the other way; {order}")
    } else {
        format!("{lag} until the pitfall; {order}")
    };
    sheet.hang(indent, &[(Ink::Dim, &label("lag"))], (Ink::Plain, &lag))?;
    let tree = commit::short(context, stack.first.lineage.last_tested.commit);
    let exposure = match challenge.exposure {
        Exposure::InUse => format!("in use: set in the tree of {tree}"),
        Exposure::Unrecorded => {
            format!("unrecorded: no trace of it in the tree of {tree}, on or off")
        }
    };
    sheet.hang(indent, &[(Ink::Dim, &label("exposure"))], (Ink::Plain, &exposure))
}

/// The commands of one reason for all claims of a stack, each once.
fn receipts<'a>(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    reasons: impl Iterator<Item = &'a Reason>,
    shown: &mut BTreeSet<String>,
) -> io::Result<()> {
    let mut name = label("receipts");
    // The claims' own lines first, then what they share: the order in which a reader asks.
    let columns: Vec<&[_]> = reasons.map(|reason| reason.receipts.as_slice()).collect();
    let longest = columns.iter().map(|receipts| receipts.len()).max().unwrap_or(0);
    for at in 0..longest {
        for receipt in columns.iter().filter_map(|receipts| receipts.get(at)) {
            let command = context.receipts.command(receipt);
            if !shown.contains(&command) {
                sheet.line(indent, &[(Ink::Dim, &name), (Ink::Command, &command)])?;
                name = label("");
                shown.insert(command);
            }
        }
    }
    Ok(())
}
