//! The trailer by which a commit message records that a claim was tested again.

use std::io::{self, Write};

use super::Status;
use super::args::Outcome;
use crate::report::escape;
use crate::verdict::{Audit, JudgedClaim};

/// The claim of an id, or the first one that stands on a line, `PATH:LINE`.
pub(super) fn find<'a>(audit: &'a Audit, claim: &str) -> Option<&'a JudgedClaim> {
    let by_place = || {
        let (path, line) = claim.rsplit_once(':')?;
        let line: u32 = line.parse().ok()?;
        audit.claims.iter().find(|judged| {
            let lines = judged.lineage.claim.lines;
            judged.lineage.path == path && lines.start <= line && line <= lines.end
        })
    };
    audit.claims.iter().find(|judged| judged.id == claim).or_else(by_place)
}

/// Prints the trailer. Whoever pastes it says that the thing was really run again.
///
/// Behind the id stands what git and readers can tell it by; the id is what counts.
pub(super) fn print(
    claim: &JudgedClaim,
    outcome: Option<Outcome>,
    out: &mut dyn Write,
) -> io::Result<Status> {
    let subject = claim.lineage.claim.subject.split_whitespace().collect::<Vec<_>>().join(" ");
    let subject = escape::cut(&subject, escape::LINE_LIMIT);
    let outcome = match outcome {
        None => "",
        Some(Outcome::Pass) => " pass",
        Some(Outcome::Fail) => " fail",
    };
    let subject = if subject.is_empty() { String::new() } else { format!(" ({subject})") };
    writeln!(out, "Retest: {}{outcome}{subject}", claim.id)?;
    Ok(Status::Clean)
}
