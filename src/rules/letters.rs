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

    /// The words that begin a text, in any case, the shortest first: where each ends and its number.
    pub(super) fn beginning(&self, text: &[u8]) -> impl Iterator<Item = (usize, u32)> {
        let first = text.first().and_then(|letter| self.first.get(usize::from(*letter)));
        let first =
            first.filter(|node| **node != 0).and_then(|node| self.nodes.get(*node as usize));
        let mut node = first;
        let walked = text.iter().skip(1).zip(2..).map_while(move |(byte, end)| {
            let Range { start, end: last } = node?.edges.clone();
            let edges = self.edges.get(start as usize..last as usize)?;
            let letter = byte.to_ascii_lowercase();
            let at = edges.binary_search_by_key(&letter, |(letter, _)| *letter).ok()?;
            node = self.nodes.get(edges.get(at)?.1 as usize);
            Some((end, node?.word))
        });
        let walked = first.map(|node| (1, node.word)).into_iter().chain(walked);
        walked.filter_map(|(end, word)| Some((end, word?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_that_begin_a_text_are_told() {
        let words = ["a", "an", "and", "bee", "no such"];
        let letters = Letters::new(words.into_iter().zip(0..));
        let told = |text: &str| letters.beginning(text.as_bytes()).collect::<Vec<_>>();
        assert_eq!(told("AND so"), [(1, 0), (2, 1), (3, 2)]);
        assert_eq!(told("ant"), [(1, 0), (2, 1)]);
        assert_eq!(told("no such file"), [(7, 4)]);
        assert!(told("be").is_empty() && told("").is_empty() && told("é").is_empty());
        assert!(Letters::default().beginning(b"a").next().is_none());
    }
}
