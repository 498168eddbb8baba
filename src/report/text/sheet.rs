//! Lines on a terminal: width, hanging indents and colour, and the place where the gate stands.

use std::borrow::Cow;
use std::io::{self, Write};

use owo_colors::{OwoColorize, Style};
use textwrap::{Options, WordSplitter, WrapAlgorithm};
use unicode_width::UnicodeWidthStr;

use crate::report::escape;
use crate::report::forge::encoded;

/// Narrowest text column: below it lines run over the width rather than become unreadable.
const NARROWEST: usize = 20;

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink<'a> {
    Plain,
    Strong,
    Dim,
    Lead,
    Evidence,
    Pitfall,
    Command,
    /// A place in a file of this path, from the top of the repository.
    Place(&'a str),
}

impl Ink<'_> {
    fn style(self) -> Style {
        let style = Style::new();
        match self {
            Self::Plain => style,
            Self::Strong | Self::Place(_) => style.bold(),
            Self::Dim => style.dimmed(),
            Self::Lead => style.yellow().bold(),
            Self::Evidence => style.green(),
            Self::Pitfall => style.red(),
            Self::Command => style.cyan(),
        }
    }
}

/// A piece of text and what it is.
pub(super) type Span<'a> = (Ink<'a>, &'a str);

/// Where lines are written.
///
/// Every text passes [`escape::visible`] here and nowhere else, so none can be forgotten.
pub(super) struct Sheet<'a> {
    out: &'a mut dyn Write,
    width: usize,
    color: bool,
    links: Option<&'a str>,
    /// Nothing but spaces stands on the line so far.
    at_start: bool,
}

impl<'a> Sheet<'a> {
    /// `links` is the address of the repository's top, where the terminal opens files by a click.
    pub(super) fn new(
        out: &'a mut dyn Write,
        width: usize,
        color: bool,
        links: Option<&'a str>,
    ) -> Self {
        Self { out, width, color, links, at_start: true }
    }

    pub(super) fn blank(&mut self) -> io::Result<()> {
        self.at_start = true;
        self.out.write_all(b"\n")
    }

    /// One line, never wrapped: for what is to be copied or is short.
    pub(super) fn line(&mut self, indent: usize, spans: &[Span<'_>]) -> io::Result<()> {
        write!(self.out, "{:indent$}", "")?;
        for span in spans {
            self.put(*span)?;
        }
        self.blank()
    }

    /// A lead-in and a text that is wrapped to hang to the right of it.
    pub(super) fn hang(
        &mut self,
        indent: usize,
        lead_in: &[Span<'_>],
        text: Span<'_>,
    ) -> io::Result<()> {
        let hang = indent + lead_in.iter().map(|(_, text)| columns(text)).sum::<usize>();
        self.wrapped(indent, lead_in, hang, text)
    }

    /// A lead-in and a text whose further lines begin at the column `hang`.
    pub(super) fn wrapped(
        &mut self,
        indent: usize,
        lead_in: &[Span<'_>],
        hang: usize,
        (ink, text): Span<'_>,
    ) -> io::Result<()> {
        let taken = indent + lead_in.iter().map(|(_, text)| columns(text)).sum::<usize>();
        write!(self.out, "{:indent$}", "")?;
        for span in lead_in {
            self.put(*span)?;
        }
        // The lead-in stands in for what the first line has already spent beyond the hang.
        let spent = " ".repeat(taken.saturating_sub(hang));
        let options = Options::new(self.room(hang))
            .initial_indent(&spent)
            .word_splitter(WordSplitter::NoHyphenation)
            .wrap_algorithm(WrapAlgorithm::FirstFit);
        for (at, line) in textwrap::wrap(&escape::visible(text), options).iter().enumerate() {
            if at == 0 {
                self.put((ink, line.strip_prefix(spent.as_str()).unwrap_or(line)))?;
            } else {
                self.blank()?;
                write!(self.out, "{:hang$}", "")?;
                self.put((ink, line))?;
            }
        }
        self.blank()
    }

    /// Wrapped lines that each begin with a bar, for quoting.
    pub(super) fn quote(&mut self, indent: usize, bar: Ink<'_>, text: &str) -> io::Result<()> {
        let text = escape::visible(text);
        let width = self.room(indent + 2);
        let options = Options::new(width)
            .word_splitter(WordSplitter::NoHyphenation)
            .wrap_algorithm(WrapAlgorithm::FirstFit);
        for line in textwrap::wrap(&text, options) {
            self.line(indent, &[(bar, "│ "), (Ink::Plain, &line)])?;
        }
        Ok(())
    }

    /// Whether texts of these widths stand on one line.
    pub(super) fn fits(&self, taken: usize, text: &str) -> bool {
        taken + columns(text) <= self.width
    }

    /// Columns left on a line of which so many are taken.
    pub(super) fn room(&self, taken: usize) -> usize {
        self.width.saturating_sub(taken).max(NARROWEST)
    }

    fn put(&mut self, (ink, text): Span<'_>) -> io::Result<()> {
        if let (Ink::Place(path), Some(top)) = (ink, self.links) {
            // OSC 8. The path is encoded, so nothing in it ends the sequence; spaces that only pad
            // are no part of the link.
            let place = text.trim_end();
            write!(self.out, "\x1b]8;;{top}{}\x1b\\", encoded(path))?;
            self.inked(ink, place)?;
            self.out.write_all(b"\x1b]8;;\x1b\\")?;
            return self.inked(Ink::Plain, text.get(place.len()..).unwrap_or_default());
        }
        self.inked(ink, text)
    }

    fn inked(&mut self, ink: Ink<'_>, text: &str) -> io::Result<()> {
        let mut text = escape::visible(text);
        if self.at_start {
            text = Cow::Owned(escape::at_start(&text).into_owned());
            self.at_start = text.trim_start().is_empty();
        }
        if self.color && ink != Ink::Plain && !text.is_empty() {
            write!(self.out, "{}", text.style(ink.style()))
        } else {
            self.out.write_all(text.as_bytes())
        }
    }
}

/// How many columns a text takes once it is visible.
pub(super) fn columns(text: &str) -> usize {
    escape::visible(text).width()
}

/// The text with spaces behind it up to a width.
pub(super) fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(columns(text));
    format!("{text}{:missing$}", "")
}
