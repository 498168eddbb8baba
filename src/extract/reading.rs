//! A block's text made ready for rules: one spelling for quotes, dashes and spaces, code masked,
//! struck text gone, cut into sentences and clauses.

use std::cell::OnceCell;
use std::ops::{Index, Range};
use std::sync::Arc;

use unicode_normalization::UnicodeNormalization;

use super::han::simplified;
use super::matching::Sentence;
use super::mention::Traces;
use crate::documents::{Document, Lines, Mark, Text};
use crate::rules::{Role, RuleSet};

/// Stands for each character of a code span, so that no word matches inside one.
const MASK: char = '\u{1a}';

/// Stands between texts that are joined.
pub(super) const BAR: &str = " | ";

/// A code span and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Code {
    /// Place in [`Reading::norm`], back-ticks included.
    pub(super) range: Range<usize>,
    /// Content as written.
    pub(super) text: String,
}

/// A text as rules see it.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    /// Normalised text, code spans as back-ticks around masked characters.
    pub(super) norm: String,
    /// The same text with code readable, same byte offsets not guaranteed: for people and keys.
    pub(super) shown: String,
    /// Code spans in order.
    pub(super) codes: Vec<Code>,
    /// `(offset in norm, line)` where a source line begins.
    lines: Vec<(usize, u32)>,
    /// `(offset in norm, offset in shown)` at each code span's end.
    shifts: Vec<(usize, usize)>,
    /// Byte ranges of `norm` that are bold.
    pub(super) strong: Vec<Range<usize>>,
    /// Some of the text was struck out.
    pub(super) struck: bool,
    /// Its sentences, once somebody asked for them.
    pub(super) sentences: OnceCell<Arc<[Sentence]>>,
    /// The role that its label sets, likewise.
    pub(super) label: OnceCell<Option<Role>>,
}

/// The texts of a document's blocks, each made ready when it is asked for.
pub(super) struct Readings<'a> {
    document: &'a Document,
    readings: Vec<OnceCell<Reading>>,
    /// What each block leaves for its mentions.
    traces: Vec<OnceCell<Arc<Traces>>>,
    /// What the block that was read last was made of.
    let_go: Made,
    /// What the words of each section's title hash to.
    titles: Vec<OnceCell<Vec<u64>>>,
}

impl<'a> Readings<'a> {
    /// None made ready yet.
    pub(super) fn new(document: &'a Document) -> Self {
        Readings {
            document,
            readings: document.blocks.iter().map(|_| OnceCell::new()).collect(),
            traces: document.blocks.iter().map(|_| OnceCell::new()).collect(),
            let_go: Made::default(),
            titles: document.sections.iter().map(|_| OnceCell::new()).collect(),
        }
    }
}

impl Readings<'_> {
    /// What the words of a section's title hash to, remembered or as `find` finds it.
    pub(super) fn title(&self, section: usize, find: impl FnOnce() -> Vec<u64>) -> &[u64] {
        self.titles.get(section).map_or(&[], |title| title.get_or_init(find))
    }

    /// What a block leaves for its mentions, remembered or as `find` finds it.
    pub(super) fn traces(&self, block: usize, find: impl FnOnce() -> Traces) -> Arc<Traces> {
        match self.traces.get(block) {
            Some(known) => Arc::clone(known.get_or_init(|| Arc::new(find()))),
            None => Arc::new(find()),
        }
    }

    /// Takes over what a block with the same words was found to be made of.
    pub(super) fn know(&mut self, block: usize, made: Made) {
        if let Some(sentences) = made.sentences {
            let _ = self[block].sentences.set(sentences);
        }
        if let (Some(traces), Some(known)) = (made.traces, self.traces.get(block)) {
            let _ = known.set(traces);
        }
    }

    /// Lets go of what only the reading of a block needs.
    pub(super) fn read(&mut self, block: usize) {
        let reading = self.readings.get_mut(block).and_then(OnceCell::get_mut);
        self.let_go = Made {
            sentences: reading.and_then(|reading| reading.sentences.take()),
            traces: self.traces.get_mut(block).and_then(OnceCell::take),
        };
    }

    /// What the block that was read last was made of.
    pub(super) fn made(&mut self) -> Made {
        std::mem::take(&mut self.let_go)
    }
}

/// What a block's own words decide, whatever is around them; as far as somebody asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Made {
    pub(super) sentences: Option<Arc<[Sentence]>>,
    pub(super) traces: Option<Arc<Traces>>,
}

impl Index<usize> for Readings<'_> {
    type Output = Reading;

    fn index(&self, block: usize) -> &Reading {
        self.readings[block].get_or_init(|| Reading::new(&self.document.blocks[block].text))
    }
}

