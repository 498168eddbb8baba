//! Rule packs as written: what a YAML file of a pack may hold.
//!
//! Every key is optional in every file, so that a pack may be cut into files as its author likes.
//! Unknown keys are errors.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::SignClass;
use super::form::{CitationSpec, FormSpec, PinsSpec};
use super::known::KnownSpec;
use super::relevance::{NegationSpec, WeightsSpec};

/// Words, either plain or by language; the language is for readers and makes no difference.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(untagged)]
pub(crate) enum Words {
    /// `[a, b]`
    Plain(Vec<String>),
    /// `{en: [a], zh: [b]}`
    ByLanguage(BTreeMap<String, Vec<String>>),
}

impl Default for Words {
    fn default() -> Self {
        Words::Plain(Vec::new())
    }
}

impl Words {
    /// All words in order.
    pub(crate) fn iter(&self) -> Box<dyn Iterator<Item = &String> + '_> {
        match self {
            Words::Plain(words) => Box::new(words.iter()),
            Words::ByLanguage(map) => Box::new(map.values().flatten()),
        }
    }

    /// Tells whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

impl<'de> Deserialize<'de> for Words {
    // By hand: the error of a derived choice between forms has neither a place nor a reason.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Words;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of words, or a map from language to such a list")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Words, A::Error> {
                let mut words = Vec::new();
                while let Some(word) = seq.next_element()? {
                    words.push(word);
                }
                Ok(Words::Plain(words))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Words, A::Error> {
                let mut words = BTreeMap::new();
                while let Some((language, list)) = map.next_entry()? {
                    words.insert(language, list);
                }
                Ok(Words::ByLanguage(words))
            }
        }
        deserializer.deserialize_any(Form)
    }
}

/// One YAML file of a pack.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PackFile {
    /// Set in exactly one file of a pack.
    pub(crate) pack: Option<PackHead>,
    /// Which files are documents.
    pub(crate) documents: DocumentsSpec,
    /// Named lists of words and patterns, used as `{name}`.
    pub(crate) lexicons: BTreeMap<String, Words>,
    /// Number words and suffixes.
    pub(crate) numbers: NumbersSpec,
    /// Units.
    pub(crate) units: Vec<UnitSpec>,
    /// Words that say what a number without a telling unit is a number of.
    pub(crate) metrics: Vec<MetricSpec>,
    /// Named vetoes.
    pub(crate) guards: Vec<GuardSpec>,
    /// Where a sentence falls into clauses.
    pub(crate) clauses: ClausesSpec,
    /// What makes a sentence, a cell or a heading a claim.
    pub(crate) cues: Vec<CueSpec>,
    /// What makes it a pitfall.
    pub(crate) pitfalls: Vec<PitfallSpec>,
    /// What a trigger looks like.
    pub(crate) triggers: Vec<TriggerSpec>,
    /// What weakens a claim, withdraws it or says that it was never tried.
    pub(crate) hedges: Vec<HedgeSpec>,
    /// What says that something was run again.
    pub(crate) retests: Vec<RetestSpec>,
    /// What a text tells of the grounds that a claim rests on.
    pub(crate) signs: Vec<SignSpec>,
    /// Words of equations.
    pub(crate) arithmetic: ArithmeticSpec,
    /// Words that tell an effect.
    pub(crate) effects: Vec<EffectSpec>,
    /// Words that tell a phase.
    pub(crate) phases: Vec<PhaseSpec>,
    /// Canonical subject terms.
    pub(crate) subjects: Vec<SubjectSpec>,
    /// Section titles that change how lines are read.
    pub(crate) sections: Vec<SectionSpec>,
    /// Table headers, marks and states.
    pub(crate) tables: TablesSpec,
    /// What references, versions and pins look like.
    pub(crate) forms: Vec<FormSpec>,
    /// Words that say what a reference is for.
    pub(crate) citations: Vec<CitationSpec>,
    /// Where versions and settings are pinned.
    pub(crate) pins: PinsSpec,
    /// Pitfalls that the world knows.
    pub(crate) known_pitfalls: Vec<KnownSpec>,
    /// What links a pitfall to a claim, and how much each link weighs.
    pub(crate) relevance: WeightsSpec,
    /// Words that turn a setting into its opposite.
    pub(crate) negation: NegationSpec,
}

