//! One commit: its abbreviated id, its times, its summary.

use std::io;

use super::sheet::{Ink, Sheet, columns};
use super::{Context, LABEL, label};
use crate::history::CommitId;
use crate::lineage::Sighting;
use crate::report::{escape, facts, moment};
use crate::verdict::CommitFacts;

/// Author and committer time further apart than this are both printed.
const REBASED: u64 = 86_400;

/// A commit with its times and summary behind a label.
pub(super) fn sighting(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    name: &str,
    sighting: &Sighting,
    at_or_before: bool,
) -> io::Result<()> {
    let before = if at_or_before { "at or before " } else { "" };
    let commit = short(context, sighting.commit);
    let Some(facts) = facts(context.audit, sighting.commit) else {
        return sheet.hang(indent, &[(Ink::Dim, &label(name))], (Ink::Plain, &commit));
    };
    let text = format!("{before}{commit}  {}  ", times(facts));
    // A summary helps to recognise the commit; it is not worth a second line.
    let room = sheet.room(indent + LABEL + columns(&text)).min(escape::LINE_LIMIT);
    let text = format!("{text}{}", escape::cut(&facts.summary, room));
    sheet.hang(indent, &[(Ink::Dim, &label(name))], (Ink::Plain, &text))
}

/// A commit's abbreviated id.
pub(super) fn short(context: Context<'_>, commit: CommitId) -> String {
    facts(context.audit, commit).map_or_else(
        || "a commit of which nothing is known".to_owned(),
        |it| context.receipts.short(it.oid),
    )
}

/// When a commit was written and, where that differs by much, when it was committed.
fn times(facts: &CommitFacts) -> String {
    let time = |seconds| {
        moment::utc(seconds).unwrap_or_else(|| format!("at {seconds} s, which no calendar has"))
    };
    if facts.author_time.abs_diff(facts.commit_time) > REBASED {
        format!("{} (committed {})", time(facts.author_time), time(facts.commit_time))
    } else {
        time(facts.author_time)
    }
}
