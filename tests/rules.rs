//! Every rule of the built-in packs holds on its own examples; packs of users load or are refused.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use claim_audit::extract::proof;
use claim_audit::rules::{self, RuleSet};
use support::audit::claim_audit;
use support::{build, story};

#[test]
fn examples_hold() {
    let rules = RuleSet::built_in().expect("the built-in packs load");
    let failures = proof::failures(&rules);
    let shown: Vec<String> =
        failures.iter().map(|f| format!("{}: {:?} {}", f.rule, f.example, f.what)).collect();
    assert!(shown.is_empty(), "{}", shown.join("\n"));
}

/// Renewed by `cargo run --example schemas`.
#[test]
fn the_schema_for_editors_is_that_of_the_types() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/pack.schema.json");
    let stored = fs::read_to_string(file).unwrap_or_default();
    assert!(stored == rules::pack_schema().unwrap(), "renew it: see the comment on this test");
}

#[test]
fn a_pack_names_itself_in_reports_and_lists() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rules/valid");
    let pack = folder.join("adds-a-rule.yml");
    let listed = text(&with_pack(&pack, &["--list-rules"]).stdout);
    assert!(
        listed.contains("greenhouse.wilted                claim rule   greenhouse"),
        "{listed}"
    );
    let told = text(&with_pack(&pack, &["--explain", "greenhouse.wilted"]).stdout);
    for part in ["greenhouse@3", "adds-a-rule.yml:5:9", "wilted (overnight|within)", "conditional"]
    {
        assert!(told.contains(part), "{told}");
    }
    let repo = build::repository(&story::named("three-cards"));
    for format in ["text", "json"] {
        let mut command = claim_audit();
        command.arg(repo.path()).arg("--rules").arg(&pack).args(["--format", format]);
        let report = text(&command.output().unwrap().stdout);
        assert!(report.contains("greenhouse@3") && report.contains("core@"), "{report}");
    }
}

#[test]
fn an_override_and_a_disabled_rule_are_gone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/rules/valid");
    let pack = folder.join("overrides-and-disables.yml");
    let listed = text(&with_pack(&pack, &["--list-rules"]).stdout);
    assert!(!listed.contains("fail.worse "), "{listed}");
    assert!(listed.contains("fail.died                        claim rule   strict"), "{listed}");
    let told = text(&with_pack(&pack, &["--explain", "fail.died"]).stdout);
    assert!(told.contains("strict@1") && told.contains("The worker died."), "{told}");
}

#[test]
fn a_line_is_explained_by_what_decided() {
    let repo = build::repository(&story::named("three-cards"));
    let explain = |args: &[&str]| {
        let output = claim_audit().arg(repo.path()).args(args).output().unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (status, told, _) = explain(&["--explain-line", "RESULTS.md:6"]);
    assert_eq!(status, Some(0));
    for part in ["table, line", "Results", "columns", "`fail.", "claim of kind failure"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let (status, _, told) = explain(&["--explain-line", "RESULTS.md:600"]);
    assert!(status == Some(2) && told.contains("RESULTS.md with a line 600"), "{told}");
    let (status, _, told) = explain(&["--explain", "fail.dyed"]);
    assert!(status == Some(2) && told.contains("did you mean `fail.died`?"), "{told}");
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