/// Identity of a pack.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PackHead {
    /// Kebab-case name, equal to the folder's.
    pub(crate) id: String,
    /// Raised with every change of meaning.
    pub(crate) version: u32,
    /// One line for `--list-rules`.
    #[serde(default)]
    pub(crate) title: String,
    /// Packs that it builds on: they must be there, and are read before it.
    #[serde(default)]
    pub(crate) extends: Vec<String>,
    /// Ids of rules and guards of other packs that are not to hold.
    #[serde(default)]
    pub(crate) disable: Vec<String>,
}

/// Which files are documents: globs over paths, slash separated.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DocumentsSpec {
    /// Paths that are documents.
    pub(crate) include: Vec<String>,
    /// Paths that are none although included.
    pub(crate) exclude: Vec<String>,
    /// Folder names that are never entered.
    pub(crate) skip_folders: Vec<String>,
    /// Scripts and configuration in which settings are made.
    pub(crate) settings: Vec<String>,
}

/// Number words and suffixes.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct NumbersSpec {
    /// Word to value.
    pub(crate) words: BTreeMap<String, u32>,
    /// Suffix to factor.
    pub(crate) suffixes: BTreeMap<String, f64>,
}

/// A unit with its spellings.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnitSpec {
    /// Canonical spelling.
    pub(crate) base: String,
    /// Other spellings of the same unit.
    #[serde(default)]
    pub(crate) also: Vec<String>,
    /// What it measures: rate, time, size, ratio, quality, cost, other.
    #[schemars(extend("enum" = ["rate", "time", "size", "ratio", "quality", "cost", "other"]))]
    pub(crate) dimension: String,
    /// A number with it is a measurement in itself, as nobody specifies or sets it.
    #[serde(default)]
    pub(crate) measured: bool,
    /// How large it is, so that equations can be worked out across units.
    #[serde(default)]
    pub(crate) size: Option<SizeSpec>,
}

/// `{of: B, factor: 1000000000, loosely: 1073741824}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SizeSpec {
    /// In what it is given.
    pub(crate) of: String,
    /// How many of them one is.
    pub(crate) factor: f64,
    /// As how many of them it is often meant.
    #[serde(default)]
    pub(crate) loosely: Option<f64>,
}

/// Words of equations, whole and in any case.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ArithmeticSpec {
    /// They stand for an equals sign between a part of a whole and its share.
    pub(crate) equals: Words,
    /// They stand between a part and its whole.
    pub(crate) of: Words,
    /// They call the number after them approximate.
    pub(crate) about: Words,
    /// They stand before the first of two numbers of which one became the other.
    pub(crate) from: Words,
    /// They stand between the two.
    pub(crate) to: Words,
    /// Times.
    pub(crate) times: Words,
    /// Plus.
    pub(crate) plus: Words,
    /// Minus.
    pub(crate) minus: Words,
    /// What is split into parts that must add up to it: layers.
    pub(crate) wholes: Words,
    /// Titles of rows and columns that hold the sum of the others.
    pub(crate) totals: Words,
}

/// Words that say what a number measures.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MetricSpec {
    /// rate, time, size, ratio, quality, cost, other.
    #[schemars(extend("enum" = ["rate", "time", "size", "ratio", "quality", "cost", "other"]))]
    pub(crate) dimension: String,
    /// Patterns.
    pub(crate) say: Vec<String>,
}

