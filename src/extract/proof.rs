//! Proof of the rules: runs every rule's own examples, guards included.

use super::basis;
use super::matching::{self, Sentence};
use super::reading::Reading;
use super::{known, pitfall, retest, trigger};
use crate::rules::{Matcher, Naming, RuleSet};

/// An example that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Id of the rule.
    pub rule: String,
    /// The example.
    pub example: String,
    /// What happened, with the guard that decided.
    pub what: String,
}

/// Runs all examples of all rules; none left over means that the packs hold.
pub fn failures(rules: &RuleSet) -> Vec<Failure> {
    failures_of(rules, |_| true)
}

/// Runs the examples of the rules that packs of users bring.
pub fn further_failures(rules: &RuleSet) -> Vec<Failure> {
    failures_of(rules, |id| rules.is_further(id))
}

fn failures_of(rules: &RuleSet, wanted: impl Fn(&str) -> bool) -> Vec<Failure> {
    let mut found = Vec::new();
    for (id, proof) in rules.proofs().filter(|(id, _)| wanted(id)) {
        for example in &proof.must_match {
            if let Some(why) = silent(rules, id, example) {
                found.push(Failure { rule: id.to_owned(), example: example.clone(), what: why });
            }
        }
        for example in &proof.must_not_match {
            if silent(rules, id, example).is_none() {
                let what = "matches and must not".to_owned();
                found.push(Failure { rule: id.to_owned(), example: example.clone(), what });
            }
        }
    }
    found
}

/// Why a rule says nothing about an example; `None` where it matches.
fn silent(rules: &RuleSet, id: &str, example: &str) -> Option<String> {
    let reading = Reading::of_plain(example, 1);
    let sentences = Sentence::all(&reading, rules);
    if let Some(rule) = rules.triggers.iter().find(|rule| rule.id == id) {
        if rule.of == Naming::Title {
            return trigger::is_symptom(rules, &reading).then(|| "names no trigger".to_owned());
        }
        let all = trigger::named(rules, &reading, &(0..reading.norm.len()));
        let met = all.iter().any(|trigger| rule.regex.is_match(trigger));
        return (!met).then(|| "names no trigger".to_owned());
    }
    if let Some(rule) = rules.signs.iter().find(|rule| rule.id == id) {
        let words = reading.shown.as_str();
        let read = basis::signs(rules, words).iter().any(|sign| sign.rule == id);
        let plain = basis::bare(words);
        let named = rule.regex.is_match(&plain.norm);
        let why = if named { "a guard forbids it, or nothing is blamed" } else { "does not match" };
        return (!read).then(|| why.to_owned());
    }
    if let Some(form) = rules.forms.iter().find(|form| form.id == id) {
        let met = form.find(example).next().is_some();
        return (!met).then(|| "does not match".to_owned());
    }
    if let Some(rule) = rules.known.iter().find(|rule| rule.id == id) {
        let met = known::in_scope(rule, example, rules);
        return (!met).then(|| "is outside its scope".to_owned());
    }
    if rules.retests.iter().any(|rule| rule.id == id) {
        let met = sentences.iter().any(|sentence| retest::is_retest(rules, &reading, sentence));
        if met {
            return None;
        }
    }
    if let Some(rule) = rules.pitfalls.iter().find(|rule| rule.id == id)
        && !pitfall::has_needs(rules, &reading, sentences, rule)
    {
        return Some("lacks the trigger or the effect that it needs".to_owned());
    }
    let (regex, unless) = find(rules, id)?;
    let mut why = "does not match".to_owned();
    for sentence in sentences {
        for clause in &sentence.clauses {
            for hit in regex.find_iter(&reading.norm[clause.clone()]) {
                let hit = clause.start + hit.start()..clause.start + hit.end();
                match matching::objection(rules, &reading.norm, sentence, clause, &hit, unless) {
                    None => return None,
                    Some(guard) => why = format!("guard `{guard}` forbids it"),
                }
            }
        }
    }
    Some(why)
}

fn find<'a>(rules: &'a RuleSet, id: &str) -> Option<(&'a Matcher, &'a [usize])> {
    let cue = rules.cues.iter().find(|r| r.id == id).map(|r| (&r.regex, r.unless.as_slice()));
    let pitfall =
        || rules.pitfalls.iter().find(|r| r.id == id).map(|r| (&r.regex, r.unless.as_slice()));
    let hedge =
        || rules.hedges.iter().find(|r| r.id == id).map(|r| (&r.regex, r.unless.as_slice()));
    let retest =
        || rules.retests.iter().find(|r| r.id == id).map(|r| (&r.regex, r.unless.as_slice()));
    let subject =
        || rules.subjects.iter().find(|r| r.id == id).map(|r| (&r.regex, r.unless.as_slice()));
    let citation =
        || rules.citations.iter().find(|r| r.id == id).map(|r| (&r.regex, r.unless.as_slice()));
    cue.or_else(pitfall).or_else(hedge).or_else(retest).or_else(subject).or_else(citation)
}
