//! Rule packs: what a domain knows, as data.
//!
//! A pack is a folder of YAML files. The built-in ones are embedded in the binary; further ones
//! add to them. `schema` is a file as written, `compile` checks it. Every rule carries
//! examples that it must and must not match; `extract::proof` runs them, since the guards that
//! decide look at clauses. Knows neither git nor checks, nor the disk beyond the bytes it is given.

mod compile;
mod error;
mod facts;
mod finder;
mod form;
mod known;
mod letters;
mod lexicon;
mod load;
mod merge;
mod needle;
mod pattern;
mod relevance;
mod schema;
mod shape;
mod sign;
mod source;
mod unit;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use globset::GlobSet;
use serde::{Deserialize, Serialize};

use crate::arithmetic::Vocabulary;
use compile::Compile;
use finder::Finder;

pub use error::{Error, Location, nearest};
pub use facts::Facts;
pub(crate) use finder::{Candidates, Mask, Matcher};
pub(crate) use form::{CitationClass, CitationRule, Form, FormKind, Pins};
pub(crate) use known::KnownRule;
pub(crate) use load::read;
pub use pattern::PatternError;
pub use relevance::{Negation, Weights};
pub use sign::SignClass;
pub(crate) use sign::SignRule;
pub(crate) use source::Source;
pub(crate) use unit::Units;

/// The files of a pack, each with the name that errors show.
pub type PackFiles = Vec<(String, Vec<u8>)>;

/// Bytes above which a rule file is refused.
pub(crate) const FILE_LIMIT: usize = 256 << 10;

/// Bytes above which all further files together are refused.
pub(crate) const TOTAL_LIMIT: usize = 4 << 20;

/// What kind of outcome a claim states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// It fails, crashes, does not fit, did not help.
    Failure,
    /// It works, passes, is verified.
    Success,
    /// A measured number is the point.
    Measurement,
}

impl Kind {
    /// Its word in packs and reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Failure => "failure",
            Kind::Success => "success",
            Kind::Measurement => "measurement",
        }
    }
}

/// What a measured number is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Dimension {
    /// Per second.
    Rate,
    /// Seconds.
    Time,
    /// Bytes, tokens.
    Size,
    /// Percent, times, fractions.
    Ratio,
    /// Accuracy, recall, loss, p-values.
    Quality,
    /// Watts, money and other cost.
    Cost,
    /// Anything else.
    Other,
}

/// How much a cue needs around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Strength {
    /// Only in a section of results or failures.
    Context,
    /// A subject beside it, and no section that tells of other things.
    Subject,
    /// Nothing.
    Alone,
}

/// What a pitfall rule needs beside its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Trigger,
    Effect,
    Both,
    Nothing,
}

/// Effects that rules name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum EffectWord {
    Crash,
    Perf,
    Wrong,
    Measure,
}

/// What a hedge does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Class {
    SecondHand,
    Estimate,
    Untested,
    Withdrawn,
    Local,
    Anchor,
    /// Tells that something was tried or measured, whatever came of it.
    Trial,
    /// Tells of a run of its own, by words that texts without one do not use.
    Record,
    /// Explains how something is used, or what it is.
    Guide,
    /// Counts the things that it speaks of.
    Counted,
    Cause,
}

/// Where a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Place {
    Prose,
    Item,
    Cell,
    Heading,
    /// A whole section, title and text: only for rules that ask for it.
    Section,
}

/// How a section is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Role {
    Results,
    Failures,
    Pitfalls,
    Measuring,
    Limits,
    Withdrawn,
    Plan,
    Instructions,
    Background,
    Changes,
    Social,
}

