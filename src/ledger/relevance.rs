//! Could this pitfall explain or distort this outcome? A sum of features, so that a reader who
//! disagrees sees on what it rests.

use std::collections::{BTreeSet, HashMap};

use super::trigger::Trigger;
use crate::extract::{Claim, Effect, Kind, Pitfall, SignClass};
use crate::lineage::{Lineage, Lineages, PitfallLineage};
use crate::rules::Weights;
use crate::texts::Message;

/// A word in more than one of so many claims does not say what one of them is about.
const TELLING_SHARE: usize = 8;
/// In so few it does, however few there are.
const FEW: usize = 4;

/// What links a pitfall to a claim.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relevance {
    /// The sum of the features, before the gate.
    pub(super) score: f64,
    /// A rare name or a rare condition is in both.
    pub(super) specific: bool,
    /// The rare name is what the pitfall tells to avoid.
    pub(super) named: bool,
    /// The claim's own words name what a habit of measuring falsifies.
    pub(super) habit: bool,
    /// Both name this phase.
    pub(super) phase: Option<String>,
    /// Both stand in the same section of the same document.
    pub(super) section: bool,
    /// The trigger acts on everything.
    pub(super) global: bool,
    /// It acts on every process, not on the one that is given a flag.
    pub(super) everywhere: bool,
    /// For people, most telling first.
    pub why: Vec<Message>,
}

/// How many claims hold each name, condition and word.
#[derive(Debug, Default)]
pub(super) struct Commonness {
    names: HashMap<String, usize>,
    words: HashMap<u64, usize>,
    topics: HashMap<u64, usize>,
    claims: usize,
}

impl Commonness {
    pub(super) fn new(lineages: &Lineages) -> Self {
        let mut common = Self { claims: lineages.claims.len(), ..Self::default() };
        for lineage in &lineages.claims {
            for name in
                names(&lineage.claim.identifiers).into_iter().chain(names(&lineage.claim.terms))
            {
                *common.names.entry(name).or_default() += 1;
            }
            for word in &lineage.claim.words {
                *common.words.entry(*word).or_default() += 1;
            }
            for word in &lineage.claim.topic {
                *common.topics.entry(*word).or_default() += 1;
            }
        }
        common
    }

    /// Whether a claim names what a habit of measuring falsifies: several words of what the entry
    /// says to avoid, a rare one among them. A claim that tells of many runs shows that it was
    /// looked at more closely.
    pub(super) fn names_habit(&self, claim: &Claim, pitfall: &Pitfall, weights: &Weights) -> bool {
        if pitfall.effect != Effect::Measure || claim.basis.own(SignClass::Deeper).is_some() {
            return false;
        }
        let shared: Vec<_> = pitfall.topic.iter().filter(|it| claim.topic.contains(it)).collect();
        let rare = |word: &&&u64| self.rare(self.topics.get(*word), weights);
        shared.len() >= weights.habit_words && shared.iter().any(|word| rare(&word))
    }

    /// Whether a word says what a claim is about, in a repository where most speak of one thing.
    pub(super) fn tells(&self, word: u64) -> bool {
        self.topics.get(&word).is_some_and(|count| *count <= (self.claims / TELLING_SHARE).max(FEW))
    }

    /// A condition that few claims name.
    pub(super) fn is_rare(&self, term: &str, weights: &Weights) -> bool {
        self.rare(self.names.get(&term.trim().to_lowercase()), weights)
    }

    fn rare(&self, count: Option<&usize>, weights: &Weights) -> bool {
        let share = self.claims / weights.rare_share.max(1);
        let most = share.min(weights.rare_most).max(weights.rare_count);
        count.is_some_and(|count| *count <= most)
    }
}

