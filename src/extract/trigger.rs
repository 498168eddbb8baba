//! What a pitfall tells to avoid: the tokens and words that name it.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::Range;

use super::matching::{self, Hit, Sentence};
use super::number;
use super::reading::{Code, Reading};
use crate::documents::Text;
use crate::rules::{EffectRule, EffectWord, Naming, RuleSet, Side, TriggerRule};

/// Words of a trigger that is a phrase.
const PHRASE_WORDS: usize = 6;

/// Columns of such a phrase: in a script without spaces words cannot be counted.
const PHRASE_WIDTH: usize = 48;

/// Triggers that one pitfall names at most.
const MOST: usize = 4;

/// Words in capitals beside each other from which on they are no names.
const SHOUT_WORDS: usize = 3;

/// Words of a label before a colon.
const LABEL_WORDS: usize = 3;

/// How far behind a ban, in bytes, a code span still is what it bans.
const NEAR: usize = 24;

/// What a text names, by the forms that packs define, most specific first. What it names as the
/// replacement is not what to avoid, also where nothing else is named.
pub(super) fn named(rules: &RuleSet, reading: &Reading, range: &Range<usize>) -> Vec<String> {
    let whole = LazyCell::new(|| Sentence::whole(reading, rules));
    let candidates = LazyCell::new(|| rules.candidates(&reading.norm[range.clone()], &[]));
    let mut found = Vec::new();
    for rule in rules.triggers.iter().filter(|rule| !rule.never) {
        if rule.of == Naming::Code {
            for code in reading.codes_in(range) {
                let text = code.text.trim();
                if !rule.regex.is_match(text) || is_never(rules, text) {
                    continue;
                }
                let replaces = !rule.unless.is_empty()
                    && objects(rules, reading, &whole, &code.range, &rule.unless);
                if !replaces {
                    found.push(text.to_owned());
                }
            }
        } else if candidates.may(&rule.regex) {
            let text = &reading.norm[range.clone()];
            for hit in rule.regex.find_iter(text) {
                let at = range.start + hit.start()..range.start + hit.end();
                if rule.unless.is_empty() || !objects(rules, reading, &whole, &at, &rule.unless) {
                    found.push(text[hit.start()..hit.end()].trim().to_owned());
                }
            }
        }
    }
    distinct(found)
}

/// What a rule's words point at: the object of a ban, the subject of a verdict.
pub(super) fn pointed(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    hit: &Hit,
    side: Side,
) -> Vec<String> {
    let clause = sentence.clauses.iter().find(|clause| clause.contains(&hit.start));
    let clause = clause.unwrap_or(&sentence.range);
    let after = hit.end..clause.end.max(hit.end);
    let code_in = |range: Range<usize>| {
        let codes: Vec<_> = reading.codes_in(&range).collect();
        codes.into_iter().filter(|code| !is_never(rules, code.text.trim())).collect::<Vec<_>>()
    };
    match side {
        Side::Before => {
            let before = clause.start.min(hit.start)..hit.start;
            let named = named(rules, reading, &before);
            let words = phrase(rules, reading, &before, End::Last);
            words.into_iter().chain(named).collect()
        }
        Side::Within => phrase(rules, reading, hit, End::First).into_iter().collect(),
        // It may stand in the sentence before.
        Side::Missing => Vec::new(),
        Side::Last => {
            let matched = reading.norm[hit.clone()].trim_end();
            // In a script without spaces the last word begins where the letters do.
            let foreign = |c: char| c == ' ' || !c.is_ascii();
            let start = match matched.rfind(foreign) {
                Some(at) if matched[at..].chars().nth(1).is_some() => hit.start + at,
                _ => matched.rfind(' ').map_or(hit.start, |at| hit.start + at),
            };
            let start = start + reading.norm[start..].chars().next().map_or(0, char::len_utf8);
            let words = phrase(rules, reading, &(start..after.end), End::First);
            // A bound alone names nothing: "keep `max_len` not below 1024".
            let before = clause.start.min(hit.start)..hit.start;
            let of = || {
                named(rules, reading, &before)
                    .into_iter()
                    .chain(names(reading, &before))
                    .next_back()
            };
            match words {
                Some(bound) if bound.starts_with(|c: char| c.is_ascii_digit()) => {
                    vec![of().map_or(bound.clone(), |name| format!("{name} {bound}"))]
                }
                words => words.into_iter().collect(),
            }
        }
        Side::After | Side::End => {
            // "`x` must not use": what stands first is the subject.
            let object = |code: &&&Code| {
                code.range.end + 1 >= hit.end || side == Side::After && code.range.start > hit.start
            };
            if let Some(code) = code_in(hit.clone()).last().filter(object) {
                return listed(rules, reading, &code_in(code.range.start..after.end));
            }
            // In plain text the setting stands bare.
            let matched = reading.norm[hit.clone()].trim_end();
            let bare = named(rules, reading, hit);
            if let Some(bare) = bare.into_iter().find(|it| is_setting(it) && matched.ends_with(it))
            {
                return vec![bare];
            }
            let follows = reading.norm[after.clone()].trim_start();
            let bare = named(rules, reading, &after);
            if let Some(bare) =
                bare.into_iter().find(|it| is_setting(it) && follows.starts_with(it))
            {
                return vec![bare];
            }
            let near = after.start..after.end.min(after.start + NEAR);
            let next = code_in(near.start..after.end);
            let start = next.first().map(|code| code.range.start);
            if let Some(start) = start.filter(|start| *start <= near.end) {
                let plain = reading.norm[near.start..start]
                    .contains(['.', ',', '(', ':', '，', '。', '（']);
                if !plain {
                    return listed(rules, reading, &next);
                }
            }
            let words = phrase(rules, reading, &after, End::First);
            let setting = code_in(hit.clone()).last().map(|code| code.text.trim().to_owned());
            let value = words.as_deref().filter(|words| {
                side == Side::End
                    && words.starts_with(|c: char| c.is_ascii_digit())
                    && !words.contains(' ')
            });
            if let (Some(setting), Some(value)) = (&setting, value)
                && let Some(at) = setting.rfind(['=', ' ', ':'])
            {
                return vec![format!("{}{value}", &setting[..=at])];
            }
            words.into_iter().collect()
        }
    }
}

