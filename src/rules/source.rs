//! A rule file's text with the place of every word in it: what typed reading cannot tell.
//!
//! Two readers see each file. This one knows places and quotes, and refuses what could cost without
//! bound or mean something else to another reader of YAML; the typed one (`schema`) knows keys.

use std::collections::HashSet;
use std::fmt;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::error::{Error, Location};

/// Lists and maps inside one another.
const DEPTH_LIMIT: usize = 16;

/// Words that YAML 1.1 reads as truth values or as nothing when they are not quoted.
const NO_WORDS: [&str; 8] = ["yes", "no", "on", "off", "true", "false", "null", "~"];

/// Keys whose values are numbers or truth values.
const NO_WORD_KEYS: [&str; 14] = [
    "version",
    "reach",
    "measured",
    "tokens",
    "needed",
    "never",
    "override",
    "symptoms",
    "in_quotes",
    "factor",
    "loosely",
    "messages_only",
    "weak",
    "whole",
];

/// Maps whose values are numbers or truth values.
const NO_WORD_MAPS: [&str; 4] = ["relevance.", "numbers.words.", "numbers.suffixes.", "checks."];

/// A file's words with their places.
#[derive(Debug)]
pub(crate) struct Source {
    pub(super) file: String,
    words: Vec<Word>,
}

/// A key or a value.
#[derive(Debug)]
struct Word {
    /// Keys and places from the top: `cues[3].say[0]`.
    path: String,
    text: String,
    is_key: bool,
    line: usize,
    column: usize,
}

/// A list or a map that is being read.
enum Open {
    List { path: String, next: usize },
    Map { path: String, key: Option<String>, seen: HashSet<String> },
}

impl Source {
    /// Reads a file's words.
    ///
    /// Comes with the first word that only looks like one, which is an error where nothing else is.
    pub(super) fn scan(file: &str, text: &str) -> Result<(Source, Option<Error>), Error> {
        let mut source = Source { file: file.to_owned(), words: Vec::new() };
        let mut unquoted = None;
        let mut open: Vec<Open> = Vec::new();
        for event in Parser::new_from_str(text.trim_start_matches('\u{feff}')) {
            let (event, span) = event.map_err(|e| {
                let at = source.at(e.marker().line(), e.marker().col() + 1);
                Error::Yaml { message: e.info().to_owned() }.at(at)
            })?;
            let at = || source.at(span.start.line(), span.start.col() + 1);
            match event {
                Event::Alias(_) => return Err(Error::Anchor.at(at())),
                Event::Scalar(_, _, anchor, _)
                | Event::SequenceStart(anchor, _)
                | Event::MappingStart(anchor, _)
                    if anchor != 0 =>
                {
                    return Err(Error::Anchor.at(at()));
                }
                Event::Scalar(text, style, ..) => {
                    let plain = style == ScalarStyle::Plain;
                    let problem = source.word(&mut open, &text, plain, &span)?;
                    unquoted = unquoted.or(problem);
                }
                Event::SequenceStart(..) | Event::MappingStart(..) => {
                    if open.len() >= DEPTH_LIMIT {
                        return Err(Error::Deep.at(at()));
                    }
                    let Some(path) = value_path(&mut open) else {
                        return Err(Error::Yaml { message: "a key must be a word".into() }.at(at()));
                    };
                    open.push(match event {
                        Event::SequenceStart(..) => Open::List { path, next: 0 },
                        _ => Open::Map { path, key: None, seen: HashSet::new() },
                    });
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    open.pop();
                }
                _ => {}
            }
        }
        Ok((source, unquoted))
    }

