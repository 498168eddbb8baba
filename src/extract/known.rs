//! Which pitfalls that the world knows a claim is within the scope of.

use std::collections::BTreeSet;

use super::claim;
use super::reading::Reading;
use super::reference::settings;
use super::subject::{Tokens, key};
use super::{Claim, Pitfall, Warning};
use crate::documents::Lines;
use crate::rules::{KnownRule, RuleSet};

/// A pitfall that a rule pack knows.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldPitfall {
    /// Id of the rule.
    pub id: String,
    /// Seconds since 1970 UTC from which on it was known.
    pub since: i64,
    /// The same day, as written.
    pub day: String,
    /// A public address.
    pub source: String,
    /// What it says, as if it were an entry of a document.
    pub pitfall: Pitfall,
}

/// All pitfalls that the packs know.
pub fn world_pitfalls(rules: &RuleSet) -> Vec<WorldPitfall> {
    rules.known.iter().map(|rule| of_rule(rule, rules)).collect()
}

fn of_rule(rule: &KnownRule, rules: &RuleSet) -> WorldPitfall {
    let spec = &rule.spec;
    let reading = Reading::of_plain(&spec.text, 1);
    let whole = 0..reading.norm.len();
    let tokens = Tokens::new(&reading, &whole, rules);
    let identifiers = claim::identifiers(&reading, &whole).into_iter();
    let identifiers: BTreeSet<String> = identifiers.chain(spec.triggers.clone()).collect();
    WorldPitfall {
        id: rule.id.clone(),
        since: rule.since,
        day: spec.since.clone(),
        source: spec.source.clone(),
        pitfall: Warning {
            text: spec.text.clone(),
            section: Vec::new(),
            triggers: spec.triggers.clone(),
            needed: false,
            effect: claim::effect(rule.effect),
            key: key([rule.id.as_str()]),
            words: tokens.hashes(),
            topic: super::pitfall::topic(rules, &spec.triggers),
            terms: tokens.terms,
            phases: spec.phases.clone(),
            identifiers: identifiers.into_iter().collect(),
            rule: rule.id.clone(),
        }
        .at(Lines { start: 1, end: 1 }),
    }
}

/// The pitfalls, by their place in [`world_pitfalls`], within whose scope a claim is: it, the titles
/// above it or its path name the hardware, the tool and the version.
pub fn within(claim: &Claim, path: &str, rules: &RuleSet) -> Vec<usize> {
    if rules.known.is_empty() {
        return Vec::new();
    }
    let text = format!("{} | {} | {path}", claim.text, claim.section.join(" | "));
    let found = rules.known.iter().enumerate().filter(|(_, rule)| in_scope(rule, &text, rules));
    found.map(|(at, _)| at).collect()
}

/// Tells whether a text names all that the scope of a pitfall asks for.
pub(super) fn in_scope(rule: &KnownRule, text: &str, rules: &RuleSet) -> bool {
    let norm = Reading::of_plain(text, 1).norm;
    rule.scope.iter().all(|part| part.is_match(&norm))
        && rule.spec.scope.version.as_ref().is_none_or(|range| {
            let of = rules.pins.name(&range.of);
            let named = settings(text, rules).into_iter();
            named.filter(|pin| Some(&pin.name) == of.as_ref()).any(|pin| range.holds(&pin.value))
        })
}
