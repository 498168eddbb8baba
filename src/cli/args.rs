//! The options of the command line, as clap reads them.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, ArgGroup, CommandFactory, FromArgMatches, Parser, ValueEnum};

use clap_complete::Shell;

use super::Topic;
use crate::checks::Confidence;
use crate::extract::Kind;
use crate::history::Limits;
use crate::report::Format;
use crate::rules::nearest;
use crate::texts::Language;

const SELECTION: &str = "Selection Options";
const OUTPUT: &str = "Output Options";
const RULES: &str = "Rule Options";
const INFORMATION: &str = "Information";

/// Audits the result claims of a git repository against its own history.
///
/// Every result that the documents at a commit state is traced to the commit that first stated it and
/// to the one that last tested it. Where a known pitfall is younger than that test, or the text itself
/// admits a weakness, the claim is a lead and not evidence. Each verdict comes with git commands that
/// show why.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "claim-audit",
    version,
    max_term_width = 100,
    after_help = "Exit status: 0 no lead, 1 at least one lead, 2 the audit could not be made.",
    group = ArgGroup::new("instead").multiple(false)
)]
pub struct Args {
    /// Repositories to audit: paths inside them, or addresses that git can clone
    #[arg(value_name = "REPO", default_value = ".")]
    pub repo: Vec<PathBuf>,

    /// Audit the repositories that this file names, one a line; `-` is standard input
    ///
    /// Empty lines and lines that begin with `#` are passed over.
    #[arg(long, value_name = "FILE", conflicts_with = "repo")]
    pub repos: Option<PathBuf>,

    /// Keep clones of addresses in this folder, and bring them up to date the next time
    #[arg(long, value_name = "DIR")]
    pub clone_cache: Option<PathBuf>,

    /// Keep nothing of what was read, and use nothing that was kept
    ///
    /// What documents say is kept in the user's cache folder, so that the next audit of the repository
    /// reads only what is new. The report is the same with it and without.
    #[arg(long)]
    pub no_cache: bool,

    /// Keep it in this folder instead
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub cache_dir: Option<PathBuf>,

    /// Let that folder hold so many MiB; what was written longest ago goes
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub cache_size: u64,

    /// Audit this commit
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub rev: String,

    /// Report only what changed since the audited commit left this one: new leads, claims that became
    /// leads, and claims that a retest brought back
    #[arg(long, value_name = "REV")]
    pub base: Option<String>,

    /// Audit what is there of a history that is cut off; claims from before the cut become leads
    #[arg(long)]
    pub allow_shallow: bool,

    /// Audit a repository that belongs to another user
    ///
    /// Git refuses to read such a repository unless `safe.directory` allows it, because some of its
    /// commands would run programs that its configuration names. claim-audit runs none.
    #[arg(long)]
    pub trust_repository: bool,

    /// Folders that are not entered in search of a repository, from the environment.
    #[arg(skip)]
    pub ceilings: Vec<PathBuf>,
    /// What a forge knows of pull requests, as lines of JSON (docs/forge-events.md)
    #[arg(long, value_name = "FILE")]
    pub forge_events: Option<PathBuf>,

    /// Threads to use [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,

    /// Read more or less than is usual: bytes of a document, commits and the like (repeatable)
    ///
    /// Bounds keep a hostile repository from taking all time and memory. docs/limits.md names them.
    #[arg(long, value_name = "NAME=NUMBER", value_parser = limit, help_heading = SELECTION)]
    pub limit: Vec<(String, u64)>,

    /// Read only documents whose path matches (repeatable)
    #[arg(long, value_name = "GLOB", value_parser = glob, help_heading = SELECTION)]
    pub include: Vec<String>,

    /// Read no document whose path matches (repeatable)
    #[arg(long, value_name = "GLOB", value_parser = glob, help_heading = SELECTION)]
    pub exclude: Vec<String>,

    /// Report only claims of this kind (repeatable)
    #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',', help_heading = SELECTION)]
    pub kind: Vec<KindName>,

