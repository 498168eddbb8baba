//! Which rules a text is a candidate for: one pass over it for all rules of all kinds.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use aho_corasick::AhoCorasick;
use regex::{Matches, Regex, RegexBuilder};

use super::lexicon;
use super::needle::{self, Needle, Needles};

/// Compiled size at which one rule's patterns are refused, bytes.
const SIZE_LIMIT: usize = 8 << 20;

/// A rule's expression, compiled when a text first needs it: few of all rules meet a given history.
#[derive(Debug)]
pub(crate) struct Matcher {
    /// With stand-ins for lexicons.
    source: Box<str>,
    lexicons: Arc<[String]>,
    regex: OnceLock<Option<Regex>>,
    /// Its place in [`Candidates`].
    index: usize,
}

/// Why an expression cannot be used.
pub(super) enum Refusal {
    /// Malformed or too large, as the engine says.
    Engine(String),
    /// It matches the empty text.
    Empty,
}

impl Matcher {
    /// Compiles it now and says what is wrong with it.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let regex = self.build().map_err(|e| Refusal::Engine(e.to_string()))?;
        if regex.is_match("") {
            return Err(Refusal::Empty);
        }
        self.regex.get_or_init(|| Some(regex));
        Ok(())
    }

    /// Tells whether it matches somewhere in a text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }

    /// The start of its first match in a text.
    pub(crate) fn find_start(&self, text: &str) -> Option<usize> {
        self.regex()?.find(text).map(|found| found.start())
    }

    /// Its matches in a text, in order.
    pub(crate) fn find_iter<'r, 't>(
        &'r self,
        text: &'t str,
    ) -> impl Iterator<Item = regex::Match<'t>> + use<'r, 't> {
        let found: Option<Matches<'r, 't>> = self.regex().map(|regex| regex.find_iter(text));
        found.into_iter().flatten()
    }

    fn build(&self) -> Result<Regex, regex::Error> {
        let source = lexicon::written_out(&self.source, &self.lexicons);
        RegexBuilder::new(&source).size_limit(SIZE_LIMIT).build()
    }

    /// `None` for what [`Matcher::check`] refuses: rules of users are checked when they are
    /// loaded, and a test checks the built-in ones.
    fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| self.build().ok()).as_ref()
    }
}

/// The rules that can match in a text, as bits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    bits: Box<[u64]>,
}

impl Candidates {
    /// Tells whether an expression can match; where not, it does not.
    pub(crate) fn may(&self, matcher: &Matcher) -> bool {
        self.bits.get(matcher.index / 64).is_none_or(|word| word >> (matcher.index % 64) & 1 == 1)
    }
}

/// All expressions, to be looked for at once.
#[derive(Debug, Default)]
pub(super) struct Finder {
    /// Words of the lexicons, by their stand-ins.
    lexicons: Arc<[String]>,
    sources: Vec<(Box<str>, Slices)>,
    automaton: OnceLock<Option<Automaton>>,
}

/// Which slices of a text an expression is run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slices {
    /// The text itself and its clauses: word borders within it are word borders of the slice.
    Clauses,
    /// Any: a slice may begin or end within a word.
    Any,
}

impl Finder {
    /// Nothing to look for yet, in expressions that may name these lexicons.
    pub(super) fn new(lexicons: Vec<String>) -> Finder {
        Finder { lexicons: lexicons.into(), ..Finder::default() }
    }

    /// Takes in an expression, with stand-ins for lexicons.
    pub(super) fn add(&mut self, source: String, slices: Slices) -> Matcher {
        let source = source.into_boxed_str();
        let index = self.sources.len();
        self.sources.push((source.clone(), slices));
        Matcher { source, lexicons: Arc::clone(&self.lexicons), regex: OnceLock::new(), index }
    }

    /// Every expression again, for tests that ask all of them.
    #[cfg(test)]
    pub(super) fn matchers(&self) -> Vec<Matcher> {
        let mut again = Finder { lexicons: Arc::clone(&self.lexicons), ..Finder::default() };
        self.sources.iter().map(|(source, slices)| again.add(source.to_string(), *slices)).collect()
    }

