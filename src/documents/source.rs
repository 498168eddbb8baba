//! A document's text and where its lines begin.

use super::Lines;

/// Decoded text with a line index. Lines end at `\n`, as git and `sed` count them.
pub(super) struct Source {
    /// The text, without a byte order mark.
    pub(super) text: String,
    starts: Vec<usize>,
}

impl Source {
    /// Decodes a file; what was lost on the way comes back as problems.
    pub(super) fn read(bytes: &[u8]) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = String::from_utf8_lossy(bytes);
        if text.len() != bytes.len() || text.as_bytes() != bytes {
            problems.push("not valid UTF-8: unreadable bytes were replaced".to_owned());
        }
        if text.contains('\0') {
            problems.push("contains NUL characters".to_owned());
        }
        (Self::new(text.into_owned()), problems)
    }

    /// Indexes text that is already decoded.
    pub(super) fn new(text: String) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0)
            .chain(breaks.map(|(offset, _)| offset + 1))
            .collect();
        Self { text, starts }
    }

    /// The line of a byte offset of the text, 1-based.
    pub(super) fn line_of(&self, offset: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// The lines of a byte range, blank ends of the range left out.
    pub(super) fn lines_of(&self, range: std::ops::Range<usize>) -> Lines {
        let text = self.text.get(range.clone()).unwrap_or_default();
        let start = range.start + (text.len() - text.trim_ascii_start().len());
        let end = range.start + text.trim_ascii_end().len();
        let start_line = self.line_of(start.min(range.end));
        Lines {
            start: start_line,
            end: self.line_of(end.saturating_sub(1)).max(start_line),
        }
    }

    /// Every line with its number, without its line ending.
    pub(super) fn lines(&self) -> impl Iterator<Item = (u32, &str)> {
        (1..).zip(self.text.lines())
    }
}
