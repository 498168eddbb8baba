//! The history is cut off where the claim already stands, so nobody can say how old it is.
//!
//! Unknown age is not youth: without this check a shallow clone would clear every claim.

use super::{Check, Confidence, Reason, Receipt};
use crate::ledger::Ledger;
use crate::lineage::Lineage;
use crate::texts::Message;

/// See the module.
pub struct TruncatedHistory;

impl Check for TruncatedHistory {
    fn name(&self) -> &'static str {
        "truncated-history"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        if !claim.at_or_before {
            return Vec::new();
        }
        let oid = ledger.commit(claim.introduced.commit).map(|commit| commit.oid);
        let reason = Reason::new(Confidence::High, Message::new("truncated-history"))
            .receipt(Receipt::show(ledger, &claim.introduced))
            .receipt(oid.map(|oid| Receipt::Commits(vec![oid])));
        vec![reason]
    }
}
