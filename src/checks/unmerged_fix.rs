//! It rests on a commit, branch or pull request that is not in the audited history.
//!
//! A reference to another repository is unknown, never missing, and so is a number of which nobody
//! can say what it is. A fix that stands in the tree as a patch is there.

use super::{Check, Confidence, Reason, Receipt};
use crate::extract::Referent;
use crate::ledger::Ledger;
use crate::ledger::citations::{Citation, Standing};
use crate::lineage::Lineage;
use crate::texts::Message;

/// See the module.
pub struct UnmergedFix;

impl Check for UnmergedFix {
    fn name(&self) -> &'static str {
        "unmerged-fix"
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let citations = ledger.citations(claim);
        let patched = citations.iter().any(|it| {
            it.reference.referent == Referent::File && it.standing == Some(Standing::Here)
        });
        let fixes = citations.iter().filter(|it| it.reference.fix);
        let found = fixes.filter_map(|it| missing(it, patched));
        let first = found.max_by_key(|(confidence, ..)| *confidence);
        let reason = first.map(|(confidence, how, words, citation)| {
            let message = Message::new("unmerged-fix")
                .with("how", how)
                .with("name", super::excerpt(&citation.reference.words))
                .with("base", words);
            let commit = match citation.standing {
                Some(Standing::Apart(commit)) => Some(commit),
                _ => None,
            };
            let head = ledger.commit(ledger.history().head()).map(|head| head.oid);
            Reason::new(confidence, message)
                .receipt(Receipt::show(ledger, &super::standing(claim, ledger)))
                .receipt(commit.zip(head).map(|(to, from)| Receipt::Beyond { from, to }))
        });
        reason.into_iter().collect()
    }
}

/// Why a fix is not in the audited history, and how sure that is.
fn missing(it: &Citation, patched: bool) -> Option<(Confidence, &'static str, &str, &Citation)> {
    let number = matches!(it.reference.referent, Referent::PullRequest | Referent::Number);
    match &it.standing {
        Some(Standing::Apart(_)) => Some((Confidence::High, "apart", "", it)),
        Some(Standing::Open) => Some((Confidence::High, "open", "", it)),
        Some(Standing::Closed) => Some((Confidence::High, "closed", "", it)),
        Some(Standing::MergedElsewhere(base)) if base.is_empty() => {
            Some((Confidence::High, "merged", "", it))
        }
        Some(Standing::MergedElsewhere(base)) => Some((Confidence::High, "base", base, it)),
        Some(Standing::Absent) if !patched => Some((Confidence::Medium, "absent", "", it)),
        // Whose number it is may be open, its being open is said.
        None if number && it.reference.open && !it.reference.elsewhere && !patched => {
            Some((Confidence::Medium, "said", "", it))
        }
        _ => None,
    }
}
