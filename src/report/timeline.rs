//! The life of one claim as events in their order: stated, reworded, moved, challenged, tested again,
//! retracted. What they are in words is each format's.

use std::io::{self, Write};

use serde::Serialize;

use super::{
    Receipts, confidence_word, escape, facts, how_word, json, kind_word, moment, verdict_word,
};
use crate::checks::{Confidence, Reason, Receipt};
use crate::history::CommitId;
use crate::lineage::{How, Lineage, Link, Retest, Sighting, Step, Why};
use crate::texts::Message;
use crate::verdict::{Audit, EndedClaim, JudgedClaim};

/// What happened to a claim.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What<'a> {
    /// A statement was made, and how it follows from an older one.
    Stated { link: Option<Link>, why: &'a [Why], text: &'a str },
    /// A document takes the claim back.
    Withdrawn { words: &'a str },
    /// What the subject's result was before does not hold any longer.
    Retracted { text: &'a str },
    /// Something says that it was run again.
    Retested { how: How, words: &'a str },
    /// A pitfall became known that could touch it.
    Challenged { pitfall: usize, confidence: Confidence },
}

/// One event of a claim's life.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Event<'a> {
    pub(super) commit: CommitId,
    /// Where it is seen; a message is seen in its commit alone.
    pub(super) seen: Option<&'a Sighting>,
    pub(super) what: What<'a>,
}

/// Whose life is told: a claim that stands, or one that was taken back.
#[derive(Clone, Copy, Debug)]
pub(super) enum Told<'a> {
    Standing(&'a JudgedClaim),
    Ended(&'a EndedClaim),
}

impl<'a> Told<'a> {
    pub(super) fn id(self) -> &'a str {
        match self {
            Told::Standing(judged) => &judged.id,
            Told::Ended(ended) => &ended.id,
        }
    }

    pub(super) fn lineage(self) -> &'a Lineage {
        match self {
            Told::Standing(judged) => &judged.lineage,
            Told::Ended(ended) => &ended.ended.lineage,
        }
    }

    fn reasons(self) -> &'a [Reason] {
        match self {
            Told::Standing(judged) => &judged.reasons,
            Told::Ended(_) => &[],
        }
    }
}

/// All events of a claim's life, oldest first.
pub(super) fn events<'a>(audit: &'a Audit, told: Told<'a>) -> Vec<Event<'a>> {
    let lineage = told.lineage();
    let mut events = Vec::new();
    let mut before: Option<&str> = None;
    for step in &lineage.life {
        let (commit, seen) = (step.seen.commit, Some(&step.seen));
        if let (Some(Link::Revised(How::Outcome)), Some(text)) = (step.link, before) {
            events.push(Event { commit, seen, what: What::Retracted { text } });
        }
        let what = What::Stated { link: step.link, why: &step.why, text: &step.text };
        events.push(Event { commit, seen, what });
        before = Some(&step.text);
    }
    // A new result is told with the statement that brought it.
    let brought = |retest: &&Retest| {
        let same = |step: &Step| {
            step.seen.commit == retest.commit && step.link == Some(Link::Revised(retest.how))
        };
        lineage.life.iter().any(same)
    };
    let tests = lineage.retests.iter().filter(|retest| !brought(retest));
    events.extend(tests.map(|retest| Event {
        commit: retest.commit,
        seen: retest.seen.as_ref(),
        what: What::Retested { how: retest.how, words: &retest.words },
    }));
    events.extend(told.reasons().iter().filter_map(|reason| {
        let pitfall = reason.challenge.as_ref()?.pitfall;
        let seen = &audit.pitfalls.get(pitfall)?.lineage.introduced;
        let what = What::Challenged { pitfall, confidence: reason.confidence };
        Some(Event { commit: seen.commit, seen: Some(seen), what })
    }));
    if let Told::Ended(EndedClaim { ended, .. }) = told {
        let what = What::Withdrawn { words: &ended.words };
        events.push(Event { commit: ended.end.commit, seen: Some(&ended.end), what });
    }
    // Stable: within a commit a statement stands before what is said of it.
    events.sort_by_key(|event| event.commit);
    events
}

