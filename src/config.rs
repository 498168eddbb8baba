//! `.claim-audit.yml`: what the people of a repository decided about its audit.
//!
//! Bytes in, decisions out. Where the bytes came from is not known here, so that the file of the base
//! commit can judge a pull request.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::{self, Location, Source, nearest};
use crate::suppress::Entry;

/// Where the file stands in a repository.
pub const FILE: &str = ".claim-audit.yml";

/// Ignore entries that one file may have.
const ENTRIES: usize = 10_000;

/// Further rule packs that one file may name.
const PACKS: usize = 100;

/// The file as written. Every key is optional; an option of the command line goes before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "Configuration of claim-audit")]
pub struct Config {
    /// Which files are read for claims and pitfalls, among those that the rule packs call documents.
    pub documents: Documents,
    /// Further rule packs: files or folders of this repository, from its top.
    pub rules: Vec<String>,
    /// Checks by name: `false` leaves one out.
    pub checks: BTreeMap<String, bool>,
    /// Only claims of these kinds are reported: failure, success, measurement; all where left out.
    pub kinds: Vec<Kind>,
    /// Only reasons that are at least this sure make a lead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<Confidence>,
    /// What makes the exit status 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_on: Option<FailOn>,
    /// Claims that are known to be leads.
    pub ignore: Vec<Ignore>,
}

/// Globs over paths, as in `.gitignore` but from the top of the repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Documents {
    /// Only documents that one of these matches; all where left out.
    pub include: Vec<String>,
    /// No document that one of these matches.
    pub exclude: Vec<String>,
}

/// A kind of claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Something fails.
    Failure,
    /// Something works.
    Success,
    /// A number was measured.
    Measurement,
}

/// How sure a reason is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Worth a look.
    Low,
    /// Likely.
    Medium,
    /// As sure as the history can make it.
    High,
}

/// What makes the exit status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// At least one lead.
    Lead,
    /// Nothing.
    Never,
}

/// A claim that is known to be a lead.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ignore {
    /// The claim's id, as reports print it: `c-1f3a9c20`.
    pub claim: String,
    /// The checks whose reasons are known; all where left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
    /// Why that is all right, as one line.
    pub reason: String,
    /// The last day on which this holds: `2027-01-31`; without end where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// Why a configuration is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Not YAML, or not the schema of a configuration.
    #[error("{0}")]
    File(rules::Error),
    /// No check has this name.
    #[error("no check is called `{name}`")]
    Check {
        /// Where.
        at: Location,
        /// As written.
        name: String,
        /// The one that is most like it.
        nearest: Option<String>,
    },
    /// A path that leads out of the repository, or is none.
    #[error("`{path}` is no path inside the repository")]
    Path {
        /// Where.
        at: Location,
        /// As written.
        path: String,
    },
    /// A glob that no path of one line can match.
    #[error("a control character or a line break in a glob, which stands for paths of one line")]
    Glob {
        /// Where.
        at: Location,
    },
    /// No id of a claim.
    #[error("`{id}` is no id of a claim")]
    Id {
        /// Where.
        at: Location,
        /// As written.
        id: String,
    },
    /// A text that must say something says nothing.
    #[error("`{key}` is empty")]
    Empty {
        /// Where.
        at: Location,
        /// The key.
        key: &'static str,
    },
    /// Not a day.
    #[error("`{text}` is no day of the calendar")]
    Day {
        /// Where.
        at: Location,
        /// As written.
        text: String,
    },
    /// More entries than anybody reads.
    #[error("more than {limit} entries under `{key}`")]
    TooMany {
        /// Where.
        at: Location,
        /// The key.
        key: &'static str,
        /// How many there may be.
        limit: usize,
    },
}

/// The JSON Schema of the file, for editors; made from the types that read it.
///
/// # Errors
/// None in practice: a schema is JSON.
pub fn schema() -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(&schemars::schema_for!(Config)).map(|text| text + "\n")
}

