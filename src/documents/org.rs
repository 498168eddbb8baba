//! Org mode: headlines, lists, tables, blocks, drawers.

use super::builder::Builder;
use super::indents::{Indents, indent_of};
use super::inline::Inline;
use super::source::Source;
use super::spans::{self, Delimiter, Finder, Passage, Piece, Syntax};
use super::table::CellShape;
use super::{Lines, Mark, Quote, Text, code};

const SYNTAX: Syntax = Syntax {
    delimiters: &[
        Delimiter::words("*", Mark::Strong),
        Delimiter::words("/", Mark::Emphasis),
        Delimiter::words("_", Mark::Emphasis),
        Delimiter::words("=", Mark::Code),
        Delimiter::words("~", Mark::Code),
        Delimiter::words("+", Mark::Strike),
    ],
    special,
};

/// Links, footnote marks, targets, forced breaks.
fn special(finder: &mut Finder<'_>, at: usize) -> Option<Piece> {
    let rest = finder.rest(at);
    if rest.starts_with("[[") {
        let end = finder.find("]]", at)?;
        let middle = finder.find("][", at).filter(|middle| *middle < end);
        let shown = middle.map_or(at + 2, |middle| middle + 2)..end;
        let target = finder.rest(at + 2);
        let image = middle.is_none() && is_image(target.get(..end - at - 2)?);
        return Some(if image { Piece::dropped(end + 2) } else { Piece::link(end + 2, shown) });
    }
    if rest.starts_with("[fn:") {
        return Some(Piece::dropped(finder.find("]", at)? + 1));
    }
    if rest.starts_with("<<") {
        return Some(Piece::dropped(finder.find(">>", at)? + 2));
    }
    (rest.starts_with("\\\\\n") || rest == "\\\\").then(|| Piece::dropped(at + 2))
}

fn is_image(target: &str) -> bool {
    let extension = target.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["png", "jpg", "jpeg", "gif", "svg", "webp"]
        .iter()
        .any(|image| extension.eq_ignore_ascii_case(image))
}

/// Reads an Org file.
pub(super) fn read(source: &Source, builder: &mut Builder) {
    let mut front = Front {
        builder,
        passage: Passage::default(),
        indents: Indents::default(),
        table: false,
        block: None,
        drawer: false,
    };
    for (line, text) in source.lines() {
        front.line(line, text);
    }
    front.end_block(None);
    front.end_table();
    front.flush();
}

/// A `#+begin_` block whose content is kept as it stands.
struct Verbatim {
    name: String,
    language: String,
    start: u32,
    text: Text,
}

struct Front<'a> {
    builder: &'a mut Builder,
    passage: Passage,
    indents: Indents,
    table: bool,
    block: Option<Verbatim>,
    drawer: bool,
}

