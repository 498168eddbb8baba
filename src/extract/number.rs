//! Numbers with their units, as compared.

use std::sync::LazyLock;

use regex::Regex;

use super::{Dimension, Quantity, occasion};
use crate::rules::{RuleSet, Unit};

/// Characters up to which a written number has no more than twelve significant digits.
const PLAIN: usize = 12;

/// A number in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// Byte range, the unit included.
    pub(super) range: std::ops::Range<usize>,
    /// What it says.
    pub(super) quantity: Quantity,
    /// It carries a unit that only measurements have.
    pub(super) measured: bool,
    /// It has a fraction part.
    pub(super) fraction: bool,
}

#[expect(clippy::expect_used, reason = "the expression is a literal and a test compiles it")]
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"-?(?-u:\b)(?:[0-9]{1,3}(?:[, _][0-9]{3})+(?-u:\b)|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+(?-u:\b))?|(?-u:\b)[A-Za-z]{2,14}[0-9]+\.[0-9]+|(?:^|[ (=~:<>±+-])\.[0-9]+",
    )
    .expect("a valid expression")
});

/// Every number of a text, in order; digits inside names and versions are none.
pub(super) fn scan(text: &str, rules: &RuleSet) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    if !has_digit(text) {
        return found;
    }
    for hit in NUMBER.find_iter(text) {
        let said = hit.as_str();
        let mut start = hit.start();
        let glued = said.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(0);
        if glued > 0 {
            // `loss2.31` is a loss, `model2.5` a name.
            if dimension_of(&said[..glued], rules).is_none() {
                continue;
            }
            start += glued;
        } else if let Some(point) = said.find('.') {
            // The sign or the space before `.038`.
            let whole = said[..point].ends_with(|c: char| c.is_ascii_digit());
            start += if whole { 0 } else { point };
        }
        let digits = &text[start..hit.end()];
        let before = text[..start].chars().next_back().filter(|_| glued == 0);
        // A hyphen after a word or a number joins or spans; it is no sign.
        let joined = before.is_some_and(|c| c.is_alphanumeric() || c == ')' || c == '%');
        let digits = match digits.strip_prefix('-') {
            Some(rest) if joined => {
                start += 1;
                if before.is_some_and(|c| c.is_ascii_alphabetic()) {
                    continue;
                }
                rest
            }
            _ => digits,
        };
        if before.is_some_and(|c| "#_./§".contains(c)) && !text[..start].ends_with(" .") {
            let slash = before == Some('/');
            if !slash {
                continue;
            }
        }
        let after = &text[hit.end()..];
        // 1.2.3 is a version, not a number.
        if after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        // 0011011 is a code, not a number.
        if digits.starts_with('0') && digits[1..].starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let plain: String = digits.chars().filter(|c| !matches!(c, ',' | ' ' | '_')).collect();
        let Ok(mut value) = plain.parse::<f64>() else { continue };
        let mut end = hit.end();
        let mut dusty = plain.len() > PLAIN;
        if let Some((suffix, factor)) = suffix(after, rules) {
            value *= factor;
            end += suffix;
            dusty = true;
        }
        // `30B` is a model of that many parameters; bytes are written `30 B`.
        if text[end..].starts_with('B') && !text[end + 1..].starts_with(char::is_alphanumeric) {
            continue;
        }
        let unit = unit_at(&text[end..], rules).filter(|(length, unit)| {
            // `4×26M` is a product, not a ratio.
            unit.dimension != Dimension::Ratio
                || unit.base == "%"
                || !text[end + length..].starts_with(|c: char| c.is_ascii_digit())
        });
        if unit.is_none() && text[end..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        {
            continue;
        }
        if let Some((length, _)) = unit {
            end += length;
        }
        found.push(Found {
            range: start..end,
            measured: unit.is_some_and(|(_, unit)| unit.measured),
            fraction: plain.contains('.'),
            quantity: Quantity {
                number: canonical(value, dusty),
                unit: unit.map(|(_, unit)| unit.base.clone()).unwrap_or_default(),
                dimension: unit.map_or(Dimension::Other, |(_, unit)| unit.dimension),
                digits: significant(&plain),
            },
        });
    }
    found
}

/// Runs of digits above which a sentence, a row or a block of output is data and tells no result.
const DATA: usize = 1_000;

/// Whether a text is data: nobody states a result in so many numbers.
pub(super) fn is_data(text: &str) -> bool {
    let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let begins = |at: &usize| digit(*at) && !at.checked_sub(1).is_some_and(digit);
    text.len() > DATA && (0..text.len()).filter(begins).nth(DATA).is_some()
}

/// Whether a text holds a digit: most hold none, and then there is nothing to look for.
pub(super) fn has_digit(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit())
}

/// All numbers of a text in digits, sorted; those of names and versions and number words too, but for days.
pub(super) fn numerals(text: &str, rules: &RuleSet) -> Vec<String> {
    let text = occasion::without_days(text);
    let digits = text
        .split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
        .map(|part| part.trim_matches(['.', ',']).replace(',', ""))
        .filter(|part| !part.is_empty())
        .map(|part| part.parse::<f64>().map_or(part, |number| number.to_string()));
    // A Chinese numeral is also part of many words: those that count things are subject terms.
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphabetic());
    let words = words.filter_map(|word| rules.number_words.get(word)).map(u32::to_string);
    let mut all: Vec<String> = digits.chain(words).collect();
    all.sort();
    all
}

