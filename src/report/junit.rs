//! JUnit XML: a suite for each document, a test for each claim.
//!
//! A lead is a failure, evidence passes, what somebody knows of is skipped, and so is each caveat, in
//! a suite of its own: dashboards show skipped tests and stay green. Only what Jenkins' and Surefire's
//! schemas have in common is written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use quick_xml::events::{BytesDecl, BytesText, Event};
use quick_xml::writer::Writer;

use super::{Receipts, escape, kind_word, lead};
use crate::verdict::{Audit, JudgedClaim, Verdict};

/// Longest name of a test, in columns.
const NAME: usize = 160;

/// A test as it is written.
struct Case {
    name: String,
    outcome: Outcome,
}

enum Outcome {
    Passed,
    Skipped { message: String },
    Failed { kind: String, message: String, body: String },
}

/// Writes the suites.
pub(super) fn write(audit: &Audit, out: &mut dyn Write) -> io::Result<()> {
    let receipts = Receipts::new(audit);
    let mut suites: BTreeMap<&str, Vec<Case>> = BTreeMap::new();
    for judged in &audit.claims {
        let cases = suites.entry(&judged.lineage.path).or_default();
        cases.push(case(receipts, judged));
    }
    let caveats: Vec<Case> = audit
        .caveats
        .iter()
        .map(|it| Case {
            name: it.code.to_owned(),
            outcome: Outcome::Skipped { message: escape::cut(&it.message, escape::MESSAGE_LIMIT) },
        })
        .collect();
    let mut xml = Writer::new_with_indent(out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let (mut tests, mut failures) = (caveats.len(), 0);
    for cases in suites.values() {
        tests += cases.len();
        failures += failed(cases);
    }
    let (tests, failures) = (tests.to_string(), failures.to_string());
    xml.create_element("testsuites")
        .with_attribute(("name", env!("CARGO_PKG_NAME")))
        .with_attribute(("tests", tests.as_str()))
        .with_attribute(("failures", failures.as_str()))
        .with_attribute(("errors", "0"))
        .write_inner_content(|xml| {
            if !caveats.is_empty() {
                suite(xml, "caveats", &caveats)?;
            }
            suites.iter().try_for_each(|(path, cases)| suite(xml, path, cases))
        })?;
    xml.into_inner().write_all(b"\n")
}

fn case(receipts: Receipts, judged: &JudgedClaim) -> Case {
    let claim = &judged.lineage.claim;
    let text = escape::cut(&claim.text, NAME);
    let name = format!("{}: {text} ({}) [{}]", claim.lines.start, kind_word(claim.kind), judged.id);
    let outcome = match (judged.verdict, &judged.suppression) {
        (Verdict::Evidence, _) => Outcome::Passed,
        (Verdict::LeadOnly, Some(by)) => Outcome::Skipped {
            message: format!(
                "{}. {}: {}",
                lead::known(by),
                lead::title(judged),
                lead::said(judged)
            ),
        },
        (Verdict::LeadOnly, None) => {
            let commands = judged.reasons.iter().flat_map(|it| &it.receipts);
            let commands: Vec<String> = commands.map(|it| receipts.command(it)).collect();
            Outcome::Failed {
                kind: lead::title(judged),
                message: lead::said(judged),
                body: commands.join("\n"),
            }
        }
    };
    Case { name, outcome }
}

fn failed(cases: &[Case]) -> usize {
    cases.iter().filter(|it| matches!(it.outcome, Outcome::Failed { .. })).count()
}

fn suite(xml: &mut Writer<&mut dyn Write>, name: &str, cases: &[Case]) -> io::Result<()> {
    let name = valid(name);
    let count = |count: usize| count.to_string();
    let skipped = cases.iter().filter(|it| matches!(it.outcome, Outcome::Skipped { .. })).count();
    xml.create_element("testsuite")
        .with_attribute(("name", name.as_str()))
        .with_attribute(("tests", count(cases.len()).as_str()))
        .with_attribute(("failures", count(failed(cases)).as_str()))
        .with_attribute(("errors", "0"))
        .with_attribute(("skipped", count(skipped).as_str()))
        .write_inner_content(|xml| cases.iter().try_for_each(|case| test(xml, &name, case)))?;
    Ok(())
}

fn test(xml: &mut Writer<&mut dyn Write>, suite: &str, case: &Case) -> io::Result<()> {
    let name = valid(&case.name);
    let element = xml
        .create_element("testcase")
        .with_attribute(("name", name.as_str()))
        .with_attribute(("classname", suite))
        // Surefire wants a time, and nothing here took any.
        .with_attribute(("time", "0"));
    match &case.outcome {
        Outcome::Passed => element.write_empty()?,
        Outcome::Skipped { message } => element.write_inner_content(|xml| {
            let message = valid(message);
            let skipped = xml.create_element("skipped");
            skipped.with_attribute(("message", message.as_str())).write_empty().map(drop)
        })?,
        Outcome::Failed { kind, message, body } => element.write_inner_content(|xml| {
            let (message, body) = (valid(message), valid(body));
            xml.create_element("failure")
                .with_attribute(("type", kind.as_str()))
                .with_attribute(("message", message.as_str()))
                .write_text_content(BytesText::new(&body))
                .map(drop)
        })?,
    };
    Ok(())
}

/// Text without what XML cannot hold. Line feeds stay.
fn valid(text: &str) -> String {
    let shown: Vec<Cow<'_, str>> = text.split('\n').map(escape::visible).collect();
    shown.join("\n").replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use quick_xml::events::Event;
    use quick_xml::reader::Reader;

    use super::*;
    use crate::report::sample;

    fn told(audit: &Audit) -> String {
        let mut out = Vec::new();
        write(audit, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_sample() {
        insta::assert_snapshot!(told(&sample::suppressed()));
        insta::assert_snapshot!(told(&sample::empty()));
    }

    #[test]
    fn hostile_text_stays_text() {
        let mut audit = sample::hostile();
        for judged in &mut audit.claims {
            judged.lineage.path.push_str("\u{ffff}\"/><failure>&x; ]]>");
            judged.lineage.claim.text.insert_str(0, "\u{fffe}</testcase><!--");
        }
        let text = told(&audit);
        assert!(text.chars().all(|c| c == '\n' || !escape::is_hostile(c)), "{text}");
        assert!(!text.contains(['\u{fffe}', '\u{ffff}']));
        let mut reader = Reader::from_str(&text);
        let mut cases = 0;
        loop {
            match reader.read_event().unwrap() {
                Event::Start(tag) | Event::Empty(tag) => {
                    cases += usize::from(tag.name().as_ref() == "testcase");
                }
                Event::Comment(_) => panic!("a comment in {text}"),
                Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(cases, audit.claims.len() + audit.caveats.len());
    }
}