impl Front<'_> {
    fn line(&mut self, line: u32, text: &str) {
        let content = text.trim();
        if let Some(block) = &mut self.block {
            let ends = content.len() == block.name.len() + 6
                && content.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("#+end_"))
                && content.get(6..).is_some_and(|name| name.eq_ignore_ascii_case(&block.name));
            if ends {
                self.end_block(Some(line));
            } else {
                code::push(&mut block.text, &format!("{text}\n"), std::iter::once(line));
            }
            return;
        }
        if self.table && !content.starts_with('|') {
            self.end_table();
        }
        if content.is_empty() {
            return self.flush();
        }
        if self.drawer || (content.starts_with(':') && drawer_line(content).is_some()) {
            return self.drawer_line(line, content);
        }
        let stars = text.len() - text.trim_start_matches('*').len();
        if stars > 0 && text.get(stars..).is_some_and(|rest| rest.starts_with(' ')) {
            return self.headline(line, stars, content.get(stars..).unwrap_or_default());
        }
        if let Some(keyword) = content.strip_prefix("#+") {
            return self.keyword(line, keyword);
        }
        if content == "#" || content.starts_with("# ") {
            self.flush();
            let mut comment = Inline::default();
            comment.push(content.trim_start_matches('#'), line);
            return self.builder.comment(comment);
        }
        if content.starts_with('|') {
            return self.row(line, content);
        }
        if let Some(fixed) = content.strip_prefix(": ") {
            self.flush();
            let mut text = Text::default();
            code::push(&mut text, fixed, std::iter::once(line));
            return self.builder.code("", Lines { start: line, end: line }, text);
        }
        if content.len() >= 5 && content.bytes().all(|byte| byte == b'-') {
            return self.flush();
        }
        let indent = indent_of(text);
        if let Some(words) = item(content, indent) {
            self.flush();
            self.indents.close_beyond(indent, self.builder);
            self.indents.open(indent + 1, self.builder);
            self.builder.open_item(line, None);
            let (checked, words) = checkbox(words);
            checked.into_iter().for_each(|done| self.builder.check_item(done));
            self.passage.push(line, words);
            return;
        }
        if self.passage.is_empty() {
            self.indents.close_beyond(indent, self.builder);
        }
        self.passage.push(line, content);
    }

    fn flush(&mut self) {
        if !self.passage.is_empty() {
            spans::write(&self.passage.take(), &SYNTAX, self.builder.inline());
        }
        self.builder.paragraph(None);
    }

    fn headline(&mut self, line: u32, stars: usize, words: &str) {
        self.flush();
        self.indents.close_all(self.builder);
        let words = words.trim();
        let tags = words
            .rsplit_once([' ', '\t'])
            .filter(|(_, tags)| tags.len() > 2 && tags.starts_with(':') && tags.ends_with(':'));
        self.passage.push(line, tags.map_or(words, |(title, _)| title));
        spans::write(&self.passage.take(), &SYNTAX, self.builder.inline());
        self.builder.heading(u8::try_from(stars).unwrap_or(u8::MAX).min(6), None);
    }

    fn keyword(&mut self, line: u32, keyword: &str) {
        self.flush();
        let lower = keyword.to_ascii_lowercase();
        if let Some(rest) = lower.strip_prefix("begin_") {
            let mut words = rest.split_whitespace();
            let name = words.next().unwrap_or_default();
            match name {
                "src" | "example" | "export" | "comment" => {
                    let language =
                        words.next().filter(|_| name == "src").unwrap_or_default().to_owned();
                    self.block = Some(Verbatim {
                        name: name.to_owned(),
                        language,
                        start: line,
                        text: Text::default(),
                    });
                }
                _ => {
                    self.indents.open_fenced(self.builder);
                    self.builder.open_quote(quote_of(name), None);
                }
            }
        } else if lower.starts_with("end_") {
            self.indents.close_fenced(self.builder);
        } else if let Some((key, value)) = keyword.split_once(':') {
            match key.to_ascii_lowercase().as_str() {
                "title" | "subtitle" | "author" | "date" | "description" | "keywords"
                | "filetags" => {
                    self.builder.field(&key.to_lowercase(), value.trim(), line);
                }
                "caption" => {
                    self.passage.push(line, value.trim());
                    self.flush();
                }
                _ => {}
            }
        }
    }

    fn end_block(&mut self, end: Option<u32>) {
        let Some(Verbatim { name, language, start, mut text }) = self.block.take() else {
            return;
        };
        let last = text.lines.last().map_or(start, |(_, line)| *line);
        if name == "src" || name == "example" {
            code::trim(&mut text);
            self.builder.code(&language, Lines { start, end: end.unwrap_or(last) }, text);
        }
    }

    /// `:PROPERTIES:` to `:END:`, each line a field.
    fn drawer_line(&mut self, line: u32, content: &str) {
        self.flush();
        match drawer_line(content) {
            Some((name, "")) => self.drawer = !name.eq_ignore_ascii_case("end"),
            Some((name, value)) if self.drawer => self.builder.field(name, value, line),
            _ => self.drawer = false,
        }
    }

    fn row(&mut self, line: u32, content: &str) {
        if !self.table {
            self.flush();
            self.table = true;
            self.builder.open_table(None);
        }
        if content.starts_with("|-") {
            return self.builder.end_titles();
        }
        self.builder.open_row(line);
        let inner = content.strip_prefix('|').unwrap_or(content);
        for cell in inner.strip_suffix('|').unwrap_or(inner).split('|') {
            self.builder.open_cell(line, CellShape::plain(false));
            self.passage.push(line, cell.trim());
            spans::write(&self.passage.take(), &SYNTAX, self.builder.inline());
            self.builder.close_cell();
        }
    }

    fn end_table(&mut self) {
        if std::mem::take(&mut self.table) {
            self.builder.close_table();
        }
    }
}

/// `:name: value`.
fn drawer_line(content: &str) -> Option<(&str, &str)> {
    let (name, value) = content.strip_prefix(':')?.split_once(':')?;
    let plain = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '+'));
    (plain && (value.is_empty() || value.starts_with(' '))).then_some((name, value.trim()))
}

fn quote_of(name: &str) -> Quote {
    match name {
        "quote" | "verse" => Quote::Plain,
        "note" | "tip" | "info" => Quote::Note,
        "warning" | "caution" | "important" | "danger" => Quote::Warning,
        _ => Quote::None,
    }
}

/// The words after a bullet or number.
fn item(content: &str, indent: usize) -> Option<&str> {
    let words = match content.strip_prefix(['-', '+']) {
        Some(words) => words,
        None if indent > 0 && content.starts_with("* ") => content.strip_prefix('*')?,
        None => {
            let words = content.trim_start_matches(|c: char| c.is_ascii_digit());
            (words.len() < content.len()).then(|| words.strip_prefix(['.', ')'])).flatten()?
        }
    };
    (words.is_empty() || words.starts_with(' ')).then(|| words.trim_start())
}

/// `[ ]`, `[X]` or, half done, `[-]`.
fn checkbox(words: &str) -> (Option<bool>, &str) {
    let done = [("[ ] ", false), ("[-] ", false), ("[x] ", true), ("[X] ", true)];
    done.iter()
        .find_map(|(sign, done)| Some((Some(*done), words.strip_prefix(sign)?)))
        .unwrap_or((None, words))
}