impl Config {
    /// Reads a configuration. `name` is the file as errors show it, `checks` are those that exist.
    ///
    /// # Errors
    /// Says what is wrong, and where.
    pub fn parse(name: &str, bytes: &[u8], checks: &[&str]) -> Result<(Self, Vec<Entry>), Error> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok((Self::default(), Vec::new()));
        }
        // A file of comments alone holds no map.
        let (source, config) = rules::read::<Option<Self>>(name, bytes).map_err(Error::File)?;
        let mut config = config.unwrap_or_default();
        let check = |name: &String, at: Location| {
            if checks.contains(&name.as_str()) {
                return Ok(());
            }
            let nearest = nearest(name, checks.iter().copied()).map(str::to_owned);
            Err(Error::Check { at, name: name.clone(), nearest })
        };
        for name in config.checks.keys() {
            let path = format!("checks.{name}");
            let key = source.find(|at, _, is_key| is_key && at == path);
            check(name, key.unwrap_or_else(|| source.start()))?;
        }
        let counts =
            [("rules", config.rules.len(), PACKS), ("ignore", config.ignore.len(), ENTRIES)];
        for (key, count, limit) in counts {
            if count > limit {
                return Err(Error::TooMany { at: place(&source, key), key, limit });
            }
        }
        let Documents { include, exclude } = &config.documents;
        for (key, globs) in [("include", include), ("exclude", exclude)] {
            if let Some(at) = globs.iter().position(|glob| !is_one_line(glob)) {
                return Err(Error::Glob { at: place(&source, &format!("documents.{key}[{at}]")) });
            }
        }
        for (at, path) in config.rules.iter().enumerate() {
            if !is_inside(path) {
                let at = place(&source, &format!("rules[{at}]"));
                return Err(Error::Path { at, path: path.clone() });
            }
        }
        let mut entries = Vec::with_capacity(config.ignore.len());
        for (at, ignore) in config.ignore.iter_mut().enumerate() {
            let here = |key: &str| place(&source, &format!("ignore[{at}].{key}"));
            for (number, name) in ignore.checks.iter().enumerate() {
                check(name, here(&format!("checks[{number}]")))?;
            }
            ignore.reason = ignore.reason.split_whitespace().collect::<Vec<_>>().join(" ");
            entries.push(entry(ignore, here)?);
        }
        Ok((config, entries))
    }

    /// The configuration as a file that says the same.
    ///
    /// # Errors
    /// None in practice: such types are YAML.
    pub fn to_yaml(&self) -> Result<String, serde_yaml::Error> {
        serde_yaml::to_string(self)
    }

    /// The names of checks that it leaves out.
    pub fn checks_off(&self) -> BTreeSet<&str> {
        self.checks.iter().filter(|(_, on)| !**on).map(|(name, _)| name.as_str()).collect()
    }
}

fn entry(ignore: &Ignore, here: impl Fn(&str) -> Location) -> Result<Entry, Error> {
    let Ignore { claim, checks, reason, until } = ignore;
    let digits = claim.strip_prefix("c-").unwrap_or_default();
    if digits.len() != 8 || !digits.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(Error::Id { at: here("claim"), id: claim.clone() });
    }
    if reason.is_empty() {
        return Err(Error::Empty { at: here("reason"), key: "reason" });
    }
    let day = |text: &String| {
        let day = NaiveDate::parse_from_str(text, "%Y-%m-%d");
        day.map_err(|_| Error::Day { at: here("until"), text: text.clone() })
    };
    Ok(Entry {
        claim: claim.clone(),
        checks: checks.clone(),
        reason: reason.clone(),
        until: until.as_ref().map(day).transpose()?,
        place: here("claim").to_string(),
    })
}

/// The place of a value, or of its key, or of the file.
fn place(source: &Source, path: &str) -> Location {
    let value = source.find(|at, _, is_key| at == path && !is_key);
    value.or_else(|| source.find(|at, _, _| at == path)).unwrap_or_else(|| source.start())
}

/// Tells whether a path stays within the folder that it starts from, on every system.
pub fn is_inside(path: &str) -> bool {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':']);
    is_one_line(path) && path.trim_end_matches('/').split('/').all(plain)
}

