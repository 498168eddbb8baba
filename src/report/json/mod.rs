//! The contract's JSON, version 1.
//!
//! The wire types are private: the core's types change freely, these keys only ever grow.

mod model;

use std::io::{self, Write};

use schemars::generate::SchemaSettings;

use self::model::{
    Caveat, Change, Claim, Closing, Failure, Line, Location, Named, OfSeveral, Pitfall, Place,
    Report, Repository, Retest, Summary, Suppression, Tool, Why,
};
use super::{
    Options, Receipts, by_rule, confidence_word, effect_word, escape, exposure_word, facts,
    how_word, kind_word, leads, moment, order_word, suppressed, verdict_word,
};
use crate::checks::Reason;
use crate::compare::Comparison;
use crate::documents::Lines;
use crate::history::CommitId;
use crate::lineage::Sighting;
use crate::texts::Language;
use crate::verdict::{Audit, JudgedClaim, KnownPitfall, SuppressedBy, Verdict};

pub(super) const SCHEMA_VERSION: u32 = 1;

/// Writes the report, indented, with a line feed at its end.
pub(super) fn write(audit: &Audit, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let receipts = Receipts::new(audit);
    let report = Report {
        schema_version: SCHEMA_VERSION,
        tool: tool(),
        repository: repository(audit, options),
        packs: &audit.packs,
        caveats: audit.caveats.iter().map(caveat).collect(),
        change: options.comparison.as_ref().map(|it| change(audit, it)),
        claims: audit.claims.iter().map(|it| claim(audit, receipts, it)).collect(),
        pitfalls: audit.pitfalls.iter().map(|it| pitfall(audit, it)).collect(),
        summary: summary(audit),
    };
    let json = serde_json::to_string_pretty(&report)?;
    out.write_all(inert(&json).as_bytes())?;
    out.write_all(b"\n")
}

/// Writes the same in lines of one object each, for programs that read while it is written.
pub(super) fn write_lines(audit: &Audit, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let receipts = Receipts::new(audit);
    let closing = Closing {
        schema_version: SCHEMA_VERSION,
        tool: tool(),
        repository: repository(audit, options),
        packs: &audit.packs,
        change: options.comparison.as_ref().map(|it| change(audit, it)),
        summary: summary(audit),
    };
    let caveats = audit.caveats.iter().map(|it| Line::Caveat(caveat(it)));
    let claims = audit.claims.iter().map(|it| Line::Claim(Box::new(claim(audit, receipts, it))));
    let pitfalls = audit.pitfalls.iter().map(|it| Line::Pitfall(Box::new(pitfall(audit, it))));
    let closing = std::iter::once(Line::Summary(Box::new(closing)));
    for line in caveats.chain(claims).chain(pitfalls).chain(closing) {
        writeln!(out, "{}", inert(&serde_json::to_string(&line)?))?;
    }
    Ok(())
}

/// Writes the line of a repository that could not be audited among those of several.
pub(super) fn write_failure(
    repository: &str,
    error: &str,
    help: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let failure = Failure {
        schema_version: SCHEMA_VERSION,
        tool: tool(),
        repository: Named { path: repository },
        error,
        help,
    };
    writeln!(out, "{}", inert(&serde_json::to_string(&failure)?))
}

/// The JSON Schemas of the report, of a line of the JSON Lines report, and of a line of several reports.
///
/// # Errors
/// When a schema cannot be written as JSON.
pub(super) fn schemas() -> Result<[String; 3], serde_json::Error> {
    // Of what is written: a key that is always there is required, if only as null.
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let report = settings.clone().into_generator().into_root_schema_for::<Report<'_>>();
    let line = settings.clone().into_generator().into_root_schema_for::<Line<'_>>();
    let several = settings.into_generator().into_root_schema_for::<OfSeveral<'_>>();
    let text = |schema| Ok(serde_json::to_string_pretty(schema)? + "\n");
    Ok([text(&report)?, text(&line)?, text(&several)?])
}

fn tool() -> Tool {
    Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") }
}

fn repository<'a>(audit: &Audit, options: &'a Options) -> Repository<'a> {
    Repository {
        path: &options.repository,
        rev: audit.rev.to_string(),
        commits: audit.commits,
        documents: audit.documents,
    }
}