/// The settings among names that are not alone: of several others nobody can tell which is meant.
pub(super) fn one_of(mut names: Vec<String>) -> Vec<String> {
    if names.len() > 1 {
        names.retain(|name| is_setting(name));
    }
    names
}

/// The first of some codes and those that stand beside it in one list: "`a`, `b` or `c`".
fn listed(rules: &RuleSet, reading: &Reading, codes: &[&Code]) -> Vec<String> {
    let joined = |pair: &&[&Code]| {
        let between = &reading.norm[pair[0].range.end..pair[1].range.start];
        let words = between.split(|c: char| " ,/、，`".contains(c)).filter(|it| !it.is_empty());
        words.clone().count() < 2
            && words.clone().all(|word| rules.joins.contains(&word.to_lowercase()))
    };
    let further = codes.windows(2).take_while(joined).count();
    codes.iter().take(1 + further).map(|code| code.text.trim().to_owned()).collect()
}

/// The bold words of a sentence, else its first ones.
pub(super) fn lead(rules: &RuleSet, reading: &Reading, sentence: &Range<usize>) -> Option<String> {
    let strong = reading
        .strong
        .iter()
        .find(|range| range.start >= sentence.start && range.end <= sentence.end);
    phrase(rules, reading, strong.unwrap_or(sentence), End::First)
}

/// Names that a text writes as names: `IOMMU`, `KvCache`, `mod_ssl`, `fw-12`. A label before them
/// names nothing, and what shouts as a whole has no names.
pub(super) fn names(reading: &Reading, range: &Range<usize>) -> Vec<String> {
    let text = reading.words(range);
    let text = &text[beginning(text)..];
    if !text.chars().any(char::is_lowercase) {
        return Vec::new();
    }
    let is_name = |word: &&str| {
        let count = |of: fn(&char) -> bool| word.chars().filter(of).count();
        let letters = count(|c| c.is_ascii_alphabetic());
        let digits = count(char::is_ascii_digit);
        let capitals = count(char::is_ascii_uppercase);
        word.len() > 2 && letters > 1 && (capitals > 1 || digits > 0 || word.contains('_'))
    };
    let words: Vec<&str> = text
        .split(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c)))
        .map(|word| word.trim_matches(['-', '.', '_']))
        .filter(|word| !word.is_empty())
        .collect();
    // "KERNEL PANIC AT BOOT" shouts, whatever stands beside it.
    let shouts = |word: &&str| word.chars().all(|c| c.is_ascii_uppercase());
    words
        .chunk_by(|a, b| shouts(a) && shouts(b))
        .filter(|run| run.len() < SHOUT_WORDS)
        .flatten()
        .filter(|word| is_name(word))
        .map(|word| (*word).to_owned())
        .collect()
}