/// A named veto: one of its tests suffices.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct GuardSpec {
    /// Name used in `unless`.
    pub(crate) id: String,
    /// Takes the place of the one with the same id in an earlier pack.
    pub(crate) r#override: bool,
    /// Patterns right after the match.
    pub(crate) after: Words,
    /// Patterns within so many tokens after the match.
    pub(crate) after_within: Option<Within>,
    /// Patterns right before the match.
    pub(crate) before: Words,
    /// Patterns within so many tokens before the match.
    pub(crate) before_within: Option<Within>,
    /// The clause starts with one of these.
    pub(crate) clause_starts: Words,
    /// The sentence starts with one of these.
    pub(crate) sentence_starts: Words,
    /// One of these stands anywhere in the clause.
    pub(crate) clause_has: Words,
    /// One of these stands anywhere in the sentence.
    pub(crate) sentence_has: Words,
    /// The sentence ends with one of these.
    pub(crate) sentence_ends: Words,
    /// Characters that touch the match on its left.
    pub(crate) prev_text: Vec<String>,
    /// Characters that touch the match on its right.
    pub(crate) next_text: Vec<String>,
    /// Lifts the veto where one of these stands anywhere in the sentence.
    pub(crate) except: Words,
    /// Counts only where the match stands between quotation marks.
    pub(crate) in_quotes: bool,
}

/// `{tokens: 3, of: [...]}`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Within {
    /// How far, in tokens; two Han characters count as one.
    pub(crate) tokens: u32,
    /// What.
    pub(crate) of: Words,
}

/// Where a sentence falls into clauses.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ClausesSpec {
    /// Patterns after which a new clause begins.
    pub(crate) breaks: Words,
    /// Words before a full stop that do not end a sentence.
    pub(crate) abbreviations: Vec<String>,
    /// Guards that every cue has without naming them.
    pub(crate) vetoes: Vec<String>,
    /// Guards that every pitfall rule has without naming them.
    pub(crate) pitfall_vetoes: Vec<String>,
    /// Common words without weight in comparisons.
    pub(crate) stop_words: Words,
    /// Words that stand for others: a phrase that begins with one names nothing.
    pub(crate) pronouns: Words,
    /// Verbs with which a statement about a phrase begins: it is no part of the phrase.
    pub(crate) verbs: Words,
    /// Words between the members of a list: "`a` or `b`".
    #[serde(default)]
    pub(crate) joins: Words,
}

/// A claim rule.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CueSpec {
    /// Dotted name, unique over all packs.
    pub(crate) id: String,
    /// Takes the place of the one with the same id in an earlier pack.
    #[serde(default)]
    pub(crate) r#override: bool,
    /// failure, success or measurement.
    #[schemars(extend("enum" = ["failure", "success", "measurement"]))]
    pub(crate) kind: String,
    /// alone, subject (needs something it speaks of and a place where results are told) or context
    /// (only in a section of results or failures).
    #[schemars(extend("enum" = ["alone", "subject", "context"]))]
    pub(crate) strength: String,
    /// What a sentence is about that also has measured numbers: `words` (this rule's outcome, the
    /// default of failures) or `numbers` (a measurement, the default of successes).
    #[serde(default)]
    #[schemars(extend("enum" = ["words", "numbers", null]))]
    pub(crate) beside_numbers: Option<String>,
    /// Patterns.
    pub(crate) say: Vec<String>,
    /// Guards that veto it.
    #[serde(default)]
    pub(crate) unless: Vec<String>,
    /// Standing vetoes that do not apply to it.
    #[serde(default)]
    pub(crate) despite: Vec<String>,
    /// prose, item, cell, heading; all where left out.
    #[serde(default)]
    pub(crate) r#where: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_match: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_not_match: Vec<String>,
}

