//! Document paths, numbered as they are met while the forest is compared.

use std::collections::HashMap;

use super::caveats::Unseen;
use super::forest::Forest;
use super::{Limits, Selection};

/// The top folder.
pub(super) const TOP: u32 = 0;

/// A folder or file name in its place.
#[derive(Debug)]
struct Node {
    parent: u32,
    name: u32,
    depth: u32,
    /// Length of the whole path in bytes.
    bytes: usize,
    document: Document,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Document {
    Unasked,
    Excluded,
    Included(u32),
}

/// All paths that were met, as a tree of names.
#[derive(Debug)]
pub(super) struct Paths {
    nodes: Vec<Node>,
    children: HashMap<(u32, u32), u32>,
    /// Nodes of the included documents, in the order in which they were met.
    documents: Vec<u32>,
    total_bytes: usize,
}

impl Paths {
    pub(super) fn new() -> Self {
        let top = Node { parent: TOP, name: 0, depth: 0, bytes: 0, document: Document::Excluded };
        Self { nodes: vec![top], children: HashMap::new(), documents: Vec::new(), total_bytes: 0 }
    }

    /// The place of `name` in `folder`; `None` if it is too deep to be looked at.
    pub(super) fn child(
        &mut self,
        folder: u32,
        name: u32,
        forest: &Forest,
        limits: &Limits,
        unseen: &mut Unseen,
    ) -> Option<u32> {
        if let Some(node) = self.children.get(&(folder, name)) {
            return (*node != TOP).then_some(*node);
        }
        let parent = self.nodes.get(folder as usize)?;
        let length = forest.names.get(name as usize).map_or(0, |name| name.len());
        let (depth, bytes) = (parent.depth + 1, parent.bytes + 1 + length);
        if depth > limits.depth || bytes > limits.path_bytes {
            let say = format!(
                "folders too deep to be read (limit: {} folders, {} bytes)",
                limits.depth, limits.path_bytes
            );
            let mut start = self.display(folder, forest);
            if start.chars().count() > 60 {
                start = start.chars().take(60).collect::<String>() + "...";
            }
            unseen.add("too-deep", &say, start);
            self.children.insert((folder, name), TOP);
            return None;
        }
        let node = u32::try_from(self.nodes.len()).ok()?;
        self.nodes.push(Node { parent: folder, name, depth, bytes, document: Document::Unasked });
        self.children.insert((folder, name), node);
        Some(node)
    }

    /// The place of `name` in `folder`, if it was met before.
    pub(super) fn known_child(&self, folder: u32, name: u32) -> Option<u32> {
        self.children.get(&(folder, name)).copied().filter(|node| *node != TOP)
    }

    /// The number of the document at a place, if the selection includes its path.
    ///
    /// The selection is asked once per distinct path.
    pub(super) fn document(
        &mut self,
        node: u32,
        forest: &Forest,
        selection: &dyn Selection,
    ) -> Option<u32> {
        let found = self.nodes.get(node as usize)?;
        let document = match found.document {
            Document::Unasked => {
                let bytes = found.bytes;
                let path = self.display(node, forest);
                let document = if selection.includes(&path) {
                    self.documents.push(node);
                    self.total_bytes += bytes;
                    Document::Included(u32::try_from(self.documents.len() - 1).ok()?)
                } else {
                    Document::Excluded
                };
                self.nodes.get_mut(node as usize)?.document = document;
                document
            }
            known => known,
        };
        match document {
            Document::Included(number) => Some(number),
            _ => None,
        }
    }

    /// The number of the document at a place that was asked for before.
    pub(super) fn known_document(&self, node: u32) -> Option<u32> {
        match self.nodes.get(node as usize)?.document {
            Document::Included(number) => Some(number),
            _ => None,
        }
    }

    /// Memory that the included paths take.
    pub(super) fn total_bytes(&self) -> usize {
        self.total_bytes
    }

    /// Names from the top folder to document number `document`.
    pub(super) fn names(&self, document: u32) -> Vec<u32> {
        self.documents.get(document as usize).map_or_else(Vec::new, |node| self.chain(*node))
    }

    /// Sorts the documents by the bytes of their paths and gives the paths in that order; the other
    /// list tells the new number of each old one.
    pub(super) fn sort(&mut self, forest: &Forest) -> (Vec<String>, Vec<u32>) {
        let mut order: Vec<(Vec<u8>, u32)> = self
            .documents
            .iter()
            .enumerate()
            .filter_map(|(number, node)| {
                Some((self.bytes(*node, forest), u32::try_from(number).ok()?))
            })
            .collect();
        order.sort_unstable();
        let mut renumbered = vec![0; order.len()];
        let mut documents = Vec::with_capacity(order.len());
        for (new, (_, old)) in order.iter().enumerate() {
            let new = u32::try_from(new).unwrap_or(u32::MAX);
            renumbered[*old as usize] = new;
            let node = self.documents[*old as usize];
            self.nodes[node as usize].document = Document::Included(new);
            documents.push(node);
        }
        self.documents = documents;
        let shown =
            order.iter().map(|(bytes, _)| String::from_utf8_lossy(bytes).into_owned()).collect();
        (shown, renumbered)
    }

    fn chain(&self, node: u32) -> Vec<u32> {
        let mut names = Vec::new();
        let mut at = node;
        while at != TOP {
            let Some(node) = self.nodes.get(at as usize) else {
                break;
            };
            names.push(node.name);
            at = node.parent;
        }
        names.reverse();
        names
    }

    fn bytes(&self, node: u32, forest: &Forest) -> Vec<u8> {
        let names: Vec<&[u8]> = self
            .chain(node)
            .iter()
            .filter_map(|name| forest.names.get(*name as usize).map(|name| &**name))
            .collect();
        names.join(&b'/')
    }

    fn display(&self, node: u32, forest: &Forest) -> String {
        String::from_utf8_lossy(&self.bytes(node, forest)).into_owned()
    }
}
