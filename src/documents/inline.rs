//! Inline text in the making: markup comes in as calls, [`Text`] comes out.

use super::{Lines, Mark, Text};

/// Marks open at once; deeper ones are text without a mark.
const MAX_OPEN: usize = 64;

/// Gathers one [`Text`]. White space outside code collapses to single spaces, as readers see it.
#[derive(Debug, Default)]
pub(super) struct Inline {
    text: Text,
    open: Vec<usize>,
}

impl Inline {
    /// Whether nothing readable came yet.
    pub(super) fn is_empty(&self) -> bool {
        self.text.plain.is_empty()
    }

    /// Whether these words are the last.
    pub(super) fn ends_with(&self, words: &str) -> bool {
        self.text.plain.ends_with(words)
    }

    /// Adds running text that stands on this source line.
    pub(super) fn push(&mut self, text: &str, line: u32) {
        let bytes = text.as_bytes();
        let twice = bytes.windows(2).any(|pair| pair == b"  ");
        if !twice && !bytes.iter().any(|b| *b != b' ' && is_space(char::from(*b))) {
            // Nothing collapses in it, as in most text.
            let words = text.trim_start_matches(' ');
            if words.len() < text.len() {
                self.space();
            }
            if !words.is_empty() {
                self.mark_line(line);
                self.text.plain.push_str(words);
            }
            return;
        }
        for piece in text.split_inclusive(is_space) {
            let word = piece.trim_end_matches(is_space);
            if !word.is_empty() {
                self.mark_line(line);
                self.text.plain.push_str(word);
            }
            if word.len() < piece.len() {
                self.space();
            }
        }
    }

    /// Adds running text line by line.
    pub(super) fn push_lines(&mut self, text: &str, lines: impl Iterator<Item = u32>) {
        for (line, part) in lines.zip(text.split_inclusive('\n')) {
            self.push(part, line);
        }
    }

    /// Adds text as it stands, line breaks as spaces.
    pub(super) fn push_verbatim(&mut self, text: &str, lines: impl Iterator<Item = u32>) {
        for (index, (line, part)) in lines.zip(text.lines()).enumerate() {
            if index > 0 {
                self.space();
            }
            if !part.is_empty() {
                self.mark_line(line);
                self.text.plain.push_str(part);
            }
        }
    }

    /// Adds a marked piece as it stands.
    pub(super) fn push_code(&mut self, text: &str, lines: impl Iterator<Item = u32>) {
        self.open(Mark::Code);
        self.push_verbatim(text, lines);
        self.close(Mark::Code);
    }

    /// Adds finished text after a space.
    pub(super) fn append(&mut self, text: Text) {
        if text.plain.is_empty() {
            return;
        }
        self.space();
        let shift = self.text.plain.len();
        self.text.plain.push_str(&text.plain);
        self.text.marks.extend(
            text.marks
                .into_iter()
                .map(|(range, mark)| (range.start + shift..range.end + shift, mark)),
        );
        let last = self.text.lines.last().map_or(0, |(_, line)| *line);
        let further = text.lines.into_iter().filter(|(_, line)| *line > last);
        self.text.lines.extend(further.map(|(offset, line)| (offset + shift, line)));
    }

    /// A break between words.
    pub(super) fn space(&mut self) {
        if !self.text.plain.is_empty() && !self.text.plain.ends_with(' ') {
            self.text.plain.push(' ');
        }
    }

    /// Starts a mark here.
    pub(super) fn open(&mut self, mark: Mark) {
        if self.open.len() < MAX_OPEN {
            let start = self.text.plain.len();
            self.open.push(self.text.marks.len());
            self.text.marks.push((start..start, mark));
        }
    }

    /// Ends the innermost open mark of this sort; without one, does nothing.
    pub(super) fn close(&mut self, mark: Mark) {
        let Self { text, open } = self;
        let innermost = open
            .iter()
            .rposition(|index| text.marks.get(*index).is_some_and(|held| held.1 == mark));
        if let Some(index) = innermost.map(|at| open.remove(at))
            && let Some((range, _)) = text.marks.get_mut(index)
        {
            range.end = text.plain.len();
        }
    }

    /// The text with its lines, `None` where there is nothing to read. Starts anew.
    pub(super) fn take(&mut self) -> Option<(Text, Lines)> {
        let mut text = std::mem::take(&mut self.text);
        for index in self.open.drain(..) {
            if let Some((range, _)) = text.marks.get_mut(index) {
                range.end = text.plain.len();
            }
        }
        text.plain.truncate(text.plain.trim_end_matches(' ').len());
        text.lines.retain(|(offset, _)| *offset < text.plain.len());
        for (range, mark) in &mut text.marks {
            range.end = range.end.min(text.plain.len());
            if *mark != Mark::Code
                && let Some(marked) = text.plain.get(range.clone())
            {
                range.start += marked.len() - marked.trim_start_matches(' ').len();
                range.end -= marked.len() - marked.trim_end_matches(' ').len();
            }
        }
        text.marks.retain(|(range, _)| range.start < range.end);
        text.marks.sort_by_key(|(range, _)| range.start);
        let lines = Lines { start: text.lines.first()?.1, end: text.lines.last()?.1 };
        (!text.plain.is_empty()).then_some((text, lines))
    }

    fn mark_line(&mut self, line: u32) {
        if self.text.lines.last().is_none_or(|(_, last)| *last < line) {
            let offset = if self.text.lines.is_empty() { 0 } else { self.text.plain.len() };
            self.text.lines.push((offset, line));
        }
    }
}

/// White space that collapses. The no-break spaces stay: they hold numbers and units together.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}
