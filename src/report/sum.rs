//! The sum of an audit in one sentence to quote, and what it rests on.

use super::{Receipts, by_rule, escape, leads, suppressed};
use crate::compare::Comparison;
use crate::texts::{self, Language, Message};
use crate::verdict::Audit;

/// How many claims are leads, and by which checks.
pub(super) fn sum(audit: &Audit, language: Language) -> String {
    let (claims, leads) = (audit.claims.len(), leads(audit).count());
    let suppressed = suppressed(audit).count();
    let message = match (claims, leads) {
        (0, _) => Message::new("nothing-judged"),
        (_, 0) if suppressed > 0 => Message::new("only-suppressed")
            .with("suppressed", suppressed)
            .with("claims", counted("claims", claims, language)),
        (_, 0) if audit.caveats.is_empty() => Message::new("all-stand").with("count", claims),
        (_, 0) => Message::new("all-stand-as-far-as-read").with("count", claims),
        _ => Message::new("sum")
            .with("leads", leads)
            .with("claims", counted("claims", claims, language))
            .with("checks", checks(audit, language))
            .with("suppressed", suppressed),
    };
    message.say(language)
}

/// What a change did, in numbers.
pub(super) fn sum_of_change(
    comparison: &Comparison,
    receipts: Receipts,
    language: Language,
) -> String {
    let Comparison { base, new_leads, turned, cleared, lapsed, untouched } = comparison;
    Message::new("change-sum")
        .with("base", base.map_or_else(String::new, |base| receipts.short(base)))
        .with("made", new_leads.len() + turned.len())
        .with("new", new_leads.len())
        .with("turned", turned.len())
        .with("cleared", cleared.len())
        .with("lapsed", lapsed.len())
        .with("untouched", *untouched)
        .say(language)
}

/// Which version read how much, with which rule packs.
pub(super) fn basis(audit: &Audit, receipts: Receipts, language: Language) -> String {
    let packs: Vec<String> =
        audit.packs.iter().map(|pack| escape::cut(pack, escape::LINE_LIMIT)).collect();
    Message::new("basis")
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("commits", counted("commits", audit.commits, language))
        .with("documents", counted("documents", audit.documents, language))
        .with("rev", receipts.short(audit.rev))
        .with("packs-count", packs.len())
        .with("packs", packs.join(&texts::text(language, "enumeration")))
        .with("caveats-count", audit.caveats.len())
        .with("caveats", counted("caveats", audit.caveats.len(), language))
        .say(language)
}

fn checks(audit: &Audit, language: Language) -> String {
    let checks = by_rule(audit).into_iter().map(|(check, count)| {
        Message::new("by-check").with("count", count).with("check", check).say(language)
    });
    checks.collect::<Vec<_>>().join(&texts::text(language, "enumeration"))
}

fn counted(id: &'static str, count: usize, language: Language) -> String {
    Message::new(id).with("count", count).say(language)
}
