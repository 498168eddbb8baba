//! What every format's front end drives: containers open and close, text is gathered, blocks come out.
//!
//! Containers stand on a stack of our own, so nesting costs memory and never the call stack.

mod containers;

use crate::documents::inline::Inline;
use crate::documents::table::Allowance;
use crate::documents::{Block, BlockKind, Comment, Document, Lines, Quote, Section, Text};

use containers::{Container, Frame, MAX_ITEM_DEPTH};

/// Assembles a [`Document`].
#[derive(Debug)]
pub(super) struct Builder {
    document: Document,
    frames: Vec<Frame>,
    /// Indices in `frames` of tables.
    tables: Vec<usize>,
    /// Open sections, outermost first.
    sections: Vec<usize>,
    inline: Inline,
    allowance: Allowance,
    flattened: bool,
}

impl Builder {
    /// Starts a document read as this encoding, which has these problems already.
    pub(super) fn new(encoding: &'static str, problems: Vec<String>) -> Self {
        Self {
            document: Document { encoding, problems, ..Document::default() },
            frames: Vec::new(),
            tables: Vec::new(),
            sections: Vec::new(),
            inline: Inline::default(),
            allowance: Allowance::default(),
            flattened: false,
        }
    }

    /// Ends what is open.
    pub(super) fn finish(mut self) -> Document {
        self.paragraph(None);
        self.close_to(0);
        if self.flattened {
            self.problem(format!("list items are nested deeper than {MAX_ITEM_DEPTH}: the deeper ones stand side by side"));
        }
        if self.allowance.exceeded {
            self.problem("a table was too large: cells were left out".to_owned());
        }
        self.document
    }

    /// Notes what could not be read, in one sentence.
    pub(super) fn problem(&mut self, sentence: String) {
        self.document.problems.push(sentence);
    }

    /// The text being gathered.
    pub(super) fn inline(&mut self) -> &mut Inline {
        &mut self.inline
    }

    /// Ends the gathered text as a paragraph, or as the own text of an item that has none yet.
    /// `lines` where the front end knows better than the text.
    pub(super) fn paragraph(&mut self, lines: Option<Lines>) {
        let Some((text, own_lines)) = self.inline.take() else {
            return;
        };
        let Some(text) = self.not_in_cell(text) else {
            return;
        };
        let lines = lines.unwrap_or(own_lines);
        if let Some(Frame { container: Container::Item { block, fresh: fresh @ true }, .. }) =
            self.frames.last_mut()
        {
            *fresh = false;
            if let Some(item) = self.document.blocks.get_mut(*block) {
                item.lines.end = item.lines.end.max(lines.end);
                item.text = text;
            }
            return;
        }
        self.push(BlockKind::Paragraph, lines, text);
    }

    /// Ends the gathered text as a heading of this level, which opens a section.
    pub(super) fn heading(&mut self, level: u8, lines: Option<Lines>) {
        let Some((text, own_lines)) = self.inline.take() else {
            return;
        };
        let Some(text) = self.not_in_cell(text) else {
            return;
        };
        let lines = lines.unwrap_or(own_lines);
        let outer = self.frames.last().map_or(0, |frame| frame.outer_sections);
        while self.sections.len() > outer
            && self
                .sections
                .last()
                .and_then(|index| self.document.sections.get(*index))
                .is_some_and(|open| open.level >= level)
        {
            self.sections.pop();
        }
        let parent = self.sections.last().copied();
        let index = self.document.sections.len();
        self.sections.push(index);
        self.document.sections.push(Section { title: text.clone(), level, parent, lines });
        self.push(BlockKind::Heading(index), lines, text);
    }

    /// Adds code; in a table cell it is a code span.
    pub(super) fn code(&mut self, language: &str, lines: Lines, text: Text) {
        self.paragraph(None);
        if let Some(cell) = self.cell() {
            cell.space();
            cell.push_code(&text.plain, text.lines.iter().map(|(_, line)| *line));
            return;
        }
        self.push(BlockKind::Code { language: language.to_lowercase() }, lines, text);
    }

    /// Adds a comment; between blocks it is a block too, within text it leaves no trace there.
    pub(super) fn comment(&mut self, mut comment: Inline) {
        let Some((text, lines)) = comment.take() else {
            return;
        };
        let between = self.inline.is_empty() && self.cell().is_none();
        self.document.comments.push(Comment {
            text: text.plain.clone(),
            lines,
            before: between.then_some(self.document.blocks.len() + 1),
        });
        if between {
            self.push_beside(BlockKind::Comment, lines, text);
        }
    }

    /// Adds a comment of a script.
    pub(super) fn code_comment(&mut self, mut comment: Inline) {
        if let Some((text, lines)) = comment.take() {
            self.push(BlockKind::CodeComment, lines, text);
        }
    }

    /// Adds a `key: value` line.
    pub(super) fn field(&mut self, key: &str, value: &str, line: u32) {
        let mut inline = Inline::default();
        inline.push(value, line);
        let text = inline.take().map(|(text, _)| text).unwrap_or_default();
        self.push(BlockKind::Field { key: key.to_owned() }, Lines { start: line, end: line }, text);
    }

    /// Ends the gathered text as the value of a key.
    pub(super) fn field_text(&mut self, key: &str) {
        if let Some((text, lines)) = self.inline.take() {
            self.push(BlockKind::Field { key: key.to_owned() }, lines, text);
        }
    }

    fn cell(&mut self) -> Option<&mut Inline> {
        match &mut self.frames.get_mut(*self.tables.last()?)?.container {
            Container::Table { draft, .. } => draft.cell(),
            _ => None,
        }
    }

    /// Gives text to the open cell, or back where there is none.
    fn not_in_cell(&mut self, text: Text) -> Option<Text> {
        match self.cell() {
            Some(cell) => {
                cell.append(text);
                None
            }
            None => Some(text),
        }
    }

    /// An item that holds something else first has no text of its own any more.
    fn end_freshness(&mut self) {
        if let Some(Frame { container: Container::Item { fresh, .. }, .. }) = self.frames.last_mut()
        {
            *fresh = false;
        }
    }

    fn push(&mut self, kind: BlockKind, lines: Lines, text: Text) {
        self.end_freshness();
        self.push_beside(kind, lines, text);
    }

    fn push_beside(&mut self, kind: BlockKind, mut lines: Lines, text: Text) {
        lines.end = text.lines.last().map_or(lines.end, |(_, line)| lines.end.max(*line));
        let frame = self.frames.last();
        self.document.blocks.push(Block {
            kind,
            section: self.sections.last().copied(),
            lines,
            text,
            parent: frame.and_then(|frame| frame.parent),
            quote: frame.map_or(Quote::None, |frame| frame.quote),
        });
    }
}
