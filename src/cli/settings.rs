//! What is in force for one audit: options of the command line, before the repository's own file,
//! before what the program does by itself.

use std::fmt;
use std::path::{Path, PathBuf};

use super::args::{Args, ConfidenceName, FailOn, KindName};
use super::problem::Problem;
use super::{engine, packs};
use crate::checks::{self, Check, Confidence};
use crate::config::{self, Config};
use crate::extract::Kind;
use crate::history::{Caveat, Entry as TreeEntry, ObjectId, Repository};
use crate::report::escape;
use crate::rules::{self, PackFiles};
use crate::suppress;

/// An opened repository and what is in force for its audit.
pub(super) struct Settings {
    pub(super) repo: Repository,
    /// The audited commit.
    pub(super) rev: ObjectId,
    /// With `--base`: the commit to compare with.
    pub(super) base: Option<ObjectId>,
    /// All of it as one configuration, nothing left open.
    pub(super) config: Config,
    /// Where the repository's own part came from.
    pub(super) origin: Origin,
    /// The claims that it knows to be leads.
    pub(super) entries: Vec<suppress::Entry>,
    /// Further rule packs.
    pub(super) packs: Vec<PackFiles>,
    /// The keys by which the repository's own file decides what an audit sees and says.
    narrows: Vec<&'static str>,
}

/// What of an audit is reported, and what it means for the exit status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// Kinds of claims; all where there is none.
    pub(super) kinds: Vec<Kind>,
    /// Confidence from which a reason makes a lead.
    pub(super) threshold: Confidence,
    /// Whether a lead makes the exit status 1.
    pub(super) fail_on_leads: bool,
    /// Whether globs narrow the documents.
    pub(super) narrowed: bool,
}

impl Asked {
    /// What a configuration with nothing left open asks for.
    pub(super) fn of(config: &Config) -> Self {
        let least = config.min_confidence.unwrap_or(config::Confidence::Medium);
        Self {
            kinds: config.kinds.iter().map(|kind| KindName::from(*kind).into()).collect(),
            threshold: ConfidenceName::from(least).into(),
            fail_on_leads: config.fail_on != Some(config::FailOn::Never),
            narrowed: config.documents != config::Documents::default(),
        }
    }
}

/// Where a configuration came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// There is none.
    Nowhere,
    /// The tree of this commit.
    Commit(ObjectId),
    /// A file that the user named.
    File(PathBuf),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nowhere => {
                write!(f, "no {}: options and what the program does by itself", config::FILE)
            }
            Self::Commit(rev) => write!(f, "{} at {}, and options", config::FILE, rev.short()),
            Self::File(path) => {
                let path = path.to_string_lossy();
                write!(f, "{}, and options", escape::cut(&path, escape::MESSAGE_LIMIT))
            }
        }
    }
}

/// Opens a repository and reads what is in force for it.
///
/// With `--base` the file and its rule packs are those of that commit: what a change says about its
/// own audit counts once it is merged.
pub(super) fn read(args: &Args, path: &Path) -> Result<Settings, Problem> {
    let repo = engine::open(args, path)?;
    let rev = repo.resolve(&args.rev)?;
    let base = args.base.as_ref().map(|base| repo.resolve(base)).transpose()?;
    let decided_at = base.unwrap_or(rev);
    let nowhere = || (Origin::Nowhere, String::new(), Vec::new());
    let (origin, name, bytes) = match &args.config {
        None if args.no_config => nowhere(),
        Some(path) => {
            let fail = |source| Problem::ConfigFile { path: path.clone(), source };
            let bytes = packs::bytes(path).map_err(fail)?;
            (Origin::File(path.clone()), path.to_string_lossy().into_owned(), bytes)
        }
        None => match repo.file_at(decided_at, config::FILE, rules::FILE_LIMIT)? {
            Some(bytes) => (Origin::Commit(decided_at), config::FILE.to_owned(), bytes),
            None => nowhere(),
        },
    };
    let names: Vec<&str> = checks::ALL.iter().map(|check| check.name()).collect();
    let (file, entries) = Config::parse(&name, &bytes, &names)?;
    let mut packs = Vec::new();
    let mut bytes = 0;
    for path in &file.rules {
        let pack = pack_at(&repo, decided_at, path)?;
        bytes += pack.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        packs.push(pack);
        // The rules say that it is too much; reading on would let a list of names take all memory.
        if bytes > rules::TOTAL_LIMIT {
            break;
        }
    }
    packs.extend(packs::read(&args.rules)?);
    let narrows = narrows(&file);
    let config = over(args, file);
    Ok(Settings { repo, rev, base, config, origin, entries, packs, narrows })
}

