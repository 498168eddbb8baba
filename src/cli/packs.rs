//! Rule packs that the user names: from paths to bytes.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::problem::Problem;
use crate::rules::PackFiles;

/// Bytes read of one file: a little more than any pack may have, so that the rules can say so.
const FILE_LIMIT: u64 = 1 << 20;

/// Files that one `--rules` may name.
pub(super) const FILES_LIMIT: usize = 1_000;

/// Reads files, and of folders those files directly in them that end in `.yml` or `.yaml`.
///
/// Each path is a pack. Each file comes with the name that errors show; files of a folder are in the
/// order of their names.
pub(super) fn read(paths: &[PathBuf]) -> Result<Vec<PackFiles>, Problem> {
    let mut packs = Vec::new();
    for path in paths {
        let fail = |source| Problem::RulePack { path: path.clone(), source };
        let files = if path.is_dir() { inside(path).map_err(fail)? } else { vec![path.clone()] };
        if files.is_empty() {
            return Err(Problem::EmptyRulePack { path: path.clone() });
        }
        let mut pack = Vec::new();
        for file in files {
            let bytes =
                bytes(&file).map_err(|source| Problem::RulePack { path: file.clone(), source })?;
            pack.push((file.to_string_lossy().into_owned(), bytes));
        }
        packs.push(pack);
    }
    Ok(packs)
}

fn inside(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let yaml = path.extension().is_some_and(|end| end == "yml" || end == "yaml");
        if yaml && !path.is_dir() {
            files.push(path);
        }
        if files.len() > FILES_LIMIT {
            let what = format!("more than {FILES_LIMIT} files");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
    }
    files.sort();
    Ok(files)
}

/// The bytes of a small regular file.
pub(super) fn bytes(file: &Path) -> io::Result<Vec<u8>> {
    bytes_up_to(file, FILE_LIMIT)
}

/// The first bytes of a regular file.
pub(super) fn bytes_up_to(file: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // A pipe or a device might never end, or never begin.
    if !fs::metadata(file)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_read_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("b.yml", "b"), ("a.yaml", "a"), ("notes.md", "no")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let packs = read(&[folder.path().join("notes.md"), folder.path().into()]).unwrap();
        let texts: Vec<_> = packs.iter().flatten().map(|(_, bytes)| bytes.as_slice()).collect();
        assert_eq!(texts, [b"no".as_slice(), b"a", b"b"]);
    }

    #[test]
    fn what_is_no_pack_is_a_problem() {
        let folder = tempfile::tempdir().unwrap();
        let empty = read(&[folder.path().into()]);
        assert!(matches!(empty, Err(Problem::EmptyRulePack { .. })));
        let missing = read(&[folder.path().join("none.yml")]);
        assert!(matches!(missing, Err(Problem::RulePack { .. })));
        #[cfg(unix)]
        assert!(matches!(read(&["/dev/null".into()]), Err(Problem::RulePack { .. })));
    }
}
