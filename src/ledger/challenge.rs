//! Which pitfalls could have touched which claims, and how sure that is.

use std::collections::{BTreeMap, HashSet};

use super::trigger::State;
use super::{Confidence, Exposure, Ledger, gate, key, relevance, shared};
use crate::extract::{Effect, Kind, Pitfall, Placed, SignClass};
use crate::history::{Order, OrderedBy};
use crate::lineage::{Lineage, PitfallLineage, Sighting};
use crate::texts::Message;

use super::relevance::Relevance;

/// A pitfall that entered after a claim's last test and could have touched its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Challenge {
    /// Index into [`crate::lineage::Lineages::pitfalls`].
    pub pitfall: usize,
    /// How sure.
    pub confidence: Confidence,
    /// What the tree of the last test says.
    pub exposure: Exposure,
    /// The line that sets the trigger there, unless the claim itself does.
    pub set_at: Option<Sighting>,
    /// How it is known that the pitfall came after.
    pub ordered_by: OrderedBy,
    /// What links the two.
    pub relevance: Relevance,
    /// Index into [`crate::lineage::Lineages::claims`] of the claim whose challenge this is: one that rests on its
    /// number shares it.
    pub shared_with: Option<usize>,
}

/// A claim, and what its surroundings say of it.
pub(super) struct Asked<'c> {
    pub(super) lineage: &'c Lineage,
    /// What the claim's own words say of triggers.
    pub(super) named: BTreeMap<usize, State>,
    /// The kinds of trouble that a failure was: its own words, else what other failures say that
    /// stand beside it or tell of the same rare conditions.
    pub(super) trouble: Vec<Effect>,
    /// It is part of a pitfall entry, so it already names what it blames.
    pub(super) is_an_entry: bool,
}

/// Challenges of one claim that are kept, the surest first.
const SHOWN: usize = 5;
/// Weak ones that are kept where there is no other.
const WEAK_SHOWN: usize = 3;

impl<'a> Ledger<'a> {
    /// The pitfalls that could explain or distort a claim's outcome and that nobody knew when it was
    /// last tested: the surest first, one for each trigger, weak ones only where there is no other.
    pub fn challenges(&self, claim: &Lineage) -> Vec<Challenge> {
        let all = self.challenges.get_or_init(|| {
            let claims = &self.lineages.claims;
            let mut all: Vec<_> = claims.iter().map(|claim| self.own_challenges(claim)).collect();
            shared::share(self, &mut all);
            claims.iter().map(key).zip(all).collect()
        });
        all.get(&key(claim)).cloned().unwrap_or_default()
    }

    pub(super) fn own_challenges(&self, claim: &Lineage) -> Vec<Challenge> {
        let asked = self.ask(claim);
        let mut found: Vec<Challenge> = (0..self.lineages.pitfalls.len())
            .filter_map(|pitfall| self.challenge(&asked, pitfall))
            .collect();
        found.sort_by(|a, b| {
            let strength = b.confidence.cmp(&a.confidence);
            let strength = strength.then(b.relevance.score.total_cmp(&a.relevance.score));
            strength.then(a.pitfall.cmp(&b.pitfall))
        });
        let mut seen = HashSet::new();
        found.retain(|challenge| {
            let trigger =
                self.pitfall(challenge.pitfall).and_then(|one| one.pitfall.triggers.first());
            trigger.is_none_or(|trigger| seen.insert(trigger.to_lowercase()))
        });
        let strong = found.iter().filter(|one| one.confidence > Confidence::Low).count();
        found.truncate(if strong > 0 { strong.min(SHOWN) } else { WEAK_SHOWN });
        found
    }

    /// What the claim's own words say of each trigger.
    pub(super) fn named_by(&self, claim: &Lineage) -> BTreeMap<usize, State> {
        let mut named = self.search.prose(&claim.claim.text);
        for (pitfall, state) in self.search.prose(&claim.claim.subject) {
            let known = named.entry(pitfall).or_insert(state);
            *known = state.max(*known);
        }
        named
    }

