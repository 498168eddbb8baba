//! HTML in running text: tags that mark, small digits, gaps.

use super::Mark;
use super::html::BLOCKS;
use super::inline::Inline;

/// Where `sup` and `sub` put text: digits become small ones, lest `10<sup>3</sup>` read 103.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// Above the line.
    Above,
    /// Below the line.
    Below,
}

/// Reads one tag or comment in the middle of a text.
pub(super) fn inline_tag(tag: &str, script: &mut Option<Script>, inline: &mut Inline) {
    let inner = tag.trim_start_matches('<');
    let (closing, inner) = inner.strip_prefix('/').map_or((false, inner), |rest| (true, rest));
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
    let name = inner.get(..end).unwrap_or_default().to_ascii_lowercase();
    if !element(&name, closing, script, inline)
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
pub(super) fn push(
    text: &str,
    lines: impl Iterator<Item = u32>,
    script: Option<Script>,
    inline: &mut Inline,
) {
    match script {
        None => inline.push_lines(text, lines),
        Some(script) => {
            inline.push_lines(&text.chars().map(|c| small(c, script)).collect::<String>(), lines)
        }
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
    place.and_then(|place| of.chars().nth(place.min(11))).unwrap_or(c)
}

/// Whether the tag only marks text, and if so marks it.
pub(super) fn element(
    name: &str,
    closing: bool,
    script: &mut Option<Script>,
    inline: &mut Inline,
) -> bool {
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
            let place = if name == "sup" { Script::Above } else { Script::Below };
            *script = (!closing).then_some(place);
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