/// What a title says that trouble comes from: the words before those that tell it.
pub(super) fn subject(rules: &RuleSet, title: &Reading) -> Option<String> {
    let words = phrase(rules, title, &(0..title.norm.len()), End::First)?;
    let mut letters = words.chars().filter(|c| c.is_alphabetic());
    let shouts = letters.all(char::is_uppercase);
    let any = |_: &EffectRule| true;
    let told = effect_start(rules, &title.norm, any).is_some_and(|start| start > 0);
    // "Slow decode" names what suffers.
    let suffers = number::dimension_of(&words, rules).is_some();
    let kept = match effect_start(rules, &words, any) {
        None => words.as_str(),
        Some(start) => words[..start].trim_end(),
    };
    (told && !shouts && !suffers && !kept.is_empty()).then(|| kept.to_owned())
}

/// Settings of a block of code as a text that names them: what it exports and the flags it passes.
pub(super) fn of_code(text: &Text) -> Reading {
    let words = text.plain.split_whitespace().map(|word| word.trim_matches(['"', '\'', '\\', '`']));
    let mut names = Vec::new();
    for word in words {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let is_variable = word.contains('=')
            && name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        let is_flag = name.strip_prefix("--").is_some_and(|name| {
            name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        });
        let plain = !value.is_empty()
            && value.chars().all(|c| c.is_ascii_alphanumeric() || "._:-".contains(c));
        if is_variable || is_flag {
            names.push(if plain { format!("`{name}={value}`") } else { format!("`{name}`") });
        }
    }
    Reading::of_plain(&names.join(" "), text.lines.first().map_or(1, |(_, line)| *line))
}

/// Tells whether a trigger has the form of a setting: a flag, an assignment, a variable.
pub(super) fn is_setting(trigger: &str) -> bool {
    let variable = trigger.contains('_')
        && trigger.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    variable || trigger.starts_with('-') || trigger.contains('=') && !trigger.contains(' ')
}

/// Takes each trigger once, those first that come first.
pub(super) fn distinct(triggers: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let fresh = |trigger: &String| {
        !trigger.is_empty()
            && !trigger.contains(char::is_control)
            && seen.insert(trigger.to_lowercase())
    };
    triggers.into_iter().filter(fresh).take(MOST).collect()
}

fn is_never(rules: &RuleSet, text: &str) -> bool {
    let in_text = |rule: &&TriggerRule| rule.never && rule.of != Naming::Title;
    rules.triggers.iter().filter(in_text).any(|rule| rule.regex.is_match(text))
}

/// Tells whether what a title names is only what is seen: it is the text of an error.
pub(super) fn is_symptom(rules: &RuleSet, title: &Reading) -> bool {
    let of_title = |rule: &&TriggerRule| rule.of == Naming::Title;
    rules.triggers.iter().filter(of_title).any(|rule| rule.regex.is_match(&title.norm))
}

fn objects(
    rules: &RuleSet,
    reading: &Reading,
    whole: &Sentence,
    at: &Range<usize>,
    unless: &[usize],
) -> bool {
    let clause = whole.clauses.iter().find(|clause| clause.contains(&at.start));
    let clause = clause.unwrap_or(&whole.range);
    at.end <= clause.end
        && matching::objection(rules, &reading.norm, whole, clause, at, unless).is_some()
}

/// Where a text's own words begin: after bullets, numbering and a short label.
fn beginning(text: &str) -> usize {
    let is_mark = |c: char| !c.is_alphanumeric() && c != '`' && c != '-';
    let mut rest = text.trim_start_matches(is_mark);
    let marks = ['.', ')', ']'];
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit() || marks.contains(&c));
    let number = &rest[..rest.len() - after.len()];
    if number.contains(marks) && after.starts_with(' ') {
        rest = after.trim_start_matches(is_mark);
    }
    if let Some((label, after)) = rest.split_once(':') {
        let short = label.split(' ').count() <= LABEL_WORDS && !label.contains('`');
        if short
            && (after.starts_with(' ') || !label.is_ascii())
            && after.chars().any(char::is_alphanumeric)
        {
            rest = after.trim_start_matches(is_mark);
        }
    }
    text.len() - rest.len()
}

