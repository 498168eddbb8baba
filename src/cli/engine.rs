//! Where the command line calls the library: the only file of `cli` that knows how an audit is made.

use super::args::Args;
use super::problem::Problem;
use super::progress::Meter;
use crate::verdict::Audit;

/// A check or a rule as `--list-…` and `--explain` show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// What users write.
    pub name: &'static str,
    /// Its explanation; the first line says it in short.
    pub explain: &'static str,
}

// TO WIRE: the four functions below wait for `checks::ALL`, `rules` and `audit` in lib.rs.

/// Every check, in the order in which reports list reasons.
pub(super) fn checks() -> Vec<Topic> {
    Vec::new()
}

/// Opens the repository, loads the rules and audits.
pub(super) fn audit(args: &Args, meter: &Meter) -> Result<Audit, Problem> {
    let _ = (args, meter);
    Err(Problem::NotBuilt("the audit"))
}

/// All rules of all packs, one a line.
pub(super) fn list_rules(args: &Args) -> Result<Vec<String>, Problem> {
    let _ = args;
    Err(Problem::NotBuilt("the list of rules"))
}

/// Runs the examples that rules carry; one line for each that fails.
pub(super) fn test_rules(args: &Args) -> Result<RuleTests, Problem> {
    let _ = args;
    Err(Problem::NotBuilt("the test of rules"))
}

/// How the examples of rules fared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RuleTests {
    /// Rules that were tested.
    pub(super) rules: usize,
    /// Examples that were run.
    pub(super) examples: usize,
    /// A line for each example that fails.
    pub(super) failures: Vec<String>,
}
