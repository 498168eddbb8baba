//! One commit: its abbreviated id, its times, its summary.

use std::io;

use super::sheet::{Ink, Sheet};
use super::{Context, label};
use crate::history::CommitId;
use crate::lineage::Sighting;
use crate::report::{escape, facts, moment};
use crate::verdict::Audit;

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
    let text = format!("{before}{commit}  {}", told(context.audit, sighting.commit));
    sheet.hang(indent, &[(Ink::Dim, &label(name))], (Ink::Plain, &text))
}

/// A commit's abbreviated id.
pub(super) fn short(context: Context<'_>, commit: CommitId) -> String {
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
