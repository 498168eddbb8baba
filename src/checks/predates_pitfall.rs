//! A pitfall entered the history after the claim was last tested, and nobody went back.
//!
//! Age proves nothing wrong, so this is a lead however sure the exposure. Whether the pitfall
//! *could* have touched the claim is the ledger's question, not asked again here.

use super::{Challenge, Check, Exposure, Reason, Receipt, excerpt, standing};
use crate::history::OrderedBy;
use crate::ledger::{self, Ledger, WorldChallenge};
use crate::lineage::Lineage;
use crate::texts::{Arg, Message};

/// See the module.
pub struct PredatesPitfall;

impl Check for PredatesPitfall {
    fn name(&self) -> &'static str {
        "predates-pitfall"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let challenges = ledger.challenges(claim).into_iter();
        let own = challenges.filter_map(|challenge| reason(claim, &challenge, ledger));
        let world = ledger.world_challenges(claim).into_iter();
        own.chain(world.map(|challenge| of_world(claim, challenge, ledger))).collect()
    }
}

/// A pitfall that the repository never wrote down: the pack and its source are the receipt.
fn of_world(claim: &Lineage, challenge: WorldChallenge<'_>, ledger: &Ledger<'_>) -> Reason {
    let known = challenge.pitfall;
    let trigger = known.pitfall.triggers.first().map_or(known.id.as_str(), String::as_str);
    let (exposure, path) = match (challenge.exposure, &challenge.set_at) {
        (Exposure::InUse, Some(seen)) => ("set", seen.path.as_str()),
        (Exposure::InUse, None) => ("claim", ""),
        (Exposure::Unrecorded, _) => ("unrecorded", ""),
    };
    let message = Message::new("predates-known-pitfall")
        .with("lag", Arg::Span(challenge.lag_seconds))
        .with("trigger", excerpt(trigger))
        .with("day", known.day.as_str())
        .with("rule", known.id.as_str())
        .with("source", known.source.as_str())
        .with("exposure", exposure)
        .with("path", path)
        .with("why", challenge.relevance.why);
    let seen = challenge.set_at.as_ref().and_then(|seen| Receipt::show(ledger, seen));
    let tested = ledger.commit(claim.last_tested.commit);
    let searched =
        tested.map(|tested| Receipt::Grep { token: trigger.to_owned(), commit: tested.oid });
    let mut reason = Reason::new(challenge.confidence, message)
        .receipt(Receipt::show(ledger, &claim.last_tested))
        .receipt(seen.or(searched));
    reason.known = Some(known.id.clone());
    reason
}

fn reason(claim: &Lineage, challenge: &ledger::Challenge, ledger: &Ledger<'_>) -> Option<Reason> {
    let pitfall = ledger.pitfall(challenge.pitfall)?;
    let trigger = pitfall.pitfall.triggers.first()?;
    let lag_seconds = ledger.lag(claim, pitfall);
    let (exposure, path) = match (challenge.exposure, &challenge.set_at) {
        (Exposure::InUse, Some(seen)) => ("set", seen.path.as_str()),
        (Exposure::InUse, None) => ("claim", ""),
        (Exposure::Unrecorded, _) => ("unrecorded", ""),
    };
    let order = match challenge.ordered_by {
        OrderedBy::Ancestry => "ancestry",
        OrderedBy::Time => "time",
    };
    let message = Message::new("predates-pitfall")
        .with("lag", Arg::Span(lag_seconds.saturating_abs()))
        .with("clock", if lag_seconds < 0 { "against" } else { "with" })
        .with("trigger", excerpt(trigger))
        .with("needed", pitfall.pitfall.needed)
        .with("order", order)
        .with("exposure", exposure)
        .with("path", path)
        .with("why", challenge.relevance.why.clone());
    let tested = ledger.commit(claim.last_tested.commit)?.oid;
    let entered = ledger.commit(pitfall.introduced.commit)?.oid;
    let mut reason = Reason::new(challenge.confidence, message)
        .receipt(Receipt::show(ledger, &claim.last_tested))
        .receipt(Receipt::show(ledger, &pitfall.introduced))
        .receipt(Some(Receipt::Between {
            from: tested,
            to: entered,
            path: pitfall.introduced.path.clone(),
        }))
        .receipt(match (challenge.exposure, &challenge.set_at) {
            (Exposure::InUse, Some(seen)) => Receipt::show(ledger, seen),
            (Exposure::InUse, None) => None,
            (Exposure::Unrecorded, _) => {
                Some(Receipt::Grep { token: trigger.clone(), commit: tested })
            }
        });
    let base = challenge.shared_with.and_then(|at| ledger.lineages().claims.get(at));
    reason = reason.receipt(base.and_then(|it| Receipt::show(ledger, &standing(it, ledger))));
    reason.challenge = Some(Challenge {
        pitfall: challenge.pitfall,
        lag_seconds,
        exposure: challenge.exposure,
        ordered_by: challenge.ordered_by,
    });
    Some(reason)
}
