//! HTML: whole files, and the HTML that Markdown holds.
//!
//! A tokenizer with spans and a short list of what each tag means here, not a tree builder: lines
//! must be those of the file, and tag soup must not nest.

use std::borrow::Cow;

use html5gum::emitters::default::{DefaultEmitter, StartTag, Token};
use html5gum::{HtmlString, Tokenizer};

use super::builder::Builder;
use super::html_text::{self, Script};
use super::inline::Inline;
use super::source::Source;
use super::table::CellShape;
use super::{Lines, Mark, Quote, Text, code};

/// Tags whose content is no text of the document.
const HIDDEN: &[&str] = &[
    "head", "iframe", "math", "noscript", "object", "script", "select", "style", "svg", "template",
    "textarea", "title",
];
/// Hidden tags in which no tag but their own end counts.
const RAW: &[&str] = &["iframe", "script", "style", "textarea", "title"];
/// Tags that end a paragraph and mean nothing else.
pub(super) const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "body",
    "center",
    "details",
    "dialog",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "html",
    "legend",
    "main",
    "nav",
    "p",
    "section",
    "tbody",
    "tfoot",
    "thead",
    "caption",
];

/// How text is to be read, from tag to tag.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// In `sup` or `sub`: digits become small ones, lest `10<sup>3</sup>` read 103.
    script: Option<Script>,
    /// The hidden tag and how often it is open.
    hidden: Option<(&'static str, usize)>,
    /// In `pre`: its language and its text so far.
    pre: Option<(String, u32, Text)>,
}

/// Reads HTML.
pub(super) fn read(source: &Source, builder: &mut Builder) {
    let mut reading = Reading::default();
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    // The tokenizer takes a lone carriage return for a line break; git does not.
    let html = &*without_lone_returns(&source.text);
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let line = source.line_of(tag.span.start);
                start_tag(&tag, line, &mut reading, builder);
            }
            Token::EndTag(tag) => {
                let line = source.line_of(tag.span.start);
                end_tag(&name_of(&tag.name), line, &mut reading, builder);
            }
            Token::String(text) if reading.hidden.is_none() => {
                let lines = source.lines_from(text.span.start);
                let raw = html.get(text.span.start..text.span.end).unwrap_or_default();
                let text = with_lines_of(raw, String::from_utf8_lossy(&text.value));
                match &mut reading.pre {
                    Some((_, _, pre)) => code::push(pre, &text, lines),
                    None => html_text::push(&text, lines, reading.script, builder.inline()),
                }
            }
            Token::Comment(comment) if reading.hidden.is_none() && reading.pre.is_none() => {
                let mut inline = Inline::default();
                let text = String::from_utf8_lossy(&comment.value);
                inline.push_lines(&text, source.lines_from(comment.span.start));
                builder.comment(inline);
            }
            _ => {}
        }
    }
    end_tag("pre", 0, &mut reading, builder);
    builder.paragraph(None);
}

fn without_lone_returns(html: &str) -> Cow<'_, str> {
    let mut parts = html.split('\r').peekable();
    let mut kept = String::new();
    let mut lone = false;
    while let Some(part) = parts.next() {
        kept.push_str(part);
        if let Some(next) = parts.peek() {
            let breaks = next.starts_with('\n');
            lone |= !breaks;
            kept.push(if breaks { '\r' } else { ' ' });
        }
    }
    if lone { Cow::Owned(kept) } else { Cow::Borrowed(html) }
}

/// The decoded text with as many line breaks as `raw` has: `&#10;` is none of the file's.
fn with_lines_of<'a>(raw: &str, text: Cow<'a, str>) -> Cow<'a, str> {
    let count = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
    if count(raw) == count(&text) { text } else { Cow::Owned(text.replace('\n', " ")) }
}

