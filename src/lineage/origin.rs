//! The oldest commit in which a claim's key, an older wording of it, or a line that told the same
//! stands.

use std::collections::{HashMap, HashSet};

use super::births::{Birth, Births, Replaced};
use super::life::{Link, Step, Why};
use super::likeness::{self, Tie};
use super::originals::{Originals, Wanted};
use super::retests::tested;
use super::retold::Retold;
use super::runs::Runs;
use super::{How, Lineage, Retest, Sighting};
use crate::documents::Lines;
use crate::extract::{Claim, Script, Statements};
use crate::history::{CommitId, History, Order, OrderedBy, PerBlob};

/// A life of more wordings than this is cut: its oldest end is still the best known origin.
const LONGEST: usize = 1000;
/// Places of one wording that are told; a line can be moved for ever.
const PLACES: usize = 100;

/// All that lives are traced in.
pub(super) struct Known<'a> {
    pub(super) history: &'a History,
    pub(super) statements: &'a PerBlob<Statements>,
    pub(super) births: &'a Births,
    pub(super) originals: &'a Originals<'a>,
    pub(super) retold: &'a Retold<'a>,
    pub(super) runs: &'a Runs<'a>,
}

/// A claim's life so far.
pub(super) struct Traced {
    pub(super) lineage: Lineage,
    /// Every key it ever had in this age.
    pub(super) keys: Vec<u64>,
    /// Those of the statements it corrects: what tested them tested its subject.
    pub(super) corrected: Vec<u64>,
    /// Where the result was measured first: older than the age where that began by a correction.
    pub(super) first_tested: CommitId,
}

impl Traced {
    /// Keys of this age, then of the statements it corrects.
    pub(super) fn all_keys(&self) -> impl Iterator<Item = &u64> {
        self.keys.iter().chain(&self.corrected)
    }
}

/// What a statement corrects: nothing was run when another unit or a better source was named.
#[derive(Default)]
struct Corrected {
    /// Where the oldest of them was first stated.
    measured: Option<Sighting>,
    keys: Vec<u64>,
}

/// A life under way.
struct Life<'a> {
    /// Where the claim first stood in the document in which it stands.
    own: Option<&'a Birth>,
    keys: Vec<u64>,
    seen: HashSet<u64>,
    origin: Oldest,
    steps: Vec<Step>,
    /// Other results that results of this age replaced: where, and how.
    revised: Vec<(Birth, Replaced)>,
    /// Wordings that name a later occasion of the same result.
    again: Vec<Birth>,
}

/// Follows a claim of the audited commit back; `None` only if it was born nowhere.
pub(super) fn of_claim(known: &Known<'_>, path: String, claim: Claim) -> Option<Traced> {
    let own = known.births.get(&claim.key).and_then(|births| first_place(known, births, &path));
    let mut life = Life::of(known, claim.key, own)?;
    let retests = life.retests(known);
    let corrected =
        if retests.is_empty() { life.corrected(known, &path) } else { Corrected::default() };
    life.older_ages(known);
    let Life { keys, origin, mut steps, again, .. } = life;
    steps.sort_by(|a, b| {
        let order = (a.seen.commit, a.link, &a.seen.path, a.seen.lines);
        order.cmp(&(b.seen.commit, b.link, &b.seen.path, b.seen.lines))
    });
    let steps = once_each(steps);
    let introduced = origin.seen(known, &path)?;
    let mut lineage = Lineage {
        claim,
        path,
        last_tested: corrected.measured.unwrap_or_else(|| introduced.clone()),
        introduced,
        retests,
        life: steps,
        at_or_before: origin.hidden,
    };
    let first_tested = lineage.last_tested.commit;
    for birth in again.iter().filter(|birth| birth.commit != origin.first.commit) {
        let Some(seen) = sighting(known, birth, None) else { continue };
        let words = text_of(known.statements, birth).to_owned();
        let commit = birth.commit;
        let retest = Retest { commit, how: How::Text, words, seen: Some(seen.clone()) };
        tested(known.history, &mut lineage, retest, seen);
    }
    Some(Traced { lineage, keys, corrected: corrected.keys, first_tested })
}

impl<'a> Life<'a> {
    /// Follows a key back through all wordings and lines of its age.
    fn of(known: &Known<'_>, key: u64, own: Option<&'a Birth>) -> Option<Self> {
        let births = of_this_run(known, known.births.get(&key)?, own);
        let mut life = Self {
            own,
            keys: vec![key],
            seen: HashSet::from([key]),
            origin: oldest(known.history, births.iter().copied())?,
            steps: Vec::new(),
            revised: Vec::new(),
            again: Vec::new(),
        };
        // Older wordings before older lines: what is a claim's own past is no copy.
        let (mut added, mut looked) = (0, 0);
        while looked < life.keys.len().min(LONGEST) {
            while let Some(key) = life.keys.get(added).copied().filter(|_| added < LONGEST) {
                life.add(known, key);
                added += 1;
            }
            if let Some(key) = life.keys.get(looked).copied() {
                life.add_original(known, key);
            }
            looked += 1;
        }
        Some(life)
    }

