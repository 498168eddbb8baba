//! An expression as far as it tells which literals its matches hold.
//!
//! Nearly all expressions come from the pattern language and use little of what expressions can. Those
//! are read here, in one pass; parsing them for the engine took most of a start. What uses more is left to
//! `regex_syntax`, and a test holds that both tell the same.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// Characters above which a class is not listed.
const CLASS_LIMIT: usize = 24;

/// Groups within groups above which an expression is left to the parser that bounds them.
const DEPTH: usize = 32;

/// What an expression matches, one part after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing that is known: the empty text, a place, too many characters.
    Unknown,
    /// A border of ASCII words.
    Border,
    Literal(String),
    /// One of a few characters.
    OneOf(Vec<char>),
    /// Perhaps an ending in small ASCII letters, which is told.
    Perhaps(Option<String>),
    /// None within another; literals side by side are one.
    Sequence(Vec<Shape>),
    Alternatives(Vec<Shape>),
}

impl Shape {
    /// Reads an expression, with its case.
    pub(super) fn of(source: &str) -> Shape {
        Shape::read(source).unwrap_or_else(|| Shape::parsed(source))
    }

    /// Reads an expression as the engine does.
    pub(super) fn parsed(source: &str) -> Shape {
        regex_syntax::parse(source).map_or(Shape::Unknown, |hir| Shape::from(&hir))
    }

    /// Reads an expression if it is written in the few ways that patterns become.
    pub(super) fn read(source: &str) -> Option<Shape> {
        let mut rest = Rest(source);
        let shape = rest.alternatives(0)?;
        rest.0.is_empty().then_some(shape)
    }

    /// The parts of a sequence.
    fn parts(&self) -> &[Shape] {
        match self {
            Shape::Sequence(parts) => parts,
            _ => &[],
        }
    }

    /// As often as the bounds say.
    fn again(self, least: u32, most: Option<u32>) -> Shape {
        match (least, most, self) {
            (1, Some(1), shape) => shape,
            (0, Some(1), Shape::Literal(text)) if text.bytes().all(|b| b.is_ascii_lowercase()) => {
                Shape::Perhaps(Some(text))
            }
            (0, ..) => Shape::Perhaps(None),
            // A literal twice is no longer one: what stands before it does not go on in it.
            (_, _, shape) => Shape::Alternatives(vec![shape]),
        }
    }
}

/// Parts in order.
#[derive(Default)]
struct Parts(Vec<Shape>);

impl Parts {
    fn push(&mut self, part: Shape) {
        match (self.0.last_mut(), part) {
            (_, Shape::Sequence(parts)) => parts.into_iter().for_each(|part| self.push(part)),
            (Some(Shape::Literal(before)), Shape::Literal(text)) => before.push_str(&text),
            (_, part) => self.0.push(part),
        }
    }

    fn push_char(&mut self, c: char) {
        match self.0.last_mut() {
            Some(Shape::Literal(before)) => before.push(c),
            _ => self.0.push(Shape::Literal(c.into())),
        }
    }

    /// Takes the last part, of a literal its last character.
    fn pop(&mut self) -> Option<Shape> {
        if let Some(Shape::Literal(text)) = self.0.last_mut() {
            let last = text.pop()?;
            if text.is_empty() {
                self.0.pop();
            }
            return Some(Shape::Literal(last.into()));
        }
        self.0.pop()
    }

    fn joined(mut self) -> Shape {
        match self.0.len() {
            0 => Shape::Unknown,
            1 => self.0.swap_remove(0),
            _ => Shape::Sequence(self.0),
        }
    }
}

/// Alternatives as the engine's parser simplifies them: none that is made of others, and what all begin
/// with stands before them.
fn alternatives(parts: Vec<Shape>) -> Shape {
    let mut all = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Shape::Alternatives(parts) if parts.len() > 1 => all.extend(parts),
            part => all.push(part),
        }
    }
    let common = all.iter().map(Shape::parts).reduce(|one, other| {
        let told = |it: &Shape| !matches!(it, Shape::Unknown | Shape::Perhaps(None));
        let same = one.iter().zip(other).take_while(|(one, other)| one == other && told(one));
        &one[..same.count()]
    });
    let Some(common) = common.filter(|it| !it.is_empty()).map(<[Shape]>::to_vec) else {
        return Shape::Alternatives(all);
    };
    let rest = all.iter().map(|part| {
        let mut rest = Parts::default();
        part.parts()[common.len()..].iter().for_each(|part| rest.push(part.clone()));
        rest.joined()
    });
    let rest = Shape::Alternatives(rest.collect());
    Shape::Sequence(common.into_iter().chain([rest]).collect())
}

