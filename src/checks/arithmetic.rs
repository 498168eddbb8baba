//! An equation beside the claim does not hold.
//!
//! What was miscalculated may still be true of the thing itself; it does not follow from the numbers
//! that are given for it.

use super::{Check, Reason, Receipt, excerpt};
use crate::arithmetic::Outcome;
use crate::extract::{Dimension, Near, SignClass, Slip};
use crate::ledger::{Confidence, Ledger};
use crate::lineage::Lineage;
use crate::texts::Message;

/// How far GB and GiB are apart.
const MARGIN: f64 = 1.074;

/// See the module.
pub struct Arithmetic;

impl Check for Arithmetic {
    fn name(&self) -> &'static str {
        "arithmetic"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let slips = claim.claim.basis.slips.iter();
        let slips = slips.filter_map(|slip| reason(claim, slip, ledger));
        slips.chain(capacity(claim, ledger)).collect()
    }
}

/// Decimal units against binary ones, where the margin is smaller than their difference.
fn capacity(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let sign = claim.claim.basis.own(SignClass::Capacity)?;
    let [first, .., last] = sign.values.as_slice() else { return None };
    let same_letter = first.unit.replace('i', "") == last.unit.replace('i', "");
    let mixed = first.dimension == Dimension::Size && first.unit != last.unit && same_letter;
    let (a, b) = (first.number.parse::<f64>().ok()?, last.number.parse::<f64>().ok()?);
    let close = b > 0.0 && (1.0 / MARGIN..=MARGIN).contains(&(a / b));
    (mixed && close).then(|| {
        let message = Message::new("arithmetic")
            .with("equation", excerpt(&sign.words))
            .with("computed", first.unit.clone())
            .with("stated", last.unit.clone())
            .with("how", "margin");
        Reason::new(Confidence::Low, message).receipt(Receipt::show(ledger, &claim.last_tested))
    })
}

fn reason(claim: &Lineage, slip: &Slip, ledger: &Ledger<'_>) -> Option<Reason> {
    let equation = &slip.equation;
    let (confidence, how) = match (equation.outcome, slip.near) {
        (Outcome::Holds, _) => return None,
        (Outcome::MixedUnits, _) => (Confidence::Low, "units"),
        (Outcome::Fails, Near::Own) if !equation.approximate => (Confidence::High, "fails"),
        (Outcome::Fails, _) => (Confidence::Medium, "fails"),
    };
    let message = Message::new("arithmetic")
        .with("equation", excerpt(&equation.text))
        .with("computed", equation.computed.clone())
        .with("stated", excerpt(&equation.stated))
        .with("how", how);
    Some(Reason::new(confidence, message).receipt(Receipt::show(ledger, &claim.last_tested)))
}
