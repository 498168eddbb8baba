//! What was read before, so that consecutive versions of a document are not read again.
//!
//! Versions of a document share nearly all their stretches, and a stretch says the same wherever it
//! stands (see [`super::stretch`]); of a stretch that changed, nearly all blocks are the same. The
//! memo keeps what each said under its whole bytes. It changes the time that reading takes and
//! nothing else, so it may forget at will.

use std::collections::HashMap;
use std::sync::Arc;

use super::generations::Generations;
use super::genre::{Genre, Voice};
use super::part::moved;
use super::shared::Shared;
use super::{Intro, Part, PartName, Parts, Reader, Statements, stretch};
use crate::documents::{Document, Text};
use crate::rules::RuleSet;

/// Bytes that a memo keeps before it starts to forget; about twice as much is held at most.
const CAPACITY: usize = 32 << 20;

/// What a statement weighs beside its texts: its own size and its lists'.
const STATEMENT_BYTES: usize = 1024;

/// Reads documents by one rule set and remembers what their stretches said.
#[derive(Debug)]
pub struct Memo<'r> {
    rules: &'r RuleSet,
    stretches: Generations<Arc<Part>>,
    steps: Generations<Arc<Step>>,
    /// Whether a text tells of a trial.
    trials: Generations<bool>,
    /// What a text speaks for.
    voices: Generations<Voice>,
    /// What is kept of all that was read, whatever is forgotten.
    shared: Shared,
    /// What was known by name before; `None` where nobody wants names.
    named: Option<HashMap<PartName, Arc<Part>>>,
}

/// What reading a block gave.
#[derive(Debug)]
enum Step {
    Told {
        /// Lines counted from the block's first.
        said: Box<Statements>,
        /// How it left the reader.
        intro: Intro,
        /// The key of its last claim.
        claimed: Option<u64>,
    },
    /// It depends on whether the stretch tells of trials: read on under one of those keys.
    AsksForTrials,
}

