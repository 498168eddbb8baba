//! Pitfalls: entries that tell readers to avoid a named thing, with what to avoid and why.

use std::collections::BTreeSet;

use super::claim::{self, Setting};
use super::matching::{self, Hit, Sentence};
use super::reading::Reading;
use super::subject::{Tokens, key};
use super::trigger;
use super::{Effect, Pitfall, Warning};
use crate::documents::Lines;
use crate::rules::{Needs, PitfallRule, Place, Role, RuleSet, Side};

/// The text that one pitfall is read from: a paragraph, an item, a row or a whole section.
pub(super) struct Entry<'a> {
    /// Its text.
    pub(super) reading: &'a Reading,
    /// Its sentences.
    pub(super) sentences: &'a [Sentence],
    /// Text whose triggers count too: the heading above, the item around.
    pub(super) context: &'a [&'a Reading],
    /// The parts of a row that tell of the trouble where others tell what to do instead; else none.
    pub(super) troubles: &'a [Reading],
    /// The title of the section that the entry is, as a whole.
    pub(super) title: Option<&'a Reading>,
    /// Lines to report where the whole entry is meant; else from the first sentence that says it.
    pub(super) lines: Option<Lines>,
    /// The frame already says that this is an entry of its kind.
    pub(super) expected: bool,
}

/// What a rule found in an entry.
struct Said<'r> {
    /// Nothing where only the frame says that this is a pitfall.
    rule: Option<&'r PitfallRule>,
    sentence: Sentence,
    hit: Hit,
}

/// The pitfall of one entry, if it is one.
pub(super) fn of_entry(
    rules: &RuleSet,
    entry: &Entry<'_>,
    setting: Setting<'_>,
) -> Option<Pitfall> {
    // How to write, contribute and cite is nothing that breaks a result.
    if setting.role == Some(Role::Social) {
        return None;
    }
    let whole = 0..entry.reading.norm.len();
    let found = match said(rules, entry, setting) {
        Some(found) => found,
        None if entry.expected => {
            let sentence = entry.sentences.first()?.clone();
            let hit = sentence.range.start..sentence.range.start;
            Said { rule: None, sentence, hit }
        }
        None => return None,
    };
    let sentence = &found.sentence;
    let effect = match setting.role {
        Some(Role::Measuring) => Some(Effect::Measure),
        _ => found.rule.and_then(|rule| rule.effect).map(claim::effect),
    };
    let effect = effect
        .or_else(|| effect_at(rules, entry.reading, &found))
        .or_else(|| effect_of(rules, entry.reading, std::slice::from_ref(sentence)))
        .or_else(|| effect_of(rules, entry.reading, entry.sentences))
        .unwrap_or(Effect::Unknown);
    let triggers = triggers(rules, entry, &found);
    if triggers.is_empty() {
        setting.trace.note("decision", || "no pitfall: nothing to avoid is named".to_owned());
        return None;
    }
    let tokens = Tokens::new(entry.reading, &whole, rules);
    let lines =
        entry.lines.unwrap_or_else(|| entry.reading.lines(&(sentence.range.start..whole.end)));
    let known = effect_name(effect);
    let names: BTreeSet<String> = triggers.iter().map(|t| t.to_lowercase()).collect();
    let parts = std::iter::once(known).chain(names.iter().map(String::as_str));
    Some(
        Warning {
            text: entry.reading.words(&(sentence.range.start..whole.end)).to_owned(),
            section: setting.path.to_vec(),
            key: key(parts),
            topic: topic(rules, &triggers),
            triggers,
            needed: found.rule.is_some_and(|rule| rule.needed),
            effect,
            words: tokens.hashes(),
            phases: claim::phases(rules, &entry.reading.norm),
            // What else a long entry names is where it was met, not what it is about.
            identifiers: claim::identifiers(entry.reading, &sentence.range),
            terms: tokens.terms,
            rule: found.rule.map_or_else(|| "frame".to_owned(), |rule| rule.id.clone()),
        }
        .at(lines),
    )
}

/// What triggers speak of that are phrases: a setting is looked for as it is written.
pub(super) fn topic(rules: &RuleSet, triggers: &[String]) -> Vec<u64> {
    let phrases = triggers.iter().filter(|trigger| !trigger::is_setting(trigger));
    let reading = Reading::of_plain(&phrases.cloned().collect::<Vec<_>>().join(" "), 1);
    Tokens::new(&reading, &(0..reading.norm.len()), rules).topic()
}

