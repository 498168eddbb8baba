//! Claims in sentences and headings: the decision list, from cue to claim.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::genre::Genre;
use super::matching::{self, Hit, Sentence};
use super::number;
use super::occasion;
use super::reading::Reading;
use super::subject::{Tokens, key};
use super::trace::{self, Tracer};
use super::{Assertion, Basis, Claim, Dimension, Effect, Hedge, HedgeClass, Kind, Quantity};
use crate::documents::{Block, Lines};
use crate::rules::{Class, EffectRule, EffectWord, Place, Role, RuleSet, Strength};

/// Words beside a hedge up to which its clause only frames the others.
const FRAME_WORDS: usize = 4;

/// Numbers with a fraction part from which a sentence is about its numbers.
const SEVERAL: usize = 2;

/// Words of an item that names what failed, and tells no story.
const NAMING_WORDS: std::ops::RangeInclusive<usize> = 2..=16;

/// Words that a subject needs beside the words of its outcome.
const SUBJECT_TOKENS: usize = 2;

#[expect(clippy::expect_used, reason = "the expression is a literal and a test compiles it")]
static IDENTIFIER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?-u:\b)(?:[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|[A-Z]+[a-z]+[A-Z][A-Za-z0-9]+|[A-Za-z]+[0-9]+[A-Za-z0-9]*)(?-u:\b)",
    )
    .expect("a valid expression")
});

/// Where a text stands and how it is read there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'a> {
    /// Prose, list item, cell or heading.
    pub(super) place: Place,
    /// The frame's role.
    pub(super) role: Option<Role>,
    /// What the document is for.
    pub(super) genre: Genre,
    /// Titles around it.
    pub(super) path: &'a [String],
    /// The role was set by words right at the text, not by a title further up.
    pub(super) labelled: bool,
    /// Only what tells of a trial in itself: beside a ban, the rest belongs to the ban.
    pub(super) trials_only: bool,
    /// A block of code or output follows.
    pub(super) before_code: bool,
    /// The words that lead up to it say that what follows failed.
    pub(super) failed: bool,
    /// Takes notes of what is decided.
    pub(super) trace: Tracer<'a>,
}

impl Setting<'_> {
    /// A place in which nothing is claimed. In a section of plans the present state may still be
    /// told; a line that is labelled a plan is one.
    pub(super) fn tells_nothing(self) -> bool {
        match self.role {
            // What a guide lists as known trouble was met by somebody.
            Some(Role::Failures | Role::Pitfalls | Role::Limits) => false,
            Some(Role::Results) if self.labelled => false,
            _ if self.genre == Genre::Guide => true,
            Some(Role::Social | Role::Withdrawn | Role::Measuring) => true,
            Some(Role::Plan) => self.labelled,
            _ => false,
        }
    }

    /// A place in which nothing is told to have been done, or no longer holds.
    pub(super) fn tells_no_deed(self) -> bool {
        use Role::{Instructions, Measuring, Plan, Social, Withdrawn};
        matches!(self.role, Some(Instructions | Measuring | Plan | Social | Withdrawn))
    }
}

/// An outcome read in a sentence.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) kind: Kind,
    /// Id of the rule.
    pub(super) rule: String,
    /// Where the rule matched.
    pub(super) hit: Hit,
    /// The rule needs nothing beside itself.
    pub(super) alone: bool,
    /// Measured numbers beside it are the point of the sentence.
    yields: bool,
}

/// What a sentence says of its own reliability.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubt {
    pub(super) hedges: Vec<Hedge>,
    /// Withdrawn: no claim at all.
    pub(super) void: bool,
    /// The words of a cause that suffices.
    pub(super) cause: Option<String>,
}

/// The claim of one sentence, if it makes one.
pub(super) fn of_sentence(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    setting: Setting<'_>,
) -> Option<Claim> {
    read(rules, reading, sentence, setting).filter(|told| !told.withdrawn).map(|told| told.claim)
}

