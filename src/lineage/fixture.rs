//! Small real repositories for tests, and documents in a notation that needs no rules.
//!
//! A line is a claim (`F`, `S`, `M`: failure, success, measurement) or a pitfall (`P crash`, …),
//! `subject => outcome` or `triggers => text`. `N cards` is a condition, `@load` a phase,
//! `` `name` `` an identifier, `!cause` its own cause, `~estimate` and `~reported` are hedges, `#`
//! opens a section. Lines of a commit message that begin with `Note:` or `Retest:` are notes.

use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use super::{Lineages, trace};
use crate::documents::Lines;
use crate::extract::{
    Assertion, Claim, Dimension, Effect, Hedge, HedgeClass, Kind, Mention, Pitfall, Quantity,
    RetestNote, Script, Statements, Warning, Wording,
};
use crate::history::{
    CommitId, History, Limits, NoProgress, ObjectId, PerBlob, Repository, Scope, Selection,
};

pub(crate) struct Repo {
    folder: TempDir,
    git: git2::Repository,
    /// In the order in which they were made.
    pub(crate) commits: Vec<git2::Oid>,
}

/// All that is known of a repository.
pub(crate) struct Known {
    pub(crate) history: History,
    pub(crate) statements: PerBlob<Statements>,
    pub(crate) lineages: Lineages,
}

pub(crate) const START: i64 = 1_785_718_643;

impl Repo {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let git = git2::Repository::init(folder.path()).unwrap();
        Self { folder, git, commits: Vec::new() }
    }

    /// Commits these files, and nothing else, on the last commit.
    pub(crate) fn then(&mut self, after: i64, message: &str, files: &[(&str, &str)]) -> usize {
        let parent = self.commits.len().checked_sub(1);
        self.commit(&parent.into_iter().collect::<Vec<_>>(), after, message, files)
    }

    /// Commits these files, and nothing else, on parents given by their number; `after` is in
    /// seconds since the start.
    pub(crate) fn commit(
        &mut self,
        parents: &[usize],
        after: i64,
        message: &str,
        files: &[(&str, &str)],
    ) -> usize {
        let mut index = git2::Index::new().unwrap();
        for (path, text) in files {
            let id = self.git.blob(text.as_bytes()).unwrap();
            let entry = git2::IndexEntry {
                ctime: git2::IndexTime::new(0, 0),
                mtime: git2::IndexTime::new(0, 0),
                dev: 0,
                ino: 0,
                mode: 0o100_644,
                uid: 0,
                gid: 0,
                file_size: 0,
                id,
                flags: 0,
                flags_extended: 0,
                path: path.as_bytes().to_vec(),
            };
            index.add(&entry).unwrap();
        }
        let tree = index.write_tree_to(&self.git).unwrap();
        let tree = self.git.find_tree(tree).unwrap();
        let time = git2::Time::new(START + after, 0);
        let author = git2::Signature::new("A", "a@example.org", &time).unwrap();
        let parents: Vec<_> = parents
            .iter()
            .map(|parent| self.git.find_commit(self.commits[*parent]).unwrap())
            .collect();
        let parents: Vec<_> = parents.iter().collect();
        let id = self.git.commit(None, &author, &author, message, &tree, &parents).unwrap();
        self.commits.push(id);
        self.commits.len() - 1
    }

    pub(crate) fn path(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Walks, reads and traces from the last commit.
    pub(crate) fn read(&self) -> Known {
        let repository = Repository::open(self.folder.path()).unwrap();
        let rev = repository.resolve(&self.commits.last().unwrap().to_string()).unwrap();
        let scope = Scope {
            rev,
            selection: &Named(&["md"]),
            allow_shallow: true,
            jobs: 1,
            progress: &NoProgress,
            limits: Limits::default(),
        };
        let history = repository.walk(&scope).unwrap();
        let statements =
            repository
                .read_each(&history, 1, &NoProgress, |_, bytes| {
                    say(std::str::from_utf8(bytes).unwrap())
                })
                .unwrap();
        let notes: Vec<(CommitId, RetestNote)> = (0..)
            .map(CommitId)
            .zip(history.commits())
            .flat_map(|(id, commit)| {
                commit.message.lines().filter_map(note).map(move |one| (id, one))
            })
            .collect();
        let lineages = trace(&history, &statements, &notes);
        Known { history, statements, lineages }
    }
}