/// Which end of a text a phrase is taken from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// The words up to those that tell what happens: in "draft + paging hangs" the draft and the paging
/// are to be avoided. "Checkbox counts" and "slow start" are names, so only what fails is cut.
fn without_effect<'a>(rules: &RuleSet, words: &'a str) -> &'a str {
    match effect_start(rules, words, |effect| effect.effect == EffectWord::Crash) {
        Some(start) if start > 0 => words[..start].trim_end(),
        _ => words,
    }
}

/// Where the first words that tell one of some effects begin.
fn effect_start(rules: &RuleSet, words: &str, of: impl Fn(&EffectRule) -> bool) -> Option<usize> {
    let candidates = rules.candidates(words, &[]);
    let tells = rules.effects.iter().filter(|it| of(it) && candidates.may(&it.regex));
    tells.filter_map(|effect| effect.regex.find_start(words)).min()
}

/// Tells whether a word stands for another, and so names nothing.
fn is_pronoun(rules: &RuleSet, word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let begins = |it: &String| !it.is_ascii() && word.starts_with(it.as_str());
    rules.pronouns.contains(&word) || !word.is_ascii() && rules.pronouns.iter().any(begins)
}

/// A few words, without those that say nothing, up to the next mark or to what is told of them.
fn phrase(rules: &RuleSet, reading: &Reading, range: &Range<usize>, end: End) -> Option<String> {
    let marks =
        ['.', ',', ';', ':', '(', ')', '|', '?', '!', '，', '。', '；', '：', '（', '、', '—', '"'];
    let text = reading.words(range);
    let is_stop = |mark: (usize, char)| {
        let part = |c: char| c.is_ascii() && c != ' ';
        marks.contains(&mark.1)
            // A point or a colon within a name or a number ends no phrase.
            && !(mark.1.is_ascii()
                && text[mark.0 + 1..].starts_with(|c: char| c.is_ascii_alphanumeric())
                && text[..mark.0].ends_with(part))
    };
    let stops =
        || text.char_indices().filter(|mark| is_stop(*mark)).map(|(at, c)| (at, at + c.len_utf8()));
    let part = match end {
        End::First => {
            let start = beginning(text);
            let stop = stops().find(|(at, _)| *at > start).map_or(text.len(), |(at, _)| at);
            text.get(start..stop)?
        }
        End::Last => {
            let text = text.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '`');
            let from = stops()
                .filter(|(_, next)| *next < text.len())
                .map(|(_, next)| next)
                .max()
                .unwrap_or(0);
            text.get(from..)?
        }
    };
    let mut words: Vec<&str> = part
        .split(' ')
        .filter(|word| *word == "+" || word.chars().any(char::is_alphanumeric))
        .collect();
    let empty = |word: &&&str| rules.stop_words.contains(&word.to_lowercase());
    let skip = words.iter().take_while(empty).count();
    words.drain(..skip);
    if words.first().is_some_and(|word| is_pronoun(rules, word)) {
        return None;
    }
    let is_verb = |word: &&str| rules.verbs.contains(&word.to_lowercase());
    words.truncate(words.iter().position(is_verb).unwrap_or(words.len()));
    match end {
        End::First => words.truncate(PHRASE_WORDS),
        End::Last => {
            words.drain(..words.len().saturating_sub(PHRASE_WORDS));
        }
    }
    let joined = words.join(" ");
    let mut words: Vec<&str> = without_effect(rules, &joined).split(' ').collect();
    while words.last().as_ref().is_some_and(empty) {
        words.pop();
    }
    let joined = words.join(" ");
    let mut width = 0;
    let fits = |c: &char| {
        width += if c.is_ascii() { 1 } else { 2 };
        width <= PHRASE_WIDTH
    };
    let kept: String = joined.chars().take_while(fits).collect();
    let kept =
        kept.trim_matches(|c: char| !c.is_alphanumeric() && c != '`' && c != '-').replace('`', "");
    (!kept.is_empty()).then_some(kept)
}
