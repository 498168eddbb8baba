//! SARIF 2.1.0, as GitHub code scanning and other viewers read it.
//!
//! A result for each lead, at the line where the claim stands in the audited commit: viewers know no
//! other commit. What happened before is told in words, in the order of a code flow.

mod flow;
mod model;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde_json::{Value, json};

use self::model::{
    Artifact, AutomationDetails, Base, Configuration, Descriptor, Driver, Finding, Help,
    Invocation, Location, Log, Notification, PhysicalLocation, Provenance, Reference, Region, Rule,
    RuleProperties, Run, Suppression, Text, Tool,
};
use super::forge::encoded;
use super::{
    Options, Receipts, confidence_word, escape, facts, json::inert, kind_word, lead, verdict_word,
};
use crate::checks::{self, Confidence};
use crate::documents::Lines;
use crate::history::CommitId;
use crate::texts::{self, Language};
use crate::verdict::{Audit, JudgedClaim, SuppressedBy, Verdict};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What paths are relative to; viewers know the name.
const TOP: &str = "%SRCROOT%";

/// GitHub refuses a file with more results.
const RESULTS: usize = 25_000;

/// GitHub shows no more results than this; only they carry a history and receipts, so that the file
/// stays small enough to be taken.
const DETAILED: usize = 5_000;

/// GitHub's limit on descriptions of rules, in characters.
const DESCRIPTION: usize = 1_024;

/// The code of the caveat about leads that were left out.
const LEFT_OUT: &str = "results-left-out";

/// Writes the log.
pub(super) fn write(audit: &Audit, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run(audit, options)] };
    out.write_all(inert(&serde_json::to_string_pretty(&log)?).as_bytes())?;
    out.write_all(b"\n")
}

fn run(audit: &Audit, options: &Options) -> Run {
    let leads: Vec<&JudgedClaim> =
        audit.claims.iter().filter(|it| it.verdict == Verdict::LeadOnly).collect();
    let ranks = ranks(&leads);
    let kept = leads.iter().zip(&ranks).filter(|(_, rank)| **rank < RESULTS);
    let receipts = Receipts::new(audit);
    let results =
        kept.map(|(lead, rank)| finding(audit, options, receipts, lead, *rank < DETAILED));
    let mut codes: Vec<&'static str> = audit.caveats.iter().map(|it| it.code).collect();
    codes.extend((leads.len() > RESULTS).then_some(LEFT_OUT));
    codes.dedup();
    Run {
        tool: Tool { driver: driver(&codes) },
        automation_details: AutomationDetails { id: "claim-audit/" },
        column_kind: "unicodeCodePoints",
        original_uri_base_ids: [(
            TOP,
            Base { description: text("The top of the audited repository.") },
        )]
        .into(),
        version_control_provenance: provenance(audit),
        invocations: [Invocation {
            execution_successful: true,
            tool_execution_notifications: notifications(audit, leads.len(), &codes),
        }],
        results: results.collect(),
        properties: BTreeMap::from([
            ("rev", json!(audit.rev.to_string())),
            ("commits", json!(audit.commits)),
            ("documents", json!(audit.documents)),
            ("claims", json!(audit.claims.len())),
            ("packs", json!(audit.packs)),
        ]),
    }
}

/// The place of each lead when the surest come first.
fn ranks(leads: &[&JudgedClaim]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..leads.len()).collect();
    // Stable, and suppressed ones last: they are the first that may be missed.
    order.sort_by_key(|at| {
        leads.get(*at).map(|it| (it.suppression.is_some(), Reverse(lead::confidence(it))))
    });
    let mut ranks = vec![0; leads.len()];
    for (rank, at) in order.into_iter().enumerate() {
        if let Some(slot) = ranks.get_mut(at) {
            *slot = rank;
        }
    }
    ranks
}

