//! `a + b = c`, `a of b (p%)`, `a GB = b GiB`: an expression and what it is said to give.

use std::ops::Range;

use super::expression::{Expression, LONGEST};
use super::token::{Kind, Number, Token};
use super::value::{self, Taken, Value};
use super::{Equation, Outcome};

/// An equation with its place in the text.
pub(super) type Found = (Range<usize>, Equation);

/// How far apart both sides may be for the text to be understood at all.
const FARTHEST: f64 = 5.0;

/// How far apart they may be where a bracket alone says that they are one.
const FARTHEST_IN_BRACKETS: f64 = 2.0;

/// How a right side is tied to its left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tie {
    Sign,
    Word,
    Bracket,
}

/// Every such equation.
pub(super) fn all(text: &str, tokens: &[Token]) -> Vec<Found> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Equals(approximate) => found.extend(at_sign(text, tokens, at, approximate)),
            Kind::EqualsWord => found.extend(at_word(text, tokens, at)),
            Kind::Open => found.extend(at_bracket(text, tokens, at)),
            _ => {}
        }
    }
    found
}

fn at_sign(text: &str, tokens: &[Token], at: usize, approximate: bool) -> Option<Found> {
    let right = tokens.get(at + 1)?;
    let number = right.number()?;
    let after = tokens.get(at + 2..).unwrap_or_default();
    let labels = after.iter().take_while(|token| matches!(token.kind, Kind::Word(_))).count();
    let next = after.get(labels).map(|token| &token.kind);
    // `= 15 runs + 2` and `= 3(x + 1)` go on.
    let goes_on = match next {
        Some(Kind::Sign(_) | Kind::Of | Kind::Arrow) => labels <= 2,
        Some(Kind::Open) => labels == 0 && after[0].range.start == right.range.end,
        Some(Kind::Number(_) | Kind::Stop) => after
            .first()
            .is_some_and(|a| a.range.start == right.range.end && !ends_sentence(text, a)),
        _ => false,
    };
    // `= 3666 aggregate tok/s`: the unit stands apart.
    let rate = after.iter().take(labels).any(|word| text[word.range.clone()].contains('/'));
    if goes_on || rate {
        return None;
    }
    let (start, left) = before(tokens, at)?;
    let range = tokens[start].range.start..right.range.end;
    let about = Number { about: approximate || number.about, ..number.clone() };
    judge(text, range, &left, (right, &about), Tie::Sign)
}

fn ends_sentence(text: &str, token: &Token) -> bool {
    matches!(
        &text[token.range.clone()],
        "." | "。" | ";" | "；" | ":" | "：" | "!" | "?" | "|" | "\"" | "]"
    )
}

/// A word that means "equals" holds only of a part and its whole, and nothing may follow.
fn at_word(text: &str, tokens: &[Token], at: usize) -> Option<Found> {
    let right = tokens.get(at + 1)?;
    let number = right.number()?;
    let ends = tokens.get(at + 2).is_none_or(|next| {
        matches!(next.kind, Kind::Comma | Kind::Close | Kind::Of)
            || matches!(next.kind, Kind::Stop) && ends_sentence(text, next)
    });
    let (start, left) = before(tokens, at)?;
    let part = left.signs.as_slice() == ['o'] && share(number);
    if !ends || !part {
        return None;
    }
    let range = tokens[start].range.start..right.range.end;
    judge(text, range, &left, (right, number), Tie::Word)
}

/// `a of b (p%)`, `a/b (p%)`, `a GB (b GiB)`, `p% (a of b)`.
fn at_bracket(text: &str, tokens: &[Token], open: usize) -> Option<Found> {
    let length =
        tokens.get(open..)?.iter().take(LONGEST).position(|token| token.kind == Kind::Close)?;
    let inner = tokens.get(open + 1..open + length)?;
    if let [only] = inner
        && let Some(number) = only.number()
    {
        let (start, left) = before(tokens, open)?;
        let whole = |number: &&Number| number.decimals == 0 && number.unit.is_none();
        let fits = match left.signs.as_slice() {
            [] => true,
            ['o'] => true,
            ['/'] => share(number) && left.numbers.iter().all(whole),
            _ => false,
        };
        let part = left.signs.is_empty()
            || share(number) != left.numbers.first().is_some_and(|n| share(n));
        if !fits || !part {
            return None;
        }
        let range = tokens[start].range.start..tokens[open + length].range.end;
        return judge(text, range, &left, (only, number), Tie::Bracket);
    }
    // The share stands first.
    let before = open.checked_sub(1).and_then(|at| tokens.get(at))?;
    let number = before.number().filter(|number| share(number))?;
    let left = Expression::read(inner)?;
    let whole = |number: &&Number| number.decimals == 0 && number.unit.is_none();
    let part = match left.signs.as_slice() {
        ['o'] => !left.numbers.first().is_some_and(|n| share(n)),
        ['/'] => left.numbers.iter().all(whole),
        _ => false,
    };
    if !part {
        return None;
    }
    let range = before.range.start..tokens[open + length].range.end;
    judge(text, range, &left, (before, number), Tie::Bracket)
}

fn share(number: &Number) -> bool {
    number.unit.as_ref().is_some_and(|unit| unit.share)
}

