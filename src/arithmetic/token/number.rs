//! A number at the start of a text: groups, decimals, suffix, unit, range, error.

use super::{Number, Suffix, Unit, Vocabulary};

/// Reads a number with its unit; `None` for a version, a code, a name that begins with digits.
pub(in super::super) fn number(text: &str, words: &Vocabulary) -> Option<(usize, Number)> {
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return hexadecimal(hex, words);
    }
    let (mut length, mut number) = plain(text, words)?;
    // A range: `85-90 %`, `54–58 GiB`.
    let rest = &text[length..];
    let joint = rest.chars().next().filter(|c| "-–~〜±".contains(*c));
    let spaced = rest.strip_prefix(" ± ").map(|_| 4);
    let skip = joint.map(char::len_utf8).or(spaced);
    if let Some(skip) = skip
        && rest[skip..].starts_with(|c: char| c.is_ascii_digit())
    {
        let (more, end) = plain(&rest[skip..], words)?;
        let error = spaced.is_some() || joint == Some('±');
        let shared = number.unit.is_none() || end.unit.is_none() || number.unit == end.unit;
        if !shared || (!error && end.low < number.low) {
            return None;
        }
        length += skip + more;
        if rest[skip + more..].starts_with(['-', '–', '~']) {
            return None;
        }
        (number.low, number.high) = match error {
            true => (number.low - end.low, number.low + end.low),
            false => (number.low, end.low),
        };
        number.step = number.step.max(end.step);
        number.unit = number.unit.or(end.unit);
        number.spans = true;
    }
    let rest = &text[length..];
    let goes_on = rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "_^²³°'\"".contains(c))
        || (rest.starts_with(['-', ':']) && rest[1..].starts_with(|c: char| c.is_alphanumeric()));
    // `4x3` is a product.
    let product = rest.starts_with(['x', 'X'])
        && rest[1..].starts_with(|c: char| c.is_ascii_digit())
        && number.unit.is_none();
    (!goes_on || product).then_some((length, number))
}

/// Digits with their suffix and unit.
fn plain(text: &str, words: &Vocabulary) -> Option<(usize, Number)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let mut plain = text[..digits].to_owned();
    let mut length = digits;
    if (1..=3).contains(&digits) {
        for mark in [',', ' '] {
            while let Some(group) = group(&text[length..], mark) {
                plain.push_str(group);
                length += 4;
            }
            if length > digits {
                break;
            }
        }
    }
    // 007 is a code.
    if plain.len() > 1 && plain.starts_with('0') {
        return None;
    }
    let mut decimals = 0;
    if let Some(after) = text[length..].strip_prefix('.') {
        decimals = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        if decimals > 0 {
            plain.push('.');
            plain.push_str(&after[..decimals]);
            length += 1 + decimals;
            // 1.2.3 is a version.
            let more = text[length..].strip_prefix('.');
            if more.is_some_and(|more| more.starts_with(|c: char| c.is_ascii_digit())) {
                return None;
            }
        }
    }
    let mut value: f64 = plain.parse().ok()?;
    let mut step = 10f64.powi(-i32::try_from(decimals).ok()?);
    if let Some((more, factor)) = suffix(&text[length..], &words.suffixes) {
        value *= factor;
        step *= factor;
        length += more;
    }
    let zeros = plain.len() - plain.trim_end_matches('0').len();
    let round_step = match (decimals, zeros) {
        (0, 1..) => step * 10f64.powi(i32::try_from(zeros).ok()?),
        _ => step,
    };
    let (more, unit) =
        unit(&text[length..], words).map_or((0, None), |(more, unit)| (more, Some(unit)));
    length += more;
    let number = Number {
        low: value,
        high: value,
        decimals,
        step,
        round_step,
        unit,
        sign: None,
        about: false,
        spans: false,
    };
    (value.is_finite() && value.abs() < 1e18).then_some((length, number))
}

/// A size in hexadecimal is one in bytes.
fn hexadecimal(hex: &str, words: &Vocabulary) -> Option<(usize, Number)> {
    let length = hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
    let value = u64::from_str_radix(hex.get(..length)?, 16).ok()?;
    let goes_on = hex[length..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    #[expect(clippy::cast_precision_loss, reason = "compared with a rounded number")]
    let value = value as f64;
    let bytes =
        words.units.iter().find(|(spelling, _)| spelling == "B").map(|(_, unit)| unit.clone());
    (length > 0 && !goes_on).then(|| {
        let number = Number {
            low: value,
            high: value,
            decimals: 0,
            step: 1.0,
            round_step: 1.0,
            unit: bytes,
            sign: None,
            about: false,
            spans: false,
        };
        (length + 2, number)
    })
}

/// Three digits after a mark, and no fourth.
fn group(text: &str, mark: char) -> Option<&str> {
    let after = text.strip_prefix(mark)?;
    let group = after.get(..3).filter(|group| group.bytes().all(|b| b.is_ascii_digit()))?;
    (!after[3..].starts_with(|c: char| c.is_ascii_digit())).then_some(group)
}

fn suffix(text: &str, suffixes: &[Suffix]) -> Option<(usize, f64)> {
    let near = text.strip_prefix(' ').unwrap_or(text);
    let space = text.len() - near.len();
    suffixes.iter().find_map(|suffix| {
        let rest = near.strip_prefix(suffix.text.as_str())?;
        let latin = suffix.text.is_ascii();
        let whole = !latin || (space == 0 && !rest.starts_with(|c: char| c.is_alphanumeric()));
        whole.then_some((space + suffix.text.len(), suffix.factor))
    })
}

fn unit(text: &str, words: &Vocabulary) -> Option<(usize, Unit)> {
    let near = text.strip_prefix([' ', '\u{a0}']).unwrap_or(text);
    let skipped = text.len() - near.len();
    words.units.iter().find_map(|(spelling, unit)| {
        let rest = near.strip_prefix(spelling.as_str())?;
        let letter = spelling.ends_with(|c: char| c.is_ascii_alphanumeric());
        let times = ["x", "X", "×", "*"].contains(&spelling.as_str())
            && rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || "([~".contains(c));
        // `tok/s` is one unit, `GB/card` is none that is known.
        let odd = letter
            && (rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
                || rest
                    .strip_prefix(['/', '-', '·'])
                    .is_some_and(|after| after.starts_with(|c: char| c.is_alphabetic())));
        (!times && !odd).then(|| (skipped + spelling.len(), unit.clone()))
    })
}
