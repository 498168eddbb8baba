//! It rests on a probe that cannot see the fault.
//!
//! A green light says that the probe saw nothing, which is news only where it would have seen the
//! fault. Which probe sees what, and above which level a fault lives, is the packs' to know.

use super::{Check, Reason, Receipt, excerpt};
use crate::extract::{Kind, Near, Placed, Quantity, Sign, SignClass};
use crate::ledger::{Confidence, Ledger};
use crate::lineage::Lineage;
use crate::texts::Message;

/// See the module.
pub struct BlindProbe;

impl Check for BlindProbe {
    fn name(&self) -> &'static str {
        "blind-probe"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if claim.claim.kind == Kind::Failure {
            return reasons;
        }
        reasons.extend(level(claim, ledger));
        reasons.extend(probe(claim, ledger));
        reasons.extend(weaker(claim, ledger));
        reasons.extend(later(claim, ledger));
        reasons.extend(open_fault(claim, ledger));
        reasons
    }
}

/// A success that was looked at with something that cannot see its fault, and with nothing else.
fn probe(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let (said, basis) = (&claim.claim, &claim.claim.basis);
    let blind = |sign: &&Sign| sign.blind_to.is_empty() || sign.blind_to.contains(&said.kind);
    let sign = basis.of(SignClass::Probe).filter(|sign| sign.near == Near::Own).find(blind)?;
    // Something that can see it is named too, or the numbers are the point of the probe.
    if basis.has(SignClass::Deeper) || said.kind != Kind::Success {
        return None;
    }
    let message =
        Message::new("blind-probe").with("how", "probe").with("words", excerpt(&sign.words));
    Some(shown(claim, ledger, Confidence::Medium, message))
}

/// A test that stopped below the level above which the fault lives. Its level makes it a measurement
/// as often as a success.
fn level(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let basis = &claim.claim.basis;
    let reached = basis.own(SignClass::Reached)?;
    if basis.has(SignClass::ToTheEnd) {
        return None;
    }
    let faults = ledger.signs().filter(|(path, placed)| concerns(claim, path, placed));
    let mut found = None;
    for (path, placed) in faults {
        let Some((tested, needed)) = below(&reached.values, &placed.sign) else { continue };
        // The highest level that a text names decides.
        if found.as_ref().is_none_or(|(_, _, other, ..): &(_, _, f64, _, _)| needed > *other) {
            found = Some((path, placed, needed, tested, reached));
        }
    }
    let (path, placed, needed, tested, reached) = found?;
    let message = Message::new("blind-probe")
        .with("how", "level")
        .with("words", excerpt(&reached.words))
        .with("tested", digits(tested))
        .with("needed", digits(needed))
        .with("unit", unit(&reached.values));
    let fault = ledger.commit(ledger.history().head()).map(|head| Receipt::Show {
        commit: head.oid,
        path: path.to_owned(),
        lines: placed.lines,
    });
    Some(shown(claim, ledger, Confidence::High, message).receipt(fault))
}

/// A fault of the same document, or one that shares a rare name with the claim.
fn concerns(claim: &Lineage, path: &str, placed: &Placed) -> bool {
    let class = placed.sign.class;
    matches!(class, SignClass::FaultAbove | SignClass::FaultShare)
        && (path == claim.path || placed.section.last() == claim.claim.section.last())
}

/// What was tested and what the fault needs, in one unit, where the first is less.
fn below(reached: &[Quantity], fault: &Sign) -> Option<(f64, f64)> {
    let share = |quantity: &Quantity| quantity.unit == "%";
    let number = |quantity: &Quantity| quantity.number.parse::<f64>().ok();
    let tested = reached.last()?;
    let values = &fault.values;
    let needed = match (fault.class, values.as_slice()) {
        (SignClass::FaultShare, [part]) if share(part) => 100.0 - number(part)?,
        (SignClass::FaultShare, [part, whole, ..]) if part.unit == whole.unit => {
            100.0 * (1.0 - number(part)? / number(whole)?)
        }
        (SignClass::FaultAbove, _) => number(values.last().filter(|q| q.unit == tested.unit)?)?,
        _ => return None,
    };
    let comparable = share(tested) || fault.class == SignClass::FaultAbove;
    let tested = number(tested)?;
    (comparable && tested < needed).then_some((tested, needed))
}

/// Evidence of less than is concluded: from one to all, from loading to being right, too early.
fn weaker(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let basis = &claim.claim.basis;
    let lifted = |class| match class {
        SignClass::TooEarly => {
            basis.has(SignClass::Waited) || claim.claim.kind != Kind::Measurement
        }
        SignClass::Narrow | SignClass::Loads => basis.has(SignClass::Deeper),
        _ => false,
    };
    let classes = [SignClass::Narrow, SignClass::Loads, SignClass::Reserved, SignClass::TooEarly];
    let class = classes.into_iter().find(|class| basis.own(*class).is_some() && !lifted(*class))?;
    let sign = basis.own(class)?;
    let message =
        Message::new("blind-probe").with("how", class.name()).with("words", excerpt(&sign.words));
    Some(shown(claim, ledger, Confidence::Low, message))
}

/// It starts, and the same thing is said elsewhere to fail later on.
fn later(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let said = &claim.claim;
    let sign = said.basis.own(SignClass::Starts).filter(|_| said.kind == Kind::Success)?;
    if said.terms.is_empty() {
        return None;
    }
    let dies = |other: &&Lineage| {
        other.claim.kind == Kind::Failure
            && other.claim.terms == said.terms
            && other.claim.basis.own(SignClass::Later).is_some()
    };
    let other = ledger.lineages().claims.iter().find(dies)?;
    let message = Message::new("blind-probe")
        .with("how", "starts")
        .with("words", excerpt(&sign.words))
        .with("other", excerpt(&other.claim.text));
    let reason = shown(claim, ledger, Confidence::Low, message);
    Some(reason.receipt(Receipt::show(ledger, &other.introduced)))
}

/// Nothing is wrong, says the claim; something is, and not understood, says the same section.
fn open_fault(claim: &Lineage, ledger: &Ledger<'_>) -> Option<Reason> {
    let said = &claim.claim;
    let sign = said.basis.own(SignClass::AllClear).filter(|_| said.kind == Kind::Success)?;
    let here = |(path, placed): &(&str, &Placed)| {
        placed.sign.class == SignClass::OpenFault
            && *path == claim.path
            && placed.section == said.section
            && placed.lines != said.lines
    };
    let (path, placed) = ledger.signs().find(here)?;
    let message = Message::new("blind-probe")
        .with("how", "open-fault")
        .with("words", excerpt(&sign.words))
        .with("other", excerpt(&placed.sign.words));
    let head = ledger.commit(ledger.history().head())?.oid;
    let fault = Receipt::Show { commit: head, path: path.to_owned(), lines: placed.lines };
    Some(shown(claim, ledger, Confidence::Low, message).receipt(Some(fault)))
}

fn shown(claim: &Lineage, ledger: &Ledger<'_>, confidence: Confidence, message: Message) -> Reason {
    Reason::new(confidence, message).receipt(Receipt::show(ledger, &claim.last_tested))
}

fn digits(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn unit(values: &[Quantity]) -> String {
    let unit = values.last().map(|value| value.unit.as_str()).unwrap_or_default();
    if unit.is_empty() || unit == "%" { unit.to_owned() } else { format!(" {unit}") }
}
