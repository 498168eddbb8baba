//! What is recognised by its form and not by its words: references, versions, pins.
//!
//! A form is a regular expression with named groups, since "not this word but what stands there" is
//! wanted. Words that tell what a reference is for are patterns like all others.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use globset::GlobSet;
use regex::{Captures, Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use super::schema::Words;
use super::{Error, Matcher, Proof};

/// Compiled size at which a form is refused, bytes.
const SIZE_LIMIT: usize = 8 << 20;

/// A form as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FormSpec {
    /// Dotted name, unique over all packs.
    pub(crate) id: String,
    /// Takes the place of the one with the same id in an earlier pack.
    #[serde(default)]
    pub(crate) r#override: bool,
    /// What it finds. In a claim: commit, pull-request, number (of an issue or a pull request),
    /// elsewhere (a number of another repository), branch, tag, file, section, setting. In a source
    /// line: link. In a link's target: forge. In a commit message: merge. In a setting file: pin.
    #[schemars(extend("enum" = ["commit", "pull-request", "number", "elsewhere", "branch", "tag", "file", "section", "setting", "link", "forge", "merge", "pin"]))]
    pub(crate) kind: String,
    /// Regular expression. The group `name` is what is referred to or set; `value` (setting, pin) is
    /// what it is set to; `text` (link) is what readers see; `repo` and `what` (forge) say whose.
    pub(crate) re: String,
    /// Proof.
    #[serde(default)]
    pub(crate) must_match: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_not_match: Vec<String>,
}

/// Words that say what a reference is for.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CitationSpec {
    /// Dotted name, unique over all packs.
    pub(crate) id: String,
    /// Takes the place of the one with the same id in an earlier pack.
    #[serde(default)]
    pub(crate) r#override: bool,
    /// fix (the claim rests on what is named from here to the end of the clause) or open (what it
    /// names is said not to be merged).
    #[schemars(extend("enum" = ["fix", "open"]))]
    pub(crate) class: String,
    /// Patterns.
    pub(crate) say: Vec<String>,
    /// Guards that veto it.
    #[serde(default)]
    pub(crate) unless: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_match: Vec<String>,
    /// Proof.
    #[serde(default)]
    pub(crate) must_not_match: Vec<String>,
}

/// Where versions and settings are pinned, and how their names compare.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PinsSpec {
    /// Files that pin, as globs over paths.
    pub(crate) files: Vec<String>,
    /// Words that make no difference at the end of a name: `vllm_version` is `vllm`.
    pub(crate) endings: Words,
    /// Names that are not settings though they are followed by a value.
    pub(crate) never: Words,
    /// Names of one setting, the usual one first.
    pub(crate) same: Vec<Vec<String>>,
}

/// What a form finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum FormKind {
    Commit,
    PullRequest,
    Number,
    Elsewhere,
    Branch,
    Tag,
    File,
    Section,
    Setting,
    Link,
    Forge,
    Merge,
    Pin,
}

impl FormKind {
    const ALL: [(&'static str, FormKind); 13] = [
        ("commit", FormKind::Commit),
        ("pull-request", FormKind::PullRequest),
        ("number", FormKind::Number),
        ("elsewhere", FormKind::Elsewhere),
        ("branch", FormKind::Branch),
        ("tag", FormKind::Tag),
        ("file", FormKind::File),
        ("section", FormKind::Section),
        ("setting", FormKind::Setting),
        ("link", FormKind::Link),
        ("forge", FormKind::Forge),
        ("merge", FormKind::Merge),
        ("pin", FormKind::Pin),
    ];
}

/// A compiled form.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) id: String,
    pub(crate) kind: FormKind,
    pub(crate) proof: Proof,
    source: String,
    regex: OnceLock<Option<Regex>>,
}

impl Form {
    /// Reads a form; `now` says what is wrong with its expression.
    pub(super) fn new(spec: &FormSpec, now: bool) -> Result<Form, Error> {
        let known = FormKind::ALL.iter().find(|(name, _)| *name == spec.kind);
        let Some((_, kind)) = known else {
            return Err(Error::Value {
                rule: spec.id.clone(),
                key: "kind".to_owned(),
                value: spec.kind.clone(),
                known: FormKind::ALL.map(|(name, _)| name).join(", "),
            });
        };
        let form = Form {
            id: spec.id.clone(),
            kind: *kind,
            proof: Proof::new(&spec.must_match, &spec.must_not_match),
            source: spec.re.clone(),
            regex: OnceLock::new(),
        };
        if now {
            let refused = |message: String| Error::Regex { rule: spec.id.clone(), message };
            let regex = form.build().map_err(|e| refused(e.to_string()))?;
            if !regex.capture_names().flatten().any(|group| group == "name") {
                return Err(refused("it has no group `name`".to_owned()));
            }
            form.regex.get_or_init(|| Some(regex));
        }
        Ok(form)
    }

