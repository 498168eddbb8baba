//! What a run over several repositories says beside their reports.

use std::io::{self, Write};

use super::{escape, json};
use crate::texts::{self, Language, Message};

/// How many repositories have leads, how many have none, and which could not be audited.
pub fn sum(leads: usize, clean: usize, failed: &[String], language: Language) -> String {
    let names = failed.iter().map(|name| escape::cut(name, escape::LINE_LIMIT));
    let names = names.collect::<Vec<_>>().join(&texts::text(language, "enumeration"));
    Message::new("several-sum")
        .with("count", leads + clean + failed.len())
        .with("leads", leads)
        .with("clean", clean)
        .with("failed", failed.len())
        .with("names", names)
        .say(language)
}

/// Writes the line that stands where the report of a repository would be, had it been audited.
///
/// # Errors
/// Whatever `out` returns.
pub fn write_failure(
    repository: &str,
    error: &str,
    help: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    json::write_failure(repository, error, help, out)
}
