//! The pattern language of rule packs, translated to regular expressions.
//!
//! | written | means |
//! |---|---|
//! | `word` | that word, whole, any case; Han text as it stands |
//! | `word*` | a word that begins so |
//! | a space | nothing or white space |
//! | `(a|b)` | one of these |
//! | `[a]` | perhaps; `test[s]` is a word with or without that ending |
//! | `..` | up to four tokens of the same clause |
//! | `...` | up to ten |
//! | `^` at the start | the start of the clause |
//! | `$` at the end | the end of the clause |
//! | `\(` | that very character |
//! | `{name}` | a lexicon, or one of the number forms: `{number}`, `{quantity}`, `{measured}`, … |
//!
//! "Not followed by" is no part of it: that is what guards are for, as data, since the engine
//! behind (`regex`) stays linear by having no look-around.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A Han character, as a class.
pub(crate) const HAN: &str = r"\x{3400}-\x{9FFF}";

/// One token: two Han characters, or a run of anything else.
pub(crate) const TOKEN: &str = r"(?:[\x{3400}-\x{9FFF}]{1,2}|[^ \x{3400}-\x{9FFF}]+)";

/// What a name in braces stands for.
pub(crate) type Lexicons = BTreeMap<String, String>;

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// `{name}` is neither a lexicon nor a number form.
    #[error("no lexicon `{0}`")]
    NoLexicon(String),
    /// A bracket has no partner.
    #[error("unbalanced `{0}`")]
    Unbalanced(char),
    /// Nothing to look for: it would match everywhere.
    #[error("matches the empty text")]
    Empty,
}

/// Translates one pattern to the source of a regular expression, case left to the flags.
///
/// # Errors
/// Names an unknown lexicon or an unbalanced bracket.
pub(crate) fn translate(pattern: &str, lexicons: &Lexicons) -> Result<String, PatternError> {
    let mut out = String::new();
    let mut open = Vec::new();
    let mut rest = pattern.trim();
    let at_end = rest.ends_with('$') && rest.len() > 1;
    if at_end {
        rest = rest[..rest.len() - 1].trim_end();
    }
    if let Some(after) = rest.strip_prefix('^') {
        out.push_str(r"^[^\p{L}\p{N}`]*");
        rest = after.trim_start();
    }
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("...") {
            let _ = write!(out, "(?: ?{TOKEN}){{0,10}}? ?");
            rest = after.trim_start();
            continue;
        }
        if let Some(after) = rest.strip_prefix("..") {
            let _ = write!(out, "(?: ?{TOKEN}){{0,4}}? ?");
            rest = after.trim_start();
            continue;
        }
        match first {
            ' ' => {
                out.push_str(" ?");
                rest = rest.trim_start();
                continue;
            }
            '(' | '[' => {
                out.push_str("(?:");
                open.push(first);
            }
            ')' => close(&mut open, '(', first).map(|()| out.push(')'))?,
            ']' => close(&mut open, '[', first).map(|()| out.push_str(")?"))?,
            '|' => out.push('|'),
            '\\' => {
                let escaped = rest.chars().nth(1).ok_or(PatternError::Unbalanced('\\'))?;
                out.push_str(&regex::escape(escaped.encode_utf8(&mut [0; 4])));
                rest = &rest[1 + escaped.len_utf8()..];
                continue;
            }
            '{' => {
                let end = rest.find('}').ok_or(PatternError::Unbalanced('{'))?;
                let name = &rest[1..end];
                let body =
                    lexicons.get(name).ok_or_else(|| PatternError::NoLexicon(name.to_owned()))?;
                let _ = write!(out, "(?:{body})");
                rest = &rest[end + 1..];
                continue;
            }
            _ => {
                let (word, after) = word(rest);
                if let Some((ending, after)) = ending(word, after) {
                    literal(word, End::Open, &mut out);
                    let _ = write!(out, r"(?:{})?(?-u:\b)", regex::escape(ending));
                    rest = after;
                } else if let Some(after) = after.strip_prefix('*') {
                    literal(word, End::Any, &mut out);
                    rest = after;
                } else {
                    literal(word, End::Border, &mut out);
                    rest = after;
                }
                continue;
            }
        }
        rest = &rest[first.len_utf8()..];
    }
    if at_end {
        out.push_str(r"[^\p{L}\p{N}`]*$");
    }
    match open.pop() {
        Some(bracket) => Err(PatternError::Unbalanced(bracket)),
        None => Ok(out),
    }
}

