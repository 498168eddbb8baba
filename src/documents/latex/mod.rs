//! LaTeX: sections, lists, tables, verbatim text. A reader of text, not of macros: what is unknown
//! shows what stands in its braces.

mod commands;
mod environments;
mod symbols;

use std::ops::Range;

use crate::documents::Mark;
use crate::documents::builder::Builder;
use crate::documents::html_text::{self, Script};
use crate::documents::inline::Inline;
use crate::documents::source::Source;
use crate::documents::table::CellShape;

/// How far an argument that is dropped may reach.
const MAX_ARGUMENT: usize = 1000;
/// How many environments an `\end` or `\item` looks through for its own.
const MAX_LOOK: usize = 50;

/// Reads a LaTeX file.
pub(super) fn read(source: &Source, builder: &mut Builder) {
    let begin = "\\begin{document}";
    let start = source.text.find(begin);
    let mut front = Front {
        source,
        builder,
        at: 0,
        from: 0,
        environments: Vec::new(),
        groups: Vec::new(),
        script: None,
        once: false,
        began: 0,
    };
    if let Some(start) = start {
        front.title(start);
    }
    front.at = start.map_or(0, |start| start + begin.len());
    front.from = front.at;
    while front.step() {}
    front.flush();
}

/// What a group in braces is.
#[derive(Clone, Copy)]
enum Group {
    Plain,
    Mark(Mark),
    Heading(u8),
    /// A paragraph of its own.
    Caption,
    /// In parentheses.
    Aside,
    /// Raised or lowered.
    Script,
    /// The unit after a number.
    Unit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    List,
    Table,
    Other,
}

struct Environment {
    name: String,
    kind: Kind,
    /// The builder's depth outside and inside.
    depths: (usize, usize),
    /// How many groups were open before.
    groups: usize,
    /// In a table: whether a row and a cell are open.
    row: bool,
    cell: bool,
}

struct Front<'a, 'b> {
    source: &'a Source,
    builder: &'b mut Builder,
    at: usize,
    /// Where the text begins that is not written yet.
    from: usize,
    environments: Vec<Environment>,
    groups: Vec<Group>,
    script: Option<Script>,
    /// The script lasts for one character.
    once: bool,
    /// Where the command being read begins.
    began: usize,
}

