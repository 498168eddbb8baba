//! Where a result stood before: lines of any document that told the same numbers or the same code,
//! claims or not. A summary, a translation, a table split in two, output that became a table.
//!
//! Nothing vanishes where a number is copied, so it is known by its numbers: all of them were told
//! before, together, of what shares words with the claim. The fewer digits they have, the more words
//! it takes. Lines are found by their numbers, never by trying all of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use xxhash_rust::xxh3::xxh3_64;

use super::births::{Birth, Births};
use super::figures::{self, Figures, Told};
use super::life::{Link, Why};
use super::likeness;
use super::retests::conflict;
use crate::documents::Lines;
use crate::extract::{Claim, Kind, Mention, Pitfall, Quantity, Script, Statements, Wording};
use crate::history::{BlobId, History, PathId, PerBlob};

/// Lines with a number or a code that are looked at, the oldest first.
const HOLDERS: usize = 64;
/// Places in which the same line was written anew that are looked at.
const PLACES: usize = 4;
/// A code in more lines than this names nothing.
const COMMON_CODE: usize = 32;
/// A word in so many lines and in more than one of so many says nothing of which is meant.
const COMMON_WORD: usize = 12;
const COMMON_SHARE: usize = 8;
/// Digits of equal numbers, taken together, that are hardly equal by chance.
const TOGETHER: u32 = 6;
/// Telling words beside the trigger that make a line tell of the same pitfall.
const ENTRY: usize = 4;
/// Words in common from which two lines of one document version tell the same twice.
const REPEATED: f64 = 0.6;

/// All lines of the history by what they can be found by.
pub(super) struct Originals<'a> {
    lines: Vec<Line<'a>>,
    by_number: HashMap<u64, Vec<usize>>,
    by_code: HashMap<u64, Vec<usize>>,
    by_word: HashMap<u64, Vec<usize>>,
    common: HashMap<u64, usize>,
}

/// A line where it was first written.
struct Line<'a> {
    birth: &'a Birth,
    mention: &'a Mention,
}

/// An older line that told a claim's result.
pub(super) struct Original {
    /// Where; its index is into the mentions.
    pub(super) birth: Birth,
    pub(super) lines: Lines,
    pub(super) text: String,
    pub(super) link: Link,
    pub(super) why: Vec<Why>,
    /// Keys of the claims that stand on those lines.
    pub(super) keys: Vec<u64>,
}

/// A claim as it is looked for.
pub(super) struct Wanted<'a> {
    pub(super) claim: &'a Claim,
    pub(super) blob: BlobId,
    pub(super) path: PathId,
    figures: Figures<'a>,
    words: BTreeSet<u64>,
    around: BTreeSet<u64>,
    codes: BTreeSet<u64>,
    /// All numbers on its lines, measured or not.
    numbers: Vec<&'a Quantity>,
    script: Script,
}

/// What a line and a claim have in common.
#[derive(Default)]
struct Common {
    /// Numbers of the claim that the line tells.
    told: Told,
    words: usize,
    /// Words of the one in the surroundings of the other, or of both surroundings.
    around: usize,
    codes: usize,
    /// The line names code, and none of it is the claim's.
    other_code: bool,
    /// Shared words among those of the one that has fewer.
    share: f64,
}

impl Common {
    fn evidence(&self) -> f64 {
        self.words as f64 + self.codes as f64 + 0.5 * self.around.min(4) as f64
    }

    /// Whether the numbers are hardly equal by chance, given the words.
    fn proves(&self) -> bool {
        let named = self.words + self.codes;
        match self.told.digits {
            0 | 1 => false,
            2 | 3 if self.other_code => false,
            2 => named >= 4 || (named == 3 && self.share >= 0.4),
            3 => named >= 1 && (self.evidence() >= 2.0 || self.share >= 0.5),
            4..=7 => self.evidence() >= 1.0,
            _ => self.evidence() >= 0.5,
        }
    }

    /// Whether the line may be one of several that tell the numbers between them: together those
    /// have digits enough, so that little needs to be shared unless a number is told loosely.
    fn is_part(&self) -> bool {
        (!self.told.loose && self.evidence() >= 0.5) || self.proves()
    }
}