    fn challenge(&self, asked: &Asked<'_>, index: usize) -> Option<Challenge> {
        let against = self.pitfall(index)?;
        let lineage = asked.lineage;
        let (claim, pitfall) = (&lineage.claim, &against.pitfall);
        let habit = self.common.names_habit(claim, pitfall, self.weights);
        let share = gate::gate(pitfall.effect, claim, &asked.trouble, habit, self.weights);
        if share <= 0.0 || overlap(lineage, against) {
            return None;
        }
        let order = self.history.order(lineage.last_tested.commit, against.introduced.commit);
        let Order::Before(ordered_by) = order else { return None };
        let named = asked.named.get(&index).copied();
        let (exposure, set_at, doubt) = self.exposure_of(lineage, index, pitfall, named)?;
        let mut relevance =
            relevance::relevance(lineage, against, &self.common, habit, self.weights);
        let score = share * relevance.score;
        // What acts on every run may have acted on this one all the more where it is not even told
        // what was run.
        let stops = (pitfall.effect, claim.kind) == (Effect::Crash, Kind::Failure);
        let unseen = stops && relevance.global && exposure == Exposure::Unrecorded;
        if unseen && !self.tells_what_was_run(lineage) {
            relevance.why.push(Message::new("nothing-recorded"));
        }
        relevance.why.push(
            Message::new("score")
                .with("score", format!("{score:.1}"))
                .with("likely", format!("{:.1}", self.weights.likely)),
        );
        let specific =
            habit || relevance.specific || (exposure == Exposure::InUse && named.is_some());
        let close = specific || relevance.phase.is_some() || relevance.section;
        // A failure can come from anything that stops every run. All else needs a link, and a phase
        // or a flag set somewhere in the tree links weakly: a phase has many numbers and habits.
        let linked = specific || relevance.phase.is_some() || exposure == Exposure::InUse;
        // A ban that gives no reason may be about anything: that what ran, or what was measured, is
        // touched takes the very name, and that it acts on every run is worth a look, no more.
        let untold = pitfall.effect == Effect::Unknown && claim.kind != Kind::Failure;
        let reaches = relevance.global && !untold;
        if score < self.weights.possible || !(stops || linked || reaches) {
            return None;
        }
        // A document can be about everything, so that both stand in it says little of a flag. What
        // acts on every process could explain any failure; of many it explains none in particular.
        let few = |failures: usize| failures <= self.weights.few_failures;
        let told = self.failures_in.get(lineage.path.as_str()).copied().unwrap_or(0);
        let part = lineage.path == against.path && same_part(&claim.section, &pitfall.section);
        let reaches_far = relevance.everywhere && (part && few(told) || few(self.failures.len()));
        let near = relevance.phase.is_some() || relevance.section || reaches_far;
        // What slows a phase slows the numbers of that phase; a habit of measuring may not.
        let slows = pitfall.effect == Effect::Perf && relevance.phase.is_some();
        let strong = specific || (relevance.global && ((stops && near) || slows));
        // Of documents about different things only what is to be avoided itself, named in both, tells
        // that it was the same.
        let tied = relevance.named
            || named.is_some()
            || self.places.near(&lineage.path, &against.path, self.weights.near_documents);
        if !tied {
            return None;
        }
        // A habit without a setting is told of the numbers around it; a name shared with another
        // document does not tell that those were taken the same way.
        let elsewhere = pitfall.effect == Effect::Measure
            && !relevance.global
            && lineage.path != against.path
            && !habit
            && named.is_none();
        let weak = score < self.weights.likely
            || !strong
            || elsewhere
            || (untold && !relevance.named && named.is_none())
            || claim.own_cause.is_some()
            || asked.is_an_entry;
        let confidence = match exposure {
            _ if weak => Confidence::Low,
            // It may have been known for longer: what cannot be seen makes no claim evidence, and no
            // challenge sure.
            _ if against.at_or_before => Confidence::Medium,
            // That it was measured so is told by words in common, not by a setting.
            Exposure::Unrecorded if habit => Confidence::Medium,
            Exposure::InUse if !doubt => Confidence::High,
            Exposure::Unrecorded if close => Confidence::High,
            _ => Confidence::Medium,
        };
        let shared_with = None;
        let pitfall = index;
        Some(Challenge {
            pitfall,
            confidence,
            exposure,
            set_at,
            ordered_by,
            relevance,
            shared_with,
        })
    }

