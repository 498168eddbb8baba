//! The text itself says that the result was computed or expected, not run.
//!
//! A computed number may be right; it is no observation.

use super::{Check, Reason, Receipt, excerpt, hedges};
use crate::extract::{HedgeClass, Near, Quantity, SignClass};
use crate::ledger::{Confidence, Ledger};
use crate::lineage::Lineage;
use crate::texts::Message;

/// See the module.
pub struct Estimate;

impl Check for Estimate {
    fn name(&self) -> &'static str {
        "estimate"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let hedge = hedges(claim, HedgeClass::Estimate).into_iter().next();
        let reason = hedge.map(|(confidence, hedge)| {
            let words = excerpt(&hedge.words);
            let message = Message::new("estimate").with("how", "said").with("words", words);
            Reason::new(confidence, message).receipt(Receipt::show(ledger, &claim.last_tested))
        });
        let more = [computed(claim, ledger), beyond(claim, ledger), unmeasured(claim, ledger)];
        reason.into_iter().chain(more.into_iter().flatten()).collect()
    }
}

/// Its number is what an approximate product gives, and no run is told of.
fn computed(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let equation = claim.claim.basis.computed.as_deref()?;
    let message = Message::new("estimate").with("how", "computed").with("words", excerpt(equation));
    Some(
        Reason::new(Confidence::Medium, message).receipt(Receipt::show(ledger, &claim.last_tested)),
    )
}

/// It is said to hold up to a level that the same text says was not reached.
fn beyond(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let basis = &claim.claim.basis;
    let said = basis.own(SignClass::Claimed)?;
    let number = |quantity: &Quantity| quantity.number.parse::<f64>().ok();
    let top = said.values.last()?;
    let reached = basis.own(SignClass::Reached)?;
    let highest = reached.values.iter().filter(|value| value.unit == top.unit).filter_map(number);
    let highest = highest.reduce(f64::max)?;
    (number(top)? > highest).then(|| {
        let message = Message::new("estimate")
            .with("how", "beyond")
            .with("words", excerpt(&said.words))
            .with("other", excerpt(&reached.words));
        Reason::new(Confidence::Low, message).receipt(Receipt::show(ledger, &claim.last_tested))
    })
}

/// A row of a table that says that all of it was measured, and no result of its subject anywhere
/// else, though other rows have one.
fn unmeasured(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let sign =
        claim.claim.basis.of(SignClass::AllMeasured).find(|sign| sign.near == Near::Block)?;
    let all = &ledger.lineages().claims;
    let beside =
        |other: &Lineage| other.path == claim.path && other.claim.section == claim.claim.section;
    let source = |row: &Lineage| {
        let same = |other: &&Lineage| !beside(other) && other.claim.terms == row.claim.terms;
        !row.claim.terms.is_empty() && all.iter().any(|other| same(&other))
    };
    let rows = || {
        let of_table = |row: &&Lineage| beside(row) && row.claim.basis.has(SignClass::AllMeasured);
        all.iter().filter(of_table)
    };
    let known = rows().filter(|row| source(row)).count();
    let odd = !claim.claim.terms.is_empty() && !source(claim) && known >= 2;
    (odd && 2 * known > rows().count()).then(|| {
        let message =
            Message::new("estimate").with("how", "unmeasured").with("words", excerpt(&sign.words));
        Reason::new(Confidence::Low, message).receipt(Receipt::show(ledger, &claim.last_tested))
    })
}
