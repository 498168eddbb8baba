//! Packs put together: each extends, disables and overrides what stands before it, by name.

use std::collections::{BTreeMap, BTreeSet};

use super::error::{Error, Location, nearest};
use super::form::{CitationSpec, FormSpec};
use super::schema::{
    CueSpec, GuardSpec, HedgeSpec, PackFile, PackHead, PitfallSpec, RetestSpec, SignSpec,
    SubjectSpec, TriggerSpec,
};
use super::source::Source;

/// Rules that all further packs together may have.
const RULES_LIMIT: usize = 2_000;

/// Tokens that a guard may look ahead or back.
const TOKENS_LIMIT: u32 = 100;

/// A pack as read, in files.
pub(super) struct Pack {
    pub(super) files: Vec<(String, PackFile)>,
    /// Its files' words; a built-in pack's are read where they are needed.
    pub(super) sources: Vec<Source>,
    pub(super) built_in: bool,
}

/// Where a rule or a guard comes from.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    /// Place in the packs that are in force.
    pub(super) pack: usize,
    pub(super) file: String,
}

/// All packs as one.
#[derive(Default)]
pub(super) struct Merged {
    pub(super) files: Vec<(String, PackFile)>,
    pub(super) heads: Vec<PackHead>,
    pub(super) rules: BTreeMap<String, Origin>,
    pub(super) guards: BTreeMap<String, Origin>,
    /// How many of the packs come with the program; they stand first.
    pub(super) built_in: usize,
}

/// What has an id and may be overridden.
trait Entry {
    const GUARD: bool = false;
    fn id(&self) -> &str;
    fn overrides(&self) -> bool;
    /// The key of its missing example.
    fn unproven(&self) -> Option<&'static str>;
}

macro_rules! entries {
    ($($spec:ty),*) => {$(
        impl Entry for $spec {
            fn id(&self) -> &str {
                &self.id
            }
            fn overrides(&self) -> bool {
                self.r#override
            }
            fn unproven(&self) -> Option<&'static str> {
                if self.must_match.is_empty() {
                    Some("must_match")
                } else {
                    self.must_not_match.is_empty().then_some("must_not_match")
                }
            }
        }
    )*};
}

entries!(CueSpec, PitfallSpec, HedgeSpec, RetestSpec, SubjectSpec, SignSpec);
entries!(FormSpec, CitationSpec);

impl Entry for TriggerSpec {
    fn id(&self) -> &str {
        &self.id
    }
    fn overrides(&self) -> bool {
        self.r#override
    }
    fn unproven(&self) -> Option<&'static str> {
        if self.must_not_match.is_empty() {
            Some("must_not_match")
        } else {
            (self.must_match.is_empty() && !self.never).then_some("must_match")
        }
    }
}

impl Entry for GuardSpec {
    const GUARD: bool = true;
    fn id(&self) -> &str {
        &self.id
    }
    fn overrides(&self) -> bool {
        self.r#override
    }
    fn unproven(&self) -> Option<&'static str> {
        None
    }
}

/// Puts packs together, those that others extend first.
pub(super) fn merge(
    packs: &mut Vec<Pack>,
    known: &dyn Fn(&str) -> Option<Source>,
) -> Result<Merged, Error> {
    order(packs)?;
    let mut merged = Merged::default();
    for pack in packs.iter_mut() {
        merged.add(pack, known)?;
    }
    let further: usize =
        merged.rules.values().filter(|origin| origin.pack >= merged.built_in).count();
    if further > RULES_LIMIT {
        return Err(Error::TooMany { what: "rules", count: further, limit: RULES_LIMIT });
    }
    Ok(merged)
}

impl Pack {
    fn head(&self) -> Result<&PackHead, Error> {
        let mut heads = self.files.iter().filter_map(|(_, file)| file.pack.as_ref());
        let head = heads.next().ok_or_else(|| match self.sources.first() {
            Some(source) => Error::NoPack.at(source.start()),
            None => Error::NoPack,
        })?;
        match heads.next() {
            Some(second) => Err(self.blame(&second.id, Error::PackTwice { id: second.id.clone() })),
            None => Ok(head),
        }
    }

