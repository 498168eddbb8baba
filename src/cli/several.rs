//! Several repositories in one run: each as if alone, reported in the order in which they were named.
//!
//! One that cannot be audited stops none of the others.

use std::collections::BTreeMap;
use std::io::{self, Read, Write, stderr, stdin};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::args::{Args, FormatName};
use super::problem::Problem;
use super::source::shown;
use super::{Meter, Status, Surroundings, audit_one, engine, output, packs, panics, unless_closed};
use crate::history::Progress;
use crate::report::{self, escape};

/// Bytes read of a list of repositories.
const LIST_LIMIT: u64 = 16 << 20;

/// What became of one repository: its report and what was found, or why there is none.
type Done = Result<(Status, Vec<u8>), Problem>;

/// The repositories of a list, one a line.
pub(super) fn listed(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    let fail = |source| Problem::RepositoryList { path: path.to_owned(), source };
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        stdin().lock().take(LIST_LIMIT).read_to_end(&mut bytes).map(|_| bytes)
    } else {
        packs::bytes_up_to(path, LIST_LIMIT)
    };
    let text = String::from_utf8(bytes.map_err(fail)?)
        .map_err(|error| fail(io::Error::new(io::ErrorKind::InvalidData, error)))?;
    let lines = text.lines().map(str::trim);
    let named: Vec<PathBuf> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(PathBuf::from)
        .collect();
    if named.is_empty() {
        Err(Problem::EmptyRepositoryList { path: path.to_owned() })
    } else {
        Ok(named)
    }
}

/// Audits all of them, as many at once as there are threads to use.
pub(super) fn audit(
    args: &Args,
    named: &[PathBuf],
    surroundings: &Surroundings,
    out: &mut dyn Write,
) -> Result<Status, Problem> {
    if !matches!(args.format, FormatName::Text | FormatName::Json) {
        return Err(Problem::OneAtATime { option: "--format" });
    }
    let alone = [
        ("--claim", args.claim.is_some()),
        ("--retest", args.retest.is_some()),
        ("--print-config", args.print_config),
        ("--baseline", args.baseline.is_some()),
        ("--write-baseline", args.write_baseline.is_some()),
    ];
    if let Some((option, _)) = alone.into_iter().find(|(_, given)| *given) {
        return Err(Problem::OneAtATime { option });
    }
    match args.output.as_deref().filter(|path| path.as_os_str() != "-") {
        None => audit_into(args, named, surroundings, out),
        Some(path) => {
            let mut status = Ok(Status::Clean);
            output::replace(path, |out| {
                match audit_into(args, named, &surroundings.of_file(), out) {
                    Err(Problem::Report(error)) => Err(error),
                    done => {
                        status = done;
                        Ok(())
                    }
                }
            })
            .map_err(|source| Problem::Output { path: path.to_owned(), source })?;
            status
        }
    }
}

fn audit_into(
    args: &Args,
    named: &[PathBuf],
    surroundings: &Surroundings,
    out: &mut dyn Write,
) -> Result<Status, Problem> {
    let jobs = engine::jobs(args);
    let workers = jobs.min(named.len()).max(1);
    let each = Args {
        jobs: NonZeroUsize::new(jobs / workers),
        output: None,
        quiet: true,
        verbose: 0,
        ..args.clone()
    };
    let meter = Meter::new(surroundings.progress() && !args.quiet, args.verbose > 0);
    meter.phase("repositories", u64::try_from(named.len()).ok());
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel::<(usize, Done)>();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next, each) = (sender.clone(), &next, &each);
            scope.spawn(move || {
                while let Some((at, named)) = take(next, named) {
                    let done = panics::caught(|| {
                        let silent = Meter::new(false, false);
                        let mut report = Vec::new();
                        let one = audit_one(each, named, surroundings, &silent, &mut report)?;
                        Ok((one, report))
                    });
                    // Nobody listens where the report could not be written: then no more is needed.
                    if sender.send((at, done)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut sum = Sum::default();
        let mut waiting = BTreeMap::new();
        for (at, done) in receiver {
            meter.advance(1);
            waiting.insert(at, done);
            while let Some(done) = waiting.remove(&sum.repositories()) {
                let Some(named) = named.get(sum.repositories()) else { break };
                let written =
                    meter.suspend(|| tell(args, named, done, surroundings, &mut sum, out));
                unless_closed(written).map_err(Problem::Report)?;
            }
        }
        meter.finish();
        if args.format == FormatName::Text {
            let language = args.lang.map_or_else(|| surroundings.language(), Into::into);
            let line = report::several::sum(sum.leads, sum.clean, &sum.failed, language);
            unless_closed(writeln!(out, "{line}")).map_err(Problem::Report)?;
        }
        Ok(sum.status())
    })
}

/// The next repository that nobody has taken.
fn take<'a>(next: &AtomicUsize, named: &'a [PathBuf]) -> Option<(usize, &'a Path)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    Some((at, named.get(at)?.as_path()))
}

/// What was found so far, in the order in which the repositories were named.
#[derive(Default)]
struct Sum {
    /// Repositories with a lead.
    leads: usize,
    /// Repositories without one.
    clean: usize,
    /// Those that could not be audited.
    failed: Vec<String>,
}

impl Sum {
    fn repositories(&self) -> usize {
        self.leads + self.clean + self.failed.len()
    }

    fn status(&self) -> Status {
        match (self.failed.is_empty(), self.leads) {
            (false, _) => Status::Failed,
            (true, 0) => Status::Clean,
            (true, _) => Status::Found,
        }
    }
}

/// Writes what became of one repository.
fn tell(
    args: &Args,
    named: &Path,
    done: Done,
    surroundings: &Surroundings,
    sum: &mut Sum,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name = shown(named.as_os_str());
    match done {
        Ok((status, text)) => {
            match status {
                Status::Found => sum.leads += 1,
                Status::Clean | Status::Failed => sum.clean += 1,
            }
            match args.format {
                FormatName::Json => out.write_all(&one_line(&text)),
                _ => {
                    writeln!(out, "== {}\n", escape::cut(&name, escape::MESSAGE_LIMIT))?;
                    out.write_all(&text)?;
                    writeln!(out)
                }
            }
        }
        Err(problem) => {
            let mut told = problem.tell();
            if args.format == FormatName::Json {
                report::several::write_failure(&name, &told.error, &told.help, out)?;
            }
            told.error = format!("{name}: {}", told.error);
            let color = surroundings.color(args.color, surroundings.stderr_terminal);
            // Nothing is left to say it to where standard error is closed.
            let _ = told.write(color, &mut stderr());
            sum.failed.push(name);
            Ok(())
        }
    }
}

/// An indented JSON text as one line. Strings hold no line feed: JSON writes it as `\n`.
fn one_line(json: &[u8]) -> Vec<u8> {
    let lines = json.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_start);
    let mut line = lines.collect::<Vec<_>>().concat();
    line.push(b'\n');
    line
}