/// Adds up what speaks for and against the pitfall's having touched the claim.
pub(super) fn relevance(
    lineage: &Lineage,
    against: &PitfallLineage,
    common: &Commonness,
    habit: bool,
    weights: &Weights,
) -> Relevance {
    let (claim, pitfall) = (&lineage.claim, &against.pitfall);
    let mut found = Relevance { habit, ..Relevance::default() };
    if habit {
        found.score += weights.named_habit;
        found.why.push(Message::new("names-habit"));
    }
    let shared_phase = claim.phases.iter().find(|phase| pitfall.phases.contains(phase));
    if let Some(phase) = shared_phase {
        found.score += weights.same_phase;
        found.phase = Some(phase.clone());
        found.why.push(Message::new("same-phase").with("phase", phase.as_str()));
    }
    let shared = |ours: &[String], theirs: &[String]| {
        let theirs = names(theirs);
        let rare = |name: &String| common.rare(common.names.get(name), weights);
        names(ours).into_iter().find(|name| theirs.contains(name) && rare(name))
    };
    let mut theirs = pitfall.identifiers.clone();
    theirs.extend(pitfall.triggers.iter().cloned());
    if let Some(name) = shared(&claim.identifiers, &theirs) {
        found.score += weights.shared_name;
        found.specific = true;
        found.named = names(&pitfall.triggers).contains(&name);
        found.why.push(Message::new("same-name").with("name", name));
    } else if let Some(term) = shared(&claim.terms, &pitfall.terms) {
        found.score += weights.shared_term;
        found.specific = true;
        found.why.push(Message::new("same-condition").with("term", term));
    } else if rare_words(claim, &pitfall.words, common, weights) >= weights.rare_words.max(1) {
        found.score += weights.shared_words;
        found.why.push(Message::new("rare-words"));
    }
    let named = !claim.phases.is_empty() && !pitfall.phases.is_empty();
    if named && shared_phase.is_none() && !found.specific && !habit {
        found.score += weights.other_phase;
        found.why.push(Message::new("other-phase"));
    }
    if lineage.path == against.path {
        let section = claim.section.last();
        found.section = section.is_some() && section == pitfall.section.last();
        found.score += if found.section { weights.same_section } else { weights.same_document };
        let place = if found.section { "same-section" } else { "same-document" };
        found.why.push(Message::new(place));
    }
    if claim.kind == Kind::Failure && claim.effects.contains(&pitfall.effect) {
        found.score += weights.same_symptom;
        found.why.push(Message::new("same-symptom"));
    }
    found.global = pitfall.triggers.first().is_some_and(|trigger| acts_on_everything(trigger));
    found.everywhere = found.global
        && pitfall
            .triggers
            .first()
            .and_then(|trigger| Trigger::parse(trigger))
            .is_some_and(|trigger| !trigger.is_flag());
    if found.global {
        found.score += weights.global_reach;
        found.why.push(Message::new("acts-on-every-run"));
    } else if pitfall.triggers.iter().any(|trigger| is_variable(trigger)) {
        found.score += weights.variable_reach;
        found.why.push(Message::new("a-variable"));
    }
    let conflict = crate::lineage::conflict(&claim.terms, &pitfall.terms);
    found.score += if conflict { weights.other_scope } else { weights.same_scope };
    if conflict {
        found.why.push(Message::new("other-conditions"));
    }
    found
}

/// Written as a setting with its value, a launch flag or a tool with its version. A formula or a
/// piece of code with an equals sign in it is none.
fn acts_on_everything(trigger: &str) -> bool {
    let Some(parsed) = Trigger::parse(trigger) else {
        return false;
    };
    if parsed.is_flag() {
        return parsed.name.starts_with("--") || parsed.value.is_some();
    }
    let mut words = trigger.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(name), Some(version), None) => {
            let version = version.trim_start_matches(['v', '<', '>', '=', '≤', '≥']);
            name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
                && version.starts_with(|c: char| c.is_ascii_digit())
                && version.contains('.')
        }
        (Some(_), None, None) => {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
            let named = parsed.name.len() > 3 && parsed.name.chars().all(plain);
            let bracket = |c: char| matches!(c, '(' | ')' | '{' | '}' | '[' | ']' | '<' | '>');
            named
                && parsed
                    .value
                    .is_some_and(|value| !value.contains(bracket) && !value.starts_with(':'))
        }
        _ => false,
    }
}

/// A variable's name alone: which of its values is meant stands somewhere in the entry.
fn is_variable(trigger: &str) -> bool {
    trigger.contains('_')
        && trigger.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

fn names(all: &[String]) -> BTreeSet<String> {
    all.iter().map(|name| name.trim().to_lowercase()).collect()
}

fn rare_words(claim: &Claim, words: &[u64], common: &Commonness, weights: &Weights) -> usize {
    let rare = |word: &&u64| common.rare(common.words.get(*word), weights);
    words.iter().filter(|word| claim.words.contains(word)).filter(rare).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reach_is_read_from_the_form_of_a_trigger() {
        for global in [
            "ALLOC_CONF=expandable:True",
            "expandable:True",
            "--eager",
            "driver 580.65",
            "--util 0.90",
        ] {
            assert!(acts_on_everything(global), "{global}");
        }
        for local in
            ["one-shot", "FAST_PATH", "prefix caching", "SSE chunks", "first request after boot"]
        {
            assert!(!acts_on_everything(local), "{local}");
        }
    }
}
