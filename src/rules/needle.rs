//! What a text must contain for an expression to match: literals, found before any expression runs.
//!
//! Nearly all rules say nothing about nearly all sentences. So one automaton finds the literals of
//! all rules in one pass, and only a rule of which a literal stands in a text is tried on it. The
//! literals come from the parsed form of an expression, not from the pattern language, so that
//! they hold whatever an expression was made from.

use std::rc::Rc;

use super::lexicon;
use super::shape::Shape;

/// Literals above which an alternation is not listed.
const LIMIT: usize = 2000;

/// A literal in lower case, and whether it begins or ends at a word border.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Needle {
    pub(super) text: Rc<str>,
    pub(super) left: bool,
    pub(super) right: bool,
}

/// Groups of literals: every match contains a literal of each group. None where nothing is known.
pub(super) type Needles = Vec<Rc<[Needle]>>;

/// Groups that are kept of an expression. Many words of rules are common: what holds two of them in
/// any order is rare.
pub(super) const GROUPS: usize = 3;

/// Finds the needles of an expression that is matched in any case.
///
/// It is read with its case, which is much faster: the literals are looked for in any case.
/// `lexicons` are the needles of the lexicons that the expression may name.
pub(super) fn needles(source: &str, lexicons: &[Needles]) -> Needles {
    of_shape(&Shape::of(source), lexicons)
}

/// The same of an expression that was read.
pub(super) fn of_shape(shape: &Shape, lexicons: &[Needles]) -> Needles {
    within(shape, false, lexicons)
}

/// Groups, in which no order means anything, in an order.
#[cfg(test)]
pub(super) fn sorted(groups: &Needles) -> Vec<std::collections::BTreeSet<Needle>> {
    groups.iter().map(|group| group.iter().cloned().collect()).collect()
}

/// Groups without those that nearly every text meets by a single letter or mark, where there are others:
/// to find those would cost more than they tell.
pub(super) fn telling(groups: Needles) -> Needles {
    let is_common = |needle: &Needle| {
        needle.text.len() == 1 && !needle.text.starts_with(|c: char| c.is_ascii_digit())
    };
    let telling: Needles =
        groups.iter().filter(|group| !group.iter().any(is_common)).cloned().collect();
    if telling.is_empty() { groups.into_iter().take(1).collect() } else { telling }
}

/// `left`: a word border stands right before it. Recurses as deep as the expression nests, which
/// is bounded.
fn within(shape: &Shape, left: bool, lexicons: &[Needles]) -> Needles {
    match shape {
        Shape::Unknown | Shape::Border | Shape::Perhaps(_) => Vec::new(),
        Shape::Literal(_) => in_sequence(std::slice::from_ref(shape), left, lexicons),
        Shape::OneOf(chars) => any(chars.iter().map(|c| of_char(*c, left, lexicons))),
        Shape::Sequence(parts) => in_sequence(parts, left, lexicons),
        Shape::Alternatives(parts) => any(parts.iter().map(|part| within(part, left, lexicons))),
    }
}

/// One of several: whichever it is, each of its groups is met, so a group takes one of each.
fn any(parts: impl Iterator<Item = Needles>) -> Needles {
    let mut parts: Vec<Needles> = parts.collect();
    if parts.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    if parts.len() == 1 {
        return parts.swap_remove(0);
    }
    let most = parts.iter().map(Vec::len).max().unwrap_or(0);
    let group = |at: usize| -> Vec<Needle> {
        let of_each = parts.iter().filter_map(|part| part.get(at).or(part.last()));
        of_each.flat_map(|group| group.iter()).cloned().collect()
    };
    let mut groups: Vec<Vec<Needle>> =
        (0..most).map(group).filter(|it| it.len() <= LIMIT).collect();
    groups.dedup();
    groups.into_iter().map(Rc::from).collect()
}

/// The best that the parts of a sequence offer.
fn in_sequence(parts: &[Shape], left: bool, lexicons: &[Needles]) -> Needles {
    let mut best = Best(Vec::new());
    let mut run = Run { text: String::new(), left };
    for (at, part) in parts.iter().enumerate() {
        match part {
            Shape::Literal(literal) => {
                for c in literal.chars() {
                    if is_caseless(c) && lexicon::index(c).is_none() {
                        run.text.push(c.to_ascii_lowercase());
                    } else {
                        best.offer_run(&mut run, false);
                        best.offer(of_lexicon(c, lexicons));
                    }
                }
                continue;
            }
            Shape::Perhaps(Some(ending))
                if !run.text.is_empty() && parts.get(at + 1) == Some(&Shape::Border) =>
            {
                let (short, long) = (run.needle("", true), run.needle(ending, true));
                best.offer(vec![[short, long].into()]);
                // The shorter word without its border is no rarer.
                run.text.clear();
            }
            _ => {}
        }
        let border = *part == Shape::Border;
        let border_before = run.text.is_empty() && run.left;
        best.offer_run(&mut run, border);
        run.left = border;
        if !border {
            best.offer(within(part, border_before, lexicons));
        }
    }
    best.offer_run(&mut run, false);
    best.0.into_iter().map(|(_, group)| group).collect()
}