    /// Run only this check (repeatable; --list-checks names them)
    #[arg(long, value_name = "NAME", value_delimiter = ',', hide_possible_values = true, help_heading = SELECTION)]
    pub check: Vec<String>,

    /// Leave this check out (repeatable)
    #[arg(long, value_name = "NAME", value_delimiter = ',', hide_possible_values = true, help_heading = SELECTION)]
    pub no_check: Vec<String>,

    /// Report only reasons that are at least this sure [default: medium]
    #[arg(long, value_name = "LEVEL", value_enum, help_heading = SELECTION)]
    pub min_confidence: Option<ConfidenceName>,

    /// Read this configuration and not the repository's own .claim-audit.yml
    #[arg(long, value_name = "FILE", help_heading = SELECTION)]
    pub config: Option<PathBuf>,

    /// Leave the repository's own .claim-audit.yml alone
    #[arg(long, conflicts_with = "config", help_heading = SELECTION)]
    pub no_config: bool,

    /// Count only leads that this file does not hold
    #[arg(long, value_name = "FILE", conflicts_with = "base", help_heading = SELECTION)]
    pub baseline: Option<PathBuf>,

    /// Write all leads into this file instead of a report
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "output"], help_heading = SELECTION)]
    pub write_baseline: Option<PathBuf>,

    /// A further rule pack: a file or a folder (repeatable)
    #[arg(long, value_name = "PATH", help_heading = RULES)]
    pub rules: Vec<PathBuf>,

    /// List all rules instead of auditing
    #[arg(long, group = "instead", help_heading = RULES)]
    pub list_rules: bool,

    /// Run the examples that rules carry instead of auditing
    #[arg(long, group = "instead", help_heading = RULES)]
    pub test_rules: bool,

    /// How the report is written
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = FormatName::Text, help_heading = OUTPUT)]
    pub format: FormatName,

    /// Write the report to this file, whole or not at all [default: standard output]
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,

    /// Language of the report [default: as LC_ALL, LC_MESSAGES or LANG say, else English]
    #[arg(long, value_name = "LANGUAGE", value_enum, help_heading = OUTPUT)]
    pub lang: Option<LanguageName>,

    /// List evidence and pitfalls one by one and not only their number
    #[arg(long, help_heading = OUTPUT)]
    pub all: bool,

    /// When to colour
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorName::Auto, help_heading = OUTPUT)]
    pub color: ColorName,

    /// Which finding makes the exit status 1 [default: lead]
    #[arg(long, value_name = "WHAT", value_enum, help_heading = OUTPUT)]
    pub fail_on: Option<FailOn>,

    /// Show no progress and no warnings
    #[arg(long, short, conflicts_with = "verbose", help_heading = OUTPUT)]
    pub quiet: bool,

    /// Say on standard error what is being done
    #[arg(long, short, action = ArgAction::Count, help_heading = OUTPUT)]
    pub verbose: u8,

    /// Print the line for a commit message that says this claim was tested again: an id of a report, or
    /// PATH:LINE
    #[arg(long, value_name = "ID|PATH:LINE", group = "instead", value_parser = asked_claim, help_heading = INFORMATION)]
    pub retest: Option<AskedClaim>,

    /// What --retest found: the claim still holds, or it does not
    #[arg(long, value_name = "RESULT", value_enum, requires = "retest", help_heading = INFORMATION)]
    pub outcome: Option<Outcome>,

    /// Print a completion script for this shell instead of auditing
    #[arg(long, value_name = "SHELL", value_enum, group = "instead", help_heading = INFORMATION)]
    pub completions: Option<Shell>,

    /// Print the manual page instead of auditing
    #[arg(long, group = "instead", help_heading = INFORMATION)]
    pub man: bool,

    /// Print what is in force, options and configuration, instead of auditing
    #[arg(long, group = "instead", help_heading = INFORMATION)]
    pub print_config: bool,

    /// List all checks instead of auditing
    #[arg(long, group = "instead", help_heading = INFORMATION)]
    pub list_checks: bool,

    /// Explain a check or a rule instead of auditing
    #[arg(long, value_name = "NAME", group = "instead", help_heading = INFORMATION)]
    pub explain: Option<String>,

    /// Tell the life of one claim and what shows it, instead of a report of all
    #[arg(long, value_name = "ID|PATH:LINE", group = "instead", conflicts_with_all = ["base", "kind"], value_parser = asked_claim, help_heading = INFORMATION)]
    pub claim: Option<AskedClaim>,

    /// Show how one line of a document is read, by which rules and guards, instead of auditing
    #[arg(long, value_name = "PATH:LINE", group = "instead", value_parser = path_and_line, help_heading = INFORMATION)]
    pub explain_line: Option<(String, u32)>,
}

