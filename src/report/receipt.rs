//! Receipts as commands that a reader pastes into a shell at the top of the repository.

use std::borrow::Cow;
use std::fmt::Write;

use super::escape;
use crate::checks::Receipt;
use crate::history::ObjectId;
use crate::verdict::Audit;

/// Fewest digits to which git abbreviates by itself.
const SHORTEST: usize = 7;
/// All the digits of an object id.
const WHOLE: usize = 40;
/// Objects a history is assumed to hold for each commit, as a power of two.
const OBJECTS_PER_COMMIT: u32 = 4;
/// Chance, as a negative power of two, that an abbreviation also names one of those objects.
const ODDS: u32 = 16;

/// Writes receipts, and abbreviates commits so that they stay unambiguous in this history.
#[derive(Clone, Copy, Debug)]
pub struct Receipts {
    digits: usize,
}

impl Receipts {
    /// Finds the abbreviation that fits an audit's history.
    pub fn new(audit: &Audit) -> Self {
        let mut commits: Vec<ObjectId> = audit.facts.iter().map(|facts| facts.oid).collect();
        commits.sort_unstable();
        commits.dedup();
        let distinct = commits
            .iter()
            .zip(commits.iter().skip(1))
            .map(|(a, b)| shared_digits(*a, *b) + 1)
            .max();
        // Trees and blobs are not known here, so their number is assumed and room is left for it.
        let objects = usize::BITS - commits.len().leading_zeros() + OBJECTS_PER_COMMIT;
        let roomy = usize::try_from((objects + ODDS).div_ceil(4)).unwrap_or(WHOLE);
        Self { digits: SHORTEST.max(roomy).max(distinct.unwrap_or(0)).min(WHOLE) }
    }

    /// A commit's abbreviated id.
    pub fn short(self, commit: ObjectId) -> String {
        let mut digits = commit.to_string();
        digits.truncate(self.digits);
        digits
    }

    /// The command that shows what a receipt says.
    pub fn command(self, receipt: &Receipt) -> String {
        match receipt {
            Receipt::Show { commit, path, lines } => {
                let object = shell_word(&format!("{}:{path}", self.short(*commit))).into_owned();
                let range = if lines.start == lines.end {
                    format!("{}p", lines.start)
                } else {
                    format!("{},{}p", lines.start, lines.end)
                };
                format!("git show {object} | sed -n {range}")
            }
            Receipt::Between { from, to, path } => format!(
                "git log --format='%h %aI %s' {}..{} -- {}",
                self.short(*from),
                self.short(*to),
                shell_word(&literal(path))
            ),
            Receipt::Commits(commits) => {
                let mut command = "git show -s --format='%h %aI %cI %s'".to_owned();
                for commit in commits {
                    let _ = write!(command, " {}", self.short(*commit));
                }
                command
            }
            Receipt::Beyond { from, to } => {
                format!("git log --format='%h %aI %s' {}..{to}", self.short(*from))
            }
            Receipt::Grep { token, commit } => {
                format!("git grep -nF -e {} {}", shell_word(token), self.short(*commit))
            }
        }
    }
}

fn shared_digits(a: ObjectId, b: ObjectId) -> usize {
    a.to_string().bytes().zip(b.to_string().bytes()).take_while(|(a, b)| a == b).count()
}

/// A path as a pathspec that means this path only.
fn literal(path: &str) -> Cow<'_, str> {
    if path.starts_with(':') || path.contains(['*', '?', '[', '\\']) {
        Cow::Owned(format!(":(literal){path}"))
    } else {
        Cow::Borrowed(path)
    }
}