fn driver(codes: &[&'static str]) -> Driver {
    Driver {
        name: env!("CARGO_PKG_NAME"),
        semantic_version: env!("CARGO_PKG_VERSION"),
        rules: checks::ALL.iter().map(|check| rule(check.name())).collect(),
        notifications: codes.iter().map(|id| Descriptor { id }).collect(),
    }
}

fn rule(name: &'static str) -> Rule {
    let explain = texts::text(Language::English, &format!("{name}.explain"));
    let lines: Vec<&str> = explain.split_whitespace().collect();
    let whole = lines.join(" ");
    let first = whole.split_inclusive(". ").next().unwrap_or_default().trim_end();
    let limited = |text: &str| Text { text: text.chars().take(DESCRIPTION).collect() };
    Rule {
        id: name,
        short_description: limited(first),
        full_description: limited(&whole),
        help: Help { text: whole.clone(), markdown: whole.clone() },
        default_configuration: Configuration { level: "warning" },
        properties: RuleProperties { problem_severity: "warning", tags: ["reproducibility"] },
    }
}

fn provenance(audit: &Audit) -> Vec<Provenance> {
    let provenance = |address: &String| Provenance {
        repository_uri: address.clone(),
        revision_id: audit.rev.to_string(),
        mapped_to: Artifact { uri: None, uri_base_id: TOP },
    };
    audit.remote.iter().map(provenance).collect()
}

/// The caveats.
fn notifications(audit: &Audit, leads: usize, codes: &[&'static str]) -> Vec<Notification> {
    let notification = |id: &'static str, message: &str| Notification {
        descriptor: Reference {
            id,
            index: codes.iter().position(|it| *it == id).unwrap_or_default(),
        },
        level: "warning",
        message: text(&escape::cut(message, escape::MESSAGE_LIMIT)),
    };
    let mut all: Vec<Notification> =
        audit.caveats.iter().map(|it| notification(it.code, &it.message)).collect();
    if let Some(more) = leads.checked_sub(RESULTS).filter(|more| *more > 0) {
        let message = format!("{more} leads of the least confidence are left out of this file");
        all.push(notification(LEFT_OUT, &message));
    }
    all
}

fn finding(
    audit: &Audit,
    options: &Options,
    receipts: Receipts,
    judged: &JudgedClaim,
    detailed: bool,
) -> Finding {
    let lineage = &judged.lineage;
    let check = lead::first(judged).map_or("", |it| it.check);
    let pitfalls = flow::pitfalls(audit, judged);
    let mut message = vec![lead::said(judged), format!("Claimed: “{}”.", lead::claimed(judged))];
    message.extend(judged.suppression.as_ref().map(|it| format!("It is {}.", lead::known(it))));
    let mut message = plain(&message.join(" "));
    for (id, known) in (1..).zip(&pitfalls) {
        // A link to the related location of this number.
        let place = format!("{}:{}", known.lineage.path, known.lineage.pitfall.lines.start);
        message.push_str(&format!(" Pitfall: [{}]({id}).", plain(&escape::cut(&place, 200))));
    }
    Finding {
        rule_id: check,
        rule_index: checks::ALL.iter().position(|it| it.name() == check).unwrap_or_default(),
        level: level(judged),
        message: Text { text: message },
        locations: [location(&lineage.path, lineage.claim.lines)],
        related_locations: (1..).zip(&pitfalls).map(|(id, it)| flow::related(id, it)).collect(),
        code_flows: if detailed {
            vec![flow::history(audit, receipts, judged, &pitfalls)]
        } else {
            Vec::new()
        },
        // Our own key: the claim, wherever it moves. GitHub computes another one from the line.
        partial_fingerprints: [("claimAudit/v1", judged.id.clone())].into(),
        rank: rank(judged),
        suppressions: judged.suppression.iter().map(suppression).collect(),
        // In pull-request mode the audit holds what the change did and nothing else.
        baseline_state: options.comparison.as_ref().map(|_| "new"),
        properties: properties(audit, receipts, judged, detailed),
    }
}

fn level(judged: &JudgedClaim) -> &'static str {
    match lead::confidence(judged) {
        Confidence::High | Confidence::Medium => "warning",
        Confidence::Low => "note",
    }
}

