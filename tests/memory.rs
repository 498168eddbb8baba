//! Audits in one process leave nothing behind.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test crate uses its part")]
mod support;

use std::fs;
use std::path::Path;

use claim_audit::Options;
use claim_audit::checks::{self};
use claim_audit::history::{NoProgress, Repository};
use claim_audit::rules::RuleSet;
use support::{build, story};

#[test]
fn memory_does_not_grow_with_repeated_audits() {
    let repo = build::repository(&story::named("three-cards"));
    let missing = repo.path().join("missing");
    let run = |times: usize| {
        for _ in 0..times {
            audit(repo.path());
            assert!(Repository::open(&missing).is_err());
        }
        resident()
    };
    // Caches and the allocator's arenas fill first.
    let filled = run(10);
    let after = run(20);
    assert!(after <= filled + (2 << 20), "{filled} bytes, then {after}");
}

fn audit(path: &Path) {
    let rules = RuleSet::built_in().unwrap();
    let repo = Repository::open(path).unwrap();
    let options = Options { jobs: 2, ..Options::new(repo.resolve("HEAD").unwrap()) };
    let audit = claim_audit::audit(&repo, &options, &rules, checks::ALL, &NoProgress).unwrap();
    assert!(!audit.claims.is_empty());
}

/// Bytes of memory that this process has, with those of libgit2.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() << 10
}