impl Role {
    /// Its word in packs.
    pub(crate) fn name(self) -> &'static str {
        Role::ALL.iter().find(|(_, role)| *role == self).map_or("none", |(name, _)| name)
    }

    pub(crate) const ALL: [(&'static str, Role); 11] = [
        ("results", Role::Results),
        ("failures", Role::Failures),
        ("pitfalls", Role::Pitfalls),
        ("measuring", Role::Measuring),
        ("limits", Role::Limits),
        ("withdrawn", Role::Withdrawn),
        ("plan", Role::Plan),
        ("instructions", Role::Instructions),
        ("background", Role::Background),
        ("changes", Role::Changes),
        ("social", Role::Social),
    ];
}

/// What a mark in a cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mark {
    Failure,
    Success,
    None,
    Untested,
}

/// Examples of one rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    pub(crate) must_match: Vec<String>,
    pub(crate) must_not_match: Vec<String>,
}

impl Proof {
    fn new(must_match: &[String], must_not_match: &[String]) -> Self {
        Proof { must_match: must_match.to_vec(), must_not_match: must_not_match.to_vec() }
    }
}

/// A compiled veto; one test suffices.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) id: String,
    pub(crate) before: Vec<Matcher>,
    pub(crate) after: Vec<Matcher>,
    pub(crate) clause_starts: Option<Matcher>,
    pub(crate) sentence_starts: Option<Matcher>,
    pub(crate) clause_has: Option<Matcher>,
    pub(crate) sentence_has: Option<Matcher>,
    pub(crate) sentence_ends: Option<Matcher>,
    pub(crate) prev_text: Vec<String>,
    pub(crate) next_text: Vec<String>,
    pub(crate) except: Option<Matcher>,
    /// Counts only where the match stands between quotation marks.
    pub(crate) in_quotes: bool,
}

/// A compiled claim rule.
#[derive(Debug)]
pub(crate) struct Cue {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) strength: Strength,
    /// Measured numbers in the sentence are its point, not this outcome.
    pub(crate) yields: bool,
    pub(crate) regex: Matcher,
    pub(crate) unless: Vec<usize>,
    pub(crate) places: Vec<Place>,
    pub(crate) proof: Proof,
}

/// A compiled pitfall rule.
#[derive(Debug)]
pub(crate) struct PitfallRule {
    pub(crate) id: String,
    pub(crate) needs: Needs,
    pub(crate) regex: Matcher,
    pub(crate) effect: Option<EffectWord>,
    pub(crate) trigger: Option<Side>,
    /// What is named is to be set: the trouble comes where it is missing.
    pub(crate) needed: bool,
    pub(crate) unless: Vec<usize>,
    pub(crate) roles: Vec<Role>,
    pub(crate) places: Vec<Place>,
    pub(crate) proof: Proof,
}

/// On which side of a match the words stand that name what to avoid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// What is said of it follows: "X is not a benchmark".
    Before,
    /// A ban, then its object: "do not use X".
    After,
    /// The match ends with it: "Y, not X".
    End,
    /// It begins with the last word of the match: "discard the first run".
    Last,
    /// It is the match.
    Within,
    /// It is missing, and was named before: "Set X. Without it …".
    Missing,
}

/// What a trigger form is a form of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// The whole text of a code span.
    Code,
    /// Words of running text.
    Prose,
    /// A whole title.
    Title,
}

/// A compiled trigger form.
#[derive(Debug)]
pub(crate) struct TriggerRule {
    pub(crate) id: String,
    pub(crate) of: Naming,
    pub(crate) regex: Matcher,
    /// Nobody is told to avoid such a thing, though another form fits too.
    pub(crate) never: bool,
    /// Guards by which it is only the replacement, or a symptom.
    pub(crate) unless: Vec<usize>,
    pub(crate) proof: Proof,
}

/// A compiled hedge.
#[derive(Debug)]
pub(crate) struct HedgeRule {
    pub(crate) id: String,
    pub(crate) class: Class,
    /// Its words are as often said of something else.
    pub(crate) weak: bool,
    /// It is said of the whole sentence, in whatever part it stands.
    pub(crate) whole: bool,
    pub(crate) regex: Matcher,
    pub(crate) unless: Vec<usize>,
    pub(crate) proof: Proof,
}

