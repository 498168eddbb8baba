//! What a text must contain for an expression to match: literals, found before any expression runs.
//!
//! Nearly all rules say nothing about nearly all sentences. So one automaton finds the literals of
//! all rules in one pass, and only a rule of which a literal stands in a text is tried on it. The
//! literals come from the parsed form of an expression, not from the pattern language, so that
//! they hold whatever an expression was made from.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::lexicon;

/// Literals above which an alternation is not listed.
const LIMIT: usize = 2000;

/// Characters above which a class is not listed.
const CLASS_LIMIT: u32 = 24;

/// A literal in lower case, and whether it begins or ends at a word border.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Needle {
    pub(super) text: String,
    pub(super) left: bool,
    pub(super) right: bool,
}

/// Groups of literals: every match contains a literal of each group. None where nothing is known.
pub(super) type Needles = Vec<Vec<Needle>>;

/// Groups that are kept of an expression. Many words of rules are common: what holds two of them in
/// any order is rare.
pub(super) const GROUPS: usize = 3;

/// Finds the needles of an expression that is matched in any case.
///
/// It is parsed with its case, which is much faster: the literals are looked for in any case.
/// `lexicons` are the needles of the lexicons that the expression may name.
pub(super) fn needles(source: &str, lexicons: &[Needles]) -> Needles {
    regex_syntax::parse(source).map_or_else(|_| Vec::new(), |hir| within(&hir, false, lexicons))
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
/// the parser bounds.
fn within(hir: &Hir, left: bool, lexicons: &[Needles]) -> Needles {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Vec::new(),
        HirKind::Literal(_) => in_sequence(std::slice::from_ref(hir), left, lexicons),
        HirKind::Class(class) => in_class(class, left, lexicons),
        HirKind::Repetition(again) if again.min > 0 => within(&again.sub, left, lexicons),
        HirKind::Repetition(_) => Vec::new(),
        HirKind::Capture(group) => within(&group.sub, left, lexicons),
        HirKind::Concat(parts) => in_sequence(parts, left, lexicons),
        HirKind::Alternation(parts) => any(parts.iter().map(|part| within(part, left, lexicons))),
    }
}

/// One of several: whichever it is, each of its groups is met, so a group takes one of each.
fn any(parts: impl Iterator<Item = Needles>) -> Needles {
    let parts: Vec<Needles> = parts.collect();
    if parts.iter().any(Vec::is_empty) {
        return Vec::new();
    }
    let most = parts.iter().map(Vec::len).max().unwrap_or(0);
    let group = |at: usize| -> Vec<Needle> {
        parts.iter().filter_map(|part| part.get(at).or(part.last())).flatten().cloned().collect()
    };
    let mut groups: Needles = (0..most).map(group).filter(|it| it.len() <= LIMIT).collect();
    groups.dedup();
    groups
}

/// The best that the parts of a sequence offer.
fn in_sequence(parts: &[Hir], left: bool, lexicons: &[Needles]) -> Needles {
    let mut best = Best(Vec::new());
    let mut run = Needle { text: String::new(), left, right: false };
    for (at, part) in parts.iter().enumerate() {
        if let HirKind::Literal(literal) = part.kind() {
            for c in String::from_utf8_lossy(&literal.0).chars() {
                if is_caseless(c) && lexicon::index(c).is_none() {
                    run.text.push(c.to_ascii_lowercase());
                } else {
                    best.offer_run(&mut run, false);
                    best.offer(of_lexicon(c, lexicons));
                }
            }
            continue;
        }
        let border = is_border(part);
        if let Some(ending) = ending(part).filter(|_| parts.get(at + 1).is_some_and(is_border)) {
            let with = |ending: &str| Needle {
                text: format!("{}{ending}", run.text),
                left: run.left,
                right: true,
            };
            if !run.text.is_empty() {
                best.offer(vec![vec![with(""), with(ending)]]);
                // The shorter word without its border is no rarer.
                run.text.clear();
            }
        }
        let border_before = run.text.is_empty() && run.left;
        best.offer_run(&mut run, border);
        run.left = border;
        if !border {
            best.offer(within(part, border_before, lexicons));
        }
    }
    best.offer_run(&mut run, false);
    best.0
}

fn is_border(part: &Hir) -> bool {
    matches!(part.kind(), HirKind::Look(Look::WordAscii))
}

/// The ASCII text that may or may not end a word.
fn ending(part: &Hir) -> Option<&str> {
    let HirKind::Repetition(again) = part.kind() else { return None };
    let HirKind::Literal(literal) = again.sub.kind() else { return None };
    let text = std::str::from_utf8(&literal.0).ok()?;
    let plain = text.bytes().all(|b| b.is_ascii_lowercase());
    (again.min == 0 && again.max == Some(1) && plain).then_some(text)
}

/// The best needles so far, the rarest first.
struct Best(Needles);

impl Best {
    fn offer(&mut self, found: Needles) {
        for group in found {
            if !self.0.contains(&group) {
                let at = self.0.partition_point(|known| worth(known) >= worth(&group));
                self.0.insert(at, group);
                self.0.truncate(GROUPS);
            }
        }
    }

    /// Ends a run of characters and starts a new one.
    fn offer_run(&mut self, run: &mut Needle, right: bool) {
        let empty = Needle { text: String::new(), left: false, right: false };
        let run = std::mem::replace(run, empty);
        if !run.text.is_empty() {
            self.offer(vec![vec![Needle { right, ..run }]]);
        }
    }
}

/// How rare the commonest literal is, by its length; then the fewer. A digit is rarer than a point.
fn worth(needles: &[Needle]) -> (usize, std::cmp::Reverse<usize>) {
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

/// One of a few characters, or of a few lexicons: the parser makes a class of both.
fn in_class(class: &Class, left: bool, lexicons: &[Needles]) -> Needles {
    let Some(chars) = listed(class) else { return Vec::new() };
    any(chars.into_iter().map(|c| match lexicon::index(c) {
        Some(_) => of_lexicon(c, lexicons),
        None if is_caseless(c) => {
            vec![vec![Needle { text: c.to_ascii_lowercase().to_string(), left, right: false }]]
        }
        None => Vec::new(),
    }))
}

fn listed(class: &Class) -> Option<Vec<char>> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.ranges().iter().map(|r| (r.start(), r.end())).collect(),
        Class::Bytes(class) if class.is_ascii() => {
            class.ranges().iter().map(|r| (r.start().into(), r.end().into())).collect()
        }
        Class::Bytes(_) => return None,
    };
    let size = |(start, end): &(char, char)| u32::from(*end) - u32::from(*start) + 1;
    let few =
        ranges.iter().try_fold(0, |sum: u32, range| sum.checked_add(size(range)))? <= CLASS_LIMIT;
    few.then(|| ranges.into_iter().flat_map(|(start, end)| start..=end).collect())
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
        found.into_iter().map(|group| group.into_iter().map(show).collect()).collect()
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
        assert_eq!(of(&format!("(?:{})|x", name(0))), [["x", "fails", "起不来"]]);
        assert_eq!(of(&format!("ab(?:{})", name(1))), [["ab"]]);
    }

    #[test]
    fn what_may_be_missing_is_no_needle() {
        for source in ["(?:a)?", "[^ ]+", "fails|[^ ]+", "é"] {
            assert!(of(source).is_empty(), "{source}");
        }
    }
}