    fn build(&self) -> Result<Regex, regex::Error> {
        RegexBuilder::new(&self.source).multi_line(true).size_limit(SIZE_LIMIT).build()
    }

    /// Every place at which it is found.
    pub(crate) fn find<'r, 't>(
        &'r self,
        text: &'t str,
    ) -> impl Iterator<Item = Captures<'t>> + use<'r, 't> {
        let regex = self.regex.get_or_init(|| self.build().ok()).as_ref();
        regex.map(|regex| regex.captures_iter(text)).into_iter().flatten()
    }
}

/// What words say of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum CitationClass {
    /// The claim rests on it.
    Fix,
    /// It is not merged.
    Open,
}

/// Compiled words that say what a reference is for.
#[derive(Debug)]
pub(crate) struct CitationRule {
    pub(crate) id: String,
    pub(crate) class: CitationClass,
    pub(crate) regex: Matcher,
    pub(crate) unless: Vec<usize>,
    pub(crate) proof: Proof,
}

impl CitationClass {
    /// Reads its word.
    pub(super) fn parse(rule: &str, value: &str) -> Result<Self, Error> {
        match value {
            "fix" => Ok(Self::Fix),
            "open" => Ok(Self::Open),
            _ => Err(Error::Value {
                rule: rule.to_owned(),
                key: "class".to_owned(),
                value: value.to_owned(),
                known: "fix, open".to_owned(),
            }),
        }
    }
}

/// How names of versions and settings compare.
#[derive(Debug, Default)]
pub(crate) struct Pins {
    pub(crate) files: GlobSet,
    endings: Vec<String>,
    never: Vec<String>,
    usual: BTreeMap<String, String>,
}

impl Pins {
    pub(super) fn new<'a>(specs: impl Iterator<Item = &'a PinsSpec>, files: GlobSet) -> Pins {
        let mut pins = Pins { files, ..Pins::default() };
        for spec in specs {
            pins.endings.extend(spec.endings.iter().map(|ending| spelling(ending)));
            pins.never.extend(spec.never.iter().map(|name| spelling(name)));
            for names in &spec.same {
                let Some(usual) = names.first() else { continue };
                let names = names.iter().map(|name| (spelling(name), spelling(usual)));
                pins.usual.extend(names);
            }
        }
        pins
    }

    /// One name for all spellings of a setting; `None` for what is none.
    pub(crate) fn name(&self, written: &str) -> Option<String> {
        let mut name = spelling(written);
        for ending in &self.endings {
            let short = name.strip_suffix(ending.as_str()).and_then(|it| it.strip_suffix('-'));
            if let Some(short) = short.filter(|short| !short.is_empty()) {
                name = short.to_owned();
            }
        }
        if let Some(usual) = self.usual.get(&name) {
            name.clone_from(usual);
        }
        let letters = name.chars().filter(|c| c.is_alphabetic()).count();
        (letters >= 2 && !self.never.contains(&name)).then_some(name)
    }
}

/// Lower case, one dash between words, none before.
fn spelling(written: &str) -> String {
    let parts = written.split(|c: char| c == '-' || c == '_' || c.is_whitespace());
    let parts: Vec<String> = parts.filter(|it| !it.is_empty()).map(str::to_lowercase).collect();
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_setting_have_one_name() {
        let words = |all: &[&str]| Words::Plain(all.iter().map(|one| (*one).to_owned()).collect());
        let spec = PinsSpec {
            files: Vec::new(),
            endings: words(&["version", "tag"]),
            never: words(&["loss"]),
            same: vec![vec!["memory-share".into(), "share".into()]],
        };
        let pins = Pins::new([&spec].into_iter(), GlobSet::empty());
        let name = |written| pins.name(written);
        assert_eq!(name("ENGINE_VERSION").as_deref(), Some("engine"));
        assert_eq!(name("--memory_share"), name("share"));
        assert_eq!(name("version").as_deref(), Some("version"));
        assert_eq!(name("loss"), None);
        assert_eq!(name("x"), None);
    }
}
