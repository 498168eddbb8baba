//! Audits the result claims of a git repository against its own history.
//!
//! The pipeline is the function [`audit`]: walk, read, extract, trace, look for exposure, judge.
//! What each word means is said where its type is made.

pub mod arithmetic;
mod cache;
pub mod checks;
pub mod cli;
pub mod compare;
pub mod config;
pub mod documents;
pub mod extract;
pub mod forge;
mod gather;
pub mod history;
pub mod ledger;
pub mod lineage;
pub mod report;
pub mod rules;
mod scope;
pub mod suppress;
pub mod texts;
pub mod verdict;

use std::sync::{Mutex, PoisonError};

use checks::{Check, Confidence};
use documents::Format;
use extract::{Parts, RetestNote, Statements};
use forge::Events;
use history::{
    BlobSource, Caveat, CommitId, History, ObjectId, PerBlob, Progress, Repository, Scope,
};
use ledger::exposure::Search;
use ledger::{Ledger, World};
use rules::RuleSet;
use verdict::Audit;

pub use cache::Cache;
pub use scope::{GlobError, Globs};

/// What to audit and how thoroughly.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The audited commit.
    pub rev: ObjectId,
    /// Narrows the documents that the rule packs choose.
    pub globs: &'a Globs,
    /// Go on where the history is cut off, and say what that hides.
    pub allow_shallow: bool,
    /// What a forge knows of pull requests.
    pub events: &'a Events,
    /// Threads; the result does not depend on it.
    pub jobs: usize,
    /// Confidence from which a reason makes a lead.
    pub threshold: Confidence,
    /// Bounds on what is read.
    pub limits: history::Limits,
    /// Where what documents said is kept from one audit to the next; the result does not depend on it.
    pub cache: Option<&'a Cache>,
}

impl Options<'_> {
    /// What an audit of a commit does where nothing else is asked for: all documents, one thread, no
    /// cache.
    pub fn new(rev: ObjectId) -> Self {
        static ALL: Globs = Globs::ALL;
        static NONE: Events = Events::NONE;
        Self {
            rev,
            globs: &ALL,
            allow_shallow: false,
            events: &NONE,
            jobs: 1,
            threshold: verdict::DEFAULT_THRESHOLD,
            limits: history::Limits::default(),
            cache: None,
        }
    }
}

/// Judges every claim that stands at the audited commit.
///
/// The same history, rules, options and checks give the same audit: no clock, no network, no
/// environment.
///
/// # Errors
/// Says why the history could not be read.
pub fn audit(
    repo: &Repository,
    options: &Options<'_>,
    rules: &RuleSet,
    checks: &[&dyn Check],
    progress: &dyn Progress,
) -> Result<Audit, history::Error> {
    let (history, statements) = read(repo, options, rules, progress)?;
    judge(repo, &history, &statements, options, rules, checks, progress)
}

/// The audits before and after a change.
#[derive(Debug)]
pub struct Change {
    /// At the merge base: the newest commit that the change and the base have in common.
    pub before: Audit,
    /// At the audited commit.
    pub after: Audit,
}

/// Judges every claim at the audited commit and at the commit where it left `base`.
///
/// The history is walked and its documents are read once, for both. What the change did is
/// [`compare::compare`]'s to tell, once the audits are narrowed to what is asked for.
///
/// # Errors
/// Says why the history could not be read, or that the two commits have none in common.
pub fn audit_change(
    repo: &Repository,
    base: ObjectId,
    options: &Options<'_>,
    rules: &RuleSet,
    checks: &[&dyn Check],
    progress: &dyn Progress,
) -> Result<Change, history::Error> {
    let (history, statements) = read(repo, options, rules, progress)?;
    let bases = repo.merge_bases(&history, base)?;
    let newest = bases.last().copied().unwrap_or(history.head());
    let earlier = history.at(newest)?;
    let before = judge(repo, &earlier, &statements, options, rules, checks, progress)?;
    let mut after = judge(repo, &history, &statements, options, rules, checks, progress)?;
    if newest == history.head() {
        let message = format!("{base} contains the audited commit: there is no change to tell of");
        after.caveats.push(Caveat { code: "no-change", message });
    }
    if bases.len() > 1 {
        let message = format!(
            "the audited commit and {base} have {} newest common ancestors: what changed is told since {}",
            bases.len(),
            before.rev
        );
        after.caveats.push(Caveat { code: "several-merge-bases", message });
    }
    after.caveats.sort();
    Ok(Change { before, after })
}

