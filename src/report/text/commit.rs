//! One commit: its abbreviated id, its times, its summary.

use std::io;

use super::Context;
use super::sheet::{Ink, Sheet, columns};
use crate::history::CommitId;
use crate::lineage::Sighting;
use crate::report::{escape, facts, moment};
use crate::texts::{self, Message};
use crate::verdict::CommitFacts;

/// Author and committer time further apart than this are both printed.
const REBASED: u64 = 86_400;

/// A commit with its times and summary behind a label.
pub(super) fn sighting(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    label: &str,
    sighting: &Sighting,
    at_or_before: bool,
) -> io::Result<()> {
    let label = context.label(label);
    let mut commit = short(context, sighting.commit);
    let Some(facts) = facts(context.audit, sighting.commit) else {
        return sheet.hang(indent, &[(Ink::Dim, &label)], (Ink::Plain, &commit));
    };
    if at_or_before {
        commit = Message::new("at-or-before").with("commit", commit).say(context.language);
    }
    let text = format!("{commit}  {}  ", times(context, facts));
    // A summary helps to recognise the commit; it is not worth a second line.
    let room = sheet.room(indent + context.labels + columns(&text)).min(escape::LINE_LIMIT);
    let text = format!("{text}{}", escape::cut(&facts.summary, room));
    sheet.hang(indent, &[(Ink::Dim, &label)], (Ink::Plain, &text))
}

/// A commit's abbreviated id.
pub(super) fn short(context: Context<'_>, commit: CommitId) -> String {
    facts(context.audit, commit).map_or_else(
        || texts::text(context.language, "unknown-commit"),
        |it| context.receipts.short(it.oid),
    )
}

/// When a commit was written and, where that differs by much, when it was committed.
fn times(context: Context<'_>, facts: &CommitFacts) -> String {
    let time = |seconds| moment::told(context.language, seconds);
    if facts.author_time.abs_diff(facts.commit_time) > REBASED {
        Message::new("committed")
            .with("time", time(facts.author_time))
            .with("committed", time(facts.commit_time))
            .say(context.language)
    } else {
        time(facts.author_time)
    }
}
