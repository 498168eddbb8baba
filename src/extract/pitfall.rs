//! Pitfalls: entries that tell readers to avoid a named thing, with what to avoid and why.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::Range;

use super::claim::{self, Setting};
use super::matching::{self, Hit, Sentence};
use super::reading::Reading;
use super::subject::{Tokens, key};
use super::{Effect, Pitfall};
use crate::documents::Lines;
use crate::rules::{Needs, PitfallRule, Place, RuleSet};

/// Words of a trigger that is a phrase.
const PHRASE_WORDS: usize = 6;

/// The text that one pitfall is read from: a paragraph, an item, a row or a whole section.
pub(super) struct Entry<'a> {
    /// Its text.
    pub(super) reading: &'a Reading,
    /// Its sentences.
    pub(super) sentences: &'a [Sentence],
    /// Text whose triggers count too: the heading above, the item around.
    pub(super) context: &'a [&'a Reading],
    /// Lines to report where the whole entry is meant; else from the first sentence that says it.
    pub(super) lines: Option<Lines>,
    /// The frame already says that this is an entry of its kind.
    pub(super) expected: bool,
}

/// The pitfall of one entry, if it is one.
pub(super) fn of_entry(
    rules: &RuleSet,
    entry: &Entry<'_>,
    setting: Setting<'_>,
) -> Option<Pitfall> {
    let whole = 0..entry.reading.norm.len();
    let (rule, effect, sentence, hit) = match said(rules, entry, setting) {
        Some(found) => found,
        None if entry.expected => {
            let sentence = entry.sentences.first()?;
            ("frame".to_owned(), None, sentence.clone(), sentence.range.start..sentence.range.start)
        }
        None => return None,
    };
    let effect = effect
        .or_else(|| effect_of(rules, entry.reading, std::slice::from_ref(&sentence)))
        .or_else(|| effect_of(rules, entry.reading, entry.sentences))
        .unwrap_or(Effect::Unknown);
    let mut triggers = triggers(rules, entry.reading, &sentence.range);
    if triggers.is_empty() {
        triggers = self::triggers(rules, entry.reading, &whole);
    }
    for context in entry.context {
        if triggers.is_empty() {
            triggers = self::triggers(rules, context, &(0..context.norm.len()));
        }
    }
    if triggers.is_empty() {
        triggers.push(phrase(entry.reading, &sentence, &hit));
    }
    let tokens = Tokens::new(entry.reading, &whole, rules);
    let lines =
        entry.lines.unwrap_or_else(|| entry.reading.lines(&(sentence.range.start..whole.end)));
    let known = effect_name(effect);
    let names: BTreeSet<String> = triggers.iter().map(|t| t.to_lowercase()).collect();
    let parts = std::iter::once(known).chain(names.iter().map(String::as_str));
    Some(Pitfall {
        text: entry.reading.words(&(sentence.range.start..whole.end)).to_owned(),
        section: setting.path.to_vec(),
        lines,
        key: key(parts),
        triggers,
        effect,
        words: tokens.hashes(),
        phases: claim::phases(rules, &entry.reading.norm),
        identifiers: claim::identifiers(entry.reading, &whole),
        terms: tokens.terms,
        rule,
    })
}

type Said = (String, Option<Effect>, Sentence, Hit);

/// The first sentence in which a pitfall rule holds with all that it needs.
fn said(rules: &RuleSet, entry: &Entry<'_>, setting: Setting<'_>) -> Option<Said> {
    for sentence in entry.sentences {
        for rule in rules.pitfalls.iter().filter(|rule| sentence.may(&rule.regex)) {
            let misplaced = match setting.place {
                Place::Section => !rule.places.contains(&Place::Section),
                place => !rule.places.is_empty() && !rule.places.contains(&place),
            };
            let misframed =
                !rule.roles.is_empty() && !setting.role.is_some_and(|r| rule.roles.contains(&r));
            if misplaced || misframed {
                continue;
            }
            let Some(hit) =
                matching::first(rules, entry.reading, sentence, &rule.regex, &rule.unless)
            else {
                continue;
            };
            let in_context = |context: &&Reading| {
                !triggers(rules, context, &(0..context.norm.len())).is_empty()
                    && has_effect(rules, entry.reading, entry.sentences, rule)
            };
            let met = has_needs(rules, entry.reading, entry.sentences, rule)
                || (rule.needs != Needs::Effect && entry.context.iter().any(in_context));
            if met {
                return Some((
                    rule.id.clone(),
                    rule.effect.map(claim::effect),
                    sentence.clone(),
                    hit,
                ));
            }
        }
    }
    None
}

/// Tells whether a text holds what a rule needs beside its words.
pub(super) fn has_needs(
    rules: &RuleSet,
    reading: &Reading,
    sentences: &[Sentence],
    rule: &PitfallRule,
) -> bool {
    let trigger = || !triggers(rules, reading, &(0..reading.norm.len())).is_empty();
    let effect = || has_effect(rules, reading, sentences, rule);
    match rule.needs {
        Needs::Nothing => true,
        Needs::Trigger => trigger(),
        Needs::Effect => effect(),
        Needs::Both => trigger() && effect(),
    }
}

fn has_effect(
    rules: &RuleSet,
    reading: &Reading,
    sentences: &[Sentence],
    rule: &PitfallRule,
) -> bool {
    rule.effect.is_some()
        || !matches!(rule.needs, Needs::Effect | Needs::Both)
        || effect_of(rules, reading, sentences).is_some()
}

/// The worst effect that sentences name: what fails outranks what lies, and that what is slow.
fn effect_of(rules: &RuleSet, reading: &Reading, sentences: &[Sentence]) -> Option<Effect> {
    sentences.iter().flat_map(|sentence| claim::effects(rules, reading, sentence)).min()
}

/// What is to be avoided, by the forms that packs define, most specific first.
pub(super) fn triggers(rules: &RuleSet, reading: &Reading, range: &Range<usize>) -> Vec<String> {
    let mut found = Vec::new();
    let candidates = LazyCell::new(|| rules.candidates(&reading.norm[range.clone()], &[]));
    for rule in &rules.triggers {
        if rule.in_code {
            let texts = reading.codes_in(range).map(|code| code.text.trim());
            found.extend(texts.filter(|text| rule.regex.is_match(text)).map(str::to_owned));
        } else if candidates.may(&rule.regex) {
            let text = &reading.norm[range.clone()];
            found.extend(rule.regex.find_iter(text).map(|hit| hit.as_str().trim().to_owned()));
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|trigger| {
        !trigger.is_empty()
            && !trigger.contains(char::is_control)
            && seen.insert(trigger.to_lowercase())
    });
    found
}

/// The words that follow the ban, where nothing more specific is named.
fn phrase(reading: &Reading, sentence: &Sentence, hit: &Hit) -> String {
    let strong = reading
        .strong
        .iter()
        .find(|range| range.start >= sentence.range.start && range.end <= sentence.range.end);
    let range = strong.cloned().unwrap_or(hit.start..sentence.range.end);
    let words: Vec<&str> = reading.words(&range).split_whitespace().take(PHRASE_WORDS).collect();
    words.join(" ").trim_matches(|c: char| !c.is_alphanumeric() && c != '`').to_owned()
}

fn effect_name(effect: Effect) -> &'static str {
    match effect {
        Effect::Crash => "crash",
        Effect::Perf => "perf",
        Effect::Wrong => "wrong",
        Effect::Measure => "measure",
        Effect::Unknown => "unknown",
    }
}
