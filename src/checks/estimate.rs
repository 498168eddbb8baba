//! The text itself says that the result was computed or expected, not run.
//!
//! A computed number may be right; it is no observation.

use super::{Check, Reason, Receipt, excerpt, hedges};
use crate::extract::HedgeClass;
use crate::ledger::Ledger;
use crate::lineage::Lineage;

/// See the module.
pub struct Estimate;

impl Check for Estimate {
    fn name(&self) -> &'static str {
        "estimate"
    }

    fn explain(&self) -> &'static str {
        "The claim is computed, expected or assumed, or says itself that it was not run. Run it and \
         replace the words, or keep it as the expectation that it is."
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let hedge = hedges(claim, HedgeClass::Estimate).into_iter().next();
        let reason = hedge.map(|(confidence, hedge)| {
            let words = excerpt(&hedge.words);
            let message = format!("It was computed or expected, not run: \u{201c}{words}\u{201d}.");
            Reason::new(confidence, &message).receipt(Receipt::show(ledger, &claim.last_tested))
        });
        reason.into_iter().collect()
    }
}