/// One word for a shell.
///
/// What acts is spelt by its bytes, in octal, for the shell's `printf` to put together:
/// so the command is safe to print and still names the same file, in every shell.
pub(crate) fn shell_word(word: &str) -> Cow<'_, str> {
    if !escape::acts(word)
        && let Ok(quoted) = shlex::try_quote(word)
    {
        return quoted;
    }
    // `$(…)` takes line feeds off the end; only the newer `$'…'` keeps them.
    let (open, close, percent) =
        if word.ends_with('\n') { ("$'", "'", "%") } else { ("\"$(printf '", "')\"", "%%") };
    let mut quoted = String::from(open);
    for character in word.chars() {
        match character {
            '%' => quoted.push_str(percent),
            '\\' => quoted.push_str("\\\\"),
            _ if matches!(character, '\'' | '#') || escape::is_hostile(character) => {
                for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                    // Three digits, so that one that follows cannot be read as a part of it.
                    let _ = write!(quoted, "\\{byte:03o}");
                }
            }
            _ => quoted.push(character),
        }
    }
    quoted.push_str(close);
    Cow::Owned(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::Lines;
    use crate::report::sample;

    fn commands(path: &str, token: &str) -> Vec<String> {
        let audit = sample::audit();
        let [from, to] = [audit.facts[0].oid, audit.facts[2].oid];
        let receipts = Receipts::new(&audit);
        [
            Receipt::Show {
                commit: from,
                path: path.into(),
                lines: Lines { start: 139, end: 139 },
            },
            Receipt::Show { commit: from, path: path.into(), lines: Lines { start: 3, end: 5 } },
            Receipt::Between { from, to, path: path.into() },
            Receipt::Commits(vec![from, to]),
            Receipt::Grep { token: token.into(), commit: from },
        ]
        .iter()
        .map(|receipt| receipts.command(receipt))
        .collect()
    }

    #[test]
    fn plain_words_are_not_quoted() {
        assert_eq!(
            commands("RESULTS.md", "grow_segments:on"),
            [
                "git show 1c0ffee:RESULTS.md | sed -n 139p",
                "git show 1c0ffee:RESULTS.md | sed -n 3,5p",
                "git log --format='%h %aI %s' 1c0ffee..2badd1e -- RESULTS.md",
                "git show -s --format='%h %aI %cI %s' 1c0ffee 2badd1e",
                "git grep -nF -e grow_segments:on 1c0ffee",
            ]
        );
    }

    #[test]
    fn no_path_or_token_leaves_its_word() {
        for word in [
            "a; rm -rf ~",
            "$(reboot)",
            "it's",
            "`id`",
            "a\nb",
            "\x1b[2J'; id #",
            "\u{202e}txt.sh",
            "",
            "-e",
            "!x",
        ] {
            let path = format!("docs/{word}");
            for command in commands(&path, word) {
                assert!(!command.contains(escape::is_hostile), "{command:?}");
            }
            let all = commands(&path, word);
            let (show, grep) = (&all[0], &all[4]);
            if !word.contains(escape::is_hostile) {
                let split = shlex::split(show).unwrap_or_default();
                assert_eq!(split.get(2), Some(&format!("1c0ffee:{path}")));
                let split = shlex::split(grep).unwrap_or_default();
                assert_eq!(split.get(4).map(String::as_str), Some(word));
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_the_same_word() {
        let words = [
            "plain",
            "",
            "a b",
            "it's",
            "$(id)`id`$HOME",
            "-n",
            "~",
            "{a,b}*?[x]",
            "50%\\n",
            "\u{1b}[2J%s\\'\"$(id)",
            "a\n1b",
            "\u{202e}三\u{200b}",
            "\u{9b}7%%",
            "##vso[a]##[b]'#",
            "\t\r\u{7f}",
        ];
        for word in words {
            let line = format!("printf %s {}", shell_word(word));
            assert!(!escape::acts(&line), "{line:?}");
            let output = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout), word, "{line}");
        }
        assert_eq!(shell_word("a\n"), "$'a\\012'");
    }

    #[test]
    fn a_path_is_never_read_as_a_pattern() {
        assert!(commands("a*.md", "x")[2].ends_with(r"-- ':(literal)a*.md'"));
        assert!(commands(":!a.md", "x")[2].contains(":(literal):!a.md"));
    }

    #[test]
    fn abbreviations_grow_until_they_are_distinct() {
        let mut audit = sample::audit();
        let mut near = audit.facts[0].clone();
        near.oid.0[5] ^= 1;
        audit.facts.push(near);
        assert_eq!(Receipts::new(&audit).short(audit.facts[0].oid).len(), 12);
        audit.facts.clear();
        assert_eq!(Receipts::new(&audit).short(crate::history::ObjectId([0xab; 20])), "abababa");
    }
}
