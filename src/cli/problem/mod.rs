//! Errors as people read them: what is wrong, and the way out.
//!
//! Library errors carry fields and no advice; here alone they become text, by exhaustive matches, so
//! that no new one can be without its words. All of it passes the gate of [`escape`]: paths,
//! revisions and git's own messages may come from a stranger.

mod config;
mod history;
mod rules;

use std::io::{self, Write};
use std::path::PathBuf;

use owo_colors::OwoColorize;

use crate::GlobError;
use crate::config::Error as ConfigError;
use crate::extract::proof;
use crate::forge;
use crate::history::{Error as HistoryError, ObjectId};
use crate::report::escape;
use crate::rules::{Error as RulesError, Location};
use crate::suppress::BaselineError;

/// Why the program could not do what it was asked to.
#[derive(Debug)]
pub enum Problem {
    /// The history could not be read.
    History(HistoryError),
    /// The report could not be written to standard output.
    Report(io::Error),
    /// The report could not be written to its file.
    Output {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no folder to put the report's file into.
    NoOutputFolder {
        /// The file.
        path: PathBuf,
    },
    /// The command line is not understood.
    Usage(clap::Error),
    /// A rule pack is not in order.
    Rules(RulesError),
    /// A rule of a user's pack does not hold on its own example.
    Example {
        /// Where the rule stands.
        at: Option<Location>,
        /// Which rule, which example, and which guard decided.
        failure: proof::Failure,
    },
    /// A folder that was named as a rule pack holds no rule file.
    EmptyRulePack {
        /// The folder.
        path: PathBuf,
    },
    /// A rule pack could not be read.
    RulePack {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file of forge events could not be read.
    ForgeEvents {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The configuration says what cannot be.
    Config(ConfigError),
    /// The configuration's file could not be read.
    ConfigFile {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file of forge events is malformed.
    ForgeLine {
        /// The file.
        path: PathBuf,
        /// Where and what.
        error: forge::Error,
    },
    /// The configuration names a rule pack that the repository does not hold.
    NoPackAt {
        /// The path.
        path: String,
        /// The commit.
        rev: ObjectId,
    },
    /// The baseline's file could not be read.
    BaselineFile {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The baseline's file is no baseline.
    Baseline {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: BaselineError,
    },
    /// Neither a check nor a rule has this name.
    NoSuchName {
        /// The name.
        name: String,
        /// The one that is most like it.
        nearest: Option<String>,
    },
    /// No such line of a document at the audited commit.
    NoLine {
        /// The document.
        path: String,
        /// The line.
        line: u32,
        /// The revision.
        rev: String,
    },
    /// No claim has this id or stands on this line at the audited commit.
    NoClaim {
        /// As it was asked for.
        asked: String,
        /// What to ask for instead.
        nearest: Option<String>,
        /// The revision.
        rev: String,
    },
    /// The list of repositories could not be read.
    RepositoryList {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The list of repositories names none.
    EmptyRepositoryList {
        /// The file.
        path: PathBuf,
    },
    /// An option that is about one repository was given for several.
    OneAtATime {
        /// The option.
        option: &'static str,
    },
    /// Git could not clone a repository.
    Clone {
        /// The repository, without credentials.
        named: String,
        /// What git said.
        said: String,
    },
    /// There is no git to clone with.
    NoGit {
        /// The repository, without credentials.
        named: String,
    },
    /// There is no room for a clone.
    CloneFolder {
        /// What the system says.
        source: io::Error,
    },
    /// The life of a claim is not written in this format.
    NoTimeline,
    /// Every check was left out.
    NoCheck,
    /// The audited commit has no document that was to be read.
    NoDocument {
        /// The revision.
        rev: String,
        /// Whether `--include` or `--exclude` narrowed the choice.
        narrowed: bool,
    },
    /// There are documents, and none of them could be read.
    NothingRead {
        /// The revision.
        rev: String,
        /// Why not: the audit's caveats.
        why: Vec<String>,
    },
    /// A glob of the command line is malformed.
    Glob(GlobError),
    /// The program is wrong.
    Bug {
        /// Where and how.
        what: String,
    },
}

impl From<RulesError> for Problem {
    fn from(error: RulesError) -> Self {
        Self::Rules(error)
    }
}

impl From<ConfigError> for Problem {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl From<GlobError> for Problem {
    fn from(error: GlobError) -> Self {
        Self::Glob(error)
    }
}

impl From<HistoryError> for Problem {
    fn from(error: HistoryError) -> Self {
        Self::History(error)
    }
}

/// A problem in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// What is wrong: lower case, no full stop.
    pub(super) error: String,
    /// `path:line:column`, where a file is to blame.
    pub(super) place: Option<String>,
    /// Ways out, one a line.
    pub(super) help: Vec<String>,
}

impl Told {
    fn new(error: impl Into<String>) -> Self {
        Self { error: error.into(), place: None, help: Vec::new() }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Writes it as compilers do.
    pub(super) fn write(&self, color: bool, out: &mut dyn Write) -> io::Result<()> {
        let error = escape::cut(&self.error, escape::MESSAGE_LIMIT);
        if color {
            writeln!(out, "{} {error}", "error:".red().bold())?;
        } else {
            writeln!(out, "error: {error}")?;
        }
        if let Some(place) = &self.place {
            writeln!(out, "  --> {}", escape::cut(place, escape::MESSAGE_LIMIT))?;
        }
        for help in &self.help {
            let help = escape::cut(help, escape::MESSAGE_LIMIT);
            if color {
                writeln!(out, "{} {help}", "help:".cyan().bold())?;
            } else {
                writeln!(out, "help: {help}")?;
            }
        }
        Ok(())
    }
}

impl Problem {
    /// The problem in words.
    pub(super) fn tell(&self) -> Told {
        match self {
            Self::History(error) => history::tell(error),
            Self::Report(source) => {
                Told::new(format!("cannot write the report to standard output: {source}"))
            }
            Self::Output { path, source } => {
                let told =
                    Told::new(format!("cannot write the report to {}: {source}", path.display()));
                match source.kind() {
                    io::ErrorKind::StorageFull => {
                        told.help("make room on that disk; what stood there before is unchanged")
                    }
                    _ => told.help(
                        "name another file with `--output`; what stood there before is unchanged",
                    ),
                }
            }
            Self::NoOutputFolder { path } => Told::new(format!(
                "cannot write the report to {}: there is no such folder",
                path.display()
            ))
            .help("create the folder first"),
            Self::Usage(error) => usage(error),
            Self::Rules(error) => rules::tell(error),
            Self::Example { at, failure } => {
                let proof::Failure { rule, example, what } = failure;
                let told = Told::new(format!("rule `{rule}` on its example `{example}`: {what}"))
                    .help("mend the rule or the example; `--test-rules` runs all of them");
                Told { place: at.as_ref().map(ToString::to_string), ..told }
            }
            Self::EmptyRulePack { path } => {
                Told::new(format!("no rule file in {}", path.display()))
                    .help("rule files end in `.yml` or `.yaml`")
            }
            Self::RulePack { path, source } => {
                Told::new(format!("cannot read the rule pack {}: {source}", path.display()))
                    .help("`--rules` takes a YAML file or a folder of them")
            }
            Self::ForgeEvents { path, source } => {
                Told::new(format!("cannot read the forge events {}: {source}", path.display()))
                    .help("`--forge-events` takes a file that was exported as docs/forge-events.md says")
            }
            Self::ForgeLine { path, error } => {
                let told = Told::new(format!("no forge event: {error}"))
                    .help("docs/forge-events.md describes the lines and how to export them");
                Told { place: Some(path.display().to_string()), ..told }
            }
            Self::Config(error) => config::tell(error),
            Self::ConfigFile { path, source } => {
                Told::new(format!("cannot read the configuration {}: {source}", path.display()))
                    .help("`--config` takes a YAML file; `--print-config` prints one")
            }
            Self::NoPackAt { path, rev } => {
                Told::new(format!("no rule pack {path} in the repository at {}", rev.short()))
                    .help("`rules` names YAML files, or folders of them, from the top of the repository")
            }
            Self::BaselineFile { path, source } => {
                Told::new(format!("cannot read the baseline {}: {source}", path.display()))
                    .help("`--write-baseline` writes one")
            }
            Self::Baseline { path, error } => {
                let told = Told::new(error.to_string()).help("`--write-baseline` writes it anew");
                Told { place: Some(format!("{}:{}", path.display(), error.line)), ..told }
            }
            Self::NoSuchName { name, nearest } => {
                let told = Told::new(format!("no check and no rule is called `{name}`"));
                match nearest {
                    Some(nearest) => told.help(format!("did you mean `{nearest}`?")),
                    None => told.help("`--list-checks` and `--list-rules` name all of them"),
                }
            }
            Self::NoLine { path, line, rev } => {
                Told::new(format!("no file {path} with a line {line} at `{rev}`"))
                    .help("the path counts from the top of the repository, lines from one")
            }
            Self::NoClaim { asked, nearest, rev } => {
                let told = Told::new(format!("no claim `{asked}` at `{rev}`"));
                match nearest {
                    Some(nearest) => told.help(format!("the nearest is `{nearest}`")),
                    None => told.help("a report with `--all` lists every claim with its id"),
                }
            }
            Self::RepositoryList { path, source } => Told::new(format!(
                "cannot read the list of repositories {}: {source}",
                path.display()
            ))
            .help("`--repos` takes a text file with a path or an address on each line"),
            Self::EmptyRepositoryList { path } => {
                Told::new(format!("{} names no repository", path.display()))
                    .help("write a path or an address on each line")
            }
            Self::OneAtATime { option: option @ "--format" } => {
                Told::new("several repositories are reported as text or as JSON")
                    .help(format!("take `{option}` away, say `{option} json`, or audit them one by one"))
            }
            Self::OneAtATime { option } => {
                Told::new(format!("`{option}` is about one repository, and several are named"))
                    .help("audit that one alone")
            }
            Self::Clone { named, said } => Told::new(format!("git cannot clone {named}: {said}"))
                .help("try `git clone` with the same address: what it needs, this needs"),
            Self::NoGit { named } => {
                Told::new(format!("no git to clone {named} with"))
                    .help("install git, or name a folder that holds a clone")
            }
            Self::CloneFolder { source } => Told::new(format!("no room for a clone: {source}"))
                .help("name a folder with `--clone-cache`, or another place for temporary files with TMPDIR"),
            Self::NoTimeline => Told::new("the life of a claim is written as text or as JSON")
                .help("take `--format` away, or say `--format json`"),
            Self::NoCheck => Told::new("every check is left out")
                .help("take a `--no-check` away, or name another `--check`"),
            Self::NoDocument { rev, narrowed } => {
                let told = Told::new(format!("no document to audit at `{rev}`"));
                if *narrowed {
                    told.help("loosen `--include` and `--exclude`")
                } else {
                    told.help("rule packs say which files are documents: add globs with `--rules`")
                }
            }
            Self::NothingRead { rev, why } => {
                Told::new(format!("no document at `{rev}` could be read: {}", why.join("; ")))
                    .help("a fresh clone without `--depth` and `--filter` usually has all of them")
            }
            Self::Glob(error) => Told::new(error.to_string())
                .help("write it as in .gitignore, for instance `docs/**/*.md`, and quote it for the shell"),
            Self::Bug { what } => Told::new(format!("claim-audit is broken here: {what}"))
                .help("please report it, with the repository if it is public; `--exclude` may leave out the document that does it"),
        }
    }
}

/// What clap says, in the form that all errors have here.
fn usage(error: &clap::Error) -> Told {
    let text = error.to_string();
    let mut lines = text.lines().map(str::trim);
    let what = lines.next().unwrap_or_default();
    let mut told = Told::new(what.strip_prefix("error: ").unwrap_or(what));
    for line in lines {
        if let Some(tip) = line.strip_prefix("tip: ") {
            told = told.help(tip);
        } else if line.starts_with("[possible values: ") {
            told = told.help(line.trim_matches(['[', ']']));
        }
    }
    told.help("`claim-audit --help` lists all options")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(problem: &Problem, color: bool) -> String {
        let mut out = Vec::new();
        problem.tell().write(color, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_problem_is_told_with_its_way_out() {
        let full =
            Problem::Output { path: "a/b.json".into(), source: io::ErrorKind::StorageFull.into() };
        assert_eq!(
            text(&full, false),
            "error: cannot write the report to a/b.json: no storage space\n\
             help: make room on that disk; what stood there before is unchanged\n"
        );
        let place = Told {
            place: Some("rules/team.yaml:14:3".into()),
            ..Told::new("unknown key `patern`")
        };
        let mut out = Vec::new();
        place.help("did you mean `pattern`?").write(false, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "error: unknown key `patern`\n  --> rules/team.yaml:14:3\nhelp: did you mean `pattern`?\n"
        );
    }

    #[test]
    fn a_mistyped_option_is_answered_in_the_same_form() {
        let told = |words: &[&str]| {
            let words = words.iter().map(|word| std::ffi::OsString::from(*word));
            text(&Problem::Usage(crate::cli::args::parse(words, &[]).unwrap_err()), false)
        };
        assert_eq!(
            told(&["claim-audit", "--kind", "failuer"]),
            "error: invalid value 'failuer' for '--kind <KIND>'\n\
             help: possible values: failure, success, measurement\n\
             help: a similar value exists: 'failure'\n\
             help: `claim-audit --help` lists all options\n"
        );
        assert_eq!(
            told(&["claim-audit", "--formt", "json"]),
            "error: unexpected argument '--formt' found\n\
             help: a similar argument exists: '--format'\n\
             help: `claim-audit --help` lists all options\n"
        );
        let hostile = told(&["claim-audit", "--kind", "\u{1b}[2J\u{202e}"]);
        assert!(!hostile.contains(['\u{1b}', '\u{202e}']), "{hostile:?}");
    }

    #[test]
    fn hostile_names_are_shown_by_their_escapes() {
        let problem = Problem::NoDocument { rev: "\u{1b}[2J\u{202e}\n".into(), narrowed: false };
        assert_eq!(
            text(&problem, false).lines().next(),
            Some(r"error: no document to audit at `\u{1b}[2J\u{202e}\n`")
        );
        let coloured = text(&problem, true);
        assert_eq!(coloured.matches("\u{1b}[2J").count(), 0);
        assert!(coloured.starts_with("\u{1b}["));
    }
}