fn rank(judged: &JudgedClaim) -> f32 {
    match lead::confidence(judged) {
        Confidence::High => 90.0,
        Confidence::Medium => 50.0,
        Confidence::Low => 10.0,
    }
}

fn suppression(it: &crate::verdict::Suppression) -> Suppression {
    let location = match &it.by {
        SuppressedBy::Comment { path, line } => {
            Some(location(path, Lines { start: *line, end: *line }))
        }
        SuppressedBy::Config | SuppressedBy::Baseline => None,
    };
    let kind = if location.is_some() { "inSource" } else { "external" };
    Suppression { kind, status: "accepted", justification: it.reason.clone(), location }
}

/// What the other formats say of a lead under names of their own.
fn properties(
    audit: &Audit,
    receipts: Receipts,
    judged: &JudgedClaim,
    detailed: bool,
) -> BTreeMap<&'static str, Value> {
    let lineage = &judged.lineage;
    let commit = |id: CommitId| facts(audit, id).map(|it| it.oid.to_string());
    let mut properties = BTreeMap::from([
        ("claim", json!(judged.id)),
        ("verdict", json!(verdict_word(judged.verdict))),
        ("kind", json!(kind_word(lineage.claim.kind))),
        ("confidence", json!(confidence_word(lead::confidence(judged)))),
        ("checks", json!(judged.reasons.iter().map(|it| it.check).collect::<Vec<_>>())),
    ]);
    if detailed {
        let commands = judged.reasons.iter().flat_map(|it| &it.receipts);
        let mut commands: Vec<String> = commands.map(|it| receipts.command(it)).collect();
        let mut seen = BTreeSet::new();
        commands.retain(|it| seen.insert(it.clone()));
        properties.extend([
            ("subject", json!(lineage.claim.subject)),
            ("section", json!(lineage.claim.section)),
            ("introduced", json!(commit(lineage.introduced.commit))),
            ("lastTested", json!(commit(lineage.last_tested.commit))),
            ("atOrBefore", json!(lineage.at_or_before)),
            ("receipts", json!(commands)),
        ]);
    }
    properties
}

/// A place at the audited commit.
fn location(path: &str, lines: Lines) -> Location {
    Location {
        id: None,
        physical_location: PhysicalLocation {
            artifact_location: Artifact { uri: Some(encoded(path)), uri_base_id: TOP },
            region: Region { start_line: lines.start, end_line: lines.end.max(lines.start) },
        },
        message: None,
    }
}

fn text(words: &str) -> Text {
    Text { text: plain(words) }
}