impl Reading {
    /// Reads a text.
    pub(super) fn new(text: &Text) -> Reading {
        let mut reading = Reading {
            norm: String::with_capacity(text.plain.len()),
            shown: String::with_capacity(text.plain.len()),
            ..Reading::default()
        };
        let values = values_in_code(text);
        let mut marks = Spans::new(text);
        let mut next_line = 0;
        let mut in_code = false;
        let mut at = 0;
        while at < text.plain.len() {
            while let Some((_, line)) = text.lines.get(next_line).filter(|(start, _)| *start <= at)
            {
                reading.lines.push((reading.norm.len(), *line));
                next_line += 1;
            }
            // Up to where a mark or a line begins or ends, all characters are of one kind.
            let Marked { code, strike, strong, end } = marks.at(at);
            let line = text.lines.get(next_line).map(|(start, _)| *start);
            let end = end.into_iter().chain(line).min().unwrap_or(text.plain.len());
            let whole = |end: &usize| text.plain.is_char_boundary(*end);
            let (from, end) = (at, (end..).find(whole).unwrap_or(text.plain.len()));
            let part = &text.plain[from..end];
            at = end;
            let code = code.filter(|start| values.binary_search(start).is_err());
            if strike {
                reading.struck = true;
                continue;
            }
            if in_code && code.is_none_or(|start| start == from) {
                reading.close_code();
                in_code = false;
            }
            if code.is_some() && !in_code {
                reading.open_code();
                in_code = true;
            }
            let start = reading.norm.len();
            if in_code {
                reading.norm.extend(part.chars().map(|_| MASK));
                reading.shown.push_str(part);
                if let Some(span) = reading.codes.last_mut() {
                    span.text.push_str(part);
                }
            } else {
                reading.push_all(part);
            }
            if strong {
                match reading.strong.last_mut() {
                    Some(range) if range.end == start => range.end = reading.norm.len(),
                    _ => reading.strong.push(start..reading.norm.len()),
                }
            }
        }
        if in_code {
            reading.close_code();
        }
        reading.bind_names();
        reading
    }

    /// Reads plain words: a commit message's sentence, a rule's example. Back-ticks mark code.
    pub(super) fn of_plain(words: &str, line: u32) -> Reading {
        let mut text = Text { lines: vec![(0, line)], ..Text::default() };
        for (index, part) in words.split('`').enumerate() {
            let start = text.plain.len();
            text.plain.push_str(part);
            if index % 2 == 1 && !part.is_empty() {
                text.marks.push((start..text.plain.len(), Mark::Code));
            }
        }
        Reading::new(&text)
    }

    /// Several texts in one, a bar between them: the cells of a row.
    pub(super) fn joined(readings: &[Reading]) -> Reading {
        let mut all = Reading::default();
        for reading in readings {
            if !all.norm.is_empty() {
                all.norm.push_str(BAR);
                all.shown.push_str(BAR);
            }
            let (norm, shown) = (all.norm.len(), all.shown.len());
            all.norm.push_str(&reading.norm);
            all.shown.push_str(&reading.shown);
            all.codes.extend(reading.codes.iter().map(|code| Code {
                range: code.range.start + norm..code.range.end + norm,
                text: code.text.clone(),
            }));
            all.lines.extend(reading.lines.iter().map(|(at, line)| (at + norm, *line)));
            all.shifts.push((norm, shown));
            all.shifts.extend(reading.shifts.iter().map(|(n, s)| (n + norm, s + shown)));
            all.strong.extend(reading.strong.iter().map(|r| r.start + norm..r.end + norm));
            all.struck |= reading.struck;
        }
        all
    }

    /// The source lines of a range of `norm`.
    pub(super) fn lines(&self, range: &Range<usize>) -> Lines {
        let line = |at: usize| {
            let after = self.lines.partition_point(|(start, _)| *start <= at);
            self.lines.get(after.saturating_sub(1)).map_or(1, |(_, line)| *line)
        };
        let start = line(range.start);
        Lines { start, end: line(range.end.saturating_sub(1)).max(start) }
    }

    /// The readable words of a range of `norm`.
    pub(super) fn words(&self, range: &Range<usize>) -> &str {
        let (start, end) = (self.shown_at(range.start), self.shown_at(range.end));
        self.shown.get(start..end.max(start)).unwrap_or_default().trim()
    }

    /// Code spans within a range of `norm`.
    pub(super) fn codes_in(&self, range: &Range<usize>) -> impl Iterator<Item = &Code> {
        let range = range.clone();
        self.codes.iter().filter(move |c| c.range.start >= range.start && c.range.end <= range.end)
    }

