//! Text of a repository inside Markdown, so that it stays text.
//!
//! Forges read more than Markdown: names, issue numbers, commit ids, emoji, formulas and bare
//! addresses, and they look for them in the finished HTML, where a back-slash is gone. They leave
//! code alone, so words of the repository are code wherever that reads well.

use crate::report::escape;
use crate::texts::{Language, Message, Piece};

/// A character of no width, as an entity: what stands around it is no name, number or address.
const BREAK: &str = "&#8203;";

/// The text as a code span: nothing in it is read.
pub(super) fn code(text: &str) -> String {
    let text = escape::visible(text);
    let text = text.trim_matches(' ');
    if text.is_empty() {
        return "–".to_owned();
    }
    let fence = "`".repeat(longest_run(text) + 1);
    // Spaces keep a back-tick at an end from joining the fence; readers take them off.
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// The same, at most so many columns wide.
pub(super) fn short_code(text: &str, columns: usize) -> String {
    code(&escape::cut(text, columns))
}

/// Commands in a block of code.
pub(super) fn block(commands: &[String]) -> String {
    let text = commands.join("\n");
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    format!("{fence}sh\n{text}\n{fence}\n")
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

/// Prose that a stranger may have written: read as plain text.
pub(super) fn prose(text: &str) -> String {
    let shown = escape::visible(text);
    let mut inert = String::with_capacity(shown.len());
    let mut characters = shown.chars().peekable();
    let mut before = ' ';
    while let Some(character) = characters.next() {
        let next = characters.peek().copied().unwrap_or(' ');
        match character {
            '<' => inert.push_str("&lt;"),
            '>' => inert.push_str("&gt;"),
            '&' => inert.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => {
                inert.extend(['\\', character]);
            }
            _ => inert.push(character),
        }
        let starts = match character {
            '@' | '#' | '!' | '%' | '~' | '$' | '&' | '^' => !next.is_whitespace(),
            // `https://`, `:emoji:`.
            ':' => next == '/' || next.is_alphabetic() || matches!(next, '+' | '-'),
            // `www.`, `GH-12`.
            '.' => before == 'w' || before == 'W',
            '-' => matches!(before, 'h' | 'H') && next.is_ascii_digit(),
            _ => false,
        };
        if starts {
            inert.push_str(BREAK);
        }
        before = character;
    }
    inert
}

/// A message: our words as they are, those of the repository as code.
pub(super) fn message(message: &Message, language: Language) -> String {
    let pieces = message.pieces(language).into_iter();
    pieces
        .map(|piece| match piece {
            Piece::Ours(text) => text,
            Piece::Repository(text) => short_code(&text, escape::TEXT_LIMIT),
        })
        .collect()
}

/// A link, or only its label where there is no address.
pub(super) fn link(label: &str, address: Option<String>) -> String {
    match address {
        Some(address) => format!("[{label}]({address})"),
        None => label.to_owned(),
    }
}

/// Finished Markdown inside a table's cell. Tables are split at bars before anything else is read.
pub(super) fn cell(markdown: &str) -> String {
    markdown.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    use super::*;

    fn events(markdown: &str) -> Vec<Event<'_>> {
        Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH).collect()
    }

    #[test]
    fn code_stands_for_itself() {
        for text in ["a", "`", "``", "a`b", "` `", "|", "\\|", "a\\", "*x* <b> @a #1 [l](u)", "三"]
        {
            let markdown = code(text);
            let events = events(&markdown);
            assert!(matches!(&events[1], Event::Code(code) if **code == *text), "{markdown}");
            assert_eq!(events.len(), 3, "{markdown}");
        }
        assert_eq!(code(" "), "–");
        assert_eq!(code("\u{1b}[2J\n"), "`\\u{1b}[2J\\n`");
    }

    #[test]
    fn prose_is_read_as_text() {
        assert_eq!(
            prose("@you #12 GH-3 https://x.y www.x.y :tada: <b>&amp; *a* [b](c) $x$ !4 `d` 1.2"),
            "@&#8203;you #&#8203;12 GH-&#8203;3 https:&#8203;//x.y www.&#8203;x.y :&#8203;tada: \
             &lt;b&gt;&amp;&#8203;amp; \\*a\\* \\[b\\](c) \\$&#8203;x\\$ !&#8203;4 \\`d\\` 1.2"
        );
    }

    proptest! {
        #[test]
        fn no_text_leaves_its_code_or_its_cell(text in "[`|\\\\a* \u{0}<&\n三]{0,12}") {
            let shown = escape::visible(&text).into_owned();
            let shown = shown.trim_matches(' ');
            let table = format!("| a | b |\n|---|---|\n| {} | end |\n", cell(&code(&text)));
            let events = events(&table);
            let cells = events.iter().filter(|it| matches!(it, Event::Start(Tag::TableCell)));
            prop_assert_eq!(cells.count(), 4, "{}", table);
            let codes: Vec<_> = events
                .iter()
                .filter_map(|it| if let Event::Code(code) = it { Some(&**code) } else { None })
                .collect();
            if shown.is_empty() {
                prop_assert!(codes.is_empty());
            } else {
                prop_assert_eq!(codes, vec![shown], "{}", table);
            }
        }

        #[test]
        fn no_prose_is_markup(text in "[`|\\\\*_<>&~\\[\\]()!#@a:/. $]{0,16}") {
            let markdown = format!("x {}", prose(&text));
            let read: String = events(&markdown)
                .iter()
                .map(|event| match event {
                    Event::Start(Tag::Paragraph) | Event::End(_) => String::new(),
                    Event::Text(text) => text.replace('\u{200b}', ""),
                    other => panic!("{other:?} in {markdown}"),
                })
                .collect();
            let wanted = format!("x {}", escape::visible(&text));
            prop_assert_eq!(read.trim(), wanted.trim());
        }
    }
}
