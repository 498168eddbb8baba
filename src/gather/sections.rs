//! What a document can be pointed into by: titles of its sections, and anchors that its text sets.

use std::collections::{HashMap, HashSet};

use crate::documents::{self, Format};

/// What opens and closes a name that a text gives to a place, in the formats that have such.
const MARKS: [(&str, &str); 5] =
    [("id=\"", "\""), ("name=\"", "\""), ("{#", "}"), ("[[", "]]"), (".. _", ":")];

/// Characters of such a name.
const LONGEST: usize = 200;

/// The sections of one version of a document.
#[derive(Default)]
pub(super) struct Sections {
    titles: Vec<String>,
    /// The first title of each anchor, and of each sequence of letters.
    by_slug: HashMap<String, usize>,
    by_letters: HashMap<String, usize>,
    set: HashSet<String>,
}

impl Sections {
    pub(super) fn of(format: Format, bytes: &[u8]) -> Self {
        let document = documents::parse(format, bytes);
        let titles = document.sections.iter().map(|it| it.title.plain.clone()).collect();
        Self::new(titles, &String::from_utf8_lossy(bytes))
    }

    fn new(titles: Vec<String>, text: &str) -> Self {
        let mut sections = Self { set: names_set(text), ..Self::default() };
        for (at, title) in titles.iter().enumerate() {
            sections.by_slug.entry(slug(title)).or_insert(at);
            sections.by_letters.entry(letters(title)).or_insert(at);
        }
        sections.titles = titles;
        sections
    }

    /// The title that an anchor leads to; the anchor itself where the text sets one of that name.
    pub(super) fn by_anchor(&self, anchor: &str) -> Option<String> {
        let anchor = percent(anchor);
        let wanted = slug(&anchor);
        let repeated = || {
            let (base, number) = wanted.rsplit_once('-')?;
            let _: u32 = number.parse().ok()?;
            self.title(self.by_slug.get(base))
        };
        let set = || self.set.contains(&anchor).then(|| anchor.clone());
        self.title(self.by_slug.get(&wanted)).or_else(repeated).or_else(set)
    }

    /// The title that has the same letters as another.
    pub(super) fn by_title(&self, title: &str) -> Option<String> {
        let letters = letters(title);
        self.title(self.by_letters.get(&letters)).filter(|_| !letters.is_empty())
    }

    fn title(&self, at: Option<&usize>) -> Option<String> {
        self.titles.get(*at?).cloned()
    }
}

/// The names that a text gives to its places.
fn names_set(text: &str) -> HashSet<String> {
    let mut names = HashSet::new();
    for (open, close) in MARKS {
        for (at, open) in text.match_indices(open) {
            let rest = text.get(at + open.len()..).unwrap_or_default();
            let end = rest.char_indices().nth(LONGEST).map_or(rest.len(), |(at, _)| at);
            let near = rest.get(..end).and_then(|near| near.split_once(close));
            names.extend(near.map(|(name, _)| name.to_owned()));
        }
    }
    names
}

/// A title as forges make an anchor of it.
fn slug(title: &str) -> String {
    let kept = title.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// What of a title is compared.
pub(super) fn letters(title: &str) -> String {
    title.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect()
}

/// A text without percent signs that stand for bytes.
pub(super) fn percent(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = (*first == b'%').then(|| after.get(..2)).flatten();
        let byte = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_lead_to_titles() {
        let titles = ["Four cards: required!", "显存 预算", "Same", "Same"];
        let sections = Sections::new(
            titles.map(str::to_owned).to_vec(),
            "<a id=\"budget\"></a> id=\" [[three cards]]\n.. _here: {#a}",
        );
        for (anchor, leads) in [
            ("four-cards-required", true),
            ("Four-Cards-required", true),
            ("%E6%98%BE%E5%AD%98-预算", true),
            ("same-1", true),
            ("budget", true),
            ("three cards", true),
            ("here", true),
            ("a", true),
            ("three-cards", false),
        ] {
            assert_eq!(sections.by_anchor(anchor).is_some(), leads, "{anchor}");
        }
    }
}
