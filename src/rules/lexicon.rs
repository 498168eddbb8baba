//! Stand-ins for lexicons in expressions.
//!
//! A lexicon can be long and is named by many rules. In the source of an expression one character
//! of a private area stands for it, and the words come in when the expression is compiled, so that
//! an expression that no text needs costs next to nothing.

/// First character that stands for a lexicon.
const FIRST: u32 = 0xf_0000;

/// Characters of that area.
const COUNT: u32 = 0xfffe;

/// The character that stands for a lexicon.
pub(super) fn stand_in(index: usize) -> String {
    u32::try_from(index)
        .ok()
        .filter(|index| *index < COUNT)
        .and_then(|index| char::from_u32(FIRST + index))
        .map_or_else(String::new, String::from)
}

/// The lexicon that a character stands for.
pub(super) fn index(c: char) -> Option<usize> {
    let index = u32::from(c).checked_sub(FIRST).filter(|index| *index < COUNT)?;
    usize::try_from(index).ok()
}

/// An expression with the words of its lexicons.
pub(super) fn written_out(source: &str, lexicons: &[String]) -> String {
    let mut out = String::with_capacity(source.len());
    for c in source.chars() {
        match index(c).and_then(|at| lexicons.get(at)) {
            Some(words) => out.push_str(words),
            None => out.push(c),
        }
    }
    out
}
