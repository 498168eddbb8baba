//! Which claims a commit message's note of a retest is about.
//!
//! A note retests what it names, not the repository at large. Words that many claims share name
//! nothing. A note that names nothing at all ("rerun all benchmarks") counts through the numbers that
//! its commit changed, which are retests by themselves: a number that was really measured again
//! hardly ever comes out the same to the last digit.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher, BuildHasherDefault, Hash};

use xxhash_rust::xxh3::Xxh3Default;

use super::origin::Traced;
use super::{How, Lineage, Retest, Sighting, id};
use crate::extract::{Claim, Quantity, RetestNote, Statements};
use crate::history::{BlobId, CommitId, History, PathId, PerBlob};

/// A word or name in more claims than this, or than the share below, is common.
const RARE: usize = 5;
/// One in so many claims.
const RARE_SHARE: usize = 8;
/// So much of what a note says must be about the claim where only words speak for it.
const WORD_SHARE: f64 = 0.4;

/// Adds to each claim the notes of commit messages that retest it.
pub(super) fn attach(
    history: &History,
    statements: &PerBlob<Statements>,
    notes: &[(CommitId, RetestNote)],
    index: &Index,
    claims: &mut [Traced],
) {
    let mut at_commit: Option<(CommitId, Places)> = None;
    for (commit, note) in notes {
        for (position, how) in index.named_by(note, claims) {
            let Some(traced) = claims.get_mut(position) else {
                continue;
            };
            if !history.is_ancestor(traced.first_tested, *commit) {
                continue;
            }
            if at_commit.as_ref().is_none_or(|(known, _)| known != commit) {
                at_commit = Some((*commit, places(history, statements, *commit)));
            }
            let Some((_, places)) = &at_commit else {
                continue;
            };
            let Some(seen) = stands(history, statements, places, traced) else {
                continue;
            };
            let retest = Retest { commit: *commit, how, words: note.text.clone(), seen: None };
            tested(history, &mut traced.lineage, retest, Sighting { commit: *commit, ..seen });
        }
    }
}

/// Adds a retest, and moves the last test to where it is seen if that is newer.
pub(super) fn tested(history: &History, lineage: &mut Lineage, retest: Retest, seen: Sighting) {
    if history.is_ancestor(lineage.last_tested.commit, seen.commit) {
        lineage.last_tested = seen;
    }
    lineage.retests.push(retest);
}

/// Puts the retests of each claim in order; one of a kind for each commit.
pub(super) fn in_order(claims: &mut [Traced]) {
    for traced in claims {
        let retests = &mut traced.lineage.retests;
        retests.sort_by(|a, b| (a.commit, a.how, &a.words).cmp(&(b.commit, b.how, &b.words)));
        retests.dedup_by_key(|retest| (retest.commit, retest.how));
    }
}

/// Two lists of `name=value` terms hold the same name with different values only.
pub fn conflict(a: &[String], b: &[String]) -> bool {
    let values = |terms: &[String], name: &str| -> BTreeSet<String> {
        let parts = terms.iter().filter_map(|term| term.split_once('='));
        parts.filter(|(own, _)| *own == name).map(|(_, value)| value.to_owned()).collect()
    };
    a.iter().filter_map(|term| term.split_once('=')).any(|(name, _)| {
        let (left, right) = (values(a, name), values(b, name));
        !right.is_empty() && left.is_disjoint(&right)
    })
}

/// Fixed seed: the order of claims with equal evidence must not differ between runs.
type Seedless = BuildHasherDefault<Xxh3Default>;

fn hash(name: impl Hash) -> u64 {
    Seedless::default().hash_one(name)
}

/// The rare words, names and numbers of the claims, and who holds each.
pub(super) struct Index {
    words: HashMap<u64, Vec<usize>>,
    names: HashMap<u64, Vec<usize>>,
    terms: HashMap<u64, Vec<usize>>,
    values: HashMap<u64, Vec<usize>>,
    claims: usize,
}

