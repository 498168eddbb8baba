//! What could not be seen, gathered so that ten thousand lost objects make one sentence.

use std::collections::BTreeMap;

use super::Caveat;

/// How many things a sentence names before it only counts them.
const NAMED: usize = 5;

/// Gathers what could not be seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Unseen {
    kinds: BTreeMap<(&'static str, String), Group>,
}

#[derive(Clone, Debug, Default)]
struct Group {
    count: usize,
    named: Vec<String>,
}

impl Unseen {
    /// Adds one thing: `say` is the sentence's end for all of its kind, `what` the thing itself.
    pub(super) fn add(&mut self, code: &'static str, say: &str, what: String) {
        let group = self.kinds.entry((code, say.to_owned())).or_default();
        group.count += 1;
        if group.named.len() < NAMED {
            group.named.push(what);
        }
    }

    /// One caveat per kind, sorted.
    pub(super) fn caveats(&self) -> Vec<Caveat> {
        let sentence = |say: &str, group: &Group| {
            let more = group.count - group.named.len();
            let named = group.named.join(", ");
            if more == 0 {
                format!("{say}: {named}")
            } else {
                format!("{say}: {named} and {more} more")
            }
        };
        self.kinds
            .iter()
            .map(|((code, say), group)| Caveat { code, message: sentence(say, group) })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_it_does_not_name() {
        let mut unseen = Unseen::default();
        for number in 0..7 {
            unseen.add("missing-object", "missing", format!("tree {number}"));
        }
        let caveats = unseen.caveats();
        assert_eq!(caveats.len(), 1);
        assert_eq!(
            caveats[0].message,
            "missing: tree 0, tree 1, tree 2, tree 3, tree 4 and 2 more"
        );
    }
}