impl Known {
    /// The number in which a commit was made, as [`Repo::commit`] gave it.
    pub(crate) fn number(&self, repo: &Repo, commit: CommitId) -> usize {
        let oid = self.history.commits()[commit.0 as usize].oid;
        let bytes = |id: &git2::Oid| ObjectId(id.as_bytes().try_into().unwrap());
        repo.commits.iter().position(|id| bytes(id) == oid).unwrap()
    }

    /// The claim whose text holds these words.
    pub(crate) fn claim(&self, words: &str) -> &super::Lineage {
        let mut found = self.lineages.claims.iter().filter(|one| one.claim.text.contains(words));
        let claim = found.next().unwrap_or_else(|| panic!("no claim says {words}"));
        assert!(found.next().is_none(), "more than one claim says {words}");
        claim
    }
}

/// Files with these endings.
pub(crate) struct Named(pub(crate) &'static [&'static str]);

impl Selection for Named {
    fn descends(&self, _: &[u8]) -> bool {
        true
    }
    fn kind(&self, name: &[u8]) -> Option<u8> {
        let name = String::from_utf8_lossy(name);
        let ending = name.rsplit('.').next()?;
        self.0.iter().position(|known| *known == ending).map(|at| at as u8)
    }
    fn includes(&self, _: &str) -> bool {
        true
    }
}

/// What a document in the notation says.
pub(crate) fn say(text: &str) -> Statements {
    let mut said = Statements::default();
    let mut section = Vec::new();
    for (line, number) in text.lines().zip(1_u32..) {
        let lines = Lines { start: number, end: number };
        said.mentions.extend(mention(line, lines));
        if let Some(title) = line.strip_prefix("# ") {
            section = vec![title.to_owned()];
            continue;
        }
        let Some((kind, rest)) = line.split_once(' ') else {
            continue;
        };
        let Some((subject, outcome)) = rest.split_once(" => ") else {
            continue;
        };
        let kind = match kind {
            "F" => Kind::Failure,
            "S" => Kind::Success,
            "M" => Kind::Measurement,
            "P" => {
                said.pitfalls.push(pitfall(&section, lines, subject, outcome));
                continue;
            }
            _ => continue,
        };
        said.claims.push(claim(&section, lines, kind, subject, outcome));
    }
    said
}

fn claim(section: &[String], lines: Lines, kind: Kind, subject: &str, outcome: &str) -> Claim {
    let text = format!("{subject} {outcome}");
    let hedge = |mark: &str, class| {
        text.contains(mark).then(|| Hedge {
            class,
            words: mark.to_owned(),
            rule: mark.to_owned(),
            aside: false,
        })
    };
    Assertion {
        kind,
        subject: subject.to_owned(),
        section: section.to_vec(),
        key: xxh3_64(format!("{kind:?} {}", text.to_lowercase().replace('*', "")).as_bytes()),
        subject_key: xxh3_64(subject.to_lowercase().replace('*', "").as_bytes()),
        terms: terms(&text),
        words: words(&text),
        topic: words(&text),
        metric: Vec::new(),
        values: values(outcome),
        numerals: numerals(subject),
        occasion: None,
        hedges: [
            hedge("~estimate", HedgeClass::Estimate),
            hedge("~reported", HedgeClass::SecondHand),
        ]
        .into_iter()
        .flatten()
        .collect(),
        effects: if text.contains("illegal") { vec![Effect::Crash] } else { Vec::new() },
        phases: marked(&text, '@'),
        identifiers: identifiers(&text),
        basis: crate::extract::Basis::default(),
        own_cause: text.contains("!cause").then(|| outcome.to_owned()),
        rule: "test".to_owned(),
        text,
    }
    .at(lines)
}