impl Index {
    pub(super) fn new(claims: &[Traced]) -> Self {
        let mut index = Self {
            words: HashMap::new(),
            names: HashMap::new(),
            terms: HashMap::new(),
            values: HashMap::new(),
            claims: claims.len(),
        };
        for (at, traced) in claims.iter().enumerate() {
            let claim = &traced.lineage.claim;
            for word in &claim.words {
                index.words.entry(*word).or_default().push(at);
            }
            for name in distinct(claim.identifiers.iter().map(|name| name.to_lowercase())) {
                index.names.entry(hash(name)).or_default().push(at);
            }
            for term in distinct(claim.terms.iter().cloned()) {
                index.terms.entry(hash(term)).or_default().push(at);
            }
            for value in distinct(claim.values.iter().filter_map(telling)) {
                index.values.entry(hash(value)).or_default().push(at);
            }
        }
        index
    }

    fn rare<'a>(&self, holders: &'a HashMap<u64, Vec<usize>>, key: u64) -> &'a [usize] {
        let most = RARE.max(self.claims / RARE_SHARE);
        holders.get(&key).filter(|all| all.len() <= most).map_or(&[], Vec::as_slice)
    }

    pub(super) fn named_by(&self, note: &RetestNote, claims: &[Traced]) -> Vec<(usize, How)> {
        if note.trailer && refutes(&note.text) {
            return Vec::new();
        }
        if note.trailer {
            let exact = |traced: &Traced| in_so_many_words(note, traced);
            let Some(best) = claims.iter().filter_map(exact).max() else {
                return Vec::new();
            };
            let meant = (0..).zip(claims).filter(|(_, traced)| exact(traced) == Some(best));
            return meant.map(|(at, _)| (at, How::Trailer)).collect();
        }
        let named = self.voted(note, claims, Votes::name);
        named.into_iter().map(|at| (at, How::Message)).collect()
    }

    /// The claims that a sentence of a document names.
    pub(super) fn named_in_text(&self, note: &RetestNote, claims: &[Traced]) -> Vec<usize> {
        self.voted(note, claims, Votes::name_in_text)
    }

    /// The claims of which a note names rare things, as `enough` finds them to be.
    fn voted(
        &self,
        note: &RetestNote,
        claims: &[Traced],
        enough: fn(&Votes, &RetestNote, &Claim, usize) -> bool,
    ) -> Vec<usize> {
        let mut votes: BTreeMap<usize, Votes> = BTreeMap::new();
        for word in &note.words {
            for at in self.rare(&self.words, *word) {
                votes.entry(*at).or_default().words += 1;
            }
        }
        for name in distinct(note.identifiers.iter().map(|name| name.to_lowercase())) {
            for at in self.rare(&self.names, hash(name)) {
                votes.entry(*at).or_default().names += 1;
            }
        }
        for value in distinct(note.values.iter().filter_map(telling)) {
            for at in self.rare(&self.values, hash(value)) {
                votes.entry(*at).or_default().values += 1;
            }
        }
        for term in distinct(note.terms.iter().cloned()) {
            for at in self.rare(&self.terms, hash(term)) {
                votes.entry(*at).or_default().terms += 1;
            }
        }
        let said = note.words.iter().filter(|word| self.words.contains_key(word)).count();
        let named = votes.into_iter().filter(|(at, votes)| {
            let claim = claims.get(*at).map(|traced| &traced.lineage.claim);
            claim.is_some_and(|claim| {
                !conflict(&note.terms, &claim.terms) && enough(votes, note, claim, said)
            })
        });
        named.map(|(at, _)| at).collect()
    }
}

/// What a note and a claim have in common, rare things only.
#[derive(Default)]
struct Votes {
    words: usize,
    names: usize,
    terms: usize,
    values: usize,
}

impl Votes {
    /// The same for a sentence of a document, which may be about anything: a name alone is not enough,
    /// most of its words must be the claim's too.
    fn name_in_text(&self, note: &RetestNote, claim: &Claim, said: usize) -> bool {
        self.name(note, claim, said) && self.words as f64 >= WORD_SHARE * note.words.len() as f64
    }

