//! A lead in plain words, for formats that carry one text and not a page.

use super::{confidence_word, escape};
use crate::checks::{Confidence, Reason};
use crate::texts::Language;
use crate::verdict::{JudgedClaim, SuppressedBy, Suppression};

/// The reason that weighs most. Every lead has one.
pub(super) fn first(judged: &JudgedClaim) -> Option<&Reason> {
    judged.reasons.first()
}

/// How sure the surest reason is.
pub(super) fn confidence(judged: &JudgedClaim) -> Confidence {
    first(judged).map_or(Confidence::Low, |it| it.confidence)
}

/// Names the check that weighs most: `predates-pitfall (high)`.
pub(super) fn title(judged: &JudgedClaim) -> String {
    first(judged)
        .map_or_else(String::new, |it| format!("{} ({})", it.check, confidence_word(it.confidence)))
}

/// What the claim says, on one line.
pub(super) fn claimed(judged: &JudgedClaim) -> String {
    escape::cut(&judged.lineage.claim.text, escape::TEXT_LIMIT)
}

/// What speaks against it: the sentences of all reasons, on one line.
pub(super) fn said(judged: &JudgedClaim) -> String {
    let said = judged.reasons.iter().map(|it| it.message.say(Language::English));
    let said: Vec<_> = said.map(|it| escape::cut(&it, escape::TEXT_LIMIT)).collect();
    said.join(" ")
}

/// Who said that a lead is known, and why, on one line.
pub(super) fn known(suppression: &Suppression) -> String {
    let by = match &suppression.by {
        SuppressedBy::Comment { path, line } => format!("a comment at {path}:{line}"),
        SuppressedBy::Config => "the configuration".to_owned(),
        SuppressedBy::Baseline => "the baseline".to_owned(),
    };
    let reason = match suppression.reason.as_str() {
        "" => String::new(),
        reason => format!(": {reason}"),
    };
    escape::cut(&format!("suppressed by {by}{reason}"), escape::TEXT_LIMIT)
}
