//! Where a report goes: standard output, or a file that is written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Writes a file by `fill`, or leaves what was there as it was.
///
/// The text goes to a new file in the same folder, which takes the place of the old one when it is
/// complete. So does it with a link: the audited repository may hold one of that name, which leads
/// to a file of its reader's. What is no regular file (`/dev/stdout`, a pipe) cannot be replaced and
/// is written to directly.
///
/// # Errors
/// Whatever `fill` or the file system returns.
pub(super) fn replace(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        let mut file = BufWriter::new(OpenOptions::new().write(true).open(path)?);
        fill(&mut file)?;
        return file.flush();
    }
    let mut file = BufWriter::new(beside(path)?);
    fill(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(before) = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file) {
        file.as_file().set_permissions(before.permissions())?;
    }
    // A full disk may tell so only now.
    file.as_file().sync_all()?;
    let _: File = file.persist(path)?;
    Ok(())
}

/// Adds to the end of a file, which is made where it is not there.
///
/// # Errors
/// Whatever `fill` or the file system returns.
pub(super) fn append(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = BufWriter::new(OpenOptions::new().append(true).create(true).open(path)?);
    fill(&mut file)?;
    file.flush()
}

/// A new file in the folder of another, with the rights that a new file has.
fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".claim-audit-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder(target))
}

/// The folder of a file, `.` for a bare name.
pub(super) fn folder(target: &Path) -> PathBuf {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        for text in ["first", "2nd"] {
            replace(&path, |out| out.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        fs::write(&path, "old").unwrap();
        let full = replace(&path, |out| {
            out.write_all(&[b'x'; 100_000])?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(full.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(replace(&folder.path().join("none/report"), |_| Ok(())).is_err());
        assert!(replace(folder.path(), |_| Ok(())).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn the_rights_of_a_file_are_kept_and_a_link_leads_nowhere() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_file());
        assert_eq!(fs::read_to_string(&link).unwrap(), "new");
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        replace(&file, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
