//! What the repository says beside its documents, read before the ledger is made: what trees set,
//! what they pin, and what became of the things that claims refer to.

mod cited;
mod sections;

use std::collections::HashMap;

use crate::cache::Cache;
use crate::documents::{Format, Lines};
use crate::extract::{self, Statements};
use crate::forge::Events;
use crate::history::{
    BlobId, Caveat, CommitId, Error, FileSource, Files, History, PerBlob, Progress, Repository,
};
use crate::ledger::World;
use crate::ledger::citations::{Citation, Citations};
use crate::ledger::exposure::{self, Hits, Search, Traces};
use crate::ledger::pins::Pins;
use crate::lineage::Lineages;
use crate::rules::RuleSet;
use crate::scope::{Globs, Pinning, Settings};

/// Marks the kind of a file that is one of the documents.
const DOCUMENT: u8 = 1 << 7;

/// All that was read before.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub(crate) repo: &'a Repository,
    pub(crate) history: &'a History,
    pub(crate) statements: &'a PerBlob<Statements>,
    pub(crate) lineages: &'a Lineages,
    pub(crate) rules: &'a RuleSet,
    pub(crate) globs: &'a Globs,
    pub(crate) events: &'a Events,
    /// Bytes of documents that may be read for the sections to which claims refer.
    pub(crate) citation_bytes: usize,
    pub(crate) jobs: usize,
    pub(crate) progress: &'a dyn Progress,
    /// Where answers are kept, and the digest of how documents are read.
    pub(crate) cache: Option<(&'a Cache, &'a [u8])>,
}

/// What the trees at which claims were last tested say of the pitfalls' triggers, and what of them
/// could not be read.
pub(crate) fn traces(
    sources: Sources<'_>,
    search: &Search,
    world: &World,
) -> Result<(Traces, Vec<Caveat>), Error> {
    let Sources {
        repo, history, lineages, statements, rules, globs, jobs, progress, cache, ..
    } = sources;
    let commits = exposure::commits(history, lineages, world);
    let said = history.by_object(statements);
    let answers =
        cache.map(|(cache, reading)| cache.answers(history, reading, search.question().as_bytes()));
    // Whether it is one of the documents decides how it is searched.
    let name = |file: &FileSource<'_>| {
        let is_document = said.contains_key(&(file.oid, file.kind));
        (file.oid, if is_document { file.kind | DOCUMENT } else { file.kind })
    };
    let known = |file: &FileSource<'_>| -> Option<Hits> {
        postcard::from_bytes(answers.as_ref()?.get(name(file))?).ok()
    };
    let find = |file: &FileSource<'_>, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        match said.get(&(file.oid, file.kind)) {
            Some(said) if Format::of_tag(file.kind) == Some(Format::Script) => {
                search.script(&text, Some(said))
            }
            Some(said) => search.document(&text, said),
            None => search.script(&text, None),
        }
    };
    let read = |file: &FileSource<'_>, bytes: &[u8]| {
        let hits = find(file, bytes);
        if let (Some(answers), Ok(answer)) = (&answers, postcard::to_stdvec(&hits)) {
            answers.learn(name(file), answer);
        }
        hits
    };
    let files = {
        let selection = Settings::new(rules, globs);
        repo.rest_of_files_at(history, &commits, &selection, jobs, progress, known, read)?
    };
    if let Some(answers) = answers {
        answers.keep();
    }
    let mut traces = Traces::default();
    let unread = each_file(&files, &commits, |commit, path, hits| traces.add(commit, path, hits));
    Ok((traces, unread))
}

/// What the trees pin of the versions and settings that claims name.
pub(crate) fn pins(sources: Sources<'_>) -> Result<Pins, Error> {
    let Sources { repo, history, lineages, rules, globs, jobs, progress, .. } = sources;
    let (mut pins, names, mut commits) = Pins::new(lineages, rules);
    if names.is_empty() {
        return Ok(pins);
    }
    commits.push(history.head());
    let read =
        |_: &FileSource<'_>, bytes: &[u8]| names.pins(&String::from_utf8_lossy(bytes), rules);
    let selection = Pinning::new(rules, globs);
    let files = repo.files_at(history, &commits, &selection, jobs, progress, read)?;
    each_file(&files, &commits, |commit, path, found| pins.add(commit, path, found));
    Ok(pins)
}

/// What became of the things that claims refer to, and what of it was too much to look up.
pub(crate) fn citations(sources: Sources<'_>) -> Result<(Citations, Option<Caveat>), Error> {
    let Sources { repo, history, lineages, statements, rules, jobs, progress, .. } = sources;
    let claims_of = |blob| statements.get(blob).map_or(&[][..], |said| &said.claims);
    let mut documents = history.documents_at(history.head());
    documents.retain(|(_, blob)| !claims_of(*blob).is_empty());
    let mut blobs: Vec<BlobId> = documents.iter().map(|(_, blob)| *blob).collect();
    blobs.sort_unstable();
    blobs.dedup();
    let read = |blob: BlobId, bytes: &[u8]| {
        // Lines of other encodings cannot be cut out of these bytes.
        let claims = if bytes.contains(&0) { &[] } else { claims_of(blob) };
        let text = String::from_utf8_lossy(bytes);
        let lines: Vec<&str> = text.lines().collect();
        let linked = |own: Lines| {
            let (start, end) = (own.start as usize, own.end as usize);
            let own = lines.get(start.saturating_sub(1)..end.min(lines.len())).unwrap_or_default();
            extract::linked(&own.join("\n"), rules)
        };
        // A line may hold any number of claims.
        let mut known = HashMap::new();
        let of = |claim: &extract::Claim| {
            let at = (claim.lines.start, claim.lines.end);
            let linked = known.entry(at).or_insert_with(|| linked(claim.lines));
            (claim.lines.start, claim.key, extract::references(claim, linked, rules))
        };
        let found = claims.iter().map(of).filter(|(.., references)| !references.is_empty());
        found.collect::<Vec<_>>()
    };
    let told = repo.read_again(history, &blobs, jobs, progress, read)?;
    let mut found = HashMap::new();
    for (path, blob) in documents {
        let told = blobs.binary_search(&blob).ok().and_then(|at| told.get(at)?.as_ref());
        for (line, key, references) in told.into_iter().flatten() {
            found.insert((history.path(path).to_owned(), *line, *key), references.clone());
        }
    }
    let mut resolver = cited::Resolver::new(sources);
    let mut citations = Citations::default();
    for claim in &lineages.claims {
        let at = (claim.path.clone(), claim.claim.lines.start, claim.claim.key);
        let references = found.remove(&at).unwrap_or_default().into_iter();
        let resolved = references.map(|reference| {
            let standing = resolver.standing(claim, &reference);
            Citation { reference, standing }
        });
        citations.add(claim, resolved.collect());
    }
    Ok((citations, resolver.caveat()))
}

/// Hands over what was made of each file wherever it stands. Gives what could not be read.
fn each_file<T>(
    files: &Files<T>,
    commits: &[CommitId],
    mut add: impl FnMut(CommitId, &str, &T),
) -> Vec<Caveat> {
    for commit in commits {
        for (path, made) in files.at(*commit) {
            if let Some(made) = made {
                add(*commit, path, made);
            }
        }
    }
    files.caveats().to_vec()
}
