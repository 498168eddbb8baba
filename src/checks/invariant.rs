//! It blames a resource although two configurations that differ in it fail at the same place.
//!
//! What changes nothing about a failure is not its cause. The place is a line of code, a function,
//! or the writer's own "at the same line"; a general error text is none.

use super::{Check, Reason, Receipt, excerpt};
use crate::extract::{Kind, Near, Quantity, Sign, SignClass};
use crate::ledger::{Confidence, Ledger};
use crate::lineage::Lineage;
use crate::texts::Message;

/// Amounts that differ by less than this share are one amount.
const SAME: f64 = 0.01;

/// See the module.
pub struct Invariant;

impl Check for Invariant {
    fn name(&self) -> &'static str {
        "invariant"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let said = &claim.claim;
        if said.kind != Kind::Failure {
            return Vec::new();
        }
        let blames = said.basis.of(SignClass::Short).filter(|sign| sign.near == Near::Own);
        let reason = blames.filter_map(|blame| reason(claim, blame, ledger)).next();
        reason.into_iter().collect()
    }
}

fn reason(claim: &Lineage, blame: &Sign, ledger: &Ledger<'_>) -> Option<Reason> {
    let resource = blame.resource.as_deref()?;
    let failures = || {
        let all = ledger.lineages().claims.iter();
        all.filter(|other| other.claim.kind == Kind::Failure && other.path == claim.path)
    };
    let mut best: Option<(Confidence, Pair<'_>)> = None;
    for (at, one) in failures().enumerate() {
        for other in failures().skip(at) {
            let Some(pair) = pair(one, other, resource) else { continue };
            if passed(ledger, &pair, resource) {
                continue;
            }
            let concerned = [pair.one, pair.other]
                .iter()
                .any(|it| std::ptr::eq(*it, claim) || it.claim.section == claim.claim.section);
            let confidence = if concerned { Confidence::High } else { Confidence::Medium };
            if concerned || shares_terms(claim, pair.one) {
                best = best.filter(|(sure, _)| *sure >= confidence).or(Some((confidence, pair)));
            }
        }
    }
    let (confidence, pair) = best?;
    let message = Message::new("invariant")
        .with("words", excerpt(&blame.words))
        .with("place", excerpt(&pair.place))
        .with("less", shown(pair.less))
        .with("more", shown(pair.more));
    let reason = Reason::new(confidence, message)
        .receipt(Receipt::show(ledger, &claim.last_tested))
        .receipt(Receipt::show(ledger, &pair.one.last_tested));
    let again = (!std::ptr::eq(pair.one, pair.other)).then_some(&pair.other.last_tested);
    Some(reason.receipt(again.and_then(|seen| Receipt::show(ledger, seen))))
}

/// Two failures at one place, or one that tells of both.
struct Pair<'a> {
    one: &'a Lineage,
    other: &'a Lineage,
    place: String,
    less: &'a Quantity,
    more: &'a Quantity,
}

fn pair<'a>(one: &'a Lineage, other: &'a Lineage, resource: &str) -> Option<Pair<'a>> {
    let place = place(one, other)?;
    let (first, second) = (amounts(one, resource), amounts(other, resource));
    let itself = std::ptr::eq(one, other);
    let differing = first.iter().flat_map(|a| second.iter().map(move |b| (*a, *b)));
    let mut differing: Vec<_> = differing.filter(|(a, b)| a.unit == b.unit).collect();
    // An amount says more than a share of one.
    differing.sort_by_key(|(a, _)| a.unit.is_empty());
    let (less, more) = differing
        .into_iter()
        .filter_map(|(a, b)| {
            let (low, high) = (number(a)?, number(b)?);
            let far = (high - low).abs() > SAME * high.abs().max(low.abs());
            far.then_some(if low < high { (a, b) } else { (b, a) })
        })
        .next()?;
    (!itself || first.len() > 1).then_some(Pair { one, other, place, less, more })
}

/// A place that both name, or that one of them says to be the same.
fn place(one: &Lineage, other: &Lineage) -> Option<String> {
    let (a, b) = (&one.claim.basis, &other.claim.basis);
    let shared = a.sites.iter().find(|site| b.sites.contains(site)).cloned();
    let beside = one.claim.section == other.claim.section;
    let said = || {
        let sign = b.own(SignClass::SamePlace).or_else(|| a.own(SignClass::SamePlace))?;
        beside.then(|| sign.words.clone())
    };
    match std::ptr::eq(one, other) {
        true => a.own(SignClass::SamePlace).map(|sign| sign.words.clone()),
        false => shared.or_else(said),
    }
}

fn amounts<'a>(lineage: &'a Lineage, resource: &str) -> Vec<&'a Quantity> {
    let amounts = lineage.claim.basis.of(SignClass::Amount);
    let of = |sign: &&Sign| sign.near == Near::Own && sign.resource.as_deref() == Some(resource);
    amounts.filter(of).flat_map(|sign| &sign.values).collect()
}

/// With more of the resource than both had, something passed.
fn passed(ledger: &Ledger<'_>, pair: &Pair<'_>, resource: &str) -> bool {
    let most = number(pair.more);
    ledger.lineages().claims.iter().any(|other| {
        other.claim.kind != Kind::Failure
            && other.path == pair.one.path
            && amounts(other, resource)
                .iter()
                .any(|amount| amount.unit == pair.more.unit && number(amount) > most)
    })
}

fn shares_terms(one: &Lineage, other: &Lineage) -> bool {
    one.claim.terms.iter().any(|term| other.claim.terms.contains(term))
}

fn number(quantity: &Quantity) -> Option<f64> {
    quantity.number.parse().ok()
}

fn shown(quantity: &Quantity) -> String {
    format!("{} {}", quantity.number, quantity.unit).trim().to_owned()
}
