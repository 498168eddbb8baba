//! Inline markup of reStructuredText.

use crate::documents::Mark;
use crate::documents::html_text::Script;
use crate::documents::spans::{Delimiter, Finder, Piece, Syntax};

/// Strong, literal, emphasis; roles, references and escapes.
pub(super) const SYNTAX: Syntax = Syntax {
    delimiters: &[
        Delimiter::words("**", Mark::Strong),
        Delimiter::words("``", Mark::Code),
        Delimiter::words("*", Mark::Emphasis),
    ],
    special,
};

fn special(finder: &mut Finder<'_>, at: usize) -> Option<Piece> {
    let rest = finder.rest(at);
    match rest.chars().next()? {
        '\\' => {
            let escaped = rest.chars().nth(1)?;
            let end = at + 1 + escaped.len_utf8();
            Some(if escaped.is_whitespace() {
                Piece::dropped(end)
            } else {
                Piece::plain(end, at + 1..end)
            })
        }
        ':' => {
            let name_end = at
                + 1
                + rest
                    .get(1..)?
                    .find(|c: char| !c.is_ascii_alphanumeric() && !"-_.+:".contains(c))?;
            let name = finder.rest(at + 1).get(..name_end - at - 1)?.strip_suffix(':')?;
            finder.rest(name_end).starts_with('`').then_some(())?;
            interpreted(finder, name_end, Some(name))
        }
        '`' if !rest.starts_with("``") => interpreted(finder, at, None),
        '[' => {
            let end = finder.find("]_", at)?;
            let label = finder.rest(at + 1).get(..end - at - 1)?;
            let plain = label.chars().all(|c| c.is_alphanumeric() || "#*-_.".contains(c));
            plain.then(|| Piece::dropped(end + 2))
        }
        '_' if finder.before(at).is_some_and(char::is_alphanumeric) => {
            let bare = rest.trim_start_matches('_');
            let ends = rest.len() - bare.len() <= 2
                && !bare.starts_with(|c: char| c.is_alphanumeric() || c == '`');
            ends.then(|| Piece::dropped(at + rest.len() - bare.len()))
        }
        _ => None,
    }
}

/// Text in single back-quotes with what stands before or after them.
fn interpreted(finder: &mut Finder<'_>, at: usize, role: Option<&str>) -> Option<Piece> {
    let close = finder.find("`", at + 1)?;
    let inner = finder.rest(at + 1).get(..close - at - 1)?;
    if inner.is_empty() || inner.starts_with(char::is_whitespace) {
        return None;
    }
    let after = finder.rest(close + 1);
    let reference = after.len() - after.trim_start_matches('_').len();
    let end = close + 1 + reference.min(2);
    // `text <target>` shows the text; `~a.b.c` shows it without the sign.
    let titled = inner
        .strip_suffix('>')
        .and_then(|inner| inner.rsplit_once('<'))
        .map(|(title, _)| title.trim_end());
    let start =
        at + 1 + usize::from(titled.is_none() && role.is_some() && inner.starts_with(['~', '!']));
    let shown =
        start..titled.filter(|title| !title.is_empty()).map_or(close, |title| at + 1 + title.len());
    let short = role.map(|role| role.rsplit(':').next().unwrap_or(role));
    Some(match short {
        None if reference > 0 => Piece::marked(end, shown, Mark::Link),
        None => Piece::marked(end, shown, Mark::Code),
        Some("sup" | "superscript") => Piece::script(end, shown, Script::Above),
        Some("sub" | "subscript") => Piece::script(end, shown, Script::Below),
        Some("math" | "abbr" | "title" | "guilabel" | "menuselection") => Piece::plain(end, shown),
        Some("strike" | "del" | "s") => Piece::marked(end, shown, Mark::Strike),
        Some("strong" | "b") => Piece::marked(end, shown, Mark::Strong),
        Some("emphasis" | "i" | "dfn") => Piece::marked(end, shown, Mark::Emphasis),
        Some(
            "ref" | "doc" | "term" | "numref" | "issue" | "pr" | "pull" | "download" | "cite"
            | "eq",
        ) => Piece::marked(end, shown, Mark::Link),
        Some(_) => Piece::marked(end, shown, Mark::Code),
    })
}
