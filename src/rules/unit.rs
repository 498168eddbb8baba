//! Units of numbers, to be told from how a text goes on.

use std::collections::HashMap;

use super::Unit;

/// All units, and which spellings begin with which character.
#[derive(Debug, Default)]
pub(crate) struct Units {
    all: Vec<Unit>,
    /// Spellings by their first character, the longest first; of equal ones the last.
    spellings: HashMap<char, Vec<(Box<str>, usize)>>,
}

impl Units {
    pub(super) fn new(all: Vec<Unit>) -> Units {
        let mut spellings: HashMap<char, Vec<(Box<str>, usize)>> = HashMap::new();
        for (index, unit) in all.iter().enumerate() {
            for spelling in &unit.spellings {
                let first = spelling.chars().next();
                let list = first.map(|first| spellings.entry(first).or_default());
                list.into_iter().for_each(|list| list.push((spelling.as_str().into(), index)));
            }
        }
        for list in spellings.values_mut() {
            list.reverse();
            list.sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
        }
        Units { all, spellings }
    }

    /// Every unit, in the order of the packs.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Unit> {
        self.all.iter()
    }

    /// The longest spelling at the start of a text that `fits` takes, with its unit. `fits` is
    /// given the spelling and what follows.
    pub(crate) fn at<'a>(
        &'a self,
        text: &str,
        fits: impl Fn(&str, &str) -> bool,
    ) -> Option<(&'a str, &'a Unit)> {
        let list = self.spellings.get(&text.chars().next()?)?;
        let known = |(spelling, index): &'a (Box<str>, usize)| {
            let rest = text.strip_prefix(&**spelling)?;
            fits(spelling, rest).then(|| Some((&**spelling, self.all.get(*index)?)))?
        };
        list.iter().find_map(known)
    }
}
