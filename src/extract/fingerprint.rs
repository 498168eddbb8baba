//! What tells texts apart that were read.

use sha2::{Digest, Sha256};

/// A digest of all that a text says and of what its reading may look at. A stranger who could make two
/// texts with one digest could have one taken for the other, so it is one for which nobody can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint(pub(crate) [u8; 16]);

impl Fingerprint {
    /// Of what has this key.
    pub(super) fn of(key: &[u8]) -> Self {
        let digest: [u8; 32] = Sha256::digest(key).into();
        let mut first = [0; 16];
        first.iter_mut().zip(digest).for_each(|(to, from)| *to = from);
        Self(first)
    }
}
