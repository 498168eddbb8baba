//! What a text tells of the grounds that its claims rest on: signs, equations, places of failure.
//!
//! Code spans are read as words here: a probe or a parameter is often named in one.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::claim;
use super::matching::{self, Sentence};
use super::number;
use super::reading::Reading;
use super::trace::Tracer;
use super::{Claim, Quantity};
use crate::arithmetic::{self, Equation, Grid, Outcome};
use crate::documents::{Lines, Text};
use crate::rules::{Kind, RuleSet, SignClass, SignRule};

/// Tokens between words that blame and what they blame.
const BLAME_REACH: usize = 5;

#[expect(clippy::expect_used, reason = "the expression is a literal and a test compiles it")]
static SITE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"([\w-]+\.[A-Za-z]{1,4})(?::|:? line |第 ?|, line )([0-9]+)")
        .expect("a valid expression")
});

/// Where words stand with regard to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Near {
    /// In its own sentence or row.
    Own,
    /// In the same paragraph, item or table.
    Block,
}

/// Words that tell something of what a claim rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sign {
    /// What they are a sign of.
    pub class: SignClass,
    /// The words, as written.
    pub words: String,
    /// Id of the rule that read them.
    pub rule: String,
    /// Numbers in them.
    pub values: Vec<Quantity>,
    /// For a probe: kinds of claims that it cannot carry; all where empty.
    pub blind_to: Vec<Kind>,
    /// For an amount or a shortage: of which resource.
    pub resource: Option<String>,
    /// For a blamed parameter: phases in which it has an effect.
    pub acts_in: Vec<String>,
    /// For a blamed parameter: phases that the rest of the sentence names.
    pub phases: Vec<String>,
    /// Where they stand.
    pub near: Near,
}

/// An equation that does not hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slip {
    /// The equation.
    pub equation: Equation,
    /// Where it stands.
    pub near: Near,
}

/// What a claim's text tells of its grounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Basis {
    /// Signs, in the order of the rules.
    pub signs: Vec<Sign>,
    /// Equations that do not hold.
    pub slips: Vec<Slip>,
    /// The equation of its own words that its numbers come from: it holds, says that it is
    /// approximate, and nothing else is measured there.
    pub computed: Option<String>,
    /// Where it failed: `repack.cu:118`, the name of a function.
    pub sites: Vec<String>,
}

impl Basis {
    /// Its signs of a class.
    pub fn of(&self, class: SignClass) -> impl Iterator<Item = &Sign> {
        self.signs.iter().filter(move |sign| sign.class == class)
    }

    /// The first sign of a class in the claim's own words.
    pub fn own(&self, class: SignClass) -> Option<&Sign> {
        self.of(class).find(|sign| sign.near == Near::Own)
    }

    /// Takes in what the frame of a table says of all its rows.
    pub(super) fn share(&mut self, signs: &[Sign]) {
        let shared = signs.iter().filter(|sign| SHARED.contains(&sign.class));
        self.signs.extend(shared.map(|sign| Sign { near: Near::Block, ..sign.clone() }));
    }

    /// Whether there is a sign of a class.
    pub fn has(&self, class: SignClass) -> bool {
        self.of(class).next().is_some()
    }
}

/// A sign that matters beyond the block in which it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// The sign.
    pub sign: Sign,
    /// Titles of the enclosing sections, outermost first.
    pub section: Vec<String>,
    /// Where it stands.
    pub lines: Lines,
}

/// Classes that matter beyond their block.
const PLACED: [SignClass; 6] = [
    SignClass::FaultAbove,
    SignClass::FaultShare,
    SignClass::OpenFault,
    SignClass::Uncontrolled,
    SignClass::Corrected,
    SignClass::Recorded,
];

/// Classes that matter for the other sentences of a block.
const SHARED: [SignClass; 11] = [
    SignClass::Deeper,
    SignClass::ToTheEnd,
    SignClass::SamePlace,
    SignClass::Together,
    SignClass::Credit,
    SignClass::Isolated,
    SignClass::Waited,
    SignClass::Restored,
    SignClass::Given,
    SignClass::AllMeasured,
    SignClass::Recorded,
];

/// Sentences before and behind a claim that are its block's. Longer blocks are no paragraphs.
const REACH: usize = 64;

