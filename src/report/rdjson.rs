//! Diagnostics as reviewdog reads them (rdjson), to be posted beside changed lines.
//!
//! Every diagnostic has a location, if an empty one: readers go through it unasked.

use std::io::{self, Write};

use serde::Serialize;

use super::json::inert;
use super::{confidence_word, escape, lead};
use crate::checks::Confidence;
use crate::documents::Lines;
use crate::verdict::{Audit, JudgedClaim, Verdict};

#[derive(Serialize)]
struct Report<'a> {
    source: Source,
    severity: &'static str,
    diagnostics: Vec<Diagnostic<'a>>,
}

#[derive(Serialize)]
struct Source {
    name: &'static str,
}

#[derive(Serialize)]
struct Diagnostic<'a> {
    message: String,
    location: Location<'a>,
    severity: &'static str,
    code: Code<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

/// Whole lines, the last one included, since no column is named.
#[derive(Serialize)]
struct Range {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    line: u32,
}

#[derive(Serialize)]
struct Code<'a> {
    value: &'a str,
}

/// Writes the diagnostics: caveats first, then leads.
pub(super) fn write(audit: &Audit, out: &mut dyn Write) -> io::Result<()> {
    let caveats = audit.caveats.iter().map(|it| Diagnostic {
        message: format!("caveat: {}", escape::cut(&it.message, escape::MESSAGE_LIMIT)),
        location: Location { path: "", range: None },
        severity: "WARNING",
        code: Code { value: it.code },
    });
    let leads = audit.claims.iter().filter(|it| it.verdict == Verdict::LeadOnly).map(diagnostic);
    let report = Report {
        source: Source { name: env!("CARGO_PKG_NAME") },
        severity: "WARNING",
        diagnostics: caveats.chain(leads).collect(),
    };
    out.write_all(inert(&serde_json::to_string_pretty(&report)?).as_bytes())?;
    out.write_all(b"\n")
}

fn diagnostic(judged: &JudgedClaim) -> Diagnostic<'_> {
    let lineage = &judged.lineage;
    let Lines { start, end } = lineage.claim.lines;
    let known = judged.suppression.as_ref().map(|it| format!("{}. ", lead::known(it)));
    let (id, sure) = (&judged.id, confidence_word(lead::confidence(judged)));
    Diagnostic {
        message: format!("{}{} [{id}, {sure}]", known.unwrap_or_default(), lead::said(judged)),
        location: Location {
            path: &lineage.path,
            range: Some(Range { start: Position { line: start }, end: Position { line: end } }),
        },
        severity: match lead::confidence(judged) {
            _ if judged.suppression.is_some() => "INFO",
            Confidence::High | Confidence::Medium => "WARNING",
            Confidence::Low => "INFO",
        },
        code: Code { value: lead::first(judged).map_or("", |it| it.check) },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::report::sample;

    const SCHEMA: &str = include_str!("../../testdata/schemas/rdjson.json");

    fn told(audit: &Audit) -> String {
        let mut out = Vec::new();
        write(audit, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_sample() {
        insta::assert_snapshot!(told(&sample::suppressed()));
    }

    #[test]
    fn reviewdog_s_schema_takes_it() {
        let mut schema: Value = serde_json::from_str(SCHEMA).unwrap();
        forbid_unknown_keys(&mut schema);
        let schema = jsonschema::validator_for(&schema).unwrap();
        for audit in [sample::suppressed(), sample::empty(), sample::hostile()] {
            let text = told(&audit);
            assert!(text.chars().all(|c| c == '\n' || !escape::is_hostile(c)));
            let report = serde_json::from_str(&text).unwrap();
            let errors: Vec<_> = schema
                .iter_errors(&report)
                .map(|it| format!("{it} at {}", it.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{errors:#?}");
            let all = report["diagnostics"].as_array().unwrap();
            assert!(all.iter().all(|it| it["location"].is_object()));
        }
    }

    /// The schema allows any key, the reader none that it does not know.
    fn forbid_unknown_keys(schema: &mut Value) {
        match schema {
            Value::Object(object) => {
                if object.contains_key("properties") {
                    object.insert("additionalProperties".into(), false.into());
                }
                object.values_mut().for_each(forbid_unknown_keys);
            }
            Value::Array(array) => array.iter_mut().for_each(forbid_unknown_keys),
            _ => {}
        }
    }
}
