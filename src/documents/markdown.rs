//! Markdown as GitHub shows it, from the events of pulldown-cmark with their byte ranges.

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{BlockQuoteKind, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::builder::Builder;
use super::html_text::{self, Script};
use super::inline::Inline;
use super::source::Source;
use super::table::CellShape;
use super::{Lines, Mark, Quote, Text, code, front_matter, html};

/// Reads a Markdown file.
pub(super) fn read(source: &Source, builder: &mut Builder) {
    let start = front_matter::read(source, builder);
    read_part(source, start, builder);
}

/// Reads the text from this offset on as Markdown without front matter.
pub(super) fn read_part(source: &Source, start: usize, builder: &mut Builder) {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_GFM;
    let text = source.text.get(start..).unwrap_or_default();
    let mut front = Front {
        source,
        builder,
        depths: Vec::new(),
        items: Vec::new(),
        images: 0,
        head: false,
        inline_end: 0,
        script: None,
        block: None,
        labels: HashMap::new(),
        note: None,
    };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        front.event(event, range.start + start..range.end + start);
    }
}

/// A block whose content comes in pieces.
enum Pieces {
    Code {
        language: String,
        text: Text,
    },
    /// HTML, and the source line of each line of it.
    Html {
        text: String,
        numbers: Vec<u32>,
    },
}

struct Front<'a> {
    source: &'a Source,
    builder: &'a mut Builder,
    /// The builder's depth before each open container.
    depths: Vec<usize>,
    /// Where each open item begins, until its own text is done.
    items: Vec<Option<usize>>,
    /// Images are dropped with the text in them.
    images: usize,
    /// In the table's first row.
    head: bool,
    /// Where the last inline event ended: a tight item's text has no range of its own.
    inline_end: usize,
    script: Option<Script>,
    block: Option<Pieces>,
    /// Footnotes by label, numbered in the order in which they are met.
    labels: HashMap<String, usize>,
    /// The mark of the footnote whose text begins.
    note: Option<String>,
}

