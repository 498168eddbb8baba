//! What a text takes back: claims that are struck out, that stand under a title which withdraws what
//! follows, or that are said to be withdrawn.
//!
//! They are no claims any more. They are read so that the end of a claim can be told.

use std::ops::Range;

use super::Claim;
use super::claim::{self, Setting};
use super::matching::Sentence;
use super::reading::Reading;
use super::table::Plan;
use super::trace::Tracer;
use crate::documents::{Mark, Row, Text};
use crate::rules::{Role, RuleSet};

/// The struck claims of a running text, and all of them where its frame withdraws what it says.
pub(super) fn of_text(
    rules: &RuleSet,
    text: &Text,
    sentences: &[Sentence],
    reading: &Reading,
    setting: Setting<'_>,
) -> Vec<Claim> {
    let framed = setting.role == Some(Role::Withdrawn);
    let role = setting.role.filter(|_| !framed);
    let setting = Setting { role, trace: Tracer::default(), ..setting };
    let mut found = Vec::new();
    for range in struck(text) {
        let reading = Reading::new(&part(text, &range));
        let sentences = Sentence::all(&reading, rules);
        found.extend(sentences.iter().filter_map(|it| claim::read(rules, &reading, it, setting)));
    }
    if framed {
        found.extend(sentences.iter().filter_map(|it| claim::read(rules, reading, it, setting)));
    }
    found.into_iter().map(|told| told.claim).collect()
}

/// The claim of a row as it was before something in it was struck out.
pub(super) fn of_row(
    rules: &RuleSet,
    plan: &Plan<'_>,
    (number, row): (usize, &Row),
    setting: Setting<'_>,
    caption: &str,
) -> Option<Claim> {
    if row.cells.iter().all(|cell| struck(cell).next().is_none()) {
        return None;
    }
    let cells: Vec<Reading> = row.cells.iter().map(lifted).collect();
    plan.claim(rules, number, &cells, Setting { trace: Tracer::default(), ..setting }, caption)
}

/// What is struck in a cell; a cell without a stroke as it is.
fn lifted(cell: &Text) -> Reading {
    let parts: Vec<Reading> = struck(cell).map(|range| Reading::new(&part(cell, &range))).collect();
    if parts.is_empty() { Reading::new(cell) } else { Reading::joined(&parts) }
}

fn struck(text: &Text) -> impl Iterator<Item = Range<usize>> {
    let marks = text.marks.iter().filter(|(_, mark)| *mark == Mark::Strike);
    marks.map(|(range, _)| range.clone())
}

/// A part of a text, its stroke lifted.
fn part(text: &Text, range: &Range<usize>) -> Text {
    let inside = |it: &Range<usize>| it.start >= range.start && it.end <= range.end;
    let marks = text.marks.iter().filter(|(it, mark)| *mark != Mark::Strike && inside(it));
    let begun = text.lines.partition_point(|(at, _)| *at <= range.start).saturating_sub(1);
    let lines = text.lines.iter().skip(begun).take_while(|(at, _)| *at < range.end);
    Text {
        plain: text.plain.get(range.clone()).unwrap_or_default().to_owned(),
        marks: marks
            .map(|(it, mark)| (it.start - range.start..it.end - range.start, *mark))
            .collect(),
        lines: lines.map(|(at, line)| (at.saturating_sub(range.start), *line)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::documents::{Format, parse};
    use crate::extract::statements;
    use crate::rules::RuleSet;

    fn ends(text: &str) -> Vec<(u32, String)> {
        let rules = RuleSet::built_in().unwrap();
        let said = statements(&parse(Format::Markdown, text.as_bytes()), &rules);
        said.withdrawn.into_iter().map(|it| (it.lines.start, it.text.clone())).collect()
    }

    #[test]
    fn what_is_struck_or_called_withdrawn_is_read_and_no_claim() {
        let text = "# Results\n\nAll runs on one host. ~~Three cards\ncrash while loading.~~ Four \
                    cards work.\n\n| Setup | Outcome |\n|---|---|\n| 2 cards | ~~crash~~ works |\n\n\
                    Five cards crash: withdrawn, that was wrong.\n\n## Retracted\n\n- Six cards crash.\n";
        let told = [
            (3, "Three cards crash while loading."),
            (8, "2 cards | crash"),
            (10, "Five cards crash: withdrawn, that was wrong."),
            (14, "Six cards crash."),
        ];
        assert_eq!(ends(text), told.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn what_stands_is_not_withdrawn() {
        assert_eq!(ends("# Results\n\nThree cards crash. Four cards work.\n"), []);
    }
}