/// What any line leaves behind that has a number with a unit or an identifier.
fn mention(line: &str, lines: Lines) -> Option<Mention> {
    let text = line.split_once(' ').map_or(line, |(_, rest)| rest).replace(" => ", " ");
    let figures = values(&text);
    let names = identifiers(&text).into_iter().map(|name| xxh3_64(name.to_lowercase().as_bytes()));
    let mut codes: Vec<u64> = names.collect();
    codes.sort_unstable();
    let wording = Wording {
        key: xxh3_64(text.to_lowercase().replace('*', "").as_bytes()),
        words: words(&text),
        around: [].into(),
        script: Script::of(&text),
        text,
        figures,
        codes,
    };
    let told = !wording.figures.is_empty() || !wording.codes.is_empty();
    told.then(|| Mention { lines, wording: wording.into() })
}

fn pitfall(section: &[String], lines: Lines, head: &str, outcome: &str) -> Pitfall {
    let (effect, triggers) = head.split_once(' ').unwrap();
    let triggers: Vec<String> = triggers.split(", ").map(str::to_owned).collect();
    let effect = match effect {
        "crash" => Effect::Crash,
        "perf" => Effect::Perf,
        "wrong" => Effect::Wrong,
        "measure" => Effect::Measure,
        _ => Effect::Unknown,
    };
    let text = format!("{head} {outcome}");
    Warning {
        section: section.to_vec(),
        key: xxh3_64(format!("{triggers:?} {effect:?} {}", outcome.to_lowercase()).as_bytes()),
        triggers,
        needed: false,
        effect,
        words: words(&text),
        topic: words(head.split_once(' ').unwrap().1),
        terms: terms(&text),
        phases: marked(&text, '@'),
        identifiers: identifiers(&text),
        rule: "test".to_owned(),
        text,
    }
    .at(lines)
}

fn note(line: &str) -> Option<RetestNote> {
    let (trailer, text) = match line.split_once(": ")? {
        ("Note", text) => (false, text),
        ("Retest", text) => (true, text),
        _ => return None,
    };
    Some(RetestNote {
        text: text.to_owned(),
        trailer,
        terms: terms(text),
        words: words(text),
        values: values(text),
        identifiers: identifiers(text),
    })
}

fn terms(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut terms: Vec<String> = words
        .windows(2)
        .filter(|pair| pair[1].trim_end_matches([',', '.']) == "cards")
        .map(|pair| format!("device={}", pair[0].replace("three", "3")))
        .collect();
    terms.sort();
    terms
}

fn numerals(text: &str) -> Vec<String> {
    let text = text.replace("three", "3");
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    let numbers = words.filter_map(|word| word.trim_matches('.').parse::<f64>().ok());
    let mut all: Vec<String> = numbers.map(|number| number.to_string()).collect();
    all.sort();
    all
}

fn words(text: &str) -> Vec<u64> {
    let words = text.to_lowercase();
    let words = words.split(|c: char| !c.is_alphabetic() && c != '_').filter(|word| word.len() > 2);
    let mut hashes: Vec<u64> = words.map(|word| xxh3_64(word.as_bytes())).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

fn values(text: &str) -> Vec<Quantity> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let unit = |unit: &str| match unit {
        "tok/s" => Some(Dimension::Rate),
        "GB" => Some(Dimension::Size),
        "acc" => Some(Dimension::Quality),
        _ => None,
    };
    let pairs = words.windows(2).filter_map(|pair| Some((pair[0], pair[1], unit(pair[1])?)));
    pairs
        .filter(|(number, ..)| number.parse::<f64>().is_ok())
        .map(|(number, unit, dimension)| Quantity {
            number: number.to_owned(),
            unit: unit.to_owned(),
            dimension,
            digits: number.chars().filter(char::is_ascii_digit).count() as u8,
        })
        .collect()
}

fn marked(text: &str, mark: char) -> Vec<String> {
    text.split_whitespace().filter_map(|word| word.strip_prefix(mark)).map(str::to_owned).collect()
}

fn identifiers(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}
