//! Reports: a finished audit to bytes, a file per format.
//!
//! A report sees the audit and what it is told in [`Options`]; it looks at neither the repository
//! nor the terminal. Text from the repository is hostile: each format escapes for its medium.

pub mod escape;
mod forge;
mod github;
mod group;
mod html;
mod json;
mod junit;
mod lead;
mod markdown;
mod moment;
mod rdjson;
mod receipt;
#[cfg(test)]
pub(crate) mod sample;
mod sarif;
pub mod several;
mod sum;
mod text;
mod timeline;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use crate::checks::{Challenge, Confidence, Exposure, OrderedBy};
use crate::compare::Comparison;
use crate::extract::{Effect, Kind};
use crate::history::{Caveat, CommitId};
use crate::lineage::How;
use crate::texts::{self, Arg, Language, Message};
use crate::verdict::{Audit, CommitFacts, JudgedClaim, Suppression, Verdict};

pub use moment::{lag, utc};
pub use receipt::Receipts;
pub(crate) use receipt::shell_word;
use sum::{basis, sum, sum_of_change};
use timeline::Told;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// For people at a terminal.
    Text,
    /// For programs: the contract's JSON, version 1.
    Json,
    /// The same in lines: an object for each claim.
    Jsonl,
    /// For code scanning and viewers: SARIF 2.1.0.
    Sarif,
    /// For GitHub Actions: workflow commands.
    Github,
    /// For browsers: one page that needs nothing else.
    Html,
    /// For a comment on a pull request.
    Markdown,
    /// For test dashboards: JUnit XML.
    Junit,
    /// For reviewdog.
    Rdjson,
}

/// What a report needs to know besides the audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The repository as the user named it.
    pub repository: String,
    /// Columns to fit text into.
    pub width: usize,
    /// Whether to colour.
    pub color: bool,
    /// The address of the working tree's top, with a slash at its end, where the reader's terminal
    /// opens files by a click.
    pub links: Option<String>,
    /// Whether to list evidence and pitfalls one by one and not only count them.
    pub all: bool,
    /// How many reasons were left out of the audit because they are below the wanted confidence.
    pub below_threshold: usize,
    /// In pull-request mode: what the change did. Reports then tell of nothing else.
    pub comparison: Option<Comparison>,
    /// The language of the texts around what the repository says.
    pub language: Language,
}

impl Default for Options {
    /// Of the folder that one is in, in English, as it is told where there is no terminal.
    fn default() -> Self {
        Self {
            repository: ".".to_owned(),
            width: 100,
            color: false,
            links: None,
            all: false,
            below_threshold: 0,
            comparison: None,
            language: Language::English,
        }
    }
}

/// Writes a report.
///
/// The same audit and options give the same bytes.
///
/// # Errors
/// Whatever `out` returns.
pub fn write(
    format: Format,
    audit: &Audit,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Text => text::write(audit, options, out),
        Format::Json => json::write(audit, options, out),
        Format::Jsonl => json::write_lines(audit, options, out),
        Format::Sarif => sarif::write(audit, options, out),
        Format::Github => github::write(audit, options, out),
        Format::Html => html::write(audit, options, out),
        Format::Markdown => markdown::write(audit, options, out),
        Format::Junit => junit::write(audit, out),
        Format::Rdjson => rdjson::write(audit, out),
    }
}

/// Whose life is asked for, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// One of [`Audit::claims`].
    Standing(usize),
    /// One of [`Audit::ended`].
    Ended(usize),
}

/// Writes the life of one claim: JSON where that is asked for, else for people at a terminal.
///
/// Nothing is written of a claim that the audit does not have.
///
/// # Errors
/// Whatever `out` returns.
pub fn write_timeline(
    format: Format,
    audit: &Audit,
    claim: Asked,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let told = match claim {
        Asked::Standing(at) => audit.claims.get(at).map(Told::Standing),
        Asked::Ended(at) => audit.ended.get(at).map(Told::Ended),
    };
    let Some(told) = told else { return Ok(()) };
    match format {
        Format::Json => timeline::write_json(audit, told, out),
        _ => text::timeline::write(audit, told, options, out),
    }
}

/// The JSON Schemas of the JSON report, of a line of the JSON Lines report, and of a line of a run over
/// several repositories.
///
/// # Errors
/// When a schema cannot be written as JSON.
pub fn schemas() -> Result<[String; 3], serde_json::Error> {
    json::schemas()
}

/// The address of a folder of this machine, with a slash at its end.
pub fn folder_address(folder: &Path) -> String {
    let path = folder.to_string_lossy().replace('\\', "/");
    let path = path.trim_matches('/');
    // A drive's colon stays one.
    format!("file:///{}/", forge::encoded(path).replace("%3A", ":"))
}

/// What is known of a commit, where the audit carries it.
fn facts(audit: &Audit, commit: CommitId) -> Option<&CommitFacts> {
    audit.facts.get(usize::try_from(commit.0).ok()?)
}