/// What a sentence claims.
pub(super) struct Told {
    pub(super) claim: Claim,
    /// And takes back in the same breath.
    pub(super) withdrawn: bool,
}

/// Reads what a sentence claims or takes back.
pub(super) fn read(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    setting: Setting<'_>,
) -> Option<Told> {
    note_sentence(rules, reading, sentence, setting.trace);
    let outcome = outcome(rules, reading, sentence, setting);
    setting.trace.note("decision", || match &outcome {
        None => "no claim: no rule holds".to_owned(),
        Some(outcome) => {
            format!("{} by `{}`", outcome.kind.name(), outcome.rule)
        }
    });
    let outcome = outcome?;
    stated(rules, reading, sentence, setting, outcome)
}

/// The claim of an item in a list of what failed, where its own words tell no outcome: what it names
/// failed.
pub(super) fn of_failed(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    setting: Setting<'_>,
) -> Option<Claim> {
    let text = reading.norm[sentence.range.clone()].trim_end();
    let words = text.split(' ').count();
    let names = (NAMING_WORDS.contains(&words) || !text.is_ascii() && words == 1)
        && !text.ends_with(['?', '？', ':', '：']);
    if !names || setting.tells_nothing() {
        return None;
    }
    setting.trace.note("decision", || "failure: the words over the list say so".to_owned());
    let end = sentence.range.end;
    let outcome = Outcome {
        kind: Kind::Failure,
        rule: "frame.failed".to_owned(),
        hit: end..end,
        alone: true,
        yields: false,
    };
    stated(rules, reading, sentence, setting, outcome)
        .filter(|told| !told.withdrawn)
        .map(|told| told.claim)
}

/// What a sentence claims or takes back with an outcome.
fn stated(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    setting: Setting<'_>,
    mut outcome: Outcome,
) -> Option<Told> {
    let told = Some(&outcome.hit).filter(|hit| !hit.is_empty());
    let doubt = doubt(rules, reading, sentence, told, setting.trace);
    if doubt.void {
        setting.trace.note("decision", || "withdrawn: no claim".to_owned());
    }
    let range = sentence.range.clone();
    if outcome.yields && numbers_are_the_point(rules, reading, &range) {
        outcome.kind = Kind::Measurement;
        setting.trace.note("decision", || "its numbers are the point".to_owned());
    }
    if setting.failed && outcome.kind == Kind::Measurement {
        outcome.kind = Kind::Failure;
        setting
            .trace
            .note("decision", || "failure: the words that lead up to the list say so".to_owned());
    }
    let tokens = Tokens::new(reading, &range, rules);
    let before = reading.words(&(range.start..outcome.hit.start));
    let subject = match before.split_whitespace().count() {
        0 | 1 => setting.path.last().cloned().unwrap_or_else(|| reading.words(&range).to_owned()),
        _ => before
            .trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')' && c != '`')
            .to_owned(),
    };
    let kind = kind_name(outcome.kind);
    let subject_tokens = Tokens::new(reading, &(range.start..outcome.hit.start), rules);
    // The numbers of a measurement are its outcome.
    let said = match outcome.kind {
        Kind::Measurement => tokens.clone(),
        Kind::Failure | Kind::Success => Tokens::outside(reading, &range, &outcome.hit, rules),
    };
    let claim = Assertion {
        kind: outcome.kind,
        subject,
        text: reading.words(&range).to_owned(),
        section: setting.path.to_vec(),
        key: key([kind, said.line().as_str()]),
        subject_key: key([subject_tokens.line().as_str()]),
        words: tokens.hashes(),
        topic: tokens.topic(),
        metric: Vec::new(),
        values: values(rules, reading, &range),
        numerals: number::numerals(reading.words(&range), rules),
        occasion: occasion::of_sentence(
            rules,
            reading,
            &range,
            outcome.hit.start,
            setting.path.last().map(String::as_str),
        ),
        hedges: doubt.hedges,
        effects: effects(rules, reading, sentence),
        phases: phases(rules, &reading.norm[range.clone()]),
        identifiers: identifiers(reading, &range),
        own_cause: doubt.cause,
        basis: Basis::default(),
        rule: outcome.rule,
        terms: tokens.terms,
    }
    .at(reading.lines(&range));
    Some(Told { claim, withdrawn: doubt.void })
}

