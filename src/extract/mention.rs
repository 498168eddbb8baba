//! Words and numbers of every line, claim or not: where a result may have stood before it was one.
//!
//! A number is often born in a block of output, in a sentence that no rule reads or in another
//! language, and becomes a claim later. So every line that holds a number or code leaves its traces,
//! and what they prove is decided elsewhere. A trace says nothing by itself and is never reported
//! as a claim.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::matching::Sentence;
use super::reading::{Reading, Readings};
use super::subject::{self, Tokens};
use super::{Quantity, claim, number};
use crate::documents::{Block, BlockKind, Document, Lines, Table};
use crate::rules::RuleSet;

/// Lines of one block of code that are read: the rest is a log, not a result.
const CODE_LINES: usize = 400;
/// Characters of a line of code that are read.
const CODE_LINE: usize = 1_000;
/// Characters of a line that are kept, to be shown.
const EXCERPT: usize = 200;
/// Blocks before a table or a block of code whose words tell what it is about.
const LEAD: usize = 2;
/// Digits that a number needs to leave a trace without a unit.
const DIGITS: u8 = 2;

/// One line, sentence, row or line of code with numbers or code in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Where it stands.
    pub lines: Lines,
    /// What it holds; versions of a document share it.
    pub wording: Arc<Wording>,
}

/// What a mention holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wording {
    /// Words and numbers in order, hashed: equal keys are the same line.
    pub key: u64,
    /// As it stands, cut.
    pub text: String,
    /// Its numbers, in order.
    pub figures: Vec<Quantity>,
    /// Hashes of its words without the numbers, sorted, distinct.
    pub words: Vec<u64>,
    /// Hashes of its code spans and names that look like code, sorted, distinct.
    pub codes: Vec<u64>,
    /// Hashes of the words around it: titles, column heads, what leads up to it; sorted, distinct.
    pub around: Arc<[u64]>,
    /// The writing most of its letters belong to.
    pub script: Script,
}

/// A writing, as far as it tells languages apart.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Script {
    /// No letters, or those of no single writing.
    #[default]
    None,
    /// Latin letters.
    Latin,
    /// Chinese characters, kana, hangul.
    East,
    /// Cyrillic letters.
    Cyrillic,
}

impl Script {
    /// The writing of a text.
    pub fn of(text: &str) -> Self {
        let (mut latin, mut east, mut cyrillic) = (0, 0, 0);
        for c in text.chars() {
            match c {
                'a'..='z' | 'A'..='Z' => latin += 1,
                '\u{400}'..='\u{52f}' => cyrillic += 1,
                // A character says as much as half a word.
                '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => {
                    east += 3
                }
                _ => {}
            }
        }
        // Names and code are Latin in every language.
        if cyrillic * 3 > latin && cyrillic > east {
            Script::Cyrillic
        } else if east * 3 > latin && east > 0 {
            Script::East
        } else if latin > 0 {
            Script::Latin
        } else {
            Script::None
        }
    }
}

/// Adds the mentions of a block of a document.
pub(super) fn of_block(
    document: &Document,
    rules: &RuleSet,
    readings: &Readings<'_>,
    index: usize,
    found: &mut Vec<Mention>,
) {
    let traces = readings.traces(index, || of_words(document, rules, readings, index));
    Around { document, rules, readings, index }.put(&traces, found);
}

/// What the words of a block leave behind, whatever is around them.
#[derive(Debug, Default)]
pub(super) struct Traces {
    /// Lines counted from the block's first.
    list: Vec<Trace>,
    /// Hashes of the words in the titles of columns.
    heads: Vec<u64>,
}

impl Traces {
    /// Bytes that they hold.
    pub(super) fn weight(&self) -> usize {
        let of = |Trace { wording, .. }: &Trace| {
            let Wording { text, figures, words, codes, .. } = wording;
            text.len() + figures.len() * FIGURE + (words.len() + codes.len()) * size_of::<u64>()
        };
        size_of_val(self.heads.as_slice())
            + size_of_val(self.list.as_slice())
            + self.list.iter().map(of).sum::<usize>()
    }
}

/// About what a number holds.
const FIGURE: usize = size_of::<Quantity>() + 32;

