//! What a change did: its claims by what happened to them, and the sum that takes the place of the
//! audit's.

use std::io;

use super::sheet::{Ink, Sheet};
use super::{Context, claim};
use crate::compare::Comparison;
use crate::report::sum_of_change;
use crate::texts::Message;
use crate::verdict::JudgedClaim;

/// The claims that a change brought back, and those whose reasons it took away. Its leads stand
/// before, in full.
pub(super) fn others(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    comparison: &Comparison,
) -> io::Result<()> {
    for (id, list) in
        [("change-cleared", &comparison.cleared), ("change-lapsed", &comparison.lapsed)]
    {
        if list.is_empty() {
            continue;
        }
        let title = Message::new(id).with("count", list.len()).say(context.language);
        sheet.hang(0, &[], (Ink::Strong, &title))?;
        sheet.blank()?;
        for judged in claims(context, list) {
            claim::headers(sheet, context, 2, &[judged])?;
            claim::life(sheet, context, 4, judged)?;
        }
        sheet.blank()?;
    }
    Ok(())
}

/// The sum in one line to quote, and the ids of what the change turned.
pub(super) fn sum(
    sheet: &mut Sheet<'_>,
    context: Context<'_>,
    comparison: &Comparison,
) -> io::Result<()> {
    let sum = sum_of_change(comparison, context.receipts, context.language);
    let turned = &comparison.turned;
    let ink = if comparison.made_leads() { Ink::Lead } else { Ink::Evidence };
    sheet.hang(0, &[], (ink, &sum))?;
    if !turned.is_empty() {
        let ids: Vec<&str> = claims(context, turned).map(|it| it.id.as_str()).collect();
        let told = Message::new("change-turned").with("ids", ids.join(", ")).say(context.language);
        sheet.hang(0, &[], (Ink::Plain, &told))?;
    }
    Ok(())
}

fn claims<'a>(context: Context<'a>, list: &[usize]) -> impl Iterator<Item = &'a JudgedClaim> {
    list.iter().filter_map(move |at| context.audit.claims.get(*at))
}