impl<'a> Wanted<'a> {
    /// A claim as it stands in a document version.
    pub(super) fn new(said: &'a Statements, claim: &'a Claim, blob: BlobId, path: PathId) -> Self {
        let own = said.mentions.iter().filter(|it| overlap(it.lines, claim.lines));
        let own: Vec<&Wording> = own.map(|it| &*it.wording).collect();
        let collect = |pick: fn(&Wording) -> &[u64]| {
            own.iter().flat_map(|it| pick(it).iter().copied()).collect::<BTreeSet<u64>>()
        };
        // Others may stand on the same lines.
        let number = |it: &Quantity| xxh3_64(format!("{}{}", it.number, it.unit).as_bytes());
        let numbers: BTreeSet<u64> = claim.values.iter().map(number).collect();
        let words = claim.words.iter().copied().filter(|word| !numbers.contains(word)).collect();
        let names = claim.identifiers.iter().map(|name| xxh3_64(name.to_lowercase().as_bytes()));
        Self {
            claim,
            blob,
            path,
            figures: Figures::of_claim(claim),
            around: collect(|it| &it.around),
            codes: names.collect(),
            numbers: own.iter().flat_map(|it| &it.figures).collect(),
            script: own.iter().map(|it| it.script).max().unwrap_or_default(),
            words,
        }
    }
}

impl Wanted<'_> {
    /// A line has a number that is not told here, and the claim has one that the line lacks.
    fn other_numbers(&self, wording: &Wording) -> bool {
        let here = |it: &Quantity| self.numbers.iter().any(|own| likeness::same_size(it, own));
        let there = |own: &String| wording.figures.iter().any(|it| it.number == *own);
        !wording.figures.iter().all(here) && !self.claim.numerals.iter().all(there)
    }

    /// Each names code that the other does not.
    fn other_codes(&self, wording: &Wording) -> bool {
        let there = |code: &u64| wording.codes.binary_search(code).is_ok();
        let here = |code: &u64| self.codes.contains(code);
        !wording.codes.iter().all(here) && !self.codes.iter().all(there)
    }
}

impl<'a> Originals<'a> {
    pub(super) fn new(births: &'a Births, statements: &'a PerBlob<Statements>) -> Self {
        let mut first: Vec<&Birth> =
            births.values().flat_map(|all| all.iter().take(PLACES)).collect();
        first.sort_unstable_by_key(|birth| (birth.commit, birth.path, birth.index));
        let mut originals = Self {
            lines: Vec::with_capacity(first.len()),
            by_number: HashMap::new(),
            by_code: HashMap::new(),
            by_word: HashMap::new(),
            common: HashMap::new(),
        };
        for birth in first {
            let said = statements.get(birth.blob);
            let Some(mention) = said.and_then(|said| said.mentions.get(birth.index)) else {
                continue;
            };
            let at = originals.lines.len();
            for number in figures::of_line(&mention.wording) {
                let holders = originals.by_number.entry(number).or_default();
                if holders.len() < HOLDERS {
                    holders.push(at);
                }
            }
            for code in &mention.wording.codes {
                let holders = originals.by_code.entry(*code).or_default();
                if holders.len() <= COMMON_CODE {
                    holders.push(at);
                }
            }
            for word in &mention.wording.words {
                let holders = originals.by_word.entry(*word).or_default();
                if holders.len() < HOLDERS {
                    holders.push(at);
                }
                *originals.common.entry(*word).or_default() += 1;
            }
            originals.lines.push(Line { birth, mention });
        }
        originals
    }

    /// The oldest line that told what is wanted, if one did before it stood where it stands.
    pub(super) fn of(
        &self,
        history: &History,
        statements: &'a PerBlob<Statements>,
        wanted: &Wanted<'_>,
    ) -> Option<Original> {
        let mut found: BTreeMap<usize, Common> = BTreeMap::new();
        for at in self.candidates(wanted) {
            let common = self.common(wanted, at);
            found.insert(at, common);
        }
        let single = self.told_in_one(statements, wanted, &found);
        let parts = self.told_in_parts(history, statements, wanted, &found);
        let age = |original: &Original| original.birth.commit;
        match (single, parts) {
            (Some(one), Some(other)) if age(&other) < age(&one) => Some(other),
            (Some(one), _) => Some(one),
            (None, other) => other,
        }
    }

    /// The oldest line that names a pitfall's leading trigger beside words of its entry.
    pub(super) fn of_pitfall(&self, pitfall: &Pitfall) -> Option<(&'a Birth, Lines)> {
        let trigger = pitfall.triggers.first()?.to_lowercase();
        let whole = xxh3_64(trigger.as_bytes());
        let parts = trigger.split(|c: char| !c.is_alphanumeric() && c != '_');
        let parts: Vec<u64> =
            parts.filter(|it| !it.is_empty()).map(|it| xxh3_64(it.as_bytes())).collect();
        let holders = |index: &HashMap<u64, Vec<usize>>, key| {
            index.get(&key).into_iter().flatten().copied().collect::<BTreeSet<usize>>()
        };
        let named = parts.first().map(|part| holders(&self.by_word, *part)).unwrap_or_default();
        let coded = holders(&self.by_code, whole);
        coded.union(&named).find_map(|at| {
            let Line { birth, mention } = self.lines.get(*at)?;
            let wording = &*mention.wording;
            let holds = |word: &u64| wording.words.binary_search(word).is_ok();
            let names = wording.codes.binary_search(&whole).is_ok() || parts.iter().all(holds);
            let telling = |word: &&u64| !parts.contains(word) && self.telling(**word);
            let shared = pitfall.words.iter().filter(telling).filter(|word| holds(word)).count();
            (names && shared >= ENTRY).then_some((*birth, mention.lines))
        })
    }

