//! A later statement says the opposite of the same subject, and both stand.
//!
//! Other conditions make another subject: that is the ledger's question. Which of the two is right
//! is not asked; the older one is the lead.

use super::{Check, Reason, Receipt, excerpt};
use crate::ledger::Ledger;
use crate::lineage::Lineage;
use crate::texts::Message;

/// See the module.
pub struct Contradicted;

impl Check for Contradicted {
    fn name(&self) -> &'static str {
        "contradicted"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let opposite = ledger.opposites(claim).into_iter().next();
        let reason = opposite.map(|found| {
            let message = Message::new("contradicted")
                .with("text", excerpt(&found.lineage.claim.text))
                .with("path", found.lineage.path.as_str());
            Reason::new(found.confidence, message)
                .receipt(Receipt::show(ledger, &claim.last_tested))
                .receipt(Receipt::show(ledger, &found.lineage.introduced))
        });
        reason.into_iter().collect()
    }
}
