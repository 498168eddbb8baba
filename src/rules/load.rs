//! From the bytes of pack files to rules in force, with the places that errors name.

use include_dir::{Dir, include_dir};
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::compile::{self, Compile};
use super::error::{Error, nearest};
use super::merge::{self, Merged, Pack};
use super::pattern::PatternError;
use super::source::Source;
use super::{FILE_LIMIT, PackFiles, RuleSet, TOTAL_LIMIT};

static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// The built-in packs and further ones, each in files with the names that errors show.
pub(super) fn rule_set(further: &[PackFiles], when: Compile) -> Result<RuleSet, Error> {
    let mut packs = built_in()?;
    let bytes = further.iter().flatten().map(|(_, bytes)| bytes.len()).sum();
    if bytes > TOTAL_LIMIT {
        let what = "bytes of rules";
        return Err(Error::TooMany { what, count: bytes, limit: TOTAL_LIMIT });
    }
    for files in further {
        let mut pack = Pack { files: Vec::new(), sources: Vec::new(), built_in: false };
        for (name, bytes) in files {
            let (source, file) = read(name, bytes)?;
            pack.sources.push(source);
            pack.files.push((name.clone(), file));
        }
        packs.push(pack);
    }
    let merged = merge::merge(&mut packs, &built_in_source)?;
    let sources: Vec<Source> = packs.into_iter().flat_map(|pack| pack.sources).collect();
    let mut rules = compile::rule_set(&merged.files, when)
        .map_err(|error| located(error, &merged, &sources))?;
    rules.origins = Origins { merged, sources };
    rules.digest = digest(further);
    Ok(rules)
}

/// A digest of all packs, for what is kept of reading by them.
fn digest(further: &[PackFiles]) -> [u8; 32] {
    let mut digest = Sha256::new();
    let mut add = |name: &str, bytes: &[u8]| {
        for part in [name.as_bytes(), bytes] {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
    };
    for file in BUILT_IN.dirs().flat_map(Dir::files) {
        add(&file.path().to_string_lossy(), file.contents());
    }
    for files in further {
        add("a further pack", &[]);
        files.iter().for_each(|(name, bytes)| add(name, bytes));
    }
    digest.finalize().into()
}

/// Where rules come from, and as what they were written.
#[derive(Default)]
pub(super) struct Origins {
    pub(super) merged: Merged,
    sources: Vec<Source>,
}

impl std::fmt::Debug for Origins {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Origins").finish_non_exhaustive()
    }
}

impl Origins {
    /// The words of a file.
    pub(super) fn place(&self, file: &str, id: &str, guard: bool) -> Option<super::Location> {
        let own = self.sources.iter().find(|source| source.file == file);
        match own {
            Some(source) => source.id(id, guard),
            None => built_in_source(file)?.id(id, guard),
        }
    }
}

/// The packs of the program, the core first, since others build on it.
fn built_in() -> Result<Vec<Pack>, Error> {
    let mut folders: Vec<_> = BUILT_IN.dirs().collect();
    folders.sort_by_key(|folder| (folder.path() != "core", folder.path()));
    let mut packs = Vec::new();
    for folder in folders {
        let mut pack = Pack { files: Vec::new(), sources: Vec::new(), built_in: true };
        let mut found: Vec<_> = folder.files().collect();
        found.sort_by_key(|file| file.path());
        for file in found {
            let name = format!("rules/{}", file.path().display());
            // Checked by a test, so that no start reads it twice.
            let file = typed(file.contents())
                .map_err(|e| Error::Yaml { message: format!("{name}: {e}") })?;
            pack.files.push((name, file));
        }
        packs.push(pack);
    }
    Ok(packs)
}

/// The words of a built-in file.
fn built_in_source(name: &str) -> Option<Source> {
    let file = BUILT_IN.get_file(name.strip_prefix("rules/")?)?;
    Some(Source::scan(name, file.contents_utf8()?).ok()?.0)
}

/// Every built-in file with its name, for tests.
#[cfg(test)]
pub(super) fn built_in_files() -> Vec<PackFiles> {
    let name = |file: &include_dir::File<'_>| format!("rules/{}", file.path().display());
    let files = |folder: &Dir<'_>| {
        folder.files().map(|file| (name(file), file.contents().to_vec())).collect()
    };
    BUILT_IN.dirs().map(files).collect()
}

fn typed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_yaml::Error> {
    serde_yaml::from_slice(bytes)
}

