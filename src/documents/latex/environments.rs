//! Environments of LaTeX: lists, tables, quotations, and those whose content is kept as it stands.

use crate::documents::table::CellShape;
use crate::documents::{Mark, Quote, Text, code};

use super::{Environment, Front, Kind, MAX_LOOK};

impl Front<'_, '_> {
    pub(super) fn begin(&mut self, name: &str) {
        let options =
            self.option().and_then(|options| self.source.text.get(options)).unwrap_or_default();
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
        let (content, end) =
            rest.find(&close).map_or((rest.len(), rest.len()), |at| (at, at + close.len()));
        match language {
            Some(language) => self.raw(&language, self.began, 0, content, end),
            None => self.take(end),
        }
    }

    pub(super) fn open(&mut self, name: &str, plain: &str) {
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

    pub(super) fn end(&mut self, name: &str) {
        let Some(index) =
            self.environments.iter().rev().take(MAX_LOOK).position(|held| held.name == name)
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

    pub(super) fn item(&mut self, length: usize) {
        self.take(length);
        let line = self.source.line_of(self.at.saturating_sub(1));
        if let Some(list) =
            self.environments.iter().rev().take(MAX_LOOK).find(|held| held.kind == Kind::List)
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
    pub(super) fn close_lists(&mut self) {
        if self.environments.last().is_some_and(|held| held.kind == Kind::List) {
            let name = self.environments.last().map(|held| held.name.clone()).unwrap_or_default();
            self.end(&name);
        }
    }

    pub(super) fn table(&mut self) -> Option<&mut Environment> {
        self.environments.last_mut().filter(|held| held.kind == Kind::Table)
    }

    /// Opens a cell where a table is open and none of its cells is.
    pub(super) fn open_cell(&mut self, shape: CellShape) {
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

    pub(super) fn end_cell(&mut self) {
        self.open_cell(CellShape::plain(false));
        self.builder.close_cell();
        if let Some(table) = self.table() {
            table.cell = false;
        }
    }

    pub(super) fn end_row(&mut self) {
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

    /// Adds what stands from here to there as code that begins at `start`; goes on at `end`.
    pub(super) fn raw(&mut self, language: &str, start: usize, from: usize, to: usize, end: usize) {
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
}

/// The language in `language=Python, caption=…`.
fn language_option(options: &str) -> &str {
    let value = options.split_once("language=").map_or("", |(_, value)| value);
    value.split([',', ' ']).next().unwrap_or_default().trim_matches(['{', '}'])
}
