//! Rules on clauses: what matched, and which guard forbade it.

use std::ops::Range;

use super::number;
use super::reading::{BAR, Reading};
use super::trace::Tracer;
use crate::rules::{Candidates, Guard, Mask, Matcher, RuleSet};

/// A sentence with its clauses.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    /// Place in the reading's `norm`.
    pub(super) range: Range<usize>,
    /// Clauses within it.
    pub(super) clauses: Vec<Range<usize>>,
    /// Rules that can match in it; no other is tried.
    candidates: Candidates,
}

impl Sentence {
    /// Every sentence of a reading, cut once however often it is asked.
    pub(super) fn all<'r>(reading: &'r Reading, rules: &RuleSet) -> &'r [Sentence] {
        let sentence = |range| {
            let clauses = reading.clauses(&range, rules);
            Sentence::new(reading, range, clauses, rules)
        };
        let cut = || reading.sentences(rules).into_iter().map(sentence).collect();
        reading.sentences.get_or_init(cut)
    }

    /// Tells whether a sentence of a reading is of a kind. Keeps none of them: texts that are asked
    /// before their turn may be many.
    pub(super) fn any(
        reading: &Reading,
        rules: &RuleSet,
        mut is: impl FnMut(&Sentence) -> bool,
    ) -> bool {
        if let Some(known) = reading.sentences.get() {
            return known.iter().any(is);
        }
        reading.sentences(rules).into_iter().any(|range| {
            let clauses = reading.clauses(&range, rules);
            is(&Sentence::new(reading, range, clauses, rules))
        })
    }

    /// The whole reading as one sentence: a table cell, a heading.
    pub(super) fn whole(reading: &Reading, rules: &RuleSet) -> Sentence {
        let range = 0..reading.norm.len();
        let clauses = reading.clauses(&range, rules);
        Sentence::new(reading, range, clauses, rules)
    }

    /// A reading as one sentence, without what stands before an offset: a title's number.
    pub(super) fn after(reading: &Reading, start: usize, rules: &RuleSet) -> Sentence {
        let range = start..reading.norm.len();
        let clauses = reading.clauses(&range, rules);
        Sentence::new(reading, range, clauses, rules)
    }

    /// The cells of a row that were joined, a sentence each.
    pub(super) fn of_cells(joined: &Reading, cells: &[Reading], rules: &RuleSet) -> Vec<Sentence> {
        let mut end = 0;
        let ranges = cells.iter().map(|cell| {
            let start = if end == 0 { 0 } else { end + BAR.len() };
            end = start + cell.norm.len();
            start..end
        });
        let ranges: Vec<Range<usize>> = ranges.filter(|range| !range.is_empty()).collect();
        let sentence = |range: Range<usize>| {
            let clauses = joined.clauses(&range, rules);
            Sentence::new(joined, range, clauses, rules)
        };
        ranges.into_iter().map(sentence).collect()
    }

    /// A range as one clause.
    pub(super) fn of_range(reading: &Reading, range: &Range<usize>, rules: &RuleSet) -> Sentence {
        Sentence::new(reading, range.clone(), vec![range.clone()], rules)
    }

    /// The same sentence, not cut into clauses.
    pub(super) fn as_clause(&self) -> Sentence {
        Sentence { clauses: vec![self.range.clone()], ..self.clone() }
    }

    fn new(
        reading: &Reading,
        range: Range<usize>,
        clauses: Vec<Range<usize>>,
        rules: &RuleSet,
    ) -> Sentence {
        let text = &reading.norm[range.clone()];
        if number::is_data(text) {
            return Sentence { range, clauses, candidates: rules.no_candidates() };
        }
        let cuts: Vec<usize> = clauses
            .iter()
            .flat_map(|clause| [clause.start, clause.end])
            .map(|at| at - range.start)
            .collect();
        let candidates = rules.candidates(text, &cuts);
        Sentence { range, clauses, candidates }
    }

    /// Bytes that it holds.
    pub(super) fn weight(&self) -> usize {
        size_of::<Self>() + size_of_val(self.clauses.as_slice()) + self.candidates.weight()
    }

    /// Tells whether any rule of a kind can match in the sentence or one of its clauses.
    pub(super) fn may_any(&self, kind: &Mask) -> bool {
        self.candidates.may_any(kind)
    }

    /// Tells whether a rule can match in the sentence or one of its clauses.
    pub(super) fn may(&self, matcher: &Matcher) -> bool {
        self.candidates.may(matcher)
    }
}

/// Where a rule matched: a range of the reading's `norm`.
pub(super) type Hit = Range<usize>;

/// The first place in a sentence at which a rule matches and no guard objects.
pub(super) fn first(
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    regex: &Matcher,
    unless: &[usize],
) -> Option<Hit> {
    all(rules, reading, sentence, regex, unless).next()
}

