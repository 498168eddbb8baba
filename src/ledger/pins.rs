//! What the repository pinned when a claim was last tested, and what it pins now.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::documents::Lines;
use crate::extract::{self, Pin};
use crate::history::CommitId;
use crate::lineage::{Lineage, Lineages, Sighting};
use crate::rules::RuleSet;

/// Longer lines are data, not settings.
const LONGEST_LINE: usize = 1024;

/// Looks for pins of what claims name, and for nothing else.
#[derive(Debug, Default)]
pub struct Names {
    all: BTreeSet<String>,
}

/// The pins of one file that matter: name, value, line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found(Vec<(Pin, u32)>);

/// A version or setting that a claim names, whose pin has another value now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drift {
    /// Its name, and the value that the claim names.
    pub pin: Pin,
    /// The line that pinned it when the claim was last tested.
    pub then: Sighting,
    /// The line that pins it now.
    pub now: Sighting,
    /// The value now.
    pub value: String,
}

/// The pins of some trees, of one name each a map from value to the first line by path.
#[derive(Debug, Default)]
pub struct Pins {
    found: HashMap<(CommitId, String), BTreeMap<String, Sighting>>,
    named: HashMap<(String, u32, u64), Vec<Pin>>,
}

impl Pins {
    /// Reads which versions and settings claims name, and gives the names to look for and the
    /// commits whose trees matter besides the audited one.
    pub fn new(lineages: &Lineages, rules: &RuleSet) -> (Pins, Names, Vec<CommitId>) {
        let mut pins = Pins::default();
        let mut names = Names::default();
        let mut commits = Vec::new();
        for claim in &lineages.claims {
            let named = extract::settings(&claim.claim.text, rules);
            if named.is_empty() {
                continue;
            }
            names.all.extend(named.iter().map(|pin| pin.name.clone()));
            commits.push(claim.last_tested.commit);
            pins.named.insert(key(claim), named);
        }
        commits.sort_unstable();
        commits.dedup();
        (pins, names, commits)
    }

    /// Adds the pins of a file in a commit's tree. Files may come in any order.
    pub fn add(&mut self, commit: CommitId, path: &str, found: &Found) {
        for (pin, line) in &found.0 {
            let lines = Lines { start: *line, end: *line };
            let seen = Sighting { commit, path: path.to_owned(), lines };
            let values = self.found.entry((commit, pin.name.clone())).or_default();
            let known = values.entry(pin.value.clone()).or_insert_with(|| seen.clone());
            if (seen.path.as_str(), seen.lines) < (known.path.as_str(), known.lines) {
                *known = seen;
            }
        }
    }

    /// What a claim names that was pinned so when it was last tested and is pinned otherwise at
    /// `head`, in the same file.
    pub(super) fn drifts(&self, claim: &Lineage, head: CommitId) -> Vec<Drift> {
        let named = self.named.get(&key(claim)).into_iter().flatten();
        named.filter_map(|pin| self.drift(claim.last_tested.commit, head, pin)).collect()
    }

    fn drift(&self, tested: CommitId, head: CommitId, pin: &Pin) -> Option<Drift> {
        let at = |commit| self.found.get(&(commit, pin.name.clone()));
        let (then, now) = (at(tested)?, at(head)?);
        let is = |value: &String| same(value, &pin.value);
        let then = then.iter().find(|(value, _)| is(value)).map(|(_, seen)| seen)?;
        if now.keys().any(is) {
            return None;
        }
        let (value, now) = now.iter().find(|(_, seen)| seen.path == then.path)?;
        Some(Drift { pin: pin.clone(), then: then.clone(), now: now.clone(), value: value.clone() })
    }
}

impl Names {
    /// The pins of a file's text that claims name.
    pub fn pins(&self, text: &str, rules: &RuleSet) -> Found {
        let mut found = Vec::new();
        for (line, number) in text.lines().zip(1_u32..) {
            if line.len() <= LONGEST_LINE && line.contains(|c: char| c.is_ascii_digit() || c == '=')
            {
                let pins = extract::pins(line, rules).into_iter();
                let named = pins.filter(|pin| self.all.contains(&pin.name));
                found.extend(named.map(|pin| (pin, number)));
            }
        }
        Found(found)
    }

    /// Tells whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// Equal as numbers, or one version with fewer parts: whoever names 0.27 names 0.27.1 too.
fn same(pinned: &str, named: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    let part_of = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.starts_with(['.', '-', '+']))
    };
    pinned == named
        || number(pinned).is_some_and(|pinned| number(named) == Some(pinned))
        || part_of(pinned, named)
        || part_of(named, pinned)
}

fn key(claim: &Lineage) -> (String, u32, u64) {
    (claim.path.clone(), claim.claim.lines.start, claim.claim.key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_numbers_compare_by_what_they_mean() {
        for (pinned, named, equal) in [
            ("0.27.1", "0.27.1", true),
            ("0.27.1", "0.27", true),
            ("0.27.1", "0.2", false),
            ("0.90", "0.9", true),
            ("13.0.1-devel", "13.0.1", true),
            ("16", "1", false),
            ("true", "false", false),
        ] {
            assert_eq!(same(pinned, named), equal, "{pinned} for {named}");
        }
    }
}
