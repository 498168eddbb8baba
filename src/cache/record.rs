//! What a record of the cache holds: documents, and those of their parts and statements that no record
//! before it holds.
//!
//! Everything that documents share is numbered through all records of a file. A number that leads
//! nowhere, since its record is damaged, makes what refers to it unknown. Lines are told by their
//! distance from the statement before, so that a shifted list is the same bytes and packs well.

use std::collections::HashMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::{DocumentName, Outcome, Shelf};
use crate::documents::Lines;
use crate::extract::{
    Assertion, Claim, Confirmation, Fingerprint, Mention, Part, Parts, Pitfall, Placed, Remark,
    Statements, Warning, Wording,
};
use crate::history::ObjectId;

/// Documents of one record.
const DOCUMENTS: usize = 256;

/// Bytes of a record when unpacked, far above what so many documents say.
const LARGEST: usize = 1 << 30;

/// So many statements with one key are compared with a new one, the latest first.
const ALIKE: usize = 8;

/// So many statements of one kind no file holds.
const MOST: usize = 1 << 27;

const CHECKSUM: usize = 16;

/// One record. The lists hold what is new in it; `first` are the numbers with which they begin.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Batch {
    first: [u64; 4],
    assertions: Vec<Arc<Assertion>>,
    warnings: Vec<Arc<Warning>>,
    wordings: Vec<Arc<Wording>>,
    parts: Vec<PartRecord>,
    documents: Vec<DocumentRecord>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct PartRecord {
    name: Option<[u8; 16]>,
    claims: Vec<ClaimRecord>,
    withdrawn: Vec<ClaimRecord>,
    pitfalls: Vec<Reference>,
    mentions: Vec<Reference>,
    confirmations: Vec<Confirmation>,
    signs: Vec<Placed>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ClaimRecord {
    claim: Reference,
    also: Vec<Lines>,
}

/// Where a statement stands, and its number.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Reference {
    /// Lines from the statement before.
    after: u32,
    /// Lines that it has more than one.
    length: u32,
    number: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct DocumentRecord {
    id: [u8; 20],
    kind: u8,
    read: Result<ReadRecord, String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ReadRecord {
    /// From which line each is counted, told from the one before, and its number.
    parts: Vec<(u32, u64)>,
    remarks: Vec<Remark>,
    code: Vec<Lines>,
    problems: Vec<String>,
}

/// Takes a record apart; `None` if it is not as it was written.
pub(super) fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (sum, packed) = bytes.split_at_checked(CHECKSUM)?;
    if xxh3_128(packed).to_le_bytes() != sum {
        return None;
    }
    let size = packed.get(..4)?.try_into().ok().map(u32::from_le_bytes)?;
    if size as usize > LARGEST {
        return None;
    }
    let plain = lz4_flex::block::decompress_size_prepended(packed).ok()?;
    postcard::from_bytes(&plain).ok()
}

/// A value as a record.
pub(super) fn pack(value: &impl Serialize) -> Option<Vec<u8>> {
    let packed = lz4_flex::block::compress_prepend_size(&postcard::to_stdvec(value).ok()?);
    let mut record = xxh3_128(&packed).to_le_bytes().to_vec();
    record.extend(packed);
    Some(record)
}

/// Documents as records that stand behind those that the numbers know.
pub(super) fn encode(documents: &[(DocumentName, Outcome)], mut known: Numbers) -> Vec<Vec<u8>> {
    known.expect(documents);
    let batches = documents.chunks(DOCUMENTS).filter_map(|documents| {
        let mut batch = known.begin();
        for ((id, kind), outcome) in documents {
            let read = outcome.as_ref().map_err(String::clone);
            let read = read.map(|parts| known.document(parts, &mut batch));
            batch.documents.push(DocumentRecord { id: id.0, kind: *kind, read });
        }
        pack(&batch)
    });
    batches.collect()
}

impl Shelf<'_> {
    /// Takes in what a record holds.
    pub(super) fn take(&mut self, batch: Batch) {
        let [assertions, warnings, wordings, parts] = batch.first;
        put(&mut self.assertions, assertions, batch.assertions);
        put(&mut self.warnings, warnings, batch.warnings);
        put(&mut self.wordings, wordings, sharing(batch.wordings));
        let found: Vec<_> = batch.parts.into_iter().map(|part| self.part(part)).collect();
        fill(&mut self.parts, parts, found);
        for DocumentRecord { id, kind, read } in batch.documents {
            let outcome = match read {
                Ok(read) => self.parts(read).map(Ok),
                Err(why) => Some(Err(why)),
            };
            if let Some(outcome) = outcome {
                self.documents.insert((ObjectId(id), kind), outcome);
            }
        }
    }

    fn part(&self, part: PartRecord) -> Option<Arc<Part>> {
        let PartRecord { name, claims, withdrawn, pitfalls, mentions, confirmations, signs } = part;
        let pitfall = |lines, number| {
            let what = get(&self.warnings, number)?;
            Some(Pitfall { lines, what })
        };
        let mention = |lines, number| {
            let wording = get(&self.wordings, number)?;
            Some(Mention { lines, wording })
        };
        let said = Statements {
            claims: self.claims(claims)?,
            withdrawn: self.claims(withdrawn)?,
            pitfalls: placed(&pitfalls, pitfall)?,
            mentions: placed(&mentions, mention)?,
            confirmations,
            signs,
            ..Statements::default()
        };
        Some(Arc::new(Part { name: name.map(Fingerprint), said }))
    }

    fn claims(&self, claims: Vec<ClaimRecord>) -> Option<Vec<Claim>> {
        let places: Vec<Reference> = claims.iter().map(|it| it.claim).collect();
        let mut also = claims.into_iter().map(|it| it.also);
        placed(&places, |lines, number| {
            let what = get(&self.assertions, number)?;
            Some(Claim { lines, also: also.next()?, what })
        })
    }

    fn parts(&self, read: ReadRecord) -> Option<Parts> {
        let mut base = 0_u32;
        let parts = read.parts.iter().map(|(after, number)| {
            base = base.wrapping_add(*after);
            Some((base, get(&self.parts, *number)?))
        });
        let list = parts.collect::<Option<_>>()?;
        let ReadRecord { remarks, code, problems, .. } = read;
        Some(Parts { list, remarks, code, problems })
    }
}

