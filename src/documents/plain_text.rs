//! Plain text: paragraphs between blank lines, underlined titles, items with a dash or a number.

use super::Lines;
use super::builder::Builder;
use super::indents::{Indents, indent_of};
use super::source::Source;

/// Reads a plain text file.
pub(super) fn read(source: &Source, builder: &mut Builder) {
    let mut items = Indents::default();
    let mut lines = source.lines().peekable();
    while let Some((line, text)) = lines.next() {
        let content = text.trim();
        if content.is_empty() || is_rule(content) {
            builder.paragraph(None);
            continue;
        }
        let indent = indent_of(text);
        if let Some(level) = lines.peek().and_then(|(_, below)| underline(content, below)) {
            builder.paragraph(None);
            items.close_all(builder);
            builder.inline().push(content, line);
            builder.heading(level, Some(Lines { start: line, end: line + 1 }));
            lines.next();
        } else if let Some(words) = item(content) {
            builder.paragraph(None);
            items.close_beyond(indent, builder);
            items.open(indent + 1, builder);
            builder.open_item(line, None);
            builder.inline().push(words, line);
            builder.inline().space();
        } else {
            if builder.inline().is_empty() {
                items.close_beyond(indent, builder);
            }
            builder.inline().push(content, line);
            builder.inline().space();
        }
    }
}

/// The words after a bullet or a number.
fn item(content: &str) -> Option<&str> {
    let words = match content.strip_prefix(['-', '*', '•', '·', '+']) {
        Some(words) => words,
        None => {
            let words = content.trim_start_matches(|c: char| c.is_ascii_digit());
            let digits = content.len() - words.len();
            (1..=3).contains(&digits).then(|| words.strip_prefix(['.', ')'])).flatten()?
        }
    };
    words.starts_with([' ', '\t']).then(|| words.trim_start()).filter(|words| !words.is_empty())
}

/// The level of a title whose next line is `below`.
fn underline(title: &str, below: &str) -> Option<u8> {
    let below = below.trim();
    let level = match below.chars().next()? {
        '=' => 1,
        '-' => 2,
        '~' => 3,
        _ => return None,
    };
    let long = below.len() >= 3 && below.len() <= title.len().saturating_mul(2) + 4;
    (long && is_rule(below) && item(title).is_none()).then_some(level)
}

/// A line of one repeated mark.
fn is_rule(content: &str) -> bool {
    let mut chars = content.chars();
    chars.next().is_some_and(|first| {
        "=-~_*#+".contains(first) && content.len() >= 3 && chars.all(|c| c == first)
    })
}
