//! Numbers as the intervals that their digits leave open, with their units.

use super::token::{Number, Unit};

/// What a value is counted in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing.
    Bare,
    /// A share, already divided by a hundred.
    Share,
    /// A unit without a known size, or the basis of one with it.
    Unit(String),
}

/// An interval and what it is counted in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) kind: Kind,
    /// Made of whole numbers without a unit, by steps that keep them exact.
    pub(super) exact: bool,
}

/// How units are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// By their definition.
    Strictly,
    /// As they are often meant: a gigabyte for a gibibyte.
    Loosely,
    /// All numbers share one unit, so that its size makes no difference.
    AsWritten,
}

/// More of a number that calls itself approximate may be meant, as a share of it.
const ABOUT: f64 = 0.05;

impl Value {
    /// A number on the left side: what is written so when rounded.
    pub(super) fn of(number: &Number, taken: Taken) -> Value {
        let whole = number.decimals == 0 && number.step == 1.0;
        let exact = whole && number.unit.is_none() && !number.spans && !number.about;
        let half = if exact { 0.0 } else { number.step / 2.0 };
        let about = |end: f64| if number.about { end.abs() * ABOUT } else { 0.0 };
        let (low, high) = (number.low - half, number.high + half);
        let (low, high) = (low - about(low), high + about(high));
        let (factor, kind) = scale(number.unit.as_ref(), taken);
        Value { low: low * factor, high: high * factor, kind, exact }
    }

    /// A number on the right side: rounded or cut off. `exactly`: it follows from whole numbers.
    pub(super) fn stated(number: &Number, taken: Taken, exactly: bool) -> Value {
        let slack = if exactly && number.step == 1.0 && !number.about { 0.5 } else { number.step };
        let slack = if number.about {
            let zeros = number.round_step.max(slack);
            zeros.max(number.high.abs() * 0.03)
        } else {
            slack
        };
        let (factor, kind) = scale(number.unit.as_ref(), taken);
        let (low, high) = (number.low - slack, number.high + slack);
        Value { low: low * factor, high: high * factor, kind, exact: false }
    }

    pub(super) fn middle(&self) -> f64 {
        f64::midpoint(self.low, self.high)
    }

    /// Some number is in both.
    pub(super) fn meets(&self, other: &Value) -> bool {
        // The dust of binary fractions is no difference.
        let dust = self.high.abs().max(other.high.abs()) * 1e-9;
        self.low <= other.high + dust && other.low <= self.high + dust
    }

    pub(super) fn plus(&self, other: &Value) -> Option<Value> {
        let kind = shared(&self.kind, &other.kind)?;
        let exact = self.exact && other.exact;
        Some(Value { low: self.low + other.low, high: self.high + other.high, kind, exact })
    }

    pub(super) fn minus(&self, other: &Value) -> Option<Value> {
        let kind = shared(&self.kind, &other.kind)?;
        let exact = self.exact && other.exact;
        Some(Value { low: self.low - other.high, high: self.high - other.low, kind, exact })
    }

    pub(super) fn times(&self, other: &Value) -> Option<Value> {
        let kind = match (&self.kind, &other.kind) {
            (Kind::Bare | Kind::Share, kind) => kind.clone(),
            (kind, Kind::Bare | Kind::Share) => kind.clone(),
            (Kind::Unit(_), Kind::Unit(_)) => return None,
        };
        let corners = [
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        ];
        Some(Value { exact: self.exact && other.exact, ..between(&corners, kind) })
    }

    pub(super) fn over(&self, other: &Value) -> Option<Value> {
        let kind = match (&self.kind, &other.kind) {
            (Kind::Unit(a), Kind::Unit(b)) if a == b => Kind::Bare,
            (Kind::Share, Kind::Share) => Kind::Bare,
            (kind, Kind::Bare | Kind::Share) => kind.clone(),
            _ => return None,
        };
        if other.low <= 0.0 {
            return None;
        }
        let corners = [
            self.low / other.low,
            self.low / other.high,
            self.high / other.low,
            self.high / other.high,
        ];
        Some(between(&corners, kind))
    }
}

fn between(corners: &[f64], kind: Kind) -> Value {
    let low = corners.iter().copied().fold(f64::INFINITY, f64::min);
    let high = corners.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Value { low, high, kind, exact: false }
}

/// What a sum of two is counted in: a bare number beside one with a unit leaves the unit open.
fn shared(a: &Kind, b: &Kind) -> Option<Kind> {
    (a == b).then(|| a.clone())
}

fn scale(unit: Option<&Unit>, taken: Taken) -> (f64, Kind) {
    let Some(unit) = unit else { return (1.0, Kind::Bare) };
    if taken == Taken::AsWritten {
        return (1.0, Kind::Bare);
    }
    if unit.share {
        return (0.01, Kind::Share);
    }
    match (&unit.size, taken) {
        (Some(size), Taken::Loosely) => {
            (size.loosely.unwrap_or(size.factor), Kind::Unit(size.of.clone()))
        }
        (Some(size), _) => (size.factor, Kind::Unit(size.of.clone())),
        (None, _) => (1.0, Kind::Unit(unit.base.clone())),
    }
}