    /// Adds the places of one wording, and the wordings and lines it came from.
    fn add(&mut self, known: &Known<'_>, key: u64) {
        let Some(births) = known.births.get(&key) else { return };
        let births = of_this_run(known, births, self.own);
        let Some(first) = oldest(known.history, births.iter().copied()) else { return };
        if older_of(known.history, &first, &self.origin) {
            self.origin = first.clone();
        }
        for birth in births.iter().take(PLACES) {
            self.steps.extend(place(known, birth, first.first.commit));
        }
        for (birth, from) in births.iter().filter_map(|it| Some((*it, it.from?))) {
            match from.tie {
                Tie::Reworded => {
                    let pair = first_of(known, from.key).zip(claim_of(known.statements, birth));
                    if pair.is_some_and(|(old, new)| likeness::later(old, new)) {
                        self.again.push(birth.clone());
                    }
                    if self.seen.insert(from.key) {
                        self.keys.push(from.key);
                    }
                }
                Tie::Revised(_) | Tie::Corrected => self.revised.push((birth.clone(), from)),
            }
        }
    }

    /// Looks for an older line that told what a wording tells.
    fn add_original(&mut self, known: &Known<'_>, key: u64) {
        let births = known.births.get(&key).map(|all| of_this_run(known, all, self.own));
        let first = births.and_then(|births| oldest(known.history, births));
        let Some(Oldest { first: birth, .. }) = first else { return };
        let said = known.statements.get(birth.blob);
        let claim = said.and_then(|said| Some((said, said.claims.get(birth.index)?)));
        let Some((said, claim)) = claim else { return };
        let stands = |key| said.claims.iter().any(|it| it.key == key);
        if let Some((older, words)) = known.retold.of(claim, &birth, stands)
            && self.seen.insert(older)
        {
            self.keys.push(older);
            self.follows(birth.commit, Link::Copied, &[Why::Words(words)]);
        }
        let wanted = Wanted::new(said, claim, birth.blob, birth.path);
        let found = known.originals.of(known.history, known.statements, &wanted);
        let Some(found) = found.filter(|it| !of_another_run(known, &it.birth, self.own)) else {
            return;
        };
        let mut there = Oldest::of(found.birth, Some(found.lines));
        there.hidden |= commit_is_boundary(known.history, there.first.commit);
        if !older_of(known.history, &there, &self.origin) {
            return;
        }
        self.follows(birth.commit, found.link, &found.why);
        let seen = sighting(known, &there.first, there.line);
        let text = found.text;
        let step = |seen| Step { seen, text, link: None, why: Vec::new(), same_age: true };
        self.steps.extend(seen.map(step));
        self.origin = there;
        for key in found.keys {
            if self.seen.insert(key) {
                self.keys.push(key);
            }
        }
    }

    /// Says of what first stood in a commit and seemed to follow from nothing how it did.
    fn follows(&mut self, commit: CommitId, link: Link, why: &[Why]) {
        let new = self.steps.iter_mut().filter(|it| it.link.is_none() && it.seen.commit == commit);
        for step in new {
            step.link = Some(link);
            step.why = why.to_vec();
        }
    }

    /// Where a result of this age replaced another in the very commit in which the age began. Where
    /// the same result is older than that, the commit brought it back (a revert, a merge) or copied
    /// it, and measured nothing.
    fn retests(&self, known: &Known<'_>) -> Vec<Retest> {
        let here = |birth: &&(Birth, Replaced)| birth.0.commit == self.origin.first.commit;
        let found = self.revised.iter().filter(here).filter_map(|(birth, from)| {
            let Tie::Revised(how) = from.tie else { return None };
            let words = text_of(known.statements, birth).to_owned();
            let seen = sighting(known, birth, None);
            Some(Retest { commit: birth.commit, how, words, seen })
        });
        found.take(1).collect()
    }

    /// The statements that this one corrects, back to the one that was measured.
    fn corrected(&self, known: &Known<'_>, path: &str) -> Corrected {
        let mut found = Corrected::default();
        let mut seen = self.seen.clone();
        let mut next = self.corrects();
        while let Some(key) = next.filter(|key| seen.insert(*key) && seen.len() <= LONGEST) {
            let Some(older) = Self::of(known, key, self.own) else { break };
            found.measured = older.origin.seen(known, path).or(found.measured);
            next = older.corrects().filter(|_| older.retests(known).is_empty());
            found.keys.extend(older.keys);
        }
        found
    }