/// What an entry tells to avoid: what the words of the rule point at, then what is named near them.
fn triggers(rules: &RuleSet, entry: &Entry<'_>, found: &Said<'_>) -> Vec<String> {
    let (reading, sentence) = (entry.reading, &found.sentence);
    let side = found.rule.and_then(|rule| rule.trigger);
    if side == Some(Side::Missing) {
        return missing(rules, entry, sentence, &found.hit);
    }
    let mut all = side
        .map(|side| trigger::pointed(rules, reading, sentence, &found.hit, side))
        .unwrap_or_default();
    if let Some(title) = entry.title.filter(|_| all.is_empty()) {
        return of_section(rules, entry, title, found);
    }
    if all.is_empty() || side == Some(Side::Before) {
        all.extend(trigger::named(rules, reading, &sentence.range));
    }
    // Where only the frame says that it is one, it is about what is named beside the trouble too.
    if found.rule.is_none() && entry.troubles.is_empty() {
        all.extend(named_in_trouble(rules, entry));
    }
    let whole = |reading: &Reading| 0..reading.norm.len();
    if all.is_empty() {
        let parts =
            if entry.troubles.is_empty() { std::slice::from_ref(reading) } else { entry.troubles };
        all.extend(parts.iter().flat_map(|part| trigger::named(rules, part, &whole(part))));
    }
    for context in entry.context {
        if all.is_empty() {
            let mut around = trigger::named(rules, context, &(0..context.norm.len()));
            // A command has flags of many kinds, and nobody can tell which of them is meant.
            if around.len() > 1 {
                around.retain(|it| it.contains('=') && !it.starts_with('-'));
            }
            all = around;
        }
    }
    // The last part is nearest to the cause.
    let cause = entry.troubles.iter().rev().find(|part| !part.norm.trim().is_empty());
    if let Some(cause) = cause.filter(|_| all.is_empty() && found.rule.is_none()) {
        all.extend(trigger::lead(rules, cause, &whole(cause)));
    }
    if all.is_empty() {
        all.extend(trigger::lead(rules, reading, &sentence.range));
    }
    trigger::distinct(all)
}

/// What the clauses name that tell a trouble.
fn named_in_trouble(rules: &RuleSet, entry: &Entry<'_>) -> Vec<String> {
    let clauses = entry.sentences.iter().flat_map(|sentence| &sentence.clauses);
    let troubled = clauses.filter(|clause| {
        let clause = Sentence::of_range(entry.reading, clause, rules);
        effect_of(rules, entry.reading, &[clause]).is_some()
    });
    troubled.flat_map(|clause| trigger::named(rules, entry.reading, clause)).collect()
}

/// What is told to be needed before the words that say what happens without it: in the sentence up to
/// those words, else in the one before it, else in the block of code before the text.
fn missing(rules: &RuleSet, entry: &Entry<'_>, sentence: &Sentence, hit: &Hit) -> Vec<String> {
    let reading = entry.reading;
    let named = |range| trigger::one_of(trigger::named(rules, reading, &range));
    let own = named(sentence.range.start..hit.end);
    if !own.is_empty() {
        return trigger::distinct(own);
    }
    let before = entry.sentences.iter().take_while(|it| it.range != sentence.range).last();
    if let Some(before) = before {
        return trigger::distinct(named(before.range.clone()));
    }
    let of_context = |context: &&Reading| {
        let mut named = trigger::named(rules, context, &(0..context.norm.len()));
        named.retain(|it| trigger::is_setting(it));
        named
    };
    trigger::distinct(entry.context.iter().flat_map(of_context).collect())
}

/// What a section tells to avoid: what its title names; else what its remedy changes, else what the
/// title says that the trouble comes from. Where the title itself is a ban, its own words will do, and
/// the settings of the text count too.
fn of_section(
    rules: &RuleSet,
    entry: &Entry<'_>,
    title: &Reading,
    found: &Said<'_>,
) -> Vec<String> {
    let whole = |reading: &Reading| 0..reading.norm.len();
    let is_symptom = trigger::is_symptom(rules, title);
    let mut all = match is_symptom {
        true => Vec::new(),
        false => trigger::named(rules, title, &whole(title)),
    };
    if !all.is_empty() {
        return trigger::distinct(all);
    }
    let of_section = |rule: &PitfallRule| rule.places.contains(&Place::Section);
    let is_ban = found.rule.is_some_and(|rule| !of_section(rule));
    if is_ban {
        all.extend(trigger::lead(rules, title, &whole(title)));
        let texts = std::iter::once(entry.reading).chain(entry.context.iter().copied());
        let named = texts.flat_map(|text| trigger::named(rules, text, &whole(text)));
        all.extend(named.filter(|trigger| trigger::is_setting(trigger)));
    } else {
        if !is_symptom {
            all.extend(trigger::names(title, &whole(title)));
        }
        if all.is_empty() {
            all = remedied(rules, entry);
        }
        if all.is_empty() && !is_symptom {
            all.extend(trigger::subject(rules, title));
        }
    }
    trigger::distinct(all)
}

