//! Reading objects by id: one store per thread, bounded, nothing looked up twice on purpose.

use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;

use git2::{ErrorClass, ErrorCode, ObjectType, Odb, Oid};

use super::{Error, ObjectId};

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Tree => "tree",
            Self::Blob => "blob",
            Self::Tag => "tag",
        }
    }

    fn of(kind: ObjectType) -> Option<Self> {
        match kind {
            ObjectType::Commit => Some(Self::Commit),
            ObjectType::Tree => Some(Self::Tree),
            ObjectType::Blob => Some(Self::Blob),
            ObjectType::Tag => Some(Self::Tag),
            ObjectType::Any => None,
        }
    }

    fn git(self) -> ObjectType {
        match self {
            Self::Commit => ObjectType::Commit,
            Self::Tree => ObjectType::Tree,
            Self::Blob => ObjectType::Blob,
            Self::Tag => ObjectType::Tag,
        }
    }
}

/// Why an object could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Loss {
    /// Not in the object store.
    Missing,
    /// There, but damaged or of another kind.
    Corrupt,
    /// The operating system does not let us.
    Permission,
    /// Larger than the bound.
    TooLarge,
}

impl Loss {
    /// As a sentence goes on: "tree 0a1b is …".
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Missing => "missing (or its pack is corrupt)",
            Self::Corrupt => "corrupt",
            Self::Permission => "not readable (permission denied)",
            Self::TooLarge => "larger than the size limit",
        }
    }
}

/// Where a repository's objects are: what a thread needs to open its own [`Store`].
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The git folder of this work tree.
    pub(super) git_dir: PathBuf,
    /// The git folder that all work trees share.
    pub(super) common_dir: PathBuf,
}

/// One thread's access to the objects.
///
/// libgit2 keeps one open pack, with its locks and its cache, per *spelling* of a path in the whole
/// process; stores that share it slow each other down. So each thread spells the folder another
/// way (`x/./objects`, `x/././objects`). Should that ever stop working, only speed is lost.
pub(super) struct Store {
    objects: PathBuf,
    access: Access,
}

enum Access {
    Own(Odb<'static>),
    /// The path is not UTF-8, which the other kind cannot take.
    Shared(git2::Repository),
}

/// Sets what libgit2 keeps globally. Every entry to this module goes through here first.
pub(super) fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Each object is read once, so a cache of objects only costs memory.
        git2::opts::enable_caching(false);
        // Hashing every tree again would double the time of a walk. Packs and loose objects carry
        // checksums of their own; commits and documents are hashed by `read_checked`.
        git2::opts::strict_hash_verification(false);
    });
}

impl Store {
    /// Opens the store that worker number `worker` uses.
    pub(super) fn open(place: &Place, worker: usize) -> Result<Self, Error> {
        prepare();
        let objects = place.common_dir.join("objects");
        let Some(common) = place.common_dir.to_str() else {
            let access = Access::Shared(git2::Repository::open(&place.git_dir)?);
            return Ok(Self { objects, access });
        };
        let odb = Odb::new()?;
        let common = common.trim_end_matches(['/', '\\']);
        odb.add_disk_alternate(&format!("{common}{}/objects", "/.".repeat(worker + 1)))?;
        Ok(Self { objects, access: Access::Own(odb) })
    }

    /// Size and kind of an object, without unpacking it.
    pub(super) fn header(&self, id: ObjectId) -> Result<(usize, Kind), Loss> {
        let id = oid(id)?;
        // git2 panics where a damaged pack gives an object a kind that does not exist.
        let header = panic::catch_unwind(AssertUnwindSafe(|| match &self.access {
            Access::Own(odb) => odb.read_header(id),
            Access::Shared(repository) => repository.odb().and_then(|odb| odb.read_header(id)),
        }));
        let (size, kind) = header.map_err(|_| Loss::Corrupt)?.map_err(|error| loss(&error))?;
        Ok((size, Kind::of(kind).ok_or(Loss::Corrupt)?))
    }

