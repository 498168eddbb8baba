//! Two audits of one history: what a change did to the claims.
//!
//! A claim before the change and one after it are the same if they say the same, or if one grew out
//! of the other: the life of a claim tells that better than the place where it stands.

use std::collections::{HashMap, HashSet};

use crate::history::ObjectId;
use crate::lineage::Sighting;
use crate::verdict::{Audit, JudgedClaim, Verdict};

/// What a change did, by indices into the claims of the audit after it, in their order.
///
/// Suppressed leads are in none of the lists that count against a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// The commit before the change.
    pub base: Option<ObjectId>,
    /// New claims that are leads.
    pub new_leads: Vec<usize>,
    /// Claims that were evidence before and that the change turned into leads.
    pub turned: Vec<usize>,
    /// Claims that were leads before and that the change brought back to evidence by a test: a
    /// retest, or another result in the place of the old one.
    pub cleared: Vec<usize>,
    /// Claims that were leads before and are no longer, though nothing was tested: the pitfall or the
    /// words that made them leads are gone.
    pub lapsed: Vec<usize>,
    /// How many leads stand as they stood before.
    pub untouched: usize,
}

impl Comparison {
    /// Whether the change made leads.
    pub fn made_leads(&self) -> bool {
        !(self.new_leads.is_empty() && self.turned.is_empty())
    }
}

/// Tells what the change from one audit to the other did.
pub fn compare(before: &Audit, after: &Audit) -> Comparison {
    let mut comparison = Comparison { base: Some(before.rev), ..Comparison::default() };
    let counterparts = counterparts(before, after);
    let commits: HashSet<ObjectId> = before.facts.iter().map(|commit| commit.oid).collect();
    let births = births(before);
    for (index, (claim, counterpart)) in after.claims.iter().zip(counterparts).enumerate() {
        let known = counterpart.and_then(|at| before.claims.get(at));
        match (known.map(|known| known.verdict), claim.verdict) {
            (_, Verdict::LeadOnly) if claim.suppression.is_some() => {}
            (Some(Verdict::LeadOnly), Verdict::LeadOnly) => comparison.untouched += 1,
            (None, Verdict::LeadOnly) => comparison.new_leads.push(index),
            (Some(Verdict::Evidence), Verdict::LeadOnly) => comparison.turned.push(index),
            (Some(Verdict::LeadOnly), Verdict::Evidence) => {
                let tested = seen(after, &claim.lineage.last_tested).map(|it| it.0);
                let here = tested.is_some_and(|commit| !commits.contains(&commit));
                let list = if here { &mut comparison.cleared } else { &mut comparison.lapsed };
                list.push(index);
            }
            (None, Verdict::Evidence) if replaces_a_lead(before, after, claim, &births) => {
                comparison.cleared.push(index);
            }
            _ => {}
        }
    }
    comparison
}

/// Leaves of an audit only the claims that a change did something to, and the pitfalls that
/// challenge them. The comparison's indices are those of what is left.
pub fn keep_changed(audit: &mut Audit, comparison: &mut Comparison) {
    let Comparison { new_leads, turned, cleared, lapsed, .. } = comparison;
    let mut lists = [new_leads, turned, cleared, lapsed];
    let mut kept: Vec<usize> = lists.iter().flat_map(|list| list.iter().copied()).collect();
    kept.sort_unstable();
    for at in lists.iter_mut().flat_map(|list| list.iter_mut()) {
        *at = kept.binary_search(at).unwrap_or_default();
    }
    retain(&mut audit.claims, &kept);
    let mut challenges: Vec<_> = audit
        .claims
        .iter_mut()
        .flat_map(|claim| &mut claim.reasons)
        .filter_map(|reason| reason.challenge.as_mut())
        .collect();
    let mut kept: Vec<usize> = challenges.iter().map(|challenge| challenge.pitfall).collect();
    kept.sort_unstable();
    kept.dedup();
    for challenge in &mut challenges {
        challenge.pitfall = kept.binary_search(&challenge.pitfall).unwrap_or_default();
    }
    retain(&mut audit.pitfalls, &kept);
}

/// Keeps what stands at these sorted indices.
fn retain<T>(all: &mut Vec<T>, kept: &[usize]) {
    let mut at = 0..;
    all.retain(|_| at.next().is_some_and(|at| kept.binary_search(&at).is_ok()));
}

/// Whether a claim took the place of one that was a lead before the change.
fn replaces_a_lead(
    before: &Audit,
    after: &Audit,
    claim: &JudgedClaim,
    births: &HashMap<Birth<'_>, Vec<usize>>,
) -> bool {
    for earlier in &claim.lineage.earlier {
        let birth = seen(after, &earlier.seen);
        if let Some(known) = birth.and_then(|birth| births.get(&birth)) {
            let mut known = known.iter().filter_map(|at| before.claims.get(*at));
            return known.any(|it| it.verdict == Verdict::LeadOnly);
        }
    }
    false
}

/// The claim before the change that each claim after it is; each is taken once.
fn counterparts(before: &Audit, after: &Audit) -> Vec<Option<usize>> {
    let mut found = vec![None; after.claims.len()];
    let mut free: HashSet<usize> = (0..before.claims.len()).collect();
    let by_key = group(before, |claim| Some(claim.lineage.claim.key));
    let births = births(before);
    let here = |claim: &JudgedClaim, at: usize| {
        before.claims.get(at).is_some_and(|known| known.lineage.path == claim.lineage.path)
    };
    // Those that surely belong together first, so that a loose match takes nobody's place.
    for same_document in [true, false] {
        for (slot, claim) in found.iter_mut().zip(&after.claims).filter(|(slot, _)| slot.is_none())
        {
            let known = by_key.get(&claim.lineage.claim.key).into_iter().flatten().copied();
            let fits = |at: &usize| free.contains(at) && (!same_document || here(claim, *at));
            *slot = known.clone().find(fits);
            if let Some(at) = slot {
                free.remove(at);
            }
        }
    }
    for (slot, claim) in found.iter_mut().zip(&after.claims).filter(|(slot, _)| slot.is_none()) {
        // Other words of the same age were born at the same place.
        let birth = seen(after, &claim.lineage.introduced);
        let known = birth.and_then(|birth| births.get(&birth)).into_iter().flatten().copied();
        let kind = claim.lineage.claim.kind;
        let alike =
            |at: &usize| before.claims.get(*at).is_some_and(|it| it.lineage.claim.kind == kind);
        *slot = known.clone().find(|at| free.contains(at) && alike(at));
        if let Some(at) = slot {
            free.remove(at);
        }
    }
    found
}

/// Commit, path and first line at which a claim was first seen: the same in both audits.
type Birth<'a> = (ObjectId, &'a str, u32);

fn births(audit: &Audit) -> HashMap<Birth<'_>, Vec<usize>> {
    group(audit, |claim| seen(audit, &claim.lineage.introduced))
}

fn seen<'a>(audit: &Audit, sighting: &'a Sighting) -> Option<Birth<'a>> {
    let commit = audit.facts.get(sighting.commit.0 as usize)?;
    Some((commit.oid, sighting.path.as_str(), sighting.lines.start))
}

fn group<'a, K: Eq + std::hash::Hash>(
    audit: &'a Audit,
    key: impl Fn(&'a JudgedClaim) -> Option<K>,
) -> HashMap<K, Vec<usize>> {
    let mut groups: HashMap<K, Vec<usize>> = HashMap::new();
    for (at, claim) in audit.claims.iter().enumerate() {
        if let Some(key) = key(claim) {
            groups.entry(key).or_default().push(at);
        }
    }
    groups
}
