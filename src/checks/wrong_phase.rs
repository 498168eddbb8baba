//! It blames a parameter that has no effect in the phase that failed.
//!
//! What is not in effect yet, or no longer, cannot have caused a failure. Which parameter acts when
//! is the packs' to know; where either phase is unknown, nothing is said.

use super::{Check, Reason, Receipt, excerpt};
use crate::extract::{Kind, Near, SignClass};
use crate::ledger::{Confidence, Ledger};
use crate::lineage::Lineage;
use crate::texts::Message;

/// See the module.
pub struct WrongPhase;

impl Check for WrongPhase {
    fn name(&self) -> &'static str {
        "wrong-phase"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let said = &claim.claim;
        if said.kind != Kind::Failure {
            return Vec::new();
        }
        let own = said.basis.of(SignClass::Parameter).filter(|sign| sign.near == Near::Own);
        // One word for a phase in which it does act is doubt enough.
        let mut idle = own.filter(|sign| {
            !sign.acts_in.is_empty()
                && !sign.phases.is_empty()
                && !sign.acts_in.iter().any(|phase| sign.phases.contains(phase))
        });
        let reason = idle.next().map(|sign| {
            let message = Message::new("wrong-phase")
                .with("parameter", excerpt(&sign.words))
                .with("acts", sign.acts_in.join(", "))
                .with("phase", sign.phases.join(", "));
            Reason::new(Confidence::Medium, message)
                .receipt(Receipt::show(ledger, &claim.last_tested))
        });
        reason.into_iter().collect()
    }
}
