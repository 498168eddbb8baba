//! The oldest commit in which a pitfall's trigger stands together with its ban or its effect.

use std::collections::{HashMap, HashSet};

use super::births::{Birth, Births};
use super::origin::{self, Oldest};
use super::originals::Originals;
use super::{PitfallLineage, Sighting};
use crate::extract::{Effect, Pitfall, Statements};
use crate::history::{History, PerBlob};

/// Traces the pitfalls of the audited commit, in the order given.
///
/// An entry is a ban or an effect together with its triggers, so whatever entry first held a
/// pitfall's leading trigger is its origin, if that trigger names one thing only.
pub(super) fn trace(
    history: &History,
    statements: &PerBlob<Statements>,
    births: &Births,
    originals: &Originals<'_>,
    standing: Vec<(String, Pitfall)>,
) -> Vec<PitfallLineage> {
    let mut about: HashMap<String, Vec<u64>> = HashMap::new();
    for (key, all) in births {
        let Some(first) = all.first().and_then(|birth| entry(statements, birth)) else {
            continue;
        };
        for trigger in first.triggers.iter().take(1).filter(|trigger| specific(trigger)) {
            about.entry(trigger.to_lowercase()).or_default().push(*key);
        }
    }
    about.values_mut().for_each(|keys| keys.sort_unstable());
    let traced = standing.into_iter().filter_map(|(path, pitfall)| {
        let oldest = keys_of(statements, births, &about, &pitfall)
            .into_iter()
            .filter_map(|key| origin::oldest(history, births.get(&key)?))
            .reduce(|a, b| if origin::older_of(history, &b, &a) { b } else { a })?;
        let told = originals.of_pitfall(&pitfall).filter(|(birth, _)| {
            history.is_ancestor(birth.commit, oldest.first.commit) && !oldest.hidden
        });
        let (introduced, at_or_before) = match told {
            Some((birth, lines)) => {
                let path = history.path(birth.path).to_owned();
                (Sighting { commit: birth.commit, path, lines }, birth.hidden)
            }
            None => (sighting(history, statements, &oldest, &path)?, oldest.hidden),
        };
        Some(PitfallLineage { pitfall, path, introduced, at_or_before })
    });
    traced.collect()
}

/// Its own key, its older wordings, and other entries about the same specific trigger.
fn keys_of(
    statements: &PerBlob<Statements>,
    births: &Births,
    about: &HashMap<String, Vec<u64>>,
    pitfall: &Pitfall,
) -> Vec<u64> {
    let mut keys = vec![pitfall.key];
    let mut seen = HashSet::from([pitfall.key]);
    let trigger = pitfall.triggers.first().map(|trigger| trigger.to_lowercase());
    for key in trigger.and_then(|trigger| about.get(&trigger)).into_iter().flatten() {
        let entry =
            births.get(key).and_then(|all| all.first()).and_then(|one| entry(statements, one));
        if entry.is_some_and(|entry| agrees(entry.effect, pitfall.effect)) && seen.insert(*key) {
            keys.push(*key);
        }
    }
    let mut at = 0;
    while let Some(key) = keys.get(at).copied() {
        let older = births.get(&key).into_iter().flatten().filter_map(|birth| birth.from);
        keys.extend(older.map(|from| from.key).filter(|older| seen.insert(*older)));
        at += 1;
    }
    keys
}

fn agrees(a: Effect, b: Effect) -> bool {
    a == b || a == Effect::Unknown || b == Effect::Unknown
}

/// A trigger that can hardly mean two things: a setting, a flag, a version, a code name.
fn specific(trigger: &str) -> bool {
    let name = trigger.trim();
    name.len() > 3 && name.contains(|c: char| "=:_-./#".contains(c) || c.is_ascii_digit())
}

fn entry<'a>(statements: &'a PerBlob<Statements>, birth: &Birth) -> Option<&'a Pitfall> {
    statements.get(birth.blob)?.pitfalls.get(birth.index)
}

fn sighting(
    history: &History,
    statements: &PerBlob<Statements>,
    oldest: &Oldest,
    path: &str,
) -> Option<Sighting> {
    let birth = oldest.pick(path, history);
    Some(Sighting {
        commit: birth.commit,
        path: history.path(birth.path).to_owned(),
        lines: entry(statements, &birth)?.lines,
    })
}