/// Reads a file with the place of each word, within bounds that a hostile one cannot stretch.
pub(crate) fn read<T: DeserializeOwned>(name: &str, bytes: &[u8]) -> Result<(Source, T), Error> {
    let start = || super::Location { file: name.to_owned(), line: 1, column: 1 };
    if bytes.len() > FILE_LIMIT {
        return Err(Error::TooLarge { bytes: bytes.len() }.at(start()));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|e| Error::Yaml { message: format!("not UTF-8: {e}") }.at(start()))?;
    let text = text.trim_start_matches('\u{feff}');
    let (source, unquoted) = Source::scan(name, text)?;
    let file = typed(text.as_bytes()).map_err(|error| untyped(&error, &source));
    match (unquoted, file) {
        (None, file) => Ok((source, file?)),
        // An unknown key explains why a value below it is not what it should be.
        (Some(unquoted), Err(unknown)) if unknown.is_unknown_key_before(&unquoted) => Err(unknown),
        (Some(unquoted), _) => Err(unquoted),
    }
}

/// What typed reading says, at the place of the key that is to blame.
fn untyped(error: &serde_yaml::Error, source: &Source) -> Error {
    let at = error
        .location()
        .map_or_else(|| source.start(), |place| source.place(place.line(), place.column()));
    let text = error.to_string();
    let text = match text.rfind(" at line ") {
        Some(end) if error.location().is_some() => &text[..end],
        _ => &text,
    };
    let unknown = text.split_once("unknown field `").and_then(|(before, after)| {
        let (key, rest) = after.split_once("`, expected ")?;
        Some((before.trim_end_matches(": "), key, rest))
    });
    let Some((path, key, rest)) = unknown else {
        return Error::Yaml { message: text.to_owned() }.at(at);
    };
    let whole = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    let at = source.key(&whole).unwrap_or(at);
    let known = rest.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    Error::UnknownKey { key: key.to_owned(), known }.at(at)
}

/// A compiler's error at the words that are to blame, where a further pack has them.
fn located(error: Error, merged: &Merged, sources: &[Source]) -> Error {
    let error = match error {
        Error::NoGuard { rule, guard, .. } => {
            let near = nearest(&guard, merged.guards.keys().map(String::as_str)).map(str::to_owned);
            Error::NoGuard { rule, guard, nearest: near }
        }
        other => other,
    };
    for source in sources {
        let within = |rule: &str| match source.entry(rule) {
            Some(path) => path.to_owned(),
            None => rule.to_owned(),
        };
        let in_scope = |path: &str, scope: &str| {
            path.strip_prefix(scope)
                .or_else(|| path.strip_prefix("lexicons.")?.strip_prefix(scope))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let found = match &error {
            Error::Glob { glob, .. } => source.find(|_, text, _| text == glob),
            Error::NoGuard { rule, guard, .. } => {
                let scope = within(rule);
                source.find(|path, text, _| in_scope(path, &scope) && text == guard)
            }
            Error::Value { rule, key, value, .. } => {
                let scope = within(rule);
                source.find(|path, text, is_key| {
                    !is_key
                        && text == value
                        && in_scope(path, &scope)
                        && path.contains(key.as_str())
                })
            }
            Error::Pattern { rule, problem } => {
                let scope = within(rule);
                let named = match problem {
                    PatternError::NoLexicon(name) => format!("{{{name}}}"),
                    PatternError::Unbalanced(bracket) => bracket.to_string(),
                    PatternError::Empty => String::new(),
                };
                let blamed = |path: &str, text: &str, is_key: bool| {
                    !is_key
                        && in_scope(path, &scope)
                        && !path.contains(".must_")
                        && text.contains(&named)
                        && (!matches!(problem, PatternError::Unbalanced(_)) || unbalanced(text))
                };
                source
                    .find(|path, text, key| !named.is_empty() && blamed(path, text, key))
                    .or_else(|| source.find(|path, text, _| in_scope(path, &scope) && text == rule))
            }
            Error::Regex { rule, .. } => source.find(|_, text, is_key| !is_key && text == rule),
            _ => None,
        };
        if let Some(at) = found {
            return error.at(at);
        }
    }
    error
}

/// Tells whether the brackets of a pattern do not match up.
fn unbalanced(text: &str) -> bool {
    let none = super::pattern::Lexicons::new();
    let plain: String = text.replace(['{', '}'], "");
    super::pattern::translate(&plain, &none).is_err()
        || text.matches('{').count() != text.matches('}').count()
}
