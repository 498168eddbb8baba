use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::exposure::{self, Search, Traces};
use super::*;
use crate::documents::Lines;
use crate::extract::{Assertion, Claim, Kind};
use crate::history::{BlobId, FileSource, NoProgress, OrderedBy, Repository};
use crate::lineage::fixture::{Known, Named, Repo};
use crate::rules::RuleSet;

const HOUR: i64 = 3_600;
const LAG: i64 = 78_349;

/// The built-in rules, read once.
pub(crate) fn rules() -> &'static RuleSet {
    static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::built_in().unwrap());
    &RULES
}

pub(crate) fn claim(kind: Kind, subject: &str) -> Claim {
    Assertion {
        kind,
        subject: subject.to_owned(),
        text: subject.to_owned(),
        section: Vec::new(),
        key: 0,
        subject_key: 0,
        terms: Vec::new(),
        words: Vec::new(),
        topic: Vec::new(),
        metric: Vec::new(),
        values: Vec::new(),
        numerals: Vec::new(),
        occasion: None,
        hedges: Vec::new(),
        effects: Vec::new(),
        phases: Vec::new(),
        identifiers: Vec::new(),
        own_cause: None,
        basis: crate::extract::Basis::default(),
        rule: String::new(),
    }
    .at(Lines { start: 1, end: 1 })
}

/// A repository with its ledger, and what the trees said.
pub(crate) struct Opened {
    pub(crate) known: Known,
    search: Search,
    traces: Traces,
}

pub(crate) fn open(repo: &Repo) -> Opened {
    let known = repo.read();
    let search = Search::new(&known.lineages, &World::default(), &rules().negation);
    let commits = exposure::commits(&known.history, &known.lineages, &World::default());
    let blobs = (0..).map(BlobId).zip(known.history.blobs());
    let blob_of: BTreeMap<_, _> = blobs.map(|(id, blob)| (blob.oid, id)).collect();
    let read = |file: &FileSource<'_>, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        match blob_of.get(&file.oid).and_then(|blob| known.statements.get(*blob)) {
            Some(said) if file.path.ends_with(".md") => search.document(&text, said),
            _ => search.script(&text, None),
        }
    };
    let files = Repository::open(repo.path())
        .unwrap()
        .files_at(&known.history, &commits, &Named(&["md", "sh"]), 1, &NoProgress, read)
        .unwrap();
    let mut traces = Traces::default();
    for commit in commits {
        for (path, hits) in files.at(commit) {
            traces.add(commit, path, hits.unwrap());
        }
    }
    Opened { known, search, traces }
}

impl Opened {
    pub(crate) fn ledger(&self) -> Ledger<'_> {
        let Known { history, statements, lineages } = &self.known;
        Ledger::new(history, statements, lineages, &self.search, &self.traces, &rules().weights)
    }

    fn challenges(&self, words: &str) -> Vec<Challenge> {
        self.ledger().challenges(self.known.claim(words))
    }

    fn only(&self, words: &str) -> Challenge {
        let mut all = self.challenges(words);
        assert_eq!(all.len(), 1, "{all:#?}");
        all.remove(0)
    }
}

const RESULTS: &str = "\
# Four cards required
S 4 cards => works
F 3 cards with draft heads, util 0.90 => illegal access in weight repack
F 3 cards without draft heads, util 0.85 => same failure, same place
F 2 cards => !cause 140 GB of weights do not fit 127 GB
# Long prompts
F 150k prompt @prefill => worker killed, illegal access
M decode => 98.1 tok/s
";

const BAN: &str = "\
# Attempts that did not help
P crash ALLOC_CONF=grow:True => unusable, hard fail at model @load
";

/// The story that the program was written for; `run` is a launch script of the first commit.
fn three_cards(run: &str) -> Repo {
    let mut repo = Repo::new();
    repo.then(0, "results", &[("RESULTS.md", RESULTS), ("run.sh", run)]);
    repo.then(LAG, "ban", &[("RESULTS.md", &format!("{RESULTS}{BAN}")), ("run.sh", run)]);
    repo
}

