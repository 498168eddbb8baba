//! Equations that a text writes down, worked out again with the tolerance that its digits imply.
//!
//! Every number stands for all numbers that are written so when rounded, and a step is worked out
//! on intervals. That is why there is no expression crate behind this: those know one number per
//! number. What is not understood to its end is no equation: a word too many, an unknown unit, a
//! letter that stands for a number. Knows nothing of documents, rules or claims.

mod change;
mod equation;
mod expression;
mod split;
mod table;
mod token;
mod value;

use serde::{Deserialize, Serialize};

pub use table::{Grid, totals};
pub use token::{Size, Suffix, Unit, Vocabulary};

/// What became of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// Both sides agree.
    Holds,
    /// They agree only where decimal units are read as binary ones, or the other way round.
    MixedUnits,
    /// They do not agree.
    Fails,
}

/// An equation as written and as worked out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Equation {
    /// The words, as written.
    pub text: String,
    /// What its left side gives, in the digits and the unit of its right side.
    pub computed: String,
    /// Its right side, as written.
    pub stated: String,
    /// What became of it.
    pub outcome: Outcome,
    /// It calls itself approximate.
    pub approximate: bool,
}

/// Bytes of a text above which nothing is worked out.
const LONGEST: usize = 20_000;

/// Every equation of a text that is understood to its end, in order.
///
/// Time is linear in the text, since an equation is short.
pub fn equations(text: &str, words: &Vocabulary) -> Vec<Equation> {
    if text.len() > LONGEST || !text.contains(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let tokens = token::tokens(text, words);
    let mut found = equation::all(text, &tokens);
    found.extend(change::all(text, &tokens));
    found.extend(split::all(text, &tokens));
    found.sort_by_key(|(range, _)| (range.start, range.end));
    found.dedup_by(|b, a| a.0 == b.0);
    found.into_iter().map(|(_, equation)| equation).collect()
}

#[cfg(test)]
mod tests;