/// The measurement that a sentence announces and a block of output after it shows.
pub(super) fn over_code(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    code: &Block,
    setting: Setting<'_>,
) -> Option<Claim> {
    let skipped = setting.tells_nothing()
        || matches!(setting.role, Some(Role::Plan | Role::Instructions | Role::Changes));
    if skipped || class_hit(rules, reading, sentence, Class::Anchor).is_none() {
        return None;
    }
    if number::is_data(&code.text.plain) {
        return None;
    }
    let output = Reading::of_plain(&code.text.plain, code.lines.start);
    let whole = 0..output.norm.len();
    if !number::scan(&output.norm, rules).iter().any(|found| found.measured) {
        return None;
    }
    let doubt = doubt(rules, reading, sentence, None, setting.trace);
    let range = sentence.range.clone();
    let tokens = Tokens::new(reading, &range, rules);
    let shown = Tokens::new(&output, &whole, rules);
    let lines = Lines { start: reading.lines(&range).start, end: code.lines.end };
    let text = reading.words(&range).to_owned();
    (!doubt.void).then(|| {
        Assertion {
            kind: Kind::Measurement,
            subject: text.trim_end_matches([':', ' ']).to_owned(),
            text,
            section: setting.path.to_vec(),
            key: key([kind_name(Kind::Measurement), tokens.line().as_str(), shown.line().as_str()]),
            subject_key: key([tokens.line().as_str()]),
            words: tokens.hashes(),
            topic: tokens.topic(),
            metric: Vec::new(),
            values: values(rules, &output, &whole),
            numerals: number::numerals(reading.words(&range), rules),
            occasion: None,
            hedges: doubt.hedges,
            effects: Vec::new(),
            phases: phases(rules, &reading.norm[range.clone()]),
            identifiers: identifiers(reading, &range),
            own_cause: None,
            basis: Basis::default(),
            rule: "code.numbers".to_owned(),
            terms: tokens.terms,
        }
        .at(lines)
    })
}