#[test]
fn three_cards_predate_the_ban() {
    let opened = open(&three_cards("serve --port 8000\n"));
    for row in ["with draft heads", "without draft heads"] {
        let challenge = opened.only(row);
        assert_eq!(challenge.exposure, Exposure::Unrecorded);
        assert_eq!(challenge.ordered_by, OrderedBy::Ancestry);
        assert!(challenge.confidence >= Confidence::Medium);
        let ledger = opened.ledger();
        let pitfall = ledger.pitfall(challenge.pitfall).unwrap();
        assert_eq!(ledger.lag(opened.known.claim(row), pitfall), LAG);
    }
    assert!(opened.challenges("4 cards").is_empty());
    assert!(opened.challenges("prefill").is_empty());
    assert!(opened.challenges("98.1").is_empty());
    let doomed = opened.challenges("do not fit");
    assert!(doomed.iter().all(|challenge| challenge.confidence == Confidence::Low), "{doomed:?}");
}

#[test]
fn the_tree_of_the_time_tells_whether_it_was_set() {
    let opened = open(&three_cards("# start\nexport ALLOC_CONF=\"grow:True\"\nserve\n"));
    let challenge = opened.only("with draft heads");
    assert_eq!((challenge.exposure, challenge.confidence), (Exposure::InUse, Confidence::High));
    let seen = challenge.set_at.unwrap();
    assert_eq!((seen.path.as_str(), seen.lines), ("run.sh", Lines { start: 2, end: 2 }));

    for off in [
        "export ALLOC_CONF=grow:False\n",
        "export ALLOC_CONF=split:128\n",
        "unset ALLOC_CONF\n",
        "# export ALLOC_CONF=grow:True\n",
        "serve --without ALLOC_CONF\n",
    ] {
        let opened = open(&three_cards(off));
        assert!(opened.challenges("with draft heads").is_empty(), "{off}");
    }
}

#[test]
fn what_was_known_then_challenges_nothing() {
    let mut repo = Repo::new();
    let all = format!("{RESULTS}{BAN}");
    repo.then(0, "both at once", &[("RESULTS.md", &all)]);
    assert!(open(&repo).challenges("with draft heads").is_empty());

    let mut repo = Repo::new();
    repo.then(0, "ban", &[("RESULTS.md", BAN)]);
    repo.then(HOUR, "results", &[("RESULTS.md", &all)]);
    assert!(open(&repo).challenges("with draft heads").is_empty());

    let mut repo = Repo::new();
    let warned = format!("{RESULTS}\nNever run with ALLOC_CONF=grow:True on this machine.\n");
    repo.then(0, "results", &[("RESULTS.md", &warned)]);
    repo.then(HOUR, "ban", &[("RESULTS.md", &all)]);
    assert!(open(&repo).challenges("with draft heads").is_empty());
}

#[test]
fn a_retest_after_the_pitfall_clears_the_claim() {
    let all = format!("{RESULTS}{BAN}");
    let mut repo = three_cards("serve\n");
    repo.then(
        2 * LAG,
        "again\n\nRetest: 3 cards with draft heads, util 0.90",
        &[("RESULTS.md", &all)],
    );
    let opened = open(&repo);
    assert!(opened.challenges("with draft heads").is_empty());
    assert_eq!(opened.challenges("without draft heads").len(), 1);
}

#[test]
fn the_claim_s_own_words_decide_first() {
    let results = "F 3 cards, ALLOC_CONF=grow:False => illegal access\n\
                   F 5 cards, ALLOC_CONF=grow:True => illegal access\n\
                   M one-shot decode @decode => 98.1 tok/s\n\
                   M batched decode @decode => 97.1 tok/s\n";
    let mut repo = Repo::new();
    repo.then(0, "results", &[("a.md", results)]);
    let bans = format!("{results}{BAN}P measure one-shot => one-shot reads high @decode\n");
    repo.then(HOUR, "bans", &[("a.md", &bans)]);
    let opened = open(&repo);
    assert!(opened.challenges("3 cards").is_empty(), "it was off");
    assert!(opened.challenges("5 cards").is_empty(), "that is where the ban comes from");
    let habit = opened.only("one-shot decode");
    assert_eq!((habit.exposure, habit.confidence), (Exposure::InUse, Confidence::High));
}