    /// Keeps a key or a value; tells where it is no word.
    fn word(
        &mut self,
        open: &mut [Open],
        text: &str,
        plain: bool,
        span: &Span,
    ) -> Result<Option<Error>, Error> {
        let (line, column) = (span.start.line(), span.start.col() + 1);
        let mut is_key = false;
        let path = match open.last_mut() {
            Some(Open::Map { path, key: key @ None, seen }) => {
                if !seen.insert(text.to_owned()) {
                    let key = text.to_owned();
                    return Err(Error::KeyTwice { key }.at(self.at(line, column)));
                }
                *key = Some(text.to_owned());
                is_key = true;
                join(path, text)
            }
            _ => value_path(open).unwrap_or_default(),
        };
        let last = path.rsplit('.').next().unwrap_or_default();
        let is_word = is_key
            || !(NO_WORD_KEYS.contains(&last)
                || NO_WORD_MAPS.iter().any(|map| path.starts_with(map)));
        self.words.push(Word { path, text: text.to_owned(), is_key, line, column });
        let problem = plain && is_word && is_no_word(text);
        Ok(problem.then(|| Error::NotAWord { text: text.to_owned() }.at(self.at(line, column))))
    }

    fn at(&self, line: usize, column: usize) -> Location {
        Location { file: self.file.clone(), line, column }
    }

    /// The place of the first word that `wanted` accepts: `(path, text, is a key)`.
    pub(crate) fn find(&self, wanted: impl Fn(&str, &str, bool) -> bool) -> Option<Location> {
        self.words
            .iter()
            .find(|word| wanted(&word.path, &word.text, word.is_key))
            .map(|word| self.at(word.line, word.column))
    }

    /// The path of the entry with an id: `cues[3]`.
    pub(super) fn entry(&self, id: &str) -> Option<&str> {
        self.words
            .iter()
            .find(|word| !word.is_key && word.text == id && word.path.ends_with("].id"))
            .and_then(|word| word.path.strip_suffix(".id"))
    }

    /// The place of the entry with an id, in a list such as `guards` or in any but that.
    pub(super) fn id(&self, id: &str, guards: bool) -> Option<Location> {
        self.find(|path, text, is_key| {
            !is_key && text == id && path.ends_with("].id") && path.starts_with("guards[") == guards
        })
    }

    /// The last such place.
    pub(super) fn last_id(&self, id: &str, guards: bool) -> Option<Location> {
        let is_it = |word: &&Word| {
            !word.is_key
                && word.text == id
                && word.path.ends_with("].id")
                && word.path.starts_with("guards[") == guards
        };
        self.words.iter().rfind(is_it).map(|word| self.at(word.line, word.column))
    }

    /// The place of a key by its whole path.
    pub(super) fn key(&self, path: &str) -> Option<Location> {
        self.find(|at, _, is_key| is_key && at == path)
    }

    /// The beginning of the file.
    pub(crate) fn start(&self) -> Location {
        self.at(1, 1)
    }

    /// A place that another reader names.
    pub(super) fn place(&self, line: usize, column: usize) -> Location {
        self.at(line, column)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// The path of the value that comes next; `None` where a key has to come.
fn value_path(open: &mut [Open]) -> Option<String> {
    match open.last_mut() {
        None => Some(String::new()),
        Some(Open::List { path, next }) => {
            let here = format!("{path}[{next}]");
            *next += 1;
            Some(here)
        }
        Some(Open::Map { path, key, .. }) => key.take().map(|key| join(path, &key)),
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Tells whether some reader of YAML takes an unquoted text for something else than text.
fn is_no_word(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let number = lower.trim_start_matches(['+', '-']);
    let number = number.strip_prefix("0x").or_else(|| number.strip_prefix("0o")).unwrap_or(number);
    text.is_empty()
        || NO_WORDS.contains(&lower.as_str())
        || matches!(lower.trim_start_matches(['+', '-']), ".inf" | ".nan")
        || (number.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && number.contains(|c: char| c.is_ascii_digit())
            && number.replace('_', "").parse::<f64>().is_ok())
        || (!number.is_empty()
            && number.chars().all(|c| c.is_ascii_digit() || c == '_' || c == ':')
            && number.starts_with(|c: char| c.is_ascii_digit()))
}