/// Reads the outcome of a sentence.
pub(super) fn outcome(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    setting: Setting<'_>,
) -> Option<Outcome> {
    if setting.tells_nothing() {
        setting.trace.note("decision", || no_place(setting));
        return None;
    }
    if !sentence.may_any(&rules.kinds.cues) {
        return None;
    }
    let text = &reading.norm[sentence.range.clone()];
    // What ends in a colon leads up to something; the numbers in it may still be told. What leads up
    // to a block of output tells what came out.
    let leads_up = setting.place != Place::Cell
        && !setting.before_code
        && text.trim_end_matches(['*', ' ']).ends_with(':');
    let anchored = LazyCell::new(|| class_hit(rules, reading, sentence, Class::Anchor).is_some());
    let recorded = LazyCell::new(|| class_hit(rules, reading, sentence, Class::Record).is_some());
    let several = setting.trials_only && number::scan(text, rules).len() >= SEVERAL;
    let mut best: Option<Outcome> = None;
    // The first words that give a number, and how many clauses are before them.
    let mut told: Option<Outcome> = None;
    for cue in rules.cues.iter().filter(|cue| sentence.may(&cue.regex)) {
        // Where somebody asks, a rule that does not come into question is still tried.
        let ignored = |why: &str| {
            if setting.trace.is_on()
                && let Some(hit) =
                    matching::first(rules, reading, sentence, &cue.regex, &cue.unless)
            {
                setting.trace.note("claim rule", || {
                    format!("`{}` matches \"{}\": {why}", cue.id, reading.words(&hit))
                });
            }
        };
        if !cue.places.is_empty() && !cue.places.contains(&setting.place) {
            ignored("it is for other places than this");
            continue;
        }
        let edit = setting.role == Some(Role::Changes) && cue.kind != Kind::Measurement;
        let allowed = match cue.strength {
            // What an edit mends or gives up is no outcome of a run.
            _ if edit => *recorded,
            Strength::Alone => setting.role != Some(Role::Plan) || *anchored,
            _ if setting.role == Some(Role::Plan) => false,
            Strength::Subject => match setting.role {
                Some(Role::Instructions | Role::Background | Role::Changes) => *anchored,
                _ => true,
            },
            Strength::Context => {
                matches!(setting.role, Some(Role::Results | Role::Failures | Role::Limits))
                    || *anchored
            }
        };
        if !allowed {
            ignored("a section of this role needs words that tell of a trial here");
            continue;
        }
        let named = ("claim rule", cue.id.as_str());
        let hit = matching::first_noted(
            setting.trace,
            named,
            rules,
            reading,
            sentence,
            &cue.regex,
            &cue.unless,
        );
        let Some(hit) = hit else { continue };
        let dropped = |why: &str| {
            setting.trace.note("claim rule", || format!("`{}` is dropped: {why}", cue.id));
        };
        let alone = cue.strength == Strength::Alone;
        // Numbers among results are about what the section is about.
        let numbers_of_hit = || number::scan(&reading.norm[hit.clone()], rules);
        let of_section = cue.kind == Kind::Measurement
            && setting.role == Some(Role::Results)
            && numbers_of_hit()
                .iter()
                .any(|it| it.fraction || it.quantity.dimension != Dimension::Size)
            && number::dimension_of(&reading.norm[hit.clone()], rules).is_some();
        let named = || setting.place == Place::Cell || has_subject(reading, sentence, &hit);
        if !alone && !of_section && !named() {
            dropped("nothing beside the match that it could be about");
            continue;
        }
        let kind = cue.kind;
        let numbers = kind == Kind::Measurement;
        if (leads_up && !(numbers && alone)) || (setting.trials_only && !(alone || several)) {
            dropped(if leads_up {
                "the sentence leads up to what follows"
            } else {
                "the words belong to the pitfall"
            });
            continue;
        }
        let candidate = Outcome { kind, rule: cue.id.clone(), hit, alone, yields: cue.yields };
        if numbers
            && tells(rules, &reading.norm[candidate.hit.clone()])
            && told.as_ref().is_none_or(|told| candidate.hit.start < told.hit.start)
        {
            told = Some(candidate.clone());
        }
        if best.as_ref().is_none_or(|best| rank(&candidate) < rank(best)) {
            best = Some(candidate);
        }
    }
    match (best, told) {
        // "It grew 85%, and the ceiling did not move": numbers that are told first, or beside words
        // that say of them what they show, are what was found.
        (Some(best), Some(told)) if best.yields && setting.place != Place::Cell => {
            setting.trace.note("decision", || format!("`{}` yields to numbers", best.rule));
            Some(told)
        }
        (best, _) => best,
    }
}

/// Why a place makes no claims, in words.
pub(super) fn no_place(setting: Setting<'_>) -> String {
    if setting.genre == Genre::Guide {
        return "nothing is claimed: the document explains, and tells of no run".to_owned();
    }
    let role = setting.role.map_or("none", Role::name);
    format!("nothing is claimed in a section read as {role}")
}

fn note_sentence(rules: &RuleSet, reading: &Reading, sentence: &Sentence, trace: Tracer<'_>) {
    let range = &sentence.range;
    trace.note("sentence", || {
        format!("{} ({})", reading.words(range), trace::span(reading.lines(range)))
    });
    for clause in sentence.clauses.iter().filter(|_| sentence.clauses.len() > 1) {
        trace.note("clause", || reading.words(clause).to_owned());
    }
    if trace.is_on() {
        for found in number::scan(&reading.norm[range.clone()], rules) {
            trace.note("number", || {
                let measured =
                    if found.measured { ", a unit that only measurements have" } else { "" };
                let quantity = &found.quantity;
                format!("{} {}{measured}", quantity.number, quantity.unit)
            });
        }
    }
}