#[test]
fn a_number_is_challenged_only_by_what_it_shares_something_with() {
    let results =
        "# Speed\nM decode of `tinymodel` => 98.1 tok/s\nM copy between hosts => 12.5 tok/s\n";
    let mut repo = Repo::new();
    repo.then(0, "results", &[("a.md", results)]);
    let ban = "# Traps\nP perf prefix caching => `tinymodel` reads too fast with it\n";
    repo.then(HOUR, "ban", &[("a.md", &format!("{results}{ban}"))]);
    let opened = open(&repo);
    assert_eq!(opened.only("tinymodel").confidence, Confidence::High);
    assert!(opened.challenges("copy between hosts").is_empty());
}

#[test]
fn on_parallel_branches_the_order_is_by_time() {
    let mut repo = Repo::new();
    let root = repo.commit(&[], 0, "root", &[("a.md", "x\n")]);
    let results = repo.commit(&[root], HOUR, "results", &[("a.md", RESULTS)]);
    let ban = repo.commit(&[root], 2 * HOUR, "ban", &[("a.md", "x\n"), ("b.md", BAN)]);
    repo.commit(&[results, ban], 3 * HOUR, "merge", &[("a.md", RESULTS), ("b.md", BAN)]);
    assert_eq!(open(&repo).only("with draft heads").ordered_by, OrderedBy::Time);

    let mut repo = Repo::new();
    let root = repo.commit(&[], 0, "root", &[("a.md", "x\n")]);
    let results = repo.commit(&[root], 2 * HOUR, "results", &[("a.md", RESULTS)]);
    let ban = repo.commit(&[root], HOUR, "ban", &[("a.md", "x\n"), ("b.md", BAN)]);
    repo.commit(&[results, ban], 3 * HOUR, "merge", &[("a.md", RESULTS), ("b.md", BAN)]);
    assert!(open(&repo).challenges("with draft heads").is_empty());
}

#[test]
fn ancestry_beats_a_skewed_clock() {
    let mut repo = Repo::new();
    repo.then(9 * HOUR, "results, clock ahead", &[("a.md", RESULTS)]);
    repo.then(HOUR, "ban", &[("a.md", &format!("{RESULTS}{BAN}"))]);
    let opened = open(&repo);
    let challenge = opened.only("with draft heads");
    assert_eq!(challenge.ordered_by, OrderedBy::Ancestry);
    let ledger = opened.ledger();
    let pitfall = ledger.pitfall(challenge.pitfall).unwrap();
    assert_eq!(ledger.lag(opened.known.claim("with draft heads"), pitfall), -8 * HOUR);
}

#[test]
fn one_pitfall_in_two_documents_is_one_challenge() {
    let mut repo = Repo::new();
    repo.then(0, "results", &[("a.md", RESULTS)]);
    let both = format!("{RESULTS}{BAN}");
    repo.then(HOUR, "bans", &[("a.md", &both), ("b.md", BAN)]);
    assert_eq!(open(&repo).challenges("with draft heads").len(), 1);
}

#[test]
fn a_flag_banned_elsewhere_is_likely_only_for_its_phase_or_section() {
    let mut repo = Repo::new();
    let ban = BAN.replace("ALLOC_CONF=grow:True", "--grow-all");
    let other = "# Other\nF the nightly wheel => illegal access\nF the old wheel @load => crash\n";
    repo.then(0, "results", &[("a.md", other)]);
    repo.then(HOUR, "ban", &[("a.md", &format!("{other}{ban}"))]);
    let opened = open(&repo);
    assert_eq!(opened.only("nightly wheel").confidence, Confidence::Low);
    assert!(opened.only("old wheel").confidence > Confidence::Low);
}

#[test]
fn a_variable_banned_anywhere_acts_on_every_process() {
    let mut repo = Repo::new();
    repo.then(0, "results", &[("a.md", "F the nightly wheel => illegal access\n")]);
    let files = [("a.md", "F the nightly wheel => illegal access\n"), ("b.md", BAN)];
    repo.then(HOUR, "ban", &files);
    assert_eq!(open(&repo).only("nightly wheel").confidence, Confidence::Medium);
}