    /// Numbers of lines that share a number or, where the claim has none, a rare code.
    fn candidates(&self, wanted: &Wanted<'_>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for name in wanted.figures.names() {
            found.extend(self.by_number.get(&name).into_iter().flatten());
        }
        if wanted.figures.is_empty() {
            for code in &wanted.codes {
                let holders = self.by_code.get(code).filter(|all| all.len() <= COMMON_CODE);
                found.extend(holders.into_iter().flatten());
            }
        }
        found
    }

    fn common(&self, wanted: &Wanted<'_>, at: usize) -> Common {
        let Some(Line { mention, .. }) = self.lines.get(at) else {
            return Common::default();
        };
        let wording = &*mention.wording;
        let told = wanted.figures.told_by(wording);
        let own = |word: &u64| wanted.words.contains(word);
        let near = |word: &u64| wanted.around.contains(word);
        let words = wording.words.iter().filter(|word| self.telling(**word));
        let (mut both, mut around) = (0, 0);
        for word in words {
            both += usize::from(own(word));
            around += usize::from(!own(word) && near(word));
        }
        let beside =
            |word: &&u64| (own(word) || near(word)) && wording.words.binary_search(word).is_err();
        around += wording.around.iter().filter(|it| self.telling(**it)).filter(beside).count();
        let all = wording.words.iter().filter(|word| own(word)).count();
        let least = wording.words.len().min(wanted.words.len()).max(1);
        let codes = wording.codes.iter().filter(|code| wanted.codes.contains(code)).count();
        Common {
            told,
            words: both,
            around,
            other_code: codes == 0 && !wording.codes.is_empty(),
            codes,
            share: all as f64 / least as f64,
        }
    }

    fn telling(&self, word: u64) -> bool {
        let count = self.common.get(&word).copied().unwrap_or(0);
        count <= COMMON_WORD || count <= self.lines.len() / COMMON_SHARE
    }

    /// The oldest single line with all the numbers.
    fn told_in_one(
        &self,
        statements: &PerBlob<Statements>,
        wanted: &Wanted<'_>,
        found: &BTreeMap<usize, Common>,
    ) -> Option<Original> {
        found.iter().find_map(|(at, common)| {
            let line = self.lines.get(*at)?;
            let numbers = common.told.which.len() == wanted.figures.len() && common.proves();
            let names = wanted.figures.is_empty() && self.same_code(wanted, line, common);
            let alone = (numbers || names) && !stands_beside(statements, wanted, line, common);
            let keys = alone.then(|| keys_at(statements, wanted, line, common)).flatten()?;
            let mut why = Vec::new();
            why.extend(
                (!common.told.which.is_empty()).then_some(Why::Numbers(common.told.which.len())),
            );
            why.extend((common.codes > 0).then_some(Why::Codes(common.codes)));
            why.extend((common.words > 0).then_some(Why::Words(common.words)));
            Some(original(wanted, line, why, keys))
        })
    }

    /// All the code of a claim without numbers stands in the line too, in other words or another
    /// language.
    fn same_code(&self, wanted: &Wanted<'_>, line: &Line<'_>, common: &Common) -> bool {
        let all = common.codes == wanted.codes.len() && common.codes >= 2;
        let more = line.mention.wording.codes.len();
        let other_script = line.mention.wording.script != wanted.script;
        all && !wanted.other_numbers(&line.mention.wording)
            && more <= 2 * common.codes
            && (other_script || common.share >= 0.4)
    }

    /// Several lines of one document that tell all the numbers between them: a row that was a list.
    fn told_in_parts(
        &self,
        history: &History,
        statements: &PerBlob<Statements>,
        wanted: &Wanted<'_>,
        found: &BTreeMap<usize, Common>,
    ) -> Option<Original> {
        if wanted.figures.len() < 2 || wanted.figures.digits() < TOGETHER {
            return None;
        }
        let mut by_path: BTreeMap<PathId, BTreeMap<usize, usize>> = BTreeMap::new();
        for (at, common) in found.iter().filter(|(_, common)| common.is_part()) {
            let Some(line) = self.lines.get(*at) else { continue };
            if stands_beside(statements, wanted, line, common) {
                continue;
            }
            let parts = by_path.entry(line.birth.path).or_default();
            for figure in &common.told.which {
                parts.entry(*figure).or_insert(*at);
            }
        }
        let whole = by_path.values().filter(|parts| parts.len() == wanted.figures.len());
        let last = |parts: &BTreeMap<usize, usize>| parts.values().max().copied();
        let mut complete: Vec<(usize, usize)> = whole
            .filter_map(|parts| {
                let last = last(parts)?;
                let distinct: BTreeSet<usize> = parts.values().copied().collect();
                self.stand_together(history, statements, &distinct, last)
                    .then_some((last, distinct.len()))
            })
            .collect();
        complete.sort_unstable();
        let (last, parts) = complete.first().copied()?;
        let why = vec![Why::Numbers(wanted.figures.len()), Why::Parts(parts)];
        Some(original(wanted, self.lines.get(last)?, why, Vec::new()))
    }

    /// All these lines stand in one version of their document: where the youngest was written.
    fn stand_together(
        &self,
        history: &History,
        statements: &PerBlob<Statements>,
        lines: &BTreeSet<usize>,
        last: usize,
    ) -> bool {
        let Some(last) = self.lines.get(last) else { return false };
        let blob = history.blob_at(last.birth.commit, last.birth.path);
        let Some(said) = blob.and_then(|blob| statements.get(blob)) else { return false };
        let keys: BTreeSet<u64> = said.mentions.iter().map(|it| it.wording.key).collect();
        lines.iter().all(|at| {
            self.lines.get(*at).is_some_and(|line| keys.contains(&line.mention.wording.key))
        })
    }
}

