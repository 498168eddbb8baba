//! What was read before, so that consecutive versions of a document are not read again.
//!
//! Versions of a document share nearly all their stretches, and a stretch says the same wherever it
//! stands (see [`super::stretch`]); of a stretch that changed, nearly all blocks are the same. The
//! memo keeps what each said under a [`Fingerprint`] of all that its reading may look at. It changes
//! the time that reading takes and nothing else, so it may forget at will.

use std::collections::HashMap;
use std::sync::Arc;

use super::generations::{Generations, Kept};
use super::genre::{Genre, Voice};
use super::part::moved;
use super::reading::Made;
use super::shared::Shared;
use super::{
    Claim, Confirmation, Fingerprint, Intro, Mention, Part, Parts, Pitfall, Placed, Reader,
    Sentence, Statements, stretch,
};
use crate::documents::{Document, Text};
use crate::rules::RuleSet;

/// Bytes that a memo keeps before it starts to forget; about twice as much is held at most. What is
/// said is not counted: it is kept anyhow.
const CAPACITY: usize = 64 << 20;

/// Reads documents by one rule set and remembers what their stretches said.
#[derive(Debug)]
pub struct Memo<'r> {
    rules: &'r RuleSet,
    stretches: Generations<Arc<Part>>,
    steps: Generations<Step>,
    /// What blocks are made of: those that stand under another title are read on from there.
    made: Generations<Made>,
    /// Whether a text tells of a trial.
    trials: Generations<bool>,
    /// What a text speaks for.
    voices: Generations<Voice>,
    /// What is kept of all that was read, whatever is forgotten.
    shared: Shared,
    /// Parts that were known before.
    known: HashMap<Fingerprint, Arc<Part>>,
}

/// What reading a block gave.
#[derive(Clone, Debug)]
enum Step {
    /// Nothing, and it left the reader carrying nothing.
    Nothing,
    Told(Arc<Told>),
    /// It depends on whether the stretch tells of trials: read on under one of those keys.
    AsksForTrials,
}

/// What a block said.
#[derive(Debug)]
struct Told {
    /// Lines counted from the block's first.
    said: Statements,
    /// How it left the reader.
    intro: Intro,
    /// The key of its last claim.
    claimed: Option<u64>,
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
            steps: Generations::new(capacity * 5 / 16),
            made: Generations::new(capacity / 8),
            trials: Generations::new(capacity / 32),
            voices: Generations::new(capacity / 32),
            shared: Shared::default(),
            known: HashMap::new(),
        }
    }

    /// A memo that knows these parts.
    pub(crate) fn knowing(rules: &'r RuleSet, known: HashMap<Fingerprint, Arc<Part>>) -> Memo<'r> {
        Memo { known, ..Memo::new(rules) }
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
        let name = Fingerprint::of(&key);
        if let Some(known) = self.stretches.get(name) {
            return (base, known);
        }
        let part = self.known.get(&name).cloned().unwrap_or_else(|| {
            let mut said = moved(&read(), |line| line.wrapping_sub(base));
            self.shared.share(&mut said);
            said.shrink();
            Arc::new(Part { name: Some(name), said })
        });
        self.stretches.put(name, Arc::clone(&part));
        (base, part)
    }

    /// Reads a block, or does to the reader what reading it did before. The context is that of
    /// its stretch.
    pub(super) fn block(&self, reader: &mut Reader<'_>, index: usize, context: &stretch::Context) {
        let Some(mut key) = stretch::block_key(reader, index, context) else {
            return reader.block(index);
        };
        let base = reader.document.blocks[index].lines.start;
        let question = Fingerprint::of(&key);
        let mut name = question;
        let mut known = self.steps.get(name);
        if let Some(Step::AsksForTrials) = known {
            stretch::with_trials(&mut key, reader.tells_of_trials(index));
            name = Fingerprint::of(&key);
            known = self.steps.get(name);
        }
        match known {
            Some(Step::Nothing) => return reader.intro = Intro::default(),
            Some(Step::Told(told)) => {
                let Told { said, intro, claimed } = told.as_ref();
                reader.intro.clone_from(intro);
                reader.claimed.extend(claimed.map(|claimed| (index, claimed)));
                return reader.out.extend(moved(said, |line| line.wrapping_add(base)));
            }
            Some(Step::AsksForTrials) | None => {}
        }
        let own = Fingerprint::of(&stretch::own_key(&reader.document.blocks[index]));
        let made = self.made.get(own);
        let is_new = made.is_none();
        if let Some(made) = made {
            reader.readings.know(index, made);
        }
        let before = std::mem::take(&mut reader.out);
        reader.asked.set(false);
        reader.block(index);
        let made = reader.readings.made();
        if is_new {
            self.made.put(own, made);
        }
        let mut said = std::mem::replace(&mut reader.out, before);
        self.shared.share(&mut said);
        if reader.asked.get() {
            self.steps.put(question, Step::AsksForTrials);
            stretch::with_trials(&mut key, reader.tells_of_trials(index));
            name = Fingerprint::of(&key);
        }
        let mut told = Told {
            said: moved(&said, |line| line.wrapping_sub(base)),
            intro: reader.intro.clone(),
            claimed: reader.claimed.get(&index).copied(),
        };
        told.said.shrink();
        let step = match told.is_nothing() {
            true => Step::Nothing,
            false => Step::Told(Arc::new(told)),
        };
        self.steps.put(name, step);
        reader.out.extend(said);
    }

    /// Whether a text tells of a trial, remembered or as `find` finds it.
    pub(super) fn trial(&self, text: &Text, find: impl FnOnce() -> bool) -> bool {
        let name = Fingerprint::of(&stretch::words_key(text));
        if let Some(known) = self.trials.get(name) {
            return known;
        }
        let found = find();
        self.trials.put(name, found);
        found
    }

    /// What a text speaks for, remembered or as `find` finds it.
    pub(super) fn voice(&self, text: &Text, find: impl FnOnce() -> Voice) -> Voice {
        let name = Fingerprint::of(&stretch::words_key(text));
        self.voices.get(name).unwrap_or_else(|| {
            let found = find();
            self.voices.put(name, found);
            found
        })
    }
}

impl Told {
    fn is_nothing(&self) -> bool {
        let Self { said, intro, claimed } = self;
        said.is_empty() && *intro == Intro::default() && claimed.is_none()
    }
}

impl Kept for Arc<Part> {
    fn weight(&self) -> usize {
        size_of::<Part>() + weight(&self.said)
    }
}

impl Kept for Step {
    fn weight(&self) -> usize {
        match self {
            Step::Told(told) => size_of::<Told>() + weight(&told.said),
            Step::Nothing | Step::AsksForTrials => 0,
        }
    }
}

impl Kept for Made {
    fn weight(&self) -> usize {
        let sentences = self.sentences.iter().flat_map(|all| all.iter());
        sentences.map(Sentence::weight).sum::<usize>()
            + self.traces.as_ref().map_or(0, |traces| traces.weight())
    }
}

impl Kept for bool {
    fn weight(&self) -> usize {
        0
    }
}

impl Kept for Voice {
    fn weight(&self) -> usize {
        0
    }
}

/// What the lists of a text weigh; what they tell is shared with others.
fn weight(said: &Statements) -> usize {
    (said.claims.len() + said.withdrawn.len()) * size_of::<Claim>()
        + said.pitfalls.len() * size_of::<Pitfall>()
        + said.mentions.len() * size_of::<Mention>()
        + said.confirmations.len() * size_of::<Confirmation>()
        + said.signs.len() * size_of::<Placed>()
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
