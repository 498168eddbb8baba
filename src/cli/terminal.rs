//! What the program stands in: terminals and environment variables. Nothing else reads them.

use std::env;
use std::io::{IsTerminal, stderr, stdout};
use std::path::PathBuf;
use std::time::SystemTime;

use chrono::{DateTime, NaiveDate};

use super::args::ColorName;
use crate::texts::Language;

/// Width of reports that go to no terminal, so that they are the same everywhere.
const UNKNOWN_WIDTH: usize = 100;
/// Narrowest and widest lines: wider prose is harder to read, narrower columns have no room.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=120;

/// Terminals and environment variables, as found when the program started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Standard output is a terminal.
    pub stdout_terminal: bool,
    /// Standard error is a terminal.
    pub stderr_terminal: bool,
    /// Standard output is a pipe: to a pager, where standard error is a terminal.
    pub stdout_pipe: bool,
    /// The terminal on standard output is known to open links by a click, or `FORCE_HYPERLINK` says
    /// so.
    pub hyperlinks: bool,
    /// What the terminal says of its width.
    pub terminal_columns: Option<usize>,
    /// `COLUMNS`, `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE`, `FORCE_COLOR` and `TERM`, where set.
    pub columns: Option<String>,
    /// See [`Self::columns`].
    pub no_color: Option<String>,
    /// See [`Self::columns`].
    pub clicolor: Option<String>,
    /// See [`Self::columns`].
    pub clicolor_force: Option<String>,
    /// See [`Self::columns`].
    pub force_color: Option<String>,
    /// See [`Self::columns`].
    pub term: Option<String>,
    /// The folders of `GIT_CEILING_DIRECTORIES`.
    pub ceilings: Vec<PathBuf>,
    /// The locale of messages: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set and not
    /// empty.
    pub locale: Option<String>,
    /// `GITHUB_STEP_SUMMARY`: the file to which a step of GitHub Actions adds its summary.
    pub step_summary: Option<PathBuf>,
    /// The day, in UTC: that of `SOURCE_DATE_EPOCH` where it is set, as for reproducible builds.
    pub today: NaiveDate,
}

impl Surroundings {
    /// Looks around.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is where the program reads its environment"
    )]
    pub fn read() -> Self {
        let variable = |name| env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        Self {
            stdout_terminal: stdout().is_terminal(),
            stderr_terminal: stderr().is_terminal(),
            stdout_pipe: is_pipe(),
            hyperlinks: supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout),
            terminal_columns: terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)),
            columns: variable("COLUMNS"),
            no_color: variable("NO_COLOR"),
            clicolor: variable("CLICOLOR"),
            clicolor_force: variable("CLICOLOR_FORCE"),
            force_color: variable("FORCE_COLOR"),
            term: variable("TERM"),
            ceilings: env::var_os("GIT_CEILING_DIRECTORIES")
                .map_or_else(Vec::new, |list| env::split_paths(&list).collect()),
            locale: ["LC_ALL", "LC_MESSAGES", "LANG"]
                .into_iter()
                .filter_map(variable)
                .find(|locale| !locale.is_empty()),
            step_summary: env::var_os("GITHUB_STEP_SUMMARY")
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
            today: day(
                variable("SOURCE_DATE_EPOCH").and_then(|seconds| seconds.trim().parse().ok())
            ),
        }
    }

    /// The same for what goes into a file: no terminal, and a width that is the same everywhere.
    pub(super) fn of_file(&self) -> Self {
        Self {
            stdout_terminal: false,
            stdout_pipe: false,
            hyperlinks: false,
            columns: None,
            ..self.clone()
        }
    }

    /// Whether to colour what goes to a place that is, or is not, a terminal.
    ///
    /// The option decides before all variables, refusal before force, force before the terminal.
    pub fn color(&self, wanted: ColorName, terminal: bool) -> bool {
        match wanted {
            ColorName::Always => true,
            ColorName::Never => false,
            ColorName::Auto if self.no_color.as_ref().is_some_and(|value| !value.is_empty()) => {
                false
            }
            ColorName::Auto
                if is_on(self.clicolor_force.as_ref()) || is_on(self.force_color.as_ref()) =>
            {
                true
            }
            ColorName::Auto => {
                terminal
                    && self.term.as_deref() != Some("dumb")
                    && self.clicolor.as_deref() != Some("0")
            }
        }
    }

    /// Columns for a report on standard output.
    ///
    /// `COLUMNS` is obeyed where it is exported, which shells do only when asked to.
    pub fn width(&self) -> usize {
        let asked = self
            .columns
            .as_ref()
            .and_then(|columns| columns.trim().parse().ok())
            .filter(|width| *width > 0);
        // A pager shows the report in the terminal; a file is the same whatever the terminal.
        let seen = self.stdout_terminal || self.stdout_pipe && self.stderr_terminal;
        let found = self.terminal_columns.filter(|_| seen);
        asked.or(found).unwrap_or(UNKNOWN_WIDTH).clamp(*WIDTHS.start(), *WIDTHS.end())
    }

    /// Whether places are written as links. `--color always` does not ask for them: logs show their
    /// escapes raw.
    pub fn links(&self) -> bool {
        self.hyperlinks && self.term.as_deref() != Some("dumb")
    }

    /// The language that reports are written in, unless an option says otherwise.
    pub fn language(&self) -> Language {
        self.locale.as_deref().and_then(Language::of_locale).unwrap_or_default()
    }

    /// Whether a moving line on standard error can be drawn and is seen by somebody.
    pub fn progress(&self) -> bool {
        self.stderr_terminal && self.term.as_deref() != Some("dumb")
    }
}