/// What of an expression is still to be read. `None`: it is written in another way.
struct Rest<'s>(&'s str);

impl Rest<'_> {
    fn alternatives(&mut self, depth: usize) -> Option<Shape> {
        let mut all = vec![self.sequence(depth)?];
        while self.skip("|") {
            all.push(self.sequence(depth)?);
        }
        Some(if all.len() == 1 { all.swap_remove(0) } else { alternatives(all) })
    }

    fn sequence(&mut self, depth: usize) -> Option<Shape> {
        let mut parts = Parts::default();
        // A group is one thing to what follows it, whatever it is made of.
        let mut group = None;
        loop {
            if let Some((least, most)) = self.times()? {
                let sub = group.take().or_else(|| parts.pop())?;
                parts.push(sub.again(least, most));
                // "Once or more" of "once or more" is written by nobody.
                if self.times()?.is_some() {
                    return None;
                }
                continue;
            }
            if let Some(group) = group.take() {
                parts.push(group);
            }
            let Some(first) = self.0.chars().next() else { break };
            match first {
                '|' | ')' => break,
                '(' if self.skip(r"(?-u:\b)") => group = Some(Shape::Border),
                '(' if self.skip(r"(?-u:\w)") => group = Some(Shape::Unknown),
                '(' if depth < DEPTH && self.skip("(?:") => {
                    group = Some(self.alternatives(depth + 1)?);
                    if !self.skip(")") {
                        return None;
                    }
                }
                '[' => group = Some(self.class()?),
                '^' | '$' => {
                    self.0 = &self.0[1..];
                    group = Some(Shape::Unknown);
                }
                '\\' => {
                    let escaped = self.0[1..].chars().next().filter(char::is_ascii_punctuation)?;
                    self.0 = &self.0[2..];
                    parts.push_char(escaped);
                }
                '(' | '.' | '?' | '*' | '+' | '{' => return None,
                c => {
                    self.0 = &self.0[c.len_utf8()..];
                    parts.push_char(c);
                }
            }
        }
        Some(parts.joined())
    }

    /// How often the part before is to be met, if that is said here.
    fn times(&mut self) -> Option<Option<(u32, Option<u32>)>> {
        let times = match self.0.as_bytes().first() {
            Some(b'?') => (0, Some(1)),
            Some(b'*') => (0, None),
            Some(b'+') => (1, None),
            Some(b'{') => {
                let (bounds, rest) = self.0[1..].split_once('}')?;
                let (least, most) = bounds.split_once(',').unwrap_or((bounds, bounds));
                let most = if most.is_empty() { None } else { Some(most.parse().ok()?) };
                self.0 = rest;
                self.skip("?");
                return Some(Some((least.parse().ok()?, most)));
            }
            _ => return Some(None),
        };
        self.0 = &self.0[1..];
        self.skip("?");
        Some(Some(times))
    }

    fn class(&mut self) -> Option<Shape> {
        let (inner, rest) = self.0[1..].split_once(']')?;
        let operator = ["&&", "--", "~~"].iter().any(|it| inner.contains(it));
        if operator || matches!(inner, "" | "^") || inner.contains('[') || inner.ends_with('\\') {
            return None;
        }
        self.0 = rest;
        // All but some are many.
        if inner.starts_with('^') || inner.contains(r"\x{") {
            return Some(Shape::Unknown);
        }
        let mut listed = Vec::new();
        let mut chars = inner.chars();
        while let Some(from) = chars.next() {
            let ranges = chars.as_str().starts_with('-') && chars.as_str().len() > 1;
            let to = if ranges { chars.nth(1)? } else { from };
            if from == '\\' || to == '\\' || from > to {
                return None;
            }
            listed.extend((from..=to).take(CLASS_LIMIT + 1));
        }
        listed.sort_unstable();
        listed.dedup();
        Some(match listed.as_slice() {
            [one] => Shape::Literal((*one).into()),
            several if several.len() <= CLASS_LIMIT => Shape::OneOf(listed),
            _ => Shape::Unknown,
        })
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.0.strip_prefix(prefix);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }
}

