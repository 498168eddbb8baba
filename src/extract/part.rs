//! A document's statements in the parts that its versions share.
//!
//! A part is what a stretch says (see [`super::stretch`]), with lines counted from its first. Versions
//! hold the same part at other lines, in memory and on disk.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Claim, Confirmation, Fingerprint, Mention, Pitfall, Placed, Remark, Statements};
use crate::documents::{BlockKind, Document, Lines};

/// What a document says, part by part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// From which line each is counted, and what it says.
    pub(crate) list: Vec<(u32, Arc<Part>)>,
    /// As [`Statements::remarks`].
    pub(crate) remarks: Vec<Remark>,
    /// As [`Statements::code`].
    pub(crate) code: Vec<Lines>,
    /// As [`Statements::problems`].
    pub(crate) problems: Vec<String>,
}

/// What one stretch says, with its lines counted from its first.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// `None` where it depends on more than the stretch.
    pub(crate) name: Option<Fingerprint>,
    /// Without remarks, code and problems, which are the document's.
    pub(crate) said: Statements,
}

impl Part {
    /// One that stands for itself.
    pub(super) fn unnamed(said: Statements) -> Self {
        Self { name: None, said }
    }
}

impl Parts {
    /// All of it as one.
    pub(crate) fn statements(&self) -> Statements {
        let mut all = Statements::default();
        for (base, part) in &self.list {
            all.extend(moved(&part.said, |line| line.wrapping_add(*base)));
        }
        all.claims = once_each(all.claims);
        all.claims.sort_by_key(|claim| claim.lines);
        all.withdrawn.sort_by_key(|claim| claim.lines);
        all.confirmations.sort_by_key(|it| it.lines);
        all.pitfalls.sort_by_key(|pitfall| pitfall.lines);
        all.remarks.clone_from(&self.remarks);
        all.code.clone_from(&self.code);
        all.problems.clone_from(&self.problems);
        all.shrink();
        all
    }
}

/// Lines of a document that show commands and files.
pub(super) fn code(document: &Document) -> Vec<Lines> {
    let code = document.blocks.iter().filter(|it| matches!(it.kind, BlockKind::Code { .. }));
    code.map(|block| block.lines).collect()
}

/// The same statements at other lines.
pub(super) fn moved(said: &Statements, line: impl Fn(u32) -> u32) -> Statements {
    let at = |lines: Lines| Lines { start: line(lines.start), end: line(lines.end) };
    let claim = |it: &Claim| Claim {
        lines: at(it.lines),
        also: it.also.iter().copied().map(&at).collect(),
        what: Arc::clone(&it.what),
    };
    let pitfall = |it: &Pitfall| Pitfall { lines: at(it.lines), what: Arc::clone(&it.what) };
    Statements {
        claims: said.claims.iter().map(claim).collect(),
        pitfalls: said.pitfalls.iter().map(pitfall).collect(),
        withdrawn: said.withdrawn.iter().map(claim).collect(),
        confirmations: said
            .confirmations
            .iter()
            .map(|it| Confirmation { lines: at(it.lines), ..it.clone() })
            .collect(),
        remarks: said.remarks.clone(),
        code: said.code.iter().copied().map(&at).collect(),
        signs: said.signs.iter().map(|it| Placed { lines: at(it.lines), ..it.clone() }).collect(),
        mentions: said
            .mentions
            .iter()
            .map(|it| Mention { lines: at(it.lines), wording: Arc::clone(&it.wording) })
            .collect(),
        problems: said.problems.clone(),
    }
}

/// Says each claim once: the first place, the others under `also`.
fn once_each(claims: Vec<Claim>) -> Vec<Claim> {
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let mut kept: Vec<Claim> = Vec::new();
    for claim in claims {
        match seen.get(&claim.key) {
            Some(first) => kept[*first].also.push(claim.lines),
            None => {
                seen.insert(claim.key, kept.len());
                kept.push(claim);
            }
        }
    }
    kept
}
