//! What a forge knows of pull requests and git does not: open states, other base branches, titles
//! that changed. Read from lines of JSON that the user exported, so that an audit needs no network.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Bytes of all lines together that are read.
const LIMIT: usize = 256 << 20;

/// Why a file of forge events cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A line is not what docs/forge-events.md describes.
    #[error("line {line}: {message}")]
    Line {
        /// Counted from one.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The file is larger than any export.
    #[error("{bytes} bytes, the limit is {LIMIT}")]
    TooLarge {
        /// How large.
        bytes: usize,
    },
}

/// Where a pull request stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Neither merged nor closed.
    Open,
    /// Closed without being merged.
    Closed,
    /// Merged, into whichever branch.
    Merged,
}

/// A title that became another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rename {
    /// When, as the forge writes it.
    pub at: String,
    /// The title before.
    pub from: String,
    /// The title after.
    pub to: String,
}

/// What is known of one pull request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PullRequest {
    /// Its title now.
    pub title: Option<String>,
    /// Its state.
    pub state: Option<State>,
    /// The commit that brought it into its base branch, in hexadecimal digits.
    pub merge_commit: Option<String>,
    /// The branch it goes into.
    pub base: Option<String>,
    /// How its title changed, oldest first.
    pub renames: Vec<Rename>,
}

/// Pull requests by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    by_number: BTreeMap<u64, PullRequest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    number: u64,
    title: Option<String>,
    state: Option<State>,
    merge_commit: Option<String>,
    base: Option<String>,
    renamed_from: Option<String>,
    renamed_to: Option<String>,
    #[serde(default)]
    at: String,
}

impl Events {
    /// Nothing is known.
    pub const NONE: Self = Self { by_number: BTreeMap::new() };

    /// Reads a file of forge events: a JSON object a line, in any order. Later lines about one pull
    /// request complete and replace what earlier ones say.
    ///
    /// # Errors
    /// Names the first line that is malformed.
    pub fn read(bytes: &[u8]) -> Result<Events, Error> {
        if bytes.len() > LIMIT {
            return Err(Error::TooLarge { bytes: bytes.len() });
        }
        let mut events = Events::default();
        for (line, text) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            if text.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let read: Line = serde_json::from_slice(text)
                .map_err(|error| Error::Line { line, message: error.to_string() })?;
            let known = events.by_number.entry(read.number).or_default();
            known.title = read.title.or_else(|| known.title.take());
            known.state = read.state.or(known.state);
            known.merge_commit = read.merge_commit.or_else(|| known.merge_commit.take());
            known.base = read.base.or_else(|| known.base.take());
            if let (Some(from), Some(to)) = (read.renamed_from, read.renamed_to) {
                known.renames.push(Rename { at: read.at, from, to });
            }
        }
        for known in events.by_number.values_mut() {
            known.renames.sort();
            known.renames.dedup();
        }
        Ok(events)
    }

    /// What is known of a pull request.
    pub fn pull_request(&self, number: u64) -> Option<&PullRequest> {
        self.by_number.get(&number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_about_one_pull_request_add_up() {
        let text = r#"
            {"number": 12, "title": "Fix the loader", "state": "open", "base": "main"}
            {"number": 12, "renamed_from": "b", "renamed_to": "c", "at": "2026-03-02T00:00:00Z"}
            {"number": 12, "renamed_from": "a", "renamed_to": "b", "at": "2026-03-01T00:00:00Z"}

            {"number": 12, "state": "merged", "merge_commit": "1a2b3c4", "title": null}"#;
        let events = Events::read(text.as_bytes()).unwrap();
        let known = events.pull_request(12).unwrap();
        assert_eq!(known.title.as_deref(), Some("Fix the loader"));
        assert_eq!((known.state, known.base.as_deref()), (Some(State::Merged), Some("main")));
        let titles: Vec<_> = known.renames.iter().map(|it| it.from.as_str()).collect();
        assert_eq!(titles, ["a", "b"]);
        assert!(events.pull_request(13).is_none());
    }

    #[test]
    fn a_malformed_line_is_named() {
        for text in ["{}", "{\"number\": 1}\nx", "{\"number\": 1, \"state\": \"odd\"}", "[1]"] {
            let line = text.lines().count();
            let error = Events::read(text.as_bytes()).unwrap_err();
            assert!(matches!(error, Error::Line { line: at, .. } if at == line), "{text}: {error}");
        }
        assert_eq!(Events::read(b"").unwrap(), Events::default());
    }
}
