//! Footnote marks: what a note says of the row or the sentence that bears its mark.

use super::claim::{self, Doubt};
use super::matching::Sentence;
use super::reading::Reading;
use super::trace::Tracer;
use crate::documents::{Block, BlockKind, Text};
use crate::rules::RuleSet;

/// Marks that refer to a note; small numbers may follow one.
const MARKS: [char; 4] = ['†', '‡', '§', '*'];

/// Digits of a mark.
pub(super) const SMALL: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// A note and what it says of the reliability of those that bear its mark.
pub(super) struct Note {
    mark: String,
    doubt: Doubt,
}

impl Note {
    /// The note that a text is: it begins with a mark.
    pub(super) fn of(rules: &RuleSet, reading: &Reading) -> Option<Note> {
        let text = reading.norm.trim_start();
        let mark = text.chars().next().filter(|c| MARKS.contains(c))?;
        let rest = text[mark.len_utf8()..].trim_start_matches(SMALL);
        let mark = text[..text.len() - rest.len()].to_owned();
        if !rest.trim_start().starts_with(char::is_alphabetic) {
            return None;
        }
        let mut doubt = Doubt::default();
        // A mark is no word: without it the note's own words begin its first sentence.
        let start = reading.norm.len() - rest.trim_start().len();
        for sentence in Sentence::all(reading, rules) {
            let range = sentence.range.start.max(start)..sentence.range.end.max(start);
            let said = Sentence::of_range(reading, &range, rules);
            let said = claim::doubt(rules, reading, &said, None, Tracer::default());
            doubt.hedges.extend(said.hedges);
            doubt.void |= said.void;
        }
        Some(Note { mark, doubt })
    }
}

/// Tells whether a block may be a note or bear its mark.
pub(super) fn is_marked(block: &Block) -> bool {
    // The last one is read as an asterisk.
    let marks = |text: &Text| text.plain.contains(['†', '‡', '§', '*', '＊']);
    match &block.kind {
        BlockKind::Table(table) => table.rows.iter().flat_map(|row| &row.cells).any(marks),
        _ => marks(&block.text),
    }
}

/// Tells whether a block is or bears a numbered note, which may stand at the end of the document.
pub(super) fn is_numbered(block: &Block) -> bool {
    let numbered = |text: &Text| {
        let mut marks = text.plain.match_indices('†');
        marks.any(|(at, mark)| text.plain[at + mark.len()..].starts_with(SMALL))
    };
    match &block.kind {
        BlockKind::Table(table) => table.rows.iter().flat_map(|row| &row.cells).any(numbered),
        _ => numbered(&block.text),
    }
}

/// What notes say of a text, by the marks that it bears.
pub(super) fn doubt(notes: &[Note], text: &str) -> Doubt {
    let mut all = Doubt::default();
    for note in notes.iter().filter(|note| bears(text, &note.mark)) {
        all.hedges.extend(note.doubt.hedges.iter().cloned());
        all.void |= note.doubt.void;
    }
    all
}

/// Tells whether a mark stands right after a word or a number and before none.
fn bears(text: &str, mark: &str) -> bool {
    text.match_indices(mark).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        before.is_some_and(|c| c.is_alphanumeric() || "%)]`×".contains(c))
            && after
                .is_none_or(|c| !c.is_alphanumeric() && !mark.starts_with(c) && !SMALL.contains(&c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_borne_after_a_word() {
        assert!(bears("| 83.2† |", "†"));
        assert!(bears("Decode* is fast", "*"));
        assert!(bears("83.2†¹ and", "†¹"));
        assert!(!bears("83.2†¹² and", "†¹"));
        assert!(!bears("3*4 cells", "*"));
        assert!(!bears("see §3", "§"));
        assert!(!bears("† theoretical", "†"));
    }

    #[test]
    fn notes_tell_what_rows_are_worth() {
        let rules = RuleSet::built_in().unwrap();
        let note = |text| Note::of(&rules, &Reading::of_plain(text, 1));
        let said = doubt(&[note("† Theoretical, not measured.").unwrap()], "83.2†");
        assert!(!said.hedges.is_empty());
        assert!(doubt(&[note("* withdrawn").unwrap()], "83.2*").void);
        assert!(note("Measured here.").is_none());
        assert!(note("*").is_none());
    }
}
