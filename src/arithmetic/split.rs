//! `15,16,12` of 43 layers: parts that must add up to the whole.

use super::equation::Found;
use super::token::{Kind, Number, Token};
use super::{Equation, Outcome};

/// How far the sum of the parts may be from the whole to be taken for its parts at all.
const FARTHEST: f64 = 1.5;

/// The split of a text that has one, and one whole.
pub(super) fn all(text: &str, tokens: &[Token]) -> Option<Found> {
    let lists = lists(tokens);
    let [list] = lists.as_slice() else { return None };
    let (start, end) = (tokens[list.0].range.start, tokens[list.1].range.end);
    let parts: Vec<f64> =
        tokens[list.0..=list.1].iter().filter_map(Token::number).map(|n| n.low).collect();
    let sum: f64 = parts.iter().sum();
    let (stated, whole) = stated(tokens, list.1).or_else(|| named(tokens))?;
    let within = stated > 0.0 && (1.0 / FARTHEST..=FARTHEST).contains(&(sum / stated));
    let largest = parts.iter().copied().fold(0.0, f64::max);
    let shown = text[whole.clone()].to_owned();
    (within && stated >= largest).then(|| {
        let outcome = if sum == stated { Outcome::Holds } else { Outcome::Fails };
        let equation = Equation {
            text: text[start..end].to_owned(),
            computed: format!("{sum}"),
            stated: shown,
            outcome,
            approximate: false,
        };
        (start..end, equation)
    })
}

/// Lists of at least two whole numbers, commas between and no space.
fn lists(tokens: &[Token]) -> Vec<(usize, usize)> {
    let part = |at: usize| {
        let plain =
            |n: &Number| n.decimals == 0 && n.unit.is_none() && n.sign.is_none() && !n.spans;
        tokens.get(at).and_then(Token::number).is_some_and(|n| plain(n) && n.step == 1.0)
    };
    let joined = |at: usize| {
        let [a, b, c] = [at, at + 1, at + 2].map(|at| tokens.get(at));
        matches!((a, b, c), (Some(a), Some(b), Some(c))
            if b.kind == Kind::Comma && a.range.end == b.range.start && b.range.end == c.range.start)
            && part(at + 2)
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        if part(at) {
            while joined(at) {
                at += 2;
            }
        }
        let touched = start > 0
            && tokens[start - 1].kind == Kind::Stop
            && tokens[start - 1].range.end == tokens[start].range.start;
        if at > start && !touched {
            found.push((start, at));
        }
        at += 1;
    }
    found
}

/// `15,16,12 = 43`
fn stated(tokens: &[Token], end: usize) -> Option<(f64, std::ops::Range<usize>)> {
    let sign = matches!(tokens.get(end + 1)?.kind, Kind::Equals(false));
    let right = tokens.get(end + 2).filter(|_| sign)?;
    let number = right.number().filter(|number| number.decimals == 0 && number.unit.is_none())?;
    Some((number.low, right.range.clone()))
}

/// `43 layers`, once.
fn named(tokens: &[Token]) -> Option<(f64, std::ops::Range<usize>)> {
    let mut pairs = tokens.windows(2).filter(|pair| pair[1].kind == Kind::Word(true));
    let pair = pairs.next().filter(|_| pairs.next().is_none())?;
    let number = pair[0].number().filter(|number| number.decimals == 0 && number.unit.is_none())?;
    Some((number.low, pair[0].range.start..pair[1].range.end))
}
