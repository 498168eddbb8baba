//! One pitfall, in full or in short, and which of them matter most.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::sheet::{Ink, Sheet};
use super::{Context, commit, place};
use crate::extract::Pitfall;
use crate::report::{effect_word, escape, leads, word};
use crate::texts;
use crate::verdict::{Audit, KnownPitfall};

/// A pitfall in full: where it stands, what it says, what to avoid, since when.
pub(super) fn full(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    known: &KnownPitfall,
) -> io::Result<()> {
    let lineage = &known.lineage;
    head(sheet, context, indent, known)?;
    let named = if lineage.pitfall.needed { "label-needed" } else { "label-triggers" };
    sheet.quote(indent, Ink::Pitfall, &escape::cut(&lineage.pitfall.text, escape::TEXT_LIMIT))?;
    sheet.hang(
        indent,
        &[(Ink::Dim, &context.label(named))],
        (Ink::Plain, &triggers(context, &lineage.pitfall)),
    )?;
    commit::sighting(
        sheet,
        context,
        indent,
        "label-introduced",
        &lineage.introduced,
        lineage.at_or_before,
    )
}

/// Its first line: where it stands and what it does.
fn head(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    known: &KnownPitfall,
) -> io::Result<()> {
    let pitfall = &known.lineage.pitfall;
    let place = place(&known.lineage.path, pitfall.lines);
    let effect = word(context.language, "effect", effect_word(pitfall.effect));
    let kind = format!("  {effect}  [{}]", known.id);
    sheet.line(
        indent,
        &[
            (Ink::Pitfall, &context.label("label-pitfall")),
            (Ink::Place(&known.lineage.path), &place),
            (Ink::Dim, &kind),
        ],
    )
}

/// A pitfall that is told in full elsewhere or matters less here.
pub(super) fn brief(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    indent: usize,
    known: &KnownPitfall,
) -> io::Result<()> {
    let lineage = &known.lineage;
    head(sheet, context, indent, known)?;
    let text = escape::cut(&lineage.pitfall.text, sheet.room(indent + context.labels));
    sheet.hang(indent, &[(Ink::Plain, &context.no_label())], (Ink::Plain, &text))?;
    commit::sighting(
        sheet,
        context,
        indent,
        "label-introduced",
        &lineage.introduced,
        lineage.at_or_before,
    )
}

/// The pitfalls that challenge leads, with how many, most first.
pub(super) fn challenging(audit: &Audit) -> Vec<(&KnownPitfall, usize)> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for lead in leads(audit) {
        let pitfalls: BTreeSet<usize> = lead
            .reasons
            .iter()
            .filter_map(|it| it.challenge.as_ref())
            .map(|it| it.pitfall)
            .collect();
        for pitfall in pitfalls {
            *counts.entry(pitfall).or_default() += 1;
        }
    }
    let known = counts.into_iter().filter_map(|(at, leads)| Some((audit.pitfalls.get(at)?, leads)));
    let mut ranks: Vec<_> = known.collect();
    ranks.sort_by_key(|(_, leads)| Reverse(*leads));
    ranks
}

pub(super) fn triggers(context: Context<'_>, pitfall: &Pitfall) -> String {
    let triggers: Vec<String> =
        pitfall.triggers.iter().map(|it| escape::cut(it, escape::LINE_LIMIT)).collect();
    escape::cut(
        &triggers.join(&texts::text(context.language, "enumeration")),
        2 * escape::LINE_LIMIT,
    )
}