    /// Sentences in order, as ranges of `norm`; [`Sentence::all`] remembers them.
    pub(super) fn sentences(&self, rules: &RuleSet) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut start = 0;
        let closers = |c: char| ")\"'*]".contains(c);
        let enders = ['。', '！', '？', '!', '?', '.'];
        for (at, mark) in self.norm.match_indices(enders) {
            let rest = &self.norm[at + mark.len()..];
            let ends = match mark {
                "!" | "?" | "." => {
                    let after = rest.trim_start_matches(closers);
                    let han = |c: char| ('\u{3400}'..='\u{9fff}').contains(&c);
                    match after.chars().next() {
                        None => true,
                        Some(' ') => {
                            let opener = after.chars().find(|c| *c != ' ' && !closers(*c));
                            let opens = opener.is_none_or(|c| !c.is_lowercase() && c != ',')
                                || opens_with_name(rest);
                            opens && !(mark == "." && self.is_abbreviation(rules, start, at))
                        }
                        Some(c) => mark != "." && han(c),
                    }
                }
                _ => true,
            };
            if ends {
                // Closing quotes and brackets belong to the sentence they close.
                let closed = |c: char| ")\"'*]」』”".contains(c);
                let end = self.norm.len() - rest.trim_start_matches(closed).len();
                found.push(start..end.max(start));
                start = end;
            }
        }
        found.push(start.min(self.norm.len())..self.norm.len());
        found
            .into_iter()
            .map(|range| trim(&self.norm, range))
            .filter(|range| self.norm[range.clone()].chars().any(char::is_alphanumeric))
            .collect()
    }

    /// Clauses of a sentence, as ranges of `norm`.
    pub(super) fn clauses(&self, sentence: &Range<usize>, rules: &RuleSet) -> Vec<Range<usize>> {
        let text = &self.norm[sentence.clone()];
        let mut start = sentence.start;
        let mut found = Vec::new();
        for hit in rules.clause_breaks.find_iter(text) {
            let at = sentence.start + hit.start();
            if at > start {
                found.push(start..at);
            }
            start = at;
        }
        found.push(start..sentence.end);
        found.into_iter().map(|range| trim(&self.norm, range)).filter(|r| !r.is_empty()).collect()
    }

    fn is_abbreviation(&self, rules: &RuleSet, start: usize, dot: usize) -> bool {
        let before = &self.norm[start..dot];
        let word = before.rsplit([' ', '(']).next().unwrap_or_default();
        // A list number at the very start is no sentence of its own.
        let only_a_number = before.trim().chars().all(|c| c.is_ascii_digit());
        only_a_number || rules.abbreviations.contains(&word.to_lowercase())
    }

    /// Ties the parts of a name together, so that the `27B` of `Model-27B` is no quantity.
    fn bind_names(&mut self) {
        if !self.norm.contains('-') {
            return;
        }
        let bytes = self.norm.as_bytes();
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
        let mut bound = Vec::new();
        let mut start = 0;
        for at in 0..bytes.len() {
            let b = bytes[at];
            if b == b'-'
                && at > start
                && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
                && bytes[start].is_ascii_alphabetic()
            {
                bound.push(at);
                continue;
            }
            if !word(b) && b != b'-' {
                start = at + 1;
            }
        }
        for at in bound {
            self.norm.replace_range(at..=at, "_");
        }
    }

    fn shown_at(&self, at: usize) -> usize {
        let after = self.shifts.partition_point(|(norm, _)| *norm <= at);
        match after.checked_sub(1).and_then(|index| self.shifts.get(index)) {
            Some((norm, shown)) => (shown + (at - norm)).min(self.shown.len()),
            None => at.min(self.shown.len()),
        }
    }

    fn open_code(&mut self) {
        let start = self.norm.len();
        self.norm.push('`');
        self.shown.push('`');
        self.codes.push(Code { range: start..start, text: String::new() });
    }

    fn close_code(&mut self) {
        self.norm.push('`');
        self.shown.push('`');
        if let Some(code) = self.codes.last_mut() {
            code.range.end = self.norm.len();
        }
        self.shifts.push((self.norm.len(), self.shown.len()));
    }

    /// Takes in words. Most of any text is spelt as it is read.
    fn push_all(&mut self, mut words: &str) {
        loop {
            let mut spaced = self.norm.ends_with(' ');
            let plain = |b: &u8| {
                let again = std::mem::replace(&mut spaced, *b == b' ');
                matches!(*b, b' '..=b'~') && *b != b'`' && !(again && spaced)
            };
            let (known, rest) = words.split_at(words.bytes().take_while(plain).count());
            self.norm.push_str(known);
            self.shown.push_str(known);
            let mut rest = rest.chars();
            let Some(c) = rest.next() else { return };
            self.push(c);
            words = rest.as_str();
        }
    }

    fn push(&mut self, c: char) {
        // Direction marks and other format characters are not there for a reader.
        if matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe0f}')
        {
            return;
        }
        let mapped = match c {
            '\u{ff01}'..='\u{ff5e}' if c != '！' && c != '？' => {
                char::from_u32(c as u32 - 0xfee0).unwrap_or(c)
            }
            '“' | '”' | '„' | '‟' => '"',
            '‘' | '’' | '‛' => '\'',
            '−' | '‐' | '‑' | '‒' | '–' | '﹣' => '-',
            'µ' => 'μ',
            '⇒' => '→',
            '`' => '\'',
            MASK => ' ',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        if mapped == ' ' && self.norm.ends_with(' ') {
            return;
        }
        self.shown.push(mapped);
        if is_spelling(mapped) {
            self.norm.extend(std::iter::once(mapped).nfkc().map(simplified));
            self.shifts.push((self.norm.len(), self.shown.len()));
        } else {
            self.norm.push(simplified(mapped));
        }
    }
}

