//! Stretches of a document: a heading with its blocks up to the next heading, or those before the
//! first one. A stretch and the titles around it decide all that it says, wherever it stands.
//!
//! This is what [`super::Memo`] rests on, so the reader may look at nothing outside a stretch but
//! the titles of the sections around it and what the document is for. A document in which a block
//! points elsewhere has one stretch that is never remembered. [`block_key`] says likewise what the
//! reading of a block may look at within its stretch.

use std::ops::Range;

use super::genre::Genre;
use super::{Hedge, Intro, Reader, footnote, trigger};
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
        block.section == own
            && block.parent.is_none_or(|parent| range.contains(&parent))
            && !footnote::is_numbered(block)
    })
}

/// A stretch as bytes, lines counted from its first: equal bytes say the same. The first line comes
/// with it. `None` where the stretch is the whole of a document that has no closed ones.
pub(super) fn key(
    document: &Document,
    genre: Genre,
    range: &Range<usize>,
) -> Option<(Vec<u8>, u32)> {
    let blocks = document.blocks.get(range.clone())?;
    let first = blocks.first()?;
    if !is_closed(document, range) {
        return None;
    }
    let mut key = Key { bytes: Vec::with_capacity(256), base: first.lines.start };
    key.bytes.push(genre as u8);
    let around = around(document, first);
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

/// The sections around a block, innermost first.
fn around<'a>(document: &'a Document, block: &Block) -> Vec<&'a Section> {
    let mut around = Vec::new();
    let mut next = block.section;
    while let Some(section) = next.and_then(|at| document.sections.get(at)) {
        around.push(section);
        next = section.parent.filter(|parent| Some(*parent) < next);
    }
    around
}

/// What the blocks of a stretch have around them, as bytes for their keys.
pub(super) struct Context {
    titles: Vec<u8>,
    /// The texts that may be footnotes; `None` where they cost more than remembering saves.
    notes: Option<Vec<u8>>,
}

/// The context of a closed stretch. `None` where its blocks are not to be remembered: in a stretch that
/// is not closed, or under titles that cost more than they save.
pub(super) fn context(document: &Document, genre: Genre, range: &Range<usize>) -> Option<Context> {
    let blocks = document.blocks.get(range.clone())?;
    if !is_closed(document, range) {
        return None;
    }
    let mut titles = Key { bytes: vec![genre as u8], base: 0 };
    let around = around(document, blocks.first()?);
    titles.number(around.len());
    for section in around {
        titles.title(section);
    }
    let mut notes = Key { bytes: Vec::new(), base: 0 };
    for note in blocks.iter().filter(|block| footnote::is_marked(block)) {
        notes.bytes.push(1);
        notes.spoken(&note.text);
        if notes.bytes.len() > CONTEXT {
            break;
        }
    }
    notes.bytes.push(0);
    let notes = (notes.bytes.len() <= CONTEXT).then_some(notes.bytes);
    (titles.bytes.len() <= CONTEXT).then_some(Context { titles: titles.bytes, notes })
}