/// What the remedy that a section gives changes: the rules on sections know its words.
fn remedied(rules: &RuleSet, entry: &Entry<'_>) -> Vec<String> {
    let texts = std::iter::once(entry.reading).chain(entry.context.iter().copied());
    let remedies = rules.pitfalls.iter().filter(|rule| rule.places.contains(&Place::Section));
    let remedies: Vec<&PitfallRule> = remedies.collect();
    texts
        .flat_map(|text| Sentence::all(text, rules).iter().map(move |it| (text, it)))
        .filter(|(text, sentence)| {
            let says = |rule: &&PitfallRule| {
                matching::first(rules, text, sentence, &rule.regex, &[]).is_some()
            };
            remedies.iter().any(says)
        })
        .map(|(text, sentence)| trigger::named(rules, text, &sentence.range))
        .find(|named| !named.is_empty())
        .unwrap_or_default()
}

/// Tells whether words only name a task or a case ("Fixing the build", "If it hangs"): a guard of
/// the rules on sections says so.
pub(super) fn is_task(rules: &RuleSet, reading: &Reading, sentence: &Sentence) -> bool {
    let start = sentence.range.start..sentence.range.start;
    let clause = sentence.clauses.first().unwrap_or(&sentence.range);
    let of_sections = rules.pitfalls.iter().filter(|rule| rule.places.contains(&Place::Section));
    of_sections.flat_map(|rule| &rule.unless).any(|guard| {
        matching::objection(rules, &reading.norm, sentence, clause, &start, &[*guard]).is_some()
    })
}

/// The first sentence in which a pitfall rule holds with all that it needs.
fn said<'r>(rules: &'r RuleSet, entry: &Entry<'_>, setting: Setting<'_>) -> Option<Said<'r>> {
    for sentence in entry.sentences.iter().filter(|it| it.may_any(&rules.kinds.pitfalls)) {
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
            let trace = setting.trace.on(entry.reading.lines(&sentence.range));
            let named = ("pitfall rule", rule.id.as_str());
            let hit = matching::first_noted(
                trace,
                named,
                rules,
                entry.reading,
                sentence,
                &rule.regex,
                &rule.unless,
            );
            let Some(hit) = hit else { continue };
            if is_met(rules, entry, setting, sentence, rule, &hit) {
                return Some(Said { rule: Some(rule), sentence: sentence.clone(), hit });
            }
            trace.note("pitfall rule", || {
                format!(
                    "`{}` is dropped: the trigger or the effect that it needs is not named",
                    rule.id
                )
            });
        }
    }
    None
}

/// Tells whether an entry and what is around it hold what a rule needs beside its words. A row's
/// other cells may be about anything, so the effect stands in the rule's own cell.
fn is_met(
    rules: &RuleSet,
    entry: &Entry<'_>,
    setting: Setting<'_>,
    sentence: &Sentence,
    rule: &PitfallRule,
    hit: &Hit,
) -> bool {
    // "Set `x`. Without it the run hangs": the trouble follows, what is needed stands before.
    if rule.trigger == Some(Side::Missing) {
        let rest = Sentence::of_range(entry.reading, &(hit.end..sentence.range.end), rules);
        let effect = || has_effect(rules, entry.reading, &[rest], rule);
        return (matches!(rule.needs, Needs::Nothing | Needs::Trigger) || effect())
            && !missing(rules, entry, sentence, hit).is_empty();
    }
    let names =
        |reading: &Reading| !trigger::named(rules, reading, &(0..reading.norm.len())).is_empty();
    let near = match setting.place {
        Place::Cell => std::slice::from_ref(sentence),
        _ => entry.sentences,
    };
    let trigger = || names(entry.reading) || entry.context.iter().any(|context| names(context));
    let effect = || {
        has_effect(rules, entry.reading, near, rule)
            || (setting.place == Place::Heading
                && entry.context.iter().any(|context| {
                    effect_of(rules, context, Sentence::all(context, rules)).is_some()
                }))
    };
    match rule.needs {
        Needs::Nothing => true,
        Needs::Trigger => trigger(),
        Needs::Effect => effect(),
        Needs::Both => trigger() && effect(),
    }
}

/// Tells whether a text alone holds what a rule needs beside its words.
pub(super) fn has_needs(
    rules: &RuleSet,
    reading: &Reading,
    sentences: &[Sentence],
    rule: &PitfallRule,
) -> bool {
    let trigger = || !trigger::named(rules, reading, &(0..reading.norm.len())).is_empty();
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
    rule.effect.is_some() || effect_of(rules, reading, sentences).is_some()
}

/// The effect in the clause with a rule's words.
fn effect_at(rules: &RuleSet, reading: &Reading, found: &Said<'_>) -> Option<Effect> {
    let clause = found.sentence.clauses.iter().find(|clause| clause.contains(&found.hit.start))?;
    let clause = Sentence::of_range(reading, clause, rules);
    effect_of(rules, reading, &[clause])
}

/// The worst effect that sentences name: what fails outranks what lies, and that what is slow.
fn effect_of(rules: &RuleSet, reading: &Reading, sentences: &[Sentence]) -> Option<Effect> {
    sentences.iter().flat_map(|sentence| claim::effects(rules, reading, sentence)).min()
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
