//! Signs that git shows another history than was committed, or that not all of it was fetched.

use std::fs;
use std::io::{BufRead, BufReader};

use super::caveats::Unseen;
use super::references::References;
use super::resolve::any_file;
use super::store::is_there;
use super::{Caveat, Repository};

impl Repository {
    /// Notes replacements and grafts: they are not obeyed here, so git may show something else.
    pub(super) fn note_rewrites(&self, unseen: &mut Unseen) {
        let common = &self.place.common_dir;
        if any_file(&common.join("refs/replace")) || self.is_packed("refs/replace/") {
            let say =
                "git replace is in use; the original commits are audited, not the replacements";
            unseen.add("replace-refs", say, "refs/replace".to_owned());
        }
        let grafts = common.join("info/grafts");
        if fs::metadata(&grafts).is_ok_and(|file| file.len() > 0) {
            let say = "a graft file is there; the parents that were committed are audited, not the grafts";
            unseen.add("grafts", say, "info/grafts".to_owned());
        }
    }

    /// Tells missing objects of a partial clone from damage.
    pub(super) fn note_partial_clone(&self, caveats: &mut Vec<Caveat>) {
        let missing = caveats.iter().any(|caveat| caveat.code == "missing-object");
        if missing && self.is_partial_clone() {
            caveats.push(partial_clone());
        }
    }

    /// Whether objects were left out on purpose when this was cloned.
    pub(super) fn is_partial_clone(&self) -> bool {
        let packs = fs::read_dir(self.place.common_dir.join("objects/pack"));
        let promised =
            packs.into_iter().flatten().flatten().any(|entry| {
                entry.path().extension().is_some_and(|extension| extension == "promisor")
            });
        promised || self.has_promisor()
    }

    fn has_promisor(&self) -> bool {
        let config = match self.references {
            References::Git => self.inner.config(),
            References::Files => git2::Config::open(&self.place.common_dir.join("config")),
        };
        let Ok(config) = config else {
            return false;
        };
        let promisor = r"^(remote\..*\.promisor|extensions\.partialclone)$";
        let Ok(mut entries) = config.entries(Some(promisor)) else {
            return false;
        };
        entries.next().is_some_and(|entry| entry.is_ok())
    }

    fn is_packed(&self, prefix: &str) -> bool {
        let file = self.place.common_dir.join("packed-refs");
        if !is_there(&self.place.common_dir, "packed-refs") || !file.is_file() {
            return false;
        }
        let Ok(file) = fs::File::open(file) else {
            return false;
        };
        BufReader::new(file)
            .split(b'\n')
            .map_while(Result::ok)
            .any(|line| line.get(41..).is_some_and(|name| name.starts_with(prefix.as_bytes())))
    }
}

pub(super) fn partial_clone() -> Caveat {
    let message =
        "this is a partial clone: objects that were not fetched could not be read".to_owned();
    Caveat { code: "partial-clone", message }
}