impl From<&Hir> for Shape {
    /// Recurses as deep as the expression nests, which its parser bounds.
    fn from(hir: &Hir) -> Shape {
        match hir.kind() {
            HirKind::Look(Look::WordAscii) => Shape::Border,
            HirKind::Empty | HirKind::Look(_) => Shape::Unknown,
            HirKind::Literal(literal) => {
                Shape::Literal(String::from_utf8_lossy(&literal.0).into_owned())
            }
            HirKind::Class(class) => listed(class).map_or(Shape::Unknown, Shape::OneOf),
            HirKind::Repetition(again) => {
                Shape::from(again.sub.as_ref()).again(again.min, again.max)
            }
            HirKind::Capture(group) => Shape::Alternatives(vec![group.sub.as_ref().into()]),
            HirKind::Concat(parts) => Shape::Sequence(parts.iter().map(Shape::from).collect()),
            HirKind::Alternation(parts) => {
                Shape::Alternatives(parts.iter().map(Shape::from).collect())
            }
        }
    }
}

fn listed(class: &Class) -> Option<Vec<char>> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.ranges().iter().map(|r| (r.start(), r.end())).collect(),
        Class::Bytes(class) if class.is_ascii() => {
            class.ranges().iter().map(|r| (r.start().into(), r.end().into())).collect()
        }
        Class::Bytes(_) => return None,
    };
    let listed = ranges.into_iter().flat_map(|(start, end)| start..=end);
    let listed: Vec<char> = listed.take(CLASS_LIMIT + 1).collect();
    (listed.len() <= CLASS_LIMIT).then_some(listed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::needle;
    use crate::rules::pattern::{self, Lexicons};

    fn tell_the_same(source: &str) {
        let told = |shape: &Shape| needle::sorted(&needle::of_shape(shape, &[]));
        let read = Shape::read(source).map(|shape| told(&shape));
        let parsed = told(&Shape::parsed(source));
        assert_eq!(read.unwrap_or_else(|| parsed.clone()), parsed, "{source}");
    }

    #[test]
    fn expressions_of_all_kinds_tell_the_same() {
        for source in [
            "",
            "a|",
            "a(?:b)c",
            "a(?:b|c)?d",
            "ab?c",
            "ab*",
            "ab+c",
            "a(?:bc){2}d",
            "a{1}b",
            "x{0}y",
            "(?:(?:a))b",
            "[ab]c",
            "[a]b",
            "[a-z]x",
            "[^a]b",
            "[^]]b",
            "[]a]b",
            "[+-]x",
            "[a-]",
            r"[\]a]x",
            r"[\x{3400}-\x{9FFF}]{1,2}x",
            r"\.\-x",
            r"(?-u:\b)note(?:s)?(?-u:\b)",
            r"(?-u:\w)*",
            "^a$",
            "a.b",
            "(a)b",
            "(?i:a)b",
            "(?:a|b)+c",
            "a??b",
            "a{2,}?b",
            r"é(?:s)?(?-u:\b)",
            "[a&&b]c",
            r"[\d]1",
            "(?:abc|abd)e",
            "}",
            "]",
            r"a(?:\b)?b",
        ] {
            tell_the_same(source);
        }
        for nested in [DEPTH / 2, DEPTH * 2] {
            tell_the_same(&format!("{}x{}", "(?:a|".repeat(nested), ")".repeat(nested)));
        }
    }

    proptest! {
        #[test]
        fn what_patterns_become_tells_the_same(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "word", "run*", "test[s]", "卡", "[不] 行", " ", " .. ", " ... ", "(a|bc)",
                    "(no|not any [more])", "{number}", "{code}", "^", "$", r"\(", "v1.2", "a-b",
                    "[the]", "(x|[y])",
                ]),
                1..7,
            ),
        ) {
            let named = [("number", r"[0-9]+(?:\.[0-9]+)?"), ("code", "`[^`]*`")];
            let named = named.map(|(name, source)| (name.to_owned(), source.to_owned()));
            if let Ok(source) = pattern::translate(&parts.concat(), &Lexicons::from(named)) {
                prop_assert!(Shape::read(&source).is_some(), "{}", source);
                tell_the_same(&source);
            }
        }
    }
}
