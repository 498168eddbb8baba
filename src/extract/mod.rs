//! What one text says: claims, pitfalls, retests. Knows no commits and no other files.
//!
//! A document's blocks are read in order. Each stands in a frame (section, label, quote) that
//! changes what its words mean; each is cut into sentences and clauses; rules match in clauses and
//! guards forbid. What a rule says is data; the order of decisions is here.

mod basis;
mod claim;
mod column;
mod fingerprint;
mod footnote;
mod frame;
mod generations;
mod genre;
mod han;
mod heading;
mod known;
mod matching;
mod memo;
mod mention;
mod number;
mod occasion;
mod part;
mod pitfall;
pub mod proof;
mod reading;
mod reference;
mod remark;
mod retest;
mod shared;
mod stretch;
mod subject;
mod table;
mod trace;
mod trigger;
mod withdrawn;

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::documents::{Block, BlockKind, Document, Lines, Mark, Text};
use crate::rules::{Class, Place, Role, RuleSet};
use claim::Setting;
use frame::Frames;
use genre::Genre;
use matching::Sentence;
use pitfall::Entry;
use reading::{Reading, Readings};
use trace::{Trace, Tracer};

pub use crate::rules::{Dimension, Kind, SignClass};
pub use basis::{Basis, Near, Placed, Sign, Slip};
pub(crate) use fingerprint::Fingerprint;
pub use known::{WorldPitfall, within, world_pitfalls};
pub use memo::Memo;
pub use mention::{Mention, Script, Wording};
pub use occasion::{Occasion, When};
pub(crate) use part::{Part, Parts};
pub use reference::{Linked, Pin, Reference, Referent, linked, merged, pins, references, settings};
pub use retest::retests;
pub use trace::{Note, explain_line};

/// What a pitfall does to those who step into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Effect {
    /// Fails, hangs, does not start.
    Crash,
    /// Slow, or a speed that is not the real one.
    Perf,
    /// Wrong output, corruption.
    Wrong,
    /// Falsifies what is measured: the contract's `wrong` for measuring habits.
    Measure,
    /// Not said.
    Unknown,
}

impl Effect {
    /// Its word in rules and notes.
    pub fn name(self) -> &'static str {
        match self {
            Effect::Crash => "crash",
            Effect::Perf => "perf",
            Effect::Wrong => "wrong",
            Effect::Measure => "measure",
            Effect::Unknown => "unknown",
        }
    }
}

/// A number with its unit, as compared: `98.10 tokens/sec` is `98.1` and `tok/s`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    /// The number in canonical digits (no trailing zeros, plain minus, suffix multiplied out).
    pub number: String,
    /// Canonical unit, empty for a bare number.
    pub unit: String,
    /// What it measures.
    pub dimension: Dimension,
    /// Significant digits as written: `26.0` has three, `1,500` has two.
    pub digits: u8,
}

/// Why a statement is weaker than it sounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum HedgeClass {
    /// Somebody else's result.
    SecondHand,
    /// Computed, expected, not run.
    Estimate,
}

/// A hedge and the words it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hedge {
    /// Which.
    pub class: HedgeClass,
    /// The words, as written.
    pub words: String,
    /// Id of the rule that read it.
    pub rule: String,
    /// It is of another part of the sentence or row than the outcome, or in words that are as often
    /// said of something else.
    pub aside: bool,
}

/// A statement that something was found to be so: where it stands, and what it says, which versions
/// of a document share.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Where it stands.
    pub lines: Lines,
    /// Where else the same document says the same.
    pub also: Vec<Lines>,
    /// What it says; a claim is read as if it were this.
    pub(crate) what: Arc<Assertion>,
}