/// The same, and notes what each match before it ran into.
pub(super) fn first_noted(
    trace: Tracer<'_>,
    rule: (&'static str, &str),
    rules: &RuleSet,
    reading: &Reading,
    sentence: &Sentence,
    regex: &Matcher,
    unless: &[usize],
) -> Option<Hit> {
    tries(rules, reading, sentence, regex, unless)
        .inspect(|(hit, guard)| {
            trace.note(rule.0, || {
                let words = reading.words(hit);
                let fate = guard.map_or_else(
                    || "no guard objects".to_owned(),
                    |guard| format!("guard `{guard}` forbids it"),
                );
                format!("`{}` matches \"{words}\": {fate}", rule.1)
            });
        })
        .find_map(|(hit, guard)| guard.is_none().then_some(hit))
}

/// Every such place, in order.
pub(super) fn all<'a>(
    rules: &'a RuleSet,
    reading: &'a Reading,
    sentence: &'a Sentence,
    regex: &'a Matcher,
    unless: &'a [usize],
) -> impl Iterator<Item = Hit> + 'a {
    tries(rules, reading, sentence, regex, unless)
        .filter_map(|(hit, guard)| guard.is_none().then_some(hit))
}

/// Every match, with the guard that forbids it.
fn tries<'a>(
    rules: &'a RuleSet,
    reading: &'a Reading,
    sentence: &'a Sentence,
    regex: &'a Matcher,
    unless: &'a [usize],
) -> impl Iterator<Item = (Hit, Option<&'a str>)> + 'a {
    let clauses: &[Range<usize>] = if sentence.may(regex) { &sentence.clauses } else { &[] };
    clauses.iter().flat_map(move |clause| {
        regex.find_among(&reading.norm[clause.clone()], &sentence.candidates).map(move |found| {
            let hit = clause.start + found.start..clause.start + found.end;
            let guard = objection(rules, &reading.norm, sentence, clause, &hit, unless);
            (hit, guard)
        })
    })
}

/// The name of the guard that forbids a match.
pub(super) fn objection<'a>(
    rules: &'a RuleSet,
    norm: &str,
    sentence: &Sentence,
    clause: &Range<usize>,
    hit: &Hit,
    unless: &[usize],
) -> Option<&'a str> {
    unless
        .iter()
        .filter_map(|index| rules.guards.get(*index))
        .find(|guard| objects(guard, norm, sentence, clause, hit))
        .map(|guard| guard.id.as_str())
}

fn objects(
    guard: &Guard,
    norm: &str,
    sentence: &Sentence,
    clause: &Range<usize>,
    hit: &Hit,
) -> bool {
    let whole = &norm[sentence.range.clone()];
    let text = &norm[clause.clone()];
    let before = &norm[clause.start..hit.start];
    let after = &norm[hit.end..clause.end];
    let may = |regex: &&Matcher| sentence.may(regex);
    let has = |regex: &Option<Matcher>, text: &str| {
        regex.as_ref().filter(may).is_some_and(|r| r.is_match(text))
    };
    // What is cut off within a word has a border there that the sentence has not.
    let beside =
        |at: usize| move |regex: &&Matcher| is_within_word(norm, at) || sentence.may(regex);
    let met = guard.before.iter().filter(beside(hit.start)).any(|r| r.is_match(before))
        || guard.after.iter().filter(beside(hit.end)).any(|r| r.is_match(after))
        || has(&guard.clause_starts, text)
        || has(&guard.sentence_starts, whole)
        || has(&guard.clause_has, text)
        || has(&guard.sentence_has, whole)
        || has(&guard.sentence_ends, whole)
        || guard.prev_text.iter().any(|s| norm[..hit.start].ends_with(s.as_str()))
        || guard.next_text.iter().any(|s| norm[hit.end..].starts_with(s.as_str()));
    let place = !guard.in_quotes || quoted(&norm[sentence.range.start..hit.start]);
    place && met && !has(&guard.except, whole)
}

/// Tells whether a place has a word character on both sides.
fn is_within_word(text: &str, at: usize) -> bool {
    let is_word = |at: usize| {
        text.as_bytes().get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
    };
    is_word(at) && at.checked_sub(1).is_some_and(is_word)
}

/// Tells whether a quotation is open at the end of a text.
fn quoted(before: &str) -> bool {
    let open = |opening: char, closing: char| {
        before.matches(opening).count() > before.matches(closing).count()
    };
    before.matches('"').count() % 2 == 1 || open('「', '」') || open('《', '》')
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::documents::{Format, parse};
    use crate::extract::statements;
    use crate::rules::RuleSet;

    /// Literals decide what is tried at all, and much that is read depends on that.
    #[test]
    fn what_is_not_tried_would_say_nothing() {
        let rules = RuleSet::built_in().unwrap();
        let all_tried = RuleSet::built_in().unwrap().without_literals();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/documents/markdown");
        let golden = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        let golden = golden.filter(|path| path.extension().is_some_and(|it| it == "md"));
        let mut texts: Vec<Vec<u8>> = golden.map(|path| std::fs::read(path).unwrap()).collect();
        let examples =
            rules.proofs().flat_map(|(_, it)| it.must_match.iter().chain(&it.must_not_match));
        let examples: Vec<&str> = examples.step_by(11).map(String::as_str).collect();
        texts.extend(examples.chunks(20).map(|some| some.join("\n\n").into_bytes()));
        let mut read = 0;
        for text in texts {
            let document = parse(Format::Markdown, &text);
            let (some, all) = (statements(&document, &rules), statements(&document, &all_tried));
            assert_eq!(some, all, "{}", String::from_utf8_lossy(&text));
            read += some.claims.len();
        }
        assert!(read > 50, "{read}");
    }
}
