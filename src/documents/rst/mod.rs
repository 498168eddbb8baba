//! reStructuredText: sections, lists, tables, directives, literal blocks.

mod directives;
mod tables;
mod text;

use unicode_width::UnicodeWidthStr;

use crate::documents::builder::Builder;
use crate::documents::indents::{Indents, indent_of};
use crate::documents::source::Source;
use crate::documents::spans::{self, Passage};
use crate::documents::{Lines, Quote, Text, code};

use tables::Line;
use text::SYNTAX;

/// Reads a reStructuredText file.
pub(super) fn read(source: &Source, builder: &mut Builder) {
    let lines: Vec<Line<'_>> = source.lines().collect();
    let mut front = Front {
        builder,
        lines: &lines,
        at: 0,
        passage: Passage::default(),
        indent: 0,
        term: false,
        indents: Indents::default(),
        adornments: Vec::new(),
        literal: None,
    };
    while let Some((line, text)) = front.lines.get(front.at).copied() {
        front.at += 1;
        front.line(line, text);
    }
    front.flush();
}

struct Front<'a, 'b> {
    builder: &'b mut Builder,
    lines: &'a [Line<'a>],
    /// The next line.
    at: usize,
    passage: Passage,
    /// Where the passage's lines begin.
    indent: usize,
    /// The passage may be a term, with its definition indented below it.
    term: bool,
    indents: Indents,
    /// Signs of titles in the order of their levels, and whether they stand above it too.
    adornments: Vec<(char, bool)>,
    /// A paragraph ended in `::`: what is indented beyond this is literal.
    literal: Option<usize>,
}