/// Gives the claims of a block what its sentences tell, each claim with the number of its sentence;
/// returns the signs that matter beyond it.
pub(super) fn ground(
    rules: &RuleSet,
    reading: &Reading,
    sentences: &[Sentence],
    claims: &mut [(usize, Claim)],
    section: &[String],
) -> Vec<Placed> {
    // Where nothing is claimed, only what matters beyond the block is looked for.
    let wanted = |class| !claims.is_empty() || PLACED.contains(&class);
    let signs = |sentence: &Sentence| match has_no_sign(rules, reading, sentence, wanted) {
        true => Vec::new(),
        false => signs_of(rules, reading.words(&sentence.range), wanted),
    };
    let signs: Vec<Vec<Sign>> = sentences.iter().map(signs).collect();
    let mut placed = Vec::new();
    for (Sentence { range, .. }, signs) in sentences.iter().zip(&signs) {
        let beyond = signs.iter().filter(|sign| PLACED.contains(&sign.class));
        placed.extend(beyond.map(|sign| Placed {
            sign: sign.clone(),
            section: section.to_vec(),
            lines: reading.lines(range),
        }));
    }
    for (at, claim) in claims.iter_mut() {
        let here = signs.iter().enumerate().skip(at.saturating_sub(REACH)).take(2 * REACH + 1);
        for (number, signs) in here {
            let near = if number == *at { Near::Own } else { Near::Block };
            let wanted = signs.iter().filter(|s| near == Near::Own || SHARED.contains(&s.class));
            claim.basis.signs.extend(wanted.map(|sign| Sign { near, ..sign.clone() }));
        }
        if let Some(sentence) = sentences.get(*at) {
            claim.basis.sites = sites(reading, &sentence.range);
        }
    }
    if claims.is_empty() {
        return placed;
    }
    for (number, Sentence { range, .. }) in sentences.iter().enumerate() {
        let found = arithmetic::equations(reading.words(range), &rules.arithmetic);
        if found.is_empty() {
            continue;
        }
        let apart = |at: usize| (at.abs_diff(number), at < number);
        let Some((at, claim)) = claims.iter_mut().min_by_key(|(at, _)| apart(*at)) else { break };
        let near = if number == *at { Near::Own } else { Near::Block };
        if near == Near::Own && claim.kind == Kind::Measurement {
            claim.basis.computed = computed(rules, reading.words(range), &found);
        }
        claim.basis.slips.extend(slips(found, near));
    }
    placed
}

/// How much of a resource a row had and what it was run with, where only the title of a column says
/// of which.
pub(super) fn conditions(rules: &RuleSet, header: &[String], row: &[String]) -> Vec<Sign> {
    let cells =
        header.iter().zip(row).filter(|(_, cell)| cell.contains(|c: char| c.is_ascii_digit()));
    let signs = cells.flat_map(|(title, cell)| signs(rules, &format!("{title} {cell}")));
    signs.filter(|s| matches!(s.class, SignClass::Amount | SignClass::Recorded)).collect()
}

/// The totals of a table that do not hold, each with its row.
pub(super) fn totals(
    rules: &RuleSet,
    header: &[String],
    rows: &[Vec<String>],
) -> Vec<(usize, Slip)> {
    let found = arithmetic::totals(Grid { header, rows }, &rules.arithmetic);
    let slips = found.into_iter().map(|(row, equation)| (row, Slip { equation, near: Near::Own }));
    slips.filter(|(_, slip)| slip.equation.outcome != Outcome::Holds).collect()
}

/// The approximate product that a sentence is about: its numbers with a unit are parts of the product,
/// or come after it.
fn computed(rules: &RuleSet, words: &str, found: &[Equation]) -> Option<String> {
    let product = |it: &&Equation| {
        it.approximate && it.outcome == Outcome::Holds && it.text.contains(['×', '*', '·'])
    };
    let equation = found.iter().find(product)?;
    let before = words.split_once(equation.text.as_str())?.0;
    let measured = number::scan(before, rules).iter().any(|found| found.measured);
    (!measured).then(|| equation.text.clone())
}

fn slips(found: Vec<Equation>, near: Near) -> impl Iterator<Item = Slip> {
    let failing = found.into_iter().filter(|equation| equation.outcome != Outcome::Holds);
    failing.map(move |equation| Slip { equation, near })
}

/// Notes what claims were found to rest on.
pub(super) fn note(claims: &[(usize, Claim)], trace: Tracer<'_>) {
    for basis in claims.iter().map(|(_, claim)| &claim.basis) {
        for sign in &basis.signs {
            let (class, rule, words) = (sign.class.name(), &sign.rule, &sign.words);
            trace.note("sign", || format!("{class} by `{rule}`: \"{words}\""));
        }
        for Slip { equation, .. } in &basis.slips {
            trace.note("arithmetic", || {
                format!("\"{}\" gives {}", equation.text, equation.computed)
            });
        }
    }
}

