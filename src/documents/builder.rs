//! What every format's front end drives: containers open and close, text is gathered, blocks come out.
//!
//! Containers stand on a stack of our own, so nesting costs memory and never the call stack.

use super::inline::Inline;
use super::table::{Allowance, CellShape, TableDraft};
use super::{Block, BlockKind, Document, Lines, Quote, Section, Text};

/// Items nested deeper than this stand beside their parent instead of in it.
const MAX_ITEM_DEPTH: usize = 100;
/// HTML containers directly in each other; further ones only hold text.
const MAX_TAG_DEPTH: usize = 200;

/// What a container is.
#[derive(Debug)]
enum Container {
    /// Bounds the items in it.
    List,
    /// The block it fills; `fresh` until its own text or a child came.
    Item { block: usize, fresh: bool },
    /// Any `Quote`, including none.
    Quote,
    /// Its block once the first row came.
    Table {
        draft: Box<TableDraft>,
        block: Option<usize>,
    },
}

#[derive(Debug)]
struct Frame {
    container: Container,
    /// The tag that opened it where HTML did; HTML closes no other.
    tag: Option<&'static str>,
    parent: Option<usize>,
    quote: Quote,
    /// How many items there are down to here.
    items: usize,
    /// How many containers of HTML there are down to here, since the last of the markup's own.
    tags: usize,
    /// Sections that headings in here cannot end.
    outer_sections: usize,
}

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
            document: Document {
                encoding,
                problems,
                ..Document::default()
            },
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
        if let Some(Frame {
            container:
                Container::Item {
                    block,
                    fresh: fresh @ true,
                },
            ..
        }) = self.frames.last_mut()
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
        self.document.sections.push(Section {
            title: text.clone(),
            level,
            parent,
            lines,
        });
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
        self.push(
            BlockKind::Code {
                language: language.to_lowercase(),
            },
            lines,
            text,
        );
    }

    /// Adds a comment where it stands between blocks; within text it is dropped.
    pub(super) fn comment(&mut self, mut comment: Inline) {
        if self.inline.is_empty()
            && self.cell().is_none()
            && let Some((text, lines)) = comment.take()
        {
            self.push_beside(BlockKind::Comment, lines, text);
        }
    }

    /// Adds a `key: value` line.
    pub(super) fn field(&mut self, key: &str, value: &str, line: u32) {
        let mut inline = Inline::default();
        inline.push(value, line);
        let text = inline.take().map(|(text, _)| text).unwrap_or_default();
        self.push(
            BlockKind::Field {
                key: key.to_owned(),
            },
            Lines {
                start: line,
                end: line,
            },
            text,
        );
    }

    /// Ends the gathered text as the value of a key.
    pub(super) fn field_text(&mut self, key: &str) {
        if let Some((text, lines)) = self.inline.take() {
            self.push(
                BlockKind::Field {
                    key: key.to_owned(),
                },
                lines,
                text,
            );
        }
    }

    /// Opens a list: an item in it does not end an item around it.
    pub(super) fn open_list(&mut self, tag: Option<&'static str>) {
        self.paragraph(None);
        self.open(Container::List, tag, None);
    }

    /// Opens a list item that begins on this line.
    pub(super) fn open_item(&mut self, line: u32, tag: Option<&'static str>) {
        self.paragraph(None);
        if self.cell().is_some() {
            self.open(Container::List, tag, None);
            return;
        }
        let block = self.document.blocks.len();
        self.push(
            BlockKind::Item { checked: None },
            Lines {
                start: line,
                end: line,
            },
            Text::default(),
        );
        if !self.open(Container::Item { block, fresh: true }, tag, None) {
            return;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.items += 1;
            if frame.items <= MAX_ITEM_DEPTH {
                frame.parent = Some(block);
            } else {
                self.flattened = true;
            }
        }
    }

    /// Marks the innermost item as a task.
    pub(super) fn check_item(&mut self, done: bool) {
        if let Some(Frame {
            container: Container::Item { block, .. },
            ..
        }) = self.frames.last()
            && let Some(Block {
                kind: BlockKind::Item { checked },
                ..
            }) = self.document.blocks.get_mut(*block)
        {
            *checked = Some(done);
        }
    }

    /// Opens a quote; inside a note or warning, a plain one stays what is around it.
    pub(super) fn open_quote(&mut self, quote: Quote, tag: Option<&'static str>) {
        self.paragraph(None);
        self.open(Container::Quote, tag, Some(quote));
    }

    /// Opens a table.
    pub(super) fn open_table(&mut self, tag: Option<&'static str>) {
        self.paragraph(None);
        if self.open(
            Container::Table {
                draft: Box::default(),
                block: None,
            },
            tag,
            None,
        ) {
            self.tables.push(self.frames.len() - 1);
        }
    }

    /// Opens a row of the innermost table.
    pub(super) fn open_row(&mut self, line: u32) {
        self.paragraph(None);
        self.in_table(line, |draft, allowance| draft.open_row(line, allowance));
    }

    /// Opens a cell of the innermost table.
    pub(super) fn open_cell(&mut self, line: u32, shape: CellShape) {
        self.paragraph(None);
        self.in_table(line, |draft, allowance| {
            draft.open_cell(line, shape, allowance)
        });
    }

    /// Ends the open cell of the innermost table.
    pub(super) fn close_cell(&mut self) {
        self.paragraph(None);
        self.in_table_so_far(TableDraft::close_cell);
    }

    /// A rule in the innermost table: the rows above the first one are titles.
    pub(super) fn end_titles(&mut self) {
        self.in_table_so_far(TableDraft::end_titles);
    }

    /// Ends the innermost table.
    pub(super) fn close_table(&mut self) {
        if let Some(index) = self.tables.last().copied() {
            self.close_to(index);
        }
    }

    /// How many containers are open: what [`Builder::close_to`] goes back to.
    pub(super) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Ends the gathered text and every container opened since this depth.
    pub(super) fn close_to(&mut self, depth: usize) {
        self.paragraph(None);
        while self.frames.len() > depth {
            let Some(frame) = self.frames.pop() else {
                break;
            };
            if !matches!(frame.container, Container::List) {
                self.sections.truncate(frame.outer_sections);
            }
            if let Container::Table { draft, block } = frame.container {
                self.tables.pop();
                let (table, lines) = draft.finish(&mut self.allowance);
                if let (Some(block), Some(lines)) = (
                    block.and_then(|index| self.document.blocks.get_mut(index)),
                    lines,
                ) {
                    block.lines = lines;
                    block.kind = BlockKind::Table(table);
                }
            }
        }
    }

    /// Ends the innermost container that one of these HTML tags opened, with all in it, unless one
    /// of `bounds` or the markup's own container is in between.
    pub(super) fn close_tag(&mut self, tags: &[&str], bounds: &[&str]) {
        self.paragraph(None);
        let mut depth = self.frames.len();
        while let Some(tag) = depth
            .checked_sub(1)
            .and_then(|index| self.frames.get(index))
            .and_then(|frame| frame.tag)
        {
            depth -= 1;
            if tags.contains(&tag) {
                return self.close_to(depth);
            }
            if bounds.contains(&tag) {
                return;
            }
        }
    }

    /// Ends the containers that HTML opened since the markup's own innermost one.
    pub(super) fn close_tags(&mut self) {
        let own = self
            .frames
            .iter()
            .rposition(|frame| frame.tag.is_none())
            .map_or(0, |index| index + 1);
        self.close_to(own);
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

    fn in_table_so_far(&mut self, act: impl FnOnce(&mut TableDraft, &mut Allowance)) {
        let frame = self
            .tables
            .last()
            .and_then(|index| self.frames.get_mut(*index));
        if let Some(Frame {
            container: Container::Table { draft, .. },
            ..
        }) = frame
        {
            act(draft, &mut self.allowance);
        }
    }

    fn in_table(&mut self, line: u32, act: impl FnOnce(&mut TableDraft, &mut Allowance)) {
        let Some(index) = self.tables.last().copied() else {
            return;
        };
        // Lists and the like that the cell before left open end with it.
        self.close_to(index + 1);
        let unplaced = matches!(
            self.frames.last(),
            Some(Frame {
                container: Container::Table { block: None, .. },
                ..
            })
        );
        let placed = unplaced.then(|| {
            self.push(
                BlockKind::Table(super::Table {
                    header: Vec::new(),
                    rows: Vec::new(),
                }),
                Lines {
                    start: line,
                    end: line,
                },
                Text::default(),
            );
            self.document.blocks.len() - 1
        });
        if let Some(Frame {
            container: Container::Table { draft, block },
            ..
        }) = self.frames.last_mut()
        {
            *block = placed.or(*block);
            act(draft, &mut self.allowance);
        }
    }

    /// Opens a container; whether it was, for HTML may nest without bound.
    fn open(
        &mut self,
        container: Container,
        tag: Option<&'static str>,
        quote: Option<Quote>,
    ) -> bool {
        self.end_freshness();
        let outer = self.frames.last();
        let tags = tag.map_or(0, |_| 1 + outer.map_or(0, |frame| frame.tags));
        if tags > MAX_TAG_DEPTH {
            return false;
        }
        let within = outer.map_or(Quote::None, |frame| frame.quote);
        let outer_sections = match container {
            Container::List => outer.map_or(0, |frame| frame.outer_sections),
            _ => self.sections.len(),
        };
        self.frames.push(Frame {
            tag,
            parent: outer.and_then(|frame| frame.parent),
            quote: quote.map_or(within, |quote| quote.max(within)),
            items: outer.map_or(0, |frame| frame.items),
            tags,
            outer_sections,
            container,
        });
        true
    }

    /// An item that holds something else first has no text of its own any more.
    fn end_freshness(&mut self) {
        if let Some(Frame {
            container: Container::Item { fresh, .. },
            ..
        }) = self.frames.last_mut()
        {
            *fresh = false;
        }
    }

    fn push(&mut self, kind: BlockKind, lines: Lines, text: Text) {
        self.end_freshness();
        self.push_beside(kind, lines, text);
    }

    fn push_beside(&mut self, kind: BlockKind, mut lines: Lines, text: Text) {
        lines.end = text
            .lines
            .last()
            .map_or(lines.end, |(_, line)| lines.end.max(*line));
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
