//! What a statement is about, made comparable: canonical terms, words, keys.

use std::collections::BTreeSet;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::matching::{self, Sentence};
use super::number;
use super::reading::Reading;
use crate::rules::RuleSet;

/// Letters up to which a word is a particle or a unit more often than what a text is about.
const SHORT: usize = 3;

/// A statement's tokens in order, each spelled one way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tokens {
    /// Words, numbers with their unit, canonical terms.
    pub(super) list: Vec<String>,
    /// Canonical terms among them, sorted, distinct.
    pub(super) terms: Vec<String>,
}

impl Tokens {
    /// Reads the tokens of a range.
    pub(super) fn new(reading: &Reading, range: &Range<usize>, rules: &RuleSet) -> Tokens {
        Tokens::outside(reading, range, &(range.end..range.end), rules)
    }

    /// Reads the tokens of a range without the words of an outcome in it: whoever says that it
    /// fails and whoever says that it crashes say the same of a subject, in any language.
    pub(super) fn outside(
        reading: &Reading,
        range: &Range<usize>,
        outcome: &Range<usize>,
        rules: &RuleSet,
    ) -> Tokens {
        Tokens::within(reading, &Sentence::of_range(reading, range, rules), outcome, rules)
    }

    /// Reads the tokens of a sentence.
    pub(super) fn of_sentence(reading: &Reading, sentence: &Sentence, rules: &RuleSet) -> Tokens {
        let end = sentence.range.end;
        Tokens::within(reading, &sentence.as_clause(), &(end..end), rules)
    }

    fn within(
        reading: &Reading,
        sentence: &Sentence,
        outcome: &Range<usize>,
        rules: &RuleSet,
    ) -> Tokens {
        let range = &sentence.range;
        let around = |stretch: Range<usize>, list: &mut Vec<String>| {
            words(reading, stretch.start..stretch.end.min(outcome.start), rules, list);
            words(reading, stretch.start.max(outcome.end)..stretch.end, rules, list);
        };
        let mut found = Vec::new();
        let able = sentence.may_any(&rules.kinds.subjects);
        for rule in rules.subjects.iter().filter(|_| able) {
            for hit in matching::all(rules, reading, sentence, &rule.regex, &rule.unless) {
                let value = match &rule.value {
                    Some(value) => value.clone(),
                    None => count_in(&reading.norm[hit.clone()], rules),
                };
                if !value.is_empty() {
                    found.push((hit, format!("{}={value}", rule.id)));
                }
            }
        }
        found.sort_by(|a, b| a.0.start.cmp(&b.0.start).then(b.0.end.cmp(&a.0.end)));
        let mut tokens = Tokens::default();
        let mut terms = BTreeSet::new();
        let mut at = range.start;
        for (hit, term) in found {
            if hit.start < at {
                continue;
            }
            around(at..hit.start, &mut tokens.list);
            terms.insert(term.clone());
            tokens.list.push(term);
            at = hit.end;
        }
        around(at..range.end, &mut tokens.list);
        tokens.terms = terms.into_iter().collect();
        tokens
    }

    /// Hashes of the distinct tokens and of neighbouring Han characters, sorted.
    pub(super) fn hashes(&self) -> Vec<u64> {
        distinct(self.list.iter().map(|token| xxh3_64(token.as_bytes())))
    }

    /// Hashes of what a text speaks of, sorted, distinct: its words, and pairs of Han characters,
    /// since a single one says little. Numbers and conditions are not what it is about.
    pub(super) fn topic(&self) -> Vec<u64> {
        let han = |token: &str| {
            let mut chars = token.chars();
            chars.next().filter(|c| ('\u{3400}'..='\u{9fff}').contains(c) && chars.next().is_none())
        };
        let is_word = |token: &&String| {
            token.len() > SHORT && token.starts_with(char::is_alphabetic) && !token.contains('=')
        };
        let words = self.list.iter().filter(is_word).filter(|token| han(token).is_none());
        let words = words.map(|word| xxh3_64(word.as_bytes()));
        let pairs = self.list.windows(2).filter_map(|pair| match pair {
            [a, b] => Some(xxh3_64(format!("{}{}", han(a)?, han(b)?).as_bytes())),
            _ => None,
        });
        distinct(words.chain(pairs))
    }

    /// The tokens in order as one text to hash.
    pub(super) fn line(&self) -> String {
        self.list.join(" ")
    }
}

/// Hashes sorted, each once.
pub(super) fn distinct(hashes: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut all: Vec<u64> = hashes.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A key of several parts; a part's place counts.
pub(super) fn key<'a>(parts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut line = String::new();
    for part in parts {
        line.push_str(part);
        line.push('\u{1f}');
    }
    xxh3_64(line.as_bytes())
}

/// The first number of a match, in digits: of `three cards` and `三张卡` it is `3`.
fn count_in(text: &str, rules: &RuleSet) -> String {
    let lower = text.to_lowercase();
    let digits: String = lower
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || ".,".contains(*c))
        .filter(|c| *c != ',')
        .collect();
    if !digits.is_empty() {
        return digits.trim_end_matches('.').to_owned();
    }
    let word = |part: &str| rules.number_words.get(part).copied();
    let latin = lower.split(|c: char| !c.is_ascii_alphabetic()).find_map(word);
    let han = || lower.chars().find_map(|c| word(&c.to_string()));
    latin.or_else(han).map(|n| n.to_string()).unwrap_or_default()
}

/// Appends the words and numbers of a stretch without subject terms.
pub(super) fn words(
    reading: &Reading,
    range: Range<usize>,
    rules: &RuleSet,
    out: &mut Vec<String>,
) {
    if range.start >= range.end {
        return;
    }
    let text = &reading.norm[range.clone()];
    let mut at = 0;
    let mut codes = reading.codes.iter().filter(|code| code.range.start >= range.start).peekable();
    let numbers = number::scan(text, rules);
    let mut numbers = numbers.iter().peekable();
    while at < text.len() {
        if let Some(code) = codes.peek()
            && code.range.start - range.start == at
        {
            out.push(code.text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" "));
            at = (code.range.end - range.start).min(text.len());
            codes.next();
            continue;
        }
        while numbers.peek().is_some_and(|n| n.range.start < at) {
            numbers.next();
        }
        if let Some(found) = numbers.peek()
            && found.range.start == at
        {
            let quantity = &found.quantity;
            out.push(format!("{}{}", quantity.number, quantity.unit));
            at = found.range.end;
            numbers.next();
            continue;
        }
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else { break };
        if ('\u{3400}'..='\u{9fff}').contains(&c) {
            if !rules.stop_words.contains(c.encode_utf8(&mut [0; 4]) as &str) {
                out.push(c.to_string());
            }
            at += c.len_utf8();
        } else if c.is_alphanumeric() {
            let end = rest
                .char_indices()
                .find(|(_, c)| {
                    !(c.is_alphanumeric() || *c == '_') || ('\u{3400}'..='\u{9fff}').contains(c)
                })
                .map_or(rest.len(), |(end, _)| end);
            let mut word = rest[..end].to_lowercase();
            if !rules.stop_words.contains(&word) {
                word.truncate(stem(&word).len());
                out.push(word);
            }
            at += end;
        } else {
            at += c.len_utf8();
        }
    }
}

/// A plural `s` makes no other subject.
fn stem(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(short) if short.len() > 2 && !short.ends_with('s') && !short.ends_with('u') => short,
        _ => word,
    }
}