/// Which claim somebody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedClaim {
    /// By its id.
    Id(String),
    /// By a line of a document at the audited commit.
    Line(String, u32),
}

/// A kind of claim on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KindName {
    /// Something fails
    Failure,
    /// Something works
    Success,
    /// A number was measured
    Measurement,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Failure => Self::Failure,
            KindName::Success => Self::Success,
            KindName::Measurement => Self::Measurement,
        }
    }
}

/// A confidence on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConfidenceName {
    /// Worth a look
    Low,
    /// Likely
    Medium,
    /// As sure as the history can make it
    High,
}

impl From<ConfidenceName> for Confidence {
    fn from(name: ConfidenceName) -> Self {
        match name {
            ConfidenceName::Low => Self::Low,
            ConfidenceName::Medium => Self::Medium,
            ConfidenceName::High => Self::High,
        }
    }
}

/// A format on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// For people at a terminal
    Text,
    /// For programs
    Json,
    /// The same, an object a line
    Jsonl,
    /// For code scanning: SARIF 2.1.0
    Sarif,
    /// For GitHub Actions: annotations and the job summary
    Github,
    /// One page for browsers
    Html,
    /// For a comment on a pull request
    Markdown,
    /// For test dashboards: JUnit XML
    Junit,
    /// For reviewdog
    Rdjson,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Text => Self::Text,
            FormatName::Json => Self::Json,
            FormatName::Jsonl => Self::Jsonl,
            FormatName::Sarif => Self::Sarif,
            FormatName::Github => Self::Github,
            FormatName::Html => Self::Html,
            FormatName::Markdown => Self::Markdown,
            FormatName::Junit => Self::Junit,
            FormatName::Rdjson => Self::Rdjson,
        }
    }
}

/// A language on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanguageName {
    /// English
    En,
    /// Chinese
    Zh,
}

impl From<LanguageName> for Language {
    fn from(name: LanguageName) -> Self {
        match name {
            LanguageName::En => Self::English,
            LanguageName::Zh => Self::Chinese,
        }
    }
}

/// What a retest found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Outcome {
    /// The claim still holds
    Pass,
    /// It does not, and the document has to say so
    Fail,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorName {
    /// At a terminal, unless NO_COLOR or TERM=dumb
    Auto,
    /// Also into files and pipes
    Always,
    /// Not at all
    Never,
}

/// Which finding makes the exit status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// At least one lead
    Lead,
    /// None
    Never,
}

/// The clap command with the names of the checks that exist, so that a mistyped one is answered with
/// the nearest.
pub fn command(checks: &[Topic]) -> clap::Command {
    let names = || PossibleValuesParser::new(checks.iter().map(|topic| topic.name));
    ["check", "no_check"].into_iter().fold(Args::command(), |command, option| {
        command.mut_arg(option, |arg| arg.value_parser(names()))
    })
}

