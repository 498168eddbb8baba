//! Every rule of the built-in packs holds on its own examples.

use claim_audit::extract::proof;
use claim_audit::rules::RuleSet;

#[test]
fn examples_hold() {
    let rules = RuleSet::built_in().expect("the built-in packs load");
    let failures = proof::failures(&rules);
    let shown: Vec<String> =
        failures.iter().map(|f| format!("{}: {:?} {}", f.rule, f.example, f.what)).collect();
    assert!(shown.is_empty(), "{}", shown.join("\n"));
}