    /// What the first statement of this age put right in the commit that made it.
    fn corrects(&self) -> Option<u64> {
        let here = |birth: &Birth| birth.commit == self.origin.first.commit;
        let mut found = self.revised.iter().filter(|(birth, _)| here(birth));
        found.find(|(_, from)| from.tie == Tie::Corrected).map(|(_, from)| from.key)
    }

    /// Adds what the subject's results were before.
    fn older_ages(&mut self, known: &Known<'_>) {
        let began = self.origin.first.commit;
        let first = self.revised.iter().find(|(birth, _)| birth.commit == began);
        let mut next = first.map(|(_, from)| *from);
        while let Some(from) = next.filter(|from| self.seen.insert(from.key)) {
            if self.seen.len() > LONGEST {
                return;
            }
            let Some(births) = known.births.get(&from.key) else { return };
            let Some(before) = oldest(known.history, births) else { return };
            let Some(seen) = before.seen(known, "") else { return };
            let replaced = births.iter().find_map(|birth| Some((birth, birth.from?)));
            self.steps.push(Step {
                seen,
                text: text_of(known.statements, &before.first).to_owned(),
                link: replaced.map(|(birth, from)| link(known, birth, from)),
                why: replaced.map_or_else(Vec::new, |(birth, from)| why(known, birth, from)),
                same_age: false,
            });
            next = replaced.map(|(_, from)| from);
        }
    }
}

/// Where a statement first stood in a document, under whatever path that had then.
fn first_place<'a>(known: &Known<'_>, births: &'a [Birth], path: &str) -> Option<&'a Birth> {
    let mut own = births.iter().find(|birth| known.history.path(birth.path) == path)?;
    for _ in 0..PLACES {
        let before = |it: &&Birth| Some(it.path) == own.moved_from && it.commit < own.commit;
        match births.iter().find(before) {
            Some(birth) => own = birth,
            None => break,
        }
    }
    Some(own)
}

/// Births but for those in reports of other runs.
fn of_this_run<'a>(known: &Known<'_>, births: &'a [Birth], own: Option<&Birth>) -> Vec<&'a Birth> {
    let looked = births.iter().enumerate();
    let ours = looked.filter(|(at, it)| *at >= PLACES || !of_another_run(known, it, own));
    ours.map(|(_, birth)| birth).collect()
}

fn of_another_run(known: &Known<'_>, birth: &Birth, own: Option<&Birth>) -> bool {
    let older = (birth.path, birth.blob);
    own.is_some_and(|own| known.runs.apart(older, own))
}

/// A line that was found both as a claim of an older age and as an original is told once.
fn once_each(steps: Vec<Step>) -> Vec<Step> {
    let mut kept: Vec<Step> = Vec::with_capacity(steps.len());
    let mut at: HashMap<(CommitId, String, Lines), usize> = HashMap::new();
    for step in steps {
        let place = (step.seen.commit, step.seen.path.clone(), step.seen.lines);
        match at.get(&place).and_then(|known| kept.get_mut(*known)) {
            Some(known) => {
                known.same_age |= step.same_age;
                if known.link.is_none() {
                    (known.link, known.why) = (step.link, step.why);
                }
            }
            None => {
                at.insert(place, kept.len());
                kept.push(step);
            }
        }
    }
    kept
}

/// One place in which a wording stood, and how it came there.
fn place(known: &Known<'_>, birth: &Birth, first: CommitId) -> Option<Step> {
    let seen = sighting(known, birth, None)?;
    let text = text_of(known.statements, birth).to_owned();
    let (link, why) = match (birth.from, birth.moved_from) {
        (Some(from), _) => (Some(link(known, birth, from)), why(known, birth, from)),
        (None, Some(_)) => (Some(Link::Moved), vec![Why::SameKey]),
        (None, None) if birth.commit == first => (None, Vec::new()),
        (None, None) => {
            let link = if stands_elsewhere(known, birth) { Link::Copied } else { Link::Same };
            (Some(link), vec![Why::SameKey])
        }
    };
    Some(Step { seen, text, link, why, same_age: true })
}

