//! Inline markup of AsciiDoc.

use crate::documents::Mark;
use crate::documents::html_text::Script;
use crate::documents::spans::{Delimiter, Finder, Piece, Syntax};

/// Strong, emphasis, code, plain; roles, links, macros, references.
pub(super) const SYNTAX: Syntax = Syntax {
    delimiters: &[
        Delimiter::anywhere("**", Mark::Strong),
        Delimiter::anywhere("__", Mark::Emphasis),
        Delimiter::anywhere("``", Mark::Code),
        Delimiter::words("*", Mark::Strong),
        Delimiter::words("_", Mark::Emphasis),
        Delimiter::words("`", Mark::Code),
    ],
    special,
};

/// Macros that show nothing.
const DROPPED: &[&str] = &["image:", "icon:", "footnote:", "indexterm:", "anchor:"];
/// Macros that show the text in their brackets.
const LINKS: &[&str] = &["link:", "xref:", "mailto:", "https://", "http://"];

fn special(finder: &mut Finder<'_>, at: usize) -> Option<Piece> {
    let rest = finder.rest(at);
    match rest.chars().next()? {
        '\\' => {
            let escaped = rest.chars().nth(1).filter(|c| "*_`#+^~[<{".contains(*c))?;
            Some(Piece::plain(at + 1 + escaped.len_utf8(), at + 1..at + 1 + escaped.len_utf8()))
        }
        '[' => {
            let end = finder.find("]", at)? + 1;
            let role = rest.get(1..end - at - 1)?;
            if rest.starts_with("[[") {
                return Some(Piece::dropped(finder.find("]]", at)? + 2));
            }
            let sign = ["##", "#"].into_iter().find(|sign| finder.rest(end).starts_with(sign))?;
            let shown = end + sign.len()..finder.find(sign, end + sign.len())?;
            let struck = role.contains("line-through") || role.contains("strike");
            let end = shown.end + sign.len();
            Some(if struck {
                Piece::marked(end, shown, Mark::Strike)
            } else {
                Piece::plain(end, shown)
            })
        }
        '<' if rest.starts_with("<<") => {
            let end = finder.find(">>", at)?;
            let inner = rest.get(2..end - at)?;
            let start = inner.find(',').map_or(at + 2, |comma| at + 2 + comma + 1);
            Some(Piece::link(end + 2, start..end))
        }
        '^' => raised(finder, at, "^", Script::Above),
        '~' => raised(finder, at, "~", Script::Below),
        '+' => {
            let sign = ["+++", "++", "+"].into_iter().find(|sign| rest.starts_with(sign))?;
            let alone = finder.before(at).is_none_or(|c| !c.is_alphanumeric())
                && !rest.get(sign.len()..)?.starts_with([' ', '\n']);
            let end =
                finder.find(sign, at + sign.len()).filter(|end| alone && *end > at + sign.len())?;
            let inner = rest.get(sign.len()..end - at)?;
            (sign.len() > 1 || !inner.ends_with(' '))
                .then(|| Piece::plain(end + sign.len(), at + sign.len()..end))
        }
        'i' | 'f' | 'a' | 'l' | 'x' | 'm' | 'h' | 'k' | 'b'
            if finder.before(at).is_none_or(|c| !c.is_ascii_alphanumeric()) =>
        {
            called(finder, at)
        }
        '{' => {
            let end = finder.find("}", at)?;
            let name = rest.get(1..end - at)?;
            matches!(name, "nbsp" | "zwsp" | "empty" | "sp").then(|| Piece::dropped(end + 1))
        }
        _ => None,
    }
}

/// `name:target[text]`.
fn called(finder: &mut Finder<'_>, at: usize) -> Option<Piece> {
    let rest = finder.rest(at);
    let dropped = DROPPED.iter().any(|name| rest.starts_with(name));
    let keys = rest.starts_with("kbd:[") || rest.starts_with("btn:[");
    if !dropped && !keys && !LINKS.iter().any(|name| rest.starts_with(name)) {
        return None;
    }
    let open = finder.find("[", at)?;
    if rest.get(..open - at)?.contains(char::is_whitespace) {
        return None;
    }
    let end = finder.find("]", open)?;
    let inner = finder.rest(open + 1).get(..end - open - 1)?;
    Some(if dropped {
        Piece::dropped(end + 1)
    } else if keys {
        Piece::marked(end + 1, open + 1..end, Mark::Code)
    } else if inner.is_empty() {
        let target = rest
            .find("://")
            .map_or_else(|| rest.find(':').map_or(at, |colon| at + colon + 1), |_| at);
        Piece::marked(end + 1, target..open, Mark::Link)
    } else {
        let text = inner.trim_end_matches('^').split(",window=").next().unwrap_or(inner);
        Piece::link(end + 1, open + 1..open + 1 + text.len())
    })
}

fn raised(finder: &mut Finder<'_>, at: usize, sign: &'static str, script: Script) -> Option<Piece> {
    let end = finder.find(sign, at + 1)?;
    let inner = finder.rest(at + 1).get(..end - at - 1)?;
    let short = !inner.is_empty() && !inner.contains(char::is_whitespace);
    short.then(|| Piece::script(end + 1, at + 1..end, script))
}
