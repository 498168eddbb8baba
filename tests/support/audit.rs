//! The binary, sealed off from the machine it runs on, and its JSON report as read back.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;

use serde::Deserialize;
use serde_json::Value;

use super::build::Built;
use super::story::Story;

/// The parts of a report that stories speak of; further keys are of no concern here.
#[derive(Debug, Deserialize)]
pub(crate) struct Report {
    pub(crate) caveats: Vec<Caveat>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) pitfalls: Vec<Pitfall>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Caveat {
    pub(crate) code: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Claim {
    pub(crate) id: String,
    pub(crate) verdict: String,
    pub(crate) kind: String,
    pub(crate) text: String,
    pub(crate) location: Location,
    pub(crate) introduced: Sighting,
    pub(crate) last_tested: Sighting,
    #[serde(default)]
    pub(crate) at_or_before: bool,
    #[serde(default)]
    pub(crate) reasons: Vec<Reason>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Location {
    pub(crate) path: String,
    pub(crate) start_line: usize,
    pub(crate) end_line: usize,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Sighting {
    pub(crate) commit: String,
    pub(crate) path: String,
    pub(crate) line: usize,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Reason {
    pub(crate) rule: String,
    pub(crate) confidence: String,
    pub(crate) message: String,
    pub(crate) pitfall: Option<String>,
    /// A pitfall that a rule pack knows, whatever the documents say.
    #[serde(default)]
    pub(crate) known_pitfall: Option<String>,
    pub(crate) lag_seconds: Option<i64>,
    pub(crate) exposure: Option<String>,
    pub(crate) ordered_by: Option<String>,
    #[serde(default)]
    pub(crate) receipts: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Pitfall {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) location: Location,
    pub(crate) introduced: Sighting,
}

impl Location {
    /// `path:line`, as stories write it.
    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.path, self.start_line)
    }
}

/// A command that sees no configuration, no home and no terminal of this machine.
#[expect(clippy::disallowed_methods, reason = "programs must still be found, also on Windows")]
pub(crate) fn sealed(program: &str) -> Command {
    let kept = ["PATH", "SystemRoot", "TEMP", "TMP"]
        .into_iter()
        .filter_map(|name| std::env::var_os(name).map(|value| (name, value)));
    let mut command = Command::new(program);
    command.env_clear().envs(kept).envs([
        ("HOME", "/nonexistent"),
        ("USERPROFILE", "/nonexistent"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("LC_ALL", "C.UTF-8"),
        ("TZ", "UTC"),
    ]);
    command
}

/// The binary under test, sealed.
pub(crate) fn claim_audit() -> Command {
    sealed(env!("CARGO_BIN_EXE_claim-audit"))
}

/// The bytes of the JSON report on a story's repository, from inside it: no path gets into them.
pub(crate) fn bytes(story: &Story, repo: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let Output { status, stdout, stderr } = claim_audit()
        // Stories speak of all reasons, also of those that are only worth a look.
        .args(["--format", "json", "--fail-on", "never", "--min-confidence", "low"])
        .args(&story.args)
        .args(args)
        .current_dir(repo)
        .output()
        .unwrap();
    match status.code() {
        Some(0) => Ok(stdout),
        _ => Err(format!("{status}\n{}", String::from_utf8_lossy(&stderr))),
    }
}

/// The bytes of the JSON report on a story as it is told, made once in a test's process.
///
/// The same history gives the same bytes (a test of its own holds that), so that every law may
/// start from the same ones.
pub(crate) fn told_bytes(story: &Story, built: &Built) -> Result<Vec<u8>, String> {
    static TOLD: Mutex<BTreeMap<String, Result<Vec<u8>, String>>> = Mutex::new(BTreeMap::new());
    if let Some(told) = TOLD.lock().unwrap().get(&story.name) {
        return told.clone();
    }
    let told = bytes(story, built.path(), &[]);
    TOLD.lock().unwrap().insert(story.name.clone(), told.clone());
    told
}

/// The JSON report on a story as it is told.
pub(crate) fn told(story: &Story, built: &Built) -> Result<Report, String> {
    report(&told_bytes(story, built)?)
}

/// The JSON report on a story that was told on, by one more commit or with other texts.
pub(crate) fn told_on(story: &Story, built: &Built) -> Result<Report, String> {
    report(&bytes(story, built.path(), &[])?)
}

pub(crate) fn value(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(bytes).map_err(|error| format!("no JSON on standard output: {error}"))
}

fn report(bytes: &[u8]) -> Result<Report, String> {
    serde_json::from_value(value(bytes)?)
        .map_err(|error| format!("not the JSON of version 1: {error}"))
}