/// Tells whether words give a value that was found, not the number of a setting or a count.
fn tells(rules: &RuleSet, text: &str) -> bool {
    number::scan(text, rules).iter().any(|found| {
        found.measured
            || found.fraction
            || matches!(found.quantity.dimension, Dimension::Ratio | Dimension::Time)
    })
}

/// "It completed, at 98 tok/s" tells how fast, not that.
pub(super) fn numbers_are_the_point(
    rules: &RuleSet,
    reading: &Reading,
    range: &Range<usize>,
) -> bool {
    let found = number::scan(&reading.norm[range.clone()], rules);
    let exact = |f: &number::Found| f.fraction && f.quantity.dimension == Dimension::Time;
    found.iter().any(|f| f.measured || exact(f))
        || found.iter().filter(|f| f.fraction).count() >= SEVERAL
}

/// An outcome beats a number; then the stronger rule, then the earlier words.
fn rank(outcome: &Outcome) -> (bool, bool, usize) {
    (outcome.kind == Kind::Measurement, !outcome.alone, outcome.hit.start)
}

fn has_subject(reading: &Reading, sentence: &Sentence, hit: &Hit) -> bool {
    // Words that stand far apart hold what they are about between them.
    let count = |range: Range<usize>| {
        let text = &reading.norm[range];
        let words = text
            .split(|c: char| !c.is_alphanumeric() && c != '`' && c != '\u{1a}')
            .filter(|word| word.len() > 1);
        let han = text.chars().filter(|c| ('\u{3400}'..='\u{9fff}').contains(c)).count();
        words.count() + han / 2
    };
    count(sentence.range.start..hit.start) + count(hit.end..sentence.range.end) >= SUBJECT_TOKENS
        || count(hit.clone()) >= SUBJECT_TOKENS * 2
}

/// Reads the hedges of a sentence; one that is not of its `outcome` stands aside.
pub(super) fn doubt(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    outcome: Option<&Hit>,
    trace: Tracer<'_>,
) -> Doubt {
    let mut doubt = Doubt::default();
    let mut local = false;
    for rule in &rules.hedges {
        let named = ("hedge", rule.id.as_str());
        let hit = matching::first_noted(
            trace,
            named,
            rules,
            reading,
            sentence,
            &rule.regex,
            &rule.unless,
        );
        let Some(hit) = hit else { continue };
        let words = reading.words(&hit).to_owned();
        match rule.class {
            Class::Withdrawn => doubt.void = true,
            Class::Local => local = true,
            Class::Anchor | Class::Trial | Class::Record | Class::Guide | Class::Counted => {}
            Class::Cause => doubt.cause = doubt.cause.or(Some(words)),
            Class::SecondHand | Class::Estimate | Class::Untested => {
                let class = match rule.class {
                    Class::SecondHand => HedgeClass::SecondHand,
                    _ => HedgeClass::Estimate,
                };
                let apart = |at| is_aside(reading, sentence, &hit, at);
                let aside = rule.weak || !rule.whole && outcome.is_some_and(apart);
                doubt.hedges.push(Hedge { class, words, rule: rule.id.clone(), aside });
            }
        }
    }
    if local {
        doubt.hedges.retain(|hedge| hedge.class != HedgeClass::SecondHand);
    }
    doubt
}

/// Whether a hedge is of a clause of its own: not of the one that tells the outcome, and with more in
/// it than a few words that frame the others ("by arithmetic from the bandwidth, ...").
fn is_aside(reading: &Reading, sentence: &Sentence, hedge: &Hit, outcome: &Hit) -> bool {
    let clause = sentence.clauses.iter().find(|clause| clause.contains(&hedge.start));
    clause.is_some_and(|clause| {
        let shared = hedge.start < outcome.end && outcome.start < hedge.end;
        let other = !clause.contains(&outcome.start) && !shared;
        let words = |range: Range<usize>| {
            let text = &reading.norm[range];
            let han = text.chars().filter(|c| ('\u{3400}'..='\u{9fff}').contains(c)).count();
            text.split_whitespace().count() + han / 2
        };
        let around = words(clause.start..hedge.start.max(clause.start))
            + words(hedge.end.min(clause.end)..clause.end);
        other && around > FRAME_WORDS
    })
}

