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

/// Literals of which every match contains one; `None` where nothing is known.
pub(super) type Needles = Option<Vec<Needle>>;

/// Finds the needles of an expression that is matched in any case.
///
/// It is parsed with its case, which is much faster: the literals are looked for in any case.
/// `lexicons` are the needles of the lexicons that the expression may name.
pub(super) fn needles(source: &str, lexicons: &[Needles]) -> Needles {
    let hir = regex_syntax::parse(source).ok()?;
    within(&hir, false, lexicons)
}

/// `left`: a word border stands right before it. Recurses as deep as the expression nests, which
/// the parser bounds.
fn within(hir: &Hir, left: bool, lexicons: &[Needles]) -> Needles {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => None,
        HirKind::Literal(_) => in_sequence(std::slice::from_ref(hir), left, lexicons),
        HirKind::Class(class) => in_class(class, left, lexicons),
        HirKind::Repetition(again) if again.min > 0 => within(&again.sub, left, lexicons),
        HirKind::Repetition(_) => None,
        HirKind::Capture(group) => within(&group.sub, left, lexicons),
        HirKind::Concat(parts) => in_sequence(parts, left, lexicons),
        HirKind::Alternation(parts) => all(parts.iter().map(|part| within(part, left, lexicons))),
    }
}

/// One of several: the needles of all of them.
fn all(parts: impl Iterator<Item = Needles>) -> Needles {
    let mut all = Vec::new();
    for part in parts {
        all.extend(part?);
        if all.len() > LIMIT {
            return None;
        }
    }
    // What has no way to match at all is left to the engine.
    (!all.is_empty()).then_some(all)
}

/// The best that one part of a sequence offers.
fn in_sequence(parts: &[Hir], left: bool, lexicons: &[Needles]) -> Needles {
    let mut best = Best(None);
    let mut run = Needle { text: String::new(), left, right: false };
    for (at, part) in parts.iter().enumerate() {
        if let HirKind::Literal(literal) = part.kind() {
            for c in String::from_utf8_lossy(&literal.0).chars() {
                if is_caseless(c) && lexicon::index(c).is_none() {
                    run.text.push(c.to_ascii_lowercase());
                } else {
                    best.offer_run(&mut run, false);
                    best.offer(
                        lexicon::index(c).and_then(|at| lexicons.get(at)).cloned().flatten(),
                    );
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
            let both = vec![with(""), with(ending)];
            best.offer((!run.text.is_empty()).then_some(both));
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

/// The best needles so far.
struct Best(Needles);

impl Best {
    fn offer(&mut self, found: Needles) {
        let Some(found) = found else { return };
        if self.0.as_ref().is_none_or(|best| worth(best) < worth(&found)) {
            self.0 = Some(found);
        }
    }

    /// Ends a run of characters and starts a new one.
    fn offer_run(&mut self, run: &mut Needle, right: bool) {
        let empty = Needle { text: String::new(), left: false, right: false };
        let run = std::mem::replace(run, empty);
        if !run.text.is_empty() {
            self.offer(Some(vec![Needle { right, ..run }]));
        }
    }
}

/// How rare the commonest literal is, by its length; then the fewer.
fn worth(needles: &[Needle]) -> (usize, std::cmp::Reverse<usize>) {
    let rare = |needle: &Needle| {
        needle.text.len() * 2 + usize::from(needle.left) + usize::from(needle.right)
    };
    (needles.iter().map(rare).min().unwrap_or(0), std::cmp::Reverse(needles.len()))
}

/// One of a few characters, or of a few lexicons: the parser makes a class of both.
fn in_class(class: &Class, left: bool, lexicons: &[Needles]) -> Needles {
    let chars = listed(class)?;
    all(chars.into_iter().map(|c| match lexicon::index(c) {
        Some(at) => lexicons.get(at).cloned().flatten(),
        None if is_caseless(c) => {
            Some(vec![Needle { text: c.to_ascii_lowercase().to_string(), left, right: false }])
        }
        None => None,
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

    fn of(source: &str) -> Option<Vec<String>> {
        let show = |n: Needle| {
            let border = |there| if there { "|" } else { "" };
            format!("{}{}{}", border(n.left), n.text, border(n.right))
        };
        let failing = needles("fails|起不来", &[]);
        needles(source, &[failing, None]).map(|found| found.into_iter().map(show).collect())
    }

    #[test]
    fn the_rarest_part_is_chosen() {
        assert_eq!(of(r"(?-u:\b)out(?-u:\b) ?(?-u:\b)memory(?-u:\b)").unwrap(), ["|memory|"]);
        assert_eq!(of("起不来|(?:一)?卡死").unwrap(), ["起不来", "卡死"]);
        assert_eq!(of(r"(?-u:\b)retriev(?-u:\w)*").unwrap(), ["|retriev"]);
        assert_eq!(of(r"(?-u:\b)note(?:s)?(?-u:\b)").unwrap(), ["|note|", "|notes|"]);
        assert_eq!(of("[0-9]+ ?(?:tok/s|GiB)").unwrap(), ["tok/s", "gib"]);
    }

    #[test]
    fn lexicons_stand_for_their_needles() {
        let name = lexicon::stand_in;
        assert_eq!(of(&format!("a(?:{})", name(0))).unwrap(), ["fails", "起不来"]);
        assert_eq!(of(&format!("(?:{})|(?:{})", name(0), name(1))), None);
        assert_eq!(of(&format!("(?:{})|x", name(0))).unwrap(), ["x", "fails", "起不来"]);
        assert_eq!(of(&format!("ab(?:{})", name(1))).unwrap(), ["ab"]);
    }

    #[test]
    fn what_may_be_missing_is_no_needle() {
        assert_eq!(of("(?:a)?"), None);
        assert_eq!(of("[^ ]+"), None);
        assert_eq!(of("fails|[^ ]+"), None);
        assert_eq!(of("é"), None);
    }
}