/// What a claim says, wherever it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assertion {
    /// Kind of outcome.
    pub kind: Kind,
    /// What it is about, for people.
    pub subject: String,
    /// The row or sentence, markup removed, on one line.
    pub text: String,
    /// Titles of the enclosing sections, outermost first.
    pub section: Vec<String>,
    /// Subject and outcome after normalisation: equal keys are the same claim.
    pub key: u64,
    /// Subject alone after normalisation.
    pub subject_key: u64,
    /// Canonical subject terms such as `device=3` or `model=…`, sorted, distinct.
    pub terms: Vec<String>,
    /// Hashes of the normalised content words, sorted, distinct: for likeness.
    pub words: Vec<u64>,
    /// Hashes of what it speaks of, sorted, distinct: its words, pairs of Han characters, and
    /// [`Assertion::metric`].
    pub topic: Vec<u64>,
    /// Of a row: the same for the title of the column that holds its first number.
    pub metric: Vec<u64>,
    /// Measured numbers in the order in which they stand.
    pub values: Vec<Quantity>,
    /// All numbers of the text in digits, those of names and number words too, sorted, but for days;
    /// of a row those of its subject.
    pub numerals: Vec<String>,
    /// The day, version or commit that it names.
    pub occasion: Option<Occasion>,
    /// Weaknesses that the text itself admits.
    pub hedges: Vec<Hedge>,
    /// What kinds of trouble a failure reports.
    pub effects: Vec<Effect>,
    /// Ids of phases (load, prefill, …) it names itself.
    pub phases: Vec<String>,
    /// Code spans, error names and the like: rare words that link texts.
    pub identifiers: Vec<String>,
    /// The words that give its own, sufficient cause, as written.
    pub own_cause: Option<String>,
    /// What its text tells of the grounds that it rests on.
    pub basis: Basis,
    /// Id of the rule that made it a claim.
    pub rule: String,
}

/// An entry that tells readers to avoid a named thing: where it stands, and what it says, which
/// versions of a document share.
#[derive(Clone, Debug, PartialEq)]
pub struct Pitfall {
    /// Where it stands.
    pub lines: Lines,
    /// What it says; a pitfall is read as if it were this.
    pub(crate) what: Arc<Warning>,
}

/// What a pitfall says, wherever it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Warning {
    /// The entry, markup removed, on one line.
    pub text: String,
    /// Titles of the enclosing sections, outermost first.
    pub section: Vec<String>,
    /// Tokens to avoid, as written, most specific first; never empty.
    pub triggers: Vec<String>,
    /// The triggers are needed: the trouble comes where they are missing.
    pub needed: bool,
    /// What it does.
    pub effect: Effect,
    /// Triggers and effect after normalisation: equal keys are the same pitfall.
    pub key: u64,
    /// Hashes of the normalised content words, sorted, distinct.
    pub words: Vec<u64>,
    /// Hashes of what its triggers speak of where they are phrases, not settings; as
    /// [`Assertion::topic`].
    pub topic: Vec<u64>,
    /// Canonical subject terms, sorted, distinct.
    pub terms: Vec<String>,
    /// Ids of phases it names.
    pub phases: Vec<String>,
    /// Code spans, error names and the like.
    pub identifiers: Vec<String>,
    /// Id of the rule that read it.
    pub rule: String,
}

/// A comment that speaks to this program: `claim-audit: ignore[check] why`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// What follows `claim-audit:`, on one line.
    pub text: String,
    /// Where it stands.
    pub lines: Lines,
    /// The lines that it speaks of: its own within a block, else those of the next block; `None`
    /// where no text follows.
    pub about: Option<Lines>,
}

/// All that one document says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statements {
    /// In order of their lines.
    pub claims: Vec<Claim>,
    /// In order of their lines.
    pub pitfalls: Vec<Pitfall>,
    /// In order of their lines.
    pub remarks: Vec<Remark>,
    /// Claims that the text itself takes back, struck out or in words; in order of their lines.
    pub withdrawn: Vec<Claim>,
    /// Sentences that say that something was run again, in order of their lines.
    pub confirmations: Vec<Confirmation>,
    /// Signs that matter beyond the claims beside them, in order of their lines.
    pub signs: Vec<Placed>,
    /// Every line with a number or code in it, claim or not; in order of their lines.
    pub mentions: Vec<Mention>,
    /// Where commands and files are shown, in order.
    pub code: Vec<Lines>,
    /// What of the document could not be read, one sentence each.
    pub problems: Vec<String>,
}

/// A sentence of a document that says that something was run again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    /// Where it stands.
    pub lines: Lines,
    /// Its words after normalisation: equal keys are the same sentence.
    pub key: u64,
    /// Keys of the claims that it belongs to by where it stands: the one it is part of, the one
    /// before it in its text, the row's, the parent item's.
    pub about: Vec<u64>,
    /// What it says.
    pub note: RetestNote,
}

/// A sentence that says something was run again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RetestNote {
    /// The words, as written.
    pub text: String,
    /// From a `Retest:` trailer: names a claim id or a subject in so many words.
    pub trailer: bool,
    /// Canonical subject terms of the sentence.
    pub terms: Vec<String>,
    /// Hashes of its normalised content words, sorted, distinct.
    pub words: Vec<u64>,
    /// Numbers in it.
    pub values: Vec<Quantity>,
    /// Code spans, error names and the like.
    pub identifiers: Vec<String>,
}

