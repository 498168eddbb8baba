//! Laws of the source tree: who may use whom, and what must not be forgotten or written down.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use support::story;

/// Each module and those whose items it may use. Reading order is dependency order: a module
/// names only modules above it, so that no cycle can hide.
const MAY_USE: &[(&str, &[&str])] = &[
    ("texts", &[]),
    ("arithmetic", &[]),
    ("history", &[]),
    ("documents", &[]),
    ("forge", &[]),
    ("rules", &["arithmetic", "documents"]),
    ("extract", &["arithmetic", "documents", "rules"]),
    ("cache", &["history", "documents", "extract"]),
    ("scope", &["history", "documents", "rules"]),
    ("lineage", &["history", "documents", "extract"]),
    ("ledger", &["texts", "history", "documents", "rules", "extract", "lineage"]),
    (
        "gather",
        &[
            "history",
            "documents",
            "forge",
            "rules",
            "extract",
            "cache",
            "scope",
            "lineage",
            "ledger",
        ],
    ),
    ("checks", &["texts", "arithmetic", "history", "documents", "extract", "lineage", "ledger"]),
    ("verdict", &["history", "documents", "extract", "lineage", "ledger", "checks"]),
    ("suppress", &["history", "rules", "checks", "verdict"]),
    ("compare", &["history", "lineage", "verdict"]),
    (
        "report",
        &[
            "texts",
            "history",
            "documents",
            "rules",
            "extract",
            "lineage",
            "checks",
            "verdict",
            "compare",
        ],
    ),
    ("config", &["rules", "suppress"]),
];

/// May use everything.
const TOP: &[&str] = &["cli", "lib", "main"];

#[test]
fn the_import_table_is_in_reading_order() {
    for (place, (module, uses)) in MAY_USE.iter().enumerate() {
        for used in *uses {
            let above = MAY_USE[..place].iter().any(|(name, _)| name == used);
            assert!(above, "{module} may not use {used}, which stands below it");
        }
    }
}

#[test]
fn modules_use_only_what_the_table_names() {
    let mut wrong = Vec::new();
    for path in files("src", "rs") {
        let module = module_of(&path);
        if TOP.contains(&module.as_str()) {
            continue;
        }
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == module) else {
            panic!("{}: module `{module}` is not in the table", path.display());
        };
        for used in crate_uses(&fs::read_to_string(&path).unwrap()) {
            if used != module && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{}: `{module}` uses `{used}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_history_names_git2() {
    // Fixtures build the repositories that tests read.
    let exempt = |path: &Path| module_of(path) == "history" || path.ends_with("fixture.rs");
    for path in files("src", "rs").into_iter().filter(|path| !exempt(path)) {
        let text = fs::read_to_string(&path).unwrap();
        let named = text.lines().any(|line| code(line).contains("git2"));
        assert!(!named, "{} names git2", path.display());
    }
}

#[test]
fn every_check_file_is_in_the_list_of_all() {
    let text = fs::read_to_string(root().join("src/checks/mod.rs")).unwrap();
    let all = text.split_once("const ALL").unwrap_or_else(|| panic!("no list of checks")).1;
    let all = &all[..all.find("];").unwrap()];
    for stem in check_files() {
        assert!(all.contains(&format!("{stem}::")), "{stem} is not in checks::ALL");
    }
}

#[test]
fn every_check_fires_in_a_story_and_is_silent_in_another() {
    let stories = story::all();
    for stem in check_files() {
        let check = stem.replace('_', "-");
        let fires = |story: &story::Story| {
            story.expect.iter().any(|expected| expected.reasons.contains_key(&check))
        };
        assert!(stories.iter().any(fires), "no story in which {check} fires");
        assert!(!stories.iter().all(fires), "no story in which {check} is silent");
    }
}

#[test]
fn stories_name_only_checks_that_exist() {
    let known: BTreeSet<_> = check_files().iter().map(|stem| stem.replace('_', "-")).collect();
    for story in story::all() {
        for check in story.expect.iter().flat_map(|expected| expected.reasons.keys()) {
            assert!(known.contains(check), "{}: no check `{check}`", story.name);
        }
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let reasons = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let mut in_dependencies = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_dependencies = line.ends_with("dependencies]");
        } else if let Some((name, _)) = line.split_once(" = ").filter(|_| in_dependencies) {
            let reason = format!("- `{name}`: ");
            assert!(reasons.contains(&reason), "CONTRIBUTING.md gives no reason for {name}");
        }
    }
}

#[test]
fn ci_tests_the_oldest_supported_rust() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let workflow = fs::read_to_string(root().join(".github/workflows/ci.yml")).unwrap();
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")).unwrap();
    let version = version.trim_end_matches('"');
    assert!(workflow.contains(&format!("rustup default {version}\n")), "CI does not use {version}");
}

#[test]
fn no_file_names_a_place_on_a_machine() {
    // Put together here so that this file does not hold what it looks for.
    let private = ["work", "home", "Users", "root"].map(|top| format!("/{top}/"));
    let mut wrong = Vec::new();
    for path in files("", "") {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for (number, line) in text.lines().enumerate() {
            if private.iter().any(|place| line.contains(place.as_str())) {
                wrong.push(format!("{}:{}: {line}", path.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder with an extension (any, where empty), without what git ignores.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = entry.file_name();
            if name == "target" || name == ".git" || name == "node_modules" {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if extension.is_empty() || path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// `src/checks/mod.rs` and `src/checks/estimate.rs` are `checks`; `src/ledger.rs` is `ledger`.
fn module_of(path: &Path) -> String {
    let inside = path.strip_prefix(root().join("src")).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.strip_suffix(".rs").unwrap_or(&first).to_owned()
}

/// The crate's own modules that a file names in code. Its unit tests may use what they like.
fn crate_uses(text: &str) -> BTreeSet<String> {
    let code: String = text
        .lines()
        .take_while(|line| line.trim() != "#[cfg(test)]")
        .map(|line| code(line).to_owned() + "\n")
        .collect();
    let mut used = BTreeSet::new();
    for (place, _) in code.match_indices("crate::") {
        let whole_word = code[..place].chars().next_back().is_none_or(|c| !is_name(c) && c != '$');
        let rest = &code[place + "crate::".len()..];
        if !whole_word {
            continue;
        }
        let names = match rest.strip_prefix('{') {
            Some(group) => top_level_names(group),
            None => vec![name_at(rest)],
        };
        // An upper-case name is an item of the crate's root, not a module.
        used.extend(names.into_iter().filter(|name| name.starts_with(char::is_lowercase)));
    }
    used
}

/// The first names in `a::b, c::{d, e}}`.
fn top_level_names(group: &str) -> Vec<String> {
    let (mut depth, mut start, mut names) = (0, true, Vec::new());
    for (place, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => start = true,
            letter if start && is_name(letter) => {
                names.push(name_at(&group[place..]));
                start = false;
            }
            _ => {}
        }
    }
    names
}

fn name_at(text: &str) -> String {
    text.chars().take_while(|letter| is_name(*letter)).collect()
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// A line without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

fn check_files() -> Vec<String> {
    let stems = files("src/checks", "rs")
        .into_iter()
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned());
    stems.filter(|stem| stem != "mod").collect()
}
