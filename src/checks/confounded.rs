//! One thing gets the credit or the blame though others were not kept apart from it.
//!
//! Several changes made together, a suspect that is only what was left over, a thing taken away and
//! never put back: each fits the result and none shows the cause.

use super::{Check, Reason, Receipt, excerpt};
use crate::documents::Lines;
use crate::extract::{Kind, Near, Placed, SignClass};
use crate::ledger::{Confidence, Ledger};
use crate::lineage::Lineage;
use crate::texts::Message;

/// Lines from one row to the next, or from the last one to the text that speaks of the table.
const GAP: u32 = 2;

/// See the module.
pub struct Confounded;

impl Check for Confounded {
    fn name(&self) -> &'static str {
        "confounded"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let said = [together(claim), eliminated(claim), removed(claim), opt_in(claim)];
        let reason = |(confidence, message)| {
            Reason::new(confidence, message).receipt(Receipt::show(ledger, &claim.last_tested))
        };
        let said = said.into_iter().flatten().map(reason);
        said.chain(uncontrolled(claim, ledger)).collect()
    }
}

type Said = (Confidence, Message);

/// Several changes at once, and one gets the credit.
fn together(claim: &Lineage) -> Option<Said> {
    let basis = &claim.claim.basis;
    let changes = basis.of(SignClass::Together).next()?;
    let credit = basis.of(SignClass::Credit).next()?;
    let own = [changes, credit].iter().all(|sign| sign.near == Near::Own);
    let silent = basis.has(SignClass::Isolated)
        || claim.claim.kind == Kind::Failure
        || [changes, credit].iter().all(|sign| sign.near == Near::Block);
    let message = Message::new("confounded")
        .with("how", "together")
        .with("words", excerpt(&changes.words))
        .with("other", excerpt(&credit.words));
    let confidence = if own { Confidence::High } else { Confidence::Medium };
    (!silent).then_some((confidence, message))
}

/// What was left over is to blame.
fn eliminated(claim: &Lineage) -> Option<Said> {
    let basis = &claim.claim.basis;
    let sign = basis.own(SignClass::Elimination).filter(|_| !basis.has(SignClass::Isolated))?;
    let message =
        Message::new("confounded").with("how", "elimination").with("words", excerpt(&sign.words));
    Some((Confidence::Low, message))
}

/// Without it, it works; with it again, nobody looked.
fn removed(claim: &Lineage) -> Option<Said> {
    let basis = &claim.claim.basis;
    let lifted = basis.has(SignClass::Restored) || basis.has(SignClass::Isolated);
    let sign = basis.own(SignClass::Removed).filter(|_| !lifted)?;
    let message =
        Message::new("confounded").with("how", "removed").with("words", excerpt(&sign.words));
    (claim.claim.kind != Kind::Failure).then_some((Confidence::Low, message))
}

/// A row of a table of which the text right before or after it says that several things changed.
fn uncontrolled(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let said = &claim.claim;
    let of_table = said.rule.starts_with("table.") && said.kind != Kind::Failure;
    let beside = |(path, placed): &(&str, &Placed)| {
        placed.sign.class == SignClass::Uncontrolled
            && *path == claim.path
            && placed.section == said.section
            && touches(claim, placed, ledger)
    };
    let (path, placed) = ledger.signs().find(beside).filter(|_| of_table)?;
    let message = Message::new("confounded")
        .with("how", "uncontrolled")
        .with("words", excerpt(&placed.sign.words));
    let commit = ledger.commit(ledger.history().head())?.oid;
    let said = Receipt::Show { commit, path: path.to_owned(), lines: placed.lines };
    let reason = Reason::new(Confidence::Medium, message);
    let reason = reason.receipt(Receipt::show(ledger, &claim.last_tested));
    Some(reason.receipt(Some(said)))
}

/// From the text to the row there are only rows of one table.
fn touches(claim: &Lineage, placed: &Placed, ledger: &Ledger<'_>) -> bool {
    let rows = ledger
        .lineages()
        .claims
        .iter()
        .filter(|row| row.path == claim.path && row.claim.rule.starts_with("table."));
    let mut lines: Vec<_> = rows.map(|row| row.claim.lines).collect();
    lines.sort_unstable();
    let (own, text) = (claim.claim.lines, placed.lines);
    if own.end < text.start {
        let between = lines.iter().filter(|row| row.end >= own.end && row.end < text.start).rev();
        let gap = |at: u32, row: &Lines| (at.saturating_sub(row.end) <= GAP).then_some(row.start);
        between.into_iter().try_fold(text.start, gap).is_some()
    } else {
        let between = lines.iter().filter(|row| row.start <= own.start && row.start > text.end);
        let gap = |at: u32, row: &Lines| (row.start.saturating_sub(at) <= GAP).then_some(row.end);
        // The header and the line below it stand before the first row.
        between.into_iter().try_fold(text.end + 2, gap).is_some()
    }
}

/// It takes a setting that is off where nobody sets it.
fn opt_in(claim: &Lineage) -> Option<Said> {
    let basis = &claim.claim.basis;
    let sign = basis.own(SignClass::OptIn).filter(|_| !basis.has(SignClass::Given))?;
    let message =
        Message::new("confounded").with("how", "opt-in").with("words", excerpt(&sign.words));
    (claim.claim.kind == Kind::Success).then_some((Confidence::Low, message))
}
