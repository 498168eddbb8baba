//! Comments that speak to this program, and which lines each speaks of.

use super::Remark;
use crate::documents::{BlockKind, Document, Lines};

/// How such a comment begins.
const ADDRESS: &str = "claim-audit:";

/// All remarks of a document. A text that only mentions the address is none: it must be a comment of
/// its format and begin so.
pub(super) fn remarks(document: &Document) -> Vec<Remark> {
    let said = document.comments.iter().filter_map(|comment| {
        let text = comment.text.trim_start().strip_prefix(ADDRESS)?;
        let about = match comment.before {
            None => Some(comment.lines),
            Some(next) => next_text(document, next),
        };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Remark { text, lines: comment.lines, about })
    });
    said.collect()
}

/// The lines of the block that comes next, past further comments.
fn next_text(document: &Document, next: usize) -> Option<Lines> {
    let mut rest = document.blocks.iter().skip(next);
    let block = rest.find(|block| block.kind != BlockKind::Comment)?;
    match block.kind {
        BlockKind::Paragraph | BlockKind::Item { .. } | BlockKind::Table(_) => Some(block.lines),
        BlockKind::Heading(_)
        | BlockKind::Code { .. }
        | BlockKind::Field { .. }
        | BlockKind::CodeComment
        | BlockKind::Comment => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::{Format, parse};

    fn read(format: Format, text: &str) -> Vec<(String, Option<(u32, u32)>)> {
        let said = remarks(&parse(format, text.as_bytes()));
        said.into_iter()
            .map(|it| (it.text, it.about.map(|lines| (lines.start, lines.end))))
            .collect()
    }

    #[test]
    fn a_remark_speaks_of_its_own_lines_or_of_the_next_block() {
        let text = "Eight cards: 80 tok/s. <!-- claim-audit: ignore[estimate] planned -->\n\n\
                    <!-- claim-audit: ignore[a]\n  why -->\n\nOne.\nTwo.\n\n\
                    | a | b |\n|---|---|\n| 1 <!-- claim-audit: cell --> | 2 |\n\n\
                    <!-- claim-audit: list -->\n- one\n- two <!--claim-audit: item-->\n\n\
                    <!-- claim-audit: none -->\n\n# Title\n\n<!-- claim-audit: last -->\n";
        let one = |text: &str, lines| (text.to_owned(), lines);
        assert_eq!(
            read(Format::Markdown, text),
            [
                one("ignore[estimate] planned", Some((1, 1))),
                one("ignore[a] why", Some((6, 7))),
                one("cell", Some((11, 11))),
                one("list", Some((14, 14))),
                one("item", Some((15, 15))),
                one("none", None),
                one("last", None),
            ]
        );
    }

    #[test]
    fn every_format_has_its_comments() {
        for (format, text) in [
            (Format::Rst, ".. claim-audit: ignore[x] why\n\nEight cards fail.\n"),
            (Format::Org, "# claim-audit: ignore[x] why\nEight cards fail.\n"),
            (Format::AsciiDoc, "// claim-audit: ignore[x] why\n\nEight cards fail.\n"),
            (Format::Latex, "% claim-audit: ignore[x] why\nEight cards fail.\n"),
            (Format::Html, "<!-- claim-audit: ignore[x] why -->\n<p>Eight cards fail.</p>\n"),
        ] {
            let said = read(format, text);
            assert_eq!(said.len(), 1, "{format:?}: {said:?}");
            assert_eq!(said[0].0, "ignore[x] why", "{format:?}");
            assert!(said[0].1.is_some(), "{format:?}");
        }
    }

    #[test]
    fn a_text_about_remarks_is_none() {
        for text in [
            "Write `<!-- claim-audit: ignore[estimate] why -->` beside it.\n",
            "```html\n<!-- claim-audit: ignore[estimate] why -->\n```\n",
            "claim-audit: ignore[estimate] why\n",
            "<!-- see claim-audit: ignore[estimate] -->\n",
        ] {
            assert_eq!(read(Format::Markdown, text), [], "{text}");
        }
    }
}
