//! Whether the program's answer to a case is the one expected.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use claim_audit::cli::args::FormatName;
use clap::ValueEnum;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;

use super::case::{Answer, Case, Claim};
use super::run::{Run, run};

/// What came of a case.
pub(crate) struct Row {
    pub(crate) seen: String,
    pub(crate) seconds: f32,
    pub(crate) problems: Vec<String>,
}

/// The caveats that were looked for in every format.
///
/// What a format does with a caveat does not depend on the repository: without optimisation, where
/// a start of the program takes long, the first case with the same caveats stands for all.
#[derive(Default)]
pub(crate) struct Told(Mutex<BTreeSet<BTreeSet<String>>>);

impl Told {
    fn is_new(&self, report: &Value) -> bool {
        let codes = report["caveats"].as_array().map_or(&[][..], Vec::as_slice).iter();
        let codes = codes.map(|it| it["code"].as_str().unwrap_or_default().to_owned()).collect();
        self.0.lock().unwrap().insert(codes) || !cfg!(debug_assertions)
    }
}

#[expect(clippy::disallowed_methods, reason = "a test may look at the clock")]
pub(crate) fn judge(folder: &Path, case: &Case, told: &Told) -> Row {
    if let Some(why) = &case.skipped {
        return Row { seen: format!("skipped: {why}"), seconds: 0.0, problems: Vec::new() };
    }
    let start = Instant::now();
    let before = snapshot(&folder.join(&case.name));
    let mut problems = Vec::new();
    let mut seen = answer(folder, case, &[], told, &mut problems);
    if seen == Some(Answer::Refuse) && case.must_say.iter().any(|word| word == "shallow") {
        // Refused until it is allowed: then the case must be right as well.
        if let Some(allowed) = answer(folder, case, &["--allow-shallow"], told, &mut problems)
            && case.expect == Answer::Degrade
        {
            seen = Some(allowed);
            if allowed != Answer::Degrade {
                problems.push(format!("with --allow-shallow: {}", allowed.word()));
            }
        }
    }
    if let Some(trap) = &case.trap
        && folder.join(trap).symlink_metadata().is_ok()
    {
        problems.push("a program that the repository names was run".to_owned());
    }
    if before != snapshot(&folder.join(&case.name)) {
        problems.push("the repository was changed".to_owned());
    }
    let seen = seen.map_or("broken", Answer::word).to_owned();
    Row { seen, seconds: start.elapsed().as_secs_f32(), problems }
}

/// Runs the case in the formats that matter and compares all that is expected of it.
fn answer(
    folder: &Path,
    case: &Case,
    further: &[&str],
    told: &Told,
    problems: &mut Vec<String>,
) -> Option<Answer> {
    let json = formatted(folder, case, further, "json");
    if let Some(broken) = broken(&json) {
        problems.push(broken);
        return None;
    }
    let report: Value = serde_json::from_slice(&json.stdout).unwrap_or_default();
    let answer = match json.code {
        Some(2) => Answer::Refuse,
        _ if caveats(&report).is_empty() => Answer::Audit,
        _ => Answer::Degrade,
    };
    if answer == Answer::Refuse {
        if !json.stdout.is_empty() {
            problems.push("refused, and yet there is a report".to_owned());
        }
        if !(json.stderr.starts_with("error: ") && json.stderr.contains("\nhelp: ")) {
            problems.push(format!("no cause or no way out: {:?}", json.stderr));
        }
    } else {
        if report["schema_version"] != 1 {
            problems.push("no valid JSON".to_owned());
        }
        if !json.stderr.is_empty() {
            problems.push(format!("standard error: {:?}", json.stderr));
        }
        for claim in &case.claims {
            problems.extend(compare(claim, &report));
        }
    }
    let allowed_later =
        answer == Answer::Refuse && further.is_empty() && case.must_say == ["shallow"];
    // A caveat about something else takes nothing from an audit.
    let right = case.allows(answer)
        || allowed_later
        || answer == Answer::Degrade && case.allows(Answer::Audit);
    if !right {
        let said = if answer == Answer::Refuse { json.stderr.clone() } else { caveats(&report) };
        problems.push(format!(
            "{} was expected, seen: {} {said:?}",
            case.expected(),
            answer.word()
        ));
    }
    let needed = match answer {
        Answer::Refuse => true,
        Answer::Degrade => !case.allows(Answer::Audit) || case.expect == Answer::Degrade,
        Answer::Audit => false,
    };
    if needed {
        let said = if answer == Answer::Refuse { json.stderr.clone() } else { caveats(&report) };
        problems.extend(unsaid(case, &said, "json"));
    }
    let every = !case.never.is_empty() || answer == Answer::Degrade && told.is_new(&report);
    let people = answer == Answer::Degrade || !cfg!(debug_assertions);
    for format in FormatName::value_variants() {
        let name = format.to_possible_value().unwrap();
        let name = name.get_name();
        if name == "json" || !(every || people && name == "text") {
            check_bytes(case, name, &json, problems);
            continue;
        }
        let run = formatted(folder, case, further, name);
        problems.extend(broken(&run));
        if run.code != json.code {
            problems.push(format!("{name}: exit status {:?}, {:?} with json", run.code, json.code));
        }
        check_bytes(case, name, &run, problems);
        if needed && answer == Answer::Degrade {
            problems.extend(unsaid(case, &String::from_utf8_lossy(&run.stdout), name));
        }
    }
    Some(answer)
}