/// Reads all that a document says.
pub fn statements(document: &Document, rules: &RuleSet) -> Statements {
    read(document, rules, None, None).statements()
}

fn read(
    document: &Document,
    rules: &RuleSet,
    memo: Option<&Memo<'_>>,
    trace: Option<&Trace>,
) -> Parts {
    let readings = Readings::new(document);
    let genre = genre::of_document(document, &readings, rules, memo);
    let mut reader = Reader {
        trace,
        rules,
        document,
        genre,
        explains: genre,
        frames: Frames::new(document, rules),
        out: Statements::default(),
        memo,
        intro: Intro::default(),
        claimed: HashMap::new(),
        section_entry: None,
        section_triggers: Vec::new(),
        range: 0..0,
        trials: OnceCell::new(),
        asked: Cell::new(false),
        notes: OnceCell::new(),
        readings,
    };
    let read = |range: Range<usize>| match memo {
        Some(memo) => memo.stretch(document, genre, &range, || reader.stretch(range.clone())),
        None => (0, Arc::new(Part::unnamed(reader.stretch(range)))),
    };
    Parts {
        list: stretch::stretches(document).into_iter().map(read).collect(),
        remarks: remark::remarks(document),
        code: part::code(document),
        problems: document.problems.clone(),
    }
}

impl Statements {
    /// Adds what the next part of a document says.
    fn extend(&mut self, said: Statements) {
        self.claims.extend(said.claims);
        self.pitfalls.extend(said.pitfalls);
        self.withdrawn.extend(said.withdrawn);
        self.confirmations.extend(said.confirmations);
        self.signs.extend(said.signs);
        self.mentions.extend(said.mentions);
    }

    /// Tells whether it says nothing at all.
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Gives back what lists hold for more.
    fn shrink(&mut self) {
        self.claims.shrink_to_fit();
        self.pitfalls.shrink_to_fit();
        self.withdrawn.shrink_to_fit();
        self.confirmations.shrink_to_fit();
        self.signs.shrink_to_fit();
        self.mentions.shrink_to_fit();
    }
}

/// What the words that lead up to a list say of it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Intro {
    /// Role that a paragraph ending in a colon gives to the list after it.
    role: Option<Role>,
    /// That paragraph says that something failed: so did what the list names.
    fails: bool,
    /// It says whose results follow, or that they were computed: so is what the list says.
    hedges: Vec<Hedge>,
    /// Those words name nothing else: no list such as "footguns, clean-up, minor fixes".
    alone: bool,
}

/// A document on its way to be statements.
struct Reader<'a> {
    /// Where notes go when somebody asked how a line is read.
    trace: Option<&'a Trace>,
    rules: &'a RuleSet,
    document: &'a Document,
    /// What it is for.
    genre: Genre,
    /// What the stretch that is being read is for.
    explains: Genre,
    frames: Frames<'a>,
    out: Statements,
    /// What was read before.
    memo: Option<&'a Memo<'a>>,
    /// What the words that lead up to a list say of it.
    intro: Intro,
    /// The last claim of each block of the stretch so far.
    claimed: HashMap<usize, u64>,
    /// The section that was read as one pitfall entry as a whole.
    section_entry: Option<usize>,
    /// What that entry tells to avoid.
    section_triggers: Vec<String>,
    /// The stretch that is being read.
    range: Range<usize>,
    /// Whether it tells of a trial; found out when it is asked for.
    trials: OnceCell<bool>,
    /// Somebody asked since this was last reset.
    asked: Cell<bool>,
    /// Its footnotes, likewise.
    notes: OnceCell<Vec<footnote::Note>>,
    /// Every block's text, by index.
    readings: Readings<'a>,
}

