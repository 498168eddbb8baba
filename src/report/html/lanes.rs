//! Claims as marks in lanes: a lane per document, and claims of one time and one fate as one mark.
//!
//! However many claims there are, a lane has few rows: where marks would need more, they are
//! gathered over longer times.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::Axis;

/// Lanes of their own; the documents after them share one.
const LANES: usize = 10;
/// Most rows of a lane.
const ROWS: usize = 5;
/// Parts of the width in which marks are gathered, where there is room.
const BINS: usize = 48;
/// Room between two marks of a row, in percent of the width.
const APART: f64 = 2.2;

/// A claim as the picture sees it.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// Index into the audit's claims.
    pub(super) claim: usize,
    /// `lead`, `evidence` or `suppressed`.
    pub(super) standing: &'static str,
    pub(super) introduced: i64,
    pub(super) tested: i64,
    /// When the pitfalls that challenge it became known.
    pub(super) pitfalls: BTreeSet<i64>,
}

/// The claims of one document, or of all that have no lane of their own.
#[derive(Debug)]
pub(super) struct Lane<'a> {
    /// `None` for the last lane, of all further documents.
    pub(super) path: Option<&'a str>,
    pub(super) documents: usize,
    pub(super) leads: usize,
    pub(super) claims: usize,
    pub(super) rows: usize,
    pub(super) marks: Vec<Mark>,
}

/// Claims of one document that were introduced and tested at about the same times and stand alike.
#[derive(Debug)]
pub(super) struct Mark {
    pub(super) row: usize,
    pub(super) standing: &'static str,
    /// The oldest.
    pub(super) introduced: i64,
    /// The newest.
    pub(super) tested: i64,
    /// From when on pitfalls stand against some of them.
    pub(super) joined: i64,
    pub(super) retested: bool,
    pub(super) pitfalls: BTreeSet<i64>,
    pub(super) claims: Vec<usize>,
}

impl Mark {
    /// From where to where it stands.
    fn span(&self, axis: Axis) -> (f64, f64) {
        let ends = [self.introduced, self.tested];
        let places = ends.iter().chain(&self.pitfalls).map(|time| axis.at(*time));
        places.fold((f64::MAX, f64::MIN), |(from, to), at| (from.min(at), to.max(at)))
    }
}

/// The lanes of these claims, that with most leads first.
pub(super) fn lanes<'a>(
    events: impl IntoIterator<Item = (&'a str, Event)>,
    axis: Axis,
) -> Vec<Lane<'a>> {
    let mut documents: BTreeMap<&str, Vec<Event>> = BTreeMap::new();
    for (path, event) in events {
        documents.entry(path).or_default().push(event);
    }
    let mut documents: Vec<(&str, Vec<Event>)> = documents.into_iter().collect();
    documents.sort_by_key(|(_, events)| std::cmp::Reverse((leads(events), events.len())));
    // A single document needs no lane of "further documents".
    let own = if documents.len() > LANES { LANES - 1 } else { LANES };
    let further = documents.split_off(own.min(documents.len()));
    let mut lanes: Vec<Lane<'_>> =
        documents.into_iter().map(|(path, events)| lane(Some(path), 1, events, axis)).collect();
    if !further.is_empty() {
        let count = further.len();
        let events = further.into_iter().flat_map(|(_, events)| events).collect();
        lanes.push(lane(None, count, events, axis));
    }
    lanes
}

fn leads(events: &[Event]) -> usize {
    events.iter().filter(|event| event.standing == "lead").count()
}

fn lane(path: Option<&str>, documents: usize, events: Vec<Event>, axis: Axis) -> Lane<'_> {
    let (leads, claims) = (leads(&events), events.len());
    let mut bins = BINS;
    loop {
        let mut marks = gathered(&events, axis, bins);
        let rows = pack(&mut marks, axis);
        if rows <= ROWS || bins == 1 {
            return Lane { path, documents, leads, claims, rows, marks };
        }
        bins = bins * 3 / 4;
    }
}

fn gathered(events: &[Event], axis: Axis, bins: usize) -> Vec<Mark> {
    let mut marks: BTreeMap<(usize, bool, usize, usize), Mark> = BTreeMap::new();
    for event in events {
        let order = ["lead", "suppressed", "evidence"];
        let standing = order.iter().position(|it| *it == event.standing).unwrap_or(order.len());
        let bin = |time| axis.bin(time, bins);
        let mark = marks
            .entry((standing, event.pitfalls.is_empty(), bin(event.introduced), bin(event.tested)))
            .or_insert_with(|| Mark {
                row: 0,
                standing: event.standing,
                introduced: event.introduced,
                tested: event.tested,
                joined: event.tested,
                retested: false,
                pitfalls: BTreeSet::new(),
                claims: Vec::new(),
            });
        mark.introduced = mark.introduced.min(event.introduced);
        mark.tested = mark.tested.max(event.tested);
        mark.joined = mark.joined.min(event.tested);
        mark.retested |= event.tested != event.introduced;
        mark.pitfalls.extend(&event.pitfalls);
        mark.claims.push(event.claim);
    }
    marks.into_values().collect()
}

/// Puts each mark into the first row that is free where it stands; how many rows that takes.
fn pack(marks: &mut [Mark], axis: Axis) -> usize {
    let mut taken: Vec<Vec<(f64, f64)>> = Vec::new();
    for mark in marks {
        let (from, to) = mark.span(axis);
        let free = |row: &Vec<(f64, f64)>| {
            row.iter().all(|(start, end)| to + APART <= *start || from >= *end + APART)
        };
        match taken.iter_mut().enumerate().find(|(_, row)| free(row)) {
            Some((at, row)) => {
                row.push((from, to));
                mark.row = at;
            }
            None => {
                mark.row = taken.len();
                taken.push(vec![(from, to)]);
            }
        }
    }
    taken.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STANDINGS: &[&str] = &["lead", "evidence", "suppressed"];

    fn events() -> impl Strategy<Value = Vec<(usize, Event)>> {
        let event = (0..30usize, 0..3usize, 0..1_000i64, 0..1_000i64, 0..1_000i64).prop_map(
            |(document, standing, introduced, later, pitfall)| {
                let standing = STANDINGS[standing];
                let pitfalls = if standing == "lead" { [pitfall].into() } else { BTreeSet::new() };
                let tested = introduced + later;
                (document, Event { claim: 0, standing, introduced, tested, pitfalls })
            },
        );
        prop::collection::vec(event, 0..400)
    }

    proptest! {
        #[test]
        fn every_claim_is_in_one_mark_and_no_marks_overlap(events in events()) {
            let paths: Vec<String> = (0..30).map(|it| format!("{it}.md")).collect();
            let axis = Axis::over([0, 2_000]).unwrap();
            let told = events.iter().enumerate().map(|(claim, (document, event))| {
                (paths[*document].as_str(), Event { claim, ..event.clone() })
            });
            let lanes = lanes(told, axis);
            prop_assert!(lanes.len() <= LANES);
            let mut seen: Vec<usize> =
                lanes.iter().flat_map(|it| &it.marks).flat_map(|it| it.claims.clone()).collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..events.len()).collect::<Vec<_>>());
            for lane in &lanes {
                prop_assert!(lane.rows <= ROWS);
                for (at, mark) in lane.marks.iter().enumerate() {
                    for other in lane.marks[..at].iter().filter(|it| it.row == mark.row) {
                        let (a, b) = (mark.span(axis), other.span(axis));
                        prop_assert!(a.1 + APART <= b.0 || b.1 + APART <= a.0);
                    }
                }
            }
        }
    }
}
