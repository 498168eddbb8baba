//! The picture: when claims were made and tested, when pitfalls became known, and which pitfall
//! stands against which claim.
//!
//! Places from left to right are in percent, so that the picture takes any width and its texts keep
//! their size. What it shows by colour it also shows by shape.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::{self, Axis, Tick, percent};
use super::card::{Words, shown, standing};
use super::ground::challenged;
use super::lanes::{self, Event, Lane};
use crate::history::CommitId;
use crate::report::{escape, facts, moment};
use crate::texts::Message;
use crate::verdict::Audit;

/// Pitfalls with a line and a name of their own.
const NAMED: usize = 8;
/// Parts of the width for which commits are counted.
const BINS: usize = 60;
/// Heights, in pixels.
const ROW: usize = 20;
const LABEL: usize = 20;
const GAP: usize = 8;
const ACTIVITY: usize = 26;

/// All that is drawn.
pub(super) struct Picture {
    pub(super) height: usize,
    /// Where the lanes end.
    pub(super) bottom: usize,
    pub(super) foot: usize,
    pub(super) caption: String,
    pub(super) ticks: Vec<Tick>,
    pub(super) bars: Vec<Bar>,
    pub(super) pitfalls: Vec<Fall>,
    pub(super) lanes: Vec<Strip>,
}

/// Commits of a part of the time.
pub(super) struct Bar {
    pub(super) x: String,
    pub(super) width: String,
    pub(super) y: usize,
    pub(super) height: usize,
}

/// A pitfall.
pub(super) struct Fall {
    pub(super) id: String,
    pub(super) x: String,
    pub(super) y: usize,
    /// `None` where there are too many to name all.
    pub(super) label: Option<String>,
    /// The name stands to the left.
    pub(super) left: bool,
    pub(super) challenges: bool,
    pub(super) title: String,
}

/// A lane.
pub(super) struct Strip {
    pub(super) y: usize,
    pub(super) height: usize,
    pub(super) baseline: usize,
    pub(super) name: String,
    pub(super) counts: String,
    pub(super) marks: Vec<Dot>,
}

/// A mark with what hangs on it.
pub(super) struct Dot {
    pub(super) standing: &'static str,
    pub(super) x: String,
    pub(super) y: usize,
    pub(super) radius: usize,
    pub(super) count: Option<usize>,
    pub(super) href: String,
    pub(super) claims: String,
    pub(super) title: String,
    /// Where it was last tested, if later than it was made.
    pub(super) tested: Option<String>,
    /// From the oldest of the last tests to the furthest pitfall, and the pitfalls on the way.
    pub(super) join: Option<(String, String)>,
    pub(super) ends: Vec<String>,
}

/// Draws the shown claims and all pitfalls; `None` where nothing has a time.
pub(super) fn draw(audit: &Audit, shown: &[usize], words: Words<'_>) -> Option<Picture> {
    let times: Vec<Option<i64>> = audit.facts.iter().map(axis::time).collect();
    let time = |commit: CommitId| times.get(usize::try_from(commit.0).ok()?).copied().flatten();
    let events: Vec<(&str, Event)> = shown
        .iter()
        .filter_map(|at| {
            let judged = audit.claims.get(*at)?;
            let challenges = judged.reasons.iter().filter_map(|it| it.challenge.as_ref());
            let known = challenges.filter_map(|it| audit.pitfalls.get(it.pitfall));
            let event = Event {
                claim: *at,
                standing: standing(judged),
                introduced: time(judged.lineage.introduced.commit)?,
                tested: time(judged.lineage.last_tested.commit)?,
                pitfalls: known.filter_map(|it| time(it.lineage.introduced.commit)).collect(),
            };
            Some((judged.lineage.path.as_str(), event))
        })
        .collect();
    let falls: Vec<(usize, i64)> = audit
        .pitfalls
        .iter()
        .enumerate()
        .filter_map(|(at, known)| Some((at, time(known.lineage.introduced.commit)?)))
        .collect();
    let ends = events.iter().flat_map(|(_, event)| [event.introduced, event.tested]);
    let ends = ends.chain(falls.iter().map(|(_, time)| *time));
    let head = facts_of_head(audit).and_then(axis::time);
    let axis = Axis::over(ends.clone().chain(head.filter(|_| ends.clone().next().is_some())))?;

    let caption = caption(audit, &events, axis, words);
    let (pitfalls, mut y) = pitfalls(audit, shown, &falls, axis, words);
    let strips = lanes::lanes(events, axis)
        .into_iter()
        .map(|lane| {
            let strip = strip(audit, lane, y, axis, words);
            y += strip.height + GAP;
            strip
        })
        .collect();
    let foot = y + ACTIVITY;
    let bars = bars(times.iter().flatten().copied(), axis, foot);
    Some(Picture {
        height: foot + LABEL,
        bottom: y,
        foot,
        caption,
        ticks: axis.ticks(),
        bars,
        pitfalls,
        lanes: strips,
    })
}

fn facts_of_head(audit: &Audit) -> Option<&crate::verdict::CommitFacts> {
    audit.facts.iter().find(|facts| facts.oid == audit.rev)
}

fn caption(audit: &Audit, events: &[(&str, Event)], axis: Axis, words: Words<'_>) -> String {
    let day = |time| moment::utc(time).map_or_else(String::new, |it| it.chars().take(10).collect());
    let (from, to) = axis.ends();
    let retested = events.iter().filter(|(_, it)| it.tested != it.introduced).count();
    let joined = events.iter().filter(|(_, it)| !it.pitfalls.is_empty()).count();
    Message::new("page-caption")
        .with("from", day(from))
        .with("to", day(to))
        .with("claims", words.counted("claims", events.len()))
        .with("pitfalls", audit.pitfalls.len())
        .with("retested", retested)
        .with("joined", joined)
        .say(words.language)
}

