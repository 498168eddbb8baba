//! Scripts and configuration files: their comments, of which those that name something are read.
//!
//! What a script does is no text. Only marks that are comments in shells and configuration alike
//! are known: `#`, and `;` where a line begins with it.

use super::builder::Builder;
use super::inline::Inline;
use super::source::Source;
use super::{Lines, Text, code};

/// Reads a script or a configuration file.
pub(super) fn read(source: &Source, builder: &mut Builder) {
    let mut gathered = Comment::default();
    for (line, text) in source.lines() {
        let Some((before, words)) = comment(text) else {
            gathered.finish(builder);
            continue;
        };
        let beside = !before.is_empty();
        if beside || words.is_empty() {
            gathered.finish(builder);
        }
        gathered.push(words, line);
        if beside && gathered.names {
            // The setting that the comment stands beside.
            let mut setting = Text::default();
            code::push(&mut setting, before, std::iter::once(line));
            builder.code("", Lines { start: line, end: line }, setting);
            gathered.finish(builder);
        } else if beside {
            gathered = Comment::default();
        }
    }
    gathered.finish(builder);
}

/// Lines of comment that belong together.
#[derive(Default)]
struct Comment {
    text: Inline,
    /// Something in it looks like code.
    names: bool,
}

impl Comment {
    fn push(&mut self, words: &str, line: u32) {
        // In a writing without spaces a name stands between characters of another kind.
        let is_end =
            |pair: (char, char)| pair.0.is_whitespace() || pair.0.is_ascii() != pair.1.is_ascii();
        let mut rest = words;
        while !rest.is_empty() {
            let pairs = rest.char_indices().zip(rest.char_indices().skip(1));
            let end =
                pairs.filter(|((_, a), (_, b))| is_end((*a, *b))).map(|(_, (at, _))| at).next();
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after;
            let bare = word.trim().trim_matches(['`', '"', '\'', ',', ';', '(', ')', '.']);
            let bare = bare.strip_suffix(':').unwrap_or(bare);
            match word.split_once(bare).filter(|_| is_code(bare)) {
                Some((open, close)) => {
                    self.names = true;
                    self.text.push(open.trim_end_matches('`'), line);
                    self.text.push_code(bare, std::iter::once(line));
                    self.text.push(close.trim_start_matches('`'), line);
                }
                None => self.text.push(word, line),
            }
        }
        self.text.space();
    }

    /// Hands the comment over where it names something; no other can warn of anything.
    fn finish(&mut self, builder: &mut Builder) {
        let comment = std::mem::take(self);
        if comment.names {
            builder.code_comment(comment.text);
        }
    }
}

/// What stands before a line's comment, and its words. A mark within quotes or within a word begins
/// none, nor does the line that names an interpreter.
fn comment(line: &str) -> Option<(&str, &str)> {
    let content = line.trim_start();
    if content.starts_with("#!") {
        return None;
    }
    if let Some(words) = content.strip_prefix(['#', ';']) {
        return Some(("", words.trim_start_matches(['#', ';']).trim()));
    }
    let (mut single, mut double, mut before) = (false, false, ' ');
    for (at, c) in line.char_indices() {
        match c {
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            '#' if !single && !double && before.is_whitespace() => {
                let words = line[at..].trim_start_matches('#').trim();
                return Some((line[..at].trim(), words));
            }
            _ => {}
        }
        before = c;
    }
    None
}

/// Tells whether a word is a name of code: a variable, an assignment, a flag.
fn is_code(word: &str) -> bool {
    let ascii = word.is_ascii() && word.len() > 2;
    let named = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '$');
    let inner = |mark: char| word[1..].trim_end_matches(mark).contains(mark);
    let flag = word
        .strip_prefix("--")
        .or_else(|| word.strip_prefix('-'))
        .is_some_and(|name| name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic()));
    ascii && (flag || named && !word.contains("//") && ['_', '=', ':'].into_iter().any(inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_begins_a_comment_where_a_shell_says_so() {
        assert_eq!(comment("# never"), Some(("", "never")));
        assert_eq!(comment("  ;; never"), Some(("", "never")));
        assert_eq!(comment("A=1  # never"), Some(("A=1", "never")));
        assert_eq!(comment("#!/bin/sh"), None);
        assert_eq!(comment("A='x # y'"), None);
        assert_eq!(comment("echo ${#A} a#b"), None);
    }

    #[test]
    fn names_of_code_are_told_from_words() {
        for code in ["RAMP_MODE", "RAMP=fast", "--fast-ramp", "pool:growable", "$RAMP_MODE"] {
            assert!(is_code(code), "{code}");
        }
        for word in ["never", "a-b", "-", "--", "note:", "https://kestrel.example", "=", "x_"] {
            assert!(!is_code(word), "{word}");
        }
    }
}
