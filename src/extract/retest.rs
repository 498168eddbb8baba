//! Retests: sentences of a commit message or a document that say that something was really run again.

use super::claim;
use super::matching::{self, Sentence};
use super::reading::Reading;
use super::subject::{Tokens, key};
use super::{Confirmation, Quantity, RetestNote};
use crate::rules::{RetestRule, RuleSet};

/// The trailer's key, as git spells keys.
const TRAILER: &str = "retest:";

/// Reads a commit message.
pub fn retests(message: &str, rules: &RuleSet) -> Vec<RetestNote> {
    let mut notes = Vec::new();
    for paragraph in paragraphs(message) {
        let mut by_id = false;
        for line in paragraph.lines() {
            let key = line.get(..TRAILER.len()).unwrap_or_default();
            if key.eq_ignore_ascii_case(TRAILER) {
                let named = line[TRAILER.len()..].trim();
                by_id = named_by_id(named);
                let reading = Reading::of_plain(named, 1);
                notes.push(note(rules, &reading, &Sentence::whole(&reading, rules), true));
            }
        }
        if by_id {
            // It means this one claim, whatever else its words would fit.
            continue;
        }
        let reading = Reading::of_plain(&paragraph, 1);
        for sentence in Sentence::all(&reading, rules) {
            if is_retest(rules, &reading, sentence) {
                notes.push(note(rules, &reading, sentence, false));
            }
        }
    }
    notes
}

/// Whether a trailer begins with a claim's id: `c-1f3a9c20`.
fn named_by_id(named: &str) -> bool {
    let digits = named.split_whitespace().next().and_then(|word| word.strip_prefix("c-"));
    digits.is_some_and(|it| it.len() == 8 && it.bytes().all(|digit| digit.is_ascii_hexdigit()))
}

/// Tells whether a sentence of a message says that something was run again.
pub(super) fn is_retest(rules: &RuleSet, reading: &Reading, sentence: &Sentence) -> bool {
    sentence.may_any(&rules.kinds.retests)
        && rules.retests.iter().any(|rule| says(rules, rule, reading, sentence))
}

/// What a sentence of a document says of a retest. Which claims it belongs to by where it stands is
/// the reader's to add.
pub(super) fn confirmation(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
) -> Option<Confirmation> {
    if !sentence.may_any(&rules.kinds.retests) {
        return None;
    }
    let of_documents = rules.retests.iter().filter(|rule| !rule.messages_only);
    let mut said = of_documents.map(|rule| says(rules, rule, reading, sentence));
    said.any(|it| it).then(|| {
        let line = Tokens::new(reading, &sentence.range, rules).line();
        Confirmation {
            lines: reading.lines(&sentence.range),
            key: key([line.as_str()]),
            about: Vec::new(),
            note: note(rules, reading, sentence, false),
        }
    })
}

fn says(rules: &RuleSet, rule: &RetestRule, reading: &Reading, sentence: &Sentence) -> bool {
    matching::first(rules, reading, sentence, &rule.regex, &rule.unless).is_some()
}

fn note(rules: &RuleSet, reading: &Reading, sentence: &Sentence, trailer: bool) -> RetestNote {
    let range = &sentence.range;
    let tokens = Tokens::new(reading, range, rules);
    let values: Vec<Quantity> = claim::values(rules, reading, range);
    RetestNote {
        text: reading.words(range).to_owned(),
        trailer,
        words: tokens.hashes(),
        values,
        identifiers: claim::identifiers(reading, range),
        terms: tokens.terms,
    }
}

/// Paragraphs and list items of a message; wrapped lines are one sentence.
fn paragraphs(message: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for line in message.lines() {
        let starts =
            line.trim_start().starts_with(['-', '*']) || line.trim().is_empty() || is_trailer(line);
        if starts {
            found.push(String::new());
        }
        if let Some(last) = found.last_mut() {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(line.trim());
        }
    }
    found.retain(|paragraph| !paragraph.is_empty());
    found
}

fn is_trailer(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(key, _)| {
        !key.is_empty()
            && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && key.starts_with(char::is_uppercase)
    })
}
