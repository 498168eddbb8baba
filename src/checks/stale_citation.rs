//! It cites something of this repository that was renamed, removed or turned into its opposite since.
//!
//! What never stood here is a broken link and no change of mind, so nothing is said of it.

use super::{Check, Confidence, Reason, Receipt, excerpt};
use crate::extract::Referent;
use crate::ledger::Ledger;
use crate::ledger::citations::{Citation, Standing};
use crate::lineage::Lineage;
use crate::texts::Message;

/// See the module.
pub struct StaleCitation;

impl Check for StaleCitation {
    fn name(&self) -> &'static str {
        "stale-citation"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let citations = ledger.citations(claim).iter();
        let mut found: Vec<Reason> =
            citations.filter_map(|citation| reason(claim, citation, ledger)).collect();
        found.sort_by_key(|reason| std::cmp::Reverse(reason.confidence));
        found.truncate(1);
        found
    }
}

fn reason(claim: &Lineage, citation: &Citation, ledger: &Ledger<'_>) -> Option<Reason> {
    let by_name = citation.reference.referent == Referent::File;
    // A file that is only named may be named as the way it was.
    let least = if by_name { Confidence::Low } else { Confidence::Medium };
    let (how, confidence, now, path) = match citation.standing.as_ref()? {
        Standing::Removed { path } => ("removed", least, "", path.as_str()),
        Standing::Moved { path, to } => ("moved", Confidence::Low, to.as_str(), path.as_str()),
        Standing::SectionGone { path, .. } => ("section", least, path.as_str(), path.as_str()),
        Standing::Reversed { now, .. } => {
            ("reversed", Confidence::High, now.path.as_str(), now.path.as_str())
        }
        Standing::Retitled { to, .. } => ("retitled", Confidence::Medium, to.as_str(), ""),
        _ => return None,
    };
    let what = match citation.standing.as_ref()? {
        Standing::SectionGone { title, .. } | Standing::Reversed { title, .. } => title.as_str(),
        Standing::Retitled { from, .. } => from.as_str(),
        _ => path,
    };
    let message = Message::new("stale-citation")
        .with("how", how)
        .with("what", excerpt(what))
        .with("now", excerpt(now));
    let tested = ledger.commit(claim.last_tested.commit)?.oid;
    let head = ledger.commit(ledger.history().head())?.oid;
    let mut reason = Reason::new(confidence, message)
        .receipt(Receipt::show(ledger, &super::standing(claim, ledger)));
    if !path.is_empty() {
        reason = reason.receipt(Some(Receipt::Between {
            from: tested,
            to: head,
            path: path.to_owned(),
        }));
    }
    if let Some(Standing::Reversed { now, .. }) = &citation.standing {
        reason = reason.receipt(Receipt::show(ledger, now));
    }
    Some(reason)
}