/// The first match of any hedge rule of a class.
pub(super) fn class_hit(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    class: Class,
) -> Option<Hit> {
    rules
        .hedges
        .iter()
        .filter(|rule| rule.class == class)
        .find_map(|rule| matching::first(rules, reading, sentence, &rule.regex, &rule.unless))
}

/// Measured numbers of a range: those with a unit or a fraction part.
pub(super) fn values(rules: &RuleSet, reading: &Reading, range: &Range<usize>) -> Vec<Quantity> {
    let text = &reading.norm[range.clone()];
    let named = number::dimension_of(text, rules);
    number::scan(text, rules)
        .into_iter()
        .filter(|found| !found.quantity.unit.is_empty() || found.fraction)
        .map(|found| {
            let mut quantity = found.quantity;
            if let Some(named) = named.filter(|_| takes_name(&quantity)) {
                quantity.dimension = named;
            }
            quantity
        })
        .collect()
}

/// Only a bare number, a percentage or a ratio takes its meaning from the words around it.
pub(super) fn takes_name(quantity: &Quantity) -> bool {
    use super::Dimension::{Other, Ratio};
    matches!(quantity.dimension, Ratio | Other)
}

/// Tells whether a sentence names trouble.
pub(super) fn tells_effect(rules: &RuleSet, reading: &Reading, sentence: &Sentence) -> bool {
    let tells = |rule: &EffectRule| {
        matching::first(rules, reading, sentence, &rule.regex, &rule.unless).is_some()
    };
    rules.effects.iter().any(tells)
}

/// Kinds of trouble that a sentence names.
pub(super) fn effects(rules: &RuleSet, reading: &Reading, sentence: &Sentence) -> Vec<Effect> {
    let found: BTreeSet<Effect> = rules
        .effects
        .iter()
        .filter(|rule| {
            matching::first(rules, reading, sentence, &rule.regex, &rule.unless).is_some()
        })
        .map(|rule| effect(rule.effect))
        .collect();
    found.into_iter().collect()
}

/// Phases that a text names.
pub(super) fn phases(rules: &RuleSet, text: &str) -> Vec<String> {
    let candidates = rules.candidates(text, &[]);
    let named =
        rules.phases.iter().filter(|it| candidates.may(&it.regex) && it.regex.is_match(text));
    named.map(|phase| phase.id.clone()).collect()
}

/// Whether a text holds what every name that looks like code holds: most hold none.
pub(super) fn may_name_code(text: &str) -> bool {
    text.as_bytes().windows(2).any(|pair| match pair {
        [b'_', _] => true,
        [before, after] if before.is_ascii_lowercase() => {
            after.is_ascii_uppercase() || after.is_ascii_digit()
        }
        [before, after] => before.is_ascii_uppercase() && after.is_ascii_digit(),
        _ => false,
    })
}

/// Code spans and names that look like code.
pub(super) fn identifiers(reading: &Reading, range: &Range<usize>) -> Vec<String> {
    let codes = reading.codes_in(range).map(|code| code.text.trim().to_owned());
    let text = &reading.norm[range.clone()];
    let text = if may_name_code(text) { text } else { "" };
    let names = IDENTIFIER.find_iter(text).map(|hit| hit.as_str().to_owned());
    codes.chain(names).filter(|name| name.len() > 2).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The rule's word for an effect in the statement's type.
pub(super) fn effect(word: EffectWord) -> Effect {
    match word {
        EffectWord::Crash => Effect::Crash,
        EffectWord::Perf => Effect::Perf,
        EffectWord::Wrong => Effect::Wrong,
        EffectWord::Measure => Effect::Measure,
    }
}

/// Part of a key: the opposite outcome is another claim.
pub(super) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Failure => "failure",
        Kind::Success => "success",
        Kind::Measurement => "measurement",
    }
}

use std::cell::LazyCell;