impl Event<'_> {
    /// Its stable word, for programs and as the id of its text.
    pub(super) fn word(&self) -> &'static str {
        match self.what {
            What::Stated { link, .. } => match link {
                None => "stated",
                Some(Link::Same) => "stands-again",
                Some(Link::Reworded) => "reworded",
                Some(Link::Moved) => "moved",
                Some(Link::Copied) => "copied",
                Some(Link::Translated) => "translated",
                Some(Link::Corrected) => "corrected",
                Some(Link::Revised(How::Outcome)) => "opposite-outcome",
                Some(Link::Revised(How::Text)) => "run-at-last",
                Some(Link::Revised(_)) => "new-number",
            },
            What::Retracted { .. } => "retracted",
            What::Withdrawn { .. } => "withdrawn",
            What::Retested { .. } => "retested",
            What::Challenged { .. } => "challenged",
        }
    }

    /// The command that shows it.
    pub(super) fn receipt(&self, audit: &Audit, receipts: Receipts) -> Option<String> {
        let commit = facts(audit, self.commit)?.oid;
        Some(match self.seen {
            Some(seen) => {
                let (path, lines) = (seen.path.clone(), seen.lines);
                receipts.command(&Receipt::Show { commit, path, lines })
            }
            None => format!("git show -s --format=%B {}", receipts.short(commit)),
        })
    }
}

/// The text of what proves a link.
pub(super) fn why_message(why: Why) -> Message {
    match why {
        Why::SameKey => Message::new("why-same-statement"),
        Why::SameSubject => Message::new("why-same-subject"),
        Why::Numbers(count) => Message::new("why-numbers").with("count", count),
        Why::Codes(count) => Message::new("why-codes").with("count", count),
        Why::Words(count) => Message::new("why-words").with("count", count),
        Why::Parts(count) => Message::new("why-parts").with("count", count),
    }
}

#[derive(Serialize)]
struct Timeline<'a> {
    schema_version: u32,
    claim: Subject<'a>,
    events: Vec<Wire<'a>>,
}

#[derive(Serialize)]
struct Subject<'a> {
    id: &'a str,
    /// Null where it was taken back: nothing judges it any more.
    verdict: Option<&'static str>,
    kind: &'static str,
    subject: &'a str,
    text: &'a str,
    path: &'a str,
    start_line: u32,
    end_line: u32,
    at_or_before: bool,
}

/// An event. `path` and `line` are null where it is seen in a commit message, `text` where nothing
/// was stated, and what belongs to other kinds of event is null.
#[derive(Serialize)]
struct Wire<'a> {
    event: &'static str,
    commit: Option<String>,
    author_time: Option<String>,
    commit_time: Option<String>,
    summary: Option<&'a str>,
    path: Option<&'a str>,
    line: Option<u32>,
    text: Option<&'a str>,
    why: Vec<String>,
    how: Option<&'static str>,
    pitfall: Option<&'a str>,
    confidence: Option<&'static str>,
    receipt: Option<String>,
}

/// Writes a claim's life as JSON.
pub(super) fn write_json(audit: &Audit, told: Told<'_>, out: &mut dyn Write) -> io::Result<()> {
    let lineage = told.lineage();
    let verdict = match told {
        Told::Standing(judged) => Some(verdict_word(judged.verdict)),
        Told::Ended(_) => None,
    };
    let receipts = Receipts::new(audit);
    let timeline = Timeline {
        schema_version: json::SCHEMA_VERSION,
        claim: Subject {
            id: told.id(),
            verdict,
            kind: kind_word(lineage.claim.kind),
            subject: &lineage.claim.subject,
            text: &lineage.claim.text,
            path: &lineage.path,
            start_line: lineage.claim.lines.start,
            end_line: lineage.claim.lines.end,
            at_or_before: lineage.at_or_before,
        },
        events: events(audit, told).iter().map(|it| wire(audit, receipts, it)).collect(),
    };
    let json = serde_json::to_string_pretty(&timeline)?;
    out.write_all(json::inert(&json).as_bytes())?;
    out.write_all(b"\n")
}