/// All signs of a sentence.
pub(super) fn signs(rules: &RuleSet, words: &str) -> Vec<Sign> {
    signs_of(rules, words, |_| true)
}

/// Whether it certainly has no sign of those classes, by what is known of it already. Where its bare words
/// are others than those that it was read in, nothing is known.
fn has_no_sign(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    wanted: impl Fn(SignClass) -> bool,
) -> bool {
    let Sentence { range, .. } = sentence;
    let may = || rules.signs.iter().any(|rule| wanted(rule.class) && sentence.may(&rule.regex));
    reading.codes_in(range).next().is_none()
        && !reading.norm[range.clone()].contains("  ")
        && !(sentence.may_any(&rules.kinds.signs) && may())
}

/// Its signs of the classes that are wanted; a parameter needs those that blame it.
fn signs_of(rules: &RuleSet, words: &str, wanted: impl Fn(SignClass) -> bool) -> Vec<Sign> {
    let reading = bare(words);
    let sentence = Sentence::whole(&reading, rules);
    if !sentence.may_any(&rules.kinds.signs) {
        return Vec::new();
    }
    let mut found: Vec<(Range<usize>, Sign)> = Vec::new();
    for rule in rules.signs.iter().filter(|rule| wanted(rule.class)) {
        let hits = matching::all(rules, &reading, &sentence, &rule.regex, &rule.unless);
        found.extend(hits.map(|hit| (hit.clone(), sign(rules, &reading, rule, hit))));
    }
    let tokens = |range: Range<usize>| reading.norm[range].split_whitespace().count();
    let near = |from: usize, to: usize| from <= to && tokens(from..to) <= BLAME_REACH;
    // A parameter counts where it is blamed.
    let blamed = |hit: &Range<usize>| {
        found.iter().any(|(other, sign)| match sign.class {
            SignClass::Cause => near(other.end, hit.start),
            SignClass::Caused => near(hit.end, other.start),
            _ => false,
        })
    };
    let kept = found.iter().filter(|(hit, sign)| sign.class != SignClass::Parameter || blamed(hit));
    kept.map(|(_, sign)| sign.clone()).collect()
}

/// Words as a reading in which code is words.
pub(super) fn bare(words: &str) -> Reading {
    let text = Text { plain: words.to_owned(), lines: vec![(0, 1)], ..Text::default() };
    Reading::new(&text)
}

fn sign(rules: &RuleSet, reading: &Reading, rule: &SignRule, hit: Range<usize>) -> Sign {
    let values = number::scan(&reading.norm[hit.clone()], rules);
    // The name of a parameter may hold the word of a phase: an annealing temperature.
    let beside = || format!("{} {}", &reading.norm[..hit.start], &reading.norm[hit.end..]);
    let named = rule.class == SignClass::Parameter;
    let phases = if named { claim::phases(rules, &beside()) } else { Vec::new() };
    Sign {
        class: rule.class,
        words: reading.words(&hit).to_owned(),
        rule: rule.id.clone(),
        values: values.into_iter().map(|found| found.quantity).collect(),
        blind_to: rule.blind_to.clone(),
        resource: rule.resource.clone(),
        acts_in: rule.acts_in.clone(),
        phases,
        near: Near::Own,
    }
}

/// Lines of code that a text names, and code spans that look like the name of a function.
fn sites(reading: &Reading, range: &Range<usize>) -> Vec<String> {
    let words = reading.words(range);
    let lines = SITE.captures_iter(words).map(|found| format!("{}:{}", &found[1], &found[2]));
    let function = |text: &&str| {
        let named = text.contains("::") || text.ends_with("()") || text.contains('_');
        let name = |c: char| c.is_alphanumeric() || "_:().<>".contains(c);
        named && text.len() > 4 && text.chars().all(name) && text.contains(char::is_lowercase)
    };
    let codes = reading.codes_in(range).map(|code| code.text.trim()).filter(function);
    lines.chain(codes.map(str::to_owned)).collect::<BTreeSet<_>>().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_code_and_functions_are_places() {
        let reading =
            Reading::of_plain("It dies in `load_all()` at src/repack.cu:118, `--max-len`.", 1);
        assert_eq!(sites(&reading, &(0..reading.norm.len())), ["load_all()", "repack.cu:118"]);
    }
}