impl<'a> Front<'a, '_> {
    fn rest(&self) -> &'a str {
        self.source.text.get(self.at..).unwrap_or_default()
    }

    /// Reads one token; false at the end.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(next) = rest.chars().next() else {
            return false;
        };
        match next {
            '\\' => return self.command(rest),
            '%' => self.comment(rest),
            '{' => {
                self.take(1);
                let group =
                    if std::mem::take(&mut self.once) { Group::Script } else { Group::Plain };
                self.groups.push(group);
            }
            '}' => {
                self.take(1);
                self.end_group();
            }
            '$' if rest.starts_with("$$") => {
                let end = rest
                    .get(2..)
                    .and_then(|rest| rest.find("$$"))
                    .map_or(rest.len(), |end| end + 4);
                self.raw("math", self.at, 2, end - 2, end);
            }
            '$' => self.take(1),
            '^' | '_' if !rest.starts_with("__") => {
                self.take(1);
                self.script = Some(if next == '^' { Script::Above } else { Script::Below });
                self.once = true;
            }
            '&' if self.table().is_some() => {
                self.take(1);
                self.end_cell();
            }
            '~' => self.show(1, " "),
            '-' if rest.starts_with("---") => self.show(3, "—"),
            '-' if rest.starts_with("--") => self.show(2, "–"),
            '`' if rest.starts_with("``") => self.show(2, "“"),
            '\'' if rest.starts_with("''") => self.show(2, "”"),
            '\n' => {
                let after = rest.trim_start_matches([' ', '\t', '\r', '\n']);
                let gap = rest.get(..rest.len() - after.len()).unwrap_or_default();
                self.take(gap.len());
                if gap.matches('\n').count() > 1 || after.is_empty() {
                    self.builder.paragraph(None);
                } else {
                    self.builder.inline().space();
                }
            }
            c if c.is_whitespace() => self.at += c.len_utf8(),
            c => {
                self.open_cell(CellShape::plain(false));
                if std::mem::take(&mut self.once) {
                    self.flush();
                    self.at += c.len_utf8();
                    self.flush();
                    self.script = None;
                } else {
                    self.at += c.len_utf8();
                }
            }
        }
        true
    }

    /// Writes the text so far.
    fn flush(&mut self) {
        let text = self.source.text.get(self.from..self.at).unwrap_or_default();
        html_text::push(
            text,
            self.source.lines_from(self.from),
            self.script,
            self.builder.inline(),
        );
        self.from = self.at;
    }

    /// Writes the text so far and leaves out this many bytes.
    fn take(&mut self, length: usize) {
        self.flush();
        self.at += length;
        self.from = self.at;
    }

    /// Writes this instead of that many bytes.
    fn show(&mut self, length: usize, shown: &str) {
        let line = self.source.line_of(self.at);
        self.take(length);
        if !shown.trim().is_empty() {
            self.open_cell(CellShape::plain(false));
        }
        html_text::push(shown, std::iter::once(line), self.script, self.builder.inline());
        if std::mem::take(&mut self.once) {
            self.script = None;
        }
    }

    fn comment(&mut self, rest: &str) {
        let length = rest.find('\n').unwrap_or(rest.len());
        let line = self.source.line_of(self.at);
        let text = rest.get(..length).unwrap_or_default().trim_start_matches('%');
        self.flush();
        let mut comment = Inline::default();
        comment.push(text, line);
        let alone = self.source.text.get(..self.at).is_none_or(|before| {
            before.trim_end_matches([' ', '\t']).ends_with('\n') || before.is_empty()
        });
        if alone && self.table().is_none() {
            self.builder.comment(comment);
        }
        // The line break goes with the comment.
        self.take((length + 1).min(rest.len()));
        if self.rest().trim_start_matches([' ', '\t', '\r']).starts_with('\n') && alone {
            self.builder.paragraph(None);
        }
    }

    /// Opens a group that is in braces here; without braces it has no effect.
    fn group(&mut self, group: Group) -> bool {
        let rest = self.rest();
        let gap = rest.len() - rest.trim_start().len();
        let Some('{') = rest.trim_start().chars().next() else {
            if matches!(group, Group::Aside) {
                self.show(0, ")");
            }
            return true;
        };
        if let Group::Mark(mark) = group {
            if rest.starts_with('{') {
                self.open_cell(CellShape::plain(false));
            }
            self.builder.inline().open(mark);
        }
        self.take(gap + 1);
        self.groups.push(group);
        true
    }

    fn end_group(&mut self) {
        let floor = self.environments.last().map_or(0, |held| held.groups);
        if self.groups.len() <= floor {
            return;
        }
        match self.groups.pop() {
            Some(Group::Mark(mark)) => self.builder.inline().close(mark),
            Some(Group::Heading(level)) => self.builder.heading(level, None),
            Some(Group::Caption) => self.builder.paragraph(None),
            Some(Group::Aside) => self.show(0, ")"),
            Some(Group::Script) => self.script = None,
            Some(Group::Plain | Group::Unit) | None => {}
        }
    }

    /// Leaves out `[…]` if it comes next; where its inside is.
    fn option(&mut self) -> Option<Range<usize>> {
        self.bracketed('[', ']')
    }

    /// Leaves out `{…}` if it comes next; where its inside is.
    fn argument(&mut self) -> Option<Range<usize>> {
        self.bracketed('{', '}')
    }

    fn bracketed(&mut self, open: char, close: char) -> Option<Range<usize>> {
        let rest = self.rest();
        let gap = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let inner = rest.get(gap..)?.strip_prefix(open)?;
        let mut depth = 0_usize;
        for (offset, c) in inner.char_indices().take_while(|(offset, _)| *offset <= MAX_ARGUMENT) {
            match c {
                _ if c == close && depth == 0 => {
                    let start = self.at + gap + 1;
                    self.take(gap + offset + 2);
                    return Some(start..start + offset);
                }
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }

    /// The title that stands before the document.
    fn title(&mut self, end: usize) {
        let preamble = self.source.text.get(..end).unwrap_or_default();
        if let Some(at) = preamble.find("\\title") {
            self.at = at + "\\title".len();
            self.from = self.at;
            self.option();
            if let Some(title) = self.argument() {
                self.at = title.start;
                self.from = self.at;
                while self.at < title.end && self.step() {}
                self.flush();
                self.builder.field_text("title");
                self.groups.clear();
                self.environments.clear();
                (self.script, self.once) = (None, false);
                self.builder.close_to(0);
            }
        }
    }
}