fn wire<'a>(audit: &'a Audit, receipts: Receipts, event: &Event<'a>) -> Wire<'a> {
    let facts = facts(audit, event.commit);
    let mut wire = Wire {
        event: event.word(),
        commit: facts.map(|it| it.oid.to_string()),
        author_time: facts.and_then(|it| moment::rfc3339(it.author_time)),
        commit_time: facts.and_then(|it| moment::rfc3339(it.commit_time)),
        summary: facts.map(|it| it.summary.as_str()),
        path: event.seen.map(|it| it.path.as_str()),
        line: event.seen.map(|it| it.lines.start),
        text: None,
        why: Vec::new(),
        how: None,
        pitfall: None,
        confidence: None,
        receipt: event.receipt(audit, receipts),
    };
    match event.what {
        What::Stated { link, why, text } => {
            wire.text = Some(text);
            wire.why = why.iter().map(|it| why_message(*it).say(Default::default())).collect();
            if let Some(Link::Revised(how)) = link {
                wire.how = Some(how_word(how));
            }
        }
        What::Retracted { text } | What::Withdrawn { words: text } => wire.text = Some(text),
        What::Retested { how, words } => {
            wire.how = Some(how_word(how));
            wire.text = Some(words);
        }
        What::Challenged { pitfall, confidence } => {
            wire.pitfall = audit.pitfalls.get(pitfall).map(|it| it.id.as_str());
            wire.confidence = Some(confidence_word(confidence));
        }
    }
    wire
}

/// A text as long as a report for people prints it.
pub(super) fn excerpt(text: &str) -> String {
    escape::cut(text, escape::TEXT_LIMIT)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::documents::Lines;
    use crate::report::{Asked, Format, Options, sample, write_timeline};

    /// A claim with everything that can happen to one.
    pub(crate) fn lived() -> (Audit, usize) {
        let mut audit = sample::audit();
        let at = audit.claims.iter().position(|it| !it.lineage.retests.is_empty()).unwrap();
        let lines = Lines { start: 12, end: 12 };
        let step = |commit, link, why: &[Why], same_age| Step {
            seen: Sighting { commit: CommitId(commit), path: "NOTES.md".into(), lines },
            text: "2 cards | works with 98.1 tok/s".into(),
            link,
            why: why.to_vec(),
            same_age,
        };
        audit.claims[at].lineage.life = vec![
            step(0, None, &[], false),
            step(0, Some(Link::Reworded), &[Why::SameSubject, Why::Words(3)], false),
            step(1, Some(Link::Revised(How::Number)), &[Why::Numbers(1)], false),
            step(2, Some(Link::Revised(How::Outcome)), &[Why::SameSubject], true),
            step(3, Some(Link::Moved), &[Why::SameKey], true),
            step(3, Some(Link::Translated), &[Why::Numbers(2), Why::Codes(1)], true),
            step(4, Some(Link::Copied), &[Why::Numbers(2), Why::Parts(3)], true),
            step(4, Some(Link::Same), &[Why::SameKey], true),
        ];
        (audit, at)
    }

    fn told(format: Format, options: &Options) -> String {
        let (audit, at) = lived();
        let mut out = Vec::new();
        write_timeline(format, &audit, Asked::Standing(at), options, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_life_at_a_terminal() {
        insta::assert_snapshot!(told(Format::Text, &Options::default()));
    }

    #[test]
    fn a_life_in_chinese() {
        let language = crate::texts::Language::Chinese;
        insta::assert_snapshot!(told(Format::Text, &Options { language, ..Options::default() }));
    }

    #[test]
    fn a_life_for_programs() {
        let json: Value = serde_json::from_str(&told(Format::Json, &Options::default())).unwrap();
        let words: Vec<&str> = json["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["event"].as_str().unwrap())
            .collect();
        for word in [
            "stated",
            "reworded",
            "new-number",
            "retracted",
            "opposite-outcome",
            "moved",
            "translated",
            "copied",
            "stands-again",
            "challenged",
        ] {
            assert!(words.contains(&word), "{word} in {words:?}");
        }
        let events = json["events"].as_array().unwrap();
        assert!(events.iter().all(|it| it["receipt"].as_str().unwrap().starts_with("git ")));
    }

    #[test]
    fn hostile_lives_are_inert() {
        let audit = sample::hostile();
        for (format, at) in [Format::Text, Format::Json].into_iter().zip([0, 1]) {
            let mut out = Vec::new();
            write_timeline(format, &audit, Asked::Standing(at), &Options::default(), &mut out)
                .unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.chars().all(|it| it == '\n' || !escape::is_hostile(it)));
        }
    }
}
