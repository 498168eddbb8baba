//! Addresses of commits and lines on the forges that people know.

use std::fmt::Write;

use crate::documents::Lines;
use crate::history::ObjectId;

/// Longest path that is linked; a longer one is only named.
const LONGEST: usize = 1_000;

/// Which addresses a forge takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    GitHub,
    GitLab,
    /// Also Forgejo, which Codeberg runs.
    Gitea,
    Bitbucket,
}

/// A repository on a forge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forge<'a> {
    kind: Kind,
    base: &'a str,
}

impl<'a> Forge<'a> {
    /// The forge behind a web address, where its host tells.
    pub(super) fn of(address: &'a str) -> Option<Self> {
        let (_, rest) = address.split_once("://")?;
        let host = rest.split(['/', ':']).next().unwrap_or_default();
        let kind = match host {
            "codeberg.org" => Some(Kind::Gitea),
            // Bitbucket that people run themselves has other addresses.
            "bitbucket.org" => Some(Kind::Bitbucket),
            _ => host.split('.').find_map(|label| match label {
                "github" => Some(Kind::GitHub),
                "gitlab" => Some(Kind::GitLab),
                "gitea" | "forgejo" => Some(Kind::Gitea),
                _ => None,
            }),
        };
        Some(Self { kind: kind?, base: address })
    }

    /// Where a commit is shown.
    pub(super) fn commit(self, commit: ObjectId) -> String {
        let base = self.base;
        match self.kind {
            Kind::GitHub | Kind::Gitea => format!("{base}/commit/{commit}"),
            Kind::GitLab => format!("{base}/-/commit/{commit}"),
            Kind::Bitbucket => format!("{base}/commits/{commit}"),
        }
    }

    /// Where lines of a document at a commit are shown, as text and not rendered.
    pub(super) fn lines(self, commit: ObjectId, path: &str, lines: Lines) -> Option<String> {
        if path.len() > LONGEST {
            return None;
        }
        let (base, path) = (self.base, encoded(path));
        let Lines { start, end } = lines;
        let last = |before: &str| match end > start {
            true => format!("{before}{end}"),
            false => String::new(),
        };
        Some(match self.kind {
            Kind::GitHub => {
                format!("{base}/blob/{commit}/{path}?plain=1#L{start}{}", last("-L"))
            }
            Kind::GitLab => {
                format!("{base}/-/blob/{commit}/{path}?plain=1#L{start}{}", last("-"))
            }
            Kind::Gitea => {
                format!("{base}/src/commit/{commit}/{path}?display=source#L{start}{}", last("-L"))
            }
            Kind::Bitbucket => format!("{base}/src/{commit}/{path}#lines-{start}{}", last(":")),
        })
    }
}

/// A path inside an address: every byte but letters, digits and `-._~/` by its number.
pub(super) fn encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: ObjectId = ObjectId([0xab; 20]);

    #[test]
    fn each_forge_has_its_addresses() {
        let id = "ab".repeat(20);
        let told = |address: &str, end| {
            let forge = Forge::of(address).unwrap();
            let lines = forge.lines(COMMIT, "docs/测 (1).md", Lines { start: 3, end }).unwrap();
            [forge.commit(COMMIT), lines].map(|it| it.replace(&id, "ID"))
        };
        let path = "docs/%E6%B5%8B%20%281%29.md";
        assert_eq!(
            told("https://github.com/a/b", 3),
            [
                "https://github.com/a/b/commit/ID".to_owned(),
                format!("https://github.com/a/b/blob/ID/{path}?plain=1#L3")
            ]
        );
        assert_eq!(
            told("https://gitlab.example.edu/g/a/b", 5),
            [
                "https://gitlab.example.edu/g/a/b/-/commit/ID".to_owned(),
                format!("https://gitlab.example.edu/g/a/b/-/blob/ID/{path}?plain=1#L3-5")
            ]
        );
        assert_eq!(
            told("https://codeberg.org/a/b", 5),
            [
                "https://codeberg.org/a/b/commit/ID".to_owned(),
                format!("https://codeberg.org/a/b/src/commit/ID/{path}?display=source#L3-L5")
            ]
        );
        assert_eq!(
            told("https://bitbucket.org/a/b", 5),
            [
                "https://bitbucket.org/a/b/commits/ID".to_owned(),
                format!("https://bitbucket.org/a/b/src/ID/{path}#lines-3:5")
            ]
        );
    }

    #[test]
    fn only_known_hosts_are_forges() {
        for address in ["https://git.example.org/a/b", "https://mygithub.com/a/b", "github.com/a"] {
            assert_eq!(Forge::of(address), None, "{address}");
        }
        assert!(Forge::of("http://gitea.local:3000/a/b").is_some());
        let forge = Forge::of("https://github.com/a/b").unwrap();
        let lines = Lines { start: 1, end: 1 };
        assert_eq!(forge.lines(COMMIT, &"a".repeat(2_000), lines), None);
    }
}
