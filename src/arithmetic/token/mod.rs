//! A text as numbers, signs and words.

use std::collections::BTreeSet;
use std::ops::Range;

/// A unit as the engine needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Canonical spelling.
    pub base: String,
    /// A share: percent.
    pub share: bool,
    /// How large it is, where that is defined.
    pub size: Option<Size>,
}

/// How large a unit is.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// In what: `B`.
    pub of: String,
    /// How many of them.
    pub factor: f64,
    /// As how many of them it is often meant.
    pub loosely: Option<f64>,
}

/// A suffix that multiplies: `k`.
#[derive(Clone, Debug, PartialEq)]
pub struct Suffix {
    /// As written.
    pub text: String,
    /// By how much.
    pub factor: f64,
}

/// The words of equations, in lower case, and the units of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vocabulary {
    /// Spellings with their unit, longest first.
    pub units: Vec<(String, Unit)>,
    /// Suffixes of numbers.
    pub suffixes: Vec<Suffix>,
    /// Words that stand for an equals sign.
    pub equals: Vec<String>,
    /// Words between a part and its whole.
    pub of: Vec<String>,
    /// Words before a number that call it approximate.
    pub about: Vec<String>,
    /// Words before the first of two numbers.
    pub from: Vec<String>,
    /// Words between two numbers of which one became the other.
    pub to: Vec<String>,
    /// Words for times.
    pub times: Vec<String>,
    /// Words for plus.
    pub plus: Vec<String>,
    /// Words for minus.
    pub minus: Vec<String>,
    /// What is split into parts that must add up to it.
    pub wholes: Vec<String>,
    /// Titles of rows and columns that hold the sum of the others.
    pub totals: BTreeSet<String>,
}

/// A number with what belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Number {
    /// Smallest as written; for a range its start.
    pub(super) low: f64,
    /// Largest as written.
    pub(super) high: f64,
    /// Digits after the point.
    pub(super) decimals: usize,
    /// What one in the last digit is worth.
    pub(super) step: f64,
    /// What one in the last digit that is no zero is worth.
    pub(super) round_step: f64,
    pub(super) unit: Option<Unit>,
    /// Plus or minus stands right before it.
    pub(super) sign: Option<char>,
    /// It calls itself approximate.
    pub(super) about: bool,
    /// It is a range or has an error.
    pub(super) spans: bool,
}

/// Part of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Number(Number),
    /// `+`, `-`, `*`, `/`.
    Sign(char),
    /// Between a part and its whole.
    Of,
    /// An equals sign; approximate where true.
    Equals(bool),
    /// A word for it.
    EqualsWord,
    Arrow,
    From,
    Open,
    Close,
    Comma,
    /// A word without a meaning here; true for one that can be split into parts.
    Word(bool),
    /// Anything else: nothing goes across it.
    Stop,
}

/// Part of a text with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

impl Token {
    pub(super) fn number(&self) -> Option<&Number> {
        match &self.kind {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }
}

/// Cuts a text.
pub(super) fn tokens(text: &str, words: &Vocabulary) -> Vec<Token> {
    let mut lexer = Lexer { text, words, at: 0, tokens: Vec::new(), about: false };
    while lexer.at < text.len() {
        lexer.step();
    }
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    words: &'a Vocabulary,
    at: usize,
    tokens: Vec<Token>,
    /// The next number calls itself approximate.
    about: bool,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn push(&mut self, length: usize, kind: Kind) {
        if !matches!(kind, Kind::Number(_)) {
            self.about = false;
        }
        self.tokens.push(Token { range: self.at..self.at + length, kind });
        self.at += length;
    }

    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        if first.is_whitespace() || first == '`' {
            self.at += first.len_utf8();
            return;
        }
        if first.is_ascii_digit() {
            return self.digits();
        }
        if let Some((length, kind)) = phrase(rest, self.words) {
            return match kind {
                None => {
                    self.at += length;
                    self.about = true;
                }
                Some(kind) => self.push(length, kind),
            };
        }
        let two = rest.get(..2).unwrap_or_default();
        let spaced = |rest: &str| rest.chars().nth(1) == Some(' ');
        match first {
            '~' | '≈' | '≃' | '≅' | '=' => self.relation(first, two),
            '→' => self.push('→'.len_utf8(), Kind::Arrow),
            '-' if two == "->" => self.push(2, Kind::Arrow),
            '+' | '-' | '−' | '–'
                if rest[first.len_utf8()..].starts_with(|c: char| c.is_ascii_digit()) =>
            {
                self.signed(first);
            }
            '+' => self.push(1, Kind::Sign('+')),
            '-' | '−' | '–'
                if spaced(rest.trim_start_matches(['−', '–']))
                    || rest[first.len_utf8()..].starts_with(' ') =>
            {
                self.push(first.len_utf8(), Kind::Sign('-'));
            }
            '×' | '*' | '·' | '⋅' => self.push(first.len_utf8(), Kind::Sign('*')),
            '/' | '÷' => self.push(first.len_utf8(), Kind::Sign('/')),
            '(' | '（' => self.push(first.len_utf8(), Kind::Open),
            ')' | '）' => self.push(first.len_utf8(), Kind::Close),
            ',' | '，' | '、' => self.push(first.len_utf8(), Kind::Comma),
            'x' | 'X' if self.between_numbers() => self.push(1, Kind::Sign('*')),
            first if first.is_alphabetic() => self.word(),
            _ => self.push(first.len_utf8(), Kind::Stop),
        }
    }

