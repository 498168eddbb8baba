//! Time from left to right, and the dates below it.

use std::fmt::Write;

use chrono::{DateTime, Datelike, NaiveDate, Utc};

use crate::report::moment;
use crate::verdict::CommitFacts;

const DAY: i64 = 86_400;
/// Author and committer time further apart than this: one clock was wrong, more likely the author's.
const WRONG_CLOCK: u64 = 366 * 86_400;
/// Most dates below the axis.
const TICKS: usize = 7;
/// Part of the width that stays free at each end, in percent.
const MARGIN: f64 = 2.0;
const STEPS: &[i64] =
    &[60, 300, 900, 1_800, 3_600, 10_800, 21_600, 43_200, DAY, 2 * DAY, 5 * DAY, 10 * DAY];
const MONTHS: &[u32] =
    &[1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000, 24_000];

/// A span of time that the picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    from: i64,
    to: i64,
}

/// A date below the axis.
pub(super) struct Tick {
    pub(super) x: String,
    pub(super) label: String,
}

/// When a commit stands in the picture: when it was written, unless that clock was plainly wrong;
/// `None` where no calendar has either time.
pub(super) fn time(facts: &CommitFacts) -> Option<i64> {
    let on_calendar = |seconds: &i64| moment::utc(*seconds).is_some();
    let author = Some(facts.author_time).filter(on_calendar);
    let committed = Some(facts.commit_time).filter(on_calendar);
    match (author, committed) {
        (Some(a), Some(b)) if a.abs_diff(b) > WRONG_CLOCK => Some(b),
        (a, b) => a.or(b),
    }
}

impl Axis {
    /// Spans all of these times.
    pub(super) fn over(times: impl IntoIterator<Item = i64>) -> Option<Self> {
        let (from, to) = times
            .into_iter()
            .fold((i64::MAX, i64::MIN), |(from, to), time| (from.min(time), to.max(time)));
        match from.cmp(&to) {
            std::cmp::Ordering::Greater => None,
            // A single moment stands in the middle of its day.
            std::cmp::Ordering::Equal => Some(Self { from: from - DAY / 2, to: to + DAY / 2 }),
            std::cmp::Ordering::Less => Some(Self { from, to }),
        }
    }

    /// Where a time stands, in percent of the width; what is beyond an end stands at it.
    pub(super) fn at(self, time: i64) -> f64 {
        MARGIN + self.part(time) * (100.0 - 2.0 * MARGIN)
    }

    /// The same as an attribute's value.
    pub(super) fn x(self, time: i64) -> String {
        percent(self.at(time))
    }

