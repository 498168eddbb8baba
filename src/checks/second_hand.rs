//! The text itself says that the result is somebody else's.
//!
//! A result that was also reproduced here is read without the hedge, so it never comes here.

use super::{Check, Reason, Receipt, excerpt, hedges};
use crate::extract::HedgeClass;
use crate::ledger::Ledger;
use crate::lineage::Lineage;
use crate::texts::Message;

/// See the module.
pub struct SecondHand;

impl Check for SecondHand {
    fn name(&self) -> &'static str {
        "second-hand"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let hedge = hedges(claim, HedgeClass::SecondHand).into_iter().next();
        let reason = hedge.map(|(confidence, hedge)| {
            let words = excerpt(&hedge.words);
            let message = Message::new("second-hand").with("words", words);
            Reason::new(confidence, message).receipt(Receipt::show(ledger, &claim.last_tested))
        });
        reason.into_iter().collect()
    }
}
