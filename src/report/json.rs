//! The contract's JSON, version 1.
//!
//! The wire types are private: the core's types change freely, these keys only ever grow.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::{
    Options, Receipts, by_rule, confidence_word, effect_word, escape, exposure_word, facts,
    how_word, kind_word, moment, order_word, verdict_word,
};
use crate::checks::Reason;
use crate::compare::Comparison;
use crate::documents::Lines;
use crate::history::CommitId;
use crate::lineage::Sighting;
use crate::texts::Language;
use crate::verdict::{Audit, JudgedClaim, KnownPitfall, SuppressedBy, Suppression, Verdict};

const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Report<'a> {
    schema_version: u32,
    tool: Tool,
    repository: Repository<'a>,
    packs: &'a [String],
    caveats: Vec<Caveat<'a>>,
    change: Option<Change<'a>>,
    claims: Vec<Claim<'a>>,
    pitfalls: Vec<Pitfall<'a>>,
    summary: Summary<'a>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Repository<'a> {
    path: &'a str,
    rev: String,
    commits: usize,
    documents: usize,
}

#[derive(Serialize)]
struct Caveat<'a> {
    code: &'static str,
    message: &'a str,
}

/// What a change did, by claim id. The report then holds these claims and what challenges them, and
/// counts them alone.
#[derive(Serialize)]
struct Change<'a> {
    base: Option<String>,
    new_leads: Vec<&'a str>,
    turned: Vec<&'a str>,
    cleared: Vec<&'a str>,
    lapsed: Vec<&'a str>,
    untouched_leads: usize,
}

#[derive(Serialize)]
struct Claim<'a> {
    id: &'a str,
    verdict: &'static str,
    kind: &'static str,
    subject: &'a str,
    text: &'a str,
    section: &'a [String],
    location: Location<'a>,
    introduced: Place<'a>,
    last_tested: Place<'a>,
    at_or_before: bool,
    retests: Vec<Retest>,
    reasons: Vec<Why<'a>>,
    /// Set where this lead is known: it does not count.
    suppressed: Option<Suppressed<'a>>,
}

/// Who said that a lead is known. Path and line are a comment's.
#[derive(Serialize)]
struct Suppressed<'a> {
    by: &'static str,
    reason: &'a str,
    path: Option<&'a str>,
    line: Option<u32>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    start_line: u32,
    end_line: u32,
}

/// A sighting. What the audit carries no facts of is null, as is a time that no calendar has.
#[derive(Serialize)]
struct Place<'a> {
    commit: Option<String>,
    author_time: Option<String>,
    commit_time: Option<String>,
    path: &'a str,
    line: u32,
    end_line: u32,
    summary: Option<&'a str>,
}

#[derive(Serialize)]
struct Retest {
    commit: Option<String>,
    how: &'static str,
}

/// A reason. The four keys of a pitfall's challenge are null where there is none.
#[derive(Serialize)]
struct Why<'a> {
    rule: &'static str,
    confidence: &'static str,
    message: String,
    pitfall: Option<&'a str>,
    lag_seconds: Option<i64>,
    exposure: Option<&'static str>,
    ordered_by: Option<&'static str>,
    receipts: Vec<String>,
}

#[derive(Serialize)]
struct Pitfall<'a> {
    id: &'a str,
    text: &'a str,
    section: &'a [String],
    triggers: &'a [String],
    effect: &'static str,
    location: Location<'a>,
    introduced: Place<'a>,
    at_or_before: bool,
}

#[derive(Serialize)]
struct Summary<'a> {
    claims: usize,
    evidence: usize,
    lead_only: usize,
    suppressed: usize,
    by_rule: BTreeMap<&'a str, usize>,
}

/// Writes the report, indented, with a line feed at its end.
pub(super) fn write(audit: &Audit, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let receipts = Receipts::new(audit);
    let report = Report {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
        repository: Repository {
            path: &options.repository,
            rev: audit.rev.to_string(),
            commits: audit.commits,
            documents: audit.documents,
        },
        packs: &audit.packs,
        caveats: audit
            .caveats
            .iter()
            .map(|it| Caveat { code: it.code, message: &it.message })
            .collect(),
        change: options.comparison.as_ref().map(|it| change(audit, it)),
        claims: audit.claims.iter().map(|it| claim(audit, receipts, it)).collect(),
        pitfalls: audit.pitfalls.iter().map(|it| pitfall(audit, it)).collect(),
        summary: summary(audit),
    };
    let json = serde_json::to_string_pretty(&report)?;
    out.write_all(inert(&json).as_bytes())?;
    out.write_all(b"\n")
}