    /// An error at the last word of the pack's heads that says so.
    fn blame(&self, word: &str, error: Error) -> Error {
        let said = |path: &str, text: &str, is_key: bool| {
            !is_key && text == word && path.starts_with("pack.")
        };
        match self.sources.iter().rev().find_map(|source| source.find(said)) {
            Some(at) => error.at(at),
            None => error,
        }
    }
}

/// Orders packs so that each stands after those that it extends, and otherwise as they came.
fn order(packs: &mut Vec<Pack>) -> Result<(), Error> {
    let mut names = BTreeSet::new();
    for pack in packs.iter() {
        let head = pack.head()?;
        if !names.insert(head.id.clone()) {
            return Err(pack.blame(&head.id, Error::PackTwice { id: head.id.clone() }));
        }
    }
    let mut waiting = std::mem::take(packs);
    let mut placed = BTreeSet::new();
    while !waiting.is_empty() {
        let ready = waiting.iter().position(|pack| {
            pack.head().is_ok_and(|head| head.extends.iter().all(|id| placed.contains(id)))
        });
        let Some(at) = ready else {
            for pack in &waiting {
                let head = pack.head()?;
                if let Some(id) = head.extends.iter().find(|id| !names.contains(*id)) {
                    let nearest = nearest(id, names.iter().map(String::as_str)).map(str::to_owned);
                    return Err(pack.blame(id, Error::NoSuchPack { id: id.clone(), nearest }));
                }
            }
            let head = waiting[0].head()?;
            return Err(waiting[0].blame(&head.id, Error::Circle { id: head.id.clone() }));
        };
        let pack = waiting.remove(at);
        placed.insert(pack.head()?.id.clone());
        packs.push(pack);
    }
    Ok(())
}

impl Merged {
    fn add(
        &mut self,
        pack: &mut Pack,
        known: &dyn Fn(&str) -> Option<Source>,
    ) -> Result<(), Error> {
        let head = pack.head()?.clone();
        for id in &head.disable {
            if !self.disable(id) {
                let nearest = self.nearest(id);
                let error = Error::Nothing { id: id.clone(), verb: "disable", nearest };
                return Err(pack.blame(id, error));
            }
        }
        let number = self.heads.len();
        self.heads.push(head);
        self.built_in += usize::from(pack.built_in);
        for (name, mut file) in std::mem::take(&mut pack.files) {
            let source = pack.sources.iter().find(|source| source.file == name);
            let place = Place { name: &name, pack: number, source, sources: &pack.sources, known };
            for spec in &file.guards {
                let reach = [&spec.before_within, &spec.after_within];
                let tokens = reach.into_iter().flatten().map(|within| within.tokens).max();
                if let Some(count) = tokens.filter(|tokens| *tokens > TOKENS_LIMIT) {
                    let (count, limit) = (count as usize, TOKENS_LIMIT as usize);
                    let error = Error::TooMany { what: "tokens to look at", count, limit };
                    return Err(place.blame(&spec.id, true, error));
                }
            }
            self.join(&mut file, &place, |file| &mut file.guards)?;
            self.join(&mut file, &place, |file| &mut file.cues)?;
            self.join(&mut file, &place, |file| &mut file.pitfalls)?;
            self.join(&mut file, &place, |file| &mut file.triggers)?;
            self.join(&mut file, &place, |file| &mut file.hedges)?;
            self.join(&mut file, &place, |file| &mut file.retests)?;
            self.join(&mut file, &place, |file| &mut file.subjects)?;
            self.join(&mut file, &place, |file| &mut file.signs)?;
            self.join(&mut file, &place, |file| &mut file.forms)?;
            self.join(&mut file, &place, |file| &mut file.citations)?;
            self.files.push((name, file));
        }
        Ok(())
    }