impl<'r> Memo<'r> {
    /// A memo that knows nothing yet.
    pub fn new(rules: &'r RuleSet) -> Memo<'r> {
        Memo::with_capacity(rules, CAPACITY)
    }

    /// A memo that keeps about so many bytes; none at all with 0.
    pub fn with_capacity(rules: &'r RuleSet, capacity: usize) -> Memo<'r> {
        Memo {
            rules,
            stretches: Generations::new(capacity / 2),
            steps: Generations::new(capacity * 7 / 16),
            trials: Generations::new(capacity / 32),
            voices: Generations::new(capacity / 32),
            shared: Shared::default(),
            named: None,
        }
    }

    /// A memo that knows these parts by their names, and names those that it reads.
    pub(crate) fn knowing(rules: &'r RuleSet, known: HashMap<PartName, Arc<Part>>) -> Memo<'r> {
        Memo { named: Some(known), ..Memo::new(rules) }
    }

    /// Reads all that a document says, as [`super::statements`] does.
    pub fn statements(&self, document: &Document) -> Statements {
        self.parts(document).statements()
    }

    /// The same, part by part.
    pub(crate) fn parts(&self, document: &Document) -> Parts {
        super::read(document, self.rules, Some(self), None)
    }

    /// What a stretch says, remembered or as `read` finds it, with the line it is counted from.
    pub(super) fn stretch(
        &self,
        document: &Document,
        genre: Genre,
        range: &std::ops::Range<usize>,
        read: impl FnOnce() -> Statements,
    ) -> (u32, Arc<Part>) {
        let Some((key, base)) = stretch::key(document, genre, range) else {
            let mut said = read();
            self.shared.share(&mut said);
            return (0, Arc::new(Part::unnamed(said)));
        };
        if let Some(known) = self.stretches.get(&key) {
            return (base, known);
        }
        let name = self.named.as_ref().map(|_| PartName::of(&key));
        let known = name.and_then(|name| self.named.as_ref()?.get(&name));
        let part = known.cloned().unwrap_or_else(|| {
            let mut said = moved(&read(), |line| line.wrapping_sub(base));
            self.shared.share(&mut said);
            said.shrink();
            Arc::new(Part { name, said })
        });
        self.stretches.put(&key, Arc::clone(&part), weight(&part.said));
        (base, part)
    }

    /// Reads a block, or does to the reader what reading it did before. The context is that of
    /// its stretch.
    pub(super) fn block(&self, reader: &mut Reader<'_>, index: usize, context: &stretch::Context) {
        let Some(mut key) = stretch::block_key(reader, index, context) else {
            return reader.block(index);
        };
        let base = reader.document.blocks[index].lines.start;
        let mut known = self.steps.get(&key);
        if matches!(known.as_deref(), Some(Step::AsksForTrials)) {
            stretch::with_trials(&mut key, reader.tells_of_trials(index));
            known = self.steps.get(&key);
        }
        if let Some(Step::Told { said, intro, claimed }) = known.as_deref() {
            reader.intro.clone_from(intro);
            reader.claimed.extend(claimed.map(|claimed| (index, claimed)));
            return reader.out.extend(moved(said, |line| line.wrapping_add(base)));
        }
        let before = std::mem::take(&mut reader.out);
        reader.asked.set(false);
        reader.block(index);
        let mut said = std::mem::replace(&mut reader.out, before);
        self.shared.share(&mut said);
        if reader.asked.get() {
            // Without trials in its name, the key still is that of the question.
            stretch::with_trials(&mut key, reader.tells_of_trials(index));
            let answered = key.clone();
            stretch::without_trials(&mut key);
            self.steps.put(&key, Arc::new(Step::AsksForTrials), 0);
            key = answered;
        }
        let relative = moved(&said, |line| line.wrapping_sub(base));
        let claimed = reader.claimed.get(&index).copied();
        let step = Step::Told { said: Box::new(relative), intro: reader.intro.clone(), claimed };
        self.steps.put(&key, Arc::new(step), weight(&said) + size_of::<Intro>());
        reader.out.extend(said);
    }

    /// Whether a text tells of a trial, remembered or as `find` finds it.
    pub(super) fn trial(&self, text: &Text, find: impl FnOnce() -> bool) -> bool {
        let key = stretch::words_key(text);
        if let Some(known) = self.trials.get(&key) {
            return known;
        }
        let found = find();
        self.trials.put(&key, found, 0);
        found
    }

    /// What a text speaks for, remembered or as `find` finds it.
    pub(super) fn voice(&self, text: &Text, find: impl FnOnce() -> Voice) -> Voice {
        let key = stretch::words_key(text);
        self.voices.get(&key).unwrap_or_else(|| {
            let found = find();
            self.voices.put(&key, found, 0);
            found
        })
    }
}

fn weight(said: &Statements) -> usize {
    let texts: usize = said.claims.iter().map(|claim| claim.text.len() + claim.subject.len()).sum();
    let count = said.claims.len() + said.pitfalls.len() + said.signs.len() + said.mentions.len();
    let count = count + said.withdrawn.len() + said.confirmations.len();
    texts + count * STATEMENT_BYTES + size_of::<Statements>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::{Format, parse};

    #[test]
    fn a_memo_of_any_size_reads_the_same() {
        let rules = RuleSet::built_in().unwrap();
        let section =
            |n: usize| format!("## Run {n}\n\nWith {n} cards the loader fails at start.\n\n");
        for capacity in [0, 40_000, CAPACITY] {
            let memo = Memo::with_capacity(&rules, capacity);
            let mut text = String::from("# Log\n\n");
            for n in 0..12 {
                text.push_str(&section(n));
                let document = parse(Format::Markdown, text.as_bytes());
                let said = memo.statements(&document);
                assert_eq!(said, super::super::statements(&document, &rules));
                assert_eq!(said.claims.len(), n + 1);
            }
        }
    }
}
