//! A story: a history written as data, and everything that must be said of it.
//!
//! The format is described in CONTRIBUTING.md; unknown keys are errors, so that a misspelt
//! expectation cannot pass for a missing one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Deserializer};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Story {
    /// The file's stem.
    #[serde(skip)]
    pub(crate) name: String,
    /// One sentence for people.
    pub(crate) story: String,
    pub(crate) commits: Vec<Commit>,
    /// Cuts the history off: this commit (counted from one) loses its parents, as in a shallow clone.
    pub(crate) cut_at: Option<usize>,
    /// Branches beside `main`, each at a commit (counted from one).
    #[serde(default)]
    pub(crate) branches: BTreeMap<String, usize>,
    /// Further arguments for the program.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// Every claim at the last commit, and what is to be said of it.
    pub(crate) expect: Vec<Expected>,
    /// Every pitfall at the last commit as `path:line`; not compared where left out.
    pub(crate) pitfalls: Option<Vec<String>>,
    /// The code of every caveat; not compared where left out.
    pub(crate) caveats: Option<Vec<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Commit {
    /// When it was written.
    #[serde(deserialize_with = "time")]
    pub(crate) at: DateTime<Utc>,
    /// When it was committed, where that differs (a rebase).
    #[serde(default, deserialize_with = "some_time")]
    pub(crate) commit_at: Option<DateTime<Utc>>,
    pub(crate) message: String,
    /// Parents, counted from one; the commit before where left out, `[]` for a further root.
    pub(crate) parents: Option<Vec<usize>>,
    #[serde(default, rename = "move")]
    pub(crate) moves: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) delete: Vec<String>,
    #[serde(default)]
    pub(crate) write: BTreeMap<String, String>,
    /// How files are encoded from here on, by the encoding's web label; UTF-8 where left out.
    #[serde(default)]
    pub(crate) encode: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expected {
    /// `path:line`, as evidence …
    pub(crate) evidence: Option<String>,
    /// … or as a lead only.
    pub(crate) lead_only: Option<String>,
    pub(crate) kind: String,
    /// The commit, counted from one.
    pub(crate) introduced: usize,
    /// The commit, counted from one; that of `introduced` where left out.
    pub(crate) last_tested: Option<usize>,
    #[serde(default)]
    pub(crate) at_or_before: bool,
    /// By check; every check that gives a reason must be named.
    #[serde(default)]
    pub(crate) reasons: BTreeMap<String, ExpectedReason>,
}

/// A confidence alone, or with more that must hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum ExpectedReason {
    Confidence(String),
    Detailed(Details),
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Details {
    pub(crate) confidence: String,
    pub(crate) exposure: Option<String>,
    pub(crate) lag_seconds: Option<i64>,
    pub(crate) ordered_by: Option<String>,
    /// `path:line` of the pitfall.
    pub(crate) pitfall: Option<String>,
    /// Words of the reason, in English.
    pub(crate) says: Option<String>,
    /// Words that are not in it.
    pub(crate) says_not: Option<String>,
}

impl Expected {
    /// The verdict and where the claim stands.
    pub(crate) fn verdict(&self) -> (&'static str, &str) {
        match (&self.evidence, &self.lead_only) {
            (Some(place), None) => ("evidence", place),
            (None, Some(place)) => ("lead_only", place),
            _ => panic!("an expectation is either `evidence:` or `lead_only:`, not {self:?}"),
        }
    }
}

impl ExpectedReason {
    pub(crate) fn details(&self) -> Details {
        match self {
            Self::Confidence(confidence) => {
                Details { confidence: confidence.clone(), ..Details::default() }
            }
            Self::Detailed(details) => details.clone(),
        }
    }
}

impl Story {
    /// The same story with one more commit, a day after the latest.
    pub(crate) fn then(&self, commit: Commit) -> Self {
        let latest = self.commits.iter().map(|c| c.commit_at.unwrap_or(c.at).max(c.at)).max();
        let mut longer = self.clone();
        longer.commits.push(Commit { at: latest.unwrap() + TimeDelta::days(1), ..commit });
        longer
    }

    /// The story's own folder of text, changed by `edit` wherever a document is written.
    pub(crate) fn with_texts(&self, edit: impl Fn(&str) -> String) -> Self {
        let mut edited = self.clone();
        for text in edited.commits.iter_mut().flat_map(|commit| commit.write.values_mut()) {
            *text = edit(text);
        }
        edited
    }
}

/// Every story, sorted by name.
pub(crate) fn all() -> Vec<Story> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no stories in {}", folder().display());
    paths.iter().map(|path| read(path)).collect()
}

/// One story by name.
pub(crate) fn named(name: &str) -> Story {
    read(&folder().join(format!("{name}.yml")))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/stories")
}

fn read(path: &Path) -> Story {
    let file = path.file_name().unwrap().to_string_lossy().into_owned();
    let name = file.strip_suffix(".yml").unwrap_or_else(|| panic!("{file}: stories end in .yml"));
    let text = fs::read_to_string(path).unwrap();
    let story: Story =
        serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    for expected in &story.expect {
        expected.verdict();
        let commits = story.commits.len();
        let last_tested = expected.last_tested.unwrap_or(expected.introduced);
        // A corrected statement is younger than its last test.
        let known = |commit| 1 <= commit && commit <= commits;
        assert!(
            known(expected.introduced) && known(last_tested),
            "{file}: no such commits in {expected:?}"
        );
    }
    Story { name: name.to_owned(), ..story }
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DateTime<Utc>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|error| serde::de::Error::custom(format!("{text}: {error}")))
}

fn some_time<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<DateTime<Utc>>, D::Error> {
    time(deserializer).map(Some)
}