fn caveat(caveat: &crate::history::Caveat) -> Caveat<'_> {
    Caveat { code: caveat.code, message: &caveat.message }
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
        suppression: judged.suppression.as_ref().map(suppression),
    }
}

fn suppression(suppression: &crate::verdict::Suppression) -> Suppression<'_> {
    let (by, path, line) = match &suppression.by {
        SuppressedBy::Comment { path, line } => ("comment", Some(path.as_str()), Some(*line)),
        SuppressedBy::Config => ("config", None, None),
        SuppressedBy::Baseline => ("baseline", None, None),
    };
    Suppression { by, path, line, reason: &suppression.reason }
}

fn why<'a>(audit: &'a Audit, receipts: Receipts, reason: &'a Reason) -> Why<'a> {
    let challenge = reason.challenge.as_ref();
    Why {
        rule: reason.check,
        confidence: confidence_word(reason.confidence),
        message: reason.message.say(Language::English),
        pitfall: challenge.and_then(|it| audit.pitfalls.get(it.pitfall)).map(|it| it.id.as_str()),
        known_pitfall: reason.known.as_deref(),
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
        needed: lineage.pitfall.needed,
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
    Summary {
        claims: audit.claims.len(),
        evidence: audit.claims.iter().filter(|it| it.verdict == Verdict::Evidence).count(),
        lead_only: leads(audit).count(),
        suppressed: suppressed(audit).count(),
        by_rule: by_rule(audit),
    }
}

/// The same JSON with every character that could act on a terminal or begin a command in the log of a
/// job as `\uXXXX`.
///
/// `serde_json` escapes the C0 controls only. The others can stand within strings only, so they
/// are replaced in the finished text; the line feeds left in it are its own layout.
pub(super) fn inert(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for (at, character) in json.char_indices() {
        let command = || character == '#' && json.get(at..).is_some_and(escape::is_command);
        if character != '\n' && escape::is_hostile(character) || command() {
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
        write(audit, &Options::default(), &mut out).unwrap();
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
    fn lines_hold_the_same_and_end_with_the_sum() {
        for audit in [sample::suppressed(), sample::hostile(), sample::empty()] {
            let mut out = Vec::new();
            write_lines(&audit, &Options::default(), &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.chars().all(|c| c == '\n' || !escape::is_hostile(c)));
            let lines: Vec<Value> =
                text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let report: Value = serde_json::from_str(&json(&audit)).unwrap();
            for (kind, key) in [("claim", "claims"), ("pitfall", "pitfalls"), ("caveat", "caveats")]
            {
                let told: Vec<Value> = lines
                    .iter()
                    .filter(|line| line["type"] == kind)
                    .map(|line| {
                        let mut line = line.clone();
                        line.as_object_mut().unwrap().remove("type");
                        line
                    })
                    .collect();
                assert_eq!(report[key], Value::from(told));
            }
            let last = lines.last().unwrap();
            assert_eq!(last["type"], "summary");
            for key in ["claims", "evidence", "lead_only", "suppressed", "by_rule"] {
                assert_eq!(last[key], report["summary"][key]);
            }
            assert_eq!(last["repository"], report["repository"]);
        }
    }

    #[test]
    fn a_suppressed_lead_is_no_evidence_and_counts_as_none() {
        let audit = sample::suppressed();
        let report: Value = serde_json::from_str(&json(&audit)).unwrap();
        let summary = &report["summary"];
        let counts = ["claims", "evidence", "lead_only", "suppressed"];
        assert_eq!(counts.map(|key| summary[key].as_u64().unwrap()), [8, 3, 2, 3]);
        assert_eq!(report["claims"][4]["verdict"], "lead_only");
        let suppression = &report["claims"][4]["suppression"];
        assert_eq!(suppression["by"], "comment");
        assert_eq!(suppression["path"], "RESULTS.md");
        assert_eq!(suppression["line"], 143);
        assert_eq!(report["claims"][7]["suppression"]["by"], "baseline");
        assert!(report["claims"][0]["suppression"].is_null());
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