fn change<'a>(audit: &'a Audit, comparison: &Comparison) -> Change<'a> {
    let ids = |list: &[usize]| {
        list.iter().filter_map(|at| audit.claims.get(*at)).map(|it| it.id.as_str()).collect()
    };
    Change {
        base: comparison.base.map(|base| base.to_string()),
        new_leads: ids(&comparison.new_leads),
        turned: ids(&comparison.turned),
        cleared: ids(&comparison.cleared),
        lapsed: ids(&comparison.lapsed),
        untouched_leads: comparison.untouched,
    }
}

fn claim<'a>(audit: &'a Audit, receipts: Receipts, judged: &'a JudgedClaim) -> Claim<'a> {
    let lineage = &judged.lineage;
    Claim {
        id: &judged.id,
        verdict: verdict_word(judged.verdict),
        kind: kind_word(lineage.claim.kind),
        subject: &lineage.claim.subject,
        text: &lineage.claim.text,
        section: &lineage.claim.section,
        location: location(&lineage.path, lineage.claim.lines),
        introduced: place(audit, &lineage.introduced),
        last_tested: place(audit, &lineage.last_tested),
        at_or_before: lineage.at_or_before,
        retests: lineage
            .retests
            .iter()
            .map(|retest| Retest { commit: name(audit, retest.commit), how: how_word(retest.how) })
            .collect(),
        reasons: judged.reasons.iter().map(|it| why(audit, receipts, it)).collect(),
        suppressed: judged.suppression.as_ref().map(suppressed),
    }
}

fn suppressed(suppression: &Suppression) -> Suppressed<'_> {
    let (by, path, line) = match &suppression.by {
        SuppressedBy::Comment { path, line } => ("comment", Some(path.as_str()), Some(*line)),
        SuppressedBy::Config => ("config", None, None),
        SuppressedBy::Baseline => ("baseline", None, None),
    };
    Suppressed { by, reason: &suppression.reason, path, line }
}

fn why<'a>(audit: &'a Audit, receipts: Receipts, reason: &'a Reason) -> Why<'a> {
    let challenge = reason.challenge.as_ref();
    Why {
        rule: reason.check,
        confidence: confidence_word(reason.confidence),
        message: reason.message.say(Language::English),
        pitfall: challenge.and_then(|it| audit.pitfalls.get(it.pitfall)).map(|it| it.id.as_str()),
        lag_seconds: challenge.map(|it| it.lag_seconds),
        exposure: challenge.map(|it| exposure_word(it.exposure)),
        ordered_by: challenge.map(|it| order_word(it.ordered_by)),
        receipts: reason.receipts.iter().map(|it| receipts.command(it)).collect(),
    }
}

fn pitfall<'a>(audit: &'a Audit, known: &'a KnownPitfall) -> Pitfall<'a> {
    let lineage = &known.lineage;
    Pitfall {
        id: &known.id,
        text: &lineage.pitfall.text,
        section: &lineage.pitfall.section,
        triggers: &lineage.pitfall.triggers,
        effect: effect_word(lineage.pitfall.effect),
        location: location(&lineage.path, lineage.pitfall.lines),
        introduced: place(audit, &lineage.introduced),
        at_or_before: lineage.at_or_before,
    }
}

fn location(path: &str, lines: Lines) -> Location<'_> {
    Location { path, start_line: lines.start, end_line: lines.end }
}

fn place<'a>(audit: &'a Audit, sighting: &'a Sighting) -> Place<'a> {
    let facts = facts(audit, sighting.commit);
    Place {
        commit: name(audit, sighting.commit),
        author_time: facts.and_then(|it| moment::rfc3339(it.author_time)),
        commit_time: facts.and_then(|it| moment::rfc3339(it.commit_time)),
        path: &sighting.path,
        line: sighting.lines.start,
        end_line: sighting.lines.end,
        summary: facts.map(|it| it.summary.as_str()),
    }
}

