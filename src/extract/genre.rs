//! What a document is for: a careful reader knows it before its sentences.
//!
//! A text that explains how something is used says all the time that things work, fail, or cost so
//! much, and found none of it out. It is known by its own shape: how many of its texts address the
//! reader, define or prescribe, and that not one of them tells of a run. Both kinds of words are data.

use std::ops::Range;

use super::claim;
use super::frame::bare;
use super::matching::Sentence;
use super::memo::Memo;
use super::number::{self, Found};
use super::reading::{Reading, Readings};
use crate::documents::{BlockKind, Document, Row, Table, Text};
use crate::rules::{Class, RuleSet};

/// What makes a guide.
#[derive(Clone, Copy)]
struct Mark {
    /// Texts that explain, at least.
    some: usize,
    /// One text in so many has to.
    share: usize,
    /// A table with a column of outcomes tells of runs, not of what is supported.
    outcomes: bool,
}

/// Of a document.
const DOCUMENT: Mark = Mark { some: 3, share: 5, outcomes: false };

/// Of a section in a document that also tells of runs.
const SECTION: Mark = Mark { some: 2, share: 3, outcomes: true };

/// Cells with exact numbers from which a table holds results.
const EXACT_CELLS: usize = 2;

/// Digits that nobody chooses.
const EXACT_DIGITS: u8 = 3;

/// What a document or a section is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Genre {
    /// It may tell what was found.
    #[default]
    Open,
    /// It explains, and nothing in it tells of a run.
    Guide,
}

/// What one text of a document speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// Something was run or measured.
    Records,
    /// How something is used, or what it is.
    Explains,
    /// Neither.
    Silent,
}

/// What a document is for.
pub(super) fn of_document(
    document: &Document,
    readings: &Readings<'_>,
    rules: &RuleSet,
    memo: Option<&Memo<'_>>,
) -> Genre {
    of_blocks(document, &(0..document.blocks.len()), DOCUMENT, readings, rules, memo)
}

/// What a section is for whose document may tell what was found.
pub(super) fn of_section(
    document: &Document,
    section: &Range<usize>,
    readings: &Readings<'_>,
    rules: &RuleSet,
    memo: Option<&Memo<'_>>,
) -> Genre {
    of_blocks(document, section, SECTION, readings, rules, memo)
}

fn of_blocks(
    document: &Document,
    range: &Range<usize>,
    mark: Mark,
    readings: &Readings<'_>,
    rules: &RuleSet,
    memo: Option<&Memo<'_>>,
) -> Genre {
    let (mut texts, mut explaining) = (0, 0);
    for at in range.clone() {
        let block = &document.blocks[at];
        // What a title says of reading on is no explanation.
        let (is_text, is_title) = match &block.kind {
            BlockKind::Paragraph | BlockKind::Item { .. } => (true, false),
            BlockKind::Heading(_) => (true, true),
            _ => (false, false),
        };
        let voice = match &block.kind {
            _ if is_text => {
                let find = || voice(&readings[at], rules);
                memo.map_or_else(find, |memo| memo.voice(&block.text, find))
            }
            BlockKind::Table(table) if holds_results(table, mark, rules) => Voice::Records,
            _ => continue,
        };
        match voice {
            Voice::Records => return Genre::Open,
            _ if is_title => continue,
            Voice::Explains => explaining += 1,
            Voice::Silent => {}
        }
        texts += 1;
    }
    let guides = explaining >= mark.some && explaining * mark.share >= texts;
    if guides { Genre::Guide } else { Genre::Open }
}

fn voice(reading: &Reading, rules: &RuleSet) -> Voice {
    let sentences = Sentence::all(reading, rules);
    let says =
        |class| sentences.iter().any(|it| claim::class_hit(rules, reading, it, class).is_some());
    if says(Class::Record) {
        Voice::Records
    } else if says(Class::Guide) {
        Voice::Explains
    } else {
        Voice::Silent
    }
}

/// Tells whether a table's header speaks of results, or its cells hold numbers that nobody chooses.
fn holds_results(table: &Table, mark: Mark, rules: &RuleSet) -> bool {
    let titled = |cell: &Text| {
        rules.tables.trial.is_match(&cell.plain)
            || mark.outcomes && rules.tables.outcome.is_match(&bare(&cell.plain))
    };
    let cells = |row: &Row, is: &dyn Fn(&Found) -> bool| {
        let told = |cell: &&Text| number::scan(&cell.plain, rules).iter().any(is);
        row.cells.iter().skip(1).filter(told).count()
    };
    let in_parts = |row: &Row| cells(row, &|it| it.measured || it.fraction) >= EXACT_CELLS;
    let exact = |row: &Row| {
        cells(row, &|it| it.measured || it.fraction && it.quantity.digits >= EXACT_DIGITS)
    };
    table.header.iter().any(titled)
        || table.rows.iter().any(in_parts)
        || table.rows.iter().map(exact).sum::<usize>() >= EXACT_CELLS
}
