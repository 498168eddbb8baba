//! The words for a claim's life: where it was seen, how each statement follows from an older one, and
//! what proves it.

use super::{How, Sighting};

/// How a statement follows from an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Link {
    /// The same words, back in a place where they had stood or to which another branch brought them.
    Same,
    /// The same in other words.
    Reworded,
    /// Left one document for another in one commit, in the same or in other words.
    Moved,
    /// Told again elsewhere while the older one stood, or of what was no claim yet.
    Copied,
    /// Told again in another language.
    Translated,
    /// Another result of the same subject: a new age.
    Revised(How),
    /// Another unit or another source for the figure of the same subject: a new age, and no test.
    Corrected,
}

/// What proves a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// Subject and outcome are the same after normalisation.
    SameKey,
    /// The subject is the same after normalisation.
    SameSubject,
    /// So many numbers are equal, or equal once rounded.
    Numbers(usize),
    /// So many code spans or names are equal.
    Codes(usize),
    /// So many words are equal.
    Words(usize),
    /// The numbers stood in so many lines, not in one.
    Parts(usize),
}

/// A statement in a claim's life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it was first seen.
    pub seen: Sighting,
    /// As it stood then, on one line.
    pub text: String,
    /// How it follows from an older statement; `None` where none is known.
    pub link: Option<Link>,
    /// What proves that.
    pub why: Vec<Why>,
    /// It gives the claim's subject the claim's outcome, so it belongs to its age.
    pub same_age: bool,
}