fn original(wanted: &Wanted<'_>, line: &Line<'_>, why: Vec<Why>, keys: Vec<u64>) -> Original {
    let wording = &*line.mention.wording;
    let letters = wording.script != Script::None && wanted.script != Script::None;
    let translated = letters && wording.script != wanted.script;
    Original {
        birth: line.birth.clone(),
        lines: line.mention.lines,
        text: wording.text.clone(),
        link: if translated { Link::Translated } else { Link::Copied },
        why,
        keys,
    }
}

/// Two lines of one version of a document are two statements, unless they share most words and
/// neither has numbers or names of its own.
fn stands_beside(
    statements: &PerBlob<Statements>,
    wanted: &Wanted<'_>,
    line: &Line<'_>,
    common: &Common,
) -> bool {
    let wording = &line.mention.wording;
    let other = wanted.other_numbers(wording) || wanted.other_codes(wording);
    let again = common.share >= REPEATED && !other;
    if line.birth.path != wanted.path || again {
        return false;
    }
    let said = statements.get(wanted.blob).map_or(&[][..], |said| &said.mentions);
    said.iter().any(|it| {
        it.wording.key == line.mention.wording.key && !overlap(it.lines, wanted.claim.lines)
    })
}

/// Keys of the claims on an older line; `None` if one of them says the opposite, or says it of other
/// conditions and the numbers alone do not prove that those were only left out.
fn keys_at(
    statements: &PerBlob<Statements>,
    wanted: &Wanted<'_>,
    line: &Line<'_>,
    common: &Common,
) -> Option<Vec<u64>> {
    let claims = statements.get(line.birth.blob).map_or(&[][..], |said| &said.claims);
    let (mut keys, mut measured) = (Vec::new(), false);
    for claim in claims.iter().filter(|claim| overlap(claim.lines, line.mention.lines)) {
        let pair = (claim.kind, wanted.claim.kind);
        let opposite =
            matches!(pair, (Kind::Failure, Kind::Success) | (Kind::Success, Kind::Failure));
        let elsewhere = match common.told.digits {
            0..4 => {
                likeness::other_conditions(claim, wanted.claim)
                    || likeness::other_names(claim, wanted.claim)
            }
            4..TOGETHER => conflict(&claim.terms, &wanted.claim.terms),
            _ => false,
        };
        if opposite || elsewhere {
            return None;
        }
        measured |= !claim.values.is_empty();
        if common.told.which.iter().all(|at| wanted.figures.is_in(*at, claim)) {
            keys.push(claim.key);
        }
    }
    // What was measured there is something else: the number is its threshold, or a setting.
    let other = common.told.digits < 4 && measured && keys.is_empty() && !wanted.figures.is_empty();
    (!other).then_some(keys)
}

fn overlap(a: Lines, b: Lines) -> bool {
    a.start <= b.end && b.start <= a.end
}
