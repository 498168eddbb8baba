//! Every printed receipt, pasted into a shell, shows what it says.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::path::Path;

use support::audit::{self, Claim, Report};
use support::build::{self, Built};
use support::story::Story;
use support::{each_story, story};

#[test]
fn every_receipt_runs_and_shows_something() {
    each_story(|story| {
        let built = build::repository(story);
        let report = audit::told(story, &built)?;
        let mut problems = Vec::new();
        for claim in &report.claims {
            for reason in &claim.reasons {
                if reason.receipts.is_empty() {
                    problems.push(format!("{} has no receipt for {}", claim.id, reason.rule));
                }
                for receipt in &reason.receipts {
                    problems.extend(run(receipt, built.path()).err());
                }
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    });
}

#[test]
fn receipts_show_the_claim_and_the_pitfall_that_came_later() {
    // Stories in which the words at the origin are still today's words.
    for name in [
        "three-cards",
        "chinese-table",
        "renamed-in-between",
        "parallel-branches",
        "skewed-clock",
        "trigger-in-launch-script",
        "ban-table",
    ] {
        let story = story::named(name);
        let built = build::repository(&story);
        let report = audit::told(&story, &built).unwrap();
        let leads: Vec<_> = report.claims.iter().filter(|c| !c.reasons.is_empty()).collect();
        assert!(!leads.is_empty(), "{name}: no lead");
        for claim in leads {
            let problem = shows_both(claim, &report, &built);
            assert!(problem.is_ok(), "{name}: {}", problem.unwrap_err());
        }
    }
}

#[test]
fn a_hostile_path_stays_a_path() {
    let hostile = "it's $(touch owned) `touch owned`; touch owned.md";
    let renamed = rename(&story::named("parallel-branches"), "RESULTS.md", hostile);
    let renamed = rename(&renamed, "PITFALLS.md", "-n & touch owned.md");
    let built = build::repository(&renamed);
    let report = audit::told_on(&renamed, &built).unwrap();
    assert_eq!(report.claims.len(), 1, "the claim under the hostile path is read");
    let receipts: Vec<_> =
        report.claims[0].reasons.iter().flat_map(|reason| &reason.receipts).collect();
    assert!(!receipts.is_empty());
    for receipt in receipts {
        run(receipt, built.path()).unwrap();
    }
    assert!(!built.path().join("owned").exists(), "a receipt ran what a file name says");
}

/// A reason with a pitfall must lead a reader to the claim's line, the pitfall's line and the
/// commit that brought the pitfall.
fn shows_both(claim: &Claim, report: &Report, built: &Built) -> Result<(), String> {
    for reason in &claim.reasons {
        let outputs = reason
            .receipts
            .iter()
            .map(|receipt| run(receipt, built.path()).map(|output| (receipt, output)))
            .collect::<Result<Vec<_>, _>>()?;
        let shown =
            |text: &str| outputs.iter().any(|(_, output)| plain(output).contains(&plain(text)));
        if !shown(&claim.text) {
            return Err(format!("no receipt shows {:?}: {outputs:#?}", claim.text));
        }
        let Some(pitfall) = report.pitfalls.iter().find(|p| Some(&p.id) == reason.pitfall.as_ref())
        else {
            continue;
        };
        if !shown(&pitfall.text) {
            return Err(format!("no receipt shows {:?}: {outputs:#?}", pitfall.text));
        }
        let came = &pitfall.introduced.commit;
        let logs = outputs.iter().filter(|(receipt, _)| receipt.starts_with("git log"));
        let named = |output: &str| {
            output.split_whitespace().any(|word| word.len() >= 7 && came.starts_with(word))
        };
        if !logs.clone().any(|(_, output)| named(output)) {
            return Err(format!("no log names {came}: {:#?}", logs.collect::<Vec<_>>()));
        }
    }
    Ok(())
}

/// Runs a receipt as a reader would. A search may find nothing, which is what it then shows.
fn run(receipt: &str, repo: &Path) -> Result<String, String> {
    let output = audit::sealed("sh").args(["-c", receipt]).current_dir(repo).output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let search = receipt.contains("git grep");
    let ran = output.status.success() || (search && output.status.code() == Some(1));
    if ran && stderr.is_empty() && (search || !stdout.trim().is_empty()) {
        Ok(stdout)
    } else {
        Err(format!("$ {receipt}\n{}\n{stdout}{stderr}", output.status))
    }
}

/// Letters and digits alone: what is left of a text whatever its markup.
fn plain(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

fn rename(story: &Story, from: &str, to: &str) -> Story {
    let mut renamed = story.clone();
    for commit in &mut renamed.commits {
        if let Some(text) = commit.write.remove(from) {
            commit.write.insert(to.to_owned(), text);
        }
    }
    renamed
}
