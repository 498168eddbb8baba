//! Rules on clauses: what matched, and which guard forbade it.

use std::ops::Range;

use regex::Regex;

use super::reading::Reading;
use crate::rules::{Guard, RuleSet};

/// A sentence with its clauses.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    /// Place in the reading's `norm`.
    pub(super) range: Range<usize>,
    /// Clauses within it.
    pub(super) clauses: Vec<Range<usize>>,
}

impl Sentence {
    /// Every sentence of a reading.
    pub(super) fn all(reading: &Reading, rules: &RuleSet) -> Vec<Sentence> {
        reading
            .sentences(rules)
            .into_iter()
            .map(|range| Sentence { clauses: reading.clauses(&range, rules), range })
            .collect()
    }

    /// The whole reading as one sentence: a table cell, a heading.
    pub(super) fn whole(reading: &Reading, rules: &RuleSet) -> Sentence {
        let range = 0..reading.norm.len();
        Sentence { clauses: reading.clauses(&range, rules), range }
    }
}

/// Where a rule matched: a range of the reading's `norm`.
pub(super) type Hit = Range<usize>;

/// The first place in a sentence at which a rule matches and no guard objects.
pub(super) fn first(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    regex: &Regex,
    unless: &[usize],
) -> Option<Hit> {
    all(rules, reading, sentence, regex, unless).next()
}

/// Every such place, in order.
pub(super) fn all<'a>(
    rules: &'a RuleSet,
    reading: &'a Reading,
    sentence: &'a Sentence,
    regex: &'a Regex,
    unless: &'a [usize],
) -> impl Iterator<Item = Hit> + 'a {
    sentence.clauses.iter().flat_map(move |clause| {
        regex.find_iter(&reading.norm[clause.clone()]).filter_map(move |found| {
            let hit = clause.start + found.start()..clause.start + found.end();
            objection(rules, &reading.norm, sentence, clause, &hit, unless).is_none().then_some(hit)
        })
    })
}

/// The name of the guard that forbids a match.
pub(super) fn objection<'a>(
    rules: &'a RuleSet,
    norm: &str,
    sentence: &Sentence,
    clause: &Range<usize>,
    hit: &Hit,
    unless: &[usize],
) -> Option<&'a str> {
    unless
        .iter()
        .filter_map(|index| rules.guards.get(*index))
        .find(|guard| objects(guard, norm, sentence, clause, hit))
        .map(|guard| guard.id.as_str())
}

fn objects(
    guard: &Guard,
    norm: &str,
    sentence: &Sentence,
    clause: &Range<usize>,
    hit: &Hit,
) -> bool {
    let whole = &norm[sentence.range.clone()];
    let text = &norm[clause.clone()];
    let before = &norm[clause.start..hit.start];
    let after = &norm[hit.end..clause.end];
    let has = |regex: &Option<Regex>, text: &str| regex.as_ref().is_some_and(|r| r.is_match(text));
    let met = guard.before.iter().any(|r| r.is_match(before))
        || guard.after.iter().any(|r| r.is_match(after))
        || has(&guard.clause_starts, text)
        || has(&guard.sentence_starts, whole)
        || has(&guard.clause_has, text)
        || has(&guard.sentence_has, whole)
        || has(&guard.sentence_ends, whole)
        || guard.prev_text.iter().any(|s| norm[..hit.start].ends_with(s.as_str()))
        || guard.next_text.iter().any(|s| norm[hit.end..].starts_with(s.as_str()));
    met && !has(&guard.except, whole)
}