fn formatted(folder: &Path, case: &Case, further: &[&str], format: &str) -> Run {
    let mut args = further.to_vec();
    args.extend(["--color", "never", "--format", format]);
    run(folder, case, &args)
}

/// A run that is no answer at all.
fn broken(run: &Run) -> Option<String> {
    if let Some(broken) = &run.broken {
        return Some(format!("{broken}; standard error: {:?}", run.stderr));
    }
    if run.stderr.contains("panicked") {
        return Some(format!("a panic: {:?}", run.stderr));
    }
    (!matches!(run.code, Some(0..=2)))
        .then(|| format!("exit status {:?}: {:?}", run.code, run.stderr))
}

fn caveats(report: &Value) -> String {
    let caveats = report["caveats"].as_array().map_or(&[][..], Vec::as_slice);
    let told = caveats.iter().map(|it| format!("{} {}\n", it["code"], it["message"]));
    told.collect()
}

/// Words that must be said and are not.
fn unsaid(case: &Case, said: &str, format: &str) -> Vec<String> {
    // Reports wrap their lines.
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let said = flat(said);
    let missing = case.must_say.iter().filter(|word| !said.contains(&flat(word)));
    missing.map(|word| format!("{format} does not say {word:?}: {said:?}")).collect()
}

/// What is wrong with how a claim is reported.
fn compare(expected: &Claim, report: &Value) -> Option<String> {
    let empty = Vec::new();
    let claims = report["claims"].as_array().unwrap_or(&empty);
    let here = claims.iter().filter(|claim| {
        let location = &claim["location"];
        let line = |key: &str| location[key].as_u64().unwrap_or(0);
        same_path(location["path"].as_str().unwrap_or_default(), &expected.path)
            && match expected.line {
                Some(wanted) => (line("start_line")..=line("end_line")).contains(&wanted),
                None => same_words(claim["text"].as_str().unwrap_or_default(), &expected.text),
            }
    });
    let here: Vec<_> = here.collect();
    let name = format!("{}:{} {:?}", expected.path, expected.line.unwrap_or(0), expected.text);
    if here.is_empty() {
        let all: Vec<_> = claims.iter().map(|it| it["location"].to_string()).collect();
        return Some(format!("no claim at {name}; there are {}", all.join(", ")));
    }
    let right = |claim: &&&Value| {
        let commit = claim["introduced"]["commit"].as_str().map(str::to_owned);
        let unsure = claim["introduced"]["at_or_before"] == true || claim["at_or_before"] == true;
        let verdict = claim["verdict"].as_str().unwrap_or_default();
        let cut = claim["reasons"]
            .as_array()
            .is_some_and(|reasons| reasons.iter().any(|it| it["rule"] == "truncated-history"));
        match &expected.introduced {
            Some(_) => commit == expected.introduced && !unsure && verdict == expected.verdict,
            None => unsure && verdict == "lead_only" && cut,
        }
    };
    if here.iter().any(|claim| right(&claim)) {
        return None;
    }
    let seen: Vec<_> = here
        .iter()
        .map(|claim| {
            let rules = claim["reasons"].as_array().map(|reasons| {
                reasons.iter().map(|it| it["rule"].to_string()).collect::<Vec<_>>().join(",")
            });
            format!("{} {} {}", claim["verdict"], rules.unwrap_or_default(), claim["introduced"])
        })
        .collect();
    Some(format!(
        "{name}: {} since {:?} expected, seen: {}",
        expected.verdict,
        expected.introduced,
        seen.join("; ")
    ))
}

