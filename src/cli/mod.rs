//! The command line: all printing, the environment, exit statuses.
//!
//! Standard output carries the report and nothing else. How a verdict is reached is not known here.

pub mod args;
mod baseline;
mod cached;
mod engine;
mod explain;
mod output;
mod packs;
mod panics;
mod problem;
mod progress;
mod retest;
mod select;
mod settings;
mod several;
mod source;
mod terminal;

use std::io::{self, BufWriter, Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

pub use engine::Topic;
pub use problem::Problem;
pub use progress::Meter;
pub use terminal::Surroundings;

use self::args::{Args, AskedClaim, ColorName, FormatName};
use self::engine::Audited;
use self::settings::{Asked, Settings};
use self::source::Source;
use crate::compare;
use crate::report::{self, Format, escape};
use crate::rules::{RuleSet, nearest};
use crate::suppress::Baseline;
use crate::verdict::{Audit, JudgedClaim};

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Nothing to report at this threshold.
    Clean,
    /// At least one lead, or a rule whose example fails.
    Found,
    /// It could not do what it was asked to.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Clean => Self::SUCCESS,
            Status::Found => Self::from(1),
            Status::Failed => Self::from(2),
        }
    }
}

/// Runs the program and gives its exit status.
pub fn run() -> ExitCode {
    panics::keep();
    let surroundings = Surroundings::read();
    let checks = engine::checks();
    let mut args = match args::parse(std::env::args_os(), &checks) {
        Ok(args) => args,
        Err(error) if error.use_stderr() => {
            let color = surroundings.color(ColorName::Auto, surroundings.stderr_terminal);
            return fail(&Problem::Usage(error), color);
        }
        Err(help_or_version) => {
            // A reader who has gone away needs neither.
            let _ = help_or_version.print();
            return Status::Clean.into();
        }
    };
    args.ceilings.clone_from(&surroundings.ceilings);
    let done = panics::caught(|| {
        let mut out = BufWriter::new(stdout().lock());
        let status = execute(&args, &surroundings, &checks, &mut out)?;
        unless_closed(out.flush()).map_err(Problem::Report)?;
        // What could not be flushed is not tried again when the buffer goes.
        let _ = out.into_parts();
        Ok(status)
    });
    match done {
        Ok(status) => status.into(),
        Err(Problem::Report(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Status::Clean.into()
        }
        Err(problem) => {
            fail(&problem, surroundings.color(args.color, surroundings.stderr_terminal))
        }
    }
}

/// Whoever closed the pipe has seen enough, which changes nothing about what was found.
fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn fail(problem: &Problem, color: bool) -> ExitCode {
    // Nothing is left to say it to where standard error is closed.
    let _ = problem.tell().write(color, &mut stderr());
    Status::Failed.into()
}

fn execute(
    args: &Args,
    surroundings: &Surroundings,
    checks: &[Topic],
    out: &mut dyn Write,
) -> Result<Status, Problem> {
    if let Some(shell) = args.completions {
        let mut command = args::command(checks);
        let name = command.get_name().to_owned();
        clap_complete::generate(shell, &mut command, name, &mut *out);
        return Ok(Status::Clean);
    }
    if args.man {
        let page = clap_mangen::Man::new(args::command(checks));
        page.render(out).map_err(Problem::Report)?;
        return Ok(Status::Clean);
    }
    if args.list_checks {
        return list_checks(checks, surroundings.width(), out).map_err(Problem::Report);
    }
    if let Some(name) = &args.explain {
        return explain_name(args, checks, name, surroundings.width(), out);
    }
    if let Some((path, line)) = &args.explain_line {
        let [named] = args.repo.as_slice() else {
            return Err(Problem::OneAtATime { option: "--explain-line" });
        };
        let meter = Meter::new(surroundings.progress() && !args.quiet, args.verbose > 0);
        let source = Source::of(named.as_os_str(), args.clone_cache.as_deref(), &meter)?;
        let settings = settings::read(args, &source.path)?;
        meter.finish();
        let engine::LineRead { place, text, notes } =
            engine::explain_line(args, &settings, path, *line)?;
        return explain::line(&place, &text, &notes, surroundings.width(), out)
            .map_err(Problem::Report);
    }
    if args.list_rules {
        return list_rules(&engine::rule_set(args)?, out).map_err(Problem::Report);
    }
    if args.test_rules {
        let rules = engine::unproven_rule_set(args)?;
        let failures = engine::failing_examples(&rules);
        return test_rules(rules.ids().count(), &failures, out).map_err(Problem::Report);
    }
    let named = match &args.repos {
        Some(list) => several::listed(list)?,
        None => args.repo.clone(),
    };
    if let Some(path) = &args.output
        && !output::folder(path).is_dir()
    {
        // Better said before a long walk than after it.
        return Err(Problem::NoOutputFolder { path: path.clone() });
    }
    match named.as_slice() {
        [named] if args.repos.is_none() => {
            let meter = Meter::new(surroundings.progress() && !args.quiet, args.verbose > 0);
            audit_one(args, named, surroundings, &meter, out)
        }
        named => several::audit(args, named, surroundings, out),
    }
}

/// Audits one repository and writes what was asked for.
fn audit_one(
    args: &Args,
    named: &Path,
    surroundings: &Surroundings,
    meter: &Meter,
    out: &mut dyn Write,
) -> Result<Status, Problem> {
    let source = Source::of(named.as_os_str(), args.clone_cache.as_deref(), meter)?;
    let settings = settings::read(args, &source.path)?;
    if args.print_config {
        return print_config(&settings, out);
    }
    if settings.checks().is_empty() {
        return Err(Problem::NoCheck);
    }
    if args.claim.is_some() && !matches!(args.format, FormatName::Text | FormatName::Json) {
        return Err(Problem::NoTimeline);
    }
    let audited = engine::audit(args, &settings, surroundings.today, meter)?;
    meter.finish();
    let asked = Asked::of(&settings.config);
    something_was_read(args, &asked, &audited.audit)?;
    if let Some(claim) = &args.retest {
        let at = asked_for(args, &audited.audit, claim)?;
        if let Some(found) = audited.audit.claims.get(at) {
            retest::print(found, args.outcome, out).map_err(Problem::Report)?;
        }
        return Ok(Status::Clean);
    }
    if let Some(path) = &args.write_baseline {
        baseline::write(path, &Baseline::of(&audited.audit, asked.threshold))?;
        return Ok(Status::Clean);
    }
    write_report(args, &source, &asked, surroundings, audited, out)
}

/// No answer is given about a commit of which no document was read.
fn something_was_read(args: &Args, asked: &Asked, audit: &Audit) -> Result<(), Problem> {
    if audit.documents > 0 {
        return Ok(());
    }
    let rev = args.rev.clone();
    Err(if audit.caveats.is_empty() {
        Problem::NoDocument { rev, narrowed: asked.narrowed }
    } else {
        let why = audit.caveats.iter().map(|caveat| caveat.message.clone()).collect();
        Problem::NothingRead { rev, why }
    })
}

/// The place of the claim that somebody asks for.
fn asked_for(args: &Args, audit: &Audit, asked: &AskedClaim) -> Result<usize, Problem> {
    select::find(audit, asked).map_err(|nearest| no_claim(args, asked, nearest))
}

fn no_claim(args: &Args, asked: &AskedClaim, nearest: Option<String>) -> Problem {
    Problem::NoClaim { asked: asked.to_string(), nearest, rev: args.rev.clone() }
}

/// Narrows an audit to what was asked for, writes it, and judges it by `--fail-on`.
fn write_report(
    args: &Args,
    source: &Source,
    asked: &Asked,
    surroundings: &Surroundings,
    audited: Audited,
    out: &mut dyn Write,
) -> Result<Status, Problem> {
    let Audited { mut audit, before } = audited;
    let below_threshold = select::narrow(&mut audit, &asked.kinds, asked.threshold);
    let comparison = before.map(|mut before| {
        select::narrow(&mut before, &asked.kinds, asked.threshold);
        let mut comparison = compare::compare(&before, &audit);
        compare::keep_changed(&mut audit, &mut comparison);
        comparison
    });
    let claim = args.claim.as_ref();
    let claim = claim
        .map(|asked| select::find_any(&audit, asked).map_err(|near| no_claim(args, asked, near)))
        .transpose()?;
    let counts = |at: usize| audit.claims.get(at).is_some_and(JudgedClaim::counts);
    let leads = match (claim, &comparison) {
        (Some(report::Asked::Standing(at)), _) => counts(at),
        (Some(report::Asked::Ended(_)), _) => false,
        (None, Some(comparison)) => comparison.made_leads(),
        (None, None) => audit.claims.iter().any(JudgedClaim::counts),
    };
    let path = args.output.as_deref().filter(|path| path.as_os_str() != "-");
    let to_terminal = surroundings.stdout_terminal && path.is_none();
    let options = report::Options {
        repository: source.named.clone(),
        width: if path.is_none() { surroundings.width() } else { Surroundings::default().width() },
        color: surroundings.color(args.color, to_terminal),
        links: if surroundings.links() && path.is_none() { top(&source.path) } else { None },
        all: args.all,
        below_threshold,
        comparison,
        language: args.lang.map_or_else(|| surroundings.language(), Into::into),
    };
    let format = args.format.into();
    let write = |out: &mut dyn Write| match claim {
        Some(claim) => report::write_timeline(format, &audit, claim, &options, out),
        None => report::write(format, &audit, &options, out),
    };
    match path {
        None => unless_closed(write(out)).map_err(Problem::Report)?,
        Some(path) => output::replace(path, write)
            .map_err(|source| Problem::Output { path: path.to_owned(), source })?,
    }
    if format == Format::Github
        && let Some(path) = &surroundings.step_summary
    {
        // What annotations have no room for stands in the summary of the job.
        output::append(path, |out| report::write(Format::Markdown, &audit, &options, out))
            .map_err(|source| Problem::Output { path: path.clone(), source })?;
    }
    Ok(if leads && asked.fail_on_leads { Status::Found } else { Status::Clean })
}

/// Prints what is in force as a configuration that would put it in force.
fn print_config(settings: &Settings, out: &mut dyn Write) -> Result<Status, Problem> {
    let text =
        settings.config.to_yaml().map_err(|error| Problem::Report(io::Error::other(error)))?;
    let print = |out: &mut dyn Write| {
        writeln!(out, "# {}", settings.origin)?;
        text.lines().try_for_each(|text| line(text, out))
    };
    print(out).map_err(Problem::Report)?;
    Ok(Status::Clean)
}

/// The address of the working tree that a folder is in.
fn top(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().find(|it| it.join(".git").exists()).map(report::folder_address)
}

fn list_checks(checks: &[Topic], width: usize, out: &mut dyn Write) -> io::Result<Status> {
    let names = checks.iter().map(|topic| topic.name.len()).max().unwrap_or(0);
    let hang = " ".repeat(names + 2);
    for topic in checks {
        let short = topic.explain.split_inclusive(". ").next().unwrap_or_default();
        let options = textwrap::Options::new(width).subsequent_indent(&hang);
        let off = if topic.on { "" } else { " (off unless named by --check)" };
        let line = format!("{:names$}  {}{off}", topic.name, short.trim_end());
        writeln!(out, "{}", textwrap::fill(&line, options))?;
    }
    Ok(Status::Clean)
}

/// Explains the check of a name, or else the rule.
fn explain_name(
    args: &Args,
    checks: &[Topic],
    name: &str,
    width: usize,
    out: &mut dyn Write,
) -> Result<Status, Problem> {
    if let Some(topic) = checks.iter().find(|topic| topic.name == name) {
        return explain::check(topic, width, out).map_err(Problem::Report);
    }
    let rules = engine::rule_set(args)?;
    if let Some(facts) = rules.facts(name) {
        return explain::rule(&facts, width, out).map_err(Problem::Report);
    }
    let known = checks.iter().map(|topic| topic.name).chain(rules.names());
    let nearest = nearest(name, known).map(str::to_owned);
    Err(Problem::NoSuchName { name: name.to_owned(), nearest })
}

fn list_rules(rules: &RuleSet, out: &mut dyn Write) -> io::Result<Status> {
    for pack in rules.packs() {
        line(&format!("# {} {}: {}", pack.id, pack.version, pack.title), out)?;
    }
    for (id, kind, pack) in rules.list() {
        line(&format!("{id:32} {kind:12} {pack}"), out)?;
    }
    Ok(Status::Clean)
}

fn test_rules(rules: usize, failures: &[String], out: &mut dyn Write) -> io::Result<Status> {
    for failure in failures {
        line(failure, out)?;
    }
    writeln!(out, "{rules} rules tested, {} of their examples failed", failures.len())?;
    Ok(if failures.is_empty() { Status::Clean } else { Status::Found })
}

/// A line that may come from a user's pack.
fn line(line: &str, out: &mut dyn Write) -> io::Result<()> {
    let text = escape::cut(line, escape::MESSAGE_LIMIT);
    writeln!(out, "{}", escape::at_start(&text))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::config::Config;
    use crate::history::NoProgress;
    use crate::report::sample;
    use crate::verdict::Audit;

    fn asked(words: &[&str]) -> Asked {
        Asked::of(&settings::over(&parsed(words), Config::default()))
    }

    fn here() -> Source {
        Source::of(".".as_ref(), None, &NoProgress).unwrap()
    }

    fn alone(audit: Audit) -> Audited {
        Audited { audit, before: None }
    }

    fn parsed(words: &[&str]) -> Args {
        let words = std::iter::once("claim-audit").chain(words.iter().copied());
        args::parse(words.map(OsString::from), &engine::checks()).unwrap()
    }

    fn reported(words: &[&str], audit: Audit) -> (Status, String) {
        let mut out = Vec::new();
        let status = write_report(
            &parsed(words),
            &here(),
            &asked(words),
            &Surroundings::default(),
            alone(audit),
            &mut out,
        )
        .unwrap();
        (status, String::from_utf8(out).unwrap())
    }

    fn executed(words: &[&str]) -> Result<(Status, String), Problem> {
        let mut out = Vec::new();
        let status =
            execute(&parsed(words), &Surroundings::default(), &engine::checks(), &mut out)?;
        Ok((status, String::from_utf8(out).unwrap()))
    }

    #[test]
    fn a_lead_is_found_unless_told_never_to_fail() {
        assert_eq!(reported(&[], sample::audit()).0, Status::Found);
        assert_eq!(reported(&["--fail-on", "never"], sample::audit()).0, Status::Clean);
        assert_eq!(reported(&["--kind", "success"], sample::audit()).0, Status::Clean);
        assert_eq!(reported(&[], sample::empty()).0, Status::Clean);
    }

    #[test]
    fn what_the_threshold_hides_is_counted() {
        let (_, text) = reported(&["--min-confidence", "high"], sample::audit());
        assert!(text.contains("3 reasons below the wanted confidence"), "{text}");
        assert!(!text.contains("second-hand ("));
    }

    #[test]
    fn no_document_is_a_problem_and_no_clean_answer() {
        let audit = Audit { documents: 0, ..sample::empty() };
        let words = ["--include", "*.rst"];
        let done = something_was_read(&parsed(&words), &asked(&words), &audit);
        assert!(matches!(done, Err(Problem::NoDocument { narrowed: true, .. })));
    }

    #[test]
    fn a_report_goes_to_its_file_without_colour_and_at_a_fixed_width() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.txt");
        let terminal = Surroundings {
            stdout_terminal: true,
            terminal_columns: Some(60),
            ..Surroundings::default()
        };
        let args = parsed(&["--output", path.to_str().unwrap()]);
        let mut out = Vec::new();
        write_report(&args, &here(), &asked(&[]), &terminal, alone(sample::audit()), &mut out)
            .unwrap();
        assert!(out.is_empty());
        let written = std::fs::read_to_string(path).unwrap();
        assert_eq!(written, reported(&[], sample::audit()).1);
        assert_eq!(reported(&["--output", "-"], sample::audit()).1, written);
    }

    #[test]
    fn annotations_come_with_a_job_summary() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("summary.md");
        std::fs::write(&path, "# Of another step\n").unwrap();
        let job = Surroundings { step_summary: Some(path.clone()), ..Surroundings::default() };
        let written = |format: &str| {
            let mut out = Vec::new();
            let args = parsed(&["--format", format]);
            write_report(&args, &here(), &asked(&[]), &job, alone(sample::audit()), &mut out)
                .unwrap();
            String::from_utf8(out).unwrap()
        };
        let comment = written("markdown");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "# Of another step\n");
        assert!(written("github").starts_with("::warning title="));
        let summary = std::fs::read_to_string(&path).unwrap();
        assert_eq!(summary, format!("# Of another step\n{comment}"));
        let nowhere = Surroundings { step_summary: Some(folder.path().into()), ..job.clone() };
        let args = parsed(&["--format", "github"]);
        let failed = write_report(
            &args,
            &here(),
            &asked(&[]),
            &nowhere,
            alone(sample::audit()),
            &mut Vec::new(),
        );
        assert!(matches!(failed, Err(Problem::Output { .. })));
    }

    #[test]
    fn questions_are_answered_instead_of_an_audit() {
        let topics = [
            Topic {
                name: "predates-pitfall",
                explain: "Older than a pitfall. And not tested.".into(),
                more: vec!["It fires: often, and here and there.".into()],
                on: true,
            },
            Topic { name: "odd", explain: "Odd.".into(), more: Vec::new(), on: false },
        ];
        let mut out = Vec::new();
        list_checks(&topics, 40, &mut out).unwrap();
        explain::check(&topics[0], 24, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "predates-pitfall  Older than a pitfall.\n\
             odd               Odd. (off unless named\n                  by --check)\n\
             predates-pitfall\n\nOlder than a pitfall.\nAnd not tested.\n\n\
             It fires: often, and\nhere and there.\n"
        );
        for (name, first) in
            [("--list-checks", engine::checks()[0].name), ("--explain=second-hand", "second-hand")]
        {
            let (status, text) = executed(&[name]).unwrap();
            assert_eq!(status, Status::Clean);
            assert!(text.contains(first), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_done_is_said_before_the_walk() {
        let all: Vec<_> = engine::checks().iter().map(|topic| topic.name).collect();
        assert!(matches!(executed(&["--no-check", &all.join(",")]), Err(Problem::NoCheck)));
        assert!(matches!(
            executed(&["--check", "second-hand", "--no-check", "second-hand"]),
            Err(Problem::NoCheck)
        ));
        assert!(matches!(
            executed(&["--output", "/nowhere/at/all"]),
            Err(Problem::NoOutputFolder { .. })
        ));
    }

    #[test]
    fn a_rule_whose_example_fails_is_found() {
        let mut out = Vec::new();
        let failures = ["core.x: \u{1b}[2J".into()];
        assert_eq!(test_rules(2, &failures, &mut out).unwrap(), Status::Found);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "core.x: \\u{1b}[2J\n2 rules tested, 1 of their examples failed\n"
        );
        let (status, text) = executed(&["--list-rules"]).unwrap();
        assert_eq!(status, Status::Clean);
        assert!(text.starts_with("# core "), "{text}");
    }
}
