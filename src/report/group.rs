//! The order in which leads are read: by document, by pitfall, and those with one reason together.
//!
//! Twenty rows of one table under one pitfall are one thing to look into and not twenty. So the
//! pitfall is told once and rows whose reasons differ in nothing but their own line are stacked.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::checks::{Confidence, Exposure, OrderedBy};
use crate::history::CommitId;
use crate::report::leads;
use crate::texts::Message;
use crate::verdict::{Audit, JudgedClaim};

/// The leads of one document.
pub(super) struct Document<'a> {
    pub(super) path: &'a str,
    /// The surest and largest first; those without a pitfall last.
    pub(super) groups: Vec<Group<'a>>,
}

/// Leads under one pitfall.
pub(super) struct Group<'a> {
    /// Index into [`Audit::pitfalls`]; `None` for leads that no pitfall challenges.
    pub(super) pitfall: Option<usize>,
    /// By their first lines.
    pub(super) stacks: Vec<Stack<'a>>,
}

/// Leads of which the same is to be said; never empty.
pub(super) struct Stack<'a> {
    pub(super) first: &'a JudgedClaim,
    pub(super) more: Vec<&'a JudgedClaim>,
}

impl<'a> Stack<'a> {
    pub(super) fn claims(&self) -> impl Iterator<Item = &'a JudgedClaim> {
        std::iter::once(self.first).chain(self.more.iter().copied())
    }

    pub(super) fn len(&self) -> usize {
        1 + self.more.len()
    }
}

impl Document<'_> {
    /// How many leads it has.
    pub(super) fn leads(&self) -> usize {
        self.groups.iter().map(Group::leads).sum()
    }
}

impl Group<'_> {
    /// How many leads it has.
    pub(super) fn leads(&self) -> usize {
        self.stacks.iter().map(Stack::len).sum()
    }

    fn surest(&self) -> Option<Confidence> {
        let reasons = self.stacks.iter().flat_map(|stack| &stack.first.reasons);
        reasons.map(|reason| reason.confidence).max()
    }
}

/// Groups all leads of an audit; documents in the order of their paths.
pub(super) fn by_document(audit: &Audit) -> Vec<Document<'_>> {
    let mut documents: BTreeMap<&str, Vec<&JudgedClaim>> = BTreeMap::new();
    for lead in leads(audit) {
        documents.entry(&lead.lineage.path).or_default().push(lead);
    }
    documents.into_iter().map(|(path, leads)| Document { path, groups: groups(&leads) }).collect()
}

/// Groups leads of any documents by the pitfall that speaks against them most.
pub(super) fn groups<'a>(leads: &[&'a JudgedClaim]) -> Vec<Group<'a>> {
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for challenge in
        leads.iter().flat_map(|lead| &lead.reasons).filter_map(|it| it.challenge.as_ref())
    {
        *sizes.entry(challenge.pitfall).or_default() += 1;
    }
    let mut groups: BTreeMap<Option<usize>, Vec<&JudgedClaim>> = BTreeMap::new();
    for lead in leads {
        groups.entry(main_pitfall(lead, &sizes)).or_default().push(lead);
    }
    let mut groups: Vec<Group<'_>> = groups
        .into_iter()
        .map(|(pitfall, leads)| Group { pitfall, stacks: stacks(&leads) })
        .collect();
    groups.sort_by_key(|group| {
        (group.pitfall.is_none(), Reverse(group.surest()), Reverse(group.leads()))
    });
    groups
}

/// The pitfall under which a claim is told: the surest, then the one most claims share.
fn main_pitfall(lead: &JudgedClaim, sizes: &BTreeMap<usize, usize>) -> Option<usize> {
    let challenges = lead
        .reasons
        .iter()
        .filter_map(|it| it.challenge.as_ref().map(|c| (it.confidence, c.pitfall)));
    challenges
        .max_by_key(|(confidence, pitfall)| {
            (*confidence, sizes.get(pitfall).copied(), Reverse(*pitfall))
        })
        .map(|(_, pitfall)| pitfall)
}

fn stacks<'a>(leads: &[&'a JudgedClaim]) -> Vec<Stack<'a>> {
    let mut stacks: Vec<Stack<'a>> = Vec::new();
    let mut places: BTreeMap<Said<'a>, usize> = BTreeMap::new();
    for &lead in leads {
        let place = *places.entry(said(lead)).or_insert(stacks.len());
        match stacks.get_mut(place) {
            Some(stack) => stack.more.push(lead),
            None => stacks.push(Stack { first: lead, more: Vec::new() }),
        }
    }
    stacks
}

/// All that is printed of a lead but its own lines, text and receipts.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Said<'a> {
    introduced: CommitId,
    last_tested: CommitId,
    at_or_before: bool,
    retest: Option<&'a str>,
    reasons: Vec<Why<'a>>,
}

/// A reason without its receipts.
type Why<'a> = (&'static str, Confidence, &'a Message, Option<(usize, i64, Exposure, OrderedBy)>);

fn said(lead: &JudgedClaim) -> Said<'_> {
    let lineage = &lead.lineage;
    Said {
        introduced: lineage.introduced.commit,
        last_tested: lineage.last_tested.commit,
        at_or_before: lineage.at_or_before,
        retest: lineage.retests.last().map(|retest| retest.words.as_str()),
        reasons: lead
            .reasons
            .iter()
            .map(|reason| {
                let challenge = reason.challenge.as_ref();
                let challenge =
                    challenge.map(|it| (it.pitfall, it.lag_seconds, it.exposure, it.ordered_by));
                (reason.check, reason.confidence, &reason.message, challenge)
            })
            .collect(),
    }
}
