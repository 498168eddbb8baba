//! `a → b (+19.1%)`: two numbers and how much one became the other.

use super::equation::{Found, written};
use super::token::{Kind, Number, Token};
use super::value::{Taken, Value};
use super::{Equation, Outcome};

/// Words inside the bracket after a change with a sign.
const WORDS: usize = 3;

/// How far the stated change may be from the real one to be understood as it at all.
const FARTHEST: f64 = 5.0;

/// Every change that is followed by its size.
pub(super) fn all(text: &str, tokens: &[Token]) -> Vec<Found> {
    let arrows = tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Arrow);
    arrows.filter_map(|(at, _)| change(text, tokens, at)).collect()
}

fn change(text: &str, tokens: &[Token], arrow: usize) -> Option<Found> {
    let before = arrow.checked_sub(1)?;
    let first =
        if matches!(tokens[before].kind, Kind::Word(_)) { before.checked_sub(1)? } else { before };
    let mut after = arrow + 1;
    let from = tokens[first].number()?;
    let to = tokens.get(after)?.number()?;
    after += 1;
    if matches!(tokens.get(after)?.kind, Kind::Word(_)) {
        after += 1;
    }
    // A chain has more than one change.
    let chained = |kind: Option<&Kind>| {
        matches!(kind, Some(Kind::Arrow | Kind::Sign(_) | Kind::Of | Kind::Equals(_)))
    };
    let start = first.checked_sub(1).and_then(|at| tokens.get(at)).map(|token| &token.kind);
    if chained(start) || from.sign.is_some() || to.sign.is_some() {
        return None;
    }
    let mut stated = after + 1;
    match tokens.get(after)?.kind {
        Kind::Open => {}
        // `a → b, +19.1%`
        Kind::Comma => {
            tokens.get(stated)?.number()?.sign?;
        }
        _ => return None,
    }
    let size = tokens.get(stated)?.number()?;
    let range = tokens[first].range.start..tokens[stated].range.end;
    let shown = text[tokens[stated].range.clone()].to_owned();
    stated += 1;
    if tokens[after].kind == Kind::Open {
        let words = tokens[stated..].iter().take_while(|t| matches!(t.kind, Kind::Word(_))).count();
        let allowed = if size.sign.is_some() { WORDS } else { 0 };
        let closes = matches!(tokens.get(stated + words)?.kind, Kind::Close | Kind::Comma);
        if words > allowed || !closes {
            return None;
        }
    }
    let outcome = judge(from, to, size)?;
    let mut text = text[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
    if tokens[after].kind == Kind::Open {
        text.push(')');
    }
    let (holds, computed) = outcome;
    let outcome = if holds { Outcome::Holds } else { Outcome::Fails };
    let equation = Equation { text, computed, stated: shown, outcome, approximate: size.about };
    Some((range, equation))
}

/// Whether the size fits, and what it is by its usual meaning: the change over where it began.
fn judge(from: &Number, to: &Number, size: &Number) -> Option<(bool, String)> {
    let unit = size.unit.as_ref()?;
    let same = from.unit.is_none() || to.unit.is_none() || from.unit == to.unit;
    let taken = if same { Taken::AsWritten } else { Taken::Strictly };
    let measured = |number: &Number| {
        let half = number.step / 2.0;
        let mut value = Value::of(number, taken);
        if value.exact {
            (value.low, value.high) = (value.low - half, value.high + half);
        }
        value
    };
    let (a, b) = (measured(from), measured(to));
    if a.kind != b.kind || a.low <= 0.0 || b.low <= 0.0 {
        return None;
    }
    let stated = Value::stated(size, Taken::AsWritten, false);
    let stated = if stated.middle() < 0.0 {
        Value { low: -stated.high, high: -stated.low, ..stated }
    } else {
        stated
    };
    let ratio = |over: &Value, under: &Value| over.over(under);
    let up = ratio(&b, &a)?;
    let down = ratio(&a, &b)?;
    let share = |number: &Number| number.unit.as_ref().is_some_and(|unit| unit.share);
    let percent = |value: &Value| {
        let (low, high) = ((value.low - 1.0) * 100.0, (value.high - 1.0) * 100.0);
        let (low, high) = if high <= 0.0 { (-high, -low) } else { (low, high) };
        Value { low, high, ..value.clone() }
    };
    let readings: Vec<Value> = if unit.share {
        let mut all = vec![percent(&up), percent(&down)];
        // Percentage points, and what remains: "12 → 3 (25%)".
        let whole = |value: &Value| Value {
            low: value.low * 100.0,
            high: value.high * 100.0,
            ..value.clone()
        };
        all.extend([whole(&up), whole(&down)]);
        if share(from) || share(to) {
            let points = b.minus(&a)?;
            let (low, high) = (points.low, points.high);
            let turned = high < 0.0;
            all.push(Value {
                low: if turned { -high } else { low },
                high: if turned { -low } else { high },
                ..points
            });
        }
        all
    } else if unit.base == "×" {
        vec![up.clone(), down]
    } else {
        return None;
    };
    let holds = readings.iter().any(|reading| reading.meets(&stated));
    // A gain beside a number that fell is the gain of something else.
    let against = match size.sign {
        Some('+') => up.high < 1.0,
        Some(_) => up.low > 1.0,
        None => false,
    };
    if against && !holds {
        return None;
    }
    let usual = match unit.share {
        true => (up.middle() - 1.0) * 100.0,
        false if up.middle() < 1.0 => 1.0 / up.middle(),
        false => up.middle(),
    };
    let apart = usual.abs() / stated.middle().abs();
    (1.0 / FARTHEST..=FARTHEST).contains(&apart).then(|| {
        let plus = if size.sign.is_some() && unit.share && usual > 0.0 { "+" } else { "" };
        (holds, format!("{plus}{}", written(usual, size)))
    })
}
