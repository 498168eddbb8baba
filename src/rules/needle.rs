//! What a text must contain for an expression to match: literals, found before any expression runs.
//!
//! Nearly all rules say nothing about nearly all sentences. So one automaton finds the literals of
//! all rules in one pass, and only a rule of which a literal stands in a text is tried on it. The
//! literals come from the compiled form of an expression, not from the pattern language, so that
//! they hold whatever an expression was made from.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// Literals above which an alternation is not listed.
const LIMIT: usize = 2000;

/// Characters above which a class is not listed.
const CLASS_LIMIT: usize = 10;

/// A literal in lower case, and whether it begins or ends at a word border.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Needle {
    pub(super) text: String,
    pub(super) left: bool,
    pub(super) right: bool,
}

/// Literals of which every match contains one; `None` where nothing is known.
///
/// Recurses as deep as the expression nests, which the engine bounds when it parses.
pub(super) fn needles(hir: &Hir) -> Option<Vec<Needle>> {
    within(hir, false)
}

/// `left`: a word border stands right before it.
fn within(hir: &Hir, left: bool) -> Option<Vec<Needle>> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => None,
        HirKind::Literal(_) => folded(hir).map(|text| vec![Needle { text, left, right: false }]),
        HirKind::Class(class) => in_class(class, left),
        HirKind::Repetition(again) if again.min > 0 => within(&again.sub, left),
        HirKind::Repetition(_) => None,
        HirKind::Capture(group) => within(&group.sub, left),
        HirKind::Concat(parts) => in_sequence(parts, left),
        HirKind::Alternation(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(within(part, left)?);
                if all.len() > LIMIT {
                    return None;
                }
            }
            Some(all)
        }
    }
}

/// The best that one part of a sequence offers.
fn in_sequence(parts: &[Hir], left: bool) -> Option<Vec<Needle>> {
    let mut best: Option<Vec<Needle>> = None;
    let mut offer = |found: Vec<Needle>| {
        if best.as_ref().is_none_or(|best| worth(best) < worth(&found)) {
            best = Some(found);
        }
    };
    let mut run = Needle { text: String::new(), left, right: false };
    for part in parts {
        if let Some(text) = folded(part) {
            run.text.push_str(&text);
            continue;
        }
        let border = matches!(part.kind(), HirKind::Look(Look::WordAscii));
        let border_before = run.text.is_empty() && run.left;
        if !run.text.is_empty() {
            offer(vec![Needle { right: border, ..run }]);
        }
        run = Needle { text: String::new(), left: border, right: false };
        if !border {
            if let Some(found) = within(part, border_before) {
                offer(found);
            }
        }
    }
    if !run.text.is_empty() {
        offer(vec![run]);
    }
    best
}

/// How rare the commonest literal is, by its length; then the fewer.
fn worth(needles: &[Needle]) -> (usize, std::cmp::Reverse<usize>) {
    let rare = |needle: &Needle| {
        needle.text.len() * 2 + usize::from(needle.left) + usize::from(needle.right)
    };
    (needles.iter().map(rare).min().unwrap_or(0), std::cmp::Reverse(needles.len()))
}

/// A part that is one text in any case of ASCII letters.
fn folded(part: &Hir) -> Option<String> {
    match part.kind() {
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            Some(text.to_ascii_lowercase())
        }
        HirKind::Class(class) => {
            let mut chars = listed(class)?.into_iter().map(fold);
            let first = chars.next()?;
            (first.is_ascii() && chars.all(|c| c == first)).then(|| first.to_string())
        }
        _ => None,
    }
}

fn in_class(class: &Class, left: bool) -> Option<Vec<Needle>> {
    let mut chars: Vec<char> = listed(class)?.into_iter().map(fold).collect();
    chars.sort_unstable();
    chars.dedup();
    if chars.is_empty() {
        // A class without members matches nothing.
        return None;
    }
    Some(chars.into_iter().map(|c| Needle { text: c.to_string(), left, right: false }).collect())
}

fn listed(class: &Class) -> Option<Vec<char>> {
    let mut chars = Vec::new();
    let mut add = |start: char, end: char| {
        let fits = u32::from(end) - u32::from(start) < CLASS_LIMIT as u32;
        if fits {
            chars.extend(start..=end);
        }
        fits && chars.len() <= CLASS_LIMIT * 3
    };
    let all = match class {
        Class::Unicode(class) => class.ranges().iter().all(|range| add(range.start(), range.end())),
        Class::Bytes(class) => class
            .ranges()
            .iter()
            .all(|range| range.end().is_ascii() && add(range.start().into(), range.end().into())),
    };
    all.then_some(chars)
}

/// The lower case that [`super::finder`] looks for. The two characters beyond ASCII that equal an
/// ASCII letter in any case are handled there.
fn fold(c: char) -> char {
    match c {
        '\u{212a}' => 'k',
        '\u{17f}' => 's',
        c => c.to_ascii_lowercase(),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
mod tests {
    use super::*;

    fn of(source: &str) -> Option<Vec<String>> {
        let hir = regex_syntax::parse(&format!("(?i){source}")).unwrap();
        let show = |n: Needle| {
            let border = |there| if there { "|" } else { "" };
            format!("{}{}{}", border(n.left), n.text, border(n.right))
        };
        needles(&hir).map(|found| found.into_iter().map(show).collect())
    }

    #[test]
    fn the_rarest_part_is_chosen() {
        assert_eq!(of(r"(?-u:\b)out(?-u:\b) ?(?-u:\b)memory(?-u:\b)").unwrap(), ["|memory|"]);
        assert_eq!(of("起不来|(?:一)?卡死").unwrap(), ["起不来", "卡死"]);
        assert_eq!(of(r"(?-u:\b)retriev(?-u:\w)*").unwrap(), ["|retriev"]);
        assert_eq!(of("[0-9]+ ?(?:tok/s|GiB)").unwrap(), ["tok/s", "gib"]);
    }

    #[test]
    fn what_may_be_missing_is_no_needle() {
        assert_eq!(of("(?:a)?"), None);
        assert_eq!(of("[^ ]+"), None);
        assert_eq!(of("fails|[^ ]+"), None);
        assert_eq!(of("é"), None);
    }
}
