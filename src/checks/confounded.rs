//! One thing gets the credit or the blame though others were not kept apart from it.
//!
//! Several changes made together, a suspect that is only what was left over, a thing taken away and
//! never put back: each fits the result and none shows the cause.

use super::{Check, Reason, Receipt, excerpt};
use crate::extract::{Kind, Near, SignClass};
use crate::ledger::{Confidence, Ledger};
use crate::lineage::Lineage;
use crate::texts::Message;

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
        said.into_iter().flatten().map(reason).collect()
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

/// It takes a setting that is off where nobody sets it.
fn opt_in(claim: &Lineage) -> Option<Said> {
    let basis = &claim.claim.basis;
    let sign = basis.own(SignClass::OptIn).filter(|_| !basis.has(SignClass::Given))?;
    let message =
        Message::new("confounded").with("how", "opt-in").with("words", excerpt(&sign.words));
    (claim.claim.kind != Kind::Failure).then_some((Confidence::Low, message))
}
