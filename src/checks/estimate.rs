//! The text itself says that the result was computed or expected, not run.
//!
//! A computed number may be right; it is no observation.

use super::{Check, Reason, Receipt, excerpt, hedges};
use crate::extract::HedgeClass;
use crate::ledger::Ledger;
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
            let message = Message::new("estimate").with("words", words);
            Reason::new(confidence, message).receipt(Receipt::show(ledger, &claim.last_tested))
        });
        reason.into_iter().collect()
    }
}