fn start_tag(tag: &StartTag<usize>, line: u32, reading: &mut Reading, builder: &mut Builder) {
    let name = name_of(&tag.name);
    let name = name.as_str();
    if let Some((hidden, depth)) = &mut reading.hidden {
        *depth += usize::from(*hidden == name && !tag.self_closing && !RAW.contains(hidden));
        return;
    }
    if let Some((language, ..)) = &mut reading.pre {
        if language.is_empty() {
            *language = language_of(tag);
        }
        return;
    }
    if let Some(hidden) = HIDDEN.iter().find(|hidden| **hidden == name) {
        if !tag.self_closing || RAW.contains(hidden) {
            reading.hidden = Some((hidden, 1));
        }
        return;
    }
    if html_text::element(name, false, &mut reading.script, builder.inline()) {
        return;
    }
    match name {
        "ul" | "menu" => builder.open_list(Some("ul")),
        "ol" => builder.open_list(Some("ol")),
        "li" => {
            builder.close_tag(&["li"], &["ul", "ol", "td", "blockquote"]);
            builder.open_item(line, Some("li"));
        }
        "dt" => {
            builder.close_tag(&["dt"], &["ul", "ol", "li", "td", "blockquote"]);
            builder.open_item(line, Some("dt"));
        }
        "input" if attribute(tag, "type").eq_ignore_ascii_case("checkbox") => {
            builder.check_item(tag.attributes.contains_key(b"checked".as_slice()));
        }
        "blockquote" => builder.open_quote(Quote::Plain, Some("blockquote")),
        "table" => builder.open_table(Some("table")),
        "tr" => builder.open_row(line),
        "td" | "th" => {
            let span = |key| attribute(tag, key).trim().parse().unwrap_or(1);
            builder.open_cell(
                line,
                CellShape {
                    header: name == "th",
                    columns: span("colspan"),
                    rows: span("rowspan"),
                    written: false,
                },
            );
        }
        "summary" => {
            builder.paragraph(None);
            builder.inline().open(Mark::Strong);
        }
        "pre" => {
            builder.paragraph(None);
            reading.pre = Some((language_of(tag), line, Text::default()));
        }
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dd" => builder.paragraph(None),
        _ if BLOCKS.contains(&name) => builder.paragraph(None),
        _ => {}
    }
}

fn end_tag(name: &str, line: u32, reading: &mut Reading, builder: &mut Builder) {
    if let Some((hidden, depth)) = &mut reading.hidden {
        *depth -= usize::from(*hidden == name);
        if *depth == 0 {
            reading.hidden = None;
        }
        return;
    }
    if name == "pre"
        && let Some((language, start, mut text)) = reading.pre.take()
    {
        code::trim(&mut text);
        let last = text.lines.last().map_or(start, |(_, line)| *line);
        builder.code(&language, Lines { start, end: line.max(last).max(start) }, text);
        return;
    }
    if reading.pre.is_some()
        || html_text::element(name, true, &mut reading.script, builder.inline())
    {
        return;
    }
    match name {
        "ul" | "menu" => builder.close_tag(&["ul"], &["td", "blockquote"]),
        "ol" => builder.close_tag(&["ol"], &["td", "blockquote"]),
        "li" => builder.close_tag(&["li"], &["ul", "ol", "table"]),
        "dl" => builder.close_tag(&["dt"], &["ul", "ol", "li", "table"]),
        "blockquote" => builder.close_tag(&["blockquote"], &["table"]),
        "table" => builder.close_tag(&["table"], &[]),
        "td" | "th" | "tr" => builder.close_cell(),
        "summary" => builder.paragraph(None),
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            let level = name.bytes().last().map_or(1, |digit| digit - b'0');
            builder.heading(level, None);
        }
        "dt" | "dd" => builder.paragraph(None),
        _ if BLOCKS.contains(&name) => builder.paragraph(None),
        _ => {}
    }
}

/// The language that `class="language-x"`, `class="highlight-x"` or `lang="x"` names.
fn language_of(tag: &StartTag<usize>) -> String {
    let class = attribute(tag, "class");
    let named = class.split_whitespace().find_map(|word| {
        ["language-", "lang-", "highlight-source-", "highlight-"]
            .iter()
            .find_map(|prefix| word.strip_prefix(prefix))
    });
    named.map_or_else(|| attribute(tag, "lang"), str::to_owned)
}

fn attribute(tag: &StartTag<usize>, key: &str) -> String {
    tag.attributes
        .get(key.as_bytes())
        .map(|value| String::from_utf8_lossy(value).into_owned())
        .unwrap_or_default()
}

fn name_of(name: &HtmlString) -> String {
    String::from_utf8_lossy(name).into_owned()
}
