//! Answers to `--explain` and `--explain-line`: a check, a rule, or one line of a document.

use std::io::{self, Write};

use super::{Status, Topic};
use crate::extract::Note;
use crate::report::escape;
use crate::rules::Facts;

/// Width of the column of labels.
const LABELS: usize = 14;

/// Explains a check.
pub(super) fn check(topic: &Topic, width: usize, out: &mut dyn Write) -> io::Result<Status> {
    writeln!(out, "{}", topic.name)?;
    for paragraph in std::iter::once(&topic.explain).chain(&topic.more) {
        writeln!(out, "\n{}", textwrap::fill(paragraph, width))?;
    }
    Ok(Status::Clean)
}

/// Explains a rule or a guard.
pub(super) fn rule(facts: &Facts, width: usize, out: &mut dyn Write) -> io::Result<Status> {
    writeln!(out, "{}\n", escape::cut(&facts.id, escape::MESSAGE_LIMIT))?;
    row(facts.kind, &format!("of the pack {}", facts.pack), width, out)?;
    if let Some(location) = &facts.location {
        row("stands at", &location.to_string(), width, out)?;
    }
    for (key, value) in &facts.settings {
        row(key, value, width, out)?;
    }
    for (label, texts) in [
        ("matches", &facts.say),
        ("unless", &facts.unless),
        ("reads", &facts.must_match),
        ("not", &facts.must_not_match),
    ] {
        for text in texts {
            row(label, text, width, out)?;
        }
    }
    Ok(Status::Clean)
}

/// Tells how a line was read.
pub(super) fn line(
    place: &str,
    text: &str,
    notes: &[Note],
    width: usize,
    out: &mut dyn Write,
) -> io::Result<Status> {
    super::line(place, out)?;
    let text = format!("  {}", escape::cut(text.trim_end(), escape::TEXT_LIMIT));
    writeln!(out, "{}\n", escape::at_start(&text))?;
    for note in notes {
        row(note.label, &note.text, width, out)?;
    }
    Ok(Status::Clean)
}

/// A label and a text that may be a stranger's.
fn row(label: &str, text: &str, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let hang = " ".repeat(LABELS);
    let text = escape::cut(text, escape::MESSAGE_LIMIT);
    let options = textwrap::Options::new(width).initial_indent(&hang).subsequent_indent(&hang);
    write!(out, "{label:LABELS$}")?;
    for (at, line) in textwrap::wrap(&text, options).iter().enumerate() {
        match at {
            0 => writeln!(out, "{}", line.trim_start())?,
            _ => writeln!(out, "{}", escape::at_start(line))?,
        }
    }
    Ok(())
}
