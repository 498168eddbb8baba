//! Every format on every story: the schemas of the formats take it, it hides no caveat, and nothing
//! in it acts on a terminal.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::fs;
use std::path::Path;

use claim_audit::checks::{ALL, Confidence};
use claim_audit::history::{NoProgress, Repository};
use claim_audit::report::{self, Format, escape};
use claim_audit::rules::RuleSet;
use claim_audit::verdict::Audit;
use claim_audit::{Options, audit};
use jsonschema::Validator;
use serde_json::Value;
use support::build;
use support::each_story;
use support::story::Story;

const FORMATS: &[Format] = &[
    Format::Text,
    Format::Json,
    Format::Jsonl,
    Format::Html,
    Format::Sarif,
    Format::Github,
    Format::Markdown,
    Format::Junit,
    Format::Rdjson,
];

/// Renewed by `cargo run --example report_schema -- docs`.
#[test]
fn the_schemas_are_those_of_the_types() {
    let [report, line, several] = report::schemas().unwrap();
    assert!(stored("docs/report.schema.json") == report, "renew it: see the comment on this test");
    assert!(stored("docs/report-line.schema.json") == line, "renew it, as above");
    assert!(stored("docs/report-of-several.schema.json") == several, "renew it, as above");
}

#[test]
fn every_story_is_taken_by_the_schemas_of_the_formats() {
    let schema = |path: &str| {
        // The pattern of a language in SARIF's is none in the dialect of JSON Schema.
        let schema = stored(path).replace("{2}]?$", "{2}$");
        let schema: Value = serde_json::from_str(&schema).unwrap();
        jsonschema::validator_for(&schema).unwrap()
    };
    let report = schema("docs/report.schema.json");
    let line = schema("docs/report-line.schema.json");
    let sarif = schema("testdata/schemas/sarif-2.1.0.json");
    let rdjson = schema("testdata/schemas/rdjson.json");
    each_story(|story| {
        let audit = audited(story)?;
        for format in FORMATS {
            let text = told(*format, &audit);
            match format {
                Format::Json => takes(&report, &text)?,
                Format::Jsonl => text.lines().try_for_each(|it| takes(&line, it))?,
                Format::Sarif => takes(&sarif, &text)?,
                Format::Rdjson => takes(&rdjson, &text)?,
                _ => {}
            }
            let raw = text.chars().find(|c| *c != '\n' && escape::is_hostile(*c));
            if let Some(raw) = raw {
                return Err(format!("{format:?}: {raw:?}"));
            }
            if let Some(caveat) = audit.caveats.iter().find(|it| !text.contains(it.code)) {
                return Err(format!("{format:?} does not tell of {}", caveat.code));
            }
        }
        Ok(())
    });
}

fn audited(story: &Story) -> Result<Audit, String> {
    let built = build::repository(story);
    let repo = Repository::open(built.path()).map_err(|error| error.to_string())?;
    let rev = repo.resolve("HEAD").map_err(|error| error.to_string())?;
    let options = Options { allow_shallow: true, threshold: Confidence::Low, ..Options::new(rev) };
    let rules = RuleSet::built_in().unwrap();
    audit(&repo, &options, &rules, ALL, &NoProgress).map_err(|error| error.to_string())
}

fn told(format: Format, audit: &Audit) -> String {
    let options = report::Options { all: true, ..Default::default() };
    let mut out = Vec::new();
    report::write(format, audit, &options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn takes(schema: &Validator, text: &str) -> Result<(), String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let errors = schema.iter_errors(&value).map(|it| format!("{it} at {}", it.instance_path()));
    let errors: Vec<_> = errors.collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

fn stored(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(file).unwrap_or_default()
}
