//! Where the command line calls the library: the only file of `cli` that knows how an audit is made.

use std::num::NonZeroUsize;

use super::args::Args;
use super::packs;
use super::problem::Problem;
use super::progress::Meter;
use crate::checks::{ALL, Check};
use crate::extract::proof;
use crate::history::Repository;
use crate::rules::RuleSet;
use crate::verdict::Audit;
use crate::{Globs, Options};

/// A check or a rule as `--list-…` and `--explain` show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// What users write.
    pub name: &'static str,
    /// Its explanation; the first line says it in short.
    pub explain: &'static str,
}

/// Every check, in the order in which reports list reasons.
pub(super) fn checks() -> Vec<Topic> {
    ALL.iter().map(|check| Topic { name: check.name(), explain: check.explain() }).collect()
}

/// Opens the repository, loads the rules and audits.
pub(super) fn audit(args: &Args, meter: &Meter) -> Result<Audit, Problem> {
    let rules = rule_set(args)?;
    let globs = Globs::new(&args.include, &args.exclude)?;
    let repo = Repository::open(&args.repo)?;
    let options = Options {
        rev: repo.resolve(&args.rev)?,
        globs: &globs,
        allow_shallow: args.allow_shallow,
        jobs: args.jobs.map_or_else(cores, NonZeroUsize::get),
        threshold: args.min_confidence.into(),
    };
    let wanted = |check: &&&dyn Check| {
        let named = |names: &[String]| names.iter().any(|name| name == check.name());
        (args.check.is_empty() || named(&args.check)) && !named(&args.no_check)
    };
    let checks: Vec<&dyn Check> = ALL.iter().filter(wanted).copied().collect();
    Ok(crate::audit(&repo, &options, &rules, &checks, meter)?)
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The built-in packs and those that the user names.
pub(super) fn rule_set(args: &Args) -> Result<RuleSet, Problem> {
    Ok(RuleSet::with(&packs::read(&args.rules)?)?)
}

/// A line for each example of a rule that does not hold.
pub(super) fn failing_examples(rules: &RuleSet) -> Vec<String> {
    let failures = proof::failures(rules).into_iter();
    failures.map(|it| format!("{}: {:?} {}", it.rule, it.example, it.what)).collect()
}
