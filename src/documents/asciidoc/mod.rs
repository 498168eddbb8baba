//! AsciiDoc: sections, lists, delimited blocks, admonitions, tables.

mod blocks;
mod tables;
mod text;

use crate::documents::builder::Builder;
use crate::documents::indents::Indents;
use crate::documents::inline::Inline;
use crate::documents::source::Source;
use crate::documents::spans::{self, Passage};
use crate::documents::{Lines, Quote, Text, code};

use tables::CellStream;
use text::SYNTAX;

/// Reads an AsciiDoc file.
pub(super) fn read(source: &Source, builder: &mut Builder) {
    let mut front = Front {
        builder,
        passage: Passage::default(),
        lists: Vec::new(),
        blocks: Vec::new(),
        fences: Indents::default(),
        attributes: String::new(),
        verbatim: None,
        table: None,
        joined: false,
        blank: false,
        header: false,
    };
    for (line, text) in source.lines() {
        front.line(line, text);
    }
    front.end_verbatim(None);
    front.end_table();
    front.flush();
}

/// A block whose content is kept as it stands; a comment's is one.
struct Verbatim {
    fence: String,
    language: Option<String>,
    start: u32,
    text: Text,
}

struct Front<'a> {
    builder: &'a mut Builder,
    passage: Passage,
    /// Markers of the open items, outermost first, and the builder's depth before each.
    lists: Vec<(String, usize)>,
    /// Fences of the open compound blocks, and how many items were open before each.
    blocks: Vec<(String, Vec<(String, usize)>)>,
    fences: Indents,
    /// The attribute lists above the next block.
    attributes: String,
    verbatim: Option<Verbatim>,
    table: Option<(String, CellStream)>,
    /// A `+` line joined the next block to the item.
    joined: bool,
    blank: bool,
    /// Between the document's title and the first blank line: authors and attributes.
    header: bool,
}

