//! HTML: whole files, and the HTML that Markdown holds.
//!
//! A tokenizer with spans and a short list of what each tag means here, not a tree builder: lines
//! must be those of the file, and tag soup must not nest.

use std::borrow::Cow;

use html5gum::emitters::default::{DefaultEmitter, StartTag, Token};
use html5gum::{HtmlString, Tokenizer};

use super::builder::Builder;
use super::inline::Inline;
use super::source::Source;
use super::table::CellShape;
use super::{Lines, Mark, Quote, Text};

/// Tags whose content is no text of the document.
const HIDDEN: &[&str] = &[
    "head", "iframe", "math", "noscript", "object", "script", "select", "style", "svg", "template",
    "textarea", "title",
];
/// Hidden tags in which no tag but their own end counts.
const RAW: &[&str] = &["iframe", "script", "style", "textarea", "title"];
/// Tags that end a paragraph and mean nothing else.
const BLOCKS: &[&str] = &[
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Above,
    Below,
}

/// Reads an HTML file.
pub(super) fn read(source: &Source, builder: &mut Builder) {
    feed(&source.text, |offset| source.line_of(offset), builder);
}

/// Reads a stretch of HTML; `line_of` gives the source line of an offset in it.
pub(super) fn feed(html: &str, line_of: impl Fn(usize) -> u32, builder: &mut Builder) {
    let mut reading = Reading::default();
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    // The tokenizer takes a lone carriage return for a line break; git does not.
    let html = &*without_lone_returns(html);
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let line = line_of(tag.span.start);
                start_tag(&tag, line, &mut reading, builder);
            }
            Token::EndTag(tag) => end_tag(
                &name_of(&tag.name),
                line_of(tag.span.start),
                &mut reading,
                builder,
            ),
            Token::String(text) if reading.hidden.is_none() => {
                let line = line_of(text.span.start);
                let raw = html.get(text.span.start..text.span.end).unwrap_or_default();
                let text = with_lines_of(raw, String::from_utf8_lossy(&text.value));
                match &mut reading.pre {
                    Some((_, _, pre)) => push_code(pre, &text, line),
                    None => push_text(&text, line, &reading, builder.inline()),
                }
            }
            Token::Comment(comment) if reading.hidden.is_none() && reading.pre.is_none() => {
                builder.comment(
                    &String::from_utf8_lossy(&comment.value),
                    line_of(comment.span.start),
                );
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
    if lone {
        Cow::Owned(kept)
    } else {
        Cow::Borrowed(html)
    }
}

/// The decoded text with as many line breaks as `raw` has: `&#10;` is none of the file's.
fn with_lines_of<'a>(raw: &str, text: Cow<'a, str>) -> Cow<'a, str> {
    let count = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
    if count(raw) == count(&text) {
        text
    } else {
        Cow::Owned(text.replace('\n', " "))
    }
}

/// Reads one tag or comment in the middle of a text.
pub(super) fn inline_tag(tag: &str, reading: &mut Reading, inline: &mut Inline) {
    let inner = tag.trim_start_matches('<');
    let (closing, inner) = inner
        .strip_prefix('/')
        .map_or((false, inner), |rest| (true, rest));
    let end = inner
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(inner.len());
    let name = inner.get(..end).unwrap_or_default().to_ascii_lowercase();
    if !inline_element(&name, closing, reading, inline)
        && (BLOCKS.contains(&name.as_str()) || SPACED.contains(&name.as_str()))
    {
        inline.space();
    }
}

/// Tags that stand for a gap where they occur within a text.
const SPACED: &[&str] = &[
    "li",
    "ul",
    "ol",
    "td",
    "th",
    "tr",
    "table",
    "blockquote",
    "summary",
    "dt",
    "dd",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "pre",
];

/// Adds text, digits small where they stand above or below the line.
pub(super) fn push_text(text: &str, line: u32, reading: &Reading, inline: &mut Inline) {
    match reading.script {
        None => inline.push(text, line),
        Some(script) => inline.push(
            &text.chars().map(|c| small(c, script)).collect::<String>(),
            line,
        ),
    }
}

fn small(c: char, script: Script) -> char {
    const ABOVE: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻";
    const BELOW: &str = "₀₁₂₃₄₅₆₇₈₉₊₋";
    let of = match script {
        Script::Above => ABOVE,
        Script::Below => BELOW,
    };
    let place = "0123456789+-−".chars().position(|plain| plain == c);
    place
        .and_then(|place| of.chars().nth(place.min(11)))
        .unwrap_or(c)
}

/// Whether the tag only marks text, and if so marks it.
fn inline_element(name: &str, closing: bool, reading: &mut Reading, inline: &mut Inline) -> bool {
    let mark = match name {
        "b" | "strong" => Mark::Strong,
        "i" | "em" | "cite" => Mark::Emphasis,
        "del" | "s" | "strike" => Mark::Strike,
        "code" | "kbd" | "samp" | "tt" => Mark::Code,
        "a" => Mark::Link,
        "br" => {
            inline.space();
            return true;
        }
        "sup" | "sub" => {
            let script = if name == "sup" {
                Script::Above
            } else {
                Script::Below
            };
            reading.script = (!closing).then_some(script);
            return true;
        }
        _ => return false,
    };
    if closing {
        inline.close(mark);
    } else {
        inline.open(mark);
    }
    true
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
    if inline_element(name, false, reading, builder.inline()) {
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
        trim_code(&mut text);
        let last = text.lines.last().map_or(start, |(_, line)| *line);
        builder.code(
            &language,
            Lines {
                start,
                end: line.max(last).max(start),
            },
            text,
        );
        return;
    }
    if reading.pre.is_some() || inline_element(name, true, reading, builder.inline()) {
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

/// Adds to the text of a code block, with a line entry at each of its lines.
pub(super) fn push_code(code: &mut Text, text: &str, line: u32) {
    for (line, part) in (line..).zip(text.split_inclusive('\n')) {
        let starts_line = code.plain.is_empty() || code.plain.ends_with('\n');
        if starts_line && code.lines.last().is_none_or(|(_, last)| *last < line) {
            code.lines.push((code.plain.len(), line));
        }
        match part.strip_suffix("\r\n") {
            Some(part) => {
                code.plain.push_str(part);
                code.plain.push('\n');
            }
            None => code.plain.push_str(part),
        }
    }
}

/// Takes blank lines off both ends of code.
pub(super) fn trim_code(code: &mut Text) {
    code.plain.truncate(code.plain.trim_end_matches('\n').len());
    let blank = code.plain.len() - code.plain.trim_start_matches('\n').len();
    code.plain.drain(..blank);
    code.lines.retain_mut(|(offset, _)| {
        let kept = *offset >= blank && *offset < blank + code.plain.len();
        *offset = offset.saturating_sub(blank);
        kept
    });
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
