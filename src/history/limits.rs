//! Bounds on what is read, generous for real repositories.

/// Bounds. What is beyond them is a caveat, or an error where going on would hide something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one document or file.
    pub document_bytes: usize,
    /// Documents in one commit; the largest folders beyond are not read.
    pub documents: usize,
    /// Folders above a document.
    pub depth: u32,
    /// Bytes of one path.
    pub path_bytes: usize,
    /// Bytes of one commit message; the rest is cut off.
    pub message_bytes: usize,
    /// Bytes of one commit object.
    pub commit_bytes: usize,
    /// Bytes of one tree object.
    pub tree_bytes: usize,
    /// Parents of one commit.
    pub parents: usize,
    /// Commits; more are an error.
    pub commits: usize,
    /// Entries of all distinct trees together that can matter; more are an error.
    pub tree_entries: usize,
    /// Changed documents of all commits together, each counted with its parents; more are an error.
    pub changes: usize,
    /// Tree entries compared over all commits; more are an error.
    pub steps: u64,
    /// Bytes of all distinct paths together; more are an error.
    pub all_path_bytes: usize,
    /// Claims of the audited commit times its pitfalls, since each is held against each; more are an
    /// error.
    pub pairs: usize,
    /// Bytes of the documents that are read for the sections to which claims refer, all versions
    /// together; beyond them nothing is looked up.
    pub citation_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            document_bytes: 2 << 20,
            documents: 100_000,
            depth: 4_096,
            path_bytes: 32 << 10,
            message_bytes: 64 << 10,
            commit_bytes: 16 << 20,
            tree_bytes: 64 << 20,
            parents: 1_024,
            commits: 5_000_000,
            tree_entries: 50_000_000,
            changes: 4_000_000,
            steps: 4_000_000_000,
            all_path_bytes: 256 << 20,
            pairs: 100_000_000,
            citation_bytes: 512 << 20,
        }
    }
}

impl Limits {
    /// The names under which users know the bounds, in the order of the fields.
    pub const NAMES: [&str; 15] = [
        "document-bytes",
        "documents",
        "depth",
        "path-bytes",
        "message-bytes",
        "commit-bytes",
        "tree-bytes",
        "parents",
        "commits",
        "tree-entries",
        "changes",
        "steps",
        "all-path-bytes",
        "pairs",
        "citation-bytes",
    ];

    /// Sets the bound of this name; says whether there is one.
    pub fn set(&mut self, name: &str, value: u64) -> bool {
        let size = usize::try_from(value).unwrap_or(usize::MAX);
        match name {
            "document-bytes" => self.document_bytes = size,
            "documents" => self.documents = size,
            "depth" => self.depth = u32::try_from(value).unwrap_or(u32::MAX),
            "path-bytes" => self.path_bytes = size,
            "message-bytes" => self.message_bytes = size,
            "commit-bytes" => self.commit_bytes = size,
            "tree-bytes" => self.tree_bytes = size,
            "parents" => self.parents = size,
            "commits" => self.commits = size,
            "tree-entries" => self.tree_entries = size,
            "changes" => self.changes = size,
            "steps" => self.steps = value,
            "all-path-bytes" => self.all_path_bytes = size,
            "pairs" => self.pairs = size,
            "citation-bytes" => self.citation_bytes = size,
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_has_its_name() {
        for (at, name) in Limits::NAMES.iter().enumerate() {
            let mut limits = Limits::default();
            assert!(limits.set(name, 7), "{name}");
            assert_ne!(limits, Limits::default());
            let shown = format!("{limits:?}");
            let sevens =
                shown.split(", ").position(|field| field.trim_end_matches(" }").ends_with(": 7"));
            assert_eq!(sevens, Some(at), "{name}: {shown}");
        }
        assert!(!Limits::default().set("document_bytes", 7));
    }

    #[test]
    fn the_documentation_names_every_bound_and_its_default() {
        let documented: Vec<(&str, u64)> = include_str!("../../docs/limits.md")
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
            .filter_map(|(name, rest)| {
                let number = rest.split_once(" |")?.0.replace(',', "");
                Some((name, number.parse().ok()?))
            })
            .collect();
        let mut limits = Limits::default();
        assert_eq!(documented.iter().map(|row| row.0).collect::<Vec<_>>(), Limits::NAMES);
        documented.iter().for_each(|(name, value)| assert!(limits.set(name, *value)));
        assert_eq!(limits, Limits::default());
    }
}