impl Settings {
    /// A caveat where the audited commit itself says what of it is not looked at, or what is read as
    /// what: its author may not be the reader.
    pub(super) fn narrowing(&self) -> Option<Caveat> {
        let own = matches!(self.origin, Origin::Commit(_)) && self.base.is_none();
        let message = format!(
            "{} of the audited commit has a say in its own audit ({}); --no-config leaves it alone",
            config::FILE,
            self.narrows.join(", ")
        );
        (own && !self.narrows.is_empty()).then_some(Caveat { code: "narrowed", message })
    }

    /// The checks that are to run.
    pub(super) fn checks(&self) -> Vec<&'static dyn Check> {
        let off = self.config.checks_off();
        checks::ALL.iter().copied().filter(|check| !off.contains(check.name())).collect()
    }
}

/// The keys by which a file can make an audit see or report less. A further pack may disable rules.
fn narrows(file: &Config) -> Vec<&'static str> {
    let keys = [
        ("documents", file.documents != config::Documents::default()),
        ("rules", !file.rules.is_empty()),
        ("checks", !file.checks_off().is_empty()),
        ("kinds", !file.kinds.is_empty()),
        ("min_confidence", file.min_confidence == Some(config::Confidence::High)),
        ("fail_on", file.fail_on == Some(config::FailOn::Never)),
    ];
    keys.into_iter().filter(|(_, set)| *set).map(|(key, _)| key).collect()
}

/// The options laid over a file.
pub(super) fn over(args: &Args, file: Config) -> Config {
    let list = |given: &[String], file: Vec<String>| {
        if given.is_empty() { file } else { given.to_vec() }
    };
    let named = |names: &[String], name: &str| names.iter().any(|it| it == name);
    let mut rules = file.rules;
    rules.extend(args.rules.iter().map(|path| path.to_string_lossy().into_owned()));
    let on = |check: &dyn Check| {
        let name = check.name();
        let wanted = if args.check.is_empty() {
            file.checks.get(name).copied().unwrap_or(check.on_by_default())
        } else {
            named(&args.check, name)
        };
        wanted && !named(&args.no_check, name)
    };
    let kinds = args.kind.iter().copied().map(config::Kind::from);
    Config {
        documents: config::Documents {
            include: list(&args.include, file.documents.include),
            exclude: list(&args.exclude, file.documents.exclude),
        },
        rules,
        checks: checks::ALL.iter().map(|it| (it.name().to_owned(), on(*it))).collect(),
        kinds: if args.kind.is_empty() { file.kinds } else { kinds.collect() },
        min_confidence: args
            .min_confidence
            .map(config::Confidence::from)
            .or(file.min_confidence)
            .or(Some(config::Confidence::Medium)),
        fail_on: args
            .fail_on
            .map(config::FailOn::from)
            .or(file.fail_on)
            .or(Some(config::FailOn::Lead)),
        ignore: file.ignore,
    }
}

/// A rule pack inside the repository: a file, or the YAML files directly in a folder.
fn pack_at(repo: &Repository, rev: ObjectId, path: &str) -> Result<PackFiles, Problem> {
    let missing = || Problem::NoPackAt { path: path.to_owned(), rev };
    match repo.entry_at(rev, path, rules::FILE_LIMIT)?.ok_or_else(missing)? {
        TreeEntry::File(bytes) => Ok(vec![(path.to_owned(), bytes)]),
        TreeEntry::Folder(names) => {
            let folder = path.trim_end_matches('/');
            let yaml = |name: &&String| name.ends_with(".yml") || name.ends_with(".yaml");
            let mut files = Vec::new();
            for name in names.iter().filter(yaml).take(packs::FILES_LIMIT) {
                let path = format!("{folder}/{name}");
                files.extend(
                    repo.file_at(rev, &path, rules::FILE_LIMIT)?.map(|bytes| (path, bytes)),
                );
            }
            if files.is_empty() { Err(missing()) } else { Ok(files) }
        }
    }
}

impl From<KindName> for config::Kind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Failure => Self::Failure,
            KindName::Success => Self::Success,
            KindName::Measurement => Self::Measurement,
        }
    }
}

impl From<config::Kind> for KindName {
    fn from(kind: config::Kind) -> Self {
        match kind {
            config::Kind::Failure => Self::Failure,
            config::Kind::Success => Self::Success,
            config::Kind::Measurement => Self::Measurement,
        }
    }
}

impl From<ConfidenceName> for config::Confidence {
    fn from(name: ConfidenceName) -> Self {
        match name {
            ConfidenceName::Low => Self::Low,
            ConfidenceName::Medium => Self::Medium,
            ConfidenceName::High => Self::High,
        }
    }
}

impl From<config::Confidence> for ConfidenceName {
    fn from(confidence: config::Confidence) -> Self {
        match confidence {
            config::Confidence::Low => Self::Low,
            config::Confidence::Medium => Self::Medium,
            config::Confidence::High => Self::High,
        }
    }
}

impl From<FailOn> for config::FailOn {
    fn from(name: FailOn) -> Self {
        match name {
            FailOn::Lead => Self::Lead,
            FailOn::Never => Self::Never,
        }
    }
}