    /// Takes in a list of a file: new entries stay in it, overriding ones go where the old stand.
    fn join<T: Entry>(
        &mut self,
        file: &mut PackFile,
        place: &Place<'_>,
        list: fn(&mut PackFile) -> &mut Vec<T>,
    ) -> Result<(), Error> {
        let mut kept = Vec::new();
        for spec in std::mem::take(list(file)) {
            let id = spec.id().to_owned();
            if let Some(key) = spec.unproven() {
                let error = Error::NoExample { id: id.clone(), key };
                return Err(place.blame(&id, T::GUARD, error));
            }
            let origins = if T::GUARD { &mut self.guards } else { &mut self.rules };
            let origin = Origin { pack: place.pack, file: place.name.to_owned() };
            let first = origins.get(&id).cloned();
            match first {
                None if spec.overrides() => {
                    let nearest = self.nearest(&id);
                    let error = Error::Nothing { id: id.clone(), verb: "override", nearest };
                    return Err(place.blame(&id, T::GUARD, error));
                }
                None => {
                    origins.insert(id, origin);
                    kept.push(spec);
                }
                Some(first) => {
                    let old = self
                        .files
                        .iter_mut()
                        .filter(|_| spec.overrides() && first.pack < place.pack)
                        .find_map(|(_, file)| list(file).iter_mut().find(|old| old.id() == id));
                    let Some(old) = old else {
                        let error = Error::Twice {
                            id: id.clone(),
                            first: place.first(&first, &id, T::GUARD),
                        };
                        return Err(place.blame_last(&id, T::GUARD, error));
                    };
                    *old = spec;
                    origins.insert(id, origin);
                }
            }
        }
        *list(file) = kept;
        Ok(())
    }

    /// Takes a rule away, or makes a guard object to nothing.
    fn disable(&mut self, id: &str) -> bool {
        let mut found = self.rules.remove(id).is_some();
        for (_, file) in &mut self.files {
            file.cues.retain(|spec| spec.id != id);
            file.pitfalls.retain(|spec| spec.id != id);
            file.triggers.retain(|spec| spec.id != id);
            file.hedges.retain(|spec| spec.id != id);
            file.retests.retain(|spec| spec.id != id);
            file.subjects.retain(|spec| spec.id != id);
            file.signs.retain(|spec| spec.id != id);
            file.forms.retain(|spec| spec.id != id);
            file.citations.retain(|spec| spec.id != id);
            for guard in file.guards.iter_mut().filter(|guard| guard.id == id) {
                *guard = GuardSpec { id: id.to_owned(), ..GuardSpec::default() };
                found = true;
            }
        }
        found
    }

    fn nearest(&self, id: &str) -> Option<String> {
        let known = self.rules.keys().chain(self.guards.keys()).map(String::as_str);
        nearest(id, known).map(str::to_owned)
    }
}

/// The file that is being taken in.
struct Place<'a> {
    name: &'a str,
    pack: usize,
    source: Option<&'a Source>,
    sources: &'a [Source],
    known: &'a dyn Fn(&str) -> Option<Source>,
}

impl Place<'_> {
    fn blame(&self, id: &str, guard: bool, error: Error) -> Error {
        match self.source.and_then(|source| source.id(id, guard)) {
            Some(at) => error.at(at),
            None => error,
        }
    }

    /// Blames the last entry of that name in the file: an earlier one may be the first of two.
    fn blame_last(&self, id: &str, guard: bool, error: Error) -> Error {
        match self.source.and_then(|source| source.last_id(id, guard)) {
            Some(at) => error.at(at),
            None => error,
        }
    }

    /// Where the first of two entries stands.
    fn first(&self, origin: &Origin, id: &str, guard: bool) -> Location {
        let own = self.sources.iter().find(|source| source.file == origin.file);
        own.and_then(|source| source.id(id, guard))
            .or_else(|| (self.known)(&origin.file)?.id(id, guard))
            .unwrap_or_else(|| Location { file: origin.file.clone(), line: 1, column: 1 })
    }
}
