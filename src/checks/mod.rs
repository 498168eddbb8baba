//! The ways in which a claim can be a lead and not evidence: a file per check.

pub mod estimate;
pub mod predates_pitfall;
pub mod second_hand;
pub mod truncated_history;

use std::fmt;

use crate::documents::Lines;
use crate::extract::{Hedge, HedgeClass};
use crate::history::ObjectId;
use crate::ledger::Ledger;
use crate::lineage::{Lineage, Sighting};

pub use crate::history::OrderedBy;
pub use crate::ledger::{Confidence, Exposure};

/// One way in which a claim can be a lead and not evidence.
///
/// A check reads the ledger and nothing else: no repository, no options, no other check. No
/// reason means "nothing to say", never "evidence".
pub trait Check: Sync {
    /// Kebab-case, equal to the file's name. Users write it after `--no-check`: it never changes.
    fn name(&self) -> &'static str;
    /// Printed by `--explain`, carried by SARIF as help.
    fn explain(&self) -> &'static str;
    /// Why this claim is a lead, as far as this check can see.
    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason>;
}

/// Every check, in the order in which reports list reasons.
pub const ALL: &[&dyn Check] = &[
    &predates_pitfall::PredatesPitfall,
    &truncated_history::TruncatedHistory,
    &second_hand::SecondHand,
    &estimate::Estimate,
];

/// Something a reader can check by hand: printed as a git command that shows what it says.
///
/// The commands run at the top of the repository, in any POSIX shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receipt {
    /// Lines of a document at a commit: `git show COMMIT:PATH | sed -n A,Bp`.
    Show {
        /// Which commit.
        commit: ObjectId,
        /// Document path at that commit.
        path: String,
        /// Which lines.
        lines: Lines,
    },
    /// What happened between two commits: `git log --format='%h %aI %s' FROM..TO -- PATH`.
    Between {
        /// Older end, not shown by git itself.
        from: ObjectId,
        /// Newer end.
        to: ObjectId,
        /// Limits the log to this path.
        path: String,
    },
    /// The commits themselves with both times: `git show -s --format=…  COMMIT…`.
    Commits(Vec<ObjectId>),
    /// That a token is (or is not) in a commit's tree: `git grep -nF -e TOKEN COMMIT`.
    Grep {
        /// The fixed string searched for.
        token: String,
        /// In which commit.
        commit: ObjectId,
    },
}

/// The pitfall side of a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Index into [`crate::verdict::Audit::pitfalls`].
    pub pitfall: usize,
    /// Author time of the pitfall minus author time of the last test, in seconds.
    pub lag_seconds: i64,
    /// What the claim's own tree says.
    pub exposure: Exposure,
    /// How the order is known.
    pub ordered_by: OrderedBy,
}

/// Why a claim is a lead only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The check's name; [`crate::verdict::judge`] writes it.
    pub check: &'static str,
    /// How sure.
    pub confidence: Confidence,
    /// One sentence for people, without terminal controls.
    pub message: String,
    /// Set where a pitfall challenges the claim.
    pub challenge: Option<Challenge>,
    /// What a reader can run, in reading order.
    pub receipts: Vec<Receipt>,
}

impl Reason {
    /// A reason without receipts. Control characters in the message are replaced.
    pub fn new(confidence: Confidence, message: &str) -> Self {
        let message = message.chars().map(|c| if hidden(c) { '\u{fffd}' } else { c }).collect();
        Self { check: "", confidence, message, challenge: None, receipts: Vec::new() }
    }

    /// Adds a receipt, if there is one.
    #[must_use]
    pub fn receipt(mut self, receipt: Option<Receipt>) -> Self {
        self.receipts.extend(receipt);
        self
    }
}

impl Receipt {
    /// The lines at which something was seen.
    pub fn show(ledger: &Ledger<'_>, seen: &Sighting) -> Option<Self> {
        let commit = ledger.commit(seen.commit)?.oid;
        Some(Self::Show { commit, path: seen.path.clone(), lines: seen.lines })
    }
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Show { commit, path, lines } => {
                let object = quote(&format!("{}:{path}", abbreviated(commit)));
                let Lines { start, end } = lines;
                if start == end {
                    write!(f, "git show {object} | sed -n {start}p")
                } else {
                    write!(f, "git show {object} | sed -n {start},{end}p")
                }
            }
            Self::Between { from, to, path } => {
                let (from, to) = (abbreviated(from), abbreviated(to));
                let path = quote(&pathspec(path));
                write!(f, "git log --format='%h %aI %s' {from}..{to} -- {path}")
            }
            Self::Commits(commits) => {
                write!(f, "git show -s --format='%h %aI %cI %s'")?;
                commits.iter().try_for_each(|commit| write!(f, " {}", abbreviated(commit)))
            }
            Self::Grep { token, commit } => {
                write!(f, "git grep -nF -e {} {}", quote(token), abbreviated(commit))
            }
        }
    }
}