/// Characters in a row.
struct Run {
    text: String,
    /// A word border stands before them.
    left: bool,
}

impl Run {
    fn needle(&self, ending: &str, right: bool) -> Needle {
        Needle { text: format!("{}{ending}", self.text).into(), left: self.left, right }
    }
}

/// The best needles so far, the rarest first, with how rare they are.
struct Best(Vec<(Worth, Rc<[Needle]>)>);

impl Best {
    fn offer(&mut self, found: Needles) {
        for group in found {
            let worth = worth(&group);
            let at = self.0.partition_point(|(known, _)| *known >= worth);
            // Equal groups are as rare.
            let alike = self.0[..at].iter().rev().take_while(|(known, _)| *known == worth);
            if at < GROUPS && alike.into_iter().all(|(_, known)| *known != group) {
                self.0.insert(at, (worth, group));
                self.0.truncate(GROUPS);
            }
        }
    }

    /// Ends a run of characters and starts a new one.
    fn offer_run(&mut self, run: &mut Run, right: bool) {
        if !run.text.is_empty() {
            self.offer(vec![[run.needle("", right)].into()]);
        }
        *run = Run { text: String::new(), left: false };
    }
}

type Worth = (usize, std::cmp::Reverse<usize>);

/// How rare the commonest literal is, by its length; then the fewer. A digit is rarer than a point.
fn worth(needles: &[Needle]) -> Worth {
    let rare = |needle: &Needle| {
        let digit = needle.text.starts_with(|c: char| c.is_ascii_digit());
        let borders = usize::from(needle.left) + usize::from(needle.right);
        needle.text.len() * 2 + borders + usize::from(digit)
    };
    (needles.iter().map(rare).min().unwrap_or(0), std::cmp::Reverse(needles.len()))
}

fn of_lexicon(c: char, lexicons: &[Needles]) -> Needles {
    lexicon::index(c).and_then(|at| lexicons.get(at)).cloned().unwrap_or_default()
}

/// What one character tells, or the lexicon that it stands for.
fn of_char(c: char, left: bool, lexicons: &[Needles]) -> Needles {
    match lexicon::index(c) {
        Some(_) => of_lexicon(c, lexicons),
        None if is_caseless(c) => {
            let text = c.to_ascii_lowercase().encode_utf8(&mut [0; 4]).into();
            vec![[Needle { text, left, right: false }].into()]
        }
        None => Vec::new(),
    }
}

/// Tells whether a character equals only itself, or is an ASCII letter in any case. The two
/// characters beyond ASCII that equal an ASCII letter are taken care of by [`super::finder`].
fn is_caseless(c: char) -> bool {
    c.is_ascii() || (c.to_lowercase().eq([c]) && c.to_uppercase().eq([c]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The groups, the rarest first.
    fn of(source: &str) -> Vec<Vec<String>> {
        let show = |n: Needle| {
            let border = |there| if there { "|" } else { "" };
            format!("{}{}{}", border(n.left), n.text, border(n.right))
        };
        let failing = needles("fails|起不来", &[]);
        let found = needles(source, &[failing, Vec::new()]);
        found.into_iter().map(|group| group.iter().cloned().map(show).collect()).collect()
    }

    #[test]
    fn the_rarest_part_comes_first() {
        let out_of_memory = of(r"(?-u:\b)out(?-u:\b) ?(?-u:\b)memory(?-u:\b)");
        assert_eq!(out_of_memory, [["|memory|"], ["|out|"]]);
        assert_eq!(of("起不来|(?:一)?卡死"), [["起不来", "卡死"]]);
        assert_eq!(of(r"(?-u:\b)retriev(?-u:\w)*"), [["|retriev"]]);
        assert_eq!(of(r"(?-u:\b)note(?:s)?(?-u:\b)"), [["|note|", "|notes|"]]);
        let digits = "0123456789".chars().map(String::from).collect::<Vec<_>>();
        assert_eq!(of("[0-9]+ ?(?:tok/s|GiB)"), [vec!["tok/s".into(), "gib".into()], digits]);
    }

    #[test]
    fn alternatives_share_groups() {
        assert_eq!(of("abc(?:x)?def|gh"), [["abc", "gh"], ["def", "gh"]]);
        assert_eq!(of("a[bc]+(?:def|g(?:hi)?)"), [vec!["a"], vec!["b", "c"], vec!["def", "g"]]);
    }

    #[test]
    fn lexicons_stand_for_their_needles() {
        let name = lexicon::stand_in;
        assert_eq!(of(&format!("a(?:{})", name(0))), [vec!["fails", "起不来"], vec!["a"]]);
        assert!(of(&format!("(?:{})|(?:{})", name(0), name(1))).is_empty());
        assert_eq!(of(&format!("(?:{})|x", name(0))), [["fails", "起不来", "x"]]);
        assert_eq!(of(&format!("ab(?:{})", name(1))), [["ab"]]);
    }

    #[test]
    fn what_may_be_missing_is_no_needle() {
        for source in ["(?:a)?", "[^ ]+", "fails|[^ ]+", "é"] {
            assert!(of(source).is_empty(), "{source}");
        }
    }
}