/// Translates alternatives and joins them.
pub(crate) fn alternatives<'a>(
    patterns: impl IntoIterator<Item = &'a String>,
    lexicons: &Lexicons,
) -> Result<String, PatternError> {
    Ok(each(patterns, lexicons)?.join("|"))
}

/// Translates alternatives, each for itself.
pub(crate) fn each<'a>(
    patterns: impl IntoIterator<Item = &'a String>,
    lexicons: &Lexicons,
) -> Result<Vec<String>, PatternError> {
    let part =
        |pattern: &String| translate(pattern, lexicons).map(|source| format!("(?:{source})"));
    patterns.into_iter().map(part).collect()
}

fn close(open: &mut Vec<char>, wanted: char, found: char) -> Result<(), PatternError> {
    match open.pop() {
        Some(bracket) if bracket == wanted => Ok(()),
        _ => Err(PatternError::Unbalanced(found)),
    }
}

/// Splits off a run of text without a meaning in the language.
fn word(rest: &str) -> (&str, &str) {
    let end = rest
        .char_indices()
        .find(|(at, c)| " ()[]|{}*\\".contains(*c) || rest[*at..].starts_with(".."))
        .map_or(rest.len(), |(at, _)| at);
    if end == 0 {
        rest.split_at(rest.chars().next().map_or(0, char::len_utf8))
    } else {
        rest.split_at(end)
    }
}

/// What may follow a literal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// A word border, where it ends in a word character.
    Border,
    /// The rest of the word.
    Any,
    /// Whatever is written next.
    Open,
}

/// Writes a literal with a word border on each side that ends in an ASCII word character.
fn literal(word: &str, end: End, out: &mut String) {
    if word.starts_with(is_word) {
        out.push_str(r"(?-u:\b)");
    }
    out.push_str(&regex::escape(word));
    match end {
        End::Any => out.push_str(r"(?-u:\w)*"),
        End::Border if word.ends_with(is_word) => out.push_str(r"(?-u:\b)"),
        End::Border | End::Open => {}
    }
}

/// The ending in `test[s]`: letters in brackets that touch the word before.
fn ending<'a>(word: &str, after: &'a str) -> Option<(&'a str, &'a str)> {
    let (ending, rest) = after.strip_prefix('[')?.split_once(']')?;
    let letters = !ending.is_empty() && ending.chars().all(is_word);
    (letters && word.ends_with(is_word)).then_some((ending, rest))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        let lexicons = Lexicons::from([("neg".to_owned(), "no|never".to_owned())]);
        let source = translate(pattern, &lexicons).unwrap();
        Regex::new(&format!("(?i){source}")).unwrap().is_match(text)
    }

    #[test]
    fn words_are_whole_and_any_case() {
        assert!(matches("fails", "It FAILS."));
        assert!(!matches("fails", "failsafe"));
        assert!(matches("fail*", "failsafe"));
        assert!(matches("did not work", "did not work"));
        assert!(matches("note[s]", "Notes") && matches("note[s]", "a note"));
        assert!(!matches("note[s]", "notebook"));
    }

    #[test]
    fn han_needs_no_borders() {
        assert!(matches("起不来", "两张卡起不来了"));
        assert!(matches("(无|没有) 报错", "跑完没有报错"));
    }

    #[test]
    fn gaps_are_bounded() {
        assert!(matches("{neg} .. crash", "no visible crash"));
        assert!(!matches("{neg} .. crash", "no a b c d e crash"));
        assert!(matches("a [b] c", "a c"));
    }

    #[test]
    fn mistakes_are_named() {
        let none = Lexicons::new();
        assert_eq!(translate("(a", &none), Err(PatternError::Unbalanced('(')));
        assert_eq!(translate("a]", &none), Err(PatternError::Unbalanced(']')));
        assert_eq!(translate("{x}", &none), Err(PatternError::NoLexicon("x".into())));
    }
}
