//! The pages of `docs/checks/` say what the program says: they are written from its texts.
//!
//! `UPDATE_PAGES=1 cargo test --test check_pages` renews them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a switch for people, not for the library")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use claim_audit::checks::{ALL, Check, Guide};
use claim_audit::texts::Language;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/checks")
}

fn page(check: &dyn Check) -> String {
    let Guide { what, fires, silent, fix } = Guide::of(check, Language::English);
    let name = check.name();
    let off = match check.on_by_default() {
        true => String::new(),
        false => format!("\nOff unless it is named: `--check {name}`.\n"),
    };
    format!(
        "# {name}\n\n{what}\n{off}\n## It fires\n\n{fires}\n\n## It does not\n\n{silent}\n\n\
         ## What to do\n\n{fix} To keep it from being asked, leave it out with `--no-check {name}`.\n"
    )
}

#[test]
fn every_check_has_its_page_and_no_page_lacks_a_check() {
    let update = std::env::var_os("UPDATE_PAGES").is_some();
    let mut pages = BTreeSet::new();
    for check in ALL {
        let path = folder().join(format!("{}.md", check.name()));
        if update {
            fs::create_dir_all(folder()).unwrap();
            fs::write(&path, page(*check)).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(written, page(*check), "renew it with UPDATE_PAGES=1: {}", path.display());
        pages.insert(path);
    }
    let found: BTreeSet<_> = fs::read_dir(folder()).unwrap().map(|it| it.unwrap().path()).collect();
    assert_eq!(found, pages);
}