/// A compiled retest rule.
#[derive(Debug)]
pub(crate) struct RetestRule {
    pub(crate) id: String,
    pub(crate) regex: Matcher,
    pub(crate) unless: Vec<usize>,
    /// Not of documents.
    pub(crate) messages_only: bool,
    pub(crate) proof: Proof,
}

/// Words of an effect.
#[derive(Debug)]
pub(crate) struct EffectRule {
    pub(crate) effect: EffectWord,
    pub(crate) regex: Matcher,
    pub(crate) unless: Vec<usize>,
}

/// Words of a phase.
#[derive(Debug)]
pub(crate) struct PhaseRule {
    pub(crate) id: String,
    pub(crate) regex: Matcher,
}

/// A canonical subject term.
#[derive(Debug)]
pub(crate) struct SubjectRule {
    pub(crate) id: String,
    pub(crate) value: Option<String>,
    pub(crate) regex: Matcher,
    pub(crate) unless: Vec<usize>,
    pub(crate) proof: Proof,
}

/// Titles of one role.
#[derive(Debug)]
pub(crate) struct SectionRule {
    pub(crate) role: Role,
    pub(crate) titles: BTreeSet<String>,
    pub(crate) say: Option<Matcher>,
    /// Titles below it name troubles, not findings.
    pub(crate) symptoms: bool,
}

/// A label at the start of a paragraph that sets a role.
#[derive(Debug)]
pub(crate) struct LabelRule {
    pub(crate) role: Role,
    pub(crate) regex: Matcher,
    /// A colon in a match is its end.
    pub(crate) ends_at_colon: bool,
}

/// Table knowledge.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) outcome: Matcher,
    pub(crate) metric: Matcher,
    pub(crate) condition: Matcher,
    pub(crate) other: Matcher,
    pub(crate) success: Matcher,
    pub(crate) note: Matcher,
    pub(crate) pitfall: Matcher,
    /// What to do instead.
    pub(crate) remedy: Matcher,
    pub(crate) setting: Matcher,
    pub(crate) property: Matcher,
    pub(crate) trial: Matcher,
    pub(crate) empty: BTreeSet<String>,
    /// In lower case, the longest first.
    pub(crate) marks: Vec<(String, Mark)>,
}

/// A unit.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) base: String,
    pub(crate) spellings: Vec<String>,
    pub(crate) dimension: Dimension,
    pub(crate) measured: bool,
}

/// Words that say what a number measures.
#[derive(Debug)]
pub(crate) struct Metric {
    pub(crate) dimension: Dimension,
    pub(crate) regex: Matcher,
}

/// Which files are documents, and which hold settings.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) include: GlobSet,
    pub(crate) exclude: GlobSet,
    pub(crate) settings: GlobSet,
    pub(crate) skip_folders: BTreeSet<String>,
}

/// Identity of a loaded pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackInfo {
    /// Name.
    pub id: String,
    /// Raised with every change of meaning.
    pub version: u32,
    /// One line about it.
    pub title: String,
}

/// Rules by what they look for, to be asked for at once.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    pub(crate) cues: Mask,
    pub(crate) pitfalls: Mask,
    pub(crate) retests: Mask,
    pub(crate) signs: Mask,
    pub(crate) subjects: Mask,
}

