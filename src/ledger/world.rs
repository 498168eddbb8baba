//! Challenges by pitfalls that the world knows and the audited repository never wrote down.

use std::collections::HashMap;

use super::challenge::Asked;
use super::{Confidence, Exposure, Ledger, Relevance};
use super::{gate, relevance};
use crate::extract::{self, Effect, Kind, WorldPitfall};
use crate::history::CommitId;
use crate::lineage::{Lineage, Lineages, PitfallLineage, Sighting};
use crate::rules::RuleSet;

/// What the packs know, and which claims are within the scope of it.
#[derive(Debug, Default)]
pub struct World {
    /// As entries that stand in no document; the commit is none's.
    pub(super) entries: Vec<(WorldPitfall, PitfallLineage)>,
    within: HashMap<(String, u32, u64), Vec<usize>>,
    tested: Vec<CommitId>,
}

/// A pitfall of the world that could have touched a claim.
#[derive(Clone, Debug)]
pub struct WorldChallenge<'a> {
    /// Which.
    pub pitfall: &'a WorldPitfall,
    /// How sure.
    pub confidence: Confidence,
    /// What the tree of the last test says.
    pub exposure: Exposure,
    /// The line that sets the trigger there.
    pub set_at: Option<Sighting>,
    /// What links the two.
    pub relevance: Relevance,
    /// From the last test to the day it became known, in seconds.
    pub lag_seconds: i64,
}

impl World {
    /// Finds the claims within the scope of what the packs know, apart from what the repository
    /// wrote down itself.
    pub fn new(lineages: &Lineages, rules: &RuleSet) -> World {
        let all = extract::world_pitfalls(rules);
        let written = |one: &WorldPitfall| {
            let same = |a: &String, b: &String| a.eq_ignore_ascii_case(b);
            let own = lineages.pitfalls.iter().flat_map(|it| &it.pitfall.triggers);
            own.into_iter().any(|own| one.pitfall.triggers.iter().any(|it| same(it, own)))
        };
        let silent: Vec<bool> = all.iter().map(written).collect();
        let mut world = World::default();
        if !silent.iter().all(|silent| *silent) {
            for claim in &lineages.claims {
                let mut within = extract::within(&claim.claim, &claim.path, rules);
                within.retain(|at| silent.get(*at) == Some(&false));
                if !within.is_empty() {
                    world.tested.push(claim.last_tested.commit);
                    world.within.insert(key(claim), within);
                }
            }
        }
        let nowhere = |pitfall: &WorldPitfall| PitfallLineage {
            pitfall: pitfall.pitfall.clone(),
            path: String::new(),
            introduced: Sighting {
                commit: CommitId(0),
                path: String::new(),
                lines: pitfall.pitfall.lines,
            },
            at_or_before: false,
        };
        world.entries = all.into_iter().map(|it| (it.clone(), nowhere(&it))).collect();
        world
    }

    /// Commits whose trees matter beside those of the repository's own pitfalls.
    pub fn commits(&self) -> &[CommitId] {
        &self.tested
    }

    /// What to look for in them, numbered after the repository's own pitfalls.
    pub(super) fn pitfalls(&self) -> impl Iterator<Item = &extract::Pitfall> {
        self.entries.iter().map(|(known, _)| &known.pitfall)
    }
}

impl<'a> Ledger<'a> {
    /// The pitfalls of the world that could explain or distort a claim's outcome and became known
    /// after its last test, the surest first.
    pub fn world_challenges(&self, claim: &Lineage) -> Vec<WorldChallenge<'a>> {
        let Some(world) = self.world else { return Vec::new() };
        let within = world.within.get(&key(claim)).map_or(&[][..], Vec::as_slice);
        if within.is_empty() {
            return Vec::new();
        }
        let asked = self.ask(claim);
        let mut found: Vec<_> =
            within.iter().filter_map(|at| self.world_challenge(&asked, world, *at)).collect();
        found.sort_by_key(|challenge| std::cmp::Reverse(challenge.confidence));
        found
    }

    fn world_challenge(
        &self,
        asked: &Asked<'_>,
        world: &'a World,
        at: usize,
    ) -> Option<WorldChallenge<'a>> {
        let (known, entry) = world.entries.get(at)?;
        let lineage = asked.lineage;
        let tested = self.commit(lineage.last_tested.commit)?.author_time;
        let share =
            gate::gate(known.pitfall.effect, &lineage.claim, &asked.trouble, false, self.weights);
        if share <= 0.0 || tested >= known.since {
            return None;
        }
        let index = self.lineages.pitfalls.len() + at;
        let named = asked.named.get(&index).copied();
        let (exposure, set_at, doubt) = self.exposure_of(lineage, index, &known.pitfall, named)?;
        let relevance = relevance::relevance(lineage, entry, &self.common, false, self.weights);
        let stops = (known.pitfall.effect, lineage.claim.kind) == (Effect::Crash, Kind::Failure);
        let linked = relevance.specific || relevance.phase.is_some() || exposure == Exposure::InUse;
        let weak = share * relevance.score < self.weights.likely
            || !(stops || linked)
            || lineage.claim.own_cause.is_some()
            || asked.is_an_entry;
        let confidence = match exposure {
            _ if weak => Confidence::Low,
            Exposure::InUse if !doubt => Confidence::High,
            _ => Confidence::Medium,
        };
        Some(WorldChallenge {
            pitfall: known,
            confidence,
            exposure,
            set_at,
            relevance,
            lag_seconds: known.since.saturating_sub(tested),
        })
    }
}

fn key(claim: &Lineage) -> (String, u32, u64) {
    (claim.path.clone(), claim.claim.lines.start, claim.claim.key)
}
