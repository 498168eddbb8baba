//! Why rules could not be loaded, and where.

use super::pattern::PatternError;

/// A place in a rule file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The file, as it was named.
    pub file: String,
    /// Counted from one.
    pub line: usize,
    /// In characters, counted from one.
    pub column: usize,
}

/// Why rules could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Any of the others, with the place that is to blame.
    #[error("{at}: {problem}")]
    At {
        /// Where.
        at: Location,
        /// What.
        problem: Box<Error>,
    },
    /// Not YAML, or not the schema of a pack.
    #[error("{message}")]
    Yaml {
        /// What the reader says.
        message: String,
    },
    /// A key that no pack has.
    #[error("unknown key `{key}`")]
    UnknownKey {
        /// The key.
        key: String,
        /// What may stand there.
        known: Vec<String>,
    },
    /// A key that stands twice in one map: one of the two would be lost.
    #[error("the key `{key}` stands here a second time")]
    KeyTwice {
        /// The key.
        key: String,
    },
    /// An unquoted text that readers of YAML take for a truth value, a number or nothing.
    #[error("`{text}` is no word unless it is quoted")]
    NotAWord {
        /// As it stands there.
        text: String,
    },
    /// Anchors and aliases, a few of which can stand for any amount of text.
    #[error("anchors (`&`) and aliases (`*`) are not read")]
    Anchor,
    /// Deeper than any pack needs.
    #[error("lists and maps are nested too deeply")]
    Deep,
    /// More of something than any pack needs.
    #[error("{count} {what}, the limit is {limit}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// More bytes than any pack needs.
    #[error("{bytes} bytes, the limit is {limit}", limit = super::FILE_LIMIT)]
    TooLarge {
        /// How large.
        bytes: usize,
    },
    /// A pattern does not follow the pattern language.
    #[error("rule `{rule}`: {problem}")]
    Pattern {
        /// Which rule.
        rule: String,
        /// What is wrong.
        problem: PatternError,
    },
    /// A regular expression is malformed or too large.
    #[error("rule `{rule}`: {message}")]
    Regex {
        /// Which rule.
        rule: String,
        /// What the engine says.
        message: String,
    },
    /// A glob is malformed.
    #[error("glob `{glob}`: {message}")]
    Glob {
        /// Which glob.
        glob: String,
        /// What the engine says.
        message: String,
    },
    /// A guard that no pack defines.
    #[error("rule `{rule}`: no guard `{guard}`")]
    NoGuard {
        /// Which rule.
        rule: String,
        /// The name it uses.
        guard: String,
        /// The guard whose name is most like it.
        nearest: Option<String>,
    },
    /// A word that the key does not know.
    #[error("rule `{rule}`: `{key}` cannot be `{value}`, it is one of {known}")]
    Value {
        /// Which rule.
        rule: String,
        /// Which key.
        key: String,
        /// What stands there.
        value: String,
        /// What may stand there.
        known: String,
    },
    /// Two rules of the same name, and the later does not say that it overrides.
    #[error("`{id}` is already defined at {first}")]
    Twice {
        /// Their name.
        id: String,
        /// Where the other one stands.
        first: Location,
    },
    /// A pack that disables or overrides what no pack before it defines.
    #[error("no rule or guard `{id}` to {verb} in the packs before this one")]
    Nothing {
        /// The name.
        id: String,
        /// disable or override.
        verb: &'static str,
        /// The one whose name is most like it.
        nearest: Option<String>,
    },
    /// A rule without an example.
    #[error("rule `{id}` has no `{key}`")]
    NoExample {
        /// Which rule.
        id: String,
        /// must_match or must_not_match.
        key: &'static str,
    },
    /// No pack says how much a link between pitfall and claim weighs.
    #[error("no pack gives `relevance` the key `{key}`")]
    NoWeight {
        /// Which.
        key: &'static str,
    },
    /// A pack extends one that is not there.
    #[error("no pack `{id}` to extend")]
    NoSuchPack {
        /// The name.
        id: String,
        /// The pack whose name is most like it.
        nearest: Option<String>,
    },
    /// Packs that extend each other.
    #[error("pack `{id}` extends itself, directly or through others")]
    Circle {
        /// One of them.
        id: String,
    },
    /// Two packs of one name, or two heads in one pack.
    #[error("a second pack is called `{id}`, or this one has two `pack:` keys")]
    PackTwice {
        /// The name.
        id: String,
    },
    /// No file of the pack says what it is called.
    #[error("no file of the pack has a `pack:` key with its id and version")]
    NoPack,
}

impl Error {
    /// The error at a place; an error that has one keeps it.
    pub(super) fn at(self, at: Location) -> Error {
        match self {
            Error::At { .. } => self,
            problem => Error::At { at, problem: Box::new(problem) },
        }
    }

    /// Tells whether this is about an unknown key that stands before the place of another error.
    pub(super) fn is_unknown_key_before(&self, other: &Error) -> bool {
        match (self, other) {
            (Error::At { at, problem }, Error::At { at: other, .. }) => {
                matches!(**problem, Error::UnknownKey { .. }) && at < other
            }
            _ => false,
        }
    }
}

/// The known name that is most like one that is not known.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|it| (strsim::jaro_winkler(name, it), it))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
        .map(|(_, it)| it)
}
