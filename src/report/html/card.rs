//! One claim as a card: what it says, why it is what it is, and the commands that show it.

use std::collections::BTreeSet;

use crate::checks::{Reason, Receipt};
use crate::history::CommitId;
use crate::lineage::Sighting;
use crate::report::forge::Forge;
use crate::report::{
    Receipts, confidence_word, escape, exposure_message, facts, how_word, kind_word, lag_message,
    moment, word,
};
use crate::texts::{self, Language, Message};
use crate::verdict::{Audit, CommitFacts, JudgedClaim, SuppressedBy, Verdict};

/// Longest text of a claim or a pitfall on the page, in columns.
const TEXT_LIMIT: usize = 2_000;
/// Author and committer time further apart than this are both told.
const REBASED: u64 = 86_400;

/// The language of the page, and how it names commits.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) language: Language,
    pub(super) receipts: Receipts,
    pub(super) forge: Option<Forge<'a>>,
}

impl Words<'_> {
    pub(super) fn tag(self) -> &'static str {
        self.language.tag()
    }

    pub(super) fn text(self, id: &str) -> String {
        texts::text(self.language, id)
    }

    pub(super) fn counted(self, id: &'static str, count: usize) -> String {
        Message::new(id).with("count", count).say(self.language)
    }

    pub(super) fn word(self, of: &str, contract: &str) -> String {
        word(self.language, of, contract)
    }
}

/// A claim.
pub(super) struct Card {
    pub(super) id: String,
    /// See [`standing`].
    pub(super) standing: &'static str,
    pub(super) standing_label: String,
    pub(super) kind: &'static str,
    pub(super) kind_label: String,
    pub(super) place: String,
    pub(super) path: String,
    pub(super) checks: String,
    pub(super) lang: &'static str,
    pub(super) subject: Option<String>,
    pub(super) text: String,
    pub(super) section: String,
    /// The surest reason, in short.
    pub(super) why: Option<String>,
    pub(super) suppression: Option<String>,
    pub(super) moments: Vec<Moment>,
    pub(super) reasons: Vec<Why>,
}

/// A commit of a claim's or a pitfall's life.
pub(super) struct Moment {
    pub(super) label: String,
    pub(super) commit: String,
    /// Where a forge shows it.
    pub(super) href: Option<String>,
    pub(super) time: String,
    /// For machines, where a calendar has it.
    pub(super) datetime: Option<String>,
    pub(super) summary: String,
    pub(super) lang: &'static str,
    pub(super) command: Option<String>,
}

/// A reason.
pub(super) struct Why {
    pub(super) check: &'static str,
    pub(super) confidence: &'static str,
    pub(super) confidence_label: String,
    pub(super) message: String,
    pub(super) challenge: Option<Against>,
    pub(super) commands: Vec<String>,
}

/// The pitfall side of a reason.
pub(super) struct Against {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) lang: &'static str,
    pub(super) lag: String,
    pub(super) exposure: String,
}

/// `lead`, `evidence` or `suppressed`: how the page marks and filters a claim.
pub(super) fn standing(judged: &JudgedClaim) -> &'static str {
    match (judged.verdict, &judged.suppression) {
        (Verdict::LeadOnly, Some(_)) => "suppressed",
        (Verdict::LeadOnly, None) => "lead",
        (Verdict::Evidence, _) => "evidence",
    }
}

/// The card of a claim.
pub(super) fn card(audit: &Audit, judged: &JudgedClaim, words: Words<'_>) -> Card {
    let lineage = &judged.lineage;
    let claim = &lineage.claim;
    let standing = standing(judged);
    let named = claim.subject.split_whitespace().any(|word| claim.text.contains(word));
    let mut told = BTreeSet::new();
    let moments = moments(audit, judged, words, &mut told);
    let reasons: Vec<Why> =
        judged.reasons.iter().map(|reason| why(audit, judged, reason, words, &mut told)).collect();
    let mut checks: Vec<&str> = judged.reasons.iter().map(|reason| reason.check).collect();
    checks.sort_unstable();
    checks.dedup();
    Card {
        id: judged.id.clone(),
        standing,
        standing_label: words.word("page-standing", standing),
        kind: kind_word(claim.kind),
        kind_label: words.word("kind", kind_word(claim.kind)),
        place: format!("{}:{}", shown(&lineage.path), claim.lines.start),
        path: shown(&lineage.path),
        checks: checks.join(" "),
        lang: lang(&claim.text),
        subject: (!named && !claim.subject.is_empty()).then(|| shown(&claim.subject)),
        text: shown(&claim.text),
        section: claim.section.iter().map(|it| shown(it)).collect::<Vec<_>>().join(" › "),
        why: judged.reasons.first().map(|it| shown(&it.message.say(words.language))),
        suppression: judged.suppression.as_ref().map(|it| suppressed(&it.by, &it.reason, words)),
        moments,
        reasons,
    }
}

