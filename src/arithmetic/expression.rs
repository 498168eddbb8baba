//! Expressions of numbers, signs and brackets, with words for what the numbers count.

use super::token::{Kind, Number, Token};
use super::value::{Taken, Value};

/// Words that may stand between a number and the sign after it, or a sign and its number.
const LABELS: usize = 2;

/// Tokens of the longest expression that is tried.
pub(super) const LONGEST: usize = 60;

/// What was read of an expression.
#[derive(Clone, Debug)]
pub(super) struct Expression<'a> {
    tokens: &'a [Token],
    /// Its numbers, in order.
    pub(super) numbers: Vec<&'a Number>,
    /// Its signs, in order; `o` between a part and its whole.
    pub(super) signs: Vec<char>,
}

impl<'a> Expression<'a> {
    /// Reads tokens that are an expression from the first to the last.
    pub(super) fn read(tokens: &'a [Token]) -> Option<Self> {
        let numbers = tokens.iter().filter_map(Token::number).collect();
        let signs = tokens.iter().filter_map(|token| match token.kind {
            Kind::Sign(sign) => Some(sign),
            Kind::Of => Some('o'),
            _ => None,
        });
        // `4x NAME` counts things of different kinds.
        let counts = |number: &&Number| number.unit.as_ref().is_some_and(|unit| unit.base == "×");
        let expression = Expression { tokens, numbers, signs: signs.collect() };
        let read = !expression.numbers.iter().any(counts);
        (read && expression.value(Taken::AsWritten).is_some()).then_some(expression)
    }

    /// Works it out.
    pub(super) fn value(&self, taken: Taken) -> Option<Value> {
        let mut parser = Parser { tokens: self.tokens, at: 0, taken, depth: 0 };
        let value = parser.sum()?;
        parser.labels();
        (parser.at == self.tokens.len()).then_some(value)
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    taken: Taken,
    depth: usize,
}

impl Parser<'_> {
    fn kind(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn sum(&mut self) -> Option<Value> {
        let mut value = self.product()?;
        while let Some(Kind::Sign(sign @ ('+' | '-'))) = self.kind() {
            let sign = *sign;
            self.at += 1;
            let next = self.product()?;
            value = if sign == '+' { value.plus(&next)? } else { value.minus(&next)? };
        }
        Some(value)
    }

    fn product(&mut self) -> Option<Value> {
        let mut value = self.operand()?;
        loop {
            let sign = match self.kind() {
                Some(Kind::Sign(sign @ ('*' | '/'))) => *sign,
                Some(Kind::Of) => 'o',
                _ => return Some(value),
            };
            let share = value.kind == super::value::Kind::Share;
            self.at += 1;
            let next = self.operand()?;
            value = match sign {
                '*' => value.times(&next)?,
                'o' if share => value.times(&next)?,
                _ => value.over(&next)?,
            };
        }
    }

    fn operand(&mut self) -> Option<Value> {
        // Each bracket is a level; a text decides how many there are.
        self.depth += 1;
        if self.depth > LONGEST {
            return None;
        }
        self.labels();
        let value = match self.kind()? {
            Kind::Number(number) => {
                let value = Value::of(number, self.taken);
                self.at += 1;
                value
            }
            Kind::Open => {
                self.at += 1;
                let value = self.sum()?;
                let Some(Kind::Close) = self.kind() else { return None };
                self.at += 1;
                value
            }
            _ => return None,
        };
        self.labels();
        self.depth -= 1;
        Some(value)
    }

    fn labels(&mut self) {
        let mut left = LABELS;
        while left > 0 && matches!(self.kind(), Some(Kind::Word(_))) {
            self.at += 1;
            left -= 1;
        }
    }
}