/// Whether standard output is a pipe.
#[cfg(unix)]
fn is_pipe() -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata("/dev/stdout").is_ok_and(|it| it.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe() -> bool {
    false
}

fn is_on(value: Option<&String>) -> bool {
    value.is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// The day of a moment, of now where none is given.
#[expect(
    clippy::disallowed_methods,
    reason = "entries of the configuration end on a day, and only here is one known"
)]
fn day(seconds: Option<i64>) -> NaiveDate {
    let now = || {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_secs()).unwrap_or_default()
    };
    let moment = DateTime::from_timestamp(seconds.unwrap_or_else(now), 0);
    moment.unwrap_or_default().date_naive()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(change: impl FnOnce(&mut Surroundings)) -> Surroundings {
        let mut surroundings =
            Surroundings { terminal_columns: Some(80), ..Surroundings::default() };
        change(&mut surroundings);
        surroundings
    }

    #[test]
    fn colour_obeys_option_then_refusal_then_force_then_terminal() {
        let yes = || Some("1".to_owned());
        let plain = set(|_| ());
        assert!(plain.color(ColorName::Auto, true));
        assert!(!plain.color(ColorName::Auto, false));
        assert!(plain.color(ColorName::Always, false));
        let refused =
            set(|it| (it.no_color, it.clicolor_force, it.force_color) = (yes(), yes(), yes()));
        assert!(!refused.color(ColorName::Auto, true));
        assert!(refused.color(ColorName::Always, true));
        assert!(set(|it| it.no_color = Some(String::new())).color(ColorName::Auto, true));
        let forced = set(|it| it.clicolor_force = yes());
        assert!(forced.color(ColorName::Auto, false));
        assert!(!forced.color(ColorName::Never, true));
        assert!(set(|it| it.force_color = yes()).color(ColorName::Auto, false));
        assert!(!set(|it| it.force_color = Some("0".into())).color(ColorName::Auto, false));
        assert!(!set(|it| it.term = Some("dumb".into())).color(ColorName::Auto, true));
        assert!(!set(|it| it.clicolor = Some("0".into())).color(ColorName::Auto, true));
    }

    #[test]
    fn width_is_asked_found_or_fixed() {
        assert_eq!(set(|_| ()).width(), 100);
        assert_eq!(set(|it| it.stdout_terminal = true).width(), 80);
        assert_eq!(set(|it| it.stdout_pipe = true).width(), 100);
        assert_eq!(set(|it| (it.stdout_pipe, it.stderr_terminal) = (true, true)).width(), 80);
        assert_eq!(set(|it| it.stderr_terminal = true).width(), 100);
        assert_eq!(set(|it| it.columns = Some("72".into())).width(), 72);
        for nonsense in ["", "wide", "0", "-5"] {
            assert_eq!(set(|it| it.columns = Some(nonsense.into())).width(), 100);
        }
        assert_eq!(set(|it| it.columns = Some("1".into())).width(), 40);
        assert_eq!(set(|it| it.columns = Some("99999".into())).width(), 120);
    }

    #[test]
    fn the_locale_names_the_language_where_it_is_ours() {
        let spoken = |locale: &str| set(|it| it.locale = Some(locale.into())).language();
        assert_eq!(spoken("zh_CN.UTF-8"), Language::Chinese);
        assert_eq!(spoken("fr_FR.UTF-8"), Language::English);
        assert_eq!(set(|_| ()).language(), Language::English);
    }

    #[test]
    fn links_need_a_terminal_that_knows_them() {
        assert!(set(|it| it.hyperlinks = true).links());
        assert!(!set(|_| ()).links());
        assert!(!set(|it| (it.hyperlinks, it.term) = (true, Some("dumb".into()))).links());
    }

    #[test]
    fn progress_needs_a_terminal_that_can_draw() {
        assert!(set(|it| it.stderr_terminal = true).progress());
        assert!(!set(|_| ()).progress());
        assert!(!set(|it| (it.stderr_terminal, it.term) = (true, Some("dumb".into()))).progress());
    }
}