/// Paths that are not UTF-8 are shown in some readable way: only what is readable is compared.
fn same_path(shown: &str, expected: &str) -> bool {
    let plain = |text: &str| text.replace("\\xe9", "\u{fffd}").replace("\\xff", "\u{fffd}");
    shown == expected || plain(shown) == plain(expected)
}

fn same_words(shown: &str, expected: &str) -> bool {
    let words = |text: &str| {
        let letters = text.chars().filter(|it| it.is_alphanumeric());
        letters.collect::<String>().to_lowercase()
    };
    words(shown) == words(expected)
}

/// No byte of a stranger acts on the medium.
fn check_bytes(case: &Case, format: &str, run: &Run, problems: &mut Vec<String>) {
    let stdout = String::from_utf8_lossy(&run.stdout);
    for (stream, text) in [(format, stdout.as_ref()), ("standard error", run.stderr.as_str())] {
        let mut raw = text.chars().filter(|it| it.is_control() && *it != '\n');
        if let Some(raw) = raw.next() {
            problems.push(format!("{stream}: a raw {raw:?}"));
        }
        let applies = |medium: &str| match medium {
            "any" => true,
            "terminal" => matches!(stream, "text" | "standard error" | "github"),
            "markdown" => matches!(stream, "markdown" | "html"),
            "github" => matches!(stream, "text" | "standard error" | "github" | "markdown"),
            _ => panic!("no such medium: {medium}"),
        };
        for (medium, words) in case.never.iter().filter(|(medium, _)| applies(medium)) {
            for word in words {
                let found = match (medium.as_str(), stream) {
                    ("github", _) => text.lines().any(|line| line.trim_start().starts_with(word)),
                    ("markdown", "markdown") => outside_code(text).contains(word),
                    ("markdown", _) => is_element_of_a_stranger(text, word),
                    _ => text.contains(word),
                };
                if found {
                    problems.push(format!("{stream}: {word:?} reached the output"));
                }
            }
        }
    }
}

/// What a reader of Markdown takes for markup or prose: in code everything is inert.
fn outside_code(markdown: &str) -> String {
    let mut read = String::new();
    let mut in_block = false;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_block = true,
            Event::End(TagEnd::CodeBlock) => in_block = false,
            Event::Text(text) if in_block => drop(text),
            Event::Text(text) => read.push_str(&text),
            Event::Html(html) | Event::InlineHtml(html) => read.push_str(&html),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                read.push_str("](");
                read.push_str(&dest_url);
            }
            _ => {}
        }
    }
    read
}

/// Tells whether a page has an element that a text tried to begin. The page has one script of its own;
/// names and issue numbers mean nothing in a page.
fn is_element_of_a_stranger(page: &str, word: &str) -> bool {
    let count = page.matches(word).count();
    match word {
        "<script" => count > 1,
        _ => word.starts_with('<') && !word.starts_with("</") && count > 0,
    }
}

/// Every file with its size and its time of change.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, (u64, i64, i64)> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(data) = entry.path().symlink_metadata() else { continue };
            if data.is_dir() {
                open.push(entry.path());
            }
            found.insert(entry.path(), (data.len(), data.mtime(), data.mtime_nsec()));
        }
    }
    found
}

#[test]
fn markup_is_told_from_code() {
    let hostile = "<img src=x> @example/everyone";
    assert!(outside_code(hostile).contains("<img src=x"));
    assert!(outside_code(hostile).contains("@example/everyone"));
    let harmless = format!("a `{hostile}` b\n\n```sh\n{hostile}\n```\n");
    assert_eq!(outside_code(&harmless).trim(), "a  b");
    assert!(outside_code("[a](javascript:x)").contains("](javascript:"));
    assert!(is_element_of_a_stranger("<script>own</script><script>other</script>", "<script"));
    assert!(!is_element_of_a_stranger("<script>own</script>&lt;script", "<script"));
    assert!(is_element_of_a_stranger("<img src=x>", "<img src=x"));
}