    /// Whether its own words, its block, or the text of a section that it stands in tell of a build, a
    /// driver, a variable or a command.
    fn tells_what_was_run(&self, lineage: &Lineage) -> bool {
        let claim = &lineage.claim;
        let around = |(path, placed): &(&str, &Placed)| {
            *path == lineage.path
                && placed.sign.class == SignClass::Recorded
                && claim.section.starts_with(&placed.section)
        };
        claim.basis.has(SignClass::Recorded) || self.signs.iter().any(around)
    }

    /// What is asked of a claim once, whatever the pitfall.
    pub(super) fn ask<'c>(&self, lineage: &'c Lineage) -> Asked<'c>
    where
        'a: 'c,
    {
        let claim = &lineage.claim;
        let failure = claim.kind == Kind::Failure;
        let rare = |term: &String| self.common.is_rare(term, self.weights);
        let telling = failure && claim.terms.iter().any(rare);
        let beside = |other: &Lineage| {
            failure
                && other.path == lineage.path
                && other.claim.section == claim.section
                && other.claim.lines.start.abs_diff(claim.lines.start) <= self.weights.beside_lines
        };
        let same = |other: &Lineage| {
            telling && claim.terms.iter().all(|term| other.claim.terms.contains(term))
        };
        let mut trouble = claim.effects.clone();
        for other in self.failures.iter().copied() {
            if claim.effects.is_empty() && (same(other) || beside(other)) {
                trouble.extend(&other.claim.effects);
            }
        }
        trouble.sort_unstable();
        trouble.dedup();
        let is_an_entry = self.lineages.pitfalls.iter().any(|pitfall| overlap(lineage, pitfall));
        Asked { lineage, named: self.named_by(lineage), trouble, is_an_entry }
    }

    /// What is known of the trigger where the claim was last tested: `None` if it was off or known
    /// there, or set where it is needed. The last part tells that the tree says both.
    pub(super) fn exposure_of(
        &self,
        lineage: &Lineage,
        index: usize,
        pitfall: &Pitfall,
        named: Option<State>,
    ) -> Option<(Exposure, Option<Sighting>, bool)> {
        let effect = pitfall.effect;
        match named {
            // What is needed was there.
            Some(State::On | State::Named) if pitfall.needed => return None,
            Some(State::Off) if !pitfall.needed => return None,
            Some(state) => {
                // A claim about the setting itself is where the pitfall comes from, unless it is a
                // number or a green result that the setting falsifies.
                return match (effect, state) {
                    (Effect::Wrong | Effect::Measure, _) => Some((Exposure::InUse, None, false)),
                    _ => None,
                };
            }
            None => {}
        }
        let trace = self.traces.at(lineage.last_tested.commit, index);
        match trace.map(|trace| (&trace.on, &trace.off)) {
            Some((Some(_), _)) if pitfall.needed => None,
            Some((None, Some(_))) if pitfall.needed => Some((Exposure::Unrecorded, None, false)),
            Some((Some(on), off)) => Some((Exposure::InUse, Some(on.clone()), off.is_some())),
            Some((None, Some(_))) => None,
            _ => Some((Exposure::Unrecorded, None, false)),
        }
    }
}

/// They stand in the same chapter of a document, or one of them above all chapters: a long document
/// is about many things.
fn same_part(a: &[String], b: &[String]) -> bool {
    match (a.get(1), b.get(1)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

/// They share lines of a document.
pub(super) fn overlap(claim: &Lineage, pitfall: &PitfallLineage) -> bool {
    let (a, b) = (claim.claim.lines, pitfall.pitfall.lines);
    claim.path == pitfall.path && a.start <= b.end && b.start <= a.end
}
