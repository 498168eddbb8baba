//! The oldest commit in which a claim's key, or an older wording of it, stands.

use std::collections::HashSet;

use super::births::{Birth, Births};
use super::likeness::Tie;
use super::{Became, Earlier, Lineage, Retest, Sighting};
use crate::extract::{Claim, Statements};
use crate::history::{CommitId, History, Order, OrderedBy, PerBlob};

/// A life of more statements than this is cut: its oldest end is still the best known origin.
const LONGEST: usize = 1000;

/// A claim's life so far, and every key it ever had in this age.
pub(super) struct Traced {
    pub(super) lineage: Lineage,
    pub(super) keys: Vec<u64>,
}

/// Follows a claim of the audited commit back; `None` only if it was born nowhere.
pub(super) fn of_claim(
    history: &History,
    statements: &PerBlob<Statements>,
    births: &Births,
    path: String,
    claim: Claim,
) -> Option<Traced> {
    let mut keys = vec![claim.key];
    let mut seen = HashSet::from([claim.key]);
    let mut earlier = Vec::new();
    let mut retests = Vec::new();
    let mut origin = oldest(history, births.get(&claim.key)?)?;
    let mut same_age = true;
    let mut at = claim.key;
    while let Some((birth, older, tie)) = replaced(births, at) {
        if !seen.insert(older) || earlier.len() == LONGEST {
            break;
        }
        let Some(before) = births.get(&older).and_then(|all| oldest(history, all)) else {
            break;
        };
        let became = match tie {
            Tie::Reworded => Became::Reworded,
            Tie::Revised(how) => Became::Revised(how),
        };
        match became {
            Became::Reworded if same_age => {
                keys.push(older);
                if older_of(history, &before, &origin) {
                    origin = before.clone();
                }
            }
            Became::Revised(how) if same_age => {
                same_age = false;
                let words = text_of(statements, birth).to_owned();
                retests.push(Retest { commit: birth.commit, how, words });
            }
            _ => {}
        }
        earlier.push(Earlier {
            seen: sighting(history, statements, &before.pick(&path, history))?,
            text: text_of(statements, &before.first).to_owned(),
            until: birth.commit,
            became,
        });
        at = older;
    }
    // Where the same result is older than the commit that revised another one into it, that commit
    // brought it back (a revert, a merge) and measured nothing.
    retests.retain(|retest: &Retest| retest.commit == origin.first.commit);
    let introduced = sighting(history, statements, &origin.pick(&path, history))?;
    let lineage = Lineage {
        claim,
        path,
        last_tested: introduced.clone(),
        introduced,
        retests,
        earlier,
        at_or_before: origin.hidden,
    };
    Some(Traced { lineage, keys })
}

/// The oldest births of one key: all in the same commit.
#[derive(Clone)]
pub(super) struct Oldest {
    pub(super) first: Birth,
    all: Vec<Birth>,
    /// The history is cut off there.
    pub(super) hidden: bool,
}

impl Oldest {
    /// The birth in the document that is best known by `path`.
    pub(super) fn pick(&self, path: &str, history: &History) -> Birth {
        let same = self.all.iter().find(|birth| history.path(birth.path) == path);
        same.unwrap_or(&self.first).clone()
    }
}

/// The oldest of births in commit order: ancestry decides, then committer time. A cut-off birth
/// goes first, for nobody knows how old it is.
pub(super) fn oldest(history: &History, births: &[Birth]) -> Option<Oldest> {
    let mut roots: Vec<&Birth> = Vec::new();
    for birth in births {
        let known = |root: &&Birth| {
            root.commit != birth.commit && history.is_ancestor(root.commit, birth.commit)
        };
        if !roots.iter().any(known) {
            roots.push(birth);
        }
    }
    let cut = |birth: &Birth| birth.hidden || commit_is_boundary(history, birth.commit);
    let time = |birth: &Birth| {
        history.commits().get(birth.commit.0 as usize).map_or(i64::MAX, |commit| commit.commit_time)
    };
    let first = roots.iter().min_by_key(|birth| (!cut(birth), time(birth), birth.commit))?;
    let mut all: Vec<Birth> = roots
        .iter()
        .filter(|birth| birth.commit == first.commit)
        .map(|one| (*one).clone())
        .collect();
    all.sort_by(|a, b| history.path(a.path).cmp(history.path(b.path)));
    let hidden = all.iter().any(cut);
    Some(Oldest { first: all.first()?.clone(), all, hidden })
}

pub(super) fn older_of(history: &History, a: &Oldest, b: &Oldest) -> bool {
    match history.order(a.first.commit, b.first.commit) {
        Order::Before(OrderedBy::Ancestry) => true,
        Order::Before(OrderedBy::Time) => a.hidden >= b.hidden,
        _ => false,
    }
}

/// Where a birth stands, in that version of the document.
pub(super) fn sighting(
    history: &History,
    statements: &PerBlob<Statements>,
    birth: &Birth,
) -> Option<Sighting> {
    let claim = statements.get(birth.blob)?.claims.get(birth.index)?;
    Some(Sighting {
        commit: birth.commit,
        path: history.path(birth.path).to_owned(),
        lines: claim.lines,
    })
}

fn commit_is_boundary(history: &History, commit: CommitId) -> bool {
    history.commits().get(commit.0 as usize).is_some_and(|commit| commit.boundary)
}

/// The tie by which a key first came, if it came by one.
fn replaced(births: &Births, key: u64) -> Option<(&Birth, u64, Tie)> {
    births.get(&key)?.iter().find_map(|birth| birth.from.map(|(older, tie)| (birth, older, tie)))
}

fn text_of<'a>(statements: &'a PerBlob<Statements>, birth: &Birth) -> &'a str {
    let claim = statements.get(birth.blob).and_then(|said| said.claims.get(birth.index));
    claim.map_or("", |claim| claim.text.as_str())
}
