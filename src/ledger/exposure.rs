//! What the trees at which claims were last tested say of the pitfalls' triggers.
//!
//! Gathered before the ledger is made, from texts that the caller reads: nothing here touches git.
//! A tree that says nothing proves nothing, so silence is an answer of its own.

use std::collections::{BTreeMap, HashMap};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use serde::{Deserialize, Serialize};

use super::World;
use super::trigger::{Medium, State, Trigger};
use crate::documents::Lines;
use crate::extract::Statements;
use crate::history::{CommitId, History, Order};
use crate::lineage::{Lineages, Sighting};
use crate::rules::Negation;

/// Longer lines are data, not settings.
const LONGEST_LINE: usize = 4096;
/// Bytes of all names up to which their automaton is about a MiB at most.
const FEW_BYTES: usize = 4096;
/// So many entries that begin before a line are asked whether they hold it.
const OPEN_ENTRIES: usize = 8;

/// The commits whose trees matter: where a claim was last tested before a pitfall entered.
pub fn commits(history: &History, lineages: &Lineages, world: &World) -> Vec<CommitId> {
    let distinct = |commits: &mut Vec<CommitId>| {
        commits.sort_unstable();
        commits.dedup();
    };
    let mut tested: Vec<_> = lineages.claims.iter().map(|one| one.last_tested.commit).collect();
    distinct(&mut tested);
    let mut entered: Vec<_> = lineages.pitfalls.iter().map(|one| one.introduced.commit).collect();
    distinct(&mut entered);
    tested.retain(|tested| {
        entered.iter().any(|entry| matches!(history.order(*tested, *entry), Order::Before(_)))
    });
    tested.extend(world.commits());
    distinct(&mut tested);
    tested
}

/// Looks for the triggers of all pitfalls at once.
#[derive(Debug, Default)]
pub struct Search {
    names: Option<AhoCorasick>,
    /// For each name, the triggers with that name and their pitfalls.
    triggers: Vec<Vec<(usize, Trigger)>>,
    negation: Negation,
}

/// What one text says of the triggers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hits(Vec<Hit>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Hit {
    pitfall: usize,
    on: bool,
    line: u32,
}

/// Lines of the pitfall entries of a text, in order.
fn entries(said: &Statements) -> Vec<Lines> {
    let mut entries: Vec<Lines> = said.pitfalls.iter().map(|pitfall| pitfall.lines).collect();
    entries.sort();
    entries
}

impl Search {
    /// Makes ready to look for the triggers of these pitfalls.
    pub fn new(lineages: &Lineages, world: &World, negation: &Negation) -> Self {
        let mut by_name: BTreeMap<String, Vec<(usize, Trigger)>> = BTreeMap::new();
        let own = lineages.pitfalls.iter().map(|lineage| &lineage.pitfall);
        for (at, pitfall) in own.chain(world.pitfalls()).enumerate() {
            for trigger in pitfall.triggers.iter().filter_map(|one| Trigger::parse(one)) {
                by_name.entry(trigger.name.clone()).or_default().push((at, trigger));
            }
        }
        // The fastest automaton, where it is small. Without one every tree is silent: less is said,
        // nothing false.
        let bytes: usize = by_name.keys().map(String::len).sum();
        let kind = match bytes {
            0..FEW_BYTES => AhoCorasickKind::DFA,
            _ => AhoCorasickKind::ContiguousNFA,
        };
        let kind = Some(kind);
        let names = AhoCorasick::builder().kind(kind).build(by_name.keys());
        let names = names.ok().filter(|_| !by_name.is_empty());
        Self { names, triggers: by_name.into_values().collect(), negation: negation.clone() }
    }

    /// All that is looked for, as words: equal ones find the same.
    pub fn question(&self) -> String {
        format!("{:?} {:?}", self.triggers, self.negation)
    }

