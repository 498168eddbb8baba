//! A commit's raw text, read by hand.
//!
//! git takes commits that libgit2 refuses to parse (an author without brackets, a time that is a
//! word), and such commits are part of real histories. Only what the walk needs is looked at, and
//! nothing in a header can fail: what is malformed is counted and replaced by a neutral value.

use super::ObjectId;
use super::store::parse_hex;

/// First second of the year 1 and last of 9999: what date formats can show.
const TIMES: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// A commit as written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RawCommit {
    pub(super) tree: Option<ObjectId>,
    /// Without repetitions.
    pub(super) parents: Vec<ObjectId>,
    pub(super) author_time: i64,
    pub(super) commit_time: i64,
    pub(super) message: String,
    /// The message was longer than the bound and its rest is lost.
    pub(super) cut: bool,
    /// Something in the header was not as git writes it.
    pub(super) malformed: bool,
}

/// Reads a commit; at most `message_limit` bytes of its message are kept.
pub(super) fn parse(bytes: &[u8], message_limit: usize) -> RawCommit {
    let mut tree = None;
    let mut parents = Vec::new();
    let mut author = None;
    let mut committer = None;
    let mut malformed = false;
    let mut rest = bytes;
    // git takes parents only where it writes them: right after the tree.
    let mut among_parents = true;
    let body = loop {
        if rest.is_empty() {
            break rest;
        }
        let (line, after) = match rest.iter().position(|byte| *byte == b'\n') {
            Some(end) => (&rest[..end], &rest[end + 1..]),
            None => (rest, &rest[rest.len()..]),
        };
        rest = after;
        if line.is_empty() {
            break rest;
        }
        if tree.is_none() {
            tree = line.strip_prefix(b"tree ").and_then(parse_hex);
            malformed |= tree.is_none();
        } else if among_parents && line.starts_with(b"parent ") {
            match line.strip_prefix(b"parent ").and_then(parse_hex) {
                Some(parent) if parents.contains(&parent) => {}
                Some(parent) => parents.push(parent),
                None => malformed = true,
            }
        } else {
            among_parents = false;
            if author.is_none() && line.starts_with(b"author ") {
                author = Some(time(line));
            } else if committer.is_none() && line.starts_with(b"committer ") {
                committer = Some(time(line));
            }
        }
    };
    malformed |= !matches!((author, committer), (Some(Some(_)), Some(Some(_))));
    let (author, committer) = (author.flatten(), committer.flatten());
    let mut kept = body;
    let cut = body.len() > message_limit;
    if cut {
        kept = &body[..message_limit];
    }
    RawCommit {
        tree,
        parents,
        author_time: author.or(committer).unwrap_or(0),
        commit_time: committer.or(author).unwrap_or(0),
        message: String::from_utf8_lossy(kept).into_owned(),
        cut,
        malformed,
    }
}

/// The time in an author or committer line, kept within what dates can show.
///
/// It stands behind the address; where there is no address, before the time zone.
fn time(line: &[u8]) -> Option<i64> {
    let tail = match line.iter().rposition(|byte| *byte == b'>') {
        Some(end) => &line[end + 1..],
        None => line,
    };
    let mut words = tail.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let word = if tail.len() < line.len() { words.next() } else { words.rev().nth(1) };
    let Some(word) = word else {
        // An address and nothing behind it: git reads that as the start of time.
        return (tail.len() < line.len()).then_some(0);
    };
    let seconds: i64 = std::str::from_utf8(word).ok()?.parse().ok()?;
    Some(seconds.clamp(*TIMES.start(), *TIMES.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n";

    fn read(text: &str) -> RawCommit {
        parse(text.as_bytes(), 1 << 10)
    }

    #[test]
    fn reads_what_git_writes() {
        let a = "1".repeat(40);
        let commit = read(&format!(
            "{TREE}parent {a}\nauthor A <a@b> 100 +0100\ncommitter C <c@d> 200 -0700\n\
             gpgsig -----BEGIN\n parent {a}\n -----END\n\nSubject\n\nBody\n"
        ));
        assert_eq!(commit.parents, [ObjectId([0x11; 20])]);
        assert_eq!((commit.author_time, commit.commit_time), (100, 200));
        assert_eq!(commit.message, "Subject\n\nBody\n");
        assert!(!commit.malformed && !commit.cut && commit.tree.is_some());
    }

    #[test]
    fn takes_odd_times() {
        let at = |author: &str| {
            let commit = read(&format!("{TREE}author {author}\ncommitter C <c@d> 7 +0000\n\nx"));
            (commit.author_time, commit.malformed)
        };
        assert_eq!(at("A <a@b> 9223372036854775807 +0000"), (*TIMES.end(), false));
        assert_eq!(at("A <a@b> -9223372036854775808 +0000"), (*TIMES.start(), false));
        assert_eq!(at("A <a@b> 123456789012345678901234567890 +0000"), (7, true));
        assert_eq!(at("A <a@b> yesterday +0000"), (7, true));
        assert_eq!(at("A <a@b> 5 --700"), (5, false));
        assert_eq!(at("A <a@b>"), (0, false));
        assert_eq!(at("A <a> <b> 5"), (5, false));
        assert_eq!(at("nobody 5 +0000"), (5, false));
    }

    #[test]
    fn takes_anything() {
        for text in ["", "\n", "\n\n", "tree", "tree x\n\n", "parent \n", TREE] {
            let commit = read(text);
            assert!(commit.malformed && commit.parents.is_empty());
        }
        let commit = parse(&[0xff; 100], 10);
        assert!(commit.malformed && commit.message.is_empty());
    }

    #[test]
    fn repeats_no_parent_and_cuts_long_messages() {
        let a = "1".repeat(40);
        let commit = parse(
            format!(
                "{TREE}parent {a}\nparent {a}\nauthor A <a> 1 +0\ncommitter A <a> 1 +0\n\n12345678"
            )
            .as_bytes(),
            4,
        );
        assert_eq!(commit.parents.len(), 1);
        assert_eq!((commit.message.as_str(), commit.cut), ("1234", true));
    }
}