fn name(audit: &Audit, commit: CommitId) -> Option<String> {
    facts(audit, commit).map(|it| it.oid.to_string())
}

fn summary(audit: &Audit) -> Summary<'_> {
    let evidence = audit.claims.iter().filter(|it| it.verdict == Verdict::Evidence).count();
    Summary {
        claims: audit.claims.len(),
        evidence,
        lead_only: audit.claims.len() - evidence,
        suppressed: audit.claims.iter().filter(|it| it.suppression.is_some()).count(),
        by_rule: by_rule(audit),
    }
}

/// The same JSON with every character that could act on a terminal as `\uXXXX`.
///
/// `serde_json` escapes the C0 controls only. The others can stand within strings only, so they
/// are replaced in the finished text; the line feeds left in it are its own layout.
fn inert(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        if character != '\n' && escape::is_hostile(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            safe.push(character);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::report::sample;

    fn json(audit: &Audit) -> String {
        let mut out = Vec::new();
        write(audit, &sample::options(), &mut out).unwrap();
        let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
        String::from_utf8(out).unwrap().replace(&version, "\"version\": \"[version]\"")
    }

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn the_sample_in_full() {
        insta::assert_snapshot!(json(&sample::audit()));
    }

    #[test]
    fn an_empty_audit_has_every_key() {
        insta::assert_snapshot!(json(&sample::empty()));
    }

    #[test]
    fn the_keys_of_the_contract_are_there() {
        let report: Value = serde_json::from_str(&json(&sample::audit())).unwrap();
        let has = |at: &str, wanted: &[&str]| {
            let value = report.pointer(at).expect(at);
            for key in wanted {
                assert!(keys(value).contains(key), "{at}/{key}");
            }
        };
        let place =
            &["commit", "author_time", "commit_time", "path", "line", "end_line", "summary"];
        let location = &["path", "start_line", "end_line"];
        has(
            "",
            &[
                "schema_version",
                "tool",
                "repository",
                "caveats",
                "claims",
                "pitfalls",
                "summary",
                "packs",
            ],
        );
        has("/tool", &["name", "version"]);
        has("/repository", &["path", "rev", "commits", "documents"]);
        has("/caveats/0", &["code", "message"]);
        let claim = [
            "id",
            "verdict",
            "kind",
            "subject",
            "text",
            "section",
            "location",
            "introduced",
            "last_tested",
        ];
        has("/claims/0", &claim);
        has("/claims/0", &["retests", "reasons", "at_or_before"]);
        has("/claims/0/location", location);
        has("/claims/0/introduced", place);
        has("/claims/0/last_tested", place);
        has("/pitfalls/0", &["id", "text", "triggers", "effect", "location", "introduced"]);
        has("/pitfalls/0/location", location);
        has("/pitfalls/0/introduced", place);
        has("/summary", &["claims", "evidence", "lead_only", "by_rule"]);
        let lead =
            sample::audit().claims.iter().position(|it| it.verdict == Verdict::LeadOnly).unwrap();
        let reason = [
            "rule",
            "confidence",
            "message",
            "pitfall",
            "lag_seconds",
            "exposure",
            "ordered_by",
            "receipts",
        ];
        has(&format!("/claims/{lead}/reasons/0"), &reason);
    }

    #[test]
    fn hostile_text_is_inert_and_comes_back_whole() {
        let audit = sample::hostile();
        let json = json(&audit);
        assert!(json.chars().all(|character| character == '\n' || !escape::is_hostile(character)));
        let report: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(report["claims"][0]["text"], audit.claims[0].lineage.claim.text.as_str());
    }

    #[test]
    fn what_no_calendar_or_fact_tells_is_null() {
        let mut audit = sample::audit();
        audit.facts[0].author_time = i64::MAX;
        audit.facts.truncate(1);
        audit.pitfalls.clear();
        let report: Value = serde_json::from_str(&json(&audit)).unwrap();
        let lead = report["claims"]
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["verdict"] == "lead_only")
            .unwrap();
        assert!(lead["introduced"]["author_time"].is_null());
        assert!(lead["introduced"]["commit_time"].is_string());
        assert!(lead["reasons"][0]["pitfall"].is_null());
    }
}
