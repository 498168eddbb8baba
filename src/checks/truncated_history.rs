//! The history is cut off where the claim already stands, so nobody can say how old it is.
//!
//! Unknown age is not youth: without this check a shallow clone would clear every claim.

use super::{Check, Confidence, Reason, Receipt};
use crate::ledger::Ledger;
use crate::lineage::Lineage;

/// See the module.
pub struct TruncatedHistory;

impl Check for TruncatedHistory {
    fn name(&self) -> &'static str {
        "truncated-history"
    }

    fn explain(&self) -> &'static str {
        "The history that could be read is cut off (a shallow clone, a missing or unreadable \
         object) where the claim already stands. When it was first made, and what was known then, \
         cannot be seen. Fetch the whole history: `git fetch --unshallow`, or `fetch-depth: 0` in CI."
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        if !claim.at_or_before {
            return Vec::new();
        }
        let message = "The history is cut off at the oldest commit that has it: it was made there \
                       or before.";
        let oid = ledger.commit(claim.introduced.commit).map(|commit| commit.oid);
        let reason = Reason::new(Confidence::High, message)
            .receipt(Receipt::show(ledger, &claim.introduced))
            .receipt(oid.map(|oid| Receipt::Commits(vec![oid])));
        vec![reason]
    }
}
