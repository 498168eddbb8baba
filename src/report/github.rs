//! Workflow commands, which GitHub Actions turns into annotations.
//!
//! A step shows ten annotations of a level and drops the others without a word, so the tenth says
//! what is left out. The runner looks for commands in every line, so no other line may hold one.

use std::cmp::Reverse;
use std::io::{self, Write};

use super::{Options, Receipts, escape, lead, leads, sum, sum_of_change, suppressed};
use crate::checks::Confidence;
use crate::texts::Language;
use crate::verdict::{Audit, JudgedClaim};

/// Annotations of one level that a step shows.
const SHOWN: usize = 10;

/// Longest path in a command, in bytes; a longer one could not be shown.
const PATH: usize = 1_000;

/// Writes a command for each caveat and each lead that can be shown, then what is suppressed and the
/// sum as plain lines.
pub(super) fn write(audit: &Audit, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let mut leads: Vec<&JudgedClaim> = leads(audit).collect();
    leads.sort_by_key(|it| Reverse(lead::confidence(it)));
    let sure = leads.partition_point(|it| lead::confidence(it) > Confidence::Low);
    let (warnings, notices) = leads.split_at(sure);
    let caveats = audit.caveats.iter().map(|it| {
        let message = escape::cut(&it.message, escape::MESSAGE_LIMIT);
        command("warning", None, &format!("caveat: {}", it.code), &message)
    });
    let warnings = warnings.iter().map(|it| annotation("warning", it));
    annotations("warning", caveats.chain(warnings).collect(), out)?;
    annotations("notice", notices.iter().map(|it| annotation("notice", it)).collect(), out)?;
    for (judged, suppression) in suppressed(audit) {
        let place = format!("{}:{}", judged.lineage.path, judged.lineage.claim.lines.start);
        let line = format!("{place} {} {}", judged.id, lead::known(suppression));
        writeln!(out, "{}", plain(&line))?;
    }
    let sum = match &options.comparison {
        None => sum(audit, Language::English),
        Some(change) => sum_of_change(change, Receipts::new(audit), Language::English),
    };
    writeln!(out, "{}", plain(&sum))
}

/// All of a level, or as many as are shown with the last one saying how many more there are.
fn annotations(level: &str, all: Vec<String>, out: &mut dyn Write) -> io::Result<()> {
    let whole = all.len() <= SHOWN;
    let kept = if whole { SHOWN } else { SHOWN - 1 };
    for command in all.iter().take(kept) {
        out.write_all(command.as_bytes())?;
    }
    if !whole {
        let more = format!(
            "{} more are not shown here: GitHub shows {SHOWN} annotations of a level. \
             The job summary and the other formats have more.",
            all.len() - kept
        );
        out.write_all(command(level, None, "claim-audit", &more).as_bytes())?;
    }
    Ok(())
}

fn annotation(level: &str, judged: &JudgedClaim) -> String {
    let title = lead::title(judged);
    let message = format!("{}\n{} [{}]", lead::said(judged), lead::claimed(judged), judged.id);
    command(level, Some(judged), &title, &message)
}

fn command(level: &str, at: Option<&JudgedClaim>, title: &str, message: &str) -> String {
    let place = at.map(|it| &it.lineage).filter(|it| it.path.len() <= PATH).map(|lineage| {
        let lines = lineage.claim.lines;
        let path = property(&lineage.path);
        format!("file={path},line={},endLine={},", lines.start, lines.end)
    });
    let (place, title) = (place.unwrap_or_default(), property(&escape::visible(title)));
    format!("::{level} {place}title={title}::{}\n", data(message))
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// What follows the second colons, on one line.
fn data(text: &str) -> String {
    let mut data = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        match character {
            '#' if text.get(at..).is_some_and(escape::is_command) => {
                data.extend(character.escape_unicode());
            }
            '%' => data.push_str("%25"),
            '\r' => data.push_str("%0D"),
            '\n' => data.push_str("%0A"),
            _ if escape::is_hostile(character) => data.extend(character.escape_default()),
            _ => data.push(character),
        }
    }
    data
}

/// A line in which the runner finds no command.
fn plain(line: &str) -> String {
    escape::at_start(&escape::visible(line)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn told(audit: &Audit) -> String {
        let mut out = Vec::new();
        write(audit, &Options::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_sample() {
        insta::assert_snapshot!(told(&sample::suppressed()));
        insta::assert_snapshot!(told(&sample::empty()));
    }

    #[test]
    fn values_are_escaped_byte_by_byte() {
        let mut audit = sample::audit();
        audit.claims.truncate(1);
        let lineage = &mut audit.claims[0].lineage;
        lineage.path = "a%b,c:d\r\n::error::x.md".into();
        lineage.claim.text = "100%\n::error file=x::y\u{1b}[2J".into();
        let text = told(&audit);
        let line = text.lines().nth(1).unwrap();
        let start = "::warning file=a%25b%2Cc%3Ad%0D%0A%3A%3Aerror%3A%3Ax.md,line=12,endLine=12,\
                     title=predates-pitfall (high)::Last tested";
        assert!(line.starts_with(start), "{line}");
        let end = r"%0A100%25\n::error file=x::y\u{1b}[2J [c-00000001]";
        assert!(line.ends_with(end), "{line}");
    }

    #[test]
    fn no_line_but_ours_is_a_command() {
        let mut audit = sample::hostile();
        for (at, judged) in audit.claims.iter_mut().enumerate() {
            judged.lineage.path.insert_str(0, "::set-output name=x::##[error]");
            if at == 0 {
                judged.suppression = sample::suppressed().claims[4].suppression.clone();
            }
        }
        let text = told(&audit);
        assert!(text.chars().all(|c| c == '\n' || !escape::is_hostile(c)), "{text}");
        for line in text.lines() {
            let ours = line.starts_with("::warning ") || line.starts_with("::notice ");
            assert!(
                ours || !line.contains("##[") && !line.trim_start().starts_with("::"),
                "{line}"
            );
        }
    }

    #[test]
    fn the_tenth_annotation_says_what_is_left_out() {
        for (rows, shown) in [(9, 10), (10, 10), (2_000, 10)] {
            let text = told(&sample::many(rows));
            let lines: Vec<_> = text.lines().filter(|it| it.starts_with("::warning")).collect();
            assert_eq!(lines.len(), shown, "{rows}");
            let told = lines[shown - 1].starts_with("::warning title=claim-audit::");
            assert_eq!(told, rows > 9);
        }
        // One caveat and eight leads are shown.
        assert!(told(&sample::many(2_000)).contains("::1992 more are not shown here"));
    }
}
