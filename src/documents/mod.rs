//! Documents as blocks: headings, paragraphs, list items, table rows, fences, with exact lines.
//!
//! Every format maps to this model and nothing after it knows formats. Parsing never fails: what
//! cannot be read is kept as a problem of the document. Knows neither git nor rules.

mod asciidoc;
mod builder;
mod code;
mod encoding;
mod format;
mod front_matter;
mod html;
mod html_text;
mod indents;
mod inline;
mod latex;
mod markdown;
mod notebook;
mod org;
mod plain_text;
mod rst;
mod script;
mod source;
mod spans;
mod table;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use builder::Builder;
use source::Source;

/// A span of lines, 1-based, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Lines {
    /// First line.
    pub start: u32,
    /// Last line; never before `start`.
    pub end: u32,
}

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// CommonMark with GitHub's tables, alerts, strike-through, task lists and footnotes.
    Markdown,
    /// No markup but blank lines between paragraphs and leading dashes.
    PlainText,
    /// HTML, whole pages.
    Html,
    /// Jupyter notebooks: their Markdown and their code, not their outputs.
    Notebook,
    /// Org mode.
    Org,
    /// reStructuredText, Sphinx's directives included.
    Rst,
    /// AsciiDoc.
    AsciiDoc,
    /// LaTeX.
    Latex,
    /// Shell scripts and configuration files: their comments alone.
    Script,
}

/// What a stretch of inline text was marked as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// A code span.
    Code,
    /// Bold.
    Strong,
    /// Italics.
    Emphasis,
    /// Struck out.
    Strike,
    /// The text of a link; the target is dropped.
    Link,
}

/// Inline text without its markup, and where each part of it came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// What a reader sees, soft breaks as one space. Code spans stand without back-ticks.
    pub plain: String,
    /// Marked byte ranges of `plain`, in order of their start.
    pub marks: Vec<(Range<usize>, Mark)>,
    /// `(byte offset in plain, source line)` where a new source line begins, in order; the first
    /// entry is at offset 0.
    pub lines: Vec<(usize, u32)>,
}

/// One section: a heading and all below it up to the next heading of its level or above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading's text.
    pub title: Text,
    /// 1 to 6.
    pub level: u8,
    /// Index of the enclosing section in [`Document::sections`].
    pub parent: Option<usize>,
    /// Lines of the heading itself.
    pub lines: Lines,
}

/// One row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// As many as the header has, short rows padded with empty text.
    pub cells: Vec<Text>,
    /// Lines of the row.
    pub lines: Lines,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Column titles.
    pub header: Vec<Text>,
    /// Body rows in order.
    pub rows: Vec<Row>,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading; it opens the section at this index.
    Heading(usize),
    /// Running text.
    Paragraph,
    /// A list item's own text, without nested lists (those are items of their own).
    Item {
        /// `- [ ]` is `Some(false)`, `- [x]` is `Some(true)`.
        checked: Option<bool>,
    },
    /// A table.
    Table(Table),
    /// Fenced or indented code; [`Block::text`] is its content.
    Code {
        /// The info string's first word, lower case.
        language: String,
    },
    /// An HTML comment, for suppressions.
    Comment,
    /// A comment of a script or a configuration file. It may warn of a setting; it claims nothing.
    CodeComment,
    /// One `key: value` line of front matter.
    Field {
        /// Key as written.
        key: String,
    },
}

/// How a block is quoted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quote {
    /// Not in a block quote.
    #[default]
    None,
    /// `>` without a tag.
    Plain,
    /// `> [!NOTE]` or `> [!TIP]`.
    Note,
    /// `> [!WARNING]`, `> [!CAUTION]` or `> [!IMPORTANT]`.
    Warning,
}

/// The smallest thing that is read at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// The section it stands in (a heading stands in its own).
    pub section: Option<usize>,
    /// All its lines.
    pub lines: Lines,
    /// Its inline text; empty for a table.
    pub text: Text,
    /// The list item it is nested in: index into [`Document::blocks`].
    pub parent: Option<usize>,
    /// How it is quoted.
    pub quote: Quote,
}

/// Text for tools and not for readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Without its marks, line breaks as one space.
    pub text: String,
    /// Where it stands.
    pub lines: Lines,
    /// The index in [`Document::blocks`] of the block that comes next, where it stands between
    /// blocks; `None` within a block.
    pub before: Option<usize>,
}

/// A document as read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// In order of their first line.
    pub blocks: Vec<Block>,
    /// In order of their headings.
    pub sections: Vec<Section>,
    /// In order; those between blocks are blocks too.
    pub comments: Vec<Comment>,
    /// The encoding it was read as, as the web names it; empty where it is no text.
    pub encoding: &'static str,
    /// What could not be read, one sentence each.
    pub problems: Vec<String>,
}

/// Reads a document. Never fails: what cannot be read is a problem of the document.
pub fn parse(format: Format, bytes: &[u8]) -> Document {
    let decoded = encoding::decode(bytes);
    let source = Source::new(decoded.text);
    let mut builder = Builder::new(decoded.encoding, decoded.problems);
    match format {
        Format::Markdown => markdown::read(&source, &mut builder),
        Format::PlainText => plain_text::read(&source, &mut builder),
        Format::Html => html::read(&source, &mut builder),
        Format::Rst => rst::read(&source, &mut builder),
        Format::AsciiDoc => asciidoc::read(&source, &mut builder),
        Format::Latex => latex::read(&source, &mut builder),
        Format::Org => org::read(&source, &mut builder),
        Format::Notebook => notebook::read(&source, &mut builder),
        Format::Script => script::read(&source, &mut builder),
    }
    builder.finish()
}

impl Document {
    /// Whether it is text at all. What is not says nothing, and nobody can tell what it would say.
    pub fn is_text(&self) -> bool {
        !self.encoding.is_empty()
    }

    /// Titles of a section and of those around it, outermost first.
    pub fn section_path(&self, section: Option<usize>) -> Vec<&str> {
        let mut path = Vec::new();
        let mut next = section.and_then(|index| self.sections.get(index));
        while let Some(section) = next {
            path.push(section.title.plain.as_str());
            next = section.parent.and_then(|index| self.sections.get(index));
        }
        path.reverse();
        path
    }
}

impl Text {
    /// The source line of a byte offset of `plain`.
    pub fn line_at(&self, offset: usize) -> u32 {
        let after = self.lines.partition_point(|(start, _)| *start <= offset);
        self.lines.get(after.saturating_sub(1)).map_or(1, |(_, line)| *line)
    }
}