    /// The expressions that can match in a text or in a slice of it that begins or ends at `cuts`,
    /// which are in order.
    pub(super) fn candidates(&self, text: &str, cuts: &[usize]) -> Candidates {
        let automaton =
            self.automaton.get_or_init(|| Automaton::new(&self.sources, &self.lexicons));
        match automaton {
            Some(automaton) => automaton.candidates(text, cuts),
            // No bits: all may match.
            None => Candidates::default(),
        }
    }
}

/// The literals of all expressions.
#[derive(Debug)]
struct Automaton {
    literals: AhoCorasick,
    /// For each literal and each of the four ways to stand at word borders (left 1, right 2), the
    /// expressions that then can match, `width` words each.
    masks: Vec<u64>,
    /// Words of a mask.
    width: usize,
    /// Expressions without a literal.
    always: Box<[u64]>,
}

impl Automaton {
    fn new(sources: &[(Box<str>, Slices)], lexicons: &[String]) -> Option<Automaton> {
        let lexicons: Vec<Needles> =
            lexicons.iter().map(|words| needle::needles(words, &[])).collect();
        let width = sources.len().div_ceil(64);
        let mut always = vec![0; width];
        let mut wanted: BTreeMap<String, Vec<(usize, Needle)>> = BTreeMap::new();
        for (index, (source, slices)) in sources.iter().enumerate() {
            let source = source.strip_prefix("(?i)").unwrap_or(source);
            match needle::needles(source, &lexicons) {
                None => always[index / 64] |= 1 << (index % 64),
                Some(needles) => {
                    for mut needle in needles {
                        if *slices == Slices::Any {
                            (needle.left, needle.right) = (false, false);
                        }
                        wanted.entry(needle.text.clone()).or_default().push((index, needle));
                    }
                }
            }
        }
        let mut masks = vec![0; wanted.len() * 4 * width];
        for (literal, uses) in wanted.values().enumerate() {
            for (index, needle) in uses {
                for borders in 0..4 {
                    let met =
                        (!needle.left || borders & 1 == 1) && (!needle.right || borders & 2 == 2);
                    if met {
                        masks[(literal * 4 + borders) * width + index / 64] |= 1 << (index % 64);
                    }
                }
            }
        }
        let literals =
            AhoCorasick::builder().ascii_case_insensitive(true).build(wanted.keys()).ok()?;
        Some(Automaton { literals, masks, width, always: always.into_boxed_slice() })
    }

    fn candidates(&self, text: &str, cuts: &[usize]) -> Candidates {
        // The two characters that equal an ASCII letter in any case.
        if !text.is_ascii() && text.contains(['\u{212a}', '\u{17f}']) {
            return Candidates::default();
        }
        let mut bits = self.always.clone();
        let bytes = text.as_bytes();
        let word =
            |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let border = |at: usize| {
            at.checked_sub(1).is_some_and(word) != word(at) || cuts.binary_search(&at).is_ok()
        };
        for hit in self.literals.find_overlapping_iter(text) {
            let borders = usize::from(border(hit.start())) + 2 * usize::from(border(hit.end()));
            let start = (hit.pattern().as_usize() * 4 + borders) * self.width;
            for (bits, mask) in bits.iter_mut().zip(&self.masks[start..start + self.width]) {
                *bits |= mask;
            }
        }
        Candidates { bits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_matches_is_a_candidate() {
        let mut finder = Finder::default();
        let sources =
            [r"(?i)(?-u:\b)fails(?-u:\b)", "(?i)起不来", "(?i)[^ ]+x", "(?i)(?-u:\\b)[0-9]+ ?ms"];
        let matchers: Vec<Matcher> =
            sources.iter().map(|s| finder.add((*s).to_owned(), Slices::Clauses)).collect();
        let texts =
            ["It FAILS.", "failsafe", "faiLſ", "两张卡起不来", "axe", "took 5 MS", "5 m", ""];
        for text in texts {
            let candidates = finder.candidates(text, &[]);
            for matcher in &matchers {
                assert!(!matcher.is_match(text) || candidates.may(matcher), "{text} {matcher:?}");
            }
        }
        assert!(!finder.candidates("failsafe", &[]).may(&matchers[0]));
        assert!(finder.candidates("failsafe", &[5]).may(&matchers[0]));
    }
}
