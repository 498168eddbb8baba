//! Which rules a text is a candidate for: one pass over it for all rules of all kinds.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use aho_corasick::AhoCorasick;
use regex_automata::Input;
use regex_automata::meta::{BuildError, Config, FindMatches, Regex};

use super::letters::Letters;
use super::lexicon;
use super::needle::{self, GROUPS, Needle, Needles};

/// Compiled size at which one rule's patterns are refused, bytes.
const SIZE_LIMIT: usize = 8 << 20;

/// Bytes of states that a thread keeps of one expression. Gaps and lexicons make many, and an
/// expression that has to forget them makes them again for every sentence.
const STATES_LIMIT: usize = 4 << 20;

/// A rule's expression, compiled when a text first needs it: few of all rules meet a given history.
///
/// What a rule says is a list of alternatives. As one expression they multiply their states, and a text
/// that could match one of them pays for all; so where it is known which can match, they are run one by
/// one, with the same result.
#[derive(Debug)]
pub(crate) struct Matcher {
    whole: Expression,
    /// All of them in their order; none where the expression is not made of alternatives.
    alternatives: Box<[Expression]>,
    /// Places in [`Candidates`]: those of the alternatives, or its own.
    places: Range<usize>,
}

#[derive(Debug)]
struct Expression {
    /// With stand-ins for lexicons.
    source: Box<str>,
    lexicons: Arc<[String]>,
    regex: OnceLock<Option<Regex>>,
}

/// Why an expression cannot be used.
pub(super) enum Refusal {
    /// Malformed or too large, as the engine says.
    Engine(String),
    /// It matches the empty text.
    Empty,
}

impl Expression {
    fn new(source: Box<str>, lexicons: &Arc<[String]>) -> Self {
        Self { source, lexicons: Arc::clone(lexicons), regex: OnceLock::new() }
    }

    /// Compiles it. The engine is not to look for literals first: [`Finder`] did, for all at once.
    fn build(&self) -> Result<Regex, Box<BuildError>> {
        let source = lexicon::written_out(&self.source, &self.lexicons);
        let config = Config::new()
            .nfa_size_limit(Some(SIZE_LIMIT))
            .hybrid_cache_capacity(STATES_LIMIT)
            .auto_prefilter(false);
        Regex::builder().configure(config).build(&source).map_err(Box::new)
    }

    /// What is wrong with it, in words that users of expressions know.
    fn refusal(&self, error: &BuildError) -> Refusal {
        let source = lexicon::written_out(&self.source, &self.lexicons);
        let built = regex::RegexBuilder::new(&source).size_limit(SIZE_LIMIT).build();
        Refusal::Engine(built.err().map_or_else(|| error.to_string(), |error| error.to_string()))
    }

    /// `None` for what [`Matcher::check`] refuses: rules of users are checked when they are
    /// loaded, and a test checks the built-in ones.
    fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| self.build().ok()).as_ref()
    }
}

impl Matcher {
    /// Compiles it now and says what is wrong with it.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        let regex = self.whole.build().map_err(|error| self.whole.refusal(&error))?;
        if regex.is_match("") {
            return Err(Refusal::Empty);
        }
        self.whole.regex.get_or_init(|| Some(regex));
        Ok(())
    }

    /// Tells whether it matches somewhere in a text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.whole.regex().is_some_and(|regex| regex.is_match(text))
    }

    /// The start of its first match in a text.
    pub(crate) fn find_start(&self, text: &str) -> Option<usize> {
        self.whole.regex()?.find(text).map(|found| found.start())
    }

    /// Its matches in a text, in order.
    pub(crate) fn find_iter<'r, 't>(
        &'r self,
        text: &'t str,
    ) -> impl Iterator<Item = regex_automata::Match> + use<'r, 't> {
        let found: Option<FindMatches<'r, 't>> =
            self.whole.regex().map(|regex| regex.find_iter(text));
        found.into_iter().flatten()
    }

    /// The same for a slice of a text whose candidates are known.
    pub(crate) fn find_among<'r, 't>(
        &'r self,
        text: &'t str,
        candidates: &Candidates,
    ) -> Among<'r, 't> {
        let known = self.alternatives.iter().zip(self.places.clone());
        let parts: Vec<&Expression> = match candidates.bits.is_empty() || known.len() == 0 {
            true => vec![&self.whole],
            false => known.filter(|(_, at)| candidates.has(*at)).map(|(part, _)| part).collect(),
        };
        let part = |part: &'r Expression| Some(Part { regex: part.regex()?, next: Next::Unknown });
        Among { text, at: 0, parts: parts.into_iter().filter_map(part).collect() }
    }
}

