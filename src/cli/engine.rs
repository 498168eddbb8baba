//! Where the command line calls the library: the only file of `cli` that knows how an audit is made.

use super::args::Args;
use super::packs;
use super::problem::Problem;
use super::progress::Meter;
use crate::extract::proof;
use crate::rules::RuleSet;
use crate::verdict::Audit;

/// A check or a rule as `--list-…` and `--explain` show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// What users write.
    pub name: &'static str,
    /// Its explanation; the first line says it in short.
    pub explain: &'static str,
}

// TO WIRE: `checks` waits for `checks::ALL`, `audit` for the pipeline in lib.rs.

/// Every check, in the order in which reports list reasons.
pub(super) fn checks() -> Vec<Topic> {
    Vec::new()
}

/// Opens the repository, loads the rules and audits.
pub(super) fn audit(args: &Args, meter: &Meter) -> Result<Audit, Problem> {
    let _ = (rule_set(args)?, meter);
    Err(Problem::NotBuilt("the audit"))
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