/// Tells whether a character is another spelling of letters: ligatures, units in one square, letters
/// of mathematics, full and half width. Superscripts, fractions and circled digits are not: without
/// their form `10²` would be 102.
fn is_spelling(c: char) -> bool {
    matches!(c, '\u{2103}' | '\u{2109}' | '\u{2126}' | '\u{212a}' | '\u{212b}' | '\u{2160}'..='\u{217f}'
        | '\u{3371}'..='\u{33df}' | '\u{f900}'..='\u{faff}' | '\u{fb00}'..='\u{fb06}'
        | '\u{ff66}'..='\u{ff9f}' | '\u{1d400}'..='\u{1d7ff}')
}

/// Marks looked up in step with a scan over the text.
struct Spans<'a> {
    marks: &'a [(Range<usize>, Mark)],
}

impl<'a> Spans<'a> {
    fn new(text: &'a Text) -> Self {
        Spans { marks: &text.marks }
    }

    /// How the characters from an offset on are marked.
    fn at(&mut self, at: usize) -> Marked {
        while self.marks.first().is_some_and(|(range, _)| range.end <= at) {
            self.marks = &self.marks[1..];
        }
        let mut found = Marked::default();
        for (range, mark) in self.marks {
            let change = if range.start <= at { range.end } else { range.start };
            if change > at && found.end.is_none_or(|end| change < end) {
                found.end = Some(change);
            }
            if range.start > at {
                break;
            }
            if range.contains(&at) {
                match mark {
                    Mark::Code => found.code = Some(range.start),
                    Mark::Strike => found.strike = true,
                    Mark::Strong => found.strong = true,
                    Mark::Emphasis | Mark::Link => {}
                }
            }
        }
        found
    }
}

/// How some characters in a row are marked.
#[derive(Default)]
struct Marked {
    /// Start of the code span around them.
    code: Option<usize>,
    strike: bool,
    strong: bool,
    /// Where that may change.
    end: Option<usize>,
}

/// Tells whether the next word is a name that is written with a small first letter: `vLLM`.
fn opens_with_name(text: &str) -> bool {
    let closers = |c: char| ")\"'*] ".contains(c);
    let word = text.trim_start_matches(closers).split(' ').next().unwrap_or_default();
    word.chars().skip(1).any(|c| c.is_ascii_uppercase())
}

/// Starts of the code spans that hold nothing but a value: `98.1 tok/s` in back-ticks is a number.
fn values_in_code(text: &Text) -> Vec<usize> {
    text.marks
        .iter()
        .filter(|(_, mark)| *mark == Mark::Code)
        .filter(|(range, _)| text.plain.get(range.clone()).is_some_and(is_value))
        .map(|(range, _)| range.start)
        .collect()
}

fn is_value(code: &str) -> bool {
    let code = code.trim().trim_start_matches(['~', '≈', '+', '-', '−', '<', '>', '±']);
    let letters = code.chars().filter(|c| c.is_alphabetic()).count();
    code.starts_with(|c: char| c.is_ascii_digit())
        && letters <= 12
        && !code.contains(['=', '_', ':', '(', '['])
}

fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let left = part.len() - part.trim_start().len();
    let right = part.len() - part.trim_end().len();
    if left >= part.len() {
        range.start..range.start
    } else {
        range.start + left..range.end - right
    }
}