    /// What a script or a configuration file says, apart from comments in it that ban a setting.
    pub fn script(&self, text: &str, said: Option<&Statements>) -> Hits {
        self.hits(text, &said.map_or_else(Vec::new, entries), |_| Medium::Script)
    }

    /// What a document says, apart from the pitfall entries in it: what these name was known there.
    pub fn document(&self, text: &str, said: &Statements) -> Hits {
        let code = &said.code;
        self.hits(text, &entries(said), |number| {
            let begun = code.partition_point(|lines| lines.start <= number);
            let last = begun.checked_sub(1).and_then(|at| code.get(at));
            let inside = last.is_some_and(|lines| number <= lines.end);
            if inside { Medium::Fence } else { Medium::Prose }
        })
    }

    /// What running text says of each pitfall that it names, the clearest state of each.
    pub(super) fn prose(&self, text: &str) -> BTreeMap<usize, State> {
        let mut states = BTreeMap::new();
        self.line(text, Medium::Prose, |pitfall, state| {
            let known = states.entry(pitfall).or_insert(state);
            *known = state.max(*known);
        });
        states
    }

    fn hits(&self, text: &str, entries: &[Lines], medium: impl Fn(u32) -> Medium) -> Hits {
        let mut hits = Vec::new();
        let mut met = self.met(text).into_iter().peekable();
        for (line, number) in text.lines().zip(1_u32..) {
            if met.next_if_eq(&number).is_none() {
                continue;
            }
            let medium = medium(number);
            let begun = entries.partition_point(|entry| entry.start <= number);
            let begun = entries.get(..begun).unwrap_or_default();
            let in_entry = begun.iter().rev().take(OPEN_ENTRIES).any(|entry| entry.end >= number);
            self.line(line, medium, |pitfall, state| {
                if in_entry || state != State::Named {
                    let on = state == State::On && !in_entry;
                    hits.push(Hit { pitfall, on, line: number });
                }
            });
        }
        Hits(hits)
    }

    /// The numbers of the lines that name any trigger at all: few, so that the rest is looked at once.
    fn met(&self, text: &str) -> Vec<u32> {
        let Some(names) = &self.names else { return Vec::new() };
        let lower = text.to_lowercase();
        let (mut met, mut line, mut at) = (Vec::new(), 1, 0);
        for found in names.find_iter(&lower) {
            let between = lower.get(at..found.start()).unwrap_or_default();
            line += u32::try_from(between.matches('\n').count()).unwrap_or(u32::MAX);
            at = found.start();
            if met.last() != Some(&line) {
                met.push(line);
            }
        }
        met
    }

    fn line(&self, line: &str, medium: Medium, mut visit: impl FnMut(usize, State)) {
        let Some(names) = self.names.as_ref().filter(|_| line.len() <= LONGEST_LINE) else {
            return;
        };
        let lower = line.to_lowercase();
        for found in names.find_overlapping_iter(&lower) {
            let triggers = self.triggers.get(found.pattern().as_usize());
            for (pitfall, trigger) in triggers.into_iter().flatten() {
                if let Some(state) = trigger.state(&lower, found.start(), medium, &self.negation) {
                    visit(*pitfall, state);
                }
            }
        }
    }
}

/// What a tree says of a pitfall.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Trace {
    /// The first line by path that sets a trigger.
    pub(super) on: Option<Sighting>,
    /// The first line by path that sets it off or otherwise, or warns of it.
    pub(super) off: Option<Sighting>,
}

/// Traces of triggers in the trees at which claims were last tested.
#[derive(Debug, Default)]
pub struct Traces {
    found: HashMap<(CommitId, usize), Trace>,
}

impl Traces {
    /// Adds what a file of a commit's tree says. Files may come in any order.
    pub fn add(&mut self, commit: CommitId, path: &str, hits: &Hits) {
        for hit in &hits.0 {
            let lines = Lines { start: hit.line, end: hit.line };
            let trace = self.found.entry((commit, hit.pitfall)).or_default();
            let slot = if hit.on { &mut trace.on } else { &mut trace.off };
            let known = |old: &Sighting| (old.path.as_str(), old.lines) <= (path, lines);
            if !slot.as_ref().is_some_and(known) {
                *slot = Some(Sighting { commit, path: path.to_owned(), lines });
            }
        }
    }

