//! Words letter by letter: which of many begin a text, told by walking along it until none goes on.
//!
//! An automaton for all places of a text would also report what ends within a word, which most texts are
//! full of.

use std::collections::BTreeMap;
use std::ops::Range;

/// Words, each with a number.
#[derive(Debug, Default)]
pub(super) struct Letters {
    /// Where each first letter leads; nothing leads to the first node.
    first: Vec<u32>,
    nodes: Vec<Node>,
    /// Next letters of all nodes and where they lead, those of one node in order.
    edges: Vec<(u8, u32)>,
}

#[derive(Debug)]
struct Node {
    edges: Range<u32>,
    /// The number of the word that ends here.
    word: Option<u32>,
}

impl Letters {
    /// Takes in words in lower case.
    pub(super) fn new<'w>(words: impl Iterator<Item = (&'w str, u32)>) -> Letters {
        let mut nodes: Vec<(BTreeMap<u8, u32>, Option<u32>)> = vec![Default::default()];
        for (word, number) in words {
            let mut at = 0;
            for letter in word.bytes() {
                let next = nodes.len() as u32;
                let known = *nodes[at].0.entry(letter).or_insert(next);
                if known == next {
                    nodes.push(Default::default());
                }
                at = known as usize;
            }
            nodes[at].1 = Some(number);
        }
        let mut letters = Letters { first: vec![0; 256], ..Letters::default() };
        for (letter, node) in &nodes[0].0 {
            letters.first[usize::from(*letter)] = *node;
            letters.first[usize::from(letter.to_ascii_uppercase())] = *node;
        }
        for (edges, word) in nodes {
            let start = letters.edges.len() as u32;
            letters.edges.extend(edges);
            letters.nodes.push(Node { edges: start..letters.edges.len() as u32, word });
        }
        letters
    }

    /// Tells the words that begin a text, in any case, the shortest first: where each ends and its number.
    pub(super) fn beginning(&self, text: &[u8], mut tell: impl FnMut(usize, u32)) {
        let mut next = match text.first().and_then(|letter| self.first.get(usize::from(*letter))) {
            None | Some(0) => return,
            Some(first) => *first,
        };
        for end in 1.. {
            let Some(Node { edges, word }) = self.nodes.get(next as usize) else { return };
            if let Some(number) = word {
                tell(end, *number);
            }
            let Some(letter) = text.get(end).map(u8::to_ascii_lowercase) else { return };
            let edges = &self.edges[edges.start as usize..edges.end as usize];
            match edges.iter().find(|(known, _)| *known >= letter) {
                Some((known, node)) if *known == letter => next = *node,
                _ => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_that_begin_a_text_are_told() {
        let words = ["a", "an", "and", "bee", "no such"];
        let letters = Letters::new(words.into_iter().zip(0..));
        let told = |text: &str| {
            let mut all = Vec::new();
            letters.beginning(text.as_bytes(), |end, number| all.push((end, number)));
            all
        };
        assert_eq!(told("AND so"), [(1, 0), (2, 1), (3, 2)]);
        assert_eq!(told("ant"), [(1, 0), (2, 1)]);
        assert_eq!(told("no such file"), [(7, 4)]);
        assert!(told("be").is_empty() && told("").is_empty() && told("é").is_empty());
        Letters::default().beginning(b"a", |_, _| panic!("it has no words"));
    }
}