impl Front<'_> {
    fn line(&mut self, line: u32, text: &str) {
        let content = text.trim();
        if let Some(block) = &mut self.verbatim {
            if text.trim_end() == block.fence {
                self.blank = block.fence.is_empty();
                self.end_verbatim(Some(line));
            } else {
                code::push(&mut block.text, &format!("{text}\n"), std::iter::once(line));
            }
            return;
        }
        if let Some((fence, cells)) = &mut self.table {
            if content == fence {
                self.end_table();
            } else if !content.starts_with("//") {
                cells.line(line, text, self.builder);
            }
            return;
        }
        if content.is_empty() {
            self.blank = true;
            self.header = false;
            return self.flush();
        }
        let after_blank = std::mem::take(&mut self.blank);
        if content.starts_with("//") && !content.starts_with("///") {
            if self.passage.is_empty() {
                let mut comment = Inline::default();
                comment.push(content.trim_start_matches('/'), line);
                self.builder.comment(comment);
            }
            return;
        }
        if self.header {
            self.attribute(line, content);
            return;
        }
        if content == "+" && (!self.lists.is_empty() || !self.passage.is_empty()) {
            self.flush();
            self.joined = true;
            return;
        }
        if self.underline(line, text.trim_end())
            || self.fence(line, text.trim_end())
            || self.item(line, content)
        {
            return;
        }
        if !self.passage.is_empty() {
            return self.passage.push(line, content.strip_suffix(" +").unwrap_or(content));
        }
        if self.heading(line, text) || self.attribute(line, content) {
            return;
        }
        let joined = std::mem::take(&mut self.joined);
        if after_blank && !joined && !text.starts_with([' ', '\t']) {
            self.end_items(0);
        }
        if text.starts_with([' ', '\t']) && self.lists.is_empty() {
            return self.open_verbatim(line, text, "", String::new());
        }
        self.paragraph(line, content);
    }

    fn flush(&mut self) {
        if !self.passage.is_empty() {
            let source = self.passage.take();
            spans::write(&source, &SYNTAX, self.builder.inline());
        }
        self.builder.paragraph(None);
    }

    fn end_items(&mut self, keep: usize) {
        if let Some((_, depth)) = self.lists.get(keep) {
            self.builder.close_to(*depth);
            self.lists.truncate(keep);
        }
    }

    fn heading(&mut self, line: u32, text: &str) -> bool {
        let sign = if text.starts_with('=') { '=' } else { '#' };
        let words = text.trim_start_matches(sign);
        let level = text.len() - words.len();
        if !(1..=6).contains(&level) || !words.starts_with(' ') || !self.blocks.is_empty() {
            return false;
        }
        self.end_items(0);
        self.attributes.clear();
        self.passage.push(line, words.trim().trim_end_matches(sign).trim_end());
        spans::write(&self.passage.take(), &SYNTAX, self.builder.inline());
        self.builder.heading(u8::try_from(level).unwrap_or(6), None);
        self.header = level == 1;
        true
    }

    /// The line below a title of the older form, about as long as it.
    fn underline(&mut self, line: u32, text: &str) -> bool {
        let level = match text.chars().next() {
            Some('=') => 1,
            Some('-') => 2,
            Some('~') => 3,
            Some('^') => 4,
            _ => return false,
        };
        let sign = text.get(..1).unwrap_or_default();
        let whole = text.len() >= 3 && text.trim_start_matches(sign).is_empty();
        let width = self.passage.width().filter(|width| width.abs_diff(text.len()) <= 2);
        if !whole || width.is_none() || !self.lists.is_empty() || !self.blocks.is_empty() {
            return false;
        }
        spans::write(&self.passage.take(), &SYNTAX, self.builder.inline());
        self.builder.heading(level, Some(Lines { start: line - 1, end: line }));
        true
    }

    /// `:key: value`, `[attributes]`, `.Title`, block macros.
    fn attribute(&mut self, line: u32, content: &str) -> bool {
        if let Some((key, value)) = content.strip_prefix(':').and_then(|rest| rest.split_once(':'))
            && (value.is_empty() || value.starts_with(' '))
            && !key.is_empty()
            && key.chars().all(|c| c.is_alphanumeric() || "-_!".contains(c))
        {
            self.builder.field(key, value.trim(), line);
        } else if content.starts_with('[') && content.ends_with(']') {
            self.attributes.push_str(content);
        } else if let Some(title) =
            content.strip_prefix('.').filter(|title| !title.starts_with([' ', '.']))
        {
            self.passage.push(line, title);
            self.flush();
        } else if [
            "image::",
            "include::",
            "toc::",
            "video::",
            "audio::",
            "ifdef::",
            "ifndef::",
            "ifeval::",
            "endif::",
        ]
        .iter()
        .any(|name| content.starts_with(name))
            || matches!(content, "'''" | "---" | "***" | "<<<")
        {
            self.attributes.clear();
        } else {
            return false;
        }
        true
    }

    fn paragraph(&mut self, line: u32, content: &str) {
        let attributes = std::mem::take(&mut self.attributes);
        let labelled =
            content.split_once(": ").and_then(|(label, words)| Some((quote_of(label)?, words)));
        let named = style_of(&attributes).and_then(quote_of);
        let (quote, words) =
            labelled.map_or((named, content), |(quote, words)| (Some(quote), words));
        if let Some(quote) = quote {
            let depth = self.builder.depth();
            self.builder.open_quote(quote, None);
            // It lasts for one paragraph: the list of items is what ends it.
            self.lists.push((String::from("\0"), depth));
        }
        self.passage.push(line, words.strip_suffix(" +").unwrap_or(words));
    }

    fn item(&mut self, line: u32, content: &str) -> bool {
        let Some((marker, words)) = marker(content) else {
            return false;
        };
        // Inside a paragraph only a list that is open already goes on.
        if !self.passage.is_empty() && self.lists.is_empty() {
            return false;
        }
        self.flush();
        self.joined = false;
        self.attributes.clear();
        if let Some(index) = self.lists.iter().position(|(held, _)| held == marker || held == "\0")
        {
            self.end_items(index);
        }
        self.lists.push((marker.to_owned(), self.builder.depth()));
        self.builder.open_item(line, None);
        let done = [("[ ] ", false), ("[x] ", true), ("[*] ", true)];
        let task = done.iter().find_map(|(sign, done)| Some((*done, words.strip_prefix(sign)?)));
        let words = task.map_or(words, |(done, words)| {
            self.builder.check_item(done);
            words
        });
        if marker.ends_with("::") {
            let term = content.split_once(marker).map_or(content, |(term, _)| term);
            self.passage.push(line, term);
            self.flush();
        }
        if !words.is_empty() {
            self.passage.push(line, words);
        }
        true
    }
}

/// A list marker and the words after it; for `term:: words` the marker is the colons.
fn marker(content: &str) -> Option<(&str, &str)> {
    let end = content.find([' ', '\t']).unwrap_or(content.len());
    let (first, words) = content.split_at(end);
    let words = words.trim_start();
    let sign = first.chars().next()?;
    if (first == "-"
        || (first.len() <= 5 && matches!(sign, '*' | '.') && first.chars().all(|c| c == sign)))
        && !words.is_empty()
    {
        return Some((first, words));
    }
    let numbered = first.strip_suffix('.').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    if numbered && !words.is_empty() {
        return Some(("1.", words));
    }
    let colons = content.find("::")?;
    let after = content.get(colons..)?;
    let words = after.trim_start_matches(':');
    let count = after.len() - words.len();
    let term = content.get(..colons)?;
    let whole = (2..=4).contains(&count)
        && (words.is_empty() || words.starts_with(' '))
        && !term.is_empty()
        && !term.contains("//");
    whole.then(|| (after.get(..count).unwrap_or("::"), words.trim_start()))
}

fn quote_of(label: &str) -> Option<Quote> {
    match label {
        "NOTE" | "TIP" => Some(Quote::Note),
        "WARNING" | "CAUTION" | "IMPORTANT" => Some(Quote::Warning),
        "quote" | "verse" => Some(Quote::Plain),
        _ => None,
    }
}

/// The first word of the last attribute list.
fn style_of(attributes: &str) -> Option<&str> {
    let list = attributes.rsplit('[').next()?;
    list.split([',', ']', '#', '.', '%']).next().map(str::trim)
}