impl<'a> Reader<'a> {
    /// Takes notes about a part of the document if it holds the line that was asked for.
    fn tracer(&self, lines: Lines) -> Tracer<'a> {
        self.trace.map_or_else(Tracer::default, |trace| trace.at(lines))
    }

    /// Reads blocks that depend on no others but the titles around them: see [`stretch`].
    fn stretch(&mut self, range: Range<usize>) -> Statements {
        self.range = range.clone();
        self.trials = OnceCell::new();
        self.notes = OnceCell::new();
        self.claimed.clear();
        self.explains = match self.genre {
            Genre::Guide => Genre::Guide,
            Genre::Open => {
                let (document, readings) = (self.document, &self.readings);
                genre::of_section(document, &range, readings, self.rules, self.memo)
            }
        };
        let known = self
            .memo
            .and_then(|memo| Some((memo, stretch::context(self.document, self.explains, &range)?)));
        for index in range {
            match &known {
                Some((memo, context)) => memo.block(self, index, context),
                None => self.block(index),
            }
        }
        std::mem::take(&mut self.out)
    }

    fn block(&mut self, index: usize) {
        let document = self.document;
        let block = &document.blocks[index];
        let trace = self.tracer(block.lines);
        trace.note("block", || format!("{}, {}", kind_name(&block.kind), trace::span(block.lines)));
        trace.note("section", || match self.path_of(block) {
            path if path.is_empty() => "none".to_owned(),
            path => path.join(" > "),
        });
        match &block.kind {
            BlockKind::Code { .. } | BlockKind::Comment | BlockKind::Field { .. } => {
                trace.note("decision", || "such a block makes no statement of its own".to_owned());
            }
            BlockKind::Heading(section) => self.heading(index, *section),
            BlockKind::Paragraph | BlockKind::Item { .. } => self.text(index),
            BlockKind::Table(table) => self.table(index, block, table),
            BlockKind::CodeComment => self.code_comment(index),
        }
        mention::of_block(document, self.rules, &self.readings, index, &mut self.out.mentions);
        self.readings.read(index);
    }

    fn text(&mut self, index: usize) {
        let block = &self.document.blocks[index];
        let reading = &self.readings[index];
        if reading.norm.trim().is_empty() && !reading.struck {
            return;
        }
        let is_item = matches!(block.kind, BlockKind::Item { .. });
        if !is_item && block.parent.is_none() {
            self.intro = Intro::default();
        }
        let (role, labelled) = self.role_of(index);
        let trace = self.tracer(block.lines);
        if is_link(&block.text) {
            trace.note("decision", || "nothing: the whole text is the title of a link".to_owned());
            return;
        }
        if matches!(block.kind, BlockKind::Item { checked: Some(false) }) {
            trace.note("decision", || "nothing: an open check box is a plan".to_owned());
            return;
        }
        let path = self.path_of(block);
        let place = if is_item { Place::Item } else { Place::Prose };
        let next = self.document.blocks.get(index + 1).map(|block| &block.kind);
        let before_code = matches!(next, Some(BlockKind::Code { .. }));
        let setting = Setting {
            place,
            role,
            genre: self.explains,
            path: &path,
            labelled,
            trials_only: false,
            before_code,
            failed: is_item && (self.intro.fails || role == Some(Role::Failures)),
            trace,
        };
        let sentences = Sentence::all(reading, self.rules);
        let leads_list = reading.norm.trim_end().ends_with(':');
        let title = block.section.and_then(|at| self.frames.get(at)).map(|frame| &frame.title);
        // "Set this first:" and a block of code, then what happens without.
        let warns = role == Some(Role::Pitfalls)
            || frame::is_warning(reading)
            || sentences.iter().any(|it| it.may_any(&self.rules.kinds.pitfalls));
        let shown = (!is_item && warns).then(|| self.settings_before(index)).flatten();
        let around: Vec<&Reading> = shown.iter().chain(title).collect();
        let expected = !leads_list && self.is_expected(index, role, labelled, sentences, &around);
        let entry = Entry {
            reading,
            sentences,
            context: &around,
            troubles: &[],
            title: None,
            lines: is_item.then_some(block.lines),
            expected,
        };
        trace.note("frame", || match expected {
            true => "says that a pitfall stands here".to_owned(),
            false => "says nothing of a pitfall".to_owned(),
        });
        let found = pitfall::of_entry(self.rules, &entry, setting)
            .filter(|found| self.is_news(found, block));
        let is_pitfall = found.is_some();
        let mut claims = Vec::new();
        let setting = Setting { trials_only: is_pitfall, ..setting };
        for (number, sentence) in sentences.iter().enumerate() {
            let setting = Setting { trace: trace.on(reading.lines(&sentence.range)), ..setting };
            let told = claim::read(self.rules, reading, sentence, setting);
            let before = claims.last().map(|(_, claim): &(usize, Claim)| claim.key);
            let above = || block.parent.and_then(|at| self.claimed.get(&at)).copied();
            let note = (!setting.tells_no_deed())
                .then(|| retest::confirmation(self.rules, reading, sentence))
                .flatten();
            let follows = note.is_some().then(|| before.or_else(above)).flatten();
            match told {
                Some(told) if told.withdrawn => self.out.withdrawn.push(told.claim),
                // "Confirmed again in March" says it of what stands before.
                Some(_) if follows.is_some() && note.as_ref().is_some_and(names_nothing) => {}
                Some(told) if !self.is_exposition(&told.claim, index, sentence, setting) => {
                    let noted = self.as_noted(told.claim, &reading.norm[sentence.range.clone()]);
                    claims.extend(noted.map(|claim| (number, claim)));
                }
                _ => {}
            }
            if let Some(note) = note {
                let own = claims.last().filter(|(at, _)| *at == number).map(|(_, it)| it.key);
                let about = own.or(follows).into_iter().collect();
                self.out.confirmations.push(Confirmation { about, ..note });
            }
        }
        if let ([sentence], true, true) =
            (sentences, claims.is_empty() && found.is_none(), setting.failed)
        {
            let named = claim::of_failed(self.rules, reading, sentence, setting);
            claims.extend(named.map(|named| (0, named)));
        }
        self.claimed.extend(claims.last().map(|(_, claim)| (index, claim.key)));
        let withdrawn = withdrawn::of_text(self.rules, &block.text, sentences, reading, setting);
        self.out.withdrawn.extend(withdrawn);
        // A list within the list has words of its own over it.
        let led = |at: usize| self.readings[at].norm.trim_end().ends_with(':');
        if is_item && !self.intro.hedges.is_empty() && !block.parent.is_some_and(led) {
            let here = sentences.iter().any(|sentence| {
                claim::class_hit(self.rules, reading, sentence, Class::Local).is_some()
            });
            let said = self.intro.hedges.iter();
            let said = said.filter(|hedge| !here || hedge.class != HedgeClass::SecondHand);
            let said: Vec<Hedge> = said.cloned().collect();
            claims.iter_mut().for_each(|(_, claim)| claim.hedges.extend(said.iter().cloned()));
        }
        if leads_list && claims.is_empty() {
            let shown = self.shown_in_code(index, sentences, setting);
            claims.extend(shown.map(|claim| (sentences.len() - 1, claim)));
        }
        let signs = basis::ground(self.rules, reading, sentences, &mut claims, &path);
        self.out.signs.extend(signs);
        basis::note(&claims, trace);
        if leads_list {
            let reported = Setting { before_code: true, ..setting };
            if !is_item {
                self.intro.hedges = sentences.last().map_or_else(Vec::new, |last| {
                    claim::doubt(self.rules, reading, last, None, Tracer::default()).hedges
                });
            }
            self.intro.fails = !is_item
                && sentences.last().is_some_and(|last| {
                    claim::outcome(self.rules, reading, last, reported)
                        .is_some_and(|outcome| outcome.kind == Kind::Failure)
                });
            self.intro.alone = !reading.norm.contains([',', '、']);
            self.intro.role = frame::label_role(reading, self.rules)
                .or_else(|| frame::said_role(&reading.norm, self.rules))
                // "`x` is broken. This causes:" leads to its effects, not to further pitfalls.
                .filter(|role| !(is_pitfall && *role == Role::Pitfalls));
        }
        self.out.pitfalls.extend(found);
        self.out.claims.extend(claims.into_iter().map(|(_, claim)| claim));
    }

    /// A comment of a script may warn of what it names; it makes no claim.
    fn code_comment(&mut self, index: usize) {
        let block = &self.document.blocks[index];
        let reading = &self.readings[index];
        let sentences = Sentence::all(reading, self.rules);
        let beside = self.settings_before(index);
        let around: Vec<&Reading> = beside.iter().collect();
        let entry = Entry {
            reading,
            sentences,
            context: &around,
            troubles: &[],
            title: None,
            lines: None,
            expected: false,
        };
        let setting = Setting {
            place: Place::Prose,
            role: None,
            genre: self.explains,
            path: &[],
            labelled: false,
            trials_only: false,
            before_code: false,
            failed: false,
            trace: self.tracer(block.lines),
        };
        // What fits everywhere but names no setting warns of nothing that a script could set.
        let found = pitfall::of_entry(self.rules, &entry, setting).filter(|found| {
            let named = trigger::named(self.rules, reading, &(0..reading.norm.len()));
            found.triggers.iter().any(|it| named.contains(it) || trigger::is_setting(it))
        });
        self.out.pitfalls.extend(found);
    }

    /// Tells whether a claim says how things are in general: no numbers, no conditions, and neither it
    /// nor its section tells of a trial.
    fn is_exposition(
        &self,
        claim: &Claim,
        index: usize,
        sentence: &Sentence,
        setting: Setting<'_>,
    ) -> bool {
        let reading = &self.readings[index];
        let text = reading.norm[sentence.range.clone()].to_lowercase();
        let says = |class| claim::class_hit(self.rules, reading, sentence, class).is_some();
        // "Three modules hang" counts what it is about; "3D" and "2nd" count nothing.
        let counts = says(Class::Counted)
            || text.split(|c: char| !c.is_alphanumeric()).any(|word| {
                let digits = !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit());
                digits || self.rules.number_words.get(word).is_some_and(|count| *count > 1)
            });
        let title = self.document.blocks[index].section.and_then(|at| self.frames.get(at));
        let named = title.is_some_and(|frame| {
            !claim::identifiers(&frame.title, &(0..frame.title.norm.len())).is_empty()
        });
        // A manual names things in code all the time; an entry on a trouble means the very thing.
        let of_trouble = matches!(setting.role, Some(Role::Pitfalls | Role::Limits));
        let specific = !(claim.values.is_empty() && claim.terms.is_empty())
            || of_trouble && !claim.identifiers.is_empty();
        if named
            || counts
            || specific
            || matches!(setting.role, Some(Role::Results | Role::Failures))
        {
            return false;
        }
        let general = !says(Class::Anchor) && !says(Class::Trial) && !self.tells_of_trials(index);
        if general {
            setting.trace.note("decision", || {
                "no claim: says how things are in general, in a section that tells of no trial"
                    .to_owned()
            });
        }
        general
    }

    /// A claim with what the footnotes say of the text that it was read from; nothing where they
    /// withdraw it.
    fn as_noted(&self, mut claim: Claim, text: &str) -> Option<Claim> {
        let notes = self.notes.get_or_init(|| {
            let is_text = |at: &usize| {
                let kind = &self.document.blocks[*at].kind;
                matches!(kind, BlockKind::Paragraph | BlockKind::Item { .. })
            };
            let texts = self.range.clone().filter(is_text);
            texts.filter_map(|at| footnote::Note::of(self.rules, &self.readings[at])).collect()
        });
        let doubt = footnote::doubt(notes, text);
        claim.hedges.extend(doubt.hedges);
        (!doubt.void).then_some(claim)
    }

    /// Tells whether anything that stands in the same stretch as a block tells of a trial.
    fn tells_of_trials(&self, index: usize) -> bool {
        self.asked.set(true);
        let known = self.trials.get_or_init(|| {
            let tells = |at: usize| match self.document.blocks[at].kind {
                BlockKind::Code { .. }
                | BlockKind::Comment
                | BlockKind::CodeComment
                | BlockKind::Field { .. } => false,
                // Rows of results are what a section of results consists of.
                BlockKind::Table(_) => true,
                BlockKind::Heading(_) | BlockKind::Paragraph | BlockKind::Item { .. } => {
                    let find = || {
                        let reading = &self.readings[at];
                        Sentence::any(reading, self.rules, |sentence| {
                            claim::class_hit(self.rules, reading, sentence, Class::Trial).is_some()
                        })
                    };
                    match self.memo {
                        Some(memo) => memo.trial(&self.document.blocks[at].text, find),
                        None => find(),
                    }
                }
            };
            self.range.clone().any(tells)
        });
        debug_assert!(self.range.contains(&index), "a block of the stretch being read");
        *known
    }

    /// The claim of a sentence that leads up to a block of measured output.
    fn shown_in_code(
        &self,
        index: usize,
        sentences: &[Sentence],
        setting: Setting<'_>,
    ) -> Option<Claim> {
        let code = self.document.blocks.get(index + 1)?;
        let last = sentences.last()?;
        if !matches!(code.kind, BlockKind::Code { .. }) || setting.role == Some(Role::Measuring) {
            return None;
        }
        claim::over_code(self.rules, &self.readings[index], last, code, setting)
    }

    /// Tells whether the frame of a paragraph or an item already says that it is a pitfall.
    fn is_expected(
        &self,
        index: usize,
        role: Option<Role>,
        labelled: bool,
        sentences: &[Sentence],
        around: &[&Reading],
    ) -> bool {
        let block = &self.document.blocks[index];
        let reading = &self.readings[index];
        let is_item = matches!(block.kind, BlockKind::Item { .. });
        let names = |reading: &Reading, range: &std::ops::Range<usize>| {
            !trigger::named(self.rules, reading, range).is_empty()
        };
        let whole = 0..reading.norm.len();
        let troubled = |sentence: &Sentence| claim::tells_effect(self.rules, reading, sentence);
        let trouble = || sentences.iter().any(troubled);
        if frame::is_warning(reading) {
            let named =
                names(reading, &whole) || around.iter().any(|it| names(it, &(0..it.norm.len())));
            return named && trouble();
        }
        match role {
            // A habit, not what was found.
            Some(Role::Measuring) => {
                let setting = Setting {
                    place: Place::Item,
                    role,
                    genre: self.explains,
                    path: &[],
                    labelled,
                    trials_only: false,
                    before_code: false,
                    failed: false,
                    trace: Tracer::default(),
                };
                let states = |sentence: &Sentence| {
                    claim::of_sentence(self.rules, reading, sentence, setting).is_some()
                };
                is_item && block.parent.is_none() && !sentences.first().is_some_and(states)
            }
            Some(Role::Pitfalls) if is_item && self.intro.role == Some(Role::Pitfalls) => {
                trouble() || self.intro.alone && names(reading, &whole)
            }
            Some(Role::Pitfalls) if is_item || labelled => names(reading, &whole) && trouble(),
            _ => false,
        }
    }

    /// What the block of code right before a paragraph sets.
    fn settings_before(&self, index: usize) -> Option<Reading> {
        let before = self.document.blocks.get(index.checked_sub(1)?)?;
        let code = matches!(before.kind, BlockKind::Code { .. });
        code.then(|| trigger::of_code(&before.text)).filter(|reading| !reading.codes.is_empty())
    }

    /// Within a section that is one entry as a whole, only another trigger makes another entry.
    fn is_news(&self, found: &Pitfall, block: &Block) -> bool {
        match (block.section == self.section_entry, self.section_triggers.as_slice()) {
            (false, _) => true,
            (true, known) => {
                found.rule != "frame"
                    && found.triggers.iter().all(|trigger| !known.contains(trigger))
            }
        }
    }

    /// The role of a block, and whether words right at it set the role: its own label, its parents', its list's, its quote's, its section's.
    fn role_of(&self, index: usize) -> (Option<Role>, bool) {
        let block = &self.document.blocks[index];
        let trace = self.tracer(block.lines);
        let mut at = Some(index);
        // Parents stand before their children, so this ends.
        while let Some(current) = at {
            if let Some(role) = frame::label_role(&self.readings[current], self.rules) {
                trace.note("role", || {
                    let line = self.document.blocks[current].lines.start;
                    format!("{}, set by the label on line {line}", role.name())
                });
                return (Some(role), true);
            }
            at = self.document.blocks[current].parent.filter(|parent| *parent < current);
        }
        let listed = matches!(block.kind, BlockKind::Item { .. }) || block.parent.is_some();
        if let Some(intro) = self.intro.role.filter(|_| listed) {
            trace.note("role", || {
                format!("{}, set by the words that lead up to the list", intro.name())
            });
            return (Some(intro), true);
        }
        let section =
            || block.section.and_then(|at| self.frames.get(at)).and_then(|frame| frame.role);
        let quoted = frame::quote_role(block.quote);
        let role = quoted.or_else(section);
        trace.note("role", || match (role, quoted) {
            (None, _) => "none".to_owned(),
            (Some(role), Some(_)) => format!("{}, set by the quote around it", role.name()),
            (Some(role), None) => self.frames.origin(block.section).map_or_else(
                || role.name().to_owned(),
                |title| format!("{}, set by the title \"{title}\"", role.name()),
            ),
        });
        (role, false)
    }

    fn path_of(&self, block: &Block) -> Rc<[String]> {
        let frame = block.section.and_then(|at| self.frames.get(at));
        frame.map_or_else(|| Rc::from([]), |frame| Rc::clone(&frame.path))
    }

    fn table(&mut self, index: usize, block: &Block, table: &crate::documents::Table) {
        let (role, labelled) = self.role_of(index);
        let path = self.path_of(block);
        let setting = Setting {
            place: Place::Cell,
            role,
            genre: self.explains,
            path: &path,
            labelled,
            trials_only: false,
            before_code: false,
            failed: false,
            trace: Tracer::default(),
        };
        let plan = table::Plan::new(table, self.rules);
        let caption = self.caption(index);
        let all_measured = basis::signs(self.rules, &format!("{caption} {}", path.join(" ")));
        let shown = |cells: &[Reading]| cells.iter().map(|cell| cell.shown.clone()).collect();
        let rows: Vec<Vec<String>> = plan.rows().map(|(_, cells)| shown(cells)).collect();
        let titles: Vec<String> = shown(plan.header());
        let mut totals = basis::totals(self.rules, &titles, &rows);
        for (number, (row, cells)) in plan.rows().enumerate() {
            let trace = self.tracer(row.lines);
            trace.note("columns", || plan.described());
            let setting = Setting { trace, ..setting };
            let joined = Reading::joined(cells);
            let sentences = Sentence::of_cells(&joined, cells, self.rules);
            let whole = 0..joined.norm.len();
            let troubles = plan.troubles(cells);
            let named = plan.causes || !trigger::named(self.rules, &joined, &whole).is_empty();
            let entry = Entry {
                reading: &joined,
                sentences: &sentences,
                context: &[],
                troubles: &troubles,
                title: None,
                lines: Some(row.lines),
                expected: plan.pitfalls && named && self.tells_trouble(&joined, &[]),
            };
            let found = pitfall::of_entry(self.rules, &entry, setting)
                .filter(|found| self.is_news(found, block));
            let is_pitfall = found.is_some();
            self.out.pitfalls.extend(found);
            let setting = Setting { trials_only: is_pitfall, ..setting };
            let claim = plan.claim(self.rules, number, cells, setting, &caption);
            let claim = claim.and_then(|claim| self.as_noted(claim, &joined.norm));
            let about: Vec<u64> = claim.iter().map(|claim| claim.key).collect();
            if !setting.tells_no_deed() {
                let notes = sentences
                    .iter()
                    .filter_map(|it| retest::confirmation(self.rules, &joined, it))
                    .map(|note| Confirmation { about: about.clone(), ..note });
                self.out.confirmations.extend(notes);
            }
            let lifted = withdrawn::of_row(self.rules, &plan, (number, row), setting, &caption);
            let other = |lifted: &Claim| claim.as_ref().is_none_or(|it| it.key != lifted.key);
            self.out.withdrawn.extend(lifted.filter(other));
            let mut claims: Vec<_> = claim.map(|claim| (0, claim)).into_iter().collect();
            let row = [Sentence::whole(&joined, self.rules)];
            let signs = basis::ground(self.rules, &joined, &row, &mut claims, &path);
            self.out.signs.extend(signs);
            for (_, claim) in &mut claims {
                let slips = totals.extract_if(.., |(at, _)| *at == number);
                claim.basis.slips.extend(slips.map(|(_, slip)| slip));
                claim.basis.share(&all_measured);
                claim.basis.signs.extend(basis::conditions(self.rules, &titles, &rows[number]));
            }
            basis::note(&claims, trace);
            self.out.claims.extend(claims.into_iter().map(|(_, claim)| claim));
        }
    }

    /// What stands right before a table, or its section's title.
    fn caption(&self, index: usize) -> String {
        let block = &self.document.blocks[index];
        index
            .checked_sub(1)
            .filter(|before| {
                let lead = &self.document.blocks[*before];
                matches!(lead.kind, BlockKind::Paragraph) && lead.section == block.section
            })
            .map(|before| self.readings[before].shown.trim().to_owned())
            .filter(|lead| lead.len() <= 200)
            .or_else(|| self.path_of(block).last().cloned())
            .unwrap_or_default()
    }
}