    /// Whether an object is there, without looking at it.
    pub(super) fn has(&self, id: ObjectId) -> bool {
        let Ok(id) = oid(id) else { return false };
        match &self.access {
            Access::Own(odb) => odb.exists(id),
            Access::Shared(repository) => repository.odb().is_ok_and(|odb| odb.exists(id)),
        }
    }

    /// Hands the bytes of an object to `use_bytes`, if it is of this kind and not larger than `limit`.
    ///
    /// The size is asked for first: unpacking believes it, and a file of a few bytes can claim many
    /// gigabytes.
    pub(super) fn read<T>(
        &self,
        id: ObjectId,
        kind: Kind,
        limit: usize,
        use_bytes: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, Loss> {
        let (size, found) = self.header(id)?;
        if found != kind {
            return Err(Loss::Corrupt);
        }
        if size > limit {
            return Err(self.too_large(id, size));
        }
        let id = oid(id)?;
        let take = |odb: &Odb<'_>| {
            let object = odb.read(id).map_err(|error| loss(&error))?;
            if Kind::of(object.kind()) != Some(kind) {
                return Err(Loss::Corrupt);
            }
            Ok(use_bytes(object.data()))
        };
        match &self.access {
            Access::Own(odb) => take(odb),
            Access::Shared(repository) => take(&repository.odb().map_err(|error| loss(&error))?),
        }
    }

    /// Whether an object is larger than allowed or only says so: zlib cannot shrink anything to less
    /// than a thousandth.
    fn too_large(&self, id: ObjectId, size: usize) -> Loss {
        let name = id.to_string();
        let loose =
            name.split_at_checked(2).map(|(folder, file)| self.objects.join(folder).join(file));
        let stored = loose.and_then(|file| file.metadata().ok()).map(|file| file.len());
        match stored {
            Some(stored) if stored.saturating_mul(1_100) < size as u64 => Loss::Corrupt,
            _ => Loss::TooLarge,
        }
    }

    /// As [`Store::read`], and the bytes are what their id says.
    pub(super) fn read_checked<T>(
        &self,
        id: ObjectId,
        kind: Kind,
        limit: usize,
        use_bytes: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, Loss> {
        self.read(id, kind, limit, |bytes| {
            let found = Oid::hash_object(kind.git(), bytes).map_err(|_| Loss::Corrupt)?;
            if found.as_bytes() == id.0 { Ok(use_bytes(bytes)) } else { Err(Loss::Corrupt) }
        })?
    }
}

/// What git says, as our error.
pub(super) fn git_error(error: git2::Error) -> Error {
    Error::Git { message: error.message().to_owned() }
}

/// A full object id in hexadecimal.
pub(super) fn parse_hex(hex: &[u8]) -> Option<ObjectId> {
    if hex.len() != 40 {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut id = [0; 20];
    for (byte, pair) in id.iter_mut().zip(hex.chunks_exact(2)) {
        *byte = match pair {
            [high, low] => digit(*high)? << 4 | digit(*low)?,
            _ => return None,
        };
    }
    Some(ObjectId(id))
}

/// Our name of a git2 id.
pub(super) fn object_id(id: Oid) -> Option<ObjectId> {
    id.as_bytes().try_into().ok().map(ObjectId)
}

/// `path` names a folder below which `name` exists, whatever it is.
pub(super) fn is_there(path: &Path, name: &str) -> bool {
    path.join(name).symlink_metadata().is_ok()
}

fn oid(id: ObjectId) -> Result<Oid, Loss> {
    Oid::from_bytes(&id.0).map_err(|_| Loss::Corrupt)
}

fn loss(error: &git2::Error) -> Loss {
    match (error.code(), error.class()) {
        // A store that has run out of file descriptors says the same, so this is no proof.
        (ErrorCode::NotFound, _) => Loss::Missing,
        (ErrorCode::Locked, ErrorClass::Os) => Loss::Permission,
        _ => Loss::Corrupt,
    }
}
