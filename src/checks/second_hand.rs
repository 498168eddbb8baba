//! The text itself says that the result is somebody else's.
//!
//! A result that was also reproduced here is read without the hedge, so it never comes here.

use super::{Check, Reason, Receipt, excerpt, hedges};
use crate::extract::HedgeClass;
use crate::ledger::Ledger;
use crate::lineage::Lineage;

/// See the module.
pub struct SecondHand;

impl Check for SecondHand {
    fn name(&self) -> &'static str {
        "second-hand"
    }

    fn explain(&self) -> &'static str {
        "The claim reports somebody else's result and does not say that it was reproduced here. \
         Reproduce it and say so beside it, or keep it as the pointer that it is."
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let hedge = hedges(claim, HedgeClass::SecondHand).into_iter().next();
        let reason = hedge.map(|(confidence, hedge)| {
            let words = excerpt(&hedge.words);
            let message = format!("It reports somebody else's result: \u{201c}{words}\u{201d}.");
            Reason::new(confidence, &message).receipt(Receipt::show(ledger, &claim.last_tested))
        });
        reason.into_iter().collect()
    }
}
