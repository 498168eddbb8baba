//! The order of the list, and what it can be filtered by.

use std::collections::{BTreeMap, BTreeSet};

use super::card::{Card, Words, card, shown, standing};
use crate::report::{Options, kind_word};
use crate::verdict::Audit;

/// Claims of which the same is to be said: leads, or evidence, or what a change cleared.
pub(super) struct Group {
    pub(super) id: &'static str,
    pub(super) title: String,
    pub(super) documents: Vec<Document>,
    /// The claims, as indices into the audit's.
    pub(super) indices: Vec<usize>,
}

/// The claims of one document.
pub(super) struct Document {
    pub(super) path: String,
    pub(super) cards: Vec<Card>,
}

/// A filter: a name and what can be chosen, with how many claims that has.
pub(super) struct Choice {
    pub(super) name: &'static str,
    pub(super) label: String,
    pub(super) options: Vec<(String, String, usize)>,
}

/// The groups that have claims, in reading order.
pub(super) fn groups(audit: &Audit, options: &Options, words: Words<'_>) -> Vec<Group> {
    let lists: Vec<(&'static str, &'static str, Vec<usize>)> = match &options.comparison {
        Some(change) => vec![
            ("new", "page-new-leads", change.new_leads.clone()),
            ("turned", "page-turned", change.turned.clone()),
            ("cleared", "page-cleared", change.cleared.clone()),
            ("lapsed", "page-lapsed", change.lapsed.clone()),
        ],
        None => {
            let having = |wanted: &str| {
                let claims = audit.claims.iter().enumerate();
                claims.filter(|(_, it)| standing(it) == wanted).map(|(at, _)| at).collect()
            };
            vec![
                ("leads", "page-leads", having("lead")),
                ("suppressed", "page-suppressed", having("suppressed")),
                ("evidence", "page-evidence", having("evidence")),
            ]
        }
    };
    let filled = lists.into_iter().filter(|(.., indices)| !indices.is_empty());
    filled
        .map(|(id, title, indices)| Group {
            id,
            title: words.text(title),
            documents: documents(audit, &indices, words),
            indices,
        })
        .collect()
}

fn documents(audit: &Audit, indices: &[usize], words: Words<'_>) -> Vec<Document> {
    let mut documents: Vec<Document> = Vec::new();
    for judged in indices.iter().filter_map(|at| audit.claims.get(*at)) {
        let card = card(audit, judged, words);
        match documents.last_mut().filter(|last| last.path == card.path) {
            Some(last) => last.cards.push(card),
            None => documents.push(Document { path: card.path.clone(), cards: vec![card] }),
        }
    }
    documents
}

/// The checks that speak of the shown claims.
pub(super) fn checks<'a>(audit: &'a Audit, shown: &[usize]) -> impl Iterator<Item = &'a str> {
    let claims = shown.iter().filter_map(|at| audit.claims.get(*at));
    let checks: BTreeSet<&str> =
        claims.flat_map(|judged| &judged.reasons).map(|reason| reason.check).collect();
    checks.into_iter()
}

/// By what the shown claims can be filtered.
pub(super) fn choices(audit: &Audit, claims: &[usize], words: Words<'_>) -> Vec<Choice> {
    let (mut verdicts, mut kinds, mut checks, mut files) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for judged in claims.iter().filter_map(|at| audit.claims.get(*at)) {
        let count = |counts: &mut BTreeMap<String, usize>, value: &str| {
            *counts.entry(value.to_owned()).or_insert(0) += 1;
        };
        count(&mut verdicts, standing(judged));
        count(&mut kinds, kind_word(judged.lineage.claim.kind));
        count(&mut files, &shown(&judged.lineage.path));
        let named: BTreeSet<&str> = judged.reasons.iter().map(|it| it.check).collect();
        named.into_iter().for_each(|check| count(&mut checks, check));
    }
    let choice = |name, label: &str, of: &str, counts: BTreeMap<String, usize>| {
        let say = |value: &str| {
            if of.is_empty() { value.to_owned() } else { words.word(of, value) }
        };
        let options = counts.into_iter().map(|(value, count)| (say(&value), count, value));
        let options = options.map(|(said, count, value)| (value, said, count)).collect();
        Choice { name, label: words.text(label), options }
    };
    vec![
        choice("verdict", "page-by-verdict", "page-standing", verdicts),
        choice("kind", "page-by-kind", "kind", kinds),
        choice("check", "page-by-check", "", checks),
        choice("file", "page-by-file", "", files),
    ]
}