/// Reads a command line whose first word is the program's name.
///
/// # Errors
/// What clap says, which includes `--help` and `--version`.
pub fn parse(
    words: impl IntoIterator<Item = OsString>,
    checks: &[Topic],
) -> Result<Args, clap::Error> {
    let mut command = command(checks);
    let matches = command.try_get_matches_from_mut(words)?;
    Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

fn path_and_line(text: &str) -> Result<(String, u32), String> {
    let parts = text.rsplit_once(':').filter(|(path, _)| !path.is_empty());
    let line = parts.and_then(|(path, line)| Some((path, line.parse().ok()?)));
    line.filter(|(_, line)| *line > 0)
        .map(|(path, line)| (path.to_owned(), line))
        .ok_or_else(|| "a path, a colon and the number of a line".to_owned())
}

fn limit(text: &str) -> Result<(String, u64), String> {
    let (name, number) = text.split_once('=').ok_or("a name, `=` and a number")?;
    if !Limits::NAMES.contains(&name) {
        return Err(match nearest(name, Limits::NAMES) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("known are {}", Limits::NAMES.join(", ")),
        });
    }
    let number = number.parse().map_err(|error| format!("`{number}`: {error}"))?;
    Ok((name.to_owned(), number))
}

fn asked_claim(text: &str) -> Result<AskedClaim, String> {
    match path_and_line(text) {
        Ok((path, line)) => Ok(AskedClaim::Line(path, line)),
        Err(_) if !text.contains(':') => Ok(AskedClaim::Id(text.trim().to_owned())),
        Err(expected) => Err(format!("the id of a claim, or {expected}")),
    }
}

impl std::fmt::Display for AskedClaim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Id(id) => f.write_str(id),
            Self::Line(path, line) => write!(f, "{path}:{line}"),
        }
    }
}

fn glob(pattern: &str) -> Result<String, globset::Error> {
    globset::Glob::new(pattern).map(|_| pattern.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKS: &[Topic] = &[
        Topic { name: "predates-pitfall", explain: String::new(), more: Vec::new(), on: true },
        Topic { name: "second-hand", explain: String::new(), more: Vec::new(), on: true },
    ];

    fn parse(words: &[&str]) -> Result<Args, clap::Error> {
        let words = std::iter::once("claim-audit").chain(words.iter().copied());
        super::parse(words.map(OsString::from), CHECKS)
    }

    #[test]
    fn the_definition_is_sound() {
        command(CHECKS).debug_assert();
    }

    #[test]
    fn defaults_audit_the_current_folder() {
        let args = parse(&[]).unwrap();
        assert_eq!(args.repo, [PathBuf::from(".")]);
        assert_eq!(args.rev, "HEAD");
        assert_eq!(args.min_confidence, None);
        assert_eq!(args.format, FormatName::Text);
        assert_eq!(args.fail_on, None);
    }

    #[test]
    fn lists_repeat_and_take_commas() {
        let args = parse(&[
            "--kind",
            "failure,success",
            "--kind",
            "measurement",
            "--check",
            "second-hand",
        ])
        .unwrap();
        assert_eq!(args.kind.len(), 3);
        assert_eq!(args.check, ["second-hand"]);
    }

    #[test]
    fn a_mistyped_check_is_answered_with_the_nearest() {
        for option in ["--check", "--no-check"] {
            let error = parse(&[option, "predate-pitfall"]).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains("'predates-pitfall'"), "{error}");
        }
    }

    #[test]
    fn wrong_values_are_refused() {
        for words in [
            &["--include", "a[z-a]"][..],
            &["--jobs", "0"],
            &["--limit", "commits"],
            &["--limit", "commits=many"],
            &["--limit", "comits=5"],
            &["--format", "yaml"],
            &["--lang", "latin"],
            &["--min-confidence", "sure"],
            &["-q", "-v"],
            &["--list-checks", "--list-rules"],
            &["a", "--repos", "b"],
        ] {
            assert_eq!(parse(words).unwrap_err().exit_code(), 2, "{words:?}");
        }
    }

    #[test]
    fn help_in_full() {
        let help = command(CHECKS).term_width(100).render_long_help();
        insta::assert_snapshot!(help);
    }
}
