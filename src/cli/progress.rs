//! Progress on standard error, for people who wait.

use std::fmt;
use std::io::{Write, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::history::Progress;

/// How often the line moves by itself, so that a slow step is seen to be alive.
const TICK: Duration = Duration::from_millis(120);

/// A line that shows the phase, how far it is and how fast it goes; or nothing at all.
pub struct Meter {
    bar: ProgressBar,
    verbose: bool,
}

impl Meter {
    /// A meter that draws where `draw`, and writes a line for each phase where `verbose`.
    pub fn new(draw: bool, verbose: bool) -> Self {
        let target = if draw { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self { bar: ProgressBar::with_draw_target(None, target), verbose }
    }

    /// Takes the line away while `write` writes.
    pub(super) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Removes the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Meter {
    fn phase(&self, name: &'static str, total: Option<u64>) {
        if self.verbose {
            let line = total.map_or_else(|| name.to_owned(), |total| format!("{name}: {total}"));
            // Nobody reads standard error any more: no reason to stop.
            self.bar.suspend(|| _ = writeln!(stderr(), "claim-audit: {line}"));
        }
        let template = match total {
            None => "{msg} {human_pos} {spinner}",
            Some(_) => "{msg} {bar:24} {human_pos}/{human_len}, {rate}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.progress_chars("━╸ ").with_key("rate", rate));
        }
        self.bar.set_message(name);
        self.bar.reset();
        match total {
            None => self.bar.unset_length(),
            Some(total) => self.bar.set_length(total),
        }
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(TICK);
        }
    }

    fn advance(&self, by: u64) {
        self.bar.inc(by);
    }

    fn note(&self, text: &str) {
        if self.verbose {
            self.bar.suspend(|| _ = writeln!(stderr(), "claim-audit: {text}"));
        }
    }
}

fn rate(state: &ProgressState, out: &mut dyn fmt::Write) {
    // The line is drawn again in a moment; there is nobody to report a failure to.
    let _ = write!(out, "{:.0}/s", state.per_sec());
}

impl Drop for Meter {
    /// An error text must not be drawn over.
    fn drop(&mut self) {
        self.finish();
    }
}