/// The matches of some alternatives of an expression in a text, in order.
pub(crate) struct Among<'r, 't> {
    text: &'t str,
    /// Where the last match ended.
    at: usize,
    /// In the order of the alternatives.
    parts: Vec<Part<'r>>,
}

struct Part<'r> {
    regex: &'r Regex,
    next: Next,
}

/// Where an alternative matches next.
enum Next {
    Unknown,
    At(Range<usize>),
    Nowhere,
}

impl Iterator for Among<'_, '_> {
    type Item = Range<usize>;

    /// The match that begins first; of those that begin at one place that of the first alternative.
    fn next(&mut self) -> Option<Range<usize>> {
        let Self { text, at, parts } = self;
        let mut first: Option<Range<usize>> = None;
        for Part { regex, next } in parts.iter_mut() {
            if matches!(next, Next::Unknown) || matches!(next, Next::At(hit) if hit.start < *at) {
                let rest = Input::new(*text).span(*at..text.len());
                *next = regex.find(rest).map_or(Next::Nowhere, |hit| Next::At(hit.range()));
            }
            if let Next::At(hit) = next
                && first.as_ref().is_none_or(|first| hit.start < first.start)
            {
                first = Some(hit.clone());
            }
        }
        // No expression matches the empty text, so this goes on.
        self.at = first.as_ref()?.end.max(self.at);
        first.filter(|hit| !hit.is_empty())
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
        let Range { start, end } = matcher.places;
        let words = self.bits.get(start / 64..end.div_ceil(64));
        words.is_none_or(|words| {
            words.iter().zip(start / 64..).any(|(word, index)| {
                let from = start.saturating_sub(index * 64);
                let to = (end - index * 64).min(64);
                *word >> from << (64 - (to - from)) != 0
            })
        })
    }

    /// Tells whether any of some expressions can match.
    pub(crate) fn may_any(&self, kind: &Mask) -> bool {
        self.bits.is_empty() || self.bits.iter().zip(&kind.0).any(|(bits, mask)| bits & mask != 0)
    }

    /// Bytes that they hold.
    pub(crate) fn weight(&self) -> usize {
        size_of_val(&*self.bits)
    }

    fn has(&self, place: usize) -> bool {
        self.bits.get(place / 64).is_none_or(|word| word >> (place % 64) & 1 == 1)
    }
}

/// All rules of a kind, to be asked for at once.
#[derive(Debug, Default)]
pub(crate) struct Mask(Vec<u64>);

