//! The one gate between text from a repository and a terminal.
//!
//! Paths, documents, commit messages, rule packs and error texts are written by strangers. On a
//! terminal a control character can move the cursor, rewrite what stands above or answer in the
//! user's name, and a bidi control can show a command in another order than it runs. Such
//! characters are shown by their Rust escape and not dropped, so that a reader sees that they are
//! there. Back-slashes stay as they are: `\n` may be a line break or two characters of the text.
//!
//! What is printed may also be the log of a job, and some runners look for commands in the middle
//! of its lines: `##[…]`, `##vso[…]`, `##teamcity[…]`. Those are broken in the same way.
//!
//! [`visible`] is idempotent, so passing the gate twice is harmless.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// Longest text of a claim or a pitfall that a terminal report prints, in columns.
pub const TEXT_LIMIT: usize = 320;

/// Longest text that stands on a line with others (a commit's summary, a trigger), in columns.
pub const LINE_LIMIT: usize = 72;

/// Longest message of an error or a caveat, in columns.
pub const MESSAGE_LIMIT: usize = 2_000;

/// How many characters without a width of their own may stand in one column before the text is cut.
const STACKED: usize = 4;

/// Whether a character may act on a terminal, or hide or reorder what stands around it.
///
/// These are the C0 and C1 controls and DEL, line and paragraph separators, bidi controls,
/// interlinear and tag characters, and those spaces and fillers that have no width. Joiners stay:
/// scripts and emoji need them.
pub fn is_hostile(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Whether a runner of jobs takes what begins here for a command, wherever in a line it stands.
pub fn is_command(text: &str) -> bool {
    let name = |character: char| character.is_ascii_alphanumeric();
    text.strip_prefix("##").is_some_and(|rest| rest.trim_start_matches(name).starts_with('['))
}

/// Whether anything in a text is hostile, or a command.
pub fn acts(text: &str) -> bool {
    let command = |(at, _): (usize, char)| text.get(at..).is_some_and(is_command);
    text.contains(is_hostile) || text.char_indices().filter(|it| it.1 == '#').any(command)
}

/// The text with every hostile character shown as `\n`, `\t` or `\u{202e}`, and every command with
/// its first sign so.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !acts(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for (at, character) in text.char_indices() {
        if is_hostile(character) {
            // `escape_default` and not `escape_debug`: the latter prints some of them raw.
            shown.extend(character.escape_default());
        } else if character == '#' && text.get(at..).is_some_and(is_command) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// A visible text as the beginning of a line: no runner of jobs takes the line for a command.
pub fn at_start(shown: &str) -> Cow<'_, str> {
    let rest = shown.trim_start();
    match rest.strip_prefix("::") {
        Some(after) => {
            let space = shown.strip_suffix(rest).unwrap_or_default();
            Cow::Owned(format!("{space}{}:{after}", ':'.escape_unicode()))
        }
        None => Cow::Borrowed(shown),
    }
}

/// The visible text, at most `columns` wide; a longer one ends in `…`.
///
/// Piles of combining marks have no width and are cut by their number.
pub fn cut(text: &str, columns: usize) -> String {
    let limit = columns.saturating_mul(STACKED);
    // Only what could be printed at all is looked at, however long the text.
    let end = text.char_indices().nth(limit.saturating_add(1)).map_or(text.len(), |(at, _)| at);
    let shown = visible(text.get(..end).unwrap_or_default());
    let (mut width, mut count, mut fits) = (0, 0, 0);
    for (at, character) in shown.char_indices() {
        width += character.width().unwrap_or(0);
        count += 1;
        if width > columns || count > limit {
            return format!("{}…", shown.get(..fits).unwrap_or_default().trim_end());
        }
        // Room for the ellipsis is kept behind the last character that surely stays.
        if width < columns {
            fits = at + character.len_utf8();
        }
    }
    shown.into_owned()
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    const HOSTILE: &str =
        "\x1b]0;owned\x07\x1b[2J\u{9b}31m\x7f\r\n\t\u{202e}gnp\u{2066}\u{200b}\u{e0041}\0";

    #[test]
    fn nothing_hostile_passes() {
        let shown = visible(HOSTILE);
        assert!(!shown.contains(is_hostile));
        assert!(shown.bytes().all(|byte| (0x20..0x7f).contains(&byte)));
        assert_eq!(
            shown,
            r"\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{7f}\r\n\t\u{202e}gnp\u{2066}\u{200b}\u{e0041}\u{0}"
        );
    }

    #[test]
    fn no_runner_finds_a_command() {
        for (text, shown) in [
            ("a ##[error]b", r"a \u{23}#[error]b"),
            ("###vso[task.x y=z]", r"#\u{23}#vso[task.x y=z]"),
            ("##teamcity[a]##[b]", r"\u{23}#teamcity[a]\u{23}#[b]"),
            ("## [a](b) ##a ##三[", "## [a](b) ##a ##三["),
            ("####", "####"),
        ] {
            assert_eq!(visible(text), shown);
            assert_eq!(visible(shown), shown);
        }
    }

    #[test]
    fn no_line_begins_with_a_command() {
        assert_eq!(at_start("  ::error::x"), r"  \u{3a}:error::x");
        assert_eq!(at_start(&at_start("::")), r"\u{3a}:");
        assert_eq!(at_start("std::io ::error"), "std::io ::error");
    }

    #[test]
    fn the_gate_is_idempotent() {
        let once = visible(HOSTILE).into_owned();
        assert_eq!(visible(&once), once);
    }

    #[test]
    fn letters_of_all_scripts_and_emoji_pass() {
        let text = "三张卡失败 · naïve · فارسی\u{200c}ها · 👩\u{200d}🔬 · µs ± 2 %";
        assert_eq!(visible(text), text);
    }

    #[test]
    fn long_text_is_cut_with_an_ellipsis() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abcde…");
        assert_eq!(cut("三张卡失败", 10), "三张卡失败");
        assert_eq!(cut("三张卡失败", 9), "三张卡失…");
        assert_eq!(cut("", 5), "");
        for columns in 1..40 {
            assert!(cut(HOSTILE, columns).width() <= columns);
        }
    }

    #[test]
    fn a_pile_of_combining_marks_is_cut() {
        let pile = format!("a{}", "\u{301}".repeat(10_000));
        assert!(cut(&pile, 10).chars().count() <= 10 * STACKED + 1);
    }
}
