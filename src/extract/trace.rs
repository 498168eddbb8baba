//! How one line of a document was read: what the decisions note while they are made.
//!
//! There is no second reader that explains the first. Where nobody asks, a [`Tracer`] is empty and
//! the notes are not even put into words.

use std::cell::RefCell;

use crate::documents::{Document, Lines};
use crate::rules::RuleSet;

/// One thing that was noted, in the order in which it was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What the note is about: block, section, role, sentence, clause, numbers, claim rule,
    /// pitfall rule, hedge, decision, verdict.
    pub label: &'static str,
    /// In words, with text of the document and of the packs as it stands there: escape it.
    pub text: String,
}

/// Notes about one line.
#[derive(Debug)]
pub(super) struct Trace {
    line: u32,
    notes: RefCell<Vec<Note>>,
}

impl Trace {
    /// The notes' taker for a part of the document; it takes none about other lines.
    pub(super) fn at(&self, lines: Lines) -> Tracer<'_> {
        Tracer((lines.start <= self.line && self.line <= lines.end).then_some(self))
    }
}

/// Takes notes, or none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tracer<'a>(Option<&'a Trace>);

impl Tracer<'_> {
    /// Tells whether anybody asked.
    pub(super) fn is_on(self) -> bool {
        self.0.is_some()
    }

    /// Takes a note.
    pub(super) fn note(self, label: &'static str, text: impl FnOnce() -> String) {
        if let Some(trace) = self.0 {
            let note = Note { label, text: text() };
            trace.notes.borrow_mut().push(note);
        }
    }

    /// The same taker for a part of a text that stands on these lines.
    pub(super) fn on(self, lines: Lines) -> Self {
        self.0.map_or(self, |trace| trace.at(lines))
    }
}

/// Reads a document and tells how it read one line, counted from one.
pub fn explain_line(document: &Document, rules: &RuleSet, line: u32) -> Vec<Note> {
    let trace = Trace { line, notes: RefCell::default() };
    let said = super::read(document, rules, None, Some(&trace)).statements();
    let tracer = Tracer(Some(&trace));
    let here = |lines: Lines| lines.start <= line && line <= lines.end;
    let mut silent = true;
    for claim in said.claims.iter().filter(|it| here(it.lines) || it.also.iter().any(|l| here(*l)))
    {
        silent = false;
        tracer.note("verdict", || {
            let again = if here(claim.lines) { "" } else { ", said again here" };
            format!(
                "claim of kind {} by rule `{}`, {}{again}; it is about: {}",
                claim.kind.name(),
                claim.rule,
                span(claim.lines),
                claim.subject
            )
        });
    }
    for pitfall in said.pitfalls.iter().filter(|it| here(it.lines)) {
        silent = false;
        tracer.note("verdict", || {
            format!(
                "pitfall by rule `{}`, {}; effect {}; to avoid: {}",
                pitfall.rule,
                span(pitfall.lines),
                pitfall.effect.name(),
                pitfall.triggers.join(" | ")
            )
        });
    }
    if silent {
        let read = document.blocks.iter().any(|block| here(block.lines));
        let why = if read { "no claim and no pitfall" } else { "no block stands on this line" };
        tracer.note("verdict", || why.to_owned());
    }
    trace.notes.into_inner()
}

/// Lines in words.
pub(super) fn span(lines: Lines) -> String {
    if lines.start == lines.end {
        format!("line {}", lines.start)
    } else {
        format!("lines {} to {}", lines.start, lines.end)
    }
}