    /// In which of so many equal parts a time is.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a part of one times a small number"
    )]
    pub(super) fn bin(self, time: i64, bins: usize) -> usize {
        ((self.part(time) * bins as f64) as usize).min(bins.saturating_sub(1))
    }

    /// The first and the last time.
    pub(super) fn ends(self) -> (i64, i64) {
        (self.from, self.to)
    }

    /// How wide one of so many equal parts is, in percent of the width.
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    pub(super) fn width(self, bins: usize) -> f64 {
        (100.0 - 2.0 * MARGIN) / bins as f64
    }

    /// Where one of so many equal parts begins, in percent of the width.
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    pub(super) fn edge(self, bin: usize, bins: usize) -> f64 {
        MARGIN + bin as f64 * self.width(bins)
    }

    #[expect(clippy::cast_precision_loss, reason = "a hundredth of a percent is enough")]
    fn part(self, time: i64) -> f64 {
        let all = self.to.saturating_sub(self.from).max(1) as f64;
        let here = time.clamp(self.from, self.to).saturating_sub(self.from) as f64;
        here / all
    }

    /// Round dates, few enough to be read.
    pub(super) fn ticks(self) -> Vec<Tick> {
        let by_seconds = STEPS.iter().map(|step| self.every(*step));
        let by_months = MONTHS.iter().map(|step| self.each_month(*step));
        let few = by_seconds.chain(by_months).find(|ticks| ticks.len() <= TICKS);
        few.unwrap_or_default()
    }

    fn every(self, step: i64) -> Vec<Tick> {
        let first = self.from.div_euclid(step) + i64::from(self.from.rem_euclid(step) > 0);
        let format = if step < DAY { "%m-%d %H:%M" } else { "%Y-%m-%d" };
        let times = (first..).map(|count| count.saturating_mul(step));
        // One more than is wanted tells that there are too many.
        let times = times.take_while(|time| *time <= self.to).take(TICKS + 1);
        times.filter_map(|time| self.tick(DateTime::from_timestamp(time, 0)?, format)).collect()
    }

    fn each_month(self, step: u32) -> Vec<Tick> {
        let Some(from) = DateTime::from_timestamp(self.from, 0) else { return Vec::new() };
        let first = i64::from(from.year()) * 12 + i64::from(from.month0());
        let step = i64::from(step);
        let format = if step % 12 == 0 { "%Y" } else { "%Y-%m" };
        let months = (first.div_euclid(step)..).map(|count| count * step);
        let starts = months.map_while(|month| {
            let year = i32::try_from(month.div_euclid(12)).ok()?;
            let month = u32::try_from(month.rem_euclid(12) + 1).ok()?;
            Some(NaiveDate::from_ymd_opt(year, month, 1)?.and_hms_opt(0, 0, 0)?.and_utc())
        });
        let within = starts
            .skip_while(|start| start.timestamp() < self.from)
            .take_while(|start| start.timestamp() <= self.to);
        within.take(TICKS + 1).filter_map(|start| self.tick(start, format)).collect()
    }

    fn tick(self, time: DateTime<Utc>, format: &str) -> Option<Tick> {
        let mut label = String::new();
        write!(label, "{}", time.format(format)).ok()?;
        Some(Tick { x: self.x(time.timestamp()), label })
    }
}

/// A number of percent as an attribute's value.
pub(super) fn percent(number: f64) -> String {
    format!("{number:.2}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(from: i64, to: i64) -> Vec<String> {
        let axis = Axis::over([from, to]).unwrap();
        axis.ticks().into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn dates_are_round_and_few() {
        const START: i64 = 1_785_718_643;
        assert_eq!(labels(START, START + 7 * DAY).first().unwrap(), "2026-08-04");
        assert_eq!(labels(START, START + 3_600).first().unwrap(), "08-03 01:00");
        assert_eq!(labels(START, START + 200 * DAY).first().unwrap(), "2026-09");
        assert_eq!(labels(START, START + 2_000 * DAY).first().unwrap(), "2027");
        for days in [0, 1, 2, 3, 5, 8, 13, 40, 90, 200, 400, 900, 4_000, 40_000, 2_000_000] {
            let ticks = labels(START, START + days * DAY).len();
            assert!((1..=TICKS).contains(&ticks), "{days}: {ticks}");
        }
    }

    #[test]
    fn times_stand_in_their_order_within_the_margins() {
        let axis = Axis::over([0, 100]).unwrap();
        assert_eq!(
            [axis.x(-5), axis.x(0), axis.x(50), axis.x(100), axis.x(i64::MAX)],
            ["2.00%", "2.00%", "50.00%", "98.00%", "98.00%"]
        );
        assert_eq!([axis.bin(0, 10), axis.bin(55, 10), axis.bin(100, 10)], [0, 5, 9]);
        assert_eq!(Axis::over([7]).unwrap().x(7), "50.00%");
        assert_eq!(Axis::over([]), None);
        let whole = Axis::over([i64::MIN, i64::MAX]).unwrap();
        assert!(whole.ticks().len() <= TICKS && whole.at(0) > 0.0);
    }

    #[test]
    fn a_wrong_clock_does_not_stretch_the_picture() {
        let commit = |author_time, commit_time| CommitFacts {
            oid: crate::history::ObjectId([0; 20]),
            author_time,
            commit_time,
            summary: String::new(),
        };
        assert_eq!(time(&commit(0, 1_785_718_643)), Some(1_785_718_643));
        assert_eq!(time(&commit(1_785_718_000, 1_785_718_643)), Some(1_785_718_000));
        assert_eq!(time(&commit(i64::MAX, 5)), Some(5));
        assert_eq!(time(&commit(i64::MAX, i64::MIN)), None);
    }
}