impl Front<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) | Event::Html(text) if self.block.is_some() => {
                self.piece(&text, range)
            }
            _ if self.images > 0 => {}
            Event::Text(text) => {
                let line = self.line(&range);
                html_text::push(&text, std::iter::once(line), self.script, self.builder.inline());
            }
            Event::Code(code) => self.code_span(&code, range),
            Event::Html(tag) | Event::InlineHtml(tag) => {
                self.line(&range);
                if let Some(text) = tag.strip_prefix("<!--").and_then(|it| it.strip_suffix("-->")) {
                    let mut comment = Inline::default();
                    comment.push_lines(text, self.source.lines_from(range.start));
                    return self.builder.comment(comment);
                }
                html_text::inline_tag(&tag, &mut self.script, self.builder.inline());
            }
            Event::SoftBreak | Event::HardBreak => self.builder.inline().space(),
            Event::TaskListMarker(done) => self.builder.check_item(done),
            Event::Rule => self.builder.paragraph(None),
            Event::FootnoteReference(label) => {
                let (mark, line) = (self.note_mark(&label), self.line(&range));
                self.builder.inline().push(&mark, line);
            }
            Event::InlineMath(_) | Event::DisplayMath(_) => {
                self.line(&range);
            }
        }
    }

    /// The mark that a footnote and those who bear it show: a dagger and a small number.
    fn note_mark(&mut self, label: &str) -> String {
        const SMALL: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
        let next = self.labels.len() + 1;
        let number = *self.labels.entry(label.to_lowercase()).or_insert(next);
        let digits = number.to_string();
        let small = digits.bytes().filter_map(|digit| SMALL.get(usize::from(digit - b'0')));
        std::iter::once(&'†').chain(small).collect()
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                self.end_item_text();
                if let Some(mark) = self.note.take() {
                    let line = self.source.line_of(range.start);
                    self.builder.inline().push(&mark, line);
                    self.builder.inline().space();
                }
            }
            Tag::Heading { .. } => {
                self.end_item_text();
                // A heading is never meant to stand in a cell or an item that HTML left open.
                self.builder.close_tags();
            }
            Tag::BlockQuote(kind) => {
                self.open();
                let quote = match kind {
                    None => Quote::Plain,
                    Some(BlockQuoteKind::Note | BlockQuoteKind::Tip) => Quote::Note,
                    Some(_) => Quote::Warning,
                };
                self.builder.open_quote(quote, None);
            }
            Tag::List(_) => {
                self.open();
                self.builder.open_list(None);
            }
            Tag::Item => {
                self.open();
                self.items.push(Some(range.start));
                self.inline_end = range.start;
                self.builder.open_item(self.source.line_of(range.start), None);
            }
            Tag::FootnoteDefinition(label) => {
                self.open();
                self.builder.open_quote(Quote::None, None);
                self.note = Some(self.note_mark(&label));
            }
            Tag::CodeBlock(kind) => {
                self.end_item_text();
                let language = match &kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split([' ', '\t', ',', '{']).find(|word| !word.is_empty())
                    }
                    CodeBlockKind::Indented => None,
                };
                let language = language.unwrap_or_default().trim_matches(['.', '}']).to_owned();
                self.block = Some(Pieces::Code { language, text: Text::default() });
            }
            Tag::HtmlBlock => {
                self.end_item_text();
                self.block = Some(Pieces::Html { text: String::new(), numbers: Vec::new() });
            }
            Tag::Table(_) => {
                self.open();
                self.builder.open_table(None);
            }
            Tag::TableHead | Tag::TableRow => {
                self.head = matches!(tag, Tag::TableHead);
                self.builder.open_row(self.source.line_of(range.start));
            }
            Tag::TableCell => self
                .builder
                .open_cell(self.source.line_of(range.start), CellShape::plain(self.head)),
            Tag::Image { .. } => self.images += 1,
            other => {
                if let Some(mark) = mark_of(other.to_end()) {
                    self.line(&range);
                    self.builder.inline().open(mark);
                }
            }
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Paragraph => {
                let mut lines = self.source.lines_of(range);
                if let Some(start) = self.items.last_mut().and_then(Option::take) {
                    lines.start = self.source.line_of(start);
                }
                self.end_text(lines, None);
            }
            TagEnd::Heading(level) => {
                let lines = self.source.lines_of(range);
                self.end_text(lines, Some(level as u8));
            }
            TagEnd::BlockQuote(_)
            | TagEnd::List(_)
            | TagEnd::FootnoteDefinition
            | TagEnd::Table => self.close(),
            TagEnd::Item => {
                self.close();
                self.items.pop();
            }
            TagEnd::TableCell => self.builder.close_cell(),
            TagEnd::CodeBlock | TagEnd::HtmlBlock => self.end_block(range),
            TagEnd::Image => self.images = self.images.saturating_sub(1),
            other => {
                if let Some(mark) = mark_of(other) {
                    self.line(&range);
                    self.inline_end = range.end;
                    self.builder.inline().close(mark);
                }
            }
        }
    }

    /// Opens a container, after the text before it.
    fn open(&mut self) {
        self.end_item_text();
        self.depths.push(self.builder.depth());
    }

    fn close(&mut self) {
        self.end_item_text();
        if let Some(depth) = self.depths.pop() {
            self.builder.close_to(depth);
        }
    }

    /// Ends the text that a tight item holds without a paragraph.
    fn end_item_text(&mut self) {
        if !self.builder.inline().is_empty()
            && let Some(start) = self.items.last_mut().and_then(Option::take)
        {
            let lines = self.source.lines_of(start..self.inline_end);
            self.end_text(lines, None);
        }
    }

    fn end_text(&mut self, lines: Lines, heading: Option<u8>) {
        self.script = None;
        match heading {
            Some(level) => self.builder.heading(level, Some(lines)),
            None => self.builder.paragraph(Some(lines)),
        }
    }

    /// The line on which an inline event begins; remembers where it ends.
    fn line(&mut self, range: &Range<usize>) -> u32 {
        self.inline_end = self.inline_end.max(range.end);
        self.source.line_of(range.start)
    }

    /// Adds a code span, whose continuation lines may have lost `>` and indents.
    fn code_span(&mut self, code: &str, range: Range<usize>) {
        let first = self.line(&range);
        let source = self.source;
        let raw = source.text.get(range.clone()).unwrap_or_default();
        let inline = self.builder.inline();
        inline.open(Mark::Code);
        let mut rest = code;
        let mut last = first;
        for (line, raw) in source.lines_from(range.start).zip(raw.lines()) {
            let content =
                raw.trim_start_matches([' ', '\t', '>', '`']).trim_end_matches('`').trim_end();
            let found = (!content.is_empty()).then(|| rest.find(content)).flatten();
            let Some((before, after)) = found.map(|found| rest.split_at(found)) else {
                continue;
            };
            inline.push_verbatim(before, std::iter::once(last));
            inline.push_verbatim(
                after.get(..content.len()).unwrap_or_default(),
                std::iter::once(line),
            );
            rest = after.get(content.len()..).unwrap_or_default();
            last = line;
        }
        inline.push_verbatim(rest, std::iter::once(last));
        inline.close(Mark::Code);
    }

    fn piece(&mut self, piece: &str, range: Range<usize>) {
        let lines = self.source.lines_from(range.start);
        match &mut self.block {
            Some(Pieces::Code { text, .. }) => code::push(text, piece, lines),
            Some(Pieces::Html { text, numbers }) => {
                for (line, part) in lines.zip(piece.split_inclusive('\n')) {
                    if text.is_empty() || text.ends_with('\n') {
                        numbers.push(line);
                    }
                    text.push_str(part);
                }
            }
            None => {}
        }
    }

    fn end_block(&mut self, range: Range<usize>) {
        let lines = self.source.lines_of(range);
        match self.block.take() {
            Some(Pieces::Code { language, mut text }) => {
                code::trim(&mut text);
                self.builder.code(&language, lines, text);
            }
            Some(Pieces::Html { text, numbers }) => {
                html::read(&Source::mapped(text, numbers), self.builder)
            }
            None => {}
        }
    }
}

fn mark_of(tag: TagEnd) -> Option<Mark> {
    match tag {
        TagEnd::Emphasis => Some(Mark::Emphasis),
        TagEnd::Strong => Some(Mark::Strong),
        TagEnd::Strikethrough => Some(Mark::Strike),
        TagEnd::Link => Some(Mark::Link),
        _ => None,
    }
}