impl<'a> Front<'a, '_> {
    fn line(&mut self, line: u32, text: &'a str) {
        let content = text.trim();
        if content.is_empty() {
            return self.flush();
        }
        let indent = indent_of(text);
        if !self.passage.is_empty() {
            if indent > self.indent && self.term && self.passage.len() == 1 {
                self.define(indent);
            } else if indent >= self.indent {
                let words = content.strip_prefix("| ").unwrap_or(content);
                return self.passage.push(line, words);
            }
            self.flush();
        }
        if let Some(beyond) = self.literal.take()
            && indent > beyond
        {
            self.at -= 1;
            let body = self.body(beyond);
            return self.code("", body);
        }
        self.indents.close_beyond(indent, self.builder);
        if !self.title(line, text)
            && !self.table(content)
            && !self.explicit(line, indent, content)
            && !self.item(line, indent, content)
        {
            self.paragraph(line, indent, content);
        }
    }

    /// Ends the passage as a paragraph.
    fn flush(&mut self) {
        if !self.passage.is_empty() {
            let mut source = self.passage.take();
            if source.text.ends_with("::") {
                self.literal = Some(self.indent);
                let shown = source.text.trim_end_matches(':').len();
                let spaced = source
                    .text
                    .get(..shown)
                    .is_none_or(|text| text.is_empty() || text.ends_with(char::is_whitespace));
                source.text.truncate(shown + usize::from(!spaced));
            }
            spans::write(&source, &SYNTAX, self.builder.inline());
        }
        self.builder.paragraph(None);
    }

    /// The lines from the next one on that are indented beyond this, without blank ones at the end.
    fn body(&mut self, beyond: usize) -> &'a [Line<'a>] {
        let rest = self.lines.get(self.at..).unwrap_or_default();
        let within = |text: &str| text.trim().is_empty() || indent_of(text) > beyond;
        let length = rest.iter().take_while(|(_, text)| within(text)).count();
        let rest = rest.get(..length).unwrap_or_default();
        let used =
            rest.iter().rposition(|(_, text)| !text.trim().is_empty()).map_or(0, |last| last + 1);
        self.at += used;
        rest.get(..used).unwrap_or_default()
    }

    /// Adds lines as code, without the indent they share.
    fn code(&mut self, language: &str, body: &[Line<'_>]) {
        let worded = || body.iter().filter(|(_, text)| !text.trim().is_empty());
        let shared =
            worded().map(|(_, text)| text.len() - text.trim_ascii_start().len()).min().unwrap_or(0);
        let (Some((start, _)), Some((end, _))) = (worded().next(), worded().next_back()) else {
            return;
        };
        let mut text = Text::default();
        for (line, part) in body {
            code::push(
                &mut text,
                &format!("{}\n", part.get(shared..).unwrap_or_default()),
                std::iter::once(*line),
            );
        }
        code::trim(&mut text);
        self.builder.code(language, Lines { start: *start, end: *end }, text);
    }

    /// Where the next line's content begins if that is beyond this column, else just beyond it.
    fn content_column(&self, beyond: usize) -> usize {
        let rest = self.lines.get(self.at..).unwrap_or_default();
        let next = rest
            .iter()
            .find(|(_, text)| !text.trim().is_empty())
            .map_or(0, |(_, text)| indent_of(text));
        if next > beyond { next } else { beyond + 1 }
    }

    fn blank_next(&self) -> bool {
        self.lines.get(self.at).is_none_or(|(_, text)| text.trim().is_empty())
    }

    /// The passage is a term and what follows its definition.
    fn define(&mut self, indent: usize) {
        let source = self.passage.take();
        self.indents.open(indent, self.builder);
        self.builder.open_item(source.line_of(0), None);
        spans::write(&source, &SYNTAX, self.builder.inline());
    }

    fn title(&mut self, line: u32, text: &str) -> bool {
        if text.starts_with([' ', '\t']) {
            return false;
        }
        let text = text.trim_end();
        let ahead = |offset: usize| {
            self.lines.get(self.at + offset).map_or("", |(_, text)| text.trim_end())
        };
        let (words, at, sign, over) = match adornment(text) {
            Some(sign) => {
                let fits = adornment(ahead(1)) == Some(sign)
                    && !ahead(0).trim().is_empty()
                    && ahead(1).len() >= 4;
                if !fits {
                    // A transition.
                    let rule = text.len() >= 4 && ahead(0).is_empty();
                    return rule;
                }
                (ahead(0).trim(), line + 1, sign, true)
            }
            None => {
                let below = ahead(0);
                let Some(sign) =
                    adornment(below).filter(|_| below.len() >= 4 || below.len() >= text.width())
                else {
                    return false;
                };
                (text, line, sign, false)
            }
        };
        let source = Source::mapped(words.to_owned(), vec![at]);
        self.at += if over { 2 } else { 1 };
        self.indents.close_all(self.builder);
        let known = self.adornments.iter().position(|known| *known == (sign, over));
        let level = known.unwrap_or_else(|| {
            self.adornments.push((sign, over));
            self.adornments.len() - 1
        });
        spans::write(&source, &SYNTAX, self.builder.inline());
        let level = u8::try_from(level + 1).unwrap_or(u8::MAX).min(6);
        self.builder.heading(level, Some(Lines { start: line, end: at + 1 }));
        true
    }

    fn table(&mut self, content: &str) -> bool {
        let rest = self.lines.get(self.at - 1..).unwrap_or_default();
        let length = if tables::is_rule(content) {
            tables::grid(rest, self.builder)
        } else if tables::is_simple_rule(content) {
            tables::simple(rest, self.builder)
        } else {
            0
        };
        self.at += length.saturating_sub(1);
        length > 0
    }

    fn item(&mut self, line: u32, indent: usize, content: &str) -> bool {
        if let Some((key, value)) = field(content) {
            self.builder.field(key, value, line);
            let column = self.content_column(indent);
            if column > indent + 1 {
                self.indents.open(column, self.builder);
                self.builder.open_quote(Quote::None, None);
            }
            return true;
        }
        let Some((mut marker, mut words)) = bullet(content) else {
            return false;
        };
        let mut column = indent;
        loop {
            self.indents.open(column + 1, self.builder);
            self.builder.open_item(line, None);
            // Nested bullets on one line each get their turn.
            let Some((next, rest)) = bullet(words) else {
                break;
            };
            column += marker;
            (marker, words) = (next, rest);
        }
        self.begin(line, column + 1, false, words);
        true
    }

    fn paragraph(&mut self, line: u32, indent: usize, content: &str) {
        if content.starts_with(">>> ") {
            self.at -= 1;
            let rest = self.lines.get(self.at..).unwrap_or_default();
            let length = rest.iter().take_while(|(_, text)| !text.trim().is_empty()).count();
            self.at += length.max(1);
            return self.code("python", rest.get(..length).unwrap_or_default());
        }
        let column = self.indents.column();
        // Bodies are often indented a little more than their marker asks for.
        if indent > column + if column == 0 { 0 } else { 3 } {
            self.indents.open(indent, self.builder);
            // Terms and their definitions are indented for their looks, not as a quotation.
            let term = self.content_column(indent) > indent + 1 && !self.blank_next();
            let quote = if term { Quote::None } else { Quote::Plain };
            self.builder.open_quote(quote, None);
        }
        self.begin(line, indent, true, content.strip_prefix("| ").unwrap_or(content));
    }

    /// Starts a passage.
    fn begin(&mut self, line: u32, indent: usize, term: bool, words: &str) {
        self.indent = indent;
        self.term = term;
        self.passage.push(line, words);
    }
}

/// The sign of a line of one repeated sign.
fn adornment(text: &str) -> Option<char> {
    let sign = text.chars().next().filter(char::is_ascii_punctuation)?;
    (text.len() >= 2 && text.chars().all(|c| c == sign)).then_some(sign)
}

/// `:key: value`, which is no role.
fn field(content: &str) -> Option<(&str, &str)> {
    let (key, value) = content.strip_prefix(':')?.split_once(':')?;
    let plain = !key.is_empty() && !key.starts_with(' ') && !key.contains('`');
    (plain && (value.is_empty() || value.starts_with(' '))).then(|| (key, value.trim()))
}

/// The width of a bullet or number with its space, and the words after it.
fn bullet(content: &str) -> Option<(usize, &str)> {
    let words = match content.strip_prefix(['-', '*', '+', '•']) {
        Some(words) => words,
        None => {
            let open = content.strip_prefix('(').unwrap_or(content);
            let number = open
                .strip_prefix('#')
                .unwrap_or_else(|| open.trim_start_matches(|c: char| c.is_ascii_digit()));
            (number.len() < open.len()).then(|| number.strip_prefix(['.', ')'])).flatten()?
        }
    };
    if !words.is_empty() && !words.starts_with(' ') {
        return None;
    }
    let words = words.trim_start();
    Some((content.len() - words.len(), words))
}