/// All rules in force.
#[derive(Debug)]
pub struct RuleSet {
    packs: Vec<PackInfo>,
    digest: [u8; 32],
    files: Files,
    pub(crate) guards: Vec<Guard>,
    pub(crate) cues: Vec<Cue>,
    pub(crate) pitfalls: Vec<PitfallRule>,
    pub(crate) triggers: Vec<TriggerRule>,
    pub(crate) hedges: Vec<HedgeRule>,
    pub(crate) retests: Vec<RetestRule>,
    pub(crate) signs: Vec<SignRule>,
    pub(crate) arithmetic: Vocabulary,
    pub(crate) effects: Vec<EffectRule>,
    pub(crate) phases: Vec<PhaseRule>,
    pub(crate) subjects: Vec<SubjectRule>,
    pub(crate) sections: Vec<SectionRule>,
    pub(crate) labels: Vec<LabelRule>,
    pub(crate) tables: Tables,
    pub(crate) clause_breaks: Matcher,
    pub(crate) abbreviations: BTreeSet<String>,
    pub(crate) stop_words: HashSet<String>,
    /// Lower case; of scripts without spaces the beginning of a phrase.
    pub(crate) pronouns: BTreeSet<String>,
    /// Lower case.
    pub(crate) verbs: BTreeSet<String>,
    /// Words between the members of a list.
    pub(crate) joins: BTreeSet<String>,
    pub(crate) number_words: BTreeMap<String, u32>,
    pub(crate) suffixes: BTreeMap<String, f64>,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) units: Units,
    pub(crate) forms: Vec<Form>,
    pub(crate) citations: Vec<CitationRule>,
    pub(crate) pins: Pins,
    pub(crate) known: Vec<KnownRule>,
    /// What links a pitfall to a claim.
    pub weights: Weights,
    /// What turns a setting into its opposite.
    pub negation: Negation,
    pub(crate) kinds: Kinds,
    finder: Finder,
    origins: load::Origins,
}

/// The JSON Schema of a pack's files, for editors; made from the types that read them.
///
/// # Errors
/// None in practice: a schema is JSON.
pub fn pack_schema() -> Result<String, serde_json::Error> {
    let schema = schemars::schema_for!(schema::PackFile);
    serde_json::to_string_pretty(&schema).map(|text| text + "\n")
}

impl RuleSet {
    /// The packs that come with the program.
    ///
    /// # Errors
    /// None that a released program can give: a test loads them.
    pub fn built_in() -> Result<RuleSet, Error> {
        RuleSet::with(&[])
    }

    /// The built-in packs and further ones. Each pack is a list of files with the names that errors
    /// show. What the examples of its rules say is `extract::proof`'s to ask.
    ///
    /// # Errors
    /// Says which file or rule is wrong, where and how.
    pub fn with(further: &[PackFiles]) -> Result<RuleSet, Error> {
        // What only the program brings is checked by a test, not at every start.
        let when = if further.is_empty() { Compile::WhenNeeded } else { Compile::Now };
        load::rule_set(further, when)
    }

    /// Tells whether a rule comes from a pack that is not built in.
    pub fn is_further(&self, id: &str) -> bool {
        let merged = &self.origins.merged;
        merged.rules.get(id).is_some_and(|origin| origin.pack >= merged.built_in)
    }

    /// Where a rule or, with that name, a guard stands.
    pub fn location(&self, id: &str) -> Option<Location> {
        let merged = &self.origins.merged;
        let rule = merged.rules.get(id).map(|origin| (origin, false));
        let (origin, guard) = rule.or_else(|| Some((merged.guards.get(id)?, true)))?;
        self.origins.place(&origin.file, id, guard)
    }

    /// A digest of the packs in force, names of files included.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Packs in force, core first.
    pub fn packs(&self) -> &[PackInfo] {
        &self.packs
    }

