//! The trailer by which a commit message records that a claim was tested again.

use std::io::{self, Write};

use super::args::Outcome;
use crate::report::escape;
use crate::verdict::JudgedClaim;

/// Prints the trailer. Whoever pastes it says that the thing was really run again.
///
/// Behind the id stands what git and readers can tell it by; the id is what counts.
pub(super) fn print(
    claim: &JudgedClaim,
    outcome: Option<Outcome>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let subject = claim.lineage.claim.subject.split_whitespace().collect::<Vec<_>>().join(" ");
    let subject = escape::cut(&subject, escape::LINE_LIMIT);
    let outcome = match outcome {
        None => "",
        Some(Outcome::Pass) => " pass",
        Some(Outcome::Fail) => " fail",
    };
    let subject = if subject.is_empty() { String::new() } else { format!(" ({subject})") };
    writeln!(out, "Retest: {}{outcome}{subject}", claim.id)
}
