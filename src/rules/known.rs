//! Pitfalls that the world knows and the audited repository may never have written down: each with
//! the day on which it became known, the scope within which it holds, and a public source.

use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{EffectWord, Error, Matcher, Proof};

/// A known pitfall as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KnownSpec {
    /// Dotted name, unique over all packs.
    pub(crate) id: String,
    /// Takes the place of the one with the same id in an earlier pack.
    #[serde(default)]
    pub(crate) r#override: bool,
    /// The day from which on it was publicly known, as in `2026-03-02`.
    pub(crate) since: String,
    /// What to avoid and what it does, in one sentence.
    pub(crate) text: String,
    /// Tokens to avoid, the most specific first.
    pub(crate) triggers: Vec<String>,
    /// crash, perf, wrong, measure.
    #[schemars(extend("enum" = ["crash", "perf", "wrong", "measure"]))]
    pub(crate) effect: String,
    /// Phases in which it acts.
    #[serde(default)]
    pub(crate) phases: Vec<String>,
    /// Where it holds: a claim is within the scope if each part that is given is met.
    pub(crate) scope: KnownScope,
    /// A public address at which everybody can read it.
    pub(crate) source: String,
    /// Proof: texts within the scope.
    #[serde(default)]
    pub(crate) must_match: Vec<String>,
    /// Proof: texts outside it.
    #[serde(default)]
    pub(crate) must_not_match: Vec<String>,
}

/// Where a known pitfall holds; at least one part.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct KnownScope {
    /// Patterns, one of which names the hardware.
    pub(crate) hardware: Vec<String>,
    /// Patterns, one of which names the tool.
    pub(crate) tool: Vec<String>,
    /// Versions of what a claim names; without a version nobody can say.
    pub(crate) version: Option<VersionSpec>,
}

/// A range of versions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VersionSpec {
    /// Of what.
    pub(crate) of: String,
    /// The first version that has it.
    #[serde(default)]
    pub(crate) from: Option<String>,
    /// The first version that no longer has it.
    #[serde(default)]
    pub(crate) below: Option<String>,
}

/// A compiled known pitfall.
#[derive(Debug)]
pub(crate) struct KnownRule {
    pub(crate) id: String,
    /// Seconds since 1970 UTC.
    pub(crate) since: i64,
    pub(crate) spec: KnownSpec,
    pub(crate) effect: EffectWord,
    /// Every one must match.
    pub(crate) scope: Vec<Matcher>,
    pub(crate) proof: Proof,
}

impl KnownSpec {
    /// The patterns of each part of the scope.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Vec<String>> {
        [&self.scope.hardware, &self.scope.tool].into_iter().filter(|part| !part.is_empty())
    }

    /// When it became known.
    pub(super) fn since(&self) -> Result<i64, Error> {
        let value = |key: &str, value: &str, known: &str| Error::Value {
            rule: self.id.clone(),
            key: key.to_owned(),
            value: value.to_owned(),
            known: known.to_owned(),
        };
        if self.parts().next().is_none() && self.scope.version.is_none() {
            return Err(value("scope", "empty", "hardware, tool, version"));
        }
        if !self.source.starts_with("https://") {
            return Err(value("source", &self.source, "addresses that begin with https://"));
        }
        let day: NaiveDate = self
            .since
            .parse()
            .map_err(|_| value("since", &self.since, "days such as 2026-03-02"))?;
        Ok(day.and_time(chrono::NaiveTime::MIN).and_utc().timestamp())
    }
}

impl VersionSpec {
    /// Tells whether a version is in the range.
    pub(crate) fn holds(&self, version: &str) -> bool {
        let parts = |text: &str| -> Vec<u64> {
            let parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
            parts.map_while(|part| part.parse().ok()).collect()
        };
        let version = parts(version);
        self.from.as_ref().is_none_or(|from| version >= parts(from))
            && self.below.as_ref().is_none_or(|below| version < parts(below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_versions_compare_by_their_numbers() {
        let range = VersionSpec {
            of: "engine".into(),
            from: Some("0.9".into()),
            below: Some("0.10.2".into()),
        };
        for (version, within) in
            [("0.8.5", false), ("0.9", true), ("0.10.1", true), ("0.10.2", false), ("1.0", false)]
        {
            assert_eq!(range.holds(version), within, "{version}");
        }
    }
}