/// Text in which nothing is read as a link to a location.
fn plain(words: &str) -> String {
    let shown = escape::visible(words);
    let mut plain = String::with_capacity(shown.len());
    for character in shown.chars() {
        if matches!(character, '\\' | '[' | ']') {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    const SCHEMA: &str = include_str!("../../../testdata/schemas/sarif-2.1.0.json");

    fn told(audit: &Audit) -> String {
        let mut out = Vec::new();
        write(audit, &Options::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn log(audit: &Audit) -> Value {
        serde_json::from_str(&told(audit)).unwrap()
    }

    fn on_a_forge(audit: Audit) -> Audit {
        Audit { remote: Some("https://github.com/lab/kestrel".into()), ..audit }
    }

    /// Without the rules, which every new check adds to.
    #[test]
    fn the_sample_in_full() {
        let mut log = log(&on_a_forge(sample::suppressed()));
        let run = &mut log["runs"][0];
        let driver = run["tool"]["driver"].as_object_mut().unwrap();
        driver.insert("semanticVersion".into(), "[version]".into());
        let rules = driver.remove("rules").unwrap();
        for result in run["results"].as_array_mut().unwrap() {
            let index = result.as_object_mut().unwrap().remove("ruleIndex").unwrap();
            let index = usize::try_from(index.as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
        }
        insta::assert_snapshot!(serde_json::to_string_pretty(&log).unwrap());
    }

    #[test]
    fn every_check_is_a_rule() {
        let log = log(&sample::empty());
        let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        let names: Vec<_> = rules.iter().map(|it| it["id"].as_str().unwrap()).collect();
        assert_eq!(names, checks::ALL.iter().map(|it| it.name()).collect::<Vec<_>>());
    }

    #[test]
    fn the_standard_s_schema_takes_it() {
        // The standard's own pattern of a language is none in the dialect of JSON Schema.
        let schema = SCHEMA.replace("{2}]?$", "{2}$");
        let schema = serde_json::from_str(&schema).unwrap();
        let schema = jsonschema::validator_for(&schema).unwrap();
        let audits = [
            sample::audit(),
            sample::suppressed(),
            sample::empty(),
            sample::hostile(),
            sample::many(3),
        ];
        for audit in audits.into_iter().flat_map(|it| [on_a_forge(it.clone()), it]) {
            let log = log(&audit);
            let errors: Vec<_> = schema
                .iter_errors(&log)
                .map(|it| format!("{it} at {}", it.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{errors:#?}");
        }
    }

    #[test]
    fn github_s_limits_are_kept() {
        let count = |log: &Value, key: &str| {
            let results = log["runs"][0]["results"].as_array().unwrap();
            results.iter().filter(|it| it.get(key).is_some()).count()
        };
        let all = sample::many(25_002);
        let log = log(&all);
        assert_eq!(count(&log, "ruleId"), RESULTS);
        assert_eq!(count(&log, "codeFlows"), DETAILED);
        let notes = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(
            notes[1]["message"]["text"],
            "2 leads of the least confidence are left out of this file"
        );
        assert_eq!(notes[1]["descriptor"]["index"], 1);
        for rule in log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap() {
            for key in ["shortDescription", "fullDescription"] {
                let text = rule[key]["text"].as_str().unwrap();
                assert!((1..=DESCRIPTION).contains(&text.chars().count()), "{rule}");
            }
        }
    }

    #[test]
    fn the_surest_are_kept_and_suppressed_ones_go_first() {
        let mut audit = sample::suppressed();
        let leads = |audit: &Audit| -> Vec<JudgedClaim> {
            audit.claims.iter().filter(|it| it.verdict == Verdict::LeadOnly).cloned().collect()
        };
        let judged = leads(&audit);
        let ranks = ranks(&judged.iter().collect::<Vec<_>>());
        // High, high, high but suppressed, medium and suppressed, medium and suppressed.
        assert_eq!(ranks, [0, 1, 2, 3, 4]);
        audit.claims.reverse();
        let judged = leads(&audit);
        assert_eq!(super::ranks(&judged.iter().collect::<Vec<_>>()), [3, 4, 2, 0, 1]);
    }

    #[test]
    fn hostile_text_is_inert_and_paths_are_addresses() {
        let mut audit = sample::hostile();
        for judged in &mut audit.claims {
            judged.lineage.path = "a b/[1](2)#?%/三\n.md".into();
            judged.lineage.claim.text.insert_str(0, "[link](1) \\");
        }
        let text = told(&audit);
        assert!(text.chars().all(|c| c == '\n' || !escape::is_hostile(c)));
        let log = log(&audit);
        for result in log["runs"][0]["results"].as_array().unwrap() {
            let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
            assert_eq!(place["uri"], "a%20b/%5B1%5D%282%29%23%3F%25/%E4%B8%89%0A.md");
            let message = result["message"]["text"].as_str().unwrap();
            assert!(message.contains("\\[link\\](1) \\\\"), "{message}");
        }
    }
}