    pub(super) fn at(&self, commit: CommitId, pitfall: usize) -> Option<&Trace> {
        self.found.get(&(commit, pitfall))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::{self, BlockKind, Format};
    use crate::ledger::tests::rules;
    use crate::lineage::fixture::Repo;

    const PITFALL: &str = "P crash KESTREL_ALLOC=growable => hard fail at @load\n\
                           P crash --eager-load => hard fail at @load\n";

    fn search() -> Search {
        let mut repo = Repo::new();
        repo.then(0, "ban", &[("a.md", PITFALL)]);
        Search::new(&repo.read().lineages, &World::default(), &rules().negation)
    }

    #[test]
    fn every_kind_of_file_shows_what_it_sets() {
        let search = search();
        for (path, text) in [
            ("Dockerfile", "FROM a\nENV KESTREL_ALLOC=growable\n"),
            ("docker/serve.Dockerfile", "ENV KESTREL_ALLOC growable\n"),
            ("Containerfile", "CMD [\"serve\", \"--eager-load\"]\n"),
            ("compose.yaml", "    environment:\n      KESTREL_ALLOC: \"growable\"\n"),
            ("docker-compose.yml", "    environment:\n      - KESTREL_ALLOC=growable\n"),
            (".github/workflows/bench.yml", "env:\n  KESTREL_ALLOC: growable\n"),
            (".gitlab-ci.yml", "script:\n  - serve --eager-load\n"),
            ("scripts/serve.sh", "export KESTREL_ALLOC=growable\n"),
            ("serve.fish", "set -gx KESTREL_ALLOC growable\n"),
            ("bench.py", "os.environ[\"KESTREL_ALLOC\"] = \"growable\"\n"),
            ("kestrel.service", "Environment=KESTREL_ALLOC=growable\n"),
            (".env", "KESTREL_ALLOC=growable\n"),
            ("Makefile", "\tserve --eager-load\n"),
        ] {
            assert!(rules().is_setting(path), "{path} is read");
            let hits = search.script(text, None).0;
            assert!(hits.len() == 1 && hits[0].on, "{path}: {hits:?}");
            let off = text.replace("growable", "fixed").replace("--eager", "--no-eager");
            assert!(!search.script(&off, None).0.iter().any(|hit| hit.on), "{path}");
            assert_eq!(search.script("FROM a\n", None), Hits::default(), "{path}");
        }
    }

    #[test]
    fn every_kind_of_document_shows_what_its_code_sets() {
        let search = search();
        let notebook = "{\"cells\": [{\"cell_type\": \"code\", \"metadata\": {}, \"outputs\": [],\n\
            \"source\": [\n\"import os\\n\",\n\"!serve --eager-load\\n\"\n]}],\n\
            \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": 5}";
        for (format, text, line) in [
            (Format::Markdown, "Run:\n\n```sh\nserve --eager-load\n```\n", 4),
            (Format::Rst, "Run:\n\n.. code-block:: sh\n\n   serve --eager-load\n", 5),
            (Format::Org, "#+begin_src sh\nserve --eager-load\n#+end_src\n", 2),
            (Format::AsciiDoc, "----\nserve --eager-load\n----\n", 2),
            (Format::Notebook, notebook, 4),
        ] {
            let blocks = documents::parse(format, text.as_bytes()).blocks.into_iter();
            let code = blocks.filter(|block| matches!(block.kind, BlockKind::Code { .. }));
            let code: Vec<Lines> = code.map(|block| block.lines).collect();
            let hits = search.document(text, &Statements { code, ..Statements::default() }).0;
            assert_eq!(hits, [Hit { pitfall: 1, on: true, line }], "{format:?}");
        }
    }
}