/// A pitfall rule.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PitfallSpec {
    /// Dotted name, unique over all packs.
    pub(crate) id: String,
    /// Takes the place of the one with the same id in an earlier pack.
    #[serde(default)]
    pub(crate) r#override: bool,
    /// trigger (a token to avoid must be named), effect (a bad effect must be said), both, none.
    #[schemars(extend("enum" = ["trigger", "effect", "both", "nothing"]))]
    pub(crate) needs: String,
    /// Patterns.
    pub(crate) say: Vec<String>,
    /// The effect, where the words themselves tell it.
    #[serde(default)]
    pub(crate) effect: Option<String>,
    /// Where the words stand that name what to avoid: before the match, after it, at its end (the
    /// match ends in them or they follow), from its last word on, within the match
    /// itself, or missing: named before the match, where the trouble that it keeps away is told after.
    #[serde(default)]
    pub(crate) trigger: Option<String>,
    /// What is named is to be set, and the trouble comes where it is missing; so with the trigger
    /// `missing`.
    #[serde(default)]
    pub(crate) needed: bool,
    /// Guards that veto it.
    #[serde(default)]
    pub(crate) unless: Vec<String>,
    /// Standing vetoes that do not apply to it.
    #[serde(default)]
    pub(crate) despite: Vec<String>,
    /// Only in sections of these roles.
    #[serde(default)]
    pub(crate) sections: Vec<String>,
    /// prose, item, cell, heading; all where left out.
    #[serde(default)]
    pub(crate) r#where: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_match: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_not_match: Vec<String>,
}

/// What a trigger looks like.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TriggerSpec {
    /// Dotted name, unique over all packs.
    pub(crate) id: String,
    /// Takes the place of the one with the same id in an earlier pack.
    #[serde(default)]
    pub(crate) r#override: bool,
    /// code (the whole text of a code span), prose, or title (a whole title that names nothing to
    /// avoid: `never` only).
    #[schemars(extend("enum" = ["code", "prose", "title"]))]
    pub(crate) of: String,
    /// Regular expression over the code span, or patterns over prose.
    #[serde(default)]
    pub(crate) re: Option<String>,
    /// Patterns over prose.
    #[serde(default)]
    pub(crate) say: Vec<String>,
    /// A form that is never to be avoided though another one fits: an error text, a bare value.
    #[serde(default)]
    pub(crate) never: bool,
    /// Guards by which it is only the replacement, or a symptom.
    #[serde(default)]
    pub(crate) unless: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_match: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_not_match: Vec<String>,
}

/// A hedge rule.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HedgeSpec {
    /// Dotted name, unique over all packs.
    pub(crate) id: String,
    /// Takes the place of the one with the same id in an earlier pack.
    #[serde(default)]
    pub(crate) r#override: bool,
    /// second-hand, estimate, untested (no claim), withdrawn (no claim), local (lifts second-hand),
    /// anchor (speaks of this place, not of the world), trial (something was tried), record (a run of
    /// its own is told of), guide (explains how something is used),
    /// counted (says of how many things it speaks) or cause (sufficient in itself).
    #[schemars(extend("enum" = ["second-hand", "estimate", "untested", "withdrawn", "local", "anchor", "trial", "record", "guide", "counted", "cause"]))]
    pub(crate) class: String,
    /// Its words are as often said of something else: what they weaken is worth a look, no more.
    #[serde(default)]
    pub(crate) weak: bool,
    /// It is said of the whole sentence, in whatever part it stands: "but that is arithmetic".
    #[serde(default)]
    pub(crate) whole: bool,
    /// Patterns.
    pub(crate) say: Vec<String>,
    /// Guards that veto it.
    #[serde(default)]
    pub(crate) unless: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_match: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_not_match: Vec<String>,
}

/// A retest rule.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetestSpec {
    /// Dotted name, unique over all packs.
    pub(crate) id: String,
    /// Takes the place of the one with the same id in an earlier pack.
    #[serde(default)]
    pub(crate) r#override: bool,
    /// Patterns.
    pub(crate) say: Vec<String>,
    /// It tells of a retest in commit messages only: in a document the words mean something else.
    #[serde(default)]
    pub(crate) messages_only: bool,
    /// Guards that veto it.
    #[serde(default)]
    pub(crate) unless: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_match: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_not_match: Vec<String>,
}

