//! What a document is for: a careful reader knows it before its sentences.
//!
//! A text that explains how something is used says all the time that things work, fail, or cost so
//! much, and found none of it out. It is known by its own shape: how many of its texts address the
//! reader, define or prescribe, and that not one of them tells of a run. Both kinds of words are data.

use super::claim;
use super::matching::Sentence;
use super::memo::Memo;
use super::number;
use super::reading::{Reading, Readings};
use crate::documents::{BlockKind, Document, Table};
use crate::rules::{Class, RuleSet};

/// Texts that explain from which a document may be a guide.
const SOME: usize = 3;

/// One text in so many has to explain.
const SHARE: usize = 5;

/// Cells with exact numbers from which a row holds results.
const EXACT_CELLS: usize = 2;

/// What a document is for.
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
pub(super) fn of(
    document: &Document,
    readings: &Readings<'_>,
    rules: &RuleSet,
    memo: Option<&Memo<'_>>,
) -> Genre {
    let (mut texts, mut explaining) = (0, 0);
    for (at, block) in document.blocks.iter().enumerate() {
        let voice = match &block.kind {
            BlockKind::Paragraph | BlockKind::Item { .. } | BlockKind::Heading(_) => {
                let find = || voice(&readings[at], rules);
                memo.map_or_else(find, |memo| memo.voice(&block.text, find))
            }
            BlockKind::Table(table) if holds_results(table, rules) => Voice::Records,
            _ => continue,
        };
        match voice {
            Voice::Records => return Genre::Open,
            Voice::Explains => explaining += 1,
            Voice::Silent => {}
        }
        texts += 1;
    }
    let guides = explaining >= SOME && explaining * SHARE >= texts;
    if guides { Genre::Guide } else { Genre::Open }
}

fn voice(reading: &Reading, rules: &RuleSet) -> Voice {
    let sentences = Sentence::all(reading, rules);
    let says = |class| {
        sentences.iter().any(|it| claim::class_hit(rules, reading, it, class).is_some())
    };
    if says(Class::Record) {
        Voice::Records
    } else if says(Class::Guide) {
        Voice::Explains
    } else {
        Voice::Silent
    }
}

/// Tells whether a table's header speaks of results, or a row of it holds numbers that nobody chooses.
fn holds_results(table: &Table, rules: &RuleSet) -> bool {
    let exact = |plain: &str| {
        number::scan(plain, rules).iter().any(|found| found.measured || found.fraction)
    };
    table.header.iter().any(|cell| rules.tables.trial.is_match(&cell.plain))
        || table.rows.iter().any(|row| {
            let cells = row.cells.iter().skip(1).filter(|cell| exact(&cell.plain));
            cells.count() >= EXACT_CELLS
        })
}
