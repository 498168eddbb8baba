//! A document's text and where its lines begin.

use super::Lines;

/// Decoded text with a line index. Lines end at `\n`, as git and `sed` count them.
pub(super) struct Source {
    /// The text.
    pub(super) text: String,
    starts: Vec<usize>,
    /// The file's line for each line of the text; empty where they are the same.
    numbers: Vec<u32>,
}

impl Source {
    /// Indexes the text of a file.
    pub(super) fn new(text: String) -> Self {
        Self::mapped(text, Vec::new())
    }

    /// Indexes text taken out of a file, whose lines stand on these lines there.
    pub(super) fn mapped(text: String, numbers: Vec<u32>) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(offset, _)| offset + 1)).collect();
        Self { text, starts, numbers }
    }

    /// The file's line of a byte offset of the text, 1-based.
    pub(super) fn line_of(&self, offset: usize) -> u32 {
        self.number(self.index_of(offset))
    }

    /// The file's lines from that of this offset on, one for each line of the text.
    pub(super) fn lines_from(&self, offset: usize) -> impl Iterator<Item = u32> + Clone {
        (self.index_of(offset)..).map(|index| self.number(index))
    }

    /// The lines of a byte range, blank ends of the range left out.
    pub(super) fn lines_of(&self, range: std::ops::Range<usize>) -> Lines {
        let text = self.text.get(range.clone()).unwrap_or_default();
        let start = range.start + (text.len() - text.trim_ascii_start().len());
        let end = range.start + text.trim_ascii_end().len();
        let start_line = self.line_of(start.min(range.end));
        Lines { start: start_line, end: self.line_of(end.saturating_sub(1)).max(start_line) }
    }

    /// Every line with its number, without its line ending.
    pub(super) fn lines(&self) -> impl Iterator<Item = (u32, &str)> + Clone {
        self.lines_from(0).zip(self.text.lines())
    }

    fn index_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// Past the end, the last line goes on being the last.
    fn number(&self, index: usize) -> u32 {
        let index = index.min(self.starts.len().saturating_sub(1));
        let identity = u32::try_from(index + 1).unwrap_or(u32::MAX);
        self.numbers.get(index).or(self.numbers.last()).copied().unwrap_or(identity)
    }
}