fn of_words(document: &Document, rules: &RuleSet, readings: &Readings<'_>, index: usize) -> Traces {
    let block = &document.blocks[index];
    let mut traces = match &block.kind {
        BlockKind::Comment | BlockKind::CodeComment | BlockKind::Field { .. } => Traces::default(),
        BlockKind::Heading(_) | BlockKind::Paragraph | BlockKind::Item { .. } => {
            let reading = &readings[index];
            if is_plain(reading, &(0..reading.norm.len())) {
                return Traces::default();
            }
            let of_sentence = |it: &Sentence| {
                trace(rules, reading, &it.range, || Tokens::of_sentence(reading, it, rules))
            };
            let list = Sentence::all(reading, rules).iter().filter_map(of_sentence);
            Traces { list: list.collect(), heads: Vec::new() }
        }
        BlockKind::Code { .. } => Traces { list: of_code(rules, block), heads: Vec::new() },
        BlockKind::Table(table) => of_table(rules, table),
    };
    let first = block.lines.start;
    for Trace { lines, .. } in &mut traces.list {
        *lines = moved(*lines, |line| line.wrapping_sub(first));
    }
    traces
}

fn moved(lines: Lines, line: impl Fn(u32) -> u32) -> Lines {
    Lines { start: line(lines.start), end: line(lines.end) }
}

/// A line on its way to be a mention, its surroundings not told yet.
#[derive(Debug)]
struct Trace {
    lines: Lines,
    wording: Wording,
}

fn of_code(rules: &RuleSet, block: &Block) -> Vec<Trace> {
    let mut traces = Vec::new();
    let mut at = 0;
    for line in block.text.plain.split('\n').take(CODE_LINES) {
        let short = line.char_indices().nth(CODE_LINE).map_or(line, |(end, _)| &line[..end]);
        if !short.is_ascii() || short.contains('`') || has_traces(short) {
            let reading = Reading::of_plain(short, block.text.line_at(at));
            let whole = 0..reading.norm.len();
            let tokens = || Tokens::new(&reading, &whole, rules);
            traces.extend(trace(rules, &reading, &whole, tokens));
        }
        at += line.len() + 1;
    }
    traces
}

fn of_table(rules: &RuleSet, table: &Table) -> Traces {
    let heads = table.header.iter().flat_map(|cell| words_of(rules, &Reading::new(cell)));
    let rows = table.rows.iter().filter_map(|row| {
        let cells: Vec<Reading> = row.cells.iter().map(Reading::new).collect();
        let reading = Reading::joined(&cells);
        let whole = 0..reading.norm.len();
        let trace = trace(rules, &reading, &whole, || Tokens::new(&reading, &whole, rules))?;
        Some(Trace { lines: row.lines, ..trace })
    });
    Traces { list: rows.collect(), heads: heads.collect() }
}

/// Whether a text holds what every number and every name that looks like code holds.
fn has_traces(text: &str) -> bool {
    number::has_digit(text) || claim::may_name_code(text)
}

/// Whether a range certainly leaves nothing behind.
fn is_plain(reading: &Reading, range: &Range<usize>) -> bool {
    !has_traces(&reading.norm[range.clone()]) && reading.codes_in(range).next().is_none()
}

/// What a range leaves behind; `None` if it holds neither a number nor code. `tokens` are its own.
fn trace(
    rules: &RuleSet,
    reading: &Reading,
    range: &Range<usize>,
    tokens: impl FnOnce() -> Tokens,
) -> Option<Trace> {
    let text = &reading.norm[range.clone()];
    if is_plain(reading, range) || number::is_data(text) {
        return None;
    }
    let numbers = number::scan(text, rules);
    let figures: Vec<Quantity> = numbers
        .into_iter()
        .map(|found| found.quantity)
        .filter(|figure| figure.digits >= DIGITS || !figure.unit.is_empty())
        .collect();
    let names = claim::identifiers(reading, range);
    if figures.is_empty() && names.is_empty() {
        return None;
    }
    let tokens = tokens().list;
    let numerals: HashSet<String> =
        figures.iter().map(|figure| format!("{}{}", figure.number, figure.unit)).collect();
    let words = tokens.iter().filter(|token| !numerals.contains(*token));
    let shown = reading.words(range);
    let end = shown.char_indices().nth(EXCERPT).map_or(shown.len(), |(end, _)| end);
    Some(Trace {
        lines: reading.lines(range),
        wording: Wording {
            key: xxh3_64(tokens.join(" ").as_bytes()),
            text: shown[..end].to_owned(),
            words: hashes(words.map(String::as_str)),
            codes: hashes(names.iter().map(|name| name.to_lowercase()).collect::<Vec<_>>().iter()),
            script: Script::of(shown),
            around: Arc::from([]),
            figures,
        },
    })
}

