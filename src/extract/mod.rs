//! What one text says: claims, pitfalls, retests. Knows no commits and no other files.

use crate::documents::Lines;

/// What kind of outcome a claim states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// It fails, crashes, does not fit, did not help.
    Failure,
    /// It works, passes, is verified.
    Success,
    /// A measured number is the point.
    Measurement,
}

/// What a pitfall does to those who step into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Fails, hangs, does not start.
    Crash,
    /// Slow, or a speed that is not the real one.
    Perf,
    /// Wrong output, corruption.
    Wrong,
    /// Falsifies what is measured: the contract's `wrong` for measuring habits.
    Measure,
    /// Not said.
    Unknown,
}

/// What a measured number is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// Per second.
    Rate,
    /// Seconds.
    Time,
    /// Bytes, tokens.
    Size,
    /// Percent, times, fractions.
    Ratio,
    /// Accuracy, recall, loss, p-values.
    Quality,
    /// Watts, money and other cost.
    Cost,
    /// Anything else.
    Other,
}

/// A number with its unit, as compared: `98.10 tokens/sec` is `98.1` and `tok/s`.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    /// The number in canonical digits (no trailing zeros, plain minus, suffix multiplied out).
    pub number: String,
    /// Canonical unit, empty for a bare number.
    pub unit: String,
    /// What it measures.
    pub dimension: Dimension,
}

/// Why a statement is weaker than it sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HedgeClass {
    /// Somebody else's result.
    SecondHand,
    /// Computed, expected, not run.
    Estimate,
}

/// A hedge and the words it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hedge {
    /// Which.
    pub class: HedgeClass,
    /// The words, as written.
    pub words: String,
    /// Id of the rule that read it.
    pub rule: String,
}

/// A statement that something was found to be so.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Kind of outcome.
    pub kind: Kind,
    /// What it is about, for people.
    pub subject: String,
    /// The row or sentence, markup removed, on one line.
    pub text: String,
    /// Titles of the enclosing sections, outermost first.
    pub section: Vec<String>,
    /// Where it stands.
    pub lines: Lines,
    /// Where else the same document says the same.
    pub also: Vec<Lines>,
    /// Subject and outcome after normalisation: equal keys are the same claim.
    pub key: u64,
    /// Subject alone after normalisation.
    pub subject_key: u64,
    /// Canonical subject terms such as `device=3` or `model=…`, sorted, distinct.
    pub terms: Vec<String>,
    /// Hashes of the normalised content words, sorted, distinct: for likeness.
    pub words: Vec<u64>,
    /// Measured numbers in the order in which they stand.
    pub values: Vec<Quantity>,
    /// Weaknesses that the text itself admits.
    pub hedges: Vec<Hedge>,
    /// What kinds of trouble a failure reports.
    pub effects: Vec<Effect>,
    /// Ids of phases (load, prefill, …) it names itself.
    pub phases: Vec<String>,
    /// Code spans, error names and the like: rare words that link texts.
    pub identifiers: Vec<String>,
    /// The words that give its own, sufficient cause, as written.
    pub own_cause: Option<String>,
    /// Id of the rule that made it a claim.
    pub rule: String,
}

/// An entry that tells readers to avoid a named thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Pitfall {
    /// The entry, markup removed, on one line.
    pub text: String,
    /// Titles of the enclosing sections, outermost first.
    pub section: Vec<String>,
    /// Where it stands.
    pub lines: Lines,
    /// Tokens to avoid, as written, most specific first; never empty.
    pub triggers: Vec<String>,
    /// What it does.
    pub effect: Effect,
    /// Triggers and effect after normalisation: equal keys are the same pitfall.
    pub key: u64,
    /// Hashes of the normalised content words, sorted, distinct.
    pub words: Vec<u64>,
    /// Canonical subject terms, sorted, distinct.
    pub terms: Vec<String>,
    /// Ids of phases it names.
    pub phases: Vec<String>,
    /// Code spans, error names and the like.
    pub identifiers: Vec<String>,
    /// Id of the rule that read it.
    pub rule: String,
}

/// All that one document says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statements {
    /// In order of their lines.
    pub claims: Vec<Claim>,
    /// In order of their lines.
    pub pitfalls: Vec<Pitfall>,
}

/// A sentence of a commit message that says something was run again.
#[derive(Clone, Debug, PartialEq)]
pub struct RetestNote {
    /// The words, as written.
    pub text: String,
    /// From a `Retest:` trailer: names a claim id or a subject in so many words.
    pub trailer: bool,
    /// Canonical subject terms of the sentence.
    pub terms: Vec<String>,
    /// Hashes of its normalised content words, sorted, distinct.
    pub words: Vec<u64>,
    /// Numbers in it.
    pub values: Vec<Quantity>,
    /// Code spans, error names and the like.
    pub identifiers: Vec<String>,
}