/// What a sentence or a row tells of the grounds that a claim rests on. Code spans are read as words.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignSpec {
    /// Dotted name, unique over all packs.
    pub(crate) id: String,
    /// Takes the place of the one with the same id in an earlier pack.
    #[serde(default)]
    pub(crate) r#override: bool,
    /// What it is a sign of.
    #[schemars(extend("enum" = SignClass::ALL.map(|(name, _)| name).to_vec()))]
    pub(crate) sign: String,
    /// Patterns.
    pub(crate) say: Vec<String>,
    /// For a probe: kinds of claims that it cannot carry; all where left out.
    #[serde(default)]
    pub(crate) blind_to: Vec<String>,
    /// For an amount and for words that blame one: of which resource.
    #[serde(default)]
    pub(crate) resource: Option<String>,
    /// For a parameter: phases in which it has an effect.
    #[serde(default)]
    pub(crate) acts_in: Vec<String>,
    /// Guards that veto it.
    #[serde(default)]
    pub(crate) unless: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_match: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_not_match: Vec<String>,
}

/// Words that tell an effect.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EffectSpec {
    /// crash, perf, wrong, measure.
    #[schemars(extend("enum" = ["crash", "perf", "wrong", "measure"]))]
    pub(crate) effect: String,
    /// Patterns.
    pub(crate) say: Vec<String>,
    /// Guards that veto it.
    #[serde(default)]
    pub(crate) unless: Vec<String>,
}

/// Words that tell a phase.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PhaseSpec {
    /// Name.
    pub(crate) id: String,
    /// Patterns.
    pub(crate) say: Vec<String>,
}

/// A canonical subject term.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SubjectSpec {
    /// Name of the term: `device` gives `device=3`.
    pub(crate) id: String,
    /// Takes the place of the one with the same id in an earlier pack.
    #[serde(default)]
    pub(crate) r#override: bool,
    /// Patterns; `{count}` or a capture is the value.
    pub(crate) say: Vec<String>,
    /// Fixed value where the words themselves are it.
    #[serde(default)]
    pub(crate) value: Option<String>,
    /// Guards that veto it.
    #[serde(default)]
    pub(crate) unless: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_match: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_not_match: Vec<String>,
}

/// Section titles that change how lines are read.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SectionSpec {
    /// results, failures, pitfalls, measuring, limits, withdrawn, plan, instructions, background,
    /// changes, social.
    #[schemars(extend("enum" = ["results", "failures", "pitfalls", "measuring", "limits", "withdrawn", "plan", "instructions", "background", "changes", "social"]))]
    pub(crate) role: String,
    /// Whole titles, without numbering, emoji and case.
    #[serde(default)]
    pub(crate) titles: Words,
    /// Patterns that may stand anywhere in a title.
    #[serde(default)]
    pub(crate) say: Words,
    /// Bold or plain `Label:` at the start of a paragraph or item that sets the role for it.
    #[serde(default)]
    pub(crate) labels: Words,
    /// Titles within such a section name troubles that readers may have, not what was found.
    #[serde(default)]
    pub(crate) symptoms: bool,
}

/// Table headers, marks and states.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TablesSpec {
    /// Headers of columns that hold outcomes.
    pub(crate) outcome_headers: Words,
    /// Headers of columns that hold numbers.
    pub(crate) metric_headers: Words,
    /// Headers of columns that are part of the subject.
    pub(crate) condition_headers: Words,
    /// Headers of columns that hold neither.
    pub(crate) other_headers: Words,
    /// Headers of columns whose numbers are what was reached and held: "highest verified prompt".
    pub(crate) success_headers: Words,
    /// Headers of columns with remarks and sources.
    pub(crate) note_headers: Words,
    /// Headers of tables of things to avoid.
    pub(crate) pitfall_headers: Words,
    /// Of these, headers of columns that tell what to do instead: what they name is no trigger.
    #[serde(default)]
    pub(crate) remedy_headers: Words,
    /// Headers of tables of settings and descriptions, which make no claims.
    pub(crate) setting_headers: Words,
    /// Patterns in a header, caption or title of a table that lists properties of things (a
    /// specification, a pin map), not results.
    pub(crate) property_words: Words,
    /// Patterns that say that it lists results all the same.
    pub(crate) trial_words: Words,
    /// Mark or state at the start of a cell: failure, success, none, untested.
    pub(crate) marks: BTreeMap<String, String>,
    /// Cells that say nothing.
    pub(crate) empty: Words,
}