/// The pitfalls, named in the order of time where few enough challenge a claim, and where they end.
fn pitfalls(
    audit: &Audit,
    shown_claims: &[usize],
    falls: &[(usize, i64)],
    axis: Axis,
    words: Words<'_>,
) -> (Vec<Fall>, usize) {
    let challenged = challenged(audit, shown_claims);
    let leads = |at: &usize| challenged.get(at).map_or(0, Vec::len);
    let mut ranked: Vec<&(usize, i64)> = falls.iter().filter(|(at, _)| leads(at) > 0).collect();
    ranked.sort_by_key(|(at, _)| std::cmp::Reverse(leads(at)));
    ranked.truncate(NAMED);
    ranked.sort_by_key(|(at, time)| (*time, *at));
    let named: BTreeMap<usize, usize> =
        ranked.iter().enumerate().map(|(row, (at, _))| (*at, row)).collect();
    let unnamed = ranked.len() * ROW;
    let others = falls.len() > ranked.len();
    let end = unnamed + if others { ROW } else { 0 };
    let mut drawn = BTreeSet::new();
    let all = falls.iter().filter_map(|(at, time)| {
        let known = audit.pitfalls.get(*at)?;
        let row = named.get(at);
        let x = axis.x(*time);
        // Of many that nothing names, one at each place is enough to see.
        if row.is_none() && !drawn.insert((x.clone(), leads(at) > 0)) {
            return None;
        }
        let trigger = known.lineage.pitfall.triggers.first().map_or("", String::as_str);
        let label = |columns| {
            Message::new("page-pitfall-label")
                .with("trigger", escape::cut(trigger, columns))
                .with("count", leads(at))
                .say(words.language)
        };
        Some(Fall {
            id: known.id.clone(),
            x,
            y: row.map_or(unnamed, |row| row * ROW) + ROW / 2,
            label: row.map(|_| label(32)),
            left: axis.at(*time) > 60.0,
            challenges: leads(at) > 0,
            title: format!(
                "{}\n{}",
                label(escape::LINE_LIMIT),
                escape::cut(&known.lineage.pitfall.text, 160)
            ),
        })
    });
    (all.collect(), end + GAP)
}

fn strip(audit: &Audit, lane: Lane<'_>, y: usize, axis: Axis, words: Words<'_>) -> Strip {
    let height = LABEL + lane.rows * ROW;
    let dot = |mark: lanes::Mark| {
        let first = mark.claims.first().and_then(|at| audit.claims.get(*at));
        let ids = mark.claims.iter().filter_map(|at| audit.claims.get(*at));
        let count = mark.claims.len();
        let furthest = [mark.pitfalls.first(), mark.pitfalls.last()]
            .into_iter()
            .flatten()
            .max_by_key(|time| time.abs_diff(mark.joined));
        Dot {
            standing: mark.standing,
            x: axis.x(mark.introduced),
            y: y + LABEL + mark.row * ROW + ROW / 2,
            radius: match count {
                ..=1 => 6,
                2..100 => 8,
                _ => 10,
            },
            count: (count > 1).then_some(count),
            href: first.map_or_else(String::new, |it| it.id.clone()),
            claims: ids.map(|it| it.id.as_str()).collect::<Vec<_>>().join(" "),
            title: title(audit, &mark, words),
            tested: mark.retested.then(|| axis.x(mark.tested)),
            join: furthest.map(|time| (axis.x(mark.joined), axis.x(*time))),
            ends: mark.pitfalls.iter().map(|time| axis.x(*time)).collect(),
        }
    };
    Strip {
        y,
        height,
        baseline: y + 14,
        name: lane.path.map_or_else(
            || words.counted("page-further-documents", lane.documents),
            |path| escape::cut(path, 60),
        ),
        counts: Message::new("page-lane")
            .with("claims", words.counted("claims", lane.claims))
            .with("leads", lane.leads)
            .say(words.language),
        marks: lane.marks.into_iter().map(dot).collect(),
    }
}

fn title(audit: &Audit, mark: &lanes::Mark, words: Words<'_>) -> String {
    let Some(first) = mark.claims.first().and_then(|at| audit.claims.get(*at)) else {
        return String::new();
    };
    let place = format!("{}:{}", shown(&first.lineage.path), first.lineage.claim.lines.start);
    let commit = facts(audit, first.lineage.introduced.commit);
    let time = commit.map_or_else(String::new, |it| moment::told(words.language, it.author_time));
    let text = escape::cut(&first.lineage.claim.text, 160);
    let more = Message::new("page-mark")
        .with("standing", words.word("page-standing", mark.standing))
        .with("count", mark.claims.len())
        .with("place", place)
        .with("time", time)
        .say(words.language);
    format!("{more}\n{text}")
}

fn bars(times: impl Iterator<Item = i64>, axis: Axis, foot: usize) -> Vec<Bar> {
    let (from, to) = axis.ends();
    let mut counts = [0usize; BINS];
    for time in times.filter(|time| (from..=to).contains(time)) {
        if let Some(count) = counts.get_mut(axis.bin(time, BINS)) {
            *count += 1;
        }
    }
    let most = counts.iter().max().copied().unwrap_or(0).max(1);
    let width = axis.width(BINS);
    let filled = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    filled
        .map(|(bin, count)| {
            let height = (count * (ACTIVITY - 6)).div_ceil(most).max(2);
            Bar {
                x: percent(axis.edge(bin, BINS)),
                width: percent(width),
                y: foot - height,
                height,
            }
        })
        .collect()
}
