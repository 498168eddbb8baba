//! Lists, items, quotes and tables: what opens, holds blocks and closes.

use crate::documents::table::{Allowance, CellShape, TableDraft};
use crate::documents::{Block, BlockKind, Lines, Quote, Table, Text};

use super::Builder;

/// Items nested deeper than this stand beside their parent instead of in it.
pub(super) const MAX_ITEM_DEPTH: usize = 100;
/// HTML containers directly in each other; further ones only hold text.
const MAX_TAG_DEPTH: usize = 200;

/// What a container is.
#[derive(Debug)]
pub(super) enum Container {
    /// Bounds the items in it.
    List,
    /// The block it fills; `fresh` until its own text or a child came.
    Item { block: usize, fresh: bool },
    /// Any `Quote`, including none.
    Quote,
    /// Its block once the first row came.
    Table { draft: Box<TableDraft>, block: Option<usize> },
}

#[derive(Debug)]
pub(super) struct Frame {
    pub(super) container: Container,
    /// The tag that opened it where HTML did; HTML closes no other.
    pub(super) tag: Option<&'static str>,
    pub(super) parent: Option<usize>,
    pub(super) quote: Quote,
    /// How many items there are down to here.
    pub(super) items: usize,
    /// How many containers of HTML there are down to here, since the last of the markup's own.
    pub(super) tags: usize,
    /// Sections that headings in here cannot end.
    pub(super) outer_sections: usize,
}

impl Builder {
    /// Opens a list: an item in it does not end an item around it.
    pub(in crate::documents) fn open_list(&mut self, tag: Option<&'static str>) {
        self.paragraph(None);
        self.open(Container::List, tag, None);
    }

    /// Opens a list item that begins on this line.
    pub(in crate::documents) fn open_item(&mut self, line: u32, tag: Option<&'static str>) {
        self.paragraph(None);
        if self.cell().is_some() {
            self.open(Container::List, tag, None);
            return;
        }
        let block = self.document.blocks.len();
        self.push(
            BlockKind::Item { checked: None },
            Lines { start: line, end: line },
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
    pub(in crate::documents) fn check_item(&mut self, done: bool) {
        if let Some(Frame { container: Container::Item { block, .. }, .. }) = self.frames.last()
            && let Some(Block { kind: BlockKind::Item { checked }, .. }) =
                self.document.blocks.get_mut(*block)
        {
            *checked = Some(done);
        }
    }

    /// Opens a quote; inside a note or warning, a plain one stays what is around it.
    pub(in crate::documents) fn open_quote(&mut self, quote: Quote, tag: Option<&'static str>) {
        self.paragraph(None);
        self.open(Container::Quote, tag, Some(quote));
    }

    /// Opens a table.
    pub(in crate::documents) fn open_table(&mut self, tag: Option<&'static str>) {
        self.paragraph(None);
        if self.open(Container::Table { draft: Box::default(), block: None }, tag, None) {
            self.tables.push(self.frames.len() - 1);
        }
    }

    /// Opens a row of the innermost table.
    pub(in crate::documents) fn open_row(&mut self, line: u32) {
        self.paragraph(None);
        self.in_table(line, |draft, allowance| draft.open_row(line, allowance));
    }

    /// Opens a cell of the innermost table.
    pub(in crate::documents) fn open_cell(&mut self, line: u32, shape: CellShape) {
        self.paragraph(None);
        self.in_table(line, |draft, allowance| draft.open_cell(line, shape, allowance));
    }

    /// Ends the open cell of the innermost table.
    pub(in crate::documents) fn close_cell(&mut self) {
        self.paragraph(None);
        self.in_table_so_far(TableDraft::close_cell);
    }

    /// A rule in the innermost table: the rows above the first one are titles.
    pub(in crate::documents) fn end_titles(&mut self) {
        self.in_table_so_far(TableDraft::end_titles);
    }

    /// Ends the innermost table.
    pub(in crate::documents) fn close_table(&mut self) {
        if let Some(index) = self.tables.last().copied() {
            self.close_to(index);
        }
    }

    /// How many containers are open: what [`Builder::close_to`] goes back to.
    pub(in crate::documents) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Ends the gathered text and every container opened since this depth.
    pub(in crate::documents) fn close_to(&mut self, depth: usize) {
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
                if let (Some(block), Some(lines)) =
                    (block.and_then(|index| self.document.blocks.get_mut(index)), lines)
                {
                    block.lines = lines;
                    block.kind = BlockKind::Table(table);
                }
            }
        }
    }

    /// Ends the innermost container that one of these HTML tags opened, with all in it, unless one
    /// of `bounds` or the markup's own container is in between.
    pub(in crate::documents) fn close_tag(&mut self, tags: &[&str], bounds: &[&str]) {
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
    pub(in crate::documents) fn close_tags(&mut self) {
        let own =
            self.frames.iter().rposition(|frame| frame.tag.is_none()).map_or(0, |index| index + 1);
        self.close_to(own);
    }

    fn in_table_so_far(&mut self, act: impl FnOnce(&mut TableDraft, &mut Allowance)) {
        let frame = self.tables.last().and_then(|index| self.frames.get_mut(*index));
        if let Some(Frame { container: Container::Table { draft, .. }, .. }) = frame {
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
            Some(Frame { container: Container::Table { block: None, .. }, .. })
        );
        let placed = unplaced.then(|| {
            self.push(
                BlockKind::Table(Table { header: Vec::new(), rows: Vec::new() }),
                Lines { start: line, end: line },
                Text::default(),
            );
            self.document.blocks.len() - 1
        });
        if let Some(Frame { container: Container::Table { draft, block }, .. }) =
            self.frames.last_mut()
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
}
