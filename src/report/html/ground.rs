//! The pitfalls that stand against claims, and how many each challenges.

use std::collections::{BTreeMap, BTreeSet};

use super::card::{Moment, Words, lang, moment, shown};
use crate::report::{effect_word, escape};
use crate::verdict::{Audit, KnownPitfall};

/// A pitfall.
pub(super) struct Pitfall {
    pub(super) id: String,
    pub(super) place: String,
    pub(super) effect: String,
    pub(super) triggers: Vec<String>,
    pub(super) text: String,
    pub(super) lang: &'static str,
    pub(super) moment: Moment,
    pub(super) challenged: usize,
    pub(super) challenges: String,
}

/// For each pitfall, by its index, the shown claims that it challenges.
pub(super) fn challenged(audit: &Audit, shown: &[usize]) -> BTreeMap<usize, Vec<usize>> {
    let mut by_pitfall: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in shown {
        let Some(judged) = audit.claims.get(*at) else { continue };
        let challenges = judged.reasons.iter().filter_map(|it| it.challenge.as_ref());
        let pitfalls: BTreeSet<usize> = challenges.map(|it| it.pitfall).collect();
        for pitfall in pitfalls {
            by_pitfall.entry(pitfall).or_default().push(*at);
        }
    }
    by_pitfall
}

/// All pitfalls, those that challenge most claims first.
pub(super) fn pitfalls(audit: &Audit, shown: &[usize], words: Words<'_>) -> Vec<Pitfall> {
    let challenged = challenged(audit, shown);
    let mut pitfalls: Vec<Pitfall> = audit
        .pitfalls
        .iter()
        .enumerate()
        .map(|(at, known)| pitfall(audit, known, challenged.get(&at).map_or(0, Vec::len), words))
        .collect();
    pitfalls.sort_by_key(|it| std::cmp::Reverse(it.challenged));
    pitfalls
}

fn pitfall(audit: &Audit, known: &KnownPitfall, challenged: usize, words: Words<'_>) -> Pitfall {
    let lineage = &known.lineage;
    let entry = &lineage.pitfall;
    Pitfall {
        id: known.id.clone(),
        place: format!("{}:{}", shown(&lineage.path), entry.lines.start),
        effect: words.word("effect", effect_word(entry.effect)),
        triggers: entry.triggers.iter().map(|it| escape::cut(it, escape::LINE_LIMIT)).collect(),
        text: shown(&entry.text),
        lang: lang(&entry.text),
        moment: moment(audit, &lineage.introduced, "page-introduced", lineage.at_or_before, words),
        challenged,
        challenges: words.counted("page-challenges", challenged),
    }
}