/// Long enough to stay unique as a repository grows.
fn abbreviated(commit: &ObjectId) -> String {
    commit.to_string().chars().take(12).collect()
}

/// A path that git would read as a pattern is marked as literal.
fn pathspec(path: &str) -> String {
    if path.starts_with(':') || path.contains(['*', '?', '[', '\\']) {
        format!(":(literal){path}")
    } else {
        path.to_owned()
    }
}

/// One shell word. Hidden characters are written out, so that a receipt shows what it will do.
fn quote(word: &str) -> String {
    if word.chars().any(hidden) {
        let mut quoted = String::from("$'");
        for c in word.chars() {
            match c {
                '\'' | '\\' => quoted.extend(['\\', c]),
                c if hidden(c) => {
                    let mut bytes = [0; 4];
                    for byte in c.encode_utf8(&mut bytes).bytes() {
                        quoted.push_str(&format!("\\{byte:03o}"));
                    }
                }
                c => quoted.push(c),
            }
        }
        quoted.push('\'');
        return quoted;
    }
    shlex::try_quote(word).map_or_else(|_| String::new(), std::borrow::Cow::into_owned)
}

/// Moves the cursor, changes the direction of text, or cannot be seen at all.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Words of a repository inside a message: on one line, cut where they go on too long.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 80;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
    }
}

/// The hedges of one class, the surest first: in the claim's own words, then around it.
fn hedges(claim: &Lineage, class: HedgeClass) -> Vec<(Confidence, &Hedge)> {
    let own = |hedge: &Hedge| {
        let text = claim.claim.text.to_lowercase();
        !hedge.words.trim().is_empty() && text.contains(&hedge.words.trim().to_lowercase())
    };
    let mut found: Vec<_> = claim
        .claim
        .hedges
        .iter()
        .filter(|hedge| hedge.class == class)
        .map(|hedge| (if own(hedge) { Confidence::High } else { Confidence::Medium }, hedge))
        .collect();
    found.sort_by_key(|(confidence, _)| std::cmp::Reverse(*confidence));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ObjectId = ObjectId([0xab; 20]);
    const B: ObjectId = ObjectId([0x12; 20]);

    fn show(path: &str, start: u32, end: u32) -> String {
        Receipt::Show { commit: A, path: path.into(), lines: Lines { start, end } }.to_string()
    }

    #[test]
    fn receipts_are_commands() {
        assert_eq!(show("RESULTS.md", 139, 139), "git show abababababab:RESULTS.md | sed -n 139p");
        assert_eq!(show("a b.md", 1, 3), "git show 'abababababab:a b.md' | sed -n 1,3p");
        let between =
            |path: &str| Receipt::Between { from: A, to: B, path: path.into() }.to_string();
        assert_eq!(
            between("RESULTS.md"),
            "git log --format='%h %aI %s' abababababab..121212121212 -- RESULTS.md"
        );
        assert!(between("notes [old].md").ends_with("-- ':(literal)notes [old].md'"));
        assert_eq!(
            Receipt::Commits(vec![A, B]).to_string(),
            "git show -s --format='%h %aI %cI %s' abababababab 121212121212"
        );
        assert_eq!(
            Receipt::Grep { token: "$X; rm".into(), commit: A }.to_string(),
            "git grep -nF -e '$X; rm' abababababab"
        );
    }

    #[test]
    fn nothing_hidden_is_printed() {
        let nasty = show("a\u{1b}[2J'\n\u{202e}.md", 1, 1);
        assert!(!nasty.chars().any(hidden));
        assert_eq!(nasty, r"git show $'abababababab:a\033[2J\'\012\342\200\256.md' | sed -n 1p");
        assert!(!Reason::new(Confidence::Low, "\u{7}bell\u{202e}").message.chars().any(hidden));
    }

    #[test]
    fn checks_have_names_of_their_own() {
        let mut names: Vec<_> = ALL.iter().map(|check| check.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        assert!(ALL.iter().all(|check| !check.explain().is_empty()));
    }
}