/// Those claims that are leads only, in the audit's order, without those that somebody knows of.
fn leads(audit: &Audit) -> impl Iterator<Item = &JudgedClaim> {
    let open = |it: &&JudgedClaim| it.verdict == Verdict::LeadOnly && it.suppression.is_none();
    audit.claims.iter().filter(open)
}

/// Leads that somebody knows of, in the audit's order.
fn suppressed(audit: &Audit) -> impl Iterator<Item = (&JudgedClaim, &Suppression)> {
    audit.claims.iter().filter_map(|it| Some((it, it.suppression.as_ref()?)))
}

/// How many leads each check accounts for: one with several reasons of a check counts once for it.
fn by_rule(audit: &Audit) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for lead in leads(audit) {
        let mut checks: Vec<&str> = lead.reasons.iter().map(|reason| reason.check).collect();
        checks.sort_unstable();
        checks.dedup();
        for check in checks {
            *counts.entry(check).or_insert(0) += 1;
        }
    }
    counts
}

// The contract's words. They are the same in every format, so they stand here once.

fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Evidence => "evidence",
        Verdict::LeadOnly => "lead_only",
    }
}

fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Failure => "failure",
        Kind::Success => "success",
        Kind::Measurement => "measurement",
    }
}

fn effect_word(effect: Effect) -> &'static str {
    match effect {
        Effect::Crash => "crash",
        Effect::Perf => "perf",
        // A habit that falsifies a measurement makes it wrong; the contract has no further word.
        Effect::Wrong | Effect::Measure => "wrong",
        Effect::Unknown => "unknown",
    }
}

fn confidence_word(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Low => "low",
        Confidence::Medium => "medium",
        Confidence::High => "high",
    }
}

fn exposure_word(exposure: Exposure) -> &'static str {
    match exposure {
        Exposure::InUse => "in_use",
        Exposure::Unrecorded => "unrecorded",
    }
}

fn order_word(order: OrderedBy) -> &'static str {
    match order {
        OrderedBy::Ancestry => "ancestry",
        OrderedBy::Time => "time",
    }
}

/// A word of the contract in a language of people: `word(language, "kind", "failure")`.
fn word(language: Language, of: &str, contract: &str) -> String {
    texts::text(language, &format!("{of}-{contract}"))
}

/// What a caveat says, as long as a report should be.
fn caveat_words(caveat: &Caveat, language: Language) -> String {
    let said = Message::new("caveat")
        .with("code", caveat.code)
        .with("message", escape::cut(&caveat.message, escape::MESSAGE_LIMIT));
    said.say(language)
}

/// How long after the last test a pitfall became known, and how that is known.
fn lag_message(challenge: &Challenge) -> Message {
    let id = if challenge.lag_seconds < 0 { "lag-against" } else { "lag-until" };
    let seconds = challenge.lag_seconds.saturating_abs();
    Message::new(id).with("lag", Arg::Span(seconds)).with("order", order_word(challenge.ordered_by))
}

/// What the tree of the last test says of the trigger; `commit` as the report writes it.
fn exposure_message(challenge: &Challenge, commit: String) -> Message {
    let id = match challenge.exposure {
        Exposure::InUse => "exposure-in_use",
        Exposure::Unrecorded => "exposure-unrecorded",
    };
    Message::new(id).with("commit", commit)
}

fn how_word(how: How) -> &'static str {
    match how {
        How::Message => "message",
        How::Number => "number",
        How::Outcome => "outcome",
        How::Trailer => "trailer",
        How::Text => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Format; 9] = [
        Format::Text,
        Format::Json,
        Format::Jsonl,
        Format::Sarif,
        Format::Github,
        Format::Html,
        Format::Markdown,
        Format::Junit,
        Format::Rdjson,
    ];

    #[test]
    fn no_line_is_a_strangers_command() {
        for evil in ["::error::x ", "a ::error::x ", "\n::error::x\n"] {
            let audit = sample::poisoned(&evil.repeat(9));
            for format in ALL {
                let mut out = Vec::new();
                write(format, &audit, &Options::default(), &mut out).unwrap();
                for line in String::from_utf8(out).unwrap().lines().map(str::trim_start) {
                    let ours = format == Format::Github
                        && (line.starts_with("::warning ") || line.starts_with("::notice "));
                    assert!(ours || !line.starts_with("::"), "{format:?}: {line}");
                }
            }
        }
    }

    #[test]
    fn no_log_of_a_job_is_read_for_a_strangers_commands() {
        let audit =
            sample::poisoned("###[add-mask]x ##vso[task.setvariable variable=x]y ##[error]");
        for format in ALL {
            let mut out = Vec::new();
            write(format, &audit, &Options::default(), &mut out).unwrap();
            let report = String::from_utf8(out).unwrap();
            assert!(!escape::acts(&report.replace('\n', " ")), "{format:?}: {report}");
        }
    }
}
