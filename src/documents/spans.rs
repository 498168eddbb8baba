//! Inline markup of the formats that have no parser crate: delimiters around words, and what each
//! format adds to them. Every search goes forward once, so a passage costs time linear in its length.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use super::Mark;
use super::html_text::{self, Script};
use super::inline::Inline;
use super::source::Source;

/// A pair of signs around marked words.
pub(super) struct Delimiter {
    /// What begins and ends it.
    pub(super) sign: &'static str,
    /// What it means.
    pub(super) mark: Mark,
    /// No markup counts within.
    pub(super) verbatim: bool,
    /// It works within a word too.
    pub(super) anywhere: bool,
}

impl Delimiter {
    /// Around whole words.
    pub(super) const fn words(sign: &'static str, mark: Mark) -> Self {
        Self { sign, mark, verbatim: matches!(mark, Mark::Code), anywhere: false }
    }

    /// Around anything.
    pub(super) const fn anywhere(sign: &'static str, mark: Mark) -> Self {
        Self { anywhere: true, ..Self::words(sign, mark) }
    }
}

/// A stretch of markup and what of it is shown.
pub(super) struct Piece {
    /// Where it ends.
    pub(super) end: usize,
    /// What a reader sees of it.
    pub(super) shown: Range<usize>,
    /// How that is marked.
    pub(super) mark: Option<Mark>,
    /// No markup counts in what is shown.
    pub(super) verbatim: bool,
    /// Above or below the line, where it has no mark.
    pub(super) script: Option<Script>,
}

impl Piece {
    /// Markup that shows nothing.
    pub(super) fn dropped(end: usize) -> Self {
        Self { end, shown: end..end, mark: None, verbatim: true, script: None }
    }

    /// Markup that shows text without marks in it.
    pub(super) fn plain(end: usize, shown: Range<usize>) -> Self {
        Self { end, shown, mark: None, verbatim: true, script: None }
    }

    /// Text without a mark, raised or lowered.
    pub(super) fn script(end: usize, shown: Range<usize>, script: Script) -> Self {
        Self { script: Some(script), ..Self::plain(end, shown) }
    }

    /// Text with a mark and no further markup in it.
    pub(super) fn marked(end: usize, shown: Range<usize>, mark: Mark) -> Self {
        Self { mark: Some(mark), ..Self::plain(end, shown) }
    }

    /// A link's text.
    pub(super) fn link(end: usize, shown: Range<usize>) -> Self {
        Self { end, shown, mark: Some(Mark::Link), verbatim: false, script: None }
    }
}

