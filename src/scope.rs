//! Which files an audit reads: what the rule packs choose, narrowed by the user's globs.

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::documents::Format;
use crate::history::Selection;
use crate::rules::RuleSet;

/// A glob of the command line or the configuration that is malformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("glob `{glob}`: {message}")]
pub struct GlobError {
    /// As written.
    pub glob: String,
    /// What is wrong with it.
    pub message: String,
}

/// Globs that narrow the documents.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Globs {
    /// Leaves nothing out.
    pub const ALL: Self = Self { include: None, exclude: GlobSet::empty() };

    /// Only paths that one of `include` matches (all where there is none) and none of `exclude`.
    ///
    /// # Errors
    /// Names a malformed glob.
    pub fn new(include: &[String], exclude: &[String]) -> Result<Globs, GlobError> {
        let include = (!include.is_empty()).then(|| set(include)).transpose()?;
        Ok(Globs { include, exclude: set(exclude)? })
    }

    fn admits(&self, path: &str) -> bool {
        self.include.as_ref().is_none_or(|globs| globs.is_match(path))
            && !self.exclude.is_match(path)
    }
}

fn set(globs: &[String]) -> Result<GlobSet, GlobError> {
    let broken = |glob: &str, e: &globset::Error| GlobError {
        glob: glob.to_owned(),
        message: e.kind().to_string(),
    };
    let mut builder = GlobSetBuilder::new();
    for glob in globs {
        builder.add(Glob::new(glob).map_err(|e| broken(glob, &e))?);
    }
    builder.build().map_err(|e| broken(e.glob().unwrap_or_default(), &e))
}

/// The documents of a history.
pub(crate) struct Documents<'a> {
    rules: &'a RuleSet,
    globs: &'a Globs,
}

impl<'a> Documents<'a> {
    pub(crate) fn new(rules: &'a RuleSet, globs: &'a Globs) -> Self {
        Documents { rules, globs }
    }
}

impl Selection for Documents<'_> {
    fn descends(&self, directory_name: &[u8]) -> bool {
        std::str::from_utf8(directory_name).map_or(true, |name| !self.rules.skips_folder(name))
    }

    fn kind(&self, file_name: &[u8]) -> Option<u8> {
        Format::of_name(&String::from_utf8_lossy(file_name)).map(Format::tag)
    }

    fn includes(&self, path: &str) -> bool {
        self.rules.is_document(path) && self.globs.admits(path)
    }
}

/// Scripts, configuration and documents: where settings are made or named.
pub(crate) struct Settings<'a> {
    documents: Documents<'a>,
}

impl<'a> Settings<'a> {
    /// The tag of a file that is no document.
    pub(crate) const SCRIPT: u8 = 0;

    pub(crate) fn new(rules: &'a RuleSet, globs: &'a Globs) -> Self {
        Settings { documents: Documents::new(rules, globs) }
    }
}

impl Selection for Settings<'_> {
    fn descends(&self, directory_name: &[u8]) -> bool {
        self.documents.descends(directory_name)
    }

    fn kind(&self, file_name: &[u8]) -> Option<u8> {
        let setting = self.documents.rules.is_setting(&String::from_utf8_lossy(file_name));
        self.documents.kind(file_name).or_else(|| setting.then_some(Self::SCRIPT))
    }

    fn includes(&self, path: &str) -> bool {
        self.documents.includes(path) || self.documents.rules.is_setting(path)
    }
}

/// Files that pin versions and settings.
pub(crate) struct Pinning<'a> {
    documents: Documents<'a>,
}

impl<'a> Pinning<'a> {
    pub(crate) fn new(rules: &'a RuleSet, globs: &'a Globs) -> Self {
        Pinning { documents: Documents::new(rules, globs) }
    }
}

impl Selection for Pinning<'_> {
    fn descends(&self, directory_name: &[u8]) -> bool {
        self.documents.descends(directory_name)
    }

    fn kind(&self, file_name: &[u8]) -> Option<u8> {
        let name = String::from_utf8_lossy(file_name);
        self.documents.rules.is_pinning(&name).then_some(Settings::SCRIPT)
    }

    fn includes(&self, path: &str) -> bool {
        self.documents.rules.is_pinning(path)
    }
}