/// Tells whether a column title names a unit that only measurements have.
pub(super) fn names_measured_unit(title: &str, rules: &RuleSet) -> bool {
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    rules.units.iter().filter(|unit| unit.measured).flat_map(|unit| &unit.spellings).any(
        |spelling| {
            title.match_indices(spelling.as_str()).any(|(at, found)| {
                !letter(title[..at].chars().next_back())
                    && !letter(title[at + found.len()..].chars().next())
            })
        },
    )
}

/// What the numbers of a text measure, by its words.
pub(super) fn dimension_of(text: &str, rules: &RuleSet) -> Option<Dimension> {
    let candidates = rules.candidates(text, &[]);
    rules
        .metrics
        .iter()
        .filter(|metric| candidates.may(&metric.regex))
        .filter_map(|metric| metric.regex.find_start(text).map(|at| (at, metric.dimension)))
        .min_by_key(|(at, _)| *at)
        .map(|(_, found)| found)
}

/// Digits that compare: `98.10` and `98.1` are equal, so are `1.2k` and `1200`.
fn canonical(value: f64, dusty: bool) -> String {
    if !dusty {
        return format!("{value}");
    }
    // Twelve significant digits hide the dust that multiplying by a suffix leaves.
    let rounded: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    format!("{rounded}")
}

/// Digits that say something: not zeros before them, and zeros after them only behind a point.
fn significant(plain: &str) -> u8 {
    let mantissa = plain.split(['e', 'E']).next().unwrap_or_default();
    let number = mantissa.trim_start_matches(['-', '0', '.']);
    let number = if mantissa.contains('.') { number } else { number.trim_end_matches('0') };
    u8::try_from(number.chars().filter(char::is_ascii_digit).count()).unwrap_or(u8::MAX)
}

fn suffix(after: &str, rules: &RuleSet) -> Option<(usize, f64)> {
    let trimmed = after.strip_prefix(' ').unwrap_or(after);
    let space = after.len() - trimmed.len();
    rules.suffixes.iter().find_map(|(suffix, factor)| {
        let rest = trimmed.strip_prefix(suffix.as_str())?;
        let latin = suffix.is_ascii();
        let bounded =
            !latin || (space == 0 && !rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
        bounded.then_some((space + suffix.len(), *factor))
    })
}

/// The longest unit that stands at the start of a text, with the bytes it takes.
fn unit_at<'a>(after: &str, rules: &'a RuleSet) -> Option<(usize, &'a Unit)> {
    let trimmed = after.trim_start_matches([' ', '*', '`']);
    let skipped = after.len() - trimmed.len();
    if skipped > 3 {
        return None;
    }
    let whole = |spelling: &str, rest: &str| {
        let letter = spelling.ends_with(|c: char| c.is_ascii_alphanumeric());
        !letter || !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
    };
    let (spelling, unit) = rules.units.at(trimmed, whole)?;
    Some((skipped + spelling.len(), unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::Format;

    fn read(text: &str) -> Vec<String> {
        let rules = RuleSet::built_in().unwrap();
        scan(text, &rules)
            .into_iter()
            .map(|found| {
                format!("{} {}", found.quantity.number, found.quantity.unit).trim().to_owned()
            })
            .collect()
    }

    #[test]
    fn spellings_of_one_value_are_equal() {
        assert_eq!(read("98.10 tokens/sec"), read("98.1 tok/s"));
        assert_eq!(read("1,047,736 tokens"), read("1 047 736 tokens"));
        assert_eq!(read("1.2k tok/s"), read("1200 t/s"));
        assert_eq!(read("2.5 万"), ["25000"]);
    }

    #[test]
    fn more_numbers_than_a_result_has_are_data() {
        let numbers = |count| vec!["12.5"; count].join(" ");
        assert!(!is_data(&numbers(DATA / 2)));
        assert!(is_data(&numbers(DATA / 2 + 1)));
        assert!(!is_data(&"1".repeat(3 * DATA)), "one number");
        let rules = RuleSet::built_in().unwrap();
        for (count, read) in [(40, 1), (600, 0)] {
            let text = format!("The decoder reached {} tok/s.", numbers(count));
            let document = crate::documents::parse(Format::Markdown, text.as_bytes());
            let said = crate::extract::statements(&document, &rules);
            assert_eq!((said.claims.len(), said.mentions.len()), (read, read), "{count}");
        }
    }

    #[test]
    fn names_and_versions_are_no_numbers() {
        assert!(read("KRX170HX qfx1151 sm_80 W4A16").is_empty());
        assert!(read("version 1.2.3, patch #4989").is_empty());
        assert!(read("the 30B model, §11.10, code 0011011").is_empty());
        assert_eq!(read("4×26M"), ["4", "26000000"]);
        assert_eq!(read("GPT-2 reads 5 GiB"), ["5 GiB"]);
    }

    #[test]
    fn digits_are_counted_as_written() {
        let rules = RuleSet::built_in().unwrap();
        for (written, count) in [
            ("26.0 ms", 3),
            ("1,500 ms", 2),
            ("0.29 GB/s", 2),
            ("-9.3%", 2),
            ("424.50 ms", 5),
            ("0 ms", 0),
        ] {
            assert_eq!(scan(written, &rules)[0].quantity.digits, count, "{written}");
        }
    }

    #[test]
    fn signs_are_not_hyphens() {
        assert_eq!(read("-35 ms"), ["-35 ms"]);
        assert_eq!(read("85-90 %"), ["85", "90 %"]);
    }
}