/// A block of a stretch as bytes, lines counted from its first, with all else that its reading may
/// look at: the titles, what the reader carries, the texts of the items around, the footnotes of the
/// stretch if it bears a mark, the text before a table or before code, what code before a text sets, and
/// the code after a text that may lead up to it. Whether the stretch tells of trials
/// may be asked too, see [`with_trials`].
///
/// `None` for a heading, which looks at its whole stretch, and where what is around costs more than
/// remembering saves.
pub(super) fn block_key(reader: &Reader<'_>, index: usize, context: &Context) -> Option<Vec<u8>> {
    let blocks = &reader.document.blocks;
    let block = blocks.get(index)?;
    let mut key = Key { bytes: vec![UNASKED], base: block.lines.start };
    key.bytes.extend_from_slice(&context.titles);
    key.intro(&reader.intro);
    key.bytes.push(u8::from(block.section == reader.section_entry));
    key.number(reader.section_triggers.len());
    for trigger in &reader.section_triggers {
        key.words(trigger);
    }
    // What an item confirms stands in the one that it is under.
    let above = block.parent.and_then(|at| reader.claimed.get(&at));
    key.bytes.push(u8::from(above.is_some()));
    key.bytes.extend(above.copied().unwrap_or_default().to_le_bytes());
    let mut parent = block.parent;
    while let Some(item) = parent.and_then(|at| blocks.get(at)) {
        key.bytes.push(1);
        key.spoken(&item.text);
        parent = item.parent.filter(|outer| Some(*outer) < parent);
        if key.bytes.len() > CONTEXT {
            return None;
        }
    }
    key.bytes.push(0);
    match footnote::is_marked(block) {
        true => key.bytes.extend_from_slice(context.notes.as_ref()?),
        false => key.bytes.push(0),
    }
    let text = |kind: &BlockKind| matches!(kind, BlockKind::Paragraph | BlockKind::Item { .. });
    let code = |kind: &BlockKind| matches!(kind, BlockKind::Code { .. });
    let before = index.min(LEAD).min(index - reader.range.start.min(index));
    match &block.kind {
        BlockKind::Heading(_) => return None,
        BlockKind::Table(_) | BlockKind::Code { .. } => {
            key.number(before);
            for lead in (index - before..index).rev().filter_map(|at| blocks.get(at)) {
                key.bytes.push(u8::from(matches!(lead.kind, BlockKind::Paragraph)));
                key.bytes.push(u8::from(text(&lead.kind)));
                if text(&lead.kind) {
                    key.spoken(&lead.text);
                }
            }
        }
        _ => {
            // Of code before it counts what it sets; code after it only where the text can lead up to it.
            let is_item = matches!(block.kind, BlockKind::Item { .. });
            let lead = index.checked_sub(1).filter(|_| !is_item).and_then(|at| blocks.get(at));
            let lead = lead.filter(|it| code(&it.kind)).map(|it| trigger::of_code(&it.text));
            key.words(lead.as_ref().map_or("", |settings| settings.shown.as_str()));
            let leads_up = block.text.plain.contains([':', '：']);
            match blocks.get(index + 1).filter(|it| code(&it.kind)) {
                None => key.bytes.push(0),
                Some(_) if !leads_up => key.bytes.push(1),
                Some(code) => {
                    key.bytes.push(2);
                    key.lines(code.lines);
                    key.text(&code.text);
                }
            }
        }
    }
    key.block(block, block.parent.unwrap_or(0));
    Some(key.bytes)
}

/// A block of a stretch as bytes, lines counted from its first, without anything around it: what
/// [`super::reading::Made`] rests on.
pub(super) fn own_key(block: &Block) -> Vec<u8> {
    let mut key =
        Key { bytes: Vec::with_capacity(block.text.plain.len() + 32), base: block.lines.start };
    key.block(block, block.parent.unwrap_or(0));
    key.bytes
}

/// What a text says, wherever it stands.
pub(super) fn words_key(text: &Text) -> Vec<u8> {
    let mut key = Key { bytes: Vec::with_capacity(text.plain.len() + 16), base: 0 };
    key.spoken(text);
    key.bytes
}

/// First byte of a block's key where nobody asked whether the stretch tells of trials.
const UNASKED: u8 = 0;

/// Makes a block's key that of a reading that asked whether its stretch tells of trials.
pub(super) fn with_trials(key: &mut [u8], trials: bool) {
    if let Some(first) = key.first_mut() {
        *first = 1 + u8::from(trials);
    }
}

/// Bytes of what is around a block up to which its reading is remembered: it stands in the key of each
/// block anew.
const CONTEXT: usize = 4096;
/// Blocks before a table or code that tell what it is about.
const LEAD: usize = 2;

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
        self.spoken(&section.title);
    }

    /// Words and marks, wherever they stand.
    fn spoken(&mut self, text: &Text) {
        let Text { plain, marks, lines: _ } = text;
        self.words(plain);
        self.marks(marks);
    }

    fn intro(&mut self, intro: &Intro) {
        let Intro { role, fails, hedges, alone } = intro;
        self.bytes.push(role.map_or(u8::MAX, |role| role as u8));
        self.bytes.push(u8::from(*fails));
        self.bytes.push(u8::from(*alone));
        self.number(hedges.len());
        for Hedge { class, words, rule, aside } in hedges {
            self.bytes.push(*class as u8);
            self.words(words);
            self.words(rule);
            self.bytes.push(u8::from(*aside));
        }
    }

    fn text(&mut self, text: &Text) {
        self.spoken(text);
        let Text { plain, marks: _, lines } = text;
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
        stretches(&document)
            .iter()
            .map(|range| key(&document, Genre::Open, range).unwrap().0)
            .collect()
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