/// Statements at their places.
fn placed<T>(
    references: &[Reference],
    mut make: impl FnMut(Lines, u64) -> Option<T>,
) -> Option<Vec<T>> {
    let mut line = 0_u32;
    let statements = references.iter().map(|it| {
        line = line.wrapping_add(it.after);
        make(Lines { start: line, end: line.wrapping_add(it.length) }, it.number)
    });
    statements.collect()
}

fn references(statements: impl Iterator<Item = (Lines, u64)>) -> Vec<Reference> {
    let mut line = 0_u32;
    let references = statements.map(|(lines, number)| {
        let after = lines.start.wrapping_sub(line);
        line = lines.start;
        Reference { after, length: lines.end.wrapping_sub(lines.start), number }
    });
    references.collect()
}

/// Wordings of one block share what is around them: so they were when they were read.
fn sharing(mut wordings: Vec<Arc<Wording>>) -> Vec<Arc<Wording>> {
    let mut before: Option<Arc<[u64]>> = None;
    for wording in wordings.iter_mut().filter_map(Arc::get_mut) {
        match &before {
            Some(known) if *known == wording.around => wording.around = Arc::clone(known),
            _ => before = Some(Arc::clone(&wording.around)),
        }
    }
    wordings
}

fn get<T>(list: &[Option<Arc<T>>], number: u64) -> Option<Arc<T>> {
    list.get(usize::try_from(number).ok()?)?.clone()
}

fn put<T>(list: &mut Vec<Option<Arc<T>>>, first: u64, new: Vec<Arc<T>>) {
    fill(list, first, new.into_iter().map(Some).collect());
}

/// Puts values at the numbers from `first` on; records that are damaged leave a gap before it.
fn fill<T>(list: &mut Vec<Option<Arc<T>>>, first: u64, new: Vec<Option<Arc<T>>>) {
    // No file holds so much: a number like that is damage that a checksum missed.
    let Some(first) = usize::try_from(first).ok().filter(|first| *first <= MOST) else { return };
    if list.len() < first {
        list.resize_with(first, || None);
    }
    list.truncate(first);
    list.extend(new);
}

/// The numbers of all that a file holds, as far as new documents need them.
pub(super) struct Numbers {
    assertions: Numbered<Assertion>,
    warnings: Numbered<Warning>,
    wordings: Numbered<Wording>,
    parts: u64,
    by_name: HashMap<Fingerprint, u64>,
    by_place: HashMap<*const Part, u64>,
}

impl Numbers {
    /// Of what a shelf has.
    pub(super) fn of(shelf: &Shelf<'_>) -> Self {
        let numbered = (0_u64..).zip(&shelf.parts);
        let name = |(number, part): (u64, &Option<Arc<Part>>)| Some((part.as_ref()?.name?, number));
        Self {
            assertions: Numbered::new(&shelf.assertions),
            warnings: Numbered::new(&shelf.warnings),
            wordings: Numbered::new(&shelf.wordings),
            parts: shelf.parts.len() as u64,
            by_name: numbered.filter_map(name).collect(),
            by_place: HashMap::new(),
        }
    }

