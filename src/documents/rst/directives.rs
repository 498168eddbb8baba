//! Directives, targets, footnotes and comments of reStructuredText: all that begins with two dots.

use crate::documents::Quote;
use crate::documents::indents::indent_of;
use crate::documents::inline::Inline;
use crate::documents::spans::{self, Passage};

use super::Front;
use super::tables::{self, Line};
use super::text::SYNTAX;

/// Directives whose body is no text of the document.
const HIDDEN: &[&str] = &[
    "contents",
    "image",
    "include",
    "index",
    "meta",
    "raw",
    "toctree",
    "currentmodule",
    "module",
    "highlight",
    "default-role",
    "role",
    "autoclass",
    "autofunction",
    "automodule",
    "autosummary",
    "graphviz",
    "plot",
    "mermaid",
    "bibliography",
    "sectnum",
    "replace",
    "unicode",
    "date",
];

impl<'a> Front<'a, '_> {
    /// Reads what begins with two dots on this line.
    pub(super) fn explicit(&mut self, line: u32, indent: usize, content: &'a str) -> bool {
        let Some(rest) =
            content.strip_prefix("..").filter(|rest| rest.is_empty() || rest.starts_with(' '))
        else {
            // An anonymous target.
            return content.starts_with("__ ");
        };
        let rest = rest.trim_start();
        if rest.starts_with('_') {
            self.body(indent);
        } else if let Some((_, words)) =
            rest.strip_prefix('[').and_then(|rest| rest.split_once("] "))
        {
            self.contain(line, indent, Quote::None, words);
        } else if let Some((name, argument)) = directive(rest) {
            self.directive(line, indent, &name, argument);
        } else {
            let mut comment = Inline::default();
            comment.push(rest, line);
            for (line, text) in self.body(indent) {
                comment.space();
                comment.push(text, *line);
            }
            self.builder.comment(comment);
        }
        true
    }

    fn directive(&mut self, line: u32, indent: usize, name: &str, argument: &'a str) {
        match name {
            "code-block" | "code" | "sourcecode" | "parsed-literal" | "literalinclude"
            | "prompt" | "doctest" | "testcode" | "testsetup" | "testcleanup" | "testoutput"
            | "ipython" | "jupyter-execute" | "code-cell" | "math" => {
                let language = if name == "math" { "math" } else { argument };
                let body = self.body(indent);
                self.code(language, options(body).1);
            }
            "list-table" | "csv-table" => {
                self.caption(line, argument);
                let (options, body) = options(self.body(indent));
                let option = |key: &str| {
                    options
                        .iter()
                        .find_map(|(line, text)| Some((*line, text.trim().strip_prefix(key)?)))
                };
                let titles = option(":header-rows:")
                    .and_then(|(_, rows)| rows.trim().parse().ok())
                    .unwrap_or(0);
                if name == "list-table" {
                    tables::list(body, titles, self.builder);
                } else {
                    tables::csv(option(":header:"), body, titles, self.builder);
                }
            }
            "table" | "figure" => {
                self.caption(line, if name == "table" { argument } else { "" });
                self.contain(line, indent, Quote::None, "");
            }
            "note" | "tip" | "hint" | "seealso" | "admonition" | "todo" | "topic" | "sidebar" => {
                self.contain(line, indent, Quote::Note, argument);
            }
            "warning" | "caution" | "danger" | "attention" | "important" | "error" => {
                self.contain(line, indent, Quote::Warning, argument);
            }
            "epigraph" | "pull-quote" | "highlights" => {
                self.contain(line, indent, Quote::Plain, argument)
            }
            "rubric" | "versionadded" | "versionchanged" | "deprecated" | "centered" => {
                self.contain(line, indent, Quote::None, argument);
            }
            _ if HIDDEN.contains(&name) => {
                self.body(indent);
            }
            _ => self.contain(line, indent, Quote::None, ""),
        }
    }

    /// Opens a container for what is indented below this line, and begins it with these words.
    fn contain(&mut self, line: u32, indent: usize, quote: Quote, words: &'a str) {
        while let Some((_, option)) =
            self.lines.get(self.at).filter(|(_, text)| text.trim_start().starts_with(':'))
        {
            if indent_of(option) <= indent {
                break;
            }
            self.at += 1;
        }
        let column = self.content_column(indent);
        self.indents.open(column, self.builder);
        self.builder.open_quote(quote, None);
        if !words.is_empty() {
            self.begin(line, column, false, words);
        }
    }

    fn caption(&mut self, line: u32, words: &str) {
        let mut passage = Passage::default();
        passage.push(line, words);
        spans::write(&passage.take(), &SYNTAX, self.builder.inline());
        self.builder.paragraph(None);
    }
}

/// `name:: argument`, a substitution's included.
fn directive(rest: &str) -> Option<(String, &str)> {
    let rest = match rest.strip_prefix('|') {
        Some(rest) => rest.split_once("| ")?.1,
        None => rest,
    };
    let (name, argument) = rest.split_once("::")?;
    let plain = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.' | '+'));
    let apart = argument.is_empty() || argument.starts_with(' ');
    (plain && apart)
        .then(|| (name.rsplit(':').next().unwrap_or(name).to_lowercase(), argument.trim()))
}

/// The `:key: value` lines at the start of a directive's body, and the rest.
fn options<'a>(body: &'a [Line<'a>]) -> (&'a [Line<'a>], &'a [Line<'a>]) {
    let count = body.iter().take_while(|(_, text)| text.trim_start().starts_with(':')).count();
    body.split_at(count)
}