impl<'m> FromIterator<&'m Matcher> for Mask {
    fn from_iter<I: IntoIterator<Item = &'m Matcher>>(matchers: I) -> Mask {
        let mut mask = Mask::default();
        for place in matchers.into_iter().flat_map(|matcher| matcher.places.clone()) {
            if mask.0.len() <= place / 64 {
                mask.0.resize(place / 64 + 1, 0);
            }
            mask.0[place / 64] |= 1 << (place % 64);
        }
        mask
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
        self.add_alternatives(source, &[], slices)
    }

    /// The same for an expression that is made of these alternatives.
    pub(super) fn add_alternatives(
        &mut self,
        source: String,
        alternatives: &[String],
        slices: Slices,
    ) -> Matcher {
        let start = self.sources.len();
        let whole: Box<str> = source.into_boxed_str();
        let mut made = Vec::new();
        match alternatives {
            [] | [_] => self.sources.push((whole.clone(), slices)),
            several => {
                for alternative in several {
                    let source: Box<str> = alternative.as_str().into();
                    self.sources.push((source.clone(), slices));
                    made.push(Expression::new(source, &self.lexicons));
                }
            }
        }
        let whole = Expression::new(whole, &self.lexicons);
        Matcher { whole, alternatives: made.into(), places: start..self.sources.len() }
    }

    /// Takes every expression for one that can match anywhere.
    #[cfg(test)]
    pub(super) fn look_for_nothing(&self) {
        self.automaton.get_or_init(|| None);
    }

    /// Every expression and alternative again, for tests that ask all of them.
    #[cfg(test)]
    pub(super) fn matchers(&self) -> Vec<Matcher> {
        let mut again = Finder { lexicons: Arc::clone(&self.lexicons), ..Finder::default() };
        self.sources.iter().map(|(source, slices)| again.add(source.to_string(), *slices)).collect()
    }

    /// None of them.
    pub(super) fn no_candidates(&self) -> Candidates {
        Candidates { bits: vec![0; self.sources.len().div_ceil(64)].into() }
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

/// Which expressions want a literal, and at which borders of words (left 1, right 2).
type Wanted = HashMap<Rc<str>, Vec<(u32, u8)>>;

/// All four ways to stand at borders, a bit each.
const EVERYWHERE: u8 = 0b1111;

/// The literals of all expressions. An expression has a bit in each of [`GROUPS`] parts, one for each group
/// of its literals.
#[derive(Debug)]
struct Automaton {
    /// Those that begin a word wherever they count: looked for where a word begins.
    of_words: Letters,
    /// Single characters of ASCII, which nearly every text has, by their byte.
    single: [Option<u32>; 128],
    /// All others, looked for everywhere.
    others: AhoCorasick,
    /// The numbers of those.
    numbers: Vec<u32>,
    /// Bits that are then set and in which word of all, those of one literal and one of the four ways to
    /// stand at word borders (left 1, right 2) after those of another.
    uses: Vec<(u32, u64)>,
    /// Where those of the next one begin.
    ends: Vec<usize>,
    /// For each group of literals the expressions that have none in it.
    always: Box<[u64]>,
}

impl Automaton {
    fn new(sources: &[(Box<str>, Slices)], lexicons: &[String]) -> Option<Automaton> {
        let lexicons: Vec<Needles> =
            lexicons.iter().map(|words| needle::needles(words, &[])).collect();
        let width = sources.len().div_ceil(64);
        let mut always = vec![0; width * GROUPS];
        let mut wanted: Wanted = HashMap::new();
        for (index, (source, slices)) in sources.iter().enumerate() {
            let source = source.strip_prefix("(?i)").unwrap_or(source);
            let groups = needle::telling(needle::needles(source, &lexicons));
            for number in 0..GROUPS {
                let place = number * width * 64 + index;
                match groups.get(number) {
                    None => always[place / 64] |= 1 << (place % 64),
                    Some(group) => {
                        let anywhere = *slices == Slices::Any;
                        for Needle { text, left, right } in group.iter() {
                            let borders = u8::from(*left) + 2 * u8::from(*right);
                            let borders = if anywhere { 0 } else { borders };
                            let index = u32::try_from(place).ok()?;
                            match wanted.get_mut(text) {
                                Some(uses) => uses.push((index, borders)),
                                None => drop(wanted.insert(text.clone(), vec![(index, borders)])),
                            }
                        }
                    }
                }
            }
        }
        let mut uses: Vec<(u32, u64)> = Vec::new();
        let mut ends = Vec::with_capacity(wanted.len() * 4);
        let (mut of_words, mut others) = (Vec::new(), Vec::new());
        let mut single = [None; 128];
        for (number, (text, needles)) in (0..).zip(&mut wanted) {
            needles.sort_unstable();
            for borders in 0..4 {
                let start = uses.len();
                for (place, _) in needles.iter().filter(|(_, wanted)| wanted & !borders == 0) {
                    let (word, bit) = (place / 64, 1 << (place % 64));
                    match uses[start..].last_mut() {
                        Some((last, bits)) if *last == word => *bits |= bit,
                        _ => uses.push((word, bit)),
                    }
                }
                ends.push(uses.len());
            }
            match text.as_bytes() {
                [first, ..]
                    if is_word(*first) && needles.iter().all(|(_, borders)| borders & 1 == 1) =>
                {
                    of_words.push((&**text, number));
                }
                [byte] => {
                    for byte in [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()] {
                        *single.get_mut(usize::from(byte))? = Some(number);
                    }
                }
                _ => others.push((&**text, number)),
            }
        }
        let (texts, numbers): (Vec<&str>, Vec<u32>) = others.into_iter().unzip();
        let others = AhoCorasick::builder().ascii_case_insensitive(true).build(texts).ok()?;
        let of_words = Letters::new(of_words.into_iter());
        let always = always.into_boxed_slice();
        Some(Automaton { of_words, single, others, numbers, uses, ends, always })
    }

    fn candidates(&self, text: &str, cuts: &[usize]) -> Candidates {
        // The two characters that equal an ASCII letter in any case.
        if !text.is_ascii() && text.contains(['\u{212a}', '\u{17f}']) {
            return Candidates::default();
        }
        let mut groups = self.always.clone();
        let bytes = text.as_bytes();
        let word = |at: usize| bytes.get(at).copied().is_some_and(is_word);
        let border = |at: usize| {
            at.checked_sub(1).is_some_and(word) != word(at) || cuts.binary_search(&at).is_ok()
        };
        // At which borders each single character was met: most are met again and again.
        let mut met = [0_u8; 128];
        let mut cuts_left = cuts.iter().peekable();
        let mut in_word = false;
        for (at, byte) in bytes.iter().enumerate() {
            let known = self.single.get(usize::from(*byte)).copied().flatten();
            if let (Some(number), Some(met)) = (known, met.get_mut(usize::from(*byte)))
                && *met != EVERYWHERE
            {
                let borders = u8::from(border(at)) + 2 * u8::from(border(at + 1));
                if *met >> borders & 1 == 0 {
                    *met |= if self.is_free(number) { EVERYWHERE } else { 1 << borders };
                    self.set(number, borders, &mut groups);
                }
            }
            while cuts_left.next_if(|cut| **cut < at).is_some() {}
            let goes_on = std::mem::replace(&mut in_word, is_word(*byte));
            if in_word && (!goes_on || cuts_left.peek() == Some(&&at)) {
                self.of_words.beginning(&bytes[at..], |length, number| {
                    self.set(number, 1 + 2 * u8::from(border(at + length)), &mut groups);
                });
            }
        }
        for hit in self.others.find_overlapping_iter(text) {
            if let Some(number) = self.numbers.get(hit.pattern().as_usize()) {
                let borders = u8::from(border(hit.start())) + 2 * u8::from(border(hit.end()));
                self.set(*number, borders, &mut groups);
            }
        }
        // What can match has a literal of each of its groups.
        let (bits, more) = groups.split_at(groups.len() / GROUPS);
        let mut bits: Box<[u64]> = bits.into();
        for group in more.chunks_exact(bits.len().max(1)) {
            bits.iter_mut().zip(group).for_each(|(bits, group)| *bits &= group);
        }
        Candidates { bits }
    }

    /// Tells whether a literal means the same at all borders.
    fn is_free(&self, literal: u32) -> bool {
        self.uses_at(literal, 0) == self.uses_at(literal, 3)
    }

    /// Sets the bits of a literal that stands at these borders.
    fn set(&self, literal: u32, borders: u8, groups: &mut [u64]) {
        for (word, bits) in self.uses_at(literal, borders) {
            groups[*word as usize] |= bits;
        }
    }

    fn uses_at(&self, literal: u32, borders: u8) -> &[(u32, u64)] {
        let at = literal as usize * 4 + usize::from(borders);
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.uses[start..self.ends[at]]
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::shape::Shape;

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

    /// What is read without the engine's parser, which is nearly all.
    #[test]
    fn expressions_are_read_as_the_engine_reads_them() {
        let rules = crate::rules::RuleSet::built_in().unwrap();
        let Finder { lexicons, sources, .. } = &rules.finder;
        let named: Vec<Needles> = lexicons.iter().map(|it| needle::needles(it, &[])).collect();
        let sources = sources.iter().map(|(it, _)| it.strip_prefix("(?i)").unwrap_or(it));
        let all: Vec<&str> = sources.chain(lexicons.iter().map(String::as_str)).collect();
        let mut read = 0;
        for source in &all {
            let told = |shape: &Shape| needle::sorted(&needle::of_shape(shape, &named));
            assert!(told(&Shape::of(source)) == told(&Shape::parsed(source)), "{source}");
            read += usize::from(Shape::read(source).is_some());
        }
        assert!(read * 100 > all.len() * 98, "{read} of {}", all.len());
    }

    #[test]
    fn alternatives_match_as_one_expression_does() {
        let mut finder = Finder::default();
        for n in 0..70 {
            finder.add(format!("(?i)filler{n}"), Slices::Clauses);
        }
        let parts = ["a b", "b", "b c d", "a", "(?-u:\\b)d", "^c", "d$", "c[^ ]*"];
        let several: Vec<String> = parts.iter().map(|part| format!("(?i){part}")).collect();
        let whole: Vec<String> = parts.iter().map(|part| format!("(?:{part})")).collect();
        let whole = format!("(?i){}", whole.join("|"));
        let matcher = finder.add_alternatives(whole, &several, Slices::Clauses);
        let pieces = ["a", "b", "c", "d", " ", "A B", "cd", "x"];
        let mut state = 1_u32;
        for _ in 0..2_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(pieces[state as usize >> 16 & 7]);
            }
            let candidates = finder.candidates(&text, &[]);
            let one: Vec<_> = matcher.find_iter(&text).map(|hit| hit.range()).collect();
            let among: Vec<_> = matcher.find_among(&text, &candidates).collect();
            assert_eq!(one, among, "{text}");
            assert!(one.is_empty() || candidates.may(&matcher), "{text}");
        }
        assert!(!finder.candidates("xyz", &[]).may(&matcher));
    }
}