/// A block, to ask what stands around it.
struct Around<'a> {
    document: &'a Document,
    rules: &'a RuleSet,
    readings: &'a Readings<'a>,
    index: usize,
}

impl Around<'_> {
    /// Adds the traces of the block with the words around them.
    fn put(&self, traces: &Traces, found: &mut Vec<Mention>) {
        if traces.list.is_empty() {
            return;
        }
        let around: Arc<[u64]> = self.words(&traces.heads).into();
        let first = self.document.blocks[self.index].lines.start;
        found.extend(traces.list.iter().map(|trace| Mention {
            lines: moved(trace.lines, |line| line.wrapping_add(first)),
            wording: Arc::new(Wording { around: Arc::clone(&around), ..trace.wording.clone() }),
        }));
    }

    fn words(&self, heads: &[u64]) -> Vec<u64> {
        let block = &self.document.blocks[self.index];
        let mut words: Vec<u64> = heads.to_vec();
        let mut next = block.section;
        while let Some(at) = next
            && let Some(section) = self.document.sections.get(at)
        {
            let title = || words_of(self.rules, &Reading::new(&section.title));
            words.extend(self.readings.title(at, title));
            next = section.parent.filter(|parent| Some(*parent) < next);
        }
        if matches!(block.kind, BlockKind::Table(_) | BlockKind::Code { .. }) {
            for before in (0..self.index).rev().take(LEAD) {
                let lead = &self.document.blocks[before];
                if lead.section != block.section || !is_text(&lead.kind) {
                    break;
                }
                words.extend(words_of(self.rules, &self.readings[before]));
            }
        }
        subject::distinct(words.into_iter())
    }
}

fn is_text(kind: &BlockKind) -> bool {
    matches!(kind, BlockKind::Paragraph | BlockKind::Item { .. })
}

fn words_of(rules: &RuleSet, reading: &Reading) -> Vec<u64> {
    let mut tokens = Vec::new();
    subject::words(reading, 0..reading.norm.len(), rules, &mut tokens);
    hashes(tokens.iter().map(String::as_str))
}

fn hashes(words: impl Iterator<Item = impl AsRef<str>>) -> Vec<u64> {
    subject::distinct(words.map(|word| xxh3_64(word.as_ref().as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::{Format, parse};
    use crate::extract::statements;

    fn read(text: &str) -> Vec<Mention> {
        let rules = RuleSet::built_in().unwrap();
        statements(&parse(Format::Markdown, text.as_bytes()), &rules).mentions
    }

    fn numbers(mention: &Mention) -> Vec<&str> {
        mention.wording.figures.iter().map(|it| it.number.as_str()).collect()
    }

    #[test]
    fn every_line_with_a_number_or_code_leaves_a_trace() {
        let found = read(
            "# Log\n\nNothing here. Then 98.10 tok/s came.\n\n```text\npp512 1216.56\nno more\n```\n\n\
             | a | speed |\n|---|---|\n| `x.y` | 26.0 tok/s |\n",
        );
        let told: Vec<_> = found.iter().map(|it| (it.lines.start, numbers(it))).collect();
        assert_eq!(told, [(3, vec!["98.1"]), (6, vec!["1216.56"]), (12, vec!["26"])]);
        assert_eq!(found[2].wording.figures[0].digits, 3);
        assert_eq!(found[2].wording.codes.len(), 1);
        assert!(found[1].wording.around.len() > 1, "the title and what leads up to it");
    }

    #[test]
    fn markup_and_alignment_make_no_other_line() {
        let key = |text| read(text)[0].wording.key;
        assert_eq!(
            key("| a | b |\n|---|---|\n| decode | 98.1 tok/s |\n"),
            key("| a   | b |\n|:--|--:|\n| **decode** |   98.10 tokens/s |\n")
        );
    }

    #[test]
    fn scripts_are_told_apart_in_spite_of_names() {
        assert_eq!(Script::of("decode 98 tok/s"), Script::Latin);
        assert_eq!(Script::of("解码速度 98 tok/s"), Script::East);
        assert_eq!(Script::of("скорость декодирования 98 tok/s"), Script::Cyrillic);
        assert_eq!(Script::of("98 %"), Script::None);
    }
}
