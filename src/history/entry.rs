//! One entry of a tree object, and what its name means to the selection.

use super::{ObjectId, Selection};

/// A name as the selection judges it.
#[derive(Clone, Copy)]
pub(super) struct Class {
    /// The tag of a file of this name.
    pub(super) file: Option<u8>,
    /// Whether a folder of this name is entered.
    pub(super) descends: bool,
    /// Whether git would write such a name.
    pub(super) valid: bool,
    /// Its number, once an entry with it was kept.
    pub(super) number: Option<u32>,
}

impl Class {
    pub(super) fn of(name: &[u8], selection: &dyn Selection) -> Self {
        let valid = !name.is_empty()
            && name != b"."
            && name != b".."
            && !name.eq_ignore_ascii_case(b".git")
            && !name.contains(&b'/');
        Self {
            file: if valid { selection.kind(name) } else { None },
            descends: valid && selection.descends(name),
            valid,
            number: None,
        }
    }
}

/// What the mode of an entry says that it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    File,
    Folder,
    /// Symbolic links and submodules: no documents.
    Other,
    /// No mode that git writes.
    Unknown,
}

/// One entry of a tree object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TreeEntry<'a> {
    pub(super) mode: Mode,
    pub(super) name: &'a [u8],
    pub(super) id: ObjectId,
}

/// The first entry of a tree object and what follows it; `None` if it is cut off.
pub(super) fn split_first(bytes: &[u8]) -> Option<(TreeEntry<'_>, &[u8])> {
    let space = bytes.iter().take(16).position(|byte| *byte == b' ')?;
    let (digits, rest) = (&bytes[..space], &bytes[space + 1..]);
    let name_end = rest.iter().position(|byte| *byte == 0)?;
    let (name, rest) = (&rest[..name_end], &rest[name_end + 1..]);
    let (id, rest) = rest.split_first_chunk::<20>()?;
    let mode = digits.iter().try_fold(0_u64, |mode, digit| {
        matches!(digit, b'0'..=b'7').then(|| mode << 3 | u64::from(digit - b'0'))
    });
    let mode = match mode.map(|mode| mode & !0o7777) {
        // Old tools wrote files without a type.
        Some(0o100_000 | 0) => Mode::File,
        Some(0o040_000) => Mode::Folder,
        Some(0o120_000 | 0o160_000) => Mode::Other,
        _ => Mode::Unknown,
    };
    Some((TreeEntry { mode, name, id: ObjectId(*id) }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_entries_as_git_writes_them_and_as_it_does_not() {
        let entry = |mode: &str, name: &str| {
            let mut bytes = format!("{mode} {name}\0").into_bytes();
            bytes.extend([7; 20]);
            split_first(&bytes)
                .map(|(entry, rest)| (entry.mode, entry.name.to_vec(), entry.id, rest.len()))
        };
        let id = ObjectId([7; 20]);
        for (mode, expected) in [
            ("100644", Mode::File),
            ("100755", Mode::File),
            ("100664", Mode::File),
            ("0", Mode::File),
            ("40000", Mode::Folder),
            ("040000", Mode::Folder),
            ("120000", Mode::Other),
            ("160000", Mode::Other),
            ("777777", Mode::Unknown),
            ("10064x", Mode::Unknown),
        ] {
            assert_eq!(entry(mode, "a"), Some((expected, b"a".to_vec(), id, 0)), "{mode}");
        }
        assert_eq!(entry("100644", ""), Some((Mode::File, Vec::new(), id, 0)));
        assert_eq!(split_first(b"100644 a\0short"), None);
        assert_eq!(split_first(b"100644"), None);
        assert_eq!(split_first(&[b'1'; 100]), None);
    }
}
