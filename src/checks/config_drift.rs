//! The version or setting that it names is no longer what the repository pins, and nothing tested
//! it again.
//!
//! Only what was pinned with the claim's own value when it was last tested can drift: a claim about
//! a version that was never pinned is a comparison, or somebody else's setup.

use super::{Check, Confidence, Reason, Receipt, excerpt};
use crate::ledger::Ledger;
use crate::lineage::Lineage;
use crate::texts::Message;

/// See the module.
pub struct ConfigDrift;

impl Check for ConfigDrift {
    fn name(&self) -> &'static str {
        "config-drift"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let drift = ledger.drifts(claim).into_iter().next();
        let reason = drift.map(|drift| {
            let message = Message::new("config-drift")
                .with("name", excerpt(&drift.pin.name))
                .with("named", excerpt(&drift.pin.value))
                .with("now", excerpt(&drift.value))
                .with("path", drift.now.path.as_str());
            Reason::new(Confidence::Medium, message)
                .receipt(Receipt::show(ledger, &claim.last_tested))
                .receipt(Receipt::show(ledger, &drift.then))
                .receipt(Receipt::show(ledger, &drift.now))
        });
        reason.into_iter().collect()
    }
}