/// Whether the statement stands in another document of the commit in which it is new in this one.
fn stands_elsewhere(known: &Known<'_>, birth: &Birth) -> bool {
    let key = claim_of(known.statements, birth).map(|claim| claim.key);
    let others = key.and_then(|key| known.births.get(&key)).into_iter().flatten();
    let paths = others.filter(|it| it.commit < birth.commit && it.path != birth.path);
    paths.take(PLACES).any(|it| {
        let blob = known.history.blob_at(birth.commit, it.path);
        let said = blob.and_then(|blob| known.statements.get(blob));
        said.is_some_and(|said| said.claims.iter().any(|claim| Some(claim.key) == key))
    })
}

/// How what was born follows from what vanished.
fn link(known: &Known<'_>, birth: &Birth, from: Replaced) -> Link {
    match from.tie {
        Tie::Revised(how) => return Link::Revised(how),
        Tie::Corrected => return Link::Corrected,
        Tie::Reworded => {}
    }
    let script = |claim: Option<&Claim>| claim.map_or(Script::None, |it| Script::of(&it.text));
    let scripts = (script(first_of(known, from.key)), script(claim_of(known.statements, birth)));
    if scripts.0 != scripts.1 && scripts.0.min(scripts.1) != Script::None {
        Link::Translated
    } else if from.path != birth.path {
        Link::Moved
    } else {
        Link::Reworded
    }
}

/// What proves that what was born is what vanished.
fn why(known: &Known<'_>, birth: &Birth, from: Replaced) -> Vec<Why> {
    let pair = first_of(known, from.key).zip(claim_of(known.statements, birth));
    let Some((old, new)) = pair else { return Vec::new() };
    let count = |a: &[u64], b: &[u64]| a.iter().filter(|it| b.binary_search(it).is_ok()).count();
    let numbers = likeness::compare_values(old, new).equal;
    let mut why = Vec::new();
    why.extend((old.subject_key == new.subject_key).then_some(Why::SameSubject));
    why.extend((numbers > 0).then_some(Why::Numbers(numbers)));
    why.push(Why::Words(count(&old.words, &new.words)));
    why
}

fn first_of<'a>(known: &Known<'a>, key: u64) -> Option<&'a Claim> {
    claim_of(known.statements, known.births.get(&key)?.first()?)
}

/// The oldest births of one key: all in the same commit.
#[derive(Clone)]
pub(super) struct Oldest {
    pub(super) first: Birth,
    all: Vec<Birth>,
    /// Where it stands, if that is no claim.
    line: Option<Lines>,
    /// The history is cut off there.
    pub(super) hidden: bool,
}

impl Oldest {
    fn of(birth: Birth, line: Option<Lines>) -> Self {
        Self { all: vec![birth.clone()], hidden: birth.hidden, first: birth, line }
    }

    /// Where it was, in the document that is best known by `path`.
    fn seen(&self, known: &Known<'_>, path: &str) -> Option<Sighting> {
        sighting(known, &self.pick(path, known.history), self.line)
    }

    /// The birth in the document that is best known by `path`.
    pub(super) fn pick(&self, path: &str, history: &History) -> Birth {
        let same = self.all.iter().find(|birth| history.path(birth.path) == path);
        same.unwrap_or(&self.first).clone()
    }
}

/// The oldest of births in commit order: ancestry decides, then committer time. A cut-off birth
/// goes first, for nobody knows how old it is.
pub(super) fn oldest<'a>(
    history: &History,
    births: impl IntoIterator<Item = &'a Birth>,
) -> Option<Oldest> {
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
    Some(Oldest { first: all.first()?.clone(), all, line: None, hidden })
}

pub(super) fn older_of(history: &History, a: &Oldest, b: &Oldest) -> bool {
    match history.order(a.first.commit, b.first.commit) {
        Order::Before(OrderedBy::Ancestry) => true,
        Order::Before(OrderedBy::Time) => a.hidden >= b.hidden,
        _ => false,
    }
}

/// Where a birth stands, in that version of the document.
fn sighting(known: &Known<'_>, birth: &Birth, line: Option<Lines>) -> Option<Sighting> {
    let lines = match line {
        Some(lines) => lines,
        None => claim_of(known.statements, birth)?.lines,
    };
    let path = known.history.path(birth.path).to_owned();
    Some(Sighting { commit: birth.commit, path, lines })
}

fn commit_is_boundary(history: &History, commit: CommitId) -> bool {
    history.commits().get(commit.0 as usize).is_some_and(|commit| commit.boundary)
}

fn claim_of<'a>(statements: &'a PerBlob<Statements>, birth: &Birth) -> Option<&'a Claim> {
    statements.get(birth.blob)?.claims.get(birth.index)
}

fn text_of<'a>(statements: &'a PerBlob<Statements>, birth: &Birth) -> &'a str {
    claim_of(statements, birth).map_or("", |claim| claim.text.as_str())
}
