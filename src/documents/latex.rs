//! LaTeX: sections, lists, tables, verbatim text. A reader of text, not of macros: what is unknown
//! shows what stands in its braces.

use std::ops::Range;

use super::builder::Builder;
use super::html_text::{self, Script};
use super::inline::Inline;
use super::source::Source;
use super::table::CellShape;
use super::{Mark, Quote, Text, code, latex_symbols};

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
                let group = if std::mem::take(&mut self.once) {
                    Group::Script
                } else {
                    Group::Plain
                };
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
                self.script = Some(if next == '^' {
                    Script::Above
                } else {
                    Script::Below
                });
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
        html_text::push(
            shown,
            std::iter::once(line),
            self.script,
            self.builder.inline(),
        );
        if std::mem::take(&mut self.once) {
            self.script = None;
        }
    }

    fn comment(&mut self, rest: &str) {
        let length = rest.find('\n').unwrap_or(rest.len());
        let line = self.source.line_of(self.at);
        let text = rest
            .get(..length)
            .unwrap_or_default()
            .trim_start_matches('%');
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
        if self
            .rest()
            .trim_start_matches([' ', '\t', '\r'])
            .starts_with('\n')
            && alone
        {
            self.builder.paragraph(None);
        }
    }

    fn command(&mut self, rest: &'a str) -> bool {
        self.began = self.at;
        let after = rest.get(1..).unwrap_or_default();
        let letters = after.len()
            - after
                .trim_start_matches(|c: char| c.is_ascii_alphabetic())
                .len();
        let Some(sign) = after.chars().next() else {
            self.take(1);
            return true;
        };
        if letters == 0 {
            self.control(sign, after);
            return true;
        }
        let name = after.get(..letters).unwrap_or_default();
        let starred = after
            .get(letters..)
            .is_some_and(|after| after.starts_with('*'));
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
                if length == 6 {
                    self.begin(name)
                } else {
                    self.end(name)
                }
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
                let mark = if name == "path" {
                    Mark::Code
                } else {
                    Mark::Link
                };
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
                    self.builder
                        .inline()
                        .push_lines(text, self.source.lines_from(number.start));
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
                    CellShape {
                        rows: count,
                        written: true,
                        ..plain
                    }
                } else {
                    CellShape {
                        columns: count,
                        ..plain
                    }
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
    fn control(&mut self, sign: char, after: &str) {
        let length = 1 + sign.len_utf8();
        match sign {
            '\\' => {
                self.take(length);
                self.option();
                if self.table().is_some() {
                    self.end_row()
                } else {
                    self.builder.inline().space()
                }
            }
            '[' => {
                let end = after.find("\\]");
                let content = end.map_or(after.len() + 1, |end| end + 1);
                self.raw(
                    "math",
                    self.at,
                    2,
                    content,
                    end.map_or(content, |_| content + 2),
                );
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
                    Some('{') => rest
                        .next()
                        .filter(|_| rest.next() == Some('}'))
                        .map(|letter| (letter, 2)),
                    letter => letter.map(|letter| (letter, 0)),
                };
                match letter.and_then(|(letter, braces)| {
                    Some((
                        latex_symbols::accented(sign, letter)?,
                        letter.len_utf8() + braces,
                    ))
                }) {
                    Some((shown, more)) => self.show(length + more, shown.encode_utf8(&mut [0; 4])),
                    None => self.show(length, sign.encode_utf8(&mut [0; 4])),
                }
            }
        }
    }

    fn other(&mut self, name: &str, length: usize) {
        let in_unit = matches!(self.groups.last(), Some(Group::Unit));
        // The space after a command's name only ends the name.
        let gap = self.rest().get(length..).map_or(0, |after| {
            after.len() - after.trim_start_matches([' ', '\t']).len()
        });
        if let Some(shown) = latex_symbols::unit(name)
            .filter(|_| in_unit)
            .or_else(|| latex_symbols::symbol(name))
        {
            return self.show(length + gap, shown);
        }
        self.take(length);
        self.option();
        if let Some(arguments) = latex_symbols::dropped(name) {
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

    fn begin(&mut self, name: &str) {
        let options = self
            .option()
            .and_then(|options| self.source.text.get(options))
            .unwrap_or_default();
        let plain = name.trim_end_matches('*');
        let language = match plain {
            "verbatim" | "Verbatim" | "alltt" => Some(String::new()),
            "lstlisting" => Some(language_option(options).to_owned()),
            "minted" => Some(
                self.argument()
                    .and_then(|name| self.source.text.get(name))
                    .unwrap_or_default()
                    .to_owned(),
            ),
            "equation" | "align" | "gather" | "multline" | "eqnarray" | "displaymath" | "math"
            | "flalign" | "alignat" => Some("math".to_owned()),
            "comment" | "tikzpicture" | "thebibliography" | "filecontents" | "pgfpicture"
            | "axis" => None,
            _ => return self.open(name, plain),
        };
        let close = format!("\\end{{{name}}}");
        let rest = self.rest();
        let (content, end) = rest
            .find(&close)
            .map_or((rest.len(), rest.len()), |at| (at, at + close.len()));
        match language {
            Some(language) => self.raw(&language, self.began, 0, content, end),
            None => self.take(end),
        }
    }

    fn open(&mut self, name: &str, plain: &str) {
        let outside = self.builder.depth();
        let kind = match plain {
            "itemize" | "enumerate" | "description" | "compactitem" | "compactenum"
            | "inparaenum" => {
                self.builder.open_list(None);
                Kind::List
            }
            "tabular" | "tabularx" | "tabulary" | "longtable" | "array" | "tabu"
            | "supertabular" | "xltabular" => {
                let widths = usize::from(
                    matches!(plain, "tabularx" | "tabulary" | "xltabular") || name == "tabular*",
                );
                for _ in 0..=widths {
                    self.argument();
                    self.option();
                }
                self.builder.open_table(None);
                Kind::Table
            }
            "quote" | "quotation" | "displayquote" => {
                self.builder.open_quote(Quote::Plain, None);
                Kind::Other
            }
            "minipage" | "wrapfigure" | "adjustbox" | "subfigure" | "multicols" => {
                self.argument();
                self.option();
                self.argument();
                Kind::Other
            }
            _ => {
                self.builder.paragraph(None);
                Kind::Other
            }
        };
        let depths = (outside, self.builder.depth());
        self.environments.push(Environment {
            name: name.to_owned(),
            kind,
            depths,
            groups: self.groups.len(),
            row: false,
            cell: false,
        });
    }

    fn end(&mut self, name: &str) {
        let Some(index) = self
            .environments
            .iter()
            .rev()
            .take(MAX_LOOK)
            .position(|held| held.name == name)
        else {
            return;
        };
        let index = self.environments.len() - 1 - index;
        if let Some(environment) = self.environments.get(index) {
            self.groups.truncate(environment.groups);
            self.script = None;
            self.once = false;
            self.builder.close_to(environment.depths.0);
            self.builder.paragraph(None);
        }
        self.environments.truncate(index);
    }

    fn item(&mut self, length: usize) {
        self.take(length);
        let line = self.source.line_of(self.at.saturating_sub(1));
        if let Some(list) = self
            .environments
            .iter()
            .rev()
            .take(MAX_LOOK)
            .find(|held| held.kind == Kind::List)
        {
            self.builder.close_to(list.depths.1);
            self.builder.open_item(line, None);
        } else {
            self.builder.paragraph(None);
        }
        if let Some(label) = self.option() {
            let inline = self.builder.inline();
            inline.open(Mark::Strong);
            inline.push_lines(
                self.source.text.get(label.clone()).unwrap_or_default(),
                self.source.lines_from(label.start),
            );
            inline.close(Mark::Strong);
            inline.space();
        }
    }

    /// A heading ends the lists that were never ended.
    fn close_lists(&mut self) {
        if self
            .environments
            .last()
            .is_some_and(|held| held.kind == Kind::List)
        {
            let name = self
                .environments
                .last()
                .map(|held| held.name.clone())
                .unwrap_or_default();
            self.end(&name);
        }
    }

    fn table(&mut self) -> Option<&mut Environment> {
        self.environments
            .last_mut()
            .filter(|held| held.kind == Kind::Table)
    }

    /// Opens a cell where a table is open and none of its cells is.
    fn open_cell(&mut self, shape: CellShape) {
        let line = self.source.line_of(self.at);
        let Some(table) = self.table().filter(|table| !table.cell) else {
            return;
        };
        table.cell = true;
        let row = std::mem::replace(&mut table.row, true);
        if !row {
            self.builder.open_row(line);
        }
        self.builder.open_cell(line, shape);
    }

    fn end_cell(&mut self) {
        self.open_cell(CellShape::plain(false));
        self.builder.close_cell();
        if let Some(table) = self.table() {
            table.cell = false;
        }
    }

    fn end_row(&mut self) {
        let Some(table) = self.table() else { return };
        let row = std::mem::take(&mut table.row);
        let cell = std::mem::take(&mut table.cell);
        if row && !cell {
            // The row ends right after a bar: one more cell, empty.
            let line = self.source.line_of(self.at);
            self.builder.open_cell(line, CellShape::plain(false));
        }
        self.builder.close_cell();
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
        for (offset, c) in inner
            .char_indices()
            .take_while(|(offset, _)| *offset <= MAX_ARGUMENT)
        {
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

    /// Text between any two equal signs, or in braces, as it stands.
    fn verbatim_argument(&mut self, mark: Mark) {
        let rest = self.rest();
        let Some(open) = rest
            .chars()
            .next()
            .filter(|open| !open.is_alphanumeric() && !open.is_whitespace())
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

    /// Adds what stands from here to there as code that begins at `start`; goes on at `end`.
    fn raw(&mut self, language: &str, start: usize, from: usize, to: usize, end: usize) {
        self.flush();
        let text = self.rest().get(from..to.max(from)).unwrap_or_default();
        let mut code = Text::default();
        code::push(&mut code, text, self.source.lines_from(self.at + from));
        code::trim(&mut code);
        code.plain.truncate(code.plain.trim_end().len());
        code.lines.retain(|(offset, _)| *offset < code.plain.len());
        let lines = self.source.lines_of(start..self.at + end);
        self.builder.code(language, lines, code);
        self.take(end);
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

/// The language in `language=Python, caption=…`.
fn language_option(options: &str) -> &str {
    let value = options
        .split_once("language=")
        .map_or("", |(_, value)| value);
    value
        .split([',', ' '])
        .next()
        .unwrap_or_default()
        .trim_matches(['{', '}'])
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