    /// A name or a number with anything beside it, all conditions of the note, or most of its words.
    fn name(&self, note: &RetestNote, claim: &Claim, said: usize) -> bool {
        let kinds = [self.words, self.names, self.terms, self.values];
        let supported = kinds.iter().filter(|count| **count > 0).count() > 1;
        let conditions = || note.terms.iter().all(|term| claim.terms.contains(term));
        (supported && (self.names > 0 || self.values > 0))
            || (self.terms > 0 && conditions())
            || (self.words > 1 && self.words as f64 >= WORD_SHARE * said as f64)
    }
}

/// A number that can hardly be equal by chance: three digits or more.
fn telling(value: &Quantity) -> Option<(String, String)> {
    let digits = value.number.trim_start_matches(['-', '0', '.']).trim_end_matches('0');
    let enough = digits.chars().filter(char::is_ascii_digit).count() >= 3;
    enough.then(|| (value.number.clone(), value.unit.clone()))
}

/// How exactly a trailer names a claim: by id or whole subject, by a part of it, by its conditions.
/// Only the claims that are named most exactly are meant.
fn in_so_many_words(note: &RetestNote, traced: &Traced) -> Option<u8> {
    let text = note.text.to_lowercase();
    let text = text.trim();
    let text = text.strip_prefix("retest:").unwrap_or(text).trim();
    let claim = &traced.lineage.claim;
    let (said, subject) = (plain(text), plain(&claim.subject));
    let by_id = traced.all_keys().any(|key| text.contains(&id::plain_claim_id(*key)));
    let within = |part: &str, whole: &str| {
        part.contains(' ') && format!(" {whole} ").contains(&format!(" {part} "))
    };
    let shares_word = |word: &u64| claim.words.binary_search(word).is_ok();
    if by_id || said == subject {
        Some(3)
    } else if within(&subject, &said) || within(&said, &subject) {
        Some(2)
    } else {
        let conditions = !note.terms.is_empty() && note.terms == claim.terms;
        (conditions && note.words.iter().any(shares_word)).then_some(1)
    }
}

/// Whether a trailer records that the claim it names by id did not hold, `c-1f3a9c20 fail`: that
/// makes no evidence of a claim which still stands there. Another result in its place does.
fn refutes(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix("Retest:").unwrap_or(text);
    let mut words = text.split_whitespace();
    let by_id = words.next().is_some_and(|word| word.starts_with("c-") && word.len() == 10);
    by_id && words.next().is_some_and(|word| word.eq_ignore_ascii_case("fail"))
}

fn plain(text: &str) -> String {
    let words =
        text.split(|c: char| !c.is_alphanumeric() && c != '.').filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

fn distinct<T: Ord>(all: impl Iterator<Item = T>) -> BTreeSet<T> {
    all.collect()
}

/// Where each claim key stands in one commit's tree.
type Places = HashMap<u64, (PathId, BlobId, usize)>;

fn places(history: &History, statements: &PerBlob<Statements>, commit: CommitId) -> Places {
    let mut documents = history.documents_at(commit);
    documents.sort_by(|a, b| history.path(a.0).cmp(history.path(b.0)));
    let mut places = Places::new();
    for (path, blob) in documents {
        let claims = statements.get(blob).map_or(&[][..], |said| said.claims.as_slice());
        for (index, claim) in claims.iter().enumerate() {
            places.entry(claim.key).or_insert((path, blob, index));
        }
    }
    places
}

fn stands(
    history: &History,
    statements: &PerBlob<Statements>,
    places: &Places,
    traced: &Traced,
) -> Option<Sighting> {
    let (path, blob, index) = traced.all_keys().find_map(|key| places.get(key))?;
    let claim = statements.get(*blob)?.claims.get(*index)?;
    Some(Sighting { commit: CommitId(0), path: history.path(*path).to_owned(), lines: claim.lines })
}