fn suppressed(by: &SuppressedBy, reason: &str, words: Words<'_>) -> String {
    let message = match by {
        SuppressedBy::Comment { path, line } => {
            Message::new("page-suppressed-comment").with("place", format!("{}:{line}", shown(path)))
        }
        SuppressedBy::Config => Message::new("page-suppressed-config"),
        SuppressedBy::Baseline => return words.text("page-suppressed-baseline"),
    };
    message.with("reason", shown(reason)).say(words.language)
}

fn moments(
    audit: &Audit,
    judged: &JudgedClaim,
    words: Words<'_>,
    told: &mut BTreeSet<String>,
) -> Vec<Moment> {
    let lineage = &judged.lineage;
    let mut moments =
        vec![moment(audit, &lineage.introduced, "page-introduced", lineage.at_or_before, words)];
    for retest in &lineage.retests {
        let mut row = commit_row(audit, retest.commit, words);
        row.label = words.text("page-retest");
        row.summary = Message::new("by-its")
            .with("how", words.word("how", how_word(retest.how)))
            .with("words", escape::cut(&retest.words, escape::TEXT_LIMIT))
            .say(words.language);
        moments.push(row);
    }
    if lineage.last_tested.commit != lineage.introduced.commit {
        moments.push(moment(audit, &lineage.last_tested, "page-last-tested", false, words));
    }
    told.extend(moments.iter().filter_map(|it| it.command.clone()));
    moments
}

/// A commit at which something was seen, with the command that shows it.
pub(super) fn moment(
    audit: &Audit,
    seen: &Sighting,
    label: &str,
    at_or_before: bool,
    words: Words<'_>,
) -> Moment {
    let mut row = commit_row(audit, seen.commit, words);
    row.label = words.text(label);
    if at_or_before {
        row.time = Message::new("at-or-before").with("commit", row.time).say(words.language);
    }
    if let Some(facts) = facts(audit, seen.commit) {
        let (commit, path, lines) = (facts.oid, seen.path.clone(), seen.lines);
        if let Some(forge) = words.forge {
            row.href = forge.lines(commit, &path, lines).or(row.href);
        }
        row.command = Some(words.receipts.command(&Receipt::Show { commit, path, lines }));
    }
    row
}

fn commit_row(audit: &Audit, commit: CommitId, words: Words<'_>) -> Moment {
    let facts = facts(audit, commit);
    let summary = facts.map_or_else(String::new, |it| escape::cut(&it.summary, 120));
    Moment {
        label: String::new(),
        commit: facts
            .map_or_else(|| words.text("unknown-commit"), |it| words.receipts.short(it.oid)),
        href: facts.and_then(|it| Some(words.forge?.commit(it.oid))),
        time: facts.map_or_else(String::new, |it| times(it, words)),
        datetime: facts.and_then(|it| moment::rfc3339(it.author_time)),
        lang: lang(&summary),
        summary,
        command: None,
    }
}

/// When a commit was written and, where that differs by much, when it was committed.
fn times(facts: &CommitFacts, words: Words<'_>) -> String {
    let time = |seconds| moment::told(words.language, seconds);
    if facts.author_time.abs_diff(facts.commit_time) > REBASED {
        Message::new("committed")
            .with("time", time(facts.author_time))
            .with("committed", time(facts.commit_time))
            .say(words.language)
    } else {
        time(facts.author_time)
    }
}

fn why(
    audit: &Audit,
    judged: &JudgedClaim,
    reason: &Reason,
    words: Words<'_>,
    told: &mut BTreeSet<String>,
) -> Why {
    let challenge = reason.challenge.as_ref().and_then(|challenge| {
        let known = audit.pitfalls.get(challenge.pitfall)?;
        let tested = facts(audit, judged.lineage.last_tested.commit)
            .map_or_else(|| words.text("unknown-commit"), |it| words.receipts.short(it.oid));
        let text = &known.lineage.pitfall.text;
        Some(Against {
            id: known.id.clone(),
            text: escape::cut(text, escape::TEXT_LIMIT),
            lang: lang(text),
            lag: lag_message(challenge).say(words.language),
            exposure: exposure_message(challenge, tested).say(words.language),
        })
    });
    // What stands beside the claim's commits already is not told twice.
    let commands = reason.receipts.iter().map(|it| words.receipts.command(it));
    Why {
        check: reason.check,
        confidence: confidence_word(reason.confidence),
        confidence_label: words.word("confidence", confidence_word(reason.confidence)),
        message: shown(&reason.message.say(words.language)),
        challenge,
        commands: commands.filter(|it| told.insert(it.clone())).collect(),
    }
}

/// A text of the repository as the page shows it: visible, and not without end.
pub(super) fn shown(text: &str) -> String {
    escape::cut(text, TEXT_LIMIT)
}

/// The language of a text of the repository. Rules read English and Chinese only, so a text that was
/// read and is not written in Chinese characters is English.
pub(super) fn lang(text: &str) -> &'static str {
    let chinese = |c: char| matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}');
    if text.chars().any(chinese) { "zh" } else { "en" }
}
