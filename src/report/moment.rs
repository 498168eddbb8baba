//! Times and the spans between them, in words.

use chrono::{DateTime, Datelike, Timelike};

use crate::texts::{Language, Message, span};

/// A commit's time as `2026-08-03 00:57:23 UTC`; `None` where no calendar has it.
///
/// Commits carry any 64-bit number of seconds, so years outside 0 to 9999 are refused here rather
/// than printed in a form that no other program reads.
pub fn utc(seconds: i64) -> Option<String> {
    parts(seconds, ' ', " UTC")
}

/// A commit's time in words, whatever its number of seconds.
pub(super) fn told(language: Language, seconds: i64) -> String {
    let beyond = || Message::new("no-calendar").with("seconds", seconds.to_string());
    utc(seconds).unwrap_or_else(|| beyond().say(language))
}

/// The same as RFC 3339: `2026-08-03T00:57:23Z`.
pub(super) fn rfc3339(seconds: i64) -> Option<String> {
    parts(seconds, 'T', "Z")
}

fn parts(seconds: i64, between: char, zone: &str) -> Option<String> {
    let time =
        DateTime::from_timestamp(seconds, 0).filter(|time| (0..=9999).contains(&time.year()))?;
    Some(format!(
        "{:04}-{:02}-{:02}{between}{:02}:{:02}:{:02}{zone}",
        time.year(),
        time.month(),
        time.day(),
        time.hour(),
        time.minute(),
        time.second(),
    ))
}

/// The length of a span of seconds by its two largest units, rounded down: `21 h 45 m`.
///
/// The sign is dropped; which end came first is said in words around it.
pub fn lag(language: Language, seconds: i64) -> String {
    span(language, seconds).trim_start_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_told_by_its_two_largest_units() {
        let told = [
            (0, "0 s"),
            (59, "59 s"),
            (60, "1 m"),
            (3_599, "59 m 59 s"),
            (3_600, "1 h"),
            (78_349, "21 h 45 m"),
            (-78_349, "21 h 45 m"),
            (86_400, "1 d"),
            (694_800, "8 d 1 h"),
            (i64::MIN, "106751991167300 d 15 h"),
        ];
        for (seconds, words) in told {
            assert_eq!(lag(Language::English, seconds), words);
        }
    }

    #[test]
    fn times_are_utc_and_those_without_a_calendar_are_none() {
        assert_eq!(rfc3339(1_785_718_643).as_deref(), Some("2026-08-03T00:57:23Z"));
        assert_eq!(utc(0).as_deref(), Some("1970-01-01 00:00:00 UTC"));
        assert_eq!(rfc3339(-62_167_219_200).as_deref(), Some("0000-01-01T00:00:00Z"));
        for seconds in [i64::MIN, i64::MAX, -62_167_219_201, 253_402_300_800] {
            assert_eq!(utc(seconds), None);
        }
    }
}