    fn relation(&mut self, first: char, two: &str) {
        let before = self.text[..self.at].chars().next_back();
        let odd = |c: Option<char>| c.is_some_and(|c| "=<>!:+-*/".contains(c));
        let after = self.rest().chars().nth(1);
        match (first, two) {
            ('~', "~=") => self.push(2, Kind::Equals(true)),
            ('=', "=>") => self.push(2, Kind::Arrow),
            ('=', "=~") => self.push(2, Kind::Equals(true)),
            ('=', _) if odd(before) || odd(after) => self.push(1, Kind::Stop),
            ('=', _) => self.push(1, Kind::Equals(false)),
            ('~', _) => {
                self.at += 1;
                self.about = true;
            }
            _ => {
                // After a number or a bracket it relates, before one it only calls it approximate.
                let relates = self.tokens.last().is_some_and(|last| {
                    matches!(last.kind, Kind::Number(_) | Kind::Close | Kind::Word(_))
                });
                if relates {
                    self.push(first.len_utf8(), Kind::Equals(true));
                } else {
                    self.at += first.len_utf8();
                    self.about = true;
                }
            }
        }
    }

    /// A sign right before a digit: of the number, or between two.
    fn signed(&mut self, first: char) {
        let length = first.len_utf8();
        let sign = if first == '+' { '+' } else { '-' };
        let touches = self.tokens.last().is_some_and(|last| last.range.end == self.at);
        let after_value = self
            .tokens
            .last()
            .is_some_and(|last| matches!(last.kind, Kind::Number(_) | Kind::Close | Kind::Word(_)));
        if touches && after_value {
            // `3+4` is a sum; `3-4` may be a range that was not taken for one.
            let kind = if sign == '+' { Kind::Sign('+') } else { Kind::Stop };
            return self.push(length, kind);
        }
        let start = self.at;
        self.at += length;
        self.digits();
        if let Some(Token { range, kind: Kind::Number(number) }) = self.tokens.last_mut()
            && range.start == start + length
        {
            range.start = start;
            number.sign = Some(sign);
            if sign == '-' {
                (number.low, number.high) = (-number.high, -number.low);
            }
        }
    }

    fn between_numbers(&self) -> bool {
        let before = self.tokens.last().is_some_and(|last| {
            matches!(last.kind, Kind::Number(_) | Kind::Close | Kind::Word(_))
                && (last.number().is_some() || last.range.end < self.at)
        });
        let after = self.rest()[1..].trim_start();
        before && after.starts_with(|c: char| c.is_ascii_digit() || c == '(')
    }

    fn word(&mut self) {
        let rest = self.rest();
        let han = |c: char| ('\u{3400}'..='\u{9fff}').contains(&c);
        let length = if rest.starts_with(han) {
            // Up to the next phrase with a meaning.
            let stop = |(at, c): &(usize, char)| {
                !han(*c) || (*at > 0 && phrase(&rest[*at..], self.words).is_some())
            };
            rest.char_indices().find(stop).map_or(rest.len(), |(at, _)| at)
        } else {
            let inside = |c: char| c.is_alphanumeric() && !han(c) || "_-'’.@#/\\:".contains(c);
            let end = rest.find(|c: char| !inside(c)).unwrap_or(rest.len());
            rest[..end].trim_end_matches(['.', ':', '-', '/', '\'', '’']).len().max(1)
        };
        let word = rest[..length].to_lowercase();
        // Names with digits may hold anything.
        let odd = word.contains(|c: char| c.is_ascii_digit() || "@#\\:_".contains(c));
        let whole = self.words.wholes.contains(&word);
        self.push(length, if odd { Kind::Stop } else { Kind::Word(whole) });
    }

    fn digits(&mut self) {
        let before = self.text[..self.at].chars().next_back();
        let glued = before
            .is_some_and(|c| c.is_alphanumeric() && c.is_ascii() || "_#@^$€£¥§.:\\'".contains(c))
            && !self.tokens.last().is_some_and(|last| {
                last.range.end == self.at && matches!(last.kind, Kind::Sign(_))
            });
        match number(self.rest(), self.words) {
            Some((length, mut number)) if !glued => {
                number.about |= self.about;
                self.about = false;
                self.push(length, Kind::Number(number));
            }
            _ => {
                let inside = |c: char| c.is_ascii_alphanumeric() || "_.-:/\\@#^".contains(c);
                let length = self.rest().find(|c: char| !inside(c)).unwrap_or(self.rest().len());
                self.push(length.max(1), Kind::Stop);
            }
        }
    }
}

/// A phrase of the vocabulary at the start of a text; `None` within for one that calls the next
/// number approximate.
fn phrase(rest: &str, words: &Vocabulary) -> Option<(usize, Option<Kind>)> {
    let starts = |list: &[String]| list.iter().filter_map(|word| starts_with(rest, word)).max();
    let lists: [(&[String], Option<Kind>); 8] = [
        (&words.equals, Some(Kind::EqualsWord)),
        (&words.of, Some(Kind::Of)),
        (&words.about, None),
        (&words.from, Some(Kind::From)),
        (&words.to, Some(Kind::Arrow)),
        (&words.times, Some(Kind::Sign('*'))),
        (&words.plus, Some(Kind::Sign('+'))),
        (&words.minus, Some(Kind::Sign('-'))),
    ];
    lists
        .into_iter()
        .filter_map(|(list, kind)| starts(list).map(|length| (length, kind)))
        .max_by_key(|(length, _)| *length)
}

/// The length of a word at the start of a text, in any case and ending where words end.
fn starts_with(rest: &str, word: &str) -> Option<usize> {
    let head = rest.get(..word.len())?;
    let letter = word.ends_with(|c: char| c.is_ascii_alphanumeric());
    let goes_on = rest[word.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    (head.eq_ignore_ascii_case(word) && !(letter && goes_on)).then_some(word.len())
}

pub(super) use number::number;

mod number;
