//! A later statement says the opposite of the same subject, or another number, and both stand.
//!
//! Other conditions make another subject: that is the ledger's question. Which of the two is right
//! is not asked; the older one is the lead.

use super::{Check, Confidence, Reason, Receipt, excerpt};
use crate::extract::SignClass;
use crate::ledger::Ledger;
use crate::lineage::{Lineage, telling, tells};
use crate::texts::Message;

/// See the module.
pub struct Contradicted;

impl Check for Contradicted {
    fn name(&self) -> &'static str {
        "contradicted"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let reason = opposite(claim, ledger)
            .or_else(|| corrected(claim, ledger))
            .or_else(|| superseded(claim, ledger))
            .or_else(|| other_value(claim, ledger));
        reason.into_iter().collect()
    }
}

fn opposite(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let found = ledger.opposites(claim).into_iter().next()?;
    Some(against(claim, found.lineage, "opposite", found.confidence, ledger))
}

/// A later text corrects a number that this one still gives.
fn corrected(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let said = ledger.corrections(claim).into_iter().next()?;
    let message = Message::new("contradicted")
        .with("how", "corrected")
        .with("text", excerpt(&said.placed.sign.words))
        .with("path", said.path);
    let head = ledger.commit(ledger.history().head())?.oid;
    let here = Receipt::Show { commit: head, path: said.path.to_owned(), lines: said.placed.lines };
    let reason = Reason::new(Confidence::Medium, message);
    Some(reason.receipt(Receipt::show(ledger, &claim.last_tested)).receipt(Some(here)))
}

/// It is told as how things stand now, and elsewhere the same number as how they stood: who says so
/// says it later, whenever the number was first told.
fn superseded(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    claim.claim.basis.own(SignClass::Current)?;
    let past = |other: &&Lineage| {
        other.claim.basis.own(SignClass::Superseded).is_some()
            && telling(&claim.claim).any(|number| tells(&other.claim, number))
    };
    let other = ledger.lineages().claims.iter().find(past)?;
    Some(against(claim, other, "superseded", Confidence::Medium, ledger))
}

/// A later statement gives another value of the same quantity in the same words.
fn other_value(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let other = ledger.other_values(claim).into_iter().next()?;
    Some(against(claim, other, "value", Confidence::Low, ledger))
}

fn against(
    claim: &Lineage,
    other: &Lineage,
    how: &'static str,
    confidence: Confidence,
    ledger: &Ledger<'_>,
) -> Reason {
    let message = Message::new("contradicted")
        .with("how", how)
        .with("text", excerpt(&other.claim.text))
        .with("path", other.path.as_str());
    Reason::new(confidence, message)
        .receipt(Receipt::show(ledger, &claim.last_tested))
        .receipt(Receipt::show(ledger, &other.introduced))
}
