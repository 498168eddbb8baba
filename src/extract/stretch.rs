//! Stretches of a document: a heading with its blocks up to the next heading, or those before the
//! first one. A stretch and the titles around it decide all that it says, wherever it stands.
//!
//! This is what [`super::Memo`] rests on, so the reader may look at nothing outside a stretch but
//! the titles of the sections around it. A document in which a block points elsewhere has one
//! stretch that is never remembered.

use std::ops::Range;

use crate::documents::{Block, BlockKind, Document, Lines, Mark, Quote, Row, Section, Table, Text};

/// A document's blocks, cut before each heading.
pub(super) fn stretches(document: &Document) -> Vec<Range<usize>> {
    let blocks = &document.blocks;
    let heads = (1..blocks.len()).filter(|at| matches!(blocks[*at].kind, BlockKind::Heading(_)));
    let starts: Vec<usize> = std::iter::once(0).chain(heads).collect();
    let ends = starts.iter().skip(1).copied().chain([blocks.len()]);
    let cut: Vec<Range<usize>> =
        starts.iter().copied().zip(ends).map(|(from, to)| from..to).collect();
    let closed = cut.iter().all(|range| is_closed(document, range));
    if closed { cut } else { std::iter::once(0..blocks.len()).collect() }
}

/// Tells whether no block points out of a stretch.
fn is_closed(document: &Document, range: &Range<usize>) -> bool {
    let Some(blocks) = document.blocks.get(range.clone()) else { return false };
    let own = match blocks.first().map(|block| &block.kind) {
        Some(BlockKind::Heading(section)) => Some(*section),
        _ => None,
    };
    blocks.iter().all(|block| {
        block.section == own && block.parent.is_none_or(|parent| range.contains(&parent))
    })
}

/// A stretch as bytes, lines counted from its first: equal bytes say the same. The first line comes
/// with it. `None` where the stretch is the whole of a document that has no closed ones.
pub(super) fn key(document: &Document, range: &Range<usize>) -> Option<(Vec<u8>, u32)> {
    let blocks = document.blocks.get(range.clone())?;
    let first = blocks.first()?;
    if !is_closed(document, range) {
        return None;
    }
    let mut key = Key { bytes: Vec::with_capacity(256), base: first.lines.start };
    let mut around = Vec::new();
    let mut next = first.section;
    while let Some(section) = next.and_then(|at| document.sections.get(at)) {
        around.push(section);
        next = section.parent.filter(|parent| Some(*parent) < next);
    }
    key.number(around.len());
    for section in around.iter().skip(1) {
        key.title(section);
    }
    if let Some(own) = around.first() {
        key.lines(own.lines);
        key.text(&own.title);
    }
    for block in blocks {
        key.block(block, range.start);
    }
    Some((key.bytes, key.base))
}

/// Bytes under way. Every part is preceded by its kind or its length, so that no two inputs give
/// the same bytes.
struct Key {
    bytes: Vec<u8>,
    /// First line of the stretch.
    base: u32,
}

impl Key {
    fn number(&mut self, number: usize) {
        match u8::try_from(number) {
            Ok(small) if small < u8::MAX => self.bytes.push(small),
            _ => {
                self.bytes.push(u8::MAX);
                self.bytes.extend_from_slice(&(number as u64).to_le_bytes());
            }
        }
    }

    fn words(&mut self, words: &str) {
        self.number(words.len());
        self.bytes.extend_from_slice(words.as_bytes());
    }

    fn line(&mut self, line: u32) {
        self.number(line.wrapping_sub(self.base) as usize);
    }

    fn lines(&mut self, lines: Lines) {
        self.line(lines.start);
        self.line(lines.end);
    }

    /// A title around: where it stands makes no difference.
    fn title(&mut self, section: &Section) {
        let Text { plain, marks, lines: _ } = &section.title;
        self.words(plain);
        self.marks(marks);
    }

    fn text(&mut self, text: &Text) {
        let Text { plain, marks, lines } = text;
        self.words(plain);
        self.marks(marks);
        self.number(lines.len());
        for (at, line) in lines {
            self.number(*at);
            self.line(*line);
        }
        if lines.is_empty() && !plain.is_empty() {
            // Without lines of its own a text counts from the document's first.
            self.number(self.base as usize);
        }
    }

    fn marks(&mut self, marks: &[(Range<usize>, Mark)]) {
        self.number(marks.len());
        for (range, mark) in marks {
            self.number(range.start);
            self.number(range.end);
            self.bytes.push(match mark {
                Mark::Code => 0,
                Mark::Strong => 1,
                Mark::Emphasis => 2,
                Mark::Strike => 3,
                Mark::Link => 4,
            });
        }
    }

    /// `start`: number of the first block of the stretch.
    fn block(&mut self, block: &Block, start: usize) {
        let Block { kind, section: _, lines, text, parent, quote } = block;
        match kind {
            BlockKind::Heading(_) => self.bytes.push(0),
            BlockKind::Paragraph => self.bytes.push(1),
            BlockKind::Item { checked: None } => self.bytes.push(2),
            BlockKind::Item { checked: Some(false) } => self.bytes.push(3),
            BlockKind::Item { checked: Some(true) } => self.bytes.push(4),
            BlockKind::Table(table) => {
                self.bytes.push(5);
                self.table(table);
            }
            BlockKind::Code { language } => {
                self.bytes.push(6);
                self.words(language);
            }
            BlockKind::Comment => self.bytes.push(7),
            BlockKind::Field { key } => {
                self.bytes.push(8);
                self.words(key);
            }
            BlockKind::CodeComment => self.bytes.push(9),
        }
        self.lines(*lines);
        self.text(text);
        self.number(parent.map_or(0, |parent| parent - start + 1));
        self.bytes.push(match quote {
            Quote::None => 0,
            Quote::Plain => 1,
            Quote::Note => 2,
            Quote::Warning => 3,
        });
    }

    fn table(&mut self, table: &Table) {
        let Table { header, rows } = table;
        self.number(header.len());
        for cell in header {
            self.text(cell);
        }
        self.number(rows.len());
        for Row { cells, lines } in rows {
            self.lines(*lines);
            self.number(cells.len());
            for cell in cells {
                self.text(cell);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::{Format, parse};

    fn keys(text: &str) -> Vec<Vec<u8>> {
        let document = parse(Format::Markdown, text.as_bytes());
        stretches(&document).iter().map(|range| key(&document, range).unwrap().0).collect()
    }

    #[test]
    fn a_stretch_is_the_same_wherever_it_stands() {
        let one = keys("# Lab\n\n## A\n\nIt fails.\n\n## B\n\n- It `works`.\n");
        let other = keys("# Lab\n\n## A\n\nIt fails\nagain.\n\n## C\n\n## B\n\n- It `works`.\n");
        assert_eq!(one.len(), 3);
        assert_eq!(one[2], other[3]);
        assert_ne!(one[1], other[1]);
    }

    #[test]
    fn what_is_around_or_within_makes_another() {
        let one = keys("# A\n\n## B\n\nIt fails.\n");
        assert_ne!(one[1], keys("# C\n\n## B\n\nIt fails.\n")[1]);
        assert_ne!(one[1], keys("# A\n\n## B\n\nIt *fails*.\n")[1]);
        assert_ne!(one[1], keys("# A\n\n## B\n\n- It fails.\n")[1]);
        assert_ne!(one[1], keys("# A\n\n## B\n\nIt\nfails.\n")[1]);
    }
}