    /// Every rule's id, in the order of their packs.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.proofs().map(|(id, _)| id)
    }

    /// Tells whether a path is a document.
    pub fn is_document(&self, path: &str) -> bool {
        self.files.include.is_match(path) && !self.files.exclude.is_match(path)
    }

    /// Tells whether a path is a script or a configuration in which settings are made.
    pub fn is_setting(&self, path: &str) -> bool {
        self.files.settings.is_match(path)
    }

    /// Tells whether a path is a file that pins versions or settings.
    pub fn is_pinning(&self, path: &str) -> bool {
        self.pins.files.is_match(path)
    }

    /// Tells whether a folder of this name is never entered.
    pub fn skips_folder(&self, name: &str) -> bool {
        self.files.skip_folders.contains(name)
    }

    /// The rules that can match in a text, or in a clause of it that begins or ends at one of
    /// `cuts`, which are in order.
    pub(crate) fn candidates(&self, text: &str, cuts: &[usize]) -> Candidates {
        self.finder.candidates(text, cuts)
    }

    /// No rule at all: of a text that none is to be tried on.
    pub(crate) fn no_candidates(&self) -> Candidates {
        self.finder.no_candidates()
    }

    /// The same rules, each tried on every text.
    #[cfg(test)]
    pub(crate) fn without_literals(mut self) -> RuleSet {
        self.finder = Finder::default();
        self.finder.look_for_nothing();
        self
    }

    /// Rules with their examples.
    pub(crate) fn proofs(&self) -> impl Iterator<Item = (&str, &Proof)> {
        let cues = self.cues.iter().map(|r| (r.id.as_str(), &r.proof));
        let pitfalls = self.pitfalls.iter().map(|r| (r.id.as_str(), &r.proof));
        let triggers = self.triggers.iter().map(|r| (r.id.as_str(), &r.proof));
        let hedges = self.hedges.iter().map(|r| (r.id.as_str(), &r.proof));
        let retests = self.retests.iter().map(|r| (r.id.as_str(), &r.proof));
        let subjects = self.subjects.iter().map(|r| (r.id.as_str(), &r.proof));
        let signs = self.signs.iter().map(|r| (r.id.as_str(), &r.proof));
        let forms = self.forms.iter().map(|r| (r.id.as_str(), &r.proof));
        let citations = self.citations.iter().map(|r| (r.id.as_str(), &r.proof));
        let words = cues.chain(pitfalls).chain(triggers).chain(hedges).chain(retests);
        let known = self.known.iter().map(|r| (r.id.as_str(), &r.proof));
        words.chain(subjects).chain(signs).chain(forms).chain(citations).chain(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a start takes on trust.
    #[test]
    fn every_built_in_expression_compiles() {
        load::rule_set(&[], Compile::Now).unwrap();
    }

    /// The strict reader too, so that users may copy from them.
    #[test]
    fn every_built_in_file_is_read_as_a_users_would_be() {
        for (name, bytes) in load::built_in_files().iter().flatten() {
            if let Err(error) = load::read::<schema::PackFile>(name, bytes) {
                panic!("{error}");
            }
        }
    }

    /// Literals decide which rules are tried at all, so they may miss none.
    #[test]
    fn whatever_matches_an_example_is_a_candidate() {
        let rules = RuleSet::built_in().unwrap();
        let matchers = rules.finder.matchers();
        let examples =
            rules.proofs().flat_map(|(_, p)| p.must_match.iter().chain(&p.must_not_match));
        for text in
            examples.flat_map(|text| [text.clone(), text.to_uppercase(), text.replace('s', "ſ")])
        {
            let candidates = rules.candidates(&text, &[]);
            for matcher in &matchers {
                assert!(candidates.may(matcher) || !matcher.is_match(&text), "{text}: {matcher:?}");
            }
        }
    }

    /// Alternatives are run one by one, which may change no match.
    #[test]
    fn alternatives_match_an_example_as_the_whole_rule_does() {
        let rules = RuleSet::built_in().unwrap();
        let cues = rules.cues.iter().map(|rule| (&rule.regex, &rule.proof));
        let pitfalls = rules.pitfalls.iter().map(|rule| (&rule.regex, &rule.proof));
        let mut several = 0;
        for (matcher, proof) in cues.chain(pitfalls) {
            for text in proof.must_match.iter().chain(&proof.must_not_match) {
                let candidates = rules.candidates(text, &[]);
                let whole: Vec<_> = matcher.find_iter(text).map(|hit| hit.range()).collect();
                let among: Vec<_> = matcher.find_among(text, &candidates).collect();
                assert_eq!(whole, among, "{text}");
                several += usize::from(among.len() > 1);
            }
        }
        assert!(several > 0, "some example holds two matches");
    }
}
