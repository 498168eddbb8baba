//! Where the command line calls the library: the only file of `cli` that knows how an audit is made.

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use chrono::NaiveDate;

use super::args::Args;
use super::problem::Problem;
use super::settings::{Asked, Settings};
use super::{baseline, cached, packs};
use crate::checks::{self, Check, Guide};
use crate::documents::{self, Format};
use crate::extract::{self, Note, proof};
use crate::forge::Events;
use crate::history::{self, Limits, Opening, Progress, Repository};
use crate::rules::RuleSet;
use crate::suppress::{Known, suppress};
use crate::texts::{Language, Message};
use crate::verdict::Audit;
use crate::{Globs, Options};

/// A check as `--list-checks` and `--explain` show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// What users write.
    pub name: &'static str,
    /// Its explanation; the first sentence says it in short.
    pub explain: String,
    /// Further paragraphs: when it fires, when it does not, what to do.
    pub more: Vec<String>,
    /// It runs where nobody asks for it.
    pub on: bool,
}

/// Every check, in the order in which reports list reasons.
pub(super) fn checks() -> Vec<Topic> {
    let topic = |check: &&dyn Check| {
        let Guide { what, fires, silent, fix } = Guide::of(*check, Language::English);
        let label = |id: &'static str, text: String| {
            Message::new(id).with("text", text).with("name", check.name()).say(Language::English)
        };
        let more = vec![
            label("guide-fires", fires),
            label("guide-silent", silent),
            label("guide-fix", fix),
        ];
        Topic { name: check.name(), explain: what, more, on: check.on_by_default() }
    };
    checks::ALL.iter().map(topic).collect()
}

/// Threads to use: as many as asked for, or as the machine has processors.
pub(super) fn jobs(args: &Args) -> usize {
    args.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// What was audited.
pub(super) struct Audited {
    /// At the audited commit.
    pub(super) audit: Audit,
    /// With `--base`: where the change began.
    pub(super) before: Option<Audit>,
}

/// Audits, and marks the leads that are known.
pub(super) fn audit(
    args: &Args,
    settings: &Settings,
    today: NaiveDate,
    progress: &dyn Progress,
) -> Result<Audited, Problem> {
    let checks = settings.checks();
    let baseline = args.baseline.as_deref().map(baseline::read).transpose()?;
    let rules = proven(RuleSet::with(&settings.packs)?)?;
    let Settings { repo, config, entries, .. } = settings;
    let globs = Globs::new(&config.documents.include, &config.documents.exclude)?;
    let threshold = Asked::of(config).threshold;
    let events = forge_events(args)?;
    let cache = cached::cache(args);
    let options = Options {
        events: &events,
        rev: settings.rev,
        globs: &globs,
        allow_shallow: args.allow_shallow,
        jobs: jobs(args),
        threshold,
        limits: limits(args),
        cache: cache.as_ref(),
    };
    let mut audited = match settings.base {
        None => {
            let audit = crate::audit(repo, &options, &rules, &checks, progress)?;
            Audited { audit, before: None }
        }
        Some(base) => {
            let change = crate::audit_change(repo, base, &options, &rules, &checks, progress)?;
            Audited { audit: change.after, before: Some(change.before) }
        }
    };
    let names = |checks: &[&dyn Check]| checks.iter().map(|it| it.name()).collect::<Vec<_>>();
    let known = Known {
        entries,
        baseline: baseline.as_ref(),
        today,
        checks: &names(&checks),
        all_checks: &names(checks::ALL),
        threshold,
    };
    suppress(&mut audited.audit, &known, audited.before.as_ref());
    audited.audit.caveats.extend(settings.narrowing());
    audited.audit.caveats.sort();
    Ok(audited)
}

/// The bounds, with what the user changed of them.
fn limits(args: &Args) -> Limits {
    let mut limits = Limits::default();
    for (name, value) in &args.limit {
        limits.set(name, *value);
    }
    limits
}

/// Opens the repository that the user names.
pub(super) fn open(args: &Args, path: &Path) -> Result<Repository, history::Error> {
    let opening = Opening { ceilings: &args.ceilings, trust: args.trust_repository };
    Repository::open_with(path, &opening)
}

fn forge_events(args: &Args) -> Result<Events, Problem> {
    let Some(path) = &args.forge_events else { return Ok(Events::default()) };
    let bytes = std::fs::read(path)
        .map_err(|source| Problem::ForgeEvents { path: path.clone(), source })?;
    Events::read(&bytes).map_err(|error| Problem::ForgeLine { path: path.clone(), error })
}

/// The built-in packs and those that the user names, whose rules must hold on their own examples.
pub(super) fn rule_set(args: &Args) -> Result<RuleSet, Problem> {
    proven(unproven_rule_set(args)?)
}

fn proven(rules: RuleSet) -> Result<RuleSet, Problem> {
    match proof::further_failures(&rules).into_iter().next() {
        None => Ok(rules),
        Some(failure) => Err(Problem::Example { at: rules.location(&failure.rule), failure }),
    }
}

/// The same, for those who want to see which examples hold.
pub(super) fn unproven_rule_set(args: &Args) -> Result<RuleSet, Problem> {
    Ok(RuleSet::with(&packs::read(&args.rules)?)?)
}

/// How one line of a document is read at the audited commit.
pub(super) struct LineRead {
    /// `path:line at commit`.
    pub(super) place: String,
    /// The line as it stands there.
    pub(super) text: String,
    /// What was decided, in order.
    pub(super) notes: Vec<Note>,
}

/// Reads one document at the audited commit and tells how one line of it was read.
pub(super) fn explain_line(
    args: &Args,
    settings: &Settings,
    path: &str,
    line: u32,
) -> Result<LineRead, Problem> {
    let Settings { repo, rev, packs, .. } = settings;
    let rules = proven(RuleSet::with(packs)?)?;
    let missing = || Problem::NoLine { path: path.to_owned(), line, rev: args.rev.clone() };
    let bytes = repo.file_at(*rev, path, limits(args).document_bytes)?.ok_or_else(missing)?;
    let format = Format::of_name(path).unwrap_or(Format::PlainText);
    let document = documents::parse(format, &bytes);
    let text = String::from_utf8_lossy(&bytes);
    let text = text.lines().nth(line as usize - 1).ok_or_else(missing)?.to_owned();
    let mut notes = extract::explain_line(&document, &rules, line);
    if !rules.is_document(path) {
        let text = "an audit does not read this file: no rule pack calls it a document".to_owned();
        notes.push(Note { label: "but", text });
    }
    Ok(LineRead { place: format!("{path}:{line} at {}", rev.short()), text, notes })
}

/// A line for each example of a rule that does not hold.
pub(super) fn failing_examples(rules: &RuleSet) -> Vec<String> {
    let failures = proof::failures(rules).into_iter();
    failures.map(|it| format!("{}: {:?} {}", it.rule, it.example, it.what)).collect()
}