    /// Looks up which of what is known may be what these documents say.
    fn expect(&mut self, documents: &[(DocumentName, Outcome)]) {
        let parts = documents.iter().filter_map(|(_, outcome)| outcome.as_ref().ok());
        let parts = parts.flat_map(|parts| &parts.list).map(|(_, part)| part);
        let new = parts.filter(|part| part.name.is_none_or(|it| !self.by_name.contains_key(&it)));
        for Part { said, .. } in new.map(Arc::as_ref) {
            for claim in said.claims.iter().chain(&said.withdrawn) {
                self.assertions.wanted.entry(claim.key).or_default();
            }
            for pitfall in &said.pitfalls {
                self.warnings.wanted.entry(pitfall.key).or_default();
            }
            for mention in &said.mentions {
                self.wordings.wanted.entry(mention.wording.key).or_default();
            }
        }
        self.assertions.find(|it| it.key);
        self.warnings.find(|it| it.key);
        self.wordings.find(|it| it.key);
    }

    fn begin(&self) -> Batch {
        Batch {
            first: [self.assertions.next, self.warnings.next, self.wordings.next, self.parts],
            assertions: Vec::new(),
            warnings: Vec::new(),
            wordings: Vec::new(),
            parts: Vec::new(),
            documents: Vec::new(),
        }
    }

    fn document(&mut self, parts: &Parts, batch: &mut Batch) -> ReadRecord {
        let mut before = 0_u32;
        let parts_told = parts.list.iter().map(|(base, part)| {
            let after = base.wrapping_sub(before);
            before = *base;
            (after, self.part(part, batch))
        });
        ReadRecord {
            parts: parts_told.collect(),
            remarks: parts.remarks.clone(),
            code: parts.code.clone(),
            problems: parts.problems.clone(),
        }
    }

    fn part(&mut self, part: &Arc<Part>, batch: &mut Batch) -> u64 {
        let known = part.name.and_then(|name| self.by_name.get(&name));
        if let Some(number) = known.or_else(|| self.by_place.get(&Arc::as_ptr(part))) {
            return *number;
        }
        let number = self.parts;
        self.parts += 1;
        if let Some(name) = part.name {
            self.by_name.insert(name, number);
        } else {
            self.by_place.insert(Arc::as_ptr(part), number);
        }
        let Statements { claims, withdrawn, pitfalls, mentions, confirmations, signs, .. } =
            &part.said;
        let mut claims_of = |claims: &[Claim]| -> Vec<ClaimRecord> {
            let numbers = claims.iter().map(|it| {
                (it.lines, self.assertions.number(it.key, &it.what, &mut batch.assertions))
            });
            let told = references(numbers).into_iter().zip(claims);
            told.map(|(claim, it)| ClaimRecord { claim, also: it.also.clone() }).collect()
        };
        let (claims, withdrawn) = (claims_of(claims), claims_of(withdrawn));
        let pitfalls = references(
            pitfalls
                .iter()
                .map(|it| (it.lines, self.warnings.number(it.key, &it.what, &mut batch.warnings))),
        );
        let mentions = references(mentions.iter().map(|it| {
            let number = self.wordings.number(it.wording.key, &it.wording, &mut batch.wordings);
            (it.lines, number)
        }));
        batch.parts.push(PartRecord {
            name: part.name.map(|name| name.0),
            claims,
            withdrawn,
            pitfalls,
            mentions,
            confirmations: confirmations.clone(),
            signs: signs.clone(),
        });
        number
    }
}

/// Numbers of statements of one kind.
struct Numbered<T> {
    known: Vec<Option<Arc<T>>>,
    next: u64,
    /// By key, those that may be wanted.
    wanted: HashMap<u64, Vec<(Arc<T>, u64)>>,
}

impl<T: PartialEq> Numbered<T> {
    fn new(known: &[Option<Arc<T>>]) -> Self {
        Self { known: known.to_vec(), next: known.len() as u64, wanted: HashMap::new() }
    }

    fn find(&mut self, key: impl Fn(&T) -> u64) {
        for (number, known) in (0..).zip(std::mem::take(&mut self.known)) {
            let Some(known) = known else { continue };
            if let Some(alike) = self.wanted.get_mut(&key(&known)) {
                alike.push((known, number));
            }
        }
    }

    fn number(&mut self, key: u64, value: &Arc<T>, new: &mut Vec<Arc<T>>) -> u64 {
        let alike = self.wanted.entry(key).or_default();
        let same =
            |(it, _): &&(Arc<T>, u64)| Arc::ptr_eq(it, value) || it.as_ref() == value.as_ref();
        if let Some((_, number)) = alike.iter().rev().take(ALIKE).find(same) {
            return *number;
        }
        let number = self.next;
        self.next += 1;
        alike.push((Arc::clone(value), number));
        new.push(Arc::clone(value));
        number
    }
}
