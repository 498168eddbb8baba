//! Commands of LaTeX outside environments: marks, headings, links, symbols.

use crate::documents::Mark;
use crate::documents::table::CellShape;

use super::{Front, Group, symbols};

impl<'a> Front<'a, '_> {
    pub(super) fn command(&mut self, rest: &'a str) -> bool {
        self.began = self.at;
        let after = rest.get(1..).unwrap_or_default();
        let letters =
            after.len() - after.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
        let Some(sign) = after.chars().next() else {
            self.take(1);
            return true;
        };
        if letters == 0 {
            self.control(sign, after);
            return true;
        }
        let name = after.get(..letters).unwrap_or_default();
        let starred = after.get(letters..).is_some_and(|after| after.starts_with('*'));
        let length = 1 + letters + usize::from(starred);
        if let Some(mark) = mark_of(name) {
            self.take(length);
            return self.group(Group::Mark(mark));
        }
        if let Some(level) = level_of(name) {
            self.take(length);
            self.builder.paragraph(None);
            self.close_lists();
            self.option();
            return self.group(Group::Heading(level));
        }
        match name {
            "begin" | "end" => {
                self.take(length);
                let Some(name) = self.argument() else {
                    return true;
                };
                let name = self.source.text.get(name).unwrap_or_default();
                if name == "document" {
                    return self.rest().is_empty() || length != 4;
                }
                if length == 6 { self.begin(name) } else { self.end(name) }
            }
            "item" => self.item(length),
            "caption" | "subcaption" => {
                self.take(length);
                self.builder.paragraph(None);
                self.option();
                return self.group(Group::Caption);
            }
            "footnote" | "footnotetext" => {
                self.show(length, " (");
                self.option();
                return self.group(Group::Aside);
            }
            "href" => {
                self.take(length);
                self.argument();
                return self.group(Group::Mark(Mark::Link));
            }
            "url" | "path" | "nolinkurl" => {
                self.take(length);
                let mark = if name == "path" { Mark::Code } else { Mark::Link };
                self.verbatim_argument(mark);
            }
            "verb" | "lstinline" | "mintinline" => {
                self.take(length);
                self.option();
                if name == "mintinline" {
                    self.argument();
                }
                self.verbatim_argument(Mark::Code);
            }
            "SI" | "qty" | "SIrange" => {
                self.take(length);
                self.option();
                if let Some(number) = self.argument() {
                    self.open_cell(CellShape::plain(false));
                    let text = self.source.text.get(number.clone()).unwrap_or_default();
                    self.builder.inline().push_lines(text, self.source.lines_from(number.start));
                    self.builder.inline().space();
                }
                return self.group(Group::Unit);
            }
            "multicolumn" | "multirow" => {
                self.take(length);
                let count = self
                    .argument()
                    .and_then(|count| self.source.text.get(count)?.trim().parse().ok());
                self.option();
                self.argument();
                let count = count.unwrap_or(1);
                let plain = CellShape::plain(false);
                self.open_cell(if name == "multirow" {
                    CellShape { rows: count, written: true, ..plain }
                } else {
                    CellShape { columns: count, ..plain }
                });
                return self.group(Group::Plain);
            }
            "hline" | "midrule" | "toprule" | "bottomrule" | "endhead" | "endfirsthead"
            | "specialrule" => {
                self.take(length);
                if self.table().is_some() {
                    self.end_row();
                    self.builder.end_titles();
                }
            }
            "tabularnewline" | "cr" => {
                self.take(length);
                self.end_row();
            }
            "par" => {
                self.take(length);
                self.builder.paragraph(None);
            }
            _ => self.other(name, length),
        }
        true
    }

    /// A command of one sign.
    pub(super) fn control(&mut self, sign: char, after: &str) {
        let length = 1 + sign.len_utf8();
        match sign {
            '\\' => {
                self.take(length);
                self.option();
                if self.table().is_some() { self.end_row() } else { self.builder.inline().space() }
            }
            '[' => {
                let end = after.find("\\]");
                let content = end.map_or(after.len() + 1, |end| end + 1);
                self.raw("math", self.at, 2, content, end.map_or(content, |_| content + 2));
            }
            '(' | ')' | ']' | '/' | '!' => self.take(length),
            ',' | ';' | ':' | ' ' | '\n' | '>' => self.show(length, " "),
            _ => {
                let mut rest = after.get(sign.len_utf8()..).unwrap_or_default().chars();
                let letter = match rest.next() {
                    Some('{')
                        if after
                            .get(sign.len_utf8()..)
                            .is_some_and(|rest| rest.starts_with("{\\i}")) =>
                    {
                        Some(('i', 3))
                    }
                    Some('{') => {
                        rest.next().filter(|_| rest.next() == Some('}')).map(|letter| (letter, 2))
                    }
                    letter => letter.map(|letter| (letter, 0)),
                };
                match letter.and_then(|(letter, braces)| {
                    Some((symbols::accented(sign, letter)?, letter.len_utf8() + braces))
                }) {
                    Some((shown, more)) => self.show(length + more, shown.encode_utf8(&mut [0; 4])),
                    None => self.show(length, sign.encode_utf8(&mut [0; 4])),
                }
            }
        }
    }

    pub(super) fn other(&mut self, name: &str, length: usize) {
        let in_unit = matches!(self.groups.last(), Some(Group::Unit));
        // The space after a command's name only ends the name.
        let gap = self
            .rest()
            .get(length..)
            .map_or(0, |after| after.len() - after.trim_start_matches([' ', '\t']).len());
        if let Some(shown) =
            symbols::unit(name).filter(|_| in_unit).or_else(|| symbols::symbol(name))
        {
            return self.show(length + gap, shown);
        }
        self.take(length);
        self.option();
        if let Some(arguments) = symbols::dropped(name) {
            for _ in 0..arguments {
                self.option();
                if self.argument().is_none() {
                    break;
                }
            }
        } else {
            self.take(self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len());
        }
    }

    /// Text between any two equal signs, or in braces, as it stands.
    fn verbatim_argument(&mut self, mark: Mark) {
        let rest = self.rest();
        let Some(open) =
            rest.chars().next().filter(|open| !open.is_alphanumeric() && !open.is_whitespace())
        else {
            return;
        };
        let close = if open == '{' { '}' } else { open };
        let inner = rest.get(open.len_utf8()..).unwrap_or_default();
        let line_end = inner.find('\n').unwrap_or(inner.len());
        let Some(end) = inner.get(..line_end).and_then(|inner| inner.find(close)) else {
            return;
        };
        self.open_cell(CellShape::plain(false));
        let line = self.source.line_of(self.at);
        let inline = self.builder.inline();
        inline.open(mark);
        inline.push_verbatim(inner.get(..end).unwrap_or_default(), std::iter::once(line));
        inline.close(mark);
        self.take(open.len_utf8() + end + close.len_utf8());
    }
}

fn mark_of(name: &str) -> Option<Mark> {
    Some(match name {
        "textbf" | "mathbf" | "bm" | "boldsymbol" | "strong" => Mark::Strong,
        "emph" | "textit" | "textsl" | "underline" => Mark::Emphasis,
        "texttt" | "code" | "mathtt" => Mark::Code,
        "sout" | "st" | "xout" | "cancel" => Mark::Strike,
        _ => return None,
    })
}

fn level_of(name: &str) -> Option<u8> {
    Some(match name {
        "part" | "chapter" => 1,
        "section" => 2,
        "subsection" => 3,
        "subsubsection" => 4,
        "paragraph" => 5,
        "subparagraph" => 6,
        _ => return None,
    })
}
