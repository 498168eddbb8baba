//! References read as files, for repositories whose references libgit2 does not open.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::ObjectId;
use super::store::{Place, parse_hex};

/// Who reads the references of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum References {
    /// libgit2.
    Git,
    /// This module.
    Files,
}

/// References to references are followed this far, as git does.
const DEPTH: usize = 5;
/// A reference file holds one name or one id.
const FILE_BYTES: u64 = 1 << 16;

/// What a reference leads to.
enum Target {
    Id(ObjectId),
    Name(String),
}

/// The object that a name stands for, in git's order: as it is, then tags, branches, remotes.
pub(super) fn named(place: &Place, name: &str) -> Option<ObjectId> {
    let prefixes = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
    let full = prefixes.iter().map(|prefix| format!("{prefix}{name}"));
    full.chain([format!("refs/remotes/{name}/HEAD")]).find_map(|name| follow(place, name))
}

fn follow(place: &Place, name: String) -> Option<ObjectId> {
    let mut name = name;
    for _ in 0..=DEPTH {
        match loose(place, &name).or_else(|| packed(place, &name))? {
            Target::Id(id) => return Some(id),
            Target::Name(next) => name = next,
        }
    }
    None
}

fn loose(place: &Place, name: &str) -> Option<Target> {
    if !is_inside(name) {
        return None;
    }
    // HEAD and some others belong to one work tree; the rest is shared.
    [&place.git_dir, &place.common_dir].into_iter().find_map(|folder| {
        let file = folder.join(name);
        // Only regular files are opened: opening a named pipe would wait for ever.
        fs::metadata(&file).ok().filter(|it| it.is_file() && it.len() <= FILE_BYTES)?;
        let text = fs::read_to_string(&file).ok()?;
        match text.trim_end().strip_prefix("ref:") {
            Some(name) => Some(Target::Name(name.trim().to_owned())),
            None => parse_hex(text.trim_end().as_bytes()).map(Target::Id),
        }
    })
}

fn packed(place: &Place, name: &str) -> Option<Target> {
    let file = place.common_dir.join("packed-refs");
    fs::metadata(&file).ok().filter(fs::Metadata::is_file)?;
    let lines = BufReader::new(fs::File::open(file).ok()?).split(b'\n').map_while(Result::ok);
    let mut ids = lines.filter_map(|line| {
        let (id, found) = line.split_at_checked(40)?;
        (found.strip_prefix(b" ")?.trim_ascii_end() == name.as_bytes()).then(|| parse_hex(id))?
    });
    ids.next().map(Target::Id)
}

/// Whether a name stays below the git folder.
fn is_inside(name: &str) -> bool {
    !name.split(['/', '\\']).any(|part| part == "..") && !Path::new(name).is_absolute()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_loose_packed_and_through_others() {
        let folder = tempfile::tempdir().unwrap();
        let git_dir = folder.path().join("git");
        let write = |name: &str, text: &str| {
            let file = git_dir.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        write("HEAD", "ref: refs/heads/main\n");
        write("refs/heads/main", &format!("{a}\n"));
        write("refs/heads/loop", "ref: refs/heads/loop\n");
        write("refs/tags/odd", "no id\n");
        write(
            "packed-refs",
            &format!("# pack-refs with: peeled\n{b} refs/tags/v1\n^{a}\n{b} refs/heads/main\n"),
        );
        write("../outside", &format!("{a}\n"));
        let place = Place { git_dir: git_dir.clone(), common_dir: git_dir.clone() };
        let id = |name: &str| named(&place, name).map(|id| id.to_string());
        assert_eq!(id("HEAD"), Some(a.clone()));
        assert_eq!(id("main"), Some(a.clone()), "loose before packed");
        assert_eq!(id("v1"), Some(b.clone()));
        assert_eq!(id("refs/tags/v1"), Some(b));
        for name in ["loop", "odd", "nothing", "../outside", "", "packed-refs", "refs"] {
            assert_eq!(id(name), None, "{name}");
        }
    }
}
