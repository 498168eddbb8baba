//! Delimited blocks of AsciiDoc: verbatim, compound, tables.

use crate::documents::inline::Inline;
use crate::documents::{Lines, Quote, Text, code};

use super::tables::CellStream;
use super::{Front, Verbatim, quote_of, style_of};

impl Front<'_> {
    /// A line that begins or ends a block.
    pub(super) fn fence(&mut self, line: u32, text: &str) -> bool {
        let sign = text.chars().next().unwrap_or_default();
        let run = text.chars().take_while(|c| *c == sign).count();
        let whole = run == text.chars().count() && text.is_ascii();
        let backticks = text.strip_prefix("```").filter(|language| !language.contains('`'));
        if matches!(text, "|===" | "!===") {
            self.flush();
            self.end_unjoined();
            let attributes = std::mem::take(&mut self.attributes);
            self.builder.open_table(None);
            self.table = Some((text.to_owned(), CellStream::new(&attributes)));
        } else if whole && run >= 4 && "-.+/".contains(sign) {
            self.flush();
            self.end_unjoined();
            let attributes = std::mem::take(&mut self.attributes);
            self.open_verbatim(line, "", text, source_language(&attributes));
        } else if let Some(language) = backticks {
            self.flush();
            self.end_unjoined();
            self.attributes.clear();
            self.open_verbatim(line, "", "```", language.trim().to_owned());
        } else if text == "--" || (whole && run >= 4 && "=*_".contains(sign)) {
            self.flush();
            self.end_unjoined();
            let attributes = std::mem::take(&mut self.attributes);
            if let Some(index) = self.blocks.iter().rposition(|(fence, _)| fence == text) {
                for (_, lists) in self.blocks.drain(index..).rev() {
                    self.fences.close_fenced(self.builder);
                    self.lists = lists;
                }
            } else {
                self.fences.open_fenced(self.builder);
                let quote = style_of(&attributes).and_then(quote_of);
                let plain = if sign == '_' { Quote::Plain } else { Quote::None };
                self.builder.open_quote(quote.unwrap_or(plain), None);
                self.blocks.push((text.to_owned(), std::mem::take(&mut self.lists)));
            }
        } else {
            return false;
        }
        true
    }

    /// A block ends the items above it unless a `+` joined it to them.
    pub(super) fn end_unjoined(&mut self) {
        if !std::mem::take(&mut self.joined) {
            self.end_items(0);
        }
    }

    pub(super) fn open_verbatim(&mut self, line: u32, first: &str, fence: &str, language: String) {
        let mut text = Text::default();
        if !first.is_empty() {
            code::push(&mut text, &format!("{first}\n"), std::iter::once(line));
        }
        let hidden = fence.starts_with('/') || fence.starts_with('+');
        self.verbatim = Some(Verbatim {
            fence: fence.to_owned(),
            language: (!hidden).then_some(language),
            start: line,
            text,
        });
    }

    pub(super) fn end_verbatim(&mut self, end: Option<u32>) {
        let Some(Verbatim { fence, language, start, mut text }) = self.verbatim.take() else {
            return;
        };
        let last = text.lines.last().map_or(start, |(_, line)| *line);
        code::trim(&mut text);
        match language {
            Some(language) => {
                let end = end.filter(|_| !fence.is_empty()).unwrap_or(last);
                self.builder.code(&language, Lines { start, end: end.max(start) }, text);
            }
            None if fence.starts_with('/') => {
                let mut comment = Inline::default();
                let lines: Vec<u32> = text.lines.iter().map(|(_, line)| *line).collect();
                comment.push_lines(&text.plain, lines.into_iter());
                self.builder.comment(comment);
            }
            None => {}
        }
    }

    pub(super) fn end_table(&mut self) {
        if let Some((_, cells)) = self.table.take() {
            cells.finish(self.builder);
            self.builder.close_table();
        }
    }
}

/// The language of `[source,language]`.
fn source_language(attributes: &str) -> String {
    let list = attributes.rsplit('[').next().unwrap_or_default().trim_end_matches(']');
    let mut words = list.split(',').map(str::trim);
    let source = words.next().is_some_and(|style| style.starts_with("source") || style.is_empty());
    words
        .next()
        .filter(|word| source && !word.contains('='))
        .unwrap_or_default()
        .trim_matches('"')
        .to_owned()
}