/// The longest expression that ends right before a token.
fn before<'a>(tokens: &'a [Token], end: usize) -> Option<(usize, Expression<'a>)> {
    let part = |token: &Token| {
        matches!(
            token.kind,
            Kind::Number(_) | Kind::Sign(_) | Kind::Open | Kind::Close | Kind::Word(_) | Kind::Of
        )
    };
    let reach = tokens[..end].iter().rev().take(LONGEST).take_while(|token| part(token)).count();
    let first = end - reach;
    for start in first..end {
        let begins = matches!(tokens[start].kind, Kind::Number(_) | Kind::Open);
        if !begins || !stands_alone(tokens, start) {
            continue;
        }
        if let Some(expression) = Expression::read(&tokens[start..end]) {
            return Some((start, expression));
        }
    }
    None
}

/// Nothing before a token belongs to the expression that begins with it.
fn stands_alone(tokens: &[Token], start: usize) -> bool {
    let Some(before) = start.checked_sub(1).and_then(|at| tokens.get(at)) else { return true };
    let touches = before.range.end == tokens[start].range.start;
    match before.kind {
        Kind::Sign(_) | Kind::Of | Kind::Number(_) | Kind::Close | Kind::Arrow => false,
        Kind::Word(_) => !touches || tokens[start].kind != Kind::Open,
        Kind::Stop => !touches,
        _ => true,
    }
}

/// Works both sides out in every way in which they can be meant.
fn judge(
    text: &str,
    range: Range<usize>,
    left: &Expression<'_>,
    (right, number): (&Token, &Number),
    tie: Tie,
) -> Option<Found> {
    let units = || left.numbers.iter().copied().chain([number]).filter_map(|n| n.unit.as_ref());
    let mut bases: Vec<&str> = units().filter(|u| !u.share).map(|u| u.base.as_str()).collect();
    bases.sort_unstable();
    bases.dedup();
    if left.signs.is_empty() && !converts(left, number) {
        return None;
    }
    let mut ways: Vec<(Taken, f64)> = vec![(Taken::Strictly, 1.0)];
    let divides = left.signs.iter().any(|sign| "/o".contains(*sign));
    if bases.len() < 2 && !(divides && share(number)) {
        ways.push((Taken::AsWritten, 1.0));
        // 0.714 is 71.4%, written with the sign or without.
        if divides && number.unit.is_none() {
            ways.push((Taken::AsWritten, 100.0));
        }
    }
    let holds = |taken: Taken, factor: f64| -> Option<(bool, f64)> {
        let value = left.value(taken)?;
        let value = Value { low: value.low * factor, high: value.high * factor, ..value };
        let stated = Value::stated(number, taken, value.exact);
        let alike = |kind: &value::Kind| matches!(kind, value::Kind::Bare | value::Kind::Share);
        let comparable = value.kind == stated.kind || (alike(&value.kind) && alike(&stated.kind));
        comparable.then(|| (value.meets(&stated), value.middle() / stated.middle()))
    };
    let answers: Vec<(bool, f64)> =
        ways.iter().filter_map(|(taken, factor)| holds(*taken, *factor)).collect();
    let (_, apart) =
        answers.iter().copied().min_by(|a, b| a.1.ln().abs().total_cmp(&b.1.ln().abs()))?;
    let outcome = if answers.iter().any(|(holds, _)| *holds) {
        Outcome::Holds
    } else if holds(Taken::Loosely, 1.0).is_some_and(|(holds, _)| holds) {
        // A kilobyte of 1024 is common; a gigabyte beside a gibibyte is a mistake.
        let binary = |unit: &super::Unit| {
            unit.size.as_ref().is_some_and(|size| size.loosely.is_none() && size.factor >= 1024.0)
        };
        let loose = |unit: &super::Unit| unit.size.as_ref().is_some_and(|it| it.loosely.is_some());
        let both = units().any(binary) && units().any(loose);
        if both { Outcome::MixedUnits } else { Outcome::Holds }
    } else {
        Outcome::Fails
    };
    let farthest = if tie == Tie::Sign { FARTHEST } else { FARTHEST_IN_BRACKETS };
    if !(1.0 / farthest..=farthest).contains(&apart) {
        return None;
    }
    let stated = text[right.range.clone()].trim().to_owned();
    let computed = written(number.low * apart, number);
    let text = text[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
    Some((range, Equation { text, computed, stated, outcome, approximate: number.about }))
}

/// Two units of one kind, or a hexadecimal number and a size.
fn converts(left: &Expression<'_>, right: &Number) -> bool {
    let [number] = left.numbers.as_slice() else { return false };
    match (&number.unit, &right.unit) {
        (Some(a), Some(b)) => {
            let of = |unit: &super::Unit| unit.size.as_ref().map(|size| size.of.clone());
            a.base != b.base && of(a).is_some() && of(a) == of(b)
        }
        _ => false,
    }
}

/// A value in the digits and the unit of a number.
pub(super) fn written(value: f64, like: &Number) -> String {
    let decimals = like.decimals.clamp(0, 6);
    let unit = like.unit.as_ref().map(|unit| unit.base.as_str()).unwrap_or_default();
    let space = if unit.is_empty() || unit == "%" { "" } else { " " };
    // A suffix is written out: 1.2k as 1200.
    let decimals = if like.step > 1.0 { 0 } else { decimals };
    format!("{value:.decimals$}{space}{unit}")
}