/// A note that has no subject of its own.
fn names_nothing(note: &Confirmation) -> bool {
    let RetestNote { terms, identifiers, values, .. } = &note.note;
    terms.is_empty() && identifiers.is_empty() && values.is_empty()
}

/// The whole text is a link: the title of what stands elsewhere.
fn is_link(text: &Text) -> bool {
    // Marks stand in the order in which they begin.
    let links = text.marks.iter().filter(|(_, mark)| *mark == Mark::Link).map(|(range, _)| range);
    let mut links = links.peekable();
    let mut any = false;
    for (at, _) in text.plain.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        while links.next_if(|range| range.end <= at).is_some() {}
        if links.peek().is_none_or(|range| range.start > at) {
            return false;
        }
        any = true;
    }
    any
}

/// A kind of block in words.
fn kind_name(kind: &BlockKind) -> &'static str {
    match kind {
        BlockKind::Heading(_) => "heading",
        BlockKind::Paragraph => "paragraph",
        BlockKind::Item { checked: None } => "list item",
        BlockKind::Item { checked: Some(true) } => "list item with a ticked box",
        BlockKind::Item { checked: Some(false) } => "list item with an open box",
        BlockKind::Table(_) => "table",
        BlockKind::Code { .. } => "code",
        BlockKind::Comment => "comment",
        BlockKind::CodeComment => "comment of a script",
        BlockKind::Field { .. } => "front matter",
    }
}
