//! Every rule of the built-in packs holds on its own examples; packs of users load or are refused.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use claim_audit::extract::proof;
use claim_audit::rules::RuleSet;
use support::audit::claim_audit;

#[test]
fn examples_hold() {
    let rules = RuleSet::built_in().expect("the built-in packs load");
    let failures = proof::failures(&rules);
    let shown: Vec<String> =
        failures.iter().map(|f| format!("{}: {:?} {}", f.rule, f.example, f.what)).collect();
    assert!(shown.is_empty(), "{}", shown.join("\n"));
}

#[test]
fn sound_packs_load_and_their_examples_hold() {
    for pack in packs("valid") {
        let output = with_pack(&pack, &["--list-rules"]);
        assert!(output.status.success(), "{}: {}", pack.display(), text(&output.stderr));
    }
}

/// Beside each pack stands what must be said of it, in `NAME.txt`.
#[test]
fn unsound_packs_are_refused_at_their_place() {
    for pack in packs("invalid") {
        let output = with_pack(&pack, &["--list-rules"]);
        let expected = fs::read_to_string(pack.with_extension("txt")).unwrap_or_default();
        assert_eq!(text(&output.stderr), expected, "{}", pack.display());
        assert_eq!(output.status.code(), Some(2), "{}", pack.display());
        assert!(output.stdout.is_empty());
    }
}

fn with_pack(pack: &Path, args: &[&str]) -> Output {
    let mut command = claim_audit();
    // The name alone, so that messages are the same everywhere.
    command.current_dir(pack.parent().unwrap()).arg("--rules").arg(pack.file_name().unwrap());
    command.args(args).output().unwrap()
}

fn packs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rules").join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut packs: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "yml")).collect();
    packs.sort();
    assert!(!packs.is_empty());
    packs
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