/// How a format marks words.
pub(super) struct Syntax {
    /// Longer signs before those they begin with.
    pub(super) delimiters: &'static [Delimiter],
    /// Anything else that begins at this offset.
    pub(super) special: fn(&mut Finder<'_>, usize) -> Option<Piece>,
}

/// Finds what comes next in a text and remembers where it was.
pub(super) struct Finder<'a> {
    text: &'a str,
    found: Vec<(&'static str, usize, Option<usize>)>,
}

impl<'a> Finder<'a> {
    /// The text from this offset on.
    pub(super) fn rest(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    /// The character before this offset.
    pub(super) fn before(&self, at: usize) -> Option<char> {
        self.text.get(..at)?.chars().next_back()
    }

    /// Where these characters come next.
    pub(super) fn find(&mut self, needle: &'static str, from: usize) -> Option<usize> {
        self.find_if(needle, from, |_, _| true)
    }

    /// Where these characters come next and `fits` holds, which depends on the place alone.
    fn find_if(
        &mut self,
        needle: &'static str,
        from: usize,
        fits: impl Fn(&str, usize) -> bool,
    ) -> Option<usize> {
        let known = self.found.iter().position(|(held, ..)| *held == needle);
        if let Some((_, since, at)) = known.and_then(|index| self.found.get(index))
            && *since <= from
            && at.is_none_or(|at| at >= from)
        {
            return *at;
        }
        let found = self
            .rest(from)
            .match_indices(needle)
            .map(|(offset, _)| from + offset)
            .find(|at| fits(self.text, *at));
        match known.and_then(|index| self.found.get_mut(index)) {
            Some(held) => *held = (needle, from, found),
            None => self.found.push((needle, from, found)),
        }
        found
    }
}

/// Writes a passage's words, each under its source line.
pub(super) fn write(source: &Source, syntax: &Syntax, inline: &mut Inline) {
    let text = source.text.as_str();
    let mut finder = Finder { text, found: Vec::new() };
    // The delimiters' own searches ask for more than the sign, so they are remembered apart.
    let mut closings = Finder { text, found: Vec::new() };
    let mut open: Vec<(Range<usize>, Option<Mark>)> = Vec::new();
    let (mut at, mut from) = (0, 0);
    let shown = |inline: &mut Inline, range: Range<usize>| {
        inline.push_lines(
            text.get(range.clone()).unwrap_or_default(),
            source.lines_from(range.start),
        );
    };
    loop {
        while let Some((ends, mark)) = open.pop_if(|(ends, _)| at >= ends.start) {
            shown(inline, from..ends.start);
            mark.into_iter().for_each(|mark| inline.close(mark));
            at = ends.end;
            from = at;
        }
        let Some(next) = finder.rest(at).chars().next() else {
            break;
        };
        let limit = open.last().map_or(text.len(), |(ends, _)| ends.start);
        let piece = if next.is_alphanumeric() && !next.is_ascii() {
            None
        } else {
            let special = (syntax.special)(&mut finder, at);
            special.or_else(|| delimited(&mut closings, syntax, at, &open))
        };
        let Some(piece) = piece
            .filter(|piece| piece.end > at && piece.end <= limit && piece.shown.end <= piece.end)
        else {
            at += next.len_utf8();
            continue;
        };
        shown(inline, from..at);
        if piece.verbatim {
            let words = text.get(piece.shown.clone()).unwrap_or_default();
            let lines = source.lines_from(piece.shown.start);
            match piece.mark {
                Some(Mark::Code) => inline.push_code(words, lines),
                Some(mark) => {
                    inline.open(mark);
                    inline.push_lines(words, lines);
                    inline.close(mark);
                }
                None => html_text::push(words, lines, piece.script, inline),
            }
            at = piece.end;
        } else {
            piece.mark.into_iter().for_each(|mark| inline.open(mark));
            at = piece.shown.start;
            open.push((piece.shown.end..piece.end, piece.mark));
        }
        from = at;
    }
    shown(inline, from..text.len());
}

fn delimited(
    closings: &mut Finder<'_>,
    syntax: &Syntax,
    at: usize,
    open: &[(Range<usize>, Option<Mark>)],
) -> Option<Piece> {
    let rest = closings.rest(at);
    let Delimiter { sign, mark, verbatim, anywhere } =
        syntax.delimiters.iter().find(|held| rest.starts_with(held.sign))?;
    // Nothing opens twice: this also keeps the searches apart.
    if open.iter().any(|(_, held)| *held == Some(*mark))
        || (!anywhere && closings.before(at).is_some_and(joins))
    {
        return None;
    }
    let start = at + sign.len();
    let first = closings.rest(start).chars().next()?;
    if first.is_whitespace() || rest.get(sign.len()..)?.starts_with(sign) {
        return None;
    }
    let end = closings.find_if(sign, start + first.len_utf8(), |text, at| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + sign.len()..).and_then(|text| text.chars().next());
        before.is_some_and(|c| !c.is_whitespace()) && (*anywhere || !after.is_some_and(joins))
    })?;
    Some(Piece {
        end: end + sign.len(),
        shown: start..end,
        mark: Some(*mark),
        verbatim: *verbatim,
        script: None,
    })
}

/// Whether a sign next to this character is part of a word. Scripts without spaces never are.
fn joins(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

/// Lines gathered until their paragraph ends.
#[derive(Default)]
pub(super) struct Passage {
    text: String,
    numbers: Vec<u32>,
}

impl Passage {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// How wide its one line is on a terminal, `None` where there are more.
    pub(super) fn width(&self) -> Option<usize> {
        (self.numbers.len() == 1).then(|| self.text.width())
    }

    /// Adds a line.
    pub(super) fn push(&mut self, line: u32, text: &str) {
        if !self.numbers.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
        self.numbers.push(line);
    }

    /// Takes the lines as a text of their own.
    pub(super) fn take(&mut self) -> Source {
        Source::mapped(std::mem::take(&mut self.text), std::mem::take(&mut self.numbers))
    }
}