/// Walks the history and reads every distinct document in it.
fn read(
    repo: &Repository,
    options: &Options<'_>,
    rules: &RuleSet,
    progress: &dyn Progress,
) -> Result<(History, PerBlob<Statements>), history::Error> {
    let documents = scope::Documents::new(rules, options.globs);
    let history = repo.walk(&Scope {
        rev: options.rev,
        selection: &documents,
        allow_shallow: options.allow_shallow,
        jobs: options.jobs,
        progress,
        limits: options.limits,
    })?;
    let Some(cache) = options.cache else {
        let memo = extract::Memo::new(rules);
        let statements = repo.read_each(&history, options.jobs, progress, |source, bytes| {
            understand(&memo, source, bytes).map(|parts| parts.statements())
        })?;
        let statements = statements.understood(&history);
        return Ok((history, statements));
    };
    let shelf = cache.open(&history, &reading(rules, options));
    if shelf.is_damaged() {
        progress.note("the cache is damaged: what it lost is read again");
    }
    let memo = extract::Memo::knowing(rules, shelf.named());
    let learned = Mutex::new(Vec::new());
    let known = |source: &BlobSource<'_>| {
        let outcome = shelf.document((source.oid, source.kind))?;
        Some(outcome.as_ref().map(Parts::statements).map_err(String::clone))
    };
    let statements = repo.read_rest(&history, options.jobs, progress, known, |source, bytes| {
        let outcome = understand(&memo, source, bytes);
        let statements = outcome.as_ref().map(Parts::statements).map_err(String::clone);
        let mut learned = learned.lock().unwrap_or_else(PoisonError::into_inner);
        learned.push(((source.oid, source.kind), outcome));
        statements
    })?;
    shelf.keep(learned.into_inner().unwrap_or_else(PoisonError::into_inner));
    let statements = statements.understood(&history);
    Ok((history, statements))
}

/// What a document says, or why it cannot be understood.
fn understand(
    memo: &extract::Memo<'_>,
    source: &BlobSource<'_>,
    bytes: &[u8],
) -> Result<Parts, String> {
    let document = parse(source, bytes);
    match document.problems.first() {
        Some(problem) if !document.is_text() => Err(problem.clone()),
        _ => Ok(memo.parts(&document)),
    }
}

/// All that decides what is made of a document beside the program and the document.
fn reading(rules: &RuleSet, options: &Options<'_>) -> Vec<u8> {
    let mut reading = rules.digest().to_vec();
    reading.extend((options.limits.document_bytes as u64).to_le_bytes());
    reading
}

/// Judges the claims at the last commit of a history.
fn judge(
    repo: &Repository,
    history: &History,
    statements: &PerBlob<Statements>,
    options: &Options<'_>,
    rules: &RuleSet,
    checks: &[&dyn Check],
    progress: &dyn Progress,
) -> Result<Audit, history::Error> {
    let lineages = lineage::trace(history, statements, &retest_notes(history, rules));
    let limit = options.limits.pairs;
    if lineages.claims.len().saturating_mul(lineages.pitfalls.len()) > limit {
        let what = "pairs of claims and pitfalls";
        return Err(history::Error::Limit { what, limit: limit as u64 });
    }
    let world = World::new(&lineages, rules);
    let search = Search::new(&lineages, &world, &rules.negation);
    let reading = reading(rules, options);
    let sources = gather::Sources {
        repo,
        history,
        statements,
        lineages: &lineages,
        rules,
        globs: options.globs,
        events: options.events,
        citation_bytes: options.limits.citation_bytes,
        jobs: options.jobs,
        progress,
        cache: options.cache.map(|cache| (cache, reading.as_slice())),
    };
    let (traces, unread) = gather::traces(sources, &search, &world)?;
    let (citations, unsought) = gather::citations(sources)?;
    let pins = gather::pins(sources)?;
    let ledger = Ledger::new(history, statements, &lineages, &search, &traces, &rules.weights)
        .with(&citations, &pins, &world);
    let packs = rules.packs().iter().map(|pack| format!("{}@{}", pack.id, pack.version));
    let mut audit = verdict::judge(&ledger, checks, options.threshold, packs.collect());
    audit.remote = repo.remote();
    audit.caveats.extend(unread);
    audit.caveats.extend(unsought);
    audit.caveats.extend(unreadable(history, statements));
    audit.caveats.sort();
    audit.caveats.dedup();
    Ok(audit)
}

fn parse(source: &BlobSource<'_>, bytes: &[u8]) -> documents::Document {
    let format = Format::of_tag(source.kind).unwrap_or(Format::PlainText);
    documents::parse(format, bytes)
}

/// What the commit messages say of retests, in the order of their commits.
fn retest_notes(history: &History, rules: &RuleSet) -> Vec<(CommitId, RetestNote)> {
    (0..)
        .map(CommitId)
        .zip(history.commits())
        .flat_map(|(id, commit)| {
            extract::retests(&commit.message, rules).into_iter().map(move |note| (id, note))
        })
        .collect()
}

/// What of the audited commit's documents could not be read.
fn unreadable(history: &History, statements: &PerBlob<Statements>) -> Vec<Caveat> {
    let documents = history.documents_at(history.head());
    let problems = documents.into_iter().filter_map(|(path, blob)| {
        let problems = &statements.get(blob)?.problems;
        let first = problems.first()?;
        let more = match problems.len() {
            1 => String::new(),
            all => format!(", and {} more", all - 1),
        };
        let message = format!("{}: {first}{more}", history.path(path));
        Some(Caveat { code: "unreadable-document", message })
    });
    problems.collect()
}
