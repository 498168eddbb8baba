//! Every story in `testdata/stories` says what its file expects, and obeys laws that need no
//! expectation.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use support::audit::{self, Claim, Report};
use support::build::{self, Built};
use support::each_story;
use support::story::{Commit, Details, Story};

const PREDATES: &str = "predates-pitfall";

#[test]
fn every_story_says_what_it_expects_and_nothing_else() {
    each_story(|story| {
        let built = build::repository(story);
        let report = audit::told(story, &built)?;
        let mut problems =
            differences(expected_claims(story), found_claims(story, &built, &report));
        if let Some(expected) = &story.pitfalls {
            let found = report.pitfalls.iter().map(|p| (p.location.place(), p.text.clone()));
            let expected = expected.iter().map(|place| format!("pitfall {place}")).collect();
            problems.extend(differences(
                expected,
                found.map(|(place, text)| (format!("pitfall {place}"), text)).collect(),
            ));
        }
        if let Some(expected) = &story.caveats {
            let found =
                report.caveats.iter().map(|c| (format!("caveat {}", c.code), String::new()));
            let expected = expected.iter().map(|code| format!("caveat {code}")).collect();
            problems.extend(differences(expected, found.collect()));
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    });
}

#[test]
fn the_same_history_gives_the_same_bytes() {
    each_story(|story| {
        let told = audit::told_bytes(story, &build::repository(story))?;
        // Built again: neither the folder's name nor the order of its files may matter.
        let again = build::repository(story);
        // Nor what was kept of an earlier audit: first of none, then of this one.
        let kept = tempfile::tempdir().unwrap();
        let cache = ["--cache-dir", kept.path().to_str().unwrap()];
        for (jobs, which) in [("1", "an empty cache"), ("2", "a full cache")] {
            let args = [&cache[..], &["--jobs", jobs]].concat();
            if audit::bytes(story, again.path(), &args)? != told {
                return Err(format!("other bytes with --jobs {jobs} and {which}"));
            }
        }
        Ok(())
    });
}

#[test]
fn reflowing_and_moving_changes_no_verdict_and_no_age() {
    each_story(|story| {
        let built = build::repository(story);
        let before = lives(&audit::told(story, &built)?);
        let is_document = |path: &&String| path.ends_with(".md");
        let documents: Vec<_> = built.head().keys().filter(is_document).cloned().collect();
        let moves = documents.iter().map(|path| (path.clone(), format!("moved/{path}"))).collect();
        let write =
            documents.iter().map(|path| (format!("moved/{path}"), reflow(&built.head()[path])));
        let longer = story.then(Commit {
            message: "Tidy up".to_owned(),
            moves,
            write: write.collect(),
            ..Commit::default()
        });
        let after = lives(&audit::told_on(&longer, &build::repository(&longer))?);
        same(&before, &after)
    });
}

#[test]
fn a_retest_trailer_clears_predates_pitfall() {
    each_story(|story| {
        let built = build::repository(story);
        let claims = audit::told(story, &built)?.claims;
        let trailers: String = claims.iter().map(|c| format!("Retest: {}\n", c.id)).collect();
        let longer = story.then(Commit {
            message: format!("Go through all results again\n\n{trailers}"),
            ..Commit::default()
        });
        let built = build::repository(&longer);
        let report = audit::told_on(&longer, &built)?;
        let stale: Vec<_> = report
            .claims
            .iter()
            .filter(|claim| {
                built.number(&claim.last_tested.commit) != Some(longer.commits.len())
                    || claim.reasons.iter().any(|reason| reason.rule == PREDATES)
            })
            .map(|claim| format!("not retested: {} {}", claim.location.place(), claim.text))
            .collect();
        if stale.is_empty() { Ok(()) } else { Err(stale.join("\n")) }
    });
}

#[test]
fn without_the_pitfalls_nothing_predates_one() {
    each_story(|story| {
        let built = build::repository(story);
        let pitfalls: BTreeSet<String> = audit::told(story, &built)?
            .pitfalls
            .iter()
            .flat_map(|pitfall| {
                let lines = pitfall.location.start_line - 1..pitfall.location.end_line;
                let text: Vec<_> = built.head()[&pitfall.location.path].lines().collect();
                text[lines].iter().map(|line| line.trim().to_owned()).collect::<Vec<_>>()
            })
            .collect();
        let harmless = story.with_texts(|text| {
            let kept = text.split_inclusive('\n').filter(|line| !pitfalls.contains(line.trim()));
            kept.collect()
        });
        let report = audit::told_on(&harmless, &build::repository(&harmless))?;
        let challenged: Vec<_> = report
            .claims
            .iter()
            .filter(|claim| {
                let told = |it: &audit::Reason| it.rule == PREDATES && it.known_pitfall.is_none();
                claim.reasons.iter().any(told)
            })
            .map(|claim| format!("challenged by nothing: {}", claim.location.place()))
            .collect();
        if challenged.is_empty() { Ok(()) } else { Err(challenged.join("\n")) }
    });
}

#[test]
fn switching_a_check_off_takes_away_exactly_its_reasons() {
    each_story(|story| {
        let built = build::repository(story);
        let whole = audit::value(&audit::told_bytes(story, &built)?)?;
        let checks: BTreeSet<String> = audit::told(story, &built)?
            .claims
            .iter()
            .flat_map(|claim| claim.reasons.iter().map(|reason| reason.rule.clone()))
            .collect();
        for check in checks {
            let mut expected = whole["claims"].clone();
            for claim in expected.as_array_mut().into_iter().flatten() {
                let reasons = claim["reasons"].as_array_mut().ok_or("no reasons in a claim")?;
                reasons.retain(|reason| reason["rule"] != check.as_str());
                let clear = reasons.is_empty();
                claim["verdict"] = Value::from(if clear { "evidence" } else { "lead_only" });
                // What is no lead cannot be a known one.
                if clear {
                    claim["suppression"] = Value::Null;
                }
            }
            let found = audit::value(&audit::bytes(story, built.path(), &["--no-check", &check])?)?;
            if found["claims"] != expected {
                return Err(format!(
                    "with --no-check {check}\nexpected {expected:#}\nfound    {:#}",
                    found["claims"]
                ));
            }
        }
        Ok(())
    });
}

#[test]
fn every_sighting_is_a_line_that_stands_there() {
    each_story(|story| {
        let built = build::repository(story);
        let report = audit::told(story, &built)?;
        let claims = report.claims.iter().flat_map(|claim| [&claim.introduced, &claim.last_tested]);
        let pitfalls = report.pitfalls.iter().map(|pitfall| &pitfall.introduced);
        let wrong: Vec<_> = claims
            .chain(pitfalls)
            .filter(|seen| {
                let files = built.number(&seen.commit).map(|number| &built.files[number - 1]);
                let text = files.and_then(|files| files.get(&seen.path));
                let line = text.and_then(|text| text.lines().nth(seen.line.checked_sub(1)?));
                line.is_none_or(|line| line.trim().is_empty())
            })
            .map(|seen| format!("nothing at {seen:?}"))
            .collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

/// A claim in one line, as the story wants it.
fn expected_claims(story: &Story) -> Vec<String> {
    let line = |expected: &support::story::Expected| {
        let (verdict, place) = expected.verdict();
        let reasons: Vec<_> = expected
            .reasons
            .iter()
            .map(|(check, reason)| reason_line(check, &reason.details()))
            .collect();
        let tested = expected.last_tested.unwrap_or(expected.introduced);
        claim_line(
            (verdict, place, &expected.kind),
            (&expected.introduced.to_string(), expected.at_or_before, &tested.to_string()),
            &reasons,
        )
    };
    story.expect.iter().map(line).collect()
}

/// The claims of the report as such lines, each with its text. Of a reason's details only those
/// are printed that the story asks for at that place.
fn found_claims(story: &Story, built: &Built, report: &Report) -> Vec<(String, String)> {
    let number = |hex: &str| {
        built
            .number(hex)
            .map_or_else(|| format!("no commit of the story: {hex}"), |n| n.to_string())
    };
    let line = |claim: &Claim| {
        let place = claim.location.place();
        let wanted = story.expect.iter().find(|expected| expected.verdict().1 == place);
        // One line per check, the most certain reason; among equals the one the story asks for.
        let mut best: BTreeMap<&str, (u8, bool, String)> = BTreeMap::new();
        for reason in &claim.reasons {
            let asked = wanted
                .and_then(|expected| expected.reasons.get(&reason.rule))
                .map(|reason| reason.details())
                .unwrap_or_default();
            let pitfall = report
                .pitfalls
                .iter()
                .find(|pitfall| Some(&pitfall.id) == reason.pitfall.as_ref())
                .map(|pitfall| pitfall.location.place());
            let details = Details {
                confidence: reason.confidence.clone(),
                exposure: asked.exposure.as_ref().and(reason.exposure.clone()),
                lag_seconds: asked.lag_seconds.and(reason.lag_seconds),
                ordered_by: asked.ordered_by.as_ref().and(reason.ordered_by.clone()),
                pitfall: asked.pitfall.as_ref().and(pitfall.clone()),
                says: asked.says.clone().filter(|words| reason.message.contains(words)),
                says_not: asked.says_not.clone().filter(|words| !reason.message.contains(words)),
            };
            let rank = match reason.confidence.as_str() {
                "low" => 0,
                "medium" => 1,
                _ => 2,
            };
            let candidate =
                (rank, asked.pitfall == details.pitfall, reason_line(&reason.rule, &details));
            let kept = best.entry(&reason.rule).or_insert_with(|| candidate.clone());
            if (candidate.0, candidate.1) > (kept.0, kept.1) {
                *kept = candidate;
            }
        }
        let reasons: Vec<_> = best.into_values().map(|(_, _, line)| line).collect();
        let line = claim_line(
            (&claim.verdict, &place, &claim.kind),
            (
                &number(&claim.introduced.commit),
                claim.at_or_before,
                &number(&claim.last_tested.commit),
            ),
            &reasons,
        );
        (line, claim.text.clone())
    };
    report.claims.iter().map(line).collect()
}

fn claim_line(
    (verdict, place, kind): (&str, &str, &str),
    (introduced, at_or_before, last_tested): (&str, bool, &str),
    reasons: &[String],
) -> String {
    let origin = if at_or_before { "at or before " } else { "" };
    let reasons = if reasons.is_empty() { "no reason".to_owned() } else { reasons.join("; ") };
    format!(
        "{verdict} {place} {kind}, introduced {origin}{introduced}, last tested {last_tested}, {reasons}"
    )
}

fn reason_line(check: &str, details: &Details) -> String {
    let Details { confidence, exposure, lag_seconds, ordered_by, pitfall, says, says_not } =
        details;
    let mut line = format!("{check} {confidence}");
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            line.push_str(&format!(" {name}={value}"));
        }
    };
    add("exposure", exposure.clone());
    add("lag", lag_seconds.map(|seconds| seconds.to_string()));
    add("ordered_by", ordered_by.clone());
    add("pitfall", pitfall.clone());
    add("says", says.clone());
    add("says_not", says_not.clone());
    line
}

/// What is missing and what is too much; each found line carries the text it was read from.
fn differences(expected: Vec<String>, found: Vec<(String, String)>) -> Vec<String> {
    let mut missing = expected;
    let mut problems = Vec::new();
    for (line, text) in found {
        match missing.iter().position(|expected| *expected == line) {
            Some(index) => drop(missing.remove(index)),
            None => problems.push(format!("  found    {line}\n           {text:?}")),
        }
    }
    let missing = missing.into_iter().map(|line| format!("  expected {line}"));
    missing.chain(problems).collect()
}

/// What must survive a commit that only reflows and moves: by claim id, all but the place.
fn lives(report: &Report) -> Vec<String> {
    let mut lives: Vec<_> = report
        .claims
        .iter()
        .map(|claim| {
            let reasons: Vec<_> = claim
                .reasons
                .iter()
                .map(|reason| (&reason.rule, &reason.confidence, &reason.pitfall))
                .collect();
            format!(
                "{} {} {} introduced {} last tested {} {reasons:?}",
                claim.id,
                claim.kind,
                claim.verdict,
                claim.introduced.commit,
                claim.last_tested.commit
            )
        })
        .collect();
    lives.sort();
    lives
}

fn same(before: &[String], after: &[String]) -> Result<(), String> {
    let lost = before.iter().filter(|line| !after.contains(line)).map(|l| format!("before {l}"));
    let new = after.iter().filter(|line| !before.contains(line)).map(|l| format!("after  {l}"));
    let changed: Vec<_> = lost.chain(new).collect();
    if changed.is_empty() && before.len() == after.len() { Ok(()) } else { Err(changed.join("\n")) }
}

/// Pads table cells and breaks sentences at a space: the same document to a reader.
fn reflow(text: &str) -> String {
    let mut in_fence = false;
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with("```") || line.starts_with("~~~") {
            in_fence = !in_fence;
        }
        let prose = line.starts_with(|first: char| first.is_alphabetic());
        if !in_fence && line.starts_with("| ") {
            out.push_str(&line.replace("| ", "|   "));
        } else if let Some(place) = (!in_fence && prose).then(|| break_at(line)).flatten() {
            out.push_str(&line[..place]);
            out.push('\n');
            out.push_str(&line[place + 1..]);
        } else {
            out.push_str(line);
        }
    }
    out
}

/// A space in the second half of a line that a word follows, outside code spans and links.
fn break_at(line: &str) -> Option<usize> {
    line.match_indices(' ').map(|(place, _)| place).find(|place| {
        let (before, after) = (&line[..*place], &line[place + 1..]);
        let open = before.matches('`').count() % 2 == 1 || before.contains('[');
        before.len() * 2 >= line.len() && !open && after.starts_with(char::is_alphabetic)
    })
}