/// Tells whether no character of a text breaks a line (YAML 1.1 knows five of them) or controls a
/// terminal.
fn is_one_line(text: &str) -> bool {
    !text.chars().any(|it| it.is_control() || matches!(it, '\u{2028}' | '\u{2029}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKS: &[&str] = &["predates-pitfall", "estimate"];

    fn read(text: &str) -> Result<(Config, Vec<Entry>), Error> {
        Config::parse(FILE, text.as_bytes(), CHECKS)
    }

    const WHOLE: &str = "documents:\n  include: [\"docs/**\"]\n  exclude: [\"docs/old/**\"]\n\
        rules: [lab/rules, lab/extra.yml]\nchecks:\n  estimate: false\nkinds: [failure]\n\
        min_confidence: high\nfail_on: never\nignore:\n- claim: c-1f3a9c20\n  checks: [estimate]\n  \
        reason: planned for June\n  until: 2027-01-31\n";

    #[test]
    fn every_key_is_read_and_written_back() {
        let (config, entries) = read(WHOLE).unwrap();
        assert_eq!(config.checks_off(), BTreeSet::from(["estimate"]));
        assert_eq!(config.min_confidence, Some(Confidence::High));
        assert_eq!(entries[0].place, ".claim-audit.yml:11:10");
        assert_eq!(entries[0].until, NaiveDate::from_ymd_opt(2027, 1, 31));
        let again = read(&config.to_yaml().unwrap()).unwrap().0;
        assert_eq!(again, config);
        let broken = "ignore:\n- claim: c-1f3a9c20\n  reason: \"a\\n\\n\\u2028b\\u0085 c\\e\"\n";
        let (config, entries) = read(broken).unwrap();
        assert_eq!(entries[0].reason, "a b c\u{1b}");
        assert_eq!(read(&config.to_yaml().unwrap()).unwrap().0, config);
    }

    #[test]
    fn nothing_decides_nothing() {
        for text in ["", "\n", "# only a comment\n", "{}\n"] {
            assert_eq!(read(text).unwrap(), (Config::default(), Vec::new()), "{text:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let ignore = |rest: &str| format!("ignore:\n  - claim: c-1f3a9c20\n    {rest}\n");
        for (text, at, word) in [
            ("chekcs: {}\n", "1:1", "unknown key `chekcs`"),
            ("documents:\n  inculde: []\n", "2:3", "unknown key `inculde`"),
            ("checks:\n  estimat: false\n", "2:3", "no check is called `estimat`"),
            ("rules: [a, ../b]\n", "1:12", "no path inside"),
            ("rules: [/etc/rules]\n", "1:9", "no path inside"),
            ("rules: ['C:\\rules']\n", "1:9", "no path inside"),
            ("rules: ['']\n", "1:9", "no path inside"),
            ("rules: [\"a\\nb\"]\n", "1:9", "no path inside"),
            ("documents:\n  exclude: [a, \"*\\n\\u2028S\"]\n", "2:16", "line break in a glob"),
            ("min_confidence: hihg\n", "1:17", "hihg"),
            ("rulez: []\nfail_on: 7\n", "1:1", "unknown key `rulez`"),
            ("rules: []\nfail_on: 7\n", "2:10", "no word"),
            (
                &format!("rules: [{}]\n", "a, ".repeat(101)),
                "1:1",
                "more than 100 entries under `rules`",
            ),
            ("a: &x [1]\nb: *x\n", "1:", "anchors"),
            ("[[[[[[[[[[[[[[[[[[[[\n", "1:", "deep"),
            (&ignore("reason: ''"), "3:13", "`reason` is empty"),
            (&ignore("reason: x\n    until: 2027-02-30"), "4:12", "no day"),
            (&ignore("reason: x\n    checks: [a]"), "4:14", "no check"),
            ("ignore:\n  - claim: x\n    reason: y\n", "2:12", "no id"),
            ("ignore:\n  - claim: c-1f3a9c20\n", "2:", "reason"),
        ] {
            let error = read(text).unwrap_err();
            let (at_found, message) = match &error {
                Error::File(rules::Error::At { at, problem }) => (at.clone(), problem.to_string()),
                Error::Check { at, .. }
                | Error::Path { at, .. }
                | Error::Glob { at }
                | Error::Id { at, .. }
                | Error::Empty { at, .. }
                | Error::Day { at, .. }
                | Error::TooMany { at, .. } => (at.clone(), error.to_string()),
                Error::File(_) => panic!("{text}: no place in {error}"),
            };
            let place = format!("{}:{}", at_found.line, at_found.column);
            assert!(place.starts_with(at), "{text}: {place} {message}");
            assert!(message.contains(word), "{text}: {message}");
        }
    }

    #[test]
    fn paths_stay_inside() {
        for path in ["rules", "a/b.yml", "a/b/", ".claim/rules"] {
            assert!(is_inside(path), "{path}");
        }
        for path in ["", "/", "/a", "..", "a/../b", "a//b", "./a", "a\\..\\b", "C:/a", "a/.."] {
            assert!(!is_inside(path), "{path}");
        }
    }
}
