//! The git side on repositories made here: every shape of history, every kind of damage.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use claim_audit::history::{
    BlobSource, CommitId, Error, History, Limits, NoProgress, ObjectId, Order, OrderedBy,
    Repository, Scope, Selection,
};
use git2::{Oid, RepositoryInitOptions, Signature, Time};
use tempfile::TempDir;

/// Files named `*.md` (kind 0) and `*.txt` (kind 1) outside `vendor`, except below `private/`.
struct Docs;

impl Selection for Docs {
    fn descends(&self, folder_name: &[u8]) -> bool {
        folder_name != b"vendor"
    }

    fn kind(&self, file_name: &[u8]) -> Option<u8> {
        if file_name.ends_with(b".md") {
            Some(0)
        } else {
            file_name.ends_with(b".txt").then_some(1)
        }
    }

    fn includes(&self, path: &str) -> bool {
        !path.starts_with("private/")
    }
}

/// Files named `*.sh`.
struct Scripts;

impl Selection for Scripts {
    fn descends(&self, _folder_name: &[u8]) -> bool {
        true
    }

    fn kind(&self, file_name: &[u8]) -> Option<u8> {
        file_name.ends_with(b".sh").then_some(0)
    }

    fn includes(&self, path: &str) -> bool {
        path != "skipped.sh"
    }
}

/// A repository that is made commit by commit.
struct Made {
    folder: TempDir,
    git: git2::Repository,
}

const HOUR: i64 = 3_600;
const START: i64 = 1_700_000_000;

impl Made {
    fn new() -> Self {
        Self::with(false)
    }

    fn with(bare: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = RepositoryInitOptions::new();
        options.external_template(false).initial_head("main").bare(bare);
        let git = git2::Repository::init_opts(folder.path().join("repo"), &options).unwrap();
        Self { folder, git }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    /// A commit at hour `hour` whose tree holds exactly these files; HEAD moves to it.
    fn commit(&self, hour: i64, parents: &[Oid], files: &[(&str, &str)]) -> Oid {
        let files = files
            .iter()
            .map(|(path, text)| (path.as_bytes().to_vec(), 0o100_644, self.blob(text)))
            .collect();
        self.commit_tree(hour, parents, self.tree(files))
    }

    fn commit_tree(&self, hour: i64, parents: &[Oid], tree: Oid) -> Oid {
        let who = Signature::new("A Tester", "a@example.org", &Time::new(START + hour * HOUR, 0))
            .unwrap();
        let tree = self.git.find_tree(tree).unwrap();
        let parents: Vec<_> = parents.iter().map(|id| self.git.find_commit(*id).unwrap()).collect();
        let parents: Vec<_> = parents.iter().collect();
        let id = self
            .git
            .commit(None, &who, &who, &format!("Hour {hour}\n\nBody."), &tree, &parents)
            .unwrap();
        self.git.reference("refs/heads/main", id, true, "test").unwrap();
        id
    }

    fn blob(&self, text: &str) -> Oid {
        self.git.blob(text.as_bytes()).unwrap()
    }

    fn tree(&self, files: Vec<(Vec<u8>, i32, Oid)>) -> Oid {
        let mut folders: BTreeMap<Vec<u8>, Vec<_>> = BTreeMap::new();
        let mut builder = self.git.treebuilder(None).unwrap();
        for (path, mode, id) in files {
            match path.iter().position(|byte| *byte == b'/') {
                Some(slash) => {
                    let below = (path[slash + 1..].to_vec(), mode, id);
                    folders.entry(path[..slash].to_vec()).or_default().push(below);
                }
                None => drop(builder.insert(path.as_slice(), id, mode).unwrap()),
            }
        }
        for (name, files) in folders {
            let id = self.tree(files);
            builder.insert(name.as_slice(), id, 0o040_000).unwrap();
        }
        builder.write().unwrap()
    }

    /// An object of any bytes.
    fn raw(&self, kind: git2::ObjectType, bytes: &[u8]) -> Oid {
        self.git.odb().unwrap().write(kind, bytes).unwrap()
    }

    fn remove(&self, id: Oid) {
        fs::remove_file(self.loose(id)).unwrap();
    }

    fn loose(&self, id: Oid) -> PathBuf {
        let hex = id.to_string();
        self.git.path().join("objects").join(&hex[..2]).join(&hex[2..])
    }

    fn open(&self) -> Repository {
        Repository::open(&self.path()).unwrap()
    }

    fn walk(&self) -> History {
        self.try_walk(false, Limits::default()).unwrap()
    }

    fn try_walk(&self, allow_shallow: bool, limits: Limits) -> Result<History, Error> {
        walk(&self.open(), 2, allow_shallow, limits)
    }
}

fn walk(
    repository: &Repository,
    jobs: usize,
    allow_shallow: bool,
    limits: Limits,
) -> Result<History, Error> {
    let rev = repository.resolve("HEAD")?;
    repository.walk(&Scope {
        rev,
        selection: &Docs,
        allow_shallow,
        jobs,
        progress: &NoProgress,
        limits,
    })
}

fn id_of(history: &History, commit: Oid) -> CommitId {
    let index =
        history.commits().iter().position(|known| known.oid.0 == commit.as_bytes()).unwrap();
    CommitId(u32::try_from(index).unwrap())
}

/// The changes of a commit as `path: before -> after`, by the texts in `texts`.
fn changes(history: &History, made: &Made, commit: Oid) -> Vec<String> {
    let text = |blob: Option<claim_audit::history::BlobId>| {
        blob.map_or_else(
            || "-".to_owned(),
            |blob| {
                let id = Oid::from_bytes(&history.blobs()[blob.0 as usize].oid.0).unwrap();
                String::from_utf8(made.git.find_blob(id).unwrap().content().to_vec()).unwrap()
            },
        )
    };
    history
        .changes(id_of(history, commit))
        .iter()
        .map(|change| {
            let before: Vec<String> = change.before.iter().map(|blob| text(*blob)).collect();
            format!("{}: {} > {}", history.path(change.path), before.join("|"), text(change.blob))
        })
        .collect()
}

fn documents(history: &History, commit: Oid) -> Vec<&str> {
    history
        .documents_at(id_of(history, commit))
        .into_iter()
        .map(|(path, _)| history.path(path))
        .collect()
}

fn codes(history: &History) -> Vec<&'static str> {
    history.caveats().iter().map(|caveat| caveat.code).collect()
}

#[test]
fn reads_a_line_of_commits() {
    let made = Made::new();
    let a = made.commit(
        0,
        &[],
        &[("README.md", "1"), ("code.c", "x"), ("docs/a.txt", "2"), ("vendor/v.md", "v")],
    );
    let b = made.commit(1, &[a], &[("README.md", "1"), ("code.c", "y"), ("docs/a.txt", "3")]);
    let c = made.commit(2, &[b], &[("README.md", "1"), ("code.c", "z"), ("docs/a.txt", "3")]);
    let history = made.walk();
    let ids: Vec<Vec<u8>> = history.commits().iter().map(|commit| commit.oid.0.to_vec()).collect();
    assert_eq!(ids, [a.as_bytes(), b.as_bytes(), c.as_bytes()]);
    assert_eq!(history.head(), CommitId(2));
    assert_eq!(changes(&history, &made, a), ["README.md:  > 1", "docs/a.txt:  > 2"]);
    assert_eq!(changes(&history, &made, b), ["docs/a.txt: 2 > 3"]);
    assert!(history.changes(CommitId(2)).is_empty());
    assert!(
        history.same_documents(CommitId(1), CommitId(2))
            && !history.same_documents(CommitId(0), CommitId(1))
    );
    assert_eq!(history.commits()[1].author_time, START + HOUR);
    assert_eq!(history.commits()[1].message, "Hour 1\n\nBody.");
    assert_eq!(history.commits()[2].parents, [CommitId(1)]);
    assert!(
        history.caveats().is_empty() && history.commits().iter().all(|commit| !commit.boundary)
    );
    let (path, blob) = history.documents_at(CommitId(2))[1];
    assert_eq!(history.blob_at(CommitId(2), path), Some(blob));
    assert_ne!(history.blob_at(CommitId(0), path), Some(blob));
}

#[test]
fn a_merge_changes_only_what_no_parent_has() {
    let made = Made::new();
    let root = made.commit(0, &[], &[("a.md", "0"), ("b.md", "0"), ("c.md", "0")]);
    let left = made.commit(1, &[root], &[("a.md", "1"), ("b.md", "0"), ("c.md", "0")]);
    let right = made.commit(2, &[root], &[("a.md", "0"), ("b.md", "2"), ("c.md", "0")]);
    let clean = made.commit(3, &[left, right], &[("a.md", "1"), ("b.md", "2"), ("c.md", "0")]);
    let history = made.walk();
    assert!(history.changes(id_of(&history, clean)).is_empty());

    // Changed in the merge itself, added in it, removed in it.
    let evil = made.commit(3, &[left, right], &[("a.md", "3"), ("b.md", "2"), ("d.md", "4")]);
    let history = made.walk();
    assert_eq!(changes(&history, &made, evil), ["a.md: 1|0 > 3", "c.md: 0|0 > -", "d.md: -|- > 4"]);
    let parents: Vec<CommitId> = vec![id_of(&history, left), id_of(&history, right)];
    assert_eq!(history.commits()[id_of(&history, evil).0 as usize].parents, parents);
}

#[test]
fn an_octopus_and_a_criss_cross_merge() {
    let made = Made::new();
    let root = made.commit(0, &[], &[("a.md", "0")]);
    let side: Vec<Oid> = (1..=5)
        .map(|number| {
            made.commit(number, &[root], &[("a.md", "0"), (&format!("s{number}.md"), "s")])
        })
        .collect();
    let all = [
        ("a.md", "0"),
        ("s1.md", "s"),
        ("s2.md", "s"),
        ("s3.md", "s"),
        ("s4.md", "s"),
        ("s5.md", "s"),
    ];
    let octopus = made.commit(6, &side, &all);
    let left = made.commit(7, &[octopus], &[("a.md", "L")]);
    let right = made.commit(8, &[octopus], &[("b.md", "R")]);
    let first = made.commit(9, &[left, right], &[("a.md", "L"), ("b.md", "R")]);
    let second = made.commit(10, &[right, left], &[("a.md", "L"), ("b.md", "R")]);
    let end = made.commit(11, &[first, second], &[("a.md", "L"), ("b.md", "R"), ("c.md", "!")]);
    let history = made.walk();
    assert!(history.changes(id_of(&history, octopus)).is_empty());
    assert_eq!(history.commits()[id_of(&history, octopus).0 as usize].parents.len(), 5);
    assert!(history.changes(id_of(&history, first)).is_empty());
    assert_eq!(changes(&history, &made, end), ["c.md: -|- > !"]);
    let order = |a, b| history.order(id_of(&history, a), id_of(&history, b));
    assert_eq!(order(left, second), Order::Before(OrderedBy::Ancestry));
    assert_eq!(order(second, left), Order::After(OrderedBy::Ancestry));
    assert_eq!(order(first, second), Order::Before(OrderedBy::Time));
    assert_eq!(order(right, left), Order::After(OrderedBy::Time));
    assert_eq!(order(end, end), Order::Same);
    assert!(!history.is_ancestor(id_of(&history, end), id_of(&history, end)));
}

#[test]
fn several_roots_are_all_read() {
    let made = Made::new();
    let a = made.commit(0, &[], &[("a.md", "1")]);
    let b = made.commit(1, &[], &[("b.md", "2")]);
    let merge = made.commit(2, &[a, b], &[("a.md", "1"), ("b.md", "2")]);
    let history = made.walk();
    assert_eq!(changes(&history, &made, b), ["b.md:  > 2"]);
    assert!(history.changes(id_of(&history, merge)).is_empty());
    assert_eq!(
        history.order(id_of(&history, a), id_of(&history, b)),
        Order::Before(OrderedBy::Time)
    );
}

#[test]
fn parents_come_before_children_whatever_the_clock_says() {
    let made = Made::new();
    let a = made.commit(1_000, &[], &[("a.md", "1")]);
    let b = made.commit(0, &[a], &[("a.md", "2")]);
    let c = made.commit(-500, &[b], &[("a.md", "3")]);
    let side = made.commit(-900, &[a], &[("b.md", "3")]);
    made.commit(-800, &[c, side], &[("a.md", "3"), ("b.md", "3")]);
    let history = made.walk();
    for (index, commit) in history.commits().iter().enumerate() {
        assert!(commit.parents.iter().all(|parent| (parent.0 as usize) < index));
    }
    // Of what is ready the earlier committed comes first.
    assert_eq!(history.commits()[1].oid.0, side.as_bytes());
    let skew = &history.caveats()[0];
    assert_eq!((skew.code, skew.message.contains(&side.to_string()[..7])), ("clock-skew", true));
    assert_eq!(
        history.order(id_of(&history, a), id_of(&history, c)),
        Order::Before(OrderedBy::Ancestry)
    );
}

#[test]
fn renames_copies_deletions_and_returns() {
    let made = Made::new();
    let a = made.commit(0, &[], &[("a.md", "same"), ("keep.md", "k")]);
    let renamed = made.commit(1, &[a], &[("docs/b.md", "same"), ("keep.md", "k")]);
    let copied =
        made.commit(2, &[renamed], &[("docs/b.md", "same"), ("copy.md", "same"), ("keep.md", "k")]);
    let gone = made.commit(3, &[copied], &[("keep.md", "k")]);
    let back = made.commit(4, &[gone], &[("a.md", "same"), ("keep.md", "k")]);
    let history = made.walk();
    assert_eq!(changes(&history, &made, renamed), ["a.md: same > -", "docs/b.md: - > same"]);
    assert_eq!(changes(&history, &made, copied), ["copy.md: - > same"]);
    assert_eq!(changes(&history, &made, gone), ["copy.md: same > -", "docs/b.md: same > -"]);
    assert_eq!(changes(&history, &made, back), ["a.md: - > same"]);
    assert_eq!(history.blobs().len(), 2);
    assert_eq!(documents(&history, copied), ["copy.md", "docs/b.md", "keep.md"]);
}

#[test]
fn a_file_becomes_a_folder_and_a_folder_a_file() {
    let made = Made::new();
    let a = made.commit(0, &[], &[("n.md", "file"), ("o.md/in.md", "deep")]);
    let b = made.commit(1, &[a], &[("n.md/in.md", "deep"), ("o.md", "file")]);
    let history = made.walk();
    assert_eq!(
        changes(&history, &made, b),
        ["n.md: file > -", "n.md/in.md: - > deep", "o.md: - > file", "o.md/in.md: deep > -"]
    );
    assert_eq!(documents(&history, a), ["n.md", "o.md/in.md"]);
    assert_eq!(documents(&history, b), ["n.md/in.md", "o.md"]);
}

#[test]
fn excluded_paths_and_other_kinds_of_entries_are_no_documents() {
    let made = Made::new();
    let text = made.blob("text");
    let tree = made.tree(vec![
        (b"a.md".to_vec(), 0o100_755, text),
        (b"link.md".to_vec(), 0o120_000, text),
        (b"private/p.md".to_vec(), 0o100_644, made.blob("secret")),
        (b"sub.md".to_vec(), 0o160_000, Oid::from_bytes(&[3; 20]).unwrap()),
        (b"caf\xe9.md".to_vec(), 0o100_644, made.blob("latin")),
        (b"a.txt".to_vec(), 0o100_644, text),
    ]);
    let a = made.commit_tree(0, &[], tree);
    let history = made.walk();
    assert_eq!(documents(&history, a), ["a.md", "a.txt", "caf\u{fffd}.md"]);
    // Equal bytes read as two kinds are two documents; the secret is never read.
    assert_eq!(history.blobs().len(), 3);
    let seen = Mutex::new(Vec::new());
    let note = |source: &BlobSource<'_>, bytes: &[u8]| {
        seen.lock().unwrap().push((
            source.path.to_owned(),
            source.kind,
            String::from_utf8_lossy(bytes).into_owned(),
        ));
    };
    made.open().read_each(&history, 1, &NoProgress, note).unwrap();
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen.len(), 3);
    assert!(seen.contains(&("a.md".to_owned(), 0, "text".to_owned())));
    assert!(seen.contains(&("a.txt".to_owned(), 1, "text".to_owned())));
}

#[test]
fn nothing_is_read_twice() {
    let made = Made::new();
    let mut last = Vec::new();
    let mut trees = BTreeSet::new();
    let mut blobs = BTreeSet::new();
    for hour in 0..40 {
        let text = format!("{}", hour % 7);
        let other = format!("{}", hour % 3);
        let id = made.commit(
            hour,
            &last,
            &[("x/y/a.md", &text), ("x/b.md", &other), ("z/b.md", &other), ("x/c.c", "c")],
        );
        let root = made.git.find_commit(id).unwrap().tree().unwrap();
        trees.insert(root.id());
        root.walk(git2::TreeWalkMode::PreOrder, |_, entry| {
            match entry.kind() {
                Some(git2::ObjectType::Tree) => drop(trees.insert(entry.id())),
                _ if entry.name_bytes().ends_with(b".md") => drop(blobs.insert(entry.id())),
                _ => {}
            }
            git2::TreeWalkResult::Ok
        })
        .unwrap();
        last = vec![id];
    }
    for jobs in [1, 2, 3] {
        let repository = made.open();
        let history = walk(&repository, jobs, false, Limits::default()).unwrap();
        let counts = history.counts();
        assert_eq!((counts.commits, counts.trees, counts.blobs), (40, trees.len(), blobs.len()));
        let calls = Mutex::new(0);
        let read = repository
            .read_each(&history, jobs, &NoProgress, |_, _| *calls.lock().unwrap() += 1)
            .unwrap();
        assert_eq!((read.read(), calls.into_inner().unwrap()), (blobs.len(), blobs.len()));
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let made = Made::new();
    let mut tips: Vec<Oid> = Vec::new();
    for hour in 0..300 {
        let files: Vec<(String, String)> = (0..hour % 40 + 1)
            .map(|file| {
                (
                    format!("d{}/e{}/f{file}.md", file % 5, (file + hour) % 4),
                    format!("{}", hour * file % 17),
                )
            })
            .collect();
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let parents: Vec<Oid> = match hour % 11 {
            0 => tips.iter().rev().take(3).copied().collect(),
            number if number % 3 == 0 => tips.iter().rev().skip(1).take(1).copied().collect(),
            _ => tips.last().copied().into_iter().collect(),
        };
        tips.push(made.commit(hour, &parents, &files));
    }
    let repository = made.open();
    let describe = |jobs| {
        let history = walk(&repository, jobs, false, Limits::default()).unwrap();
        let read = repository
            .read_each(&history, jobs, &NoProgress, |source, bytes| (source.blob, bytes.to_vec()))
            .unwrap();
        let all: Vec<CommitId> =
            (0..history.commits().len()).map(|n| CommitId(u32::try_from(n).unwrap())).collect();
        let documents: Vec<_> = all.iter().map(|commit| history.documents_at(*commit)).collect();
        let changes: Vec<_> = all.iter().map(|commit| history.changes(*commit)).collect();
        format!(
            "{:?}{:?}{:?}{documents:?}{changes:?}{read:?}",
            history.commits(),
            history.paths(),
            history.blobs()
        )
    };
    let one = describe(1);
    assert!(one == describe(2) && one == describe(5));
}

#[test]
fn agrees_with_git_where_git_is_installed() {
    let made = Made::new();
    let mut tips = Vec::new();
    for hour in 0..60_i64 {
        let files: Vec<(String, String)> = (0..hour % 9 + 1)
            .map(|file| (format!("p{}/f{file}.md", hour % 4 / 2), format!("{}", hour / 3 * file)))
            .collect();
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let parents: Vec<Oid> = match hour % 7 {
            0 => tips.iter().rev().take(2).copied().collect(),
            3 => tips.iter().rev().skip(2).take(1).copied().collect(),
            _ => tips.last().copied().into_iter().collect(),
        };
        tips.push(made.commit(hour, &parents, &files));
    }
    let git = |arguments: &[&str]| {
        let run = Command::new("git")
            .arg("-C")
            .arg(made.path())
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output();
        run.ok()
            .filter(|run| run.status.success())
            .map(|run| String::from_utf8(run.stdout).unwrap())
    };
    let Some(list) = git(&["rev-list", "HEAD"]) else {
        return;
    };
    let history = made.walk();
    let expected: BTreeSet<&str> = list.lines().collect();
    let found: BTreeSet<String> =
        history.commits().iter().map(|commit| commit.oid.to_string()).collect();
    assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected);
    for (index, commit) in history.commits().iter().enumerate() {
        let id = CommitId(u32::try_from(index).unwrap());
        let listed = git(&["ls-tree", "-r", &commit.oid.to_string()]).unwrap();
        let expected: Vec<(String, String)> = listed
            .lines()
            .map(|line| line.split_once('\t').unwrap())
            .map(|(facts, path)| (path.to_owned(), facts.split(' ').nth(2).unwrap().to_owned()))
            .collect();
        let found: Vec<(String, String)> = history
            .documents_at(id)
            .iter()
            .map(|(path, blob)| {
                (history.path(*path).to_owned(), history.blobs()[blob.0 as usize].oid.to_string())
            })
            .collect();
        assert_eq!(found, expected);
        let ancestors = git(&["rev-list", &commit.oid.to_string()]).unwrap();
        let ancestors: BTreeSet<&str> = ancestors.lines().skip(1).collect();
        for (other, known) in history.commits().iter().enumerate() {
            let other = CommitId(u32::try_from(other).unwrap());
            assert_eq!(
                history.is_ancestor(other, id),
                ancestors.contains(known.oid.to_string().as_str())
            );
        }
        // What differs from every parent, by the definition.
        let at =
            |commit: CommitId| history.documents_at(commit).into_iter().collect::<BTreeMap<_, _>>();
        let (here, before): (_, Vec<_>) =
            (at(id), commit.parents.iter().map(|parent| at(*parent)).collect());
        let paths: BTreeSet<_> =
            here.keys().chain(before.iter().flat_map(|before| before.keys())).copied().collect();
        let expected: Vec<_> = paths
            .into_iter()
            .filter(|path| before.iter().all(|before| before.get(path) != here.get(path)))
            .collect();
        let found: Vec<_> = history.changes(id).iter().map(|change| change.path).collect();
        assert_eq!(found, expected, "{}", commit.oid);
        for change in history.changes(id) {
            assert_eq!(change.blob, here.get(&change.path).copied());
            let old: Vec<_> =
                before.iter().map(|before| before.get(&change.path).copied()).collect();
            assert_eq!(change.before, old);
        }
    }
}

#[test]
fn opens_from_below_bare_linked_and_separate() {
    let made = Made::new();
    made.commit(0, &[], &[("a.md", "1")]);
    fs::create_dir_all(made.path().join("sub/folder")).unwrap();
    let tree = made.folder.path().join("linked");
    made.git.worktree("linked", &tree, None).unwrap();
    let bare = Made::with(true);
    bare.commit(0, &[], &[("a.md", "1")]);
    fs::create_dir(made.folder.path().join("separate")).unwrap();
    fs::write(made.folder.path().join("separate/.git"), "gitdir: ../repo/.git\n").unwrap();
    for path in [
        made.path(),
        made.path().join("sub/folder"),
        made.path().join(".git"),
        made.path().join(".git/refs"),
        tree.clone(),
        tree.join(".git/..")
            .components()
            .take(100)
            .collect::<PathBuf>()
            .parent()
            .unwrap()
            .to_owned(),
        bare.path(),
        bare.path().join("objects"),
        made.folder.path().join("separate"),
    ] {
        let Ok(repository) = Repository::open(&path) else {
            // The made-up path through a file is no folder.
            assert!(path.ends_with(".git"), "{}", path.display());
            continue;
        };
        assert_eq!(repository.path(), path);
        assert_eq!(
            walk(&repository, 1, false, Limits::default()).unwrap().commits().len(),
            1,
            "{}",
            path.display()
        );
    }
}

#[test]
fn refuses_what_is_no_repository() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let open = |path: &Path| Repository::open(path).err().unwrap();
    assert!(matches!(open(&at("nowhere")), Error::NoPath { .. }));
    fs::write(at("file.md"), "x").unwrap();
    assert!(matches!(open(&at("file.md")), Error::NotAFolder { path } if path == at("file.md")));
    assert!(matches!(open(folder.path()), Error::NoRepository { .. }));
    fs::create_dir_all(at("empty/.git")).unwrap();
    assert!(
        matches!(open(&at("empty")), Error::BrokenRepository { found, .. } if found.ends_with("empty/.git"))
    );
    fs::create_dir_all(at("lost")).unwrap();
    fs::write(at("lost/.git"), "gitdir: nowhere\n").unwrap();
    assert!(matches!(open(&at("lost")), Error::BrokenRepository { .. }));
    // A broken one inside another is not passed over in silence.
    let made = Made::new();
    made.commit(0, &[], &[("a.md", "1")]);
    fs::create_dir_all(made.path().join("inner/.git")).unwrap();
    assert!(matches!(open(&made.path().join("inner")), Error::BrokenRepository { .. }));
}

#[test]
fn refuses_formats_it_cannot_read() {
    let config = |text: &str| {
        let made = Made::new();
        made.commit(0, &[], &[("a.md", "1")]);
        fs::write(made.path().join(".git/config"), text).unwrap();
        Repository::open(&made.path()).err().unwrap()
    };
    let core = "[core]\n\trepositoryformatversion = 1\n";
    let error = config(&format!("{core}[extensions]\n\tobjectformat = sha256\n"));
    assert!(matches!(error, Error::ObjectFormat { format, .. } if format == "sha256"));
    let error = config(&format!("{core}[extensions]\n\trefstorage = reftable\n"));
    assert!(matches!(error, Error::RefStorage { storage, .. } if storage == "reftable"));
    let error = config(&format!("{core}[extensions]\n\tfuturething = true\n"));
    assert!(matches!(error, Error::Extension { name, .. } if name == "futurething"));
    let error = config("[core]\n\trepositoryformatversion = 99\n");
    assert!(matches!(error, Error::FormatVersion { version: 99, .. }));
    assert!(matches!(config("[core\n"), Error::Config { .. }));
}

#[test]
fn names_of_commits() {
    let made = Made::new();
    let a = made.commit(0, &[], &[("a.md", "1")]);
    let b = made.commit(1, &[a], &[("a.md", "2")]);
    let commit = made.git.find_object(a, None).unwrap();
    let who = Signature::new("A Tester", "a@example.org", &Time::new(START, 0)).unwrap();
    let tag = made.git.tag("v1", &commit, &who, "first", false).unwrap();
    made.git
        .tag("v1-again", &made.git.find_object(tag, None).unwrap(), &who, "tag of a tag", false)
        .unwrap();
    let blob = made.git.find_object(made.blob("1"), None).unwrap();
    made.git.tag("text", &blob, &who, "a blob", false).unwrap();
    let repository = made.open();
    let expect =
        |rev: &str, id: Oid| assert_eq!(repository.resolve(rev).unwrap().0, id.as_bytes(), "{rev}");
    expect("HEAD", b);
    expect("main", b);
    expect("refs/heads/main", b);
    expect("HEAD~1", a);
    expect("main^", a);
    expect("v1", a);
    expect("v1-again", a);
    expect(&a.to_string(), a);
    expect(&a.to_string()[..10], a);
    let fail = |rev: &str| repository.resolve(rev).err().unwrap();
    assert!(matches!(fail("nowhere"), Error::UnknownRevision { rev } if rev == "nowhere"));
    assert!(matches!(fail(&"7".repeat(40)), Error::UnknownRevision { .. }));
    assert!(matches!(fail("HEAD~1..HEAD"), Error::RevisionSyntax { .. }));
    assert!(matches!(fail(""), Error::RevisionSyntax { .. }));
    assert!(matches!(fail("a\n\u{1b}[31mb"), Error::RevisionSyntax { .. }));
    assert!(matches!(fail("text"), Error::NotACommit { kind: "blob", .. }));
    assert!(matches!(fail("HEAD^{tree}"), Error::NotACommit { kind: "tree", .. }));
}

#[test]
fn repositories_without_a_commit_or_a_document() {
    let made = Made::new();
    assert!(matches!(made.open().resolve("HEAD"), Err(Error::NoCommit { .. })));
    assert!(matches!(made.open().resolve("HEAD~1"), Err(Error::NoCommit { .. })));
    let a = made.commit(0, &[], &[("code.c", "1")]);
    let error = made.try_walk(false, Limits::default()).err().unwrap();
    assert!(matches!(error, Error::NoDocuments { commit } if commit.0 == a.as_bytes()));
    made.git.set_head("refs/heads/other").unwrap();
    assert!(
        matches!(made.open().resolve("HEAD"), Err(Error::UnbornHead { branch }) if branch == "refs/heads/other")
    );
    fs::write(made.path().join(".git/refs/heads/other"), "4".repeat(40)).unwrap();
    assert!(
        matches!(made.open().resolve("HEAD"), Err(Error::Reference { name, .. }) if name == "HEAD")
    );
}

#[test]
fn a_shallow_history_is_refused_or_marked() {
    let made = Made::new();
    let a = made.commit(0, &[], &[("a.md", "1")]);
    let b = made.commit(1, &[a], &[("a.md", "1"), ("b.md", "2")]);
    let c = made.commit(2, &[b], &[("a.md", "1"), ("b.md", "3")]);
    let file = made.path().join(".git/shallow");
    fs::write(&file, format!("{b}\n")).unwrap();
    made.remove(a);
    assert!(matches!(made.try_walk(false, Limits::default()), Err(Error::Shallow { commits: 2 })));
    let history = made.try_walk(true, Limits::default()).unwrap();
    assert_eq!(history.commits().len(), 2);
    assert!(history.commits()[0].boundary && !history.commits()[1].boundary);
    assert_eq!(codes(&history), ["shallow"]);
    assert_eq!(changes(&history, &made, b), ["a.md:  > 1", "b.md:  > 2"]);
    assert_eq!(changes(&history, &made, c), ["b.md: 2 > 3"]);

    // The list is shared by all work trees; libgit2 looks for it in the private folder only.
    let tree = made.folder.path().join("linked");
    made.git.worktree("linked", &tree, None).unwrap();
    let repository = Repository::open(&tree).unwrap();
    assert!(matches!(walk(&repository, 1, false, Limits::default()), Err(Error::Shallow { .. })));

    fs::write(&file, "nonsense\n").unwrap();
    let error = Repository::open(&tree)
        .and_then(|repository| walk(&repository, 1, false, Limits::default()))
        .err();
    assert!(matches!(error, Some(Error::ShallowFile { .. })));
    assert!(matches!(Repository::open(&made.path()), Err(Error::ShallowFile { .. })));
}

#[test]
fn a_shallow_list_that_cuts_nothing_is_no_matter() {
    let made = Made::new();
    let a = made.commit(0, &[], &[("a.md", "1")]);
    made.commit(1, &[a], &[("a.md", "2")]);
    for text in ["", &format!("{a}\n")] {
        fs::write(made.path().join(".git/shallow"), text).unwrap();
        let history = made.walk();
        assert!(history.commits().len() == 2 && history.caveats().is_empty());
    }
}

#[test]
fn a_missing_parent_is_a_boundary() {
    let made = Made::new();
    let a = made.commit(0, &[], &[("a.md", "1")]);
    let b = made.commit(1, &[a], &[("a.md", "2")]);
    let side = made.commit(2, &[a], &[("b.md", "2")]);
    let c = made.commit(3, &[b, side], &[("a.md", "2"), ("b.md", "2")]);
    made.remove(b);
    let history = made.walk();
    assert_eq!(history.commits().len(), 3);
    let boundary = |id| history.commits()[id_of(&history, id).0 as usize].boundary;
    assert!(boundary(c) && !boundary(side) && !boundary(a));
    assert_eq!(codes(&history), ["missing-object"]);
    assert!(history.caveats()[0].message.contains(&b.to_string()[..7]));
    // The audited commit itself must be there.
    made.remove(c);
    assert!(matches!(made.open().resolve("HEAD"), Err(Error::Reference { .. })));
    let rev = ObjectId(c.as_bytes().try_into().unwrap());
    let scope = Scope {
        rev,
        selection: &Docs,
        allow_shallow: false,
        jobs: 1,
        progress: &NoProgress,
        limits: Limits::default(),
    };
    assert!(matches!(made.open().walk(&scope), Err(Error::Unreadable { what: "commit", .. })));
}

#[test]
fn a_missing_tree_hides_documents_and_says_so() {
    let made = Made::new();
    let a = made.commit(0, &[], &[("a.md", "1"), ("docs/b.md", "1")]);
    let b = made.commit(1, &[a], &[("a.md", "1"), ("docs/b.md", "2")]);
    let c = made.commit(2, &[b], &[("a.md", "2"), ("docs/b.md", "2"), ("docs/c.md", "3")]);
    let d = made.commit(3, &[c], &[("a.md", "3"), ("docs/b.md", "2"), ("docs/c.md", "3")]);
    let docs = made.git.find_commit(b).unwrap().tree().unwrap().get_name("docs").unwrap().id();
    made.remove(docs);
    let history = made.walk();
    assert_eq!(codes(&history), ["missing-object"]);
    assert!(history.changes(id_of(&history, b)).is_empty());
    assert_eq!(documents(&history, b), ["a.md"]);
    assert_eq!(
        changes(&history, &made, c),
        ["a.md: 1 > 2", "docs/b.md: - > 2", "docs/c.md: - > 3"]
    );
    assert_eq!(changes(&history, &made, d), ["a.md: 2 > 3"]);
    let boundary: Vec<bool> = history.commits().iter().map(|commit| commit.boundary).collect();
    assert_eq!(boundary, [false, false, true, false]);

    let root = made.git.find_commit(d).unwrap().tree_id();
    made.remove(root);
    assert!(matches!(
        made.try_walk(false, Limits::default()),
        Err(Error::Unreadable { what: "tree", oid, .. }) if oid.0 == root.as_bytes()
    ));
}

#[test]
fn documents_that_cannot_be_read_have_no_value() {
    let made = Made::new();
    let big = "x".repeat(2_000);
    let a = made.commit(
        0,
        &[],
        &[
            ("gone.md", "gone"),
            ("big.md", &big),
            ("lie.md", "lie"),
            ("rot.md", "rot"),
            ("ok.md", ""),
        ],
    );
    made.remove(made.blob("gone"));
    // A file that is in the place of another, and one that is no object.
    fs::remove_file(made.loose(made.blob("lie"))).unwrap();
    fs::copy(made.loose(made.blob("")), made.loose(made.blob("lie"))).unwrap();
    fs::remove_file(made.loose(made.blob("rot"))).unwrap();
    fs::write(made.loose(made.blob("rot")), "no zlib").unwrap_or_default();
    let limits = Limits { document_bytes: 1_000, ..Limits::default() };
    let history = made.try_walk(false, limits).unwrap();
    let read = made.open().read_each(&history, 2, &NoProgress, |_, bytes| bytes.len()).unwrap();
    let values: Vec<(&str, Option<usize>)> = history
        .documents_at(id_of(&history, a))
        .into_iter()
        .map(|(path, blob)| (history.path(path), read.get(blob).copied()))
        .collect();
    assert_eq!(values[3], ("ok.md", Some(0)));
    assert_eq!(values.iter().filter(|(_, value)| value.is_none()).count(), 4);
    assert_eq!(read.read(), 1);
    let said = |code: &str| {
        read.caveats()
            .iter()
            .find(|caveat| caveat.code == code)
            .map(|caveat| caveat.message.clone())
    };
    assert!(said("missing-object").unwrap().contains("gone.md"));
    assert!(said("too-large").unwrap().contains("big.md"));
    let corrupt = said("corrupt-object").unwrap();
    assert!(corrupt.contains("lie.md") && corrupt.contains("rot.md"), "{corrupt}");
    let promisor = made.path().join(".git/objects/pack");
    fs::create_dir_all(&promisor).unwrap();
    fs::write(promisor.join("pack-1.promisor"), "").unwrap();
    let read = made.open().read_each(&history, 1, &NoProgress, |_, _| ()).unwrap();
    assert!(read.caveats().iter().any(|caveat| caveat.code == "partial-clone"));
}

#[test]
fn malformed_commits_are_read_and_noted() {
    let made = Made::new();
    let a = made.commit(0, &[], &[("a.md", "1")]);
    let tree = made.git.find_commit(a).unwrap().tree_id();
    let text = format!(
        "tree {tree}\nparent {a}\nparent {a}\nauthor nobody\ncommitter C <c@d> soon +0000\n\nodd \u{0} one"
    );
    let odd = made.raw(git2::ObjectType::Commit, text.as_bytes());
    let text = format!(
        "tree {tree}\nparent {odd}\nparent {tree}\nauthor A <a@b> 9223372036854775807 +9999\ncommitter A <a@b> 1700009999 +0\n\n"
    );
    let last = made.raw(git2::ObjectType::Commit, text.as_bytes());
    fs::write(made.path().join(".git/refs/heads/main"), last.to_string()).unwrap();
    let history = made.walk();
    assert_eq!(history.commits().len(), 3);
    let commit = |id| &history.commits()[id_of(&history, id).0 as usize];
    assert_eq!((commit(odd).parents.len(), commit(odd).message.as_str()), (1, "odd \u{0} one"));
    assert!(commit(last).boundary && commit(last).author_time < 253_402_300_800);
    assert!(
        codes(&history).contains(&"malformed-commit")
            && codes(&history).contains(&"corrupt-object")
    );
}

#[test]
fn malformed_trees_lose_only_what_is_malformed() {
    let made = Made::new();
    let good = made.blob("good");
    let entry = |mode: &str, name: &str, id: Oid| {
        let mut bytes = format!("{mode} {name}\0").into_bytes();
        bytes.extend(id.as_bytes());
        bytes
    };
    let bytes: Vec<u8> = [
        entry("100644", "z.md", good),
        entry("777777", "bad-mode.md", good),
        entry("100644", "", good),
        entry("100644", "..", good),
        entry("100644", "../evil.md", good),
        entry("40000", ".GIT", good),
        entry("40000", "not-a-folder", good),
        entry("100644", "a.md", good),
        entry("100644", "a.md", made.blob("second of its name")),
    ]
    .concat();
    let tree = made.raw(git2::ObjectType::Tree, &bytes);
    let text = format!(
        "tree {tree}\nauthor A <a@b> 1700000000 +0000\ncommitter A <a@b> 1700000000 +0000\n\nx"
    );
    let id = made.raw(git2::ObjectType::Commit, text.as_bytes());
    fs::write(made.path().join(".git/refs/heads/main"), id.to_string()).unwrap();
    let history = made.walk();
    assert_eq!(changes(&history, &made, id), ["a.md:  > good", "z.md:  > good"]);
    assert_eq!(codes(&history), ["corrupt-object", "malformed-tree", "malformed-tree"]);

    let cut = made.raw(git2::ObjectType::Tree, &bytes[..bytes.len() - 5]);
    let text = format!(
        "tree {cut}\nparent {id}\nauthor A <a@b> 1700000000 +0000\ncommitter A <a@b> 1700000000 +0000\n\nx"
    );
    let next = made.raw(git2::ObjectType::Commit, text.as_bytes());
    fs::write(made.path().join(".git/refs/heads/main"), next.to_string()).unwrap();
    assert!(matches!(
        made.try_walk(false, Limits::default()),
        Err(Error::Unreadable { what: "tree", .. })
    ));
}

#[test]
fn a_tree_that_contains_itself_ends() {
    let made = Made::new();
    let inner = made.tree(vec![(b"a.md".to_vec(), 0o100_644, made.blob("1"))]);
    let outer = made.tree(vec![
        (b"in/a.md".to_vec(), 0o100_644, made.blob("1")),
        (b"b.md".to_vec(), 0o100_644, made.blob("2")),
    ]);
    // Forged: what should be `inner` holds `outer`, which holds `inner`.
    fs::remove_file(made.loose(inner)).unwrap();
    fs::copy(made.loose(outer), made.loose(inner)).unwrap();
    let text = format!(
        "tree {outer}\nauthor A <a@b> 1700000000 +0000\ncommitter A <a@b> 1700000000 +0000\n\nx"
    );
    let id = made.raw(git2::ObjectType::Commit, text.as_bytes());
    fs::write(made.path().join(".git/refs/heads/main"), id.to_string()).unwrap();
    let history = made.walk();
    assert!(documents(&history, id).contains(&"b.md"));
    assert!(codes(&history).contains(&"corrupt-object"));
}

#[test]
fn a_git_bomb_and_a_deep_tree_end() {
    let made = Made::new();
    let mut tree = made.tree(vec![(b"a.md".to_vec(), 0o100_644, made.blob("boom"))]);
    for _ in 0..10 {
        let mut builder = made.git.treebuilder(None).unwrap();
        for name in 0..10 {
            builder.insert(format!("d{name}"), tree, 0o040_000).unwrap();
        }
        tree = builder.write().unwrap();
    }
    let mut builder = made.git.treebuilder(None).unwrap();
    builder.insert("bomb", tree, 0o040_000).unwrap();
    builder.insert("a.md", made.blob("fine"), 0o100_644).unwrap();
    let a = made.commit_tree(0, &[], builder.write().unwrap());
    let history = made.walk();
    assert_eq!(documents(&history, a), ["a.md"]);
    assert_eq!(codes(&history), ["too-many-documents"]);

    let deep = Made::new();
    let mut tree = deep.tree(vec![(b"a.md".to_vec(), 0o100_644, deep.blob("deep"))]);
    for _ in 0..6_000 {
        let mut builder = deep.git.treebuilder(None).unwrap();
        builder.insert("d", tree, 0o040_000).unwrap();
        tree = builder.write().unwrap();
    }
    let mut builder = deep.git.treebuilder(None).unwrap();
    builder.insert("d", tree, 0o040_000).unwrap();
    builder.insert("a.md", deep.blob("fine"), 0o100_644).unwrap();
    let a = deep.commit_tree(0, &[], builder.write().unwrap());
    let history = deep.walk();
    assert_eq!(documents(&history, a), ["a.md"]);
    assert_eq!(codes(&history), ["too-deep"]);
}

#[test]
fn limits_are_errors_where_going_on_would_hide_something() {
    let made = Made::new();
    let a = made.commit(
        0,
        &[],
        &[("a.md", "1"), ("b.md", "2"), ("d/c.md", "3"), ("d/d.md", "4"), ("e/e.md", "5")],
    );
    let b = made.commit(1, &[a], &[("a.md", "2")]);
    made.commit(2, &[b, a], &[("a.md", "3")]);
    let walk = |limits: Limits| made.try_walk(false, limits);
    let what = |result: Result<History, Error>| match result {
        Err(Error::Limit { what, .. }) => what,
        _ => "no limit",
    };
    let all = Limits::default();
    assert_eq!(what(walk(Limits { commits: 2, ..all })), "commits");
    assert_eq!(what(walk(Limits { changes: 3, ..all })), "changed documents");
    assert_eq!(what(walk(Limits { steps: 3, ..all })), "compared tree entries");
    assert_eq!(what(walk(Limits { tree_entries: 3, ..all })), "tree entries");
    assert_eq!(what(walk(Limits { all_path_bytes: 3, ..all })), "bytes of document paths");
    // Only the largest folder is left out, and the second parent is not followed.
    let history = walk(Limits { documents: 4, parents: 1, message_bytes: 3, ..all }).unwrap();
    assert_eq!(documents(&history, a), ["a.md", "b.md", "e/e.md"]);
    assert!(history.commits()[2].boundary && history.commits()[2].parents.len() == 1);
    assert_eq!(codes(&history), ["long-message", "too-many-documents", "too-many-parents"]);
}

#[test]
fn replacements_and_grafts_are_noted_not_obeyed() {
    let made = Made::new();
    let a = made.commit(0, &[], &[("a.md", "1")]);
    let b = made.commit(1, &[a], &[("a.md", "2")]);
    let other = made.commit(2, &[], &[("a.md", "other")]);
    made.git.reference("refs/heads/main", b, true, "test").unwrap();
    made.git.reference(&format!("refs/replace/{b}"), other, true, "test").unwrap();
    fs::create_dir_all(made.path().join(".git/info")).unwrap();
    fs::write(made.path().join(".git/info/grafts"), format!("{b}\n")).unwrap();
    let history = made.walk();
    assert_eq!(history.commits().len(), 2);
    assert_eq!(codes(&history), ["grafts", "replace-refs"]);
    fs::remove_dir_all(made.path().join(".git/refs/replace")).unwrap();
    fs::write(
        made.path().join(".git/packed-refs"),
        format!("# pack-refs with: sorted\n{other} refs/replace/{b}\n"),
    )
    .unwrap();
    assert_eq!(codes(&made.walk()), ["grafts", "replace-refs"]);
}

#[test]
fn a_damaged_pack_is_no_panic() {
    let made = Made::new();
    let a = made.commit(0, &[], &[("a.md", "1")]);
    let mut builder = made.git.packbuilder().unwrap();
    builder.insert_commit(a).unwrap();
    let packs = made.path().join(".git/objects/pack");
    fs::create_dir_all(&packs).unwrap();
    builder.write(&packs, 0).unwrap();
    for folder in fs::read_dir(made.path().join(".git/objects")).unwrap() {
        let folder = folder.unwrap().path();
        if folder.file_name().is_some_and(|name| name.len() == 2) {
            fs::remove_dir_all(folder).unwrap();
        }
    }
    assert_eq!(made.walk().commits().len(), 1);
    let pack = fs::read_dir(&packs).unwrap().map(|entry| entry.unwrap().path());
    let pack =
        pack.into_iter().find(|path| path.extension().is_some_and(|end| end == "pack")).unwrap();
    let whole = fs::read(&pack).unwrap();
    for place in 12..whole.len() - 20 {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x50;
        // A new file: the old one may be mapped.
        fs::remove_file(&pack).unwrap();
        fs::write(&pack, bytes).unwrap();
        let repository = made.open();
        let history = walk(&repository, 1, false, Limits::default());
        if let Ok(history) = history {
            assert!(history.commits().len() == 1);
            repository.read_each(&history, 1, &NoProgress, |_, _| ()).unwrap();
        }
    }
}

#[test]
fn files_of_single_commits() {
    let made = Made::new();
    let same = [("a.md", "doc"), ("run.sh", "one"), ("copy.sh", "one")];
    let a = made.commit(0, &[], &same);
    let b = made.commit(1, &[a], &[("a.md", "doc2"), ("run.sh", "one"), ("copy.sh", "one")]);
    let c = made.commit(
        2,
        &[b],
        &[("a.md", "doc"), ("vendor/run.sh", "two"), ("nul.sh", "\0"), ("skipped.sh", "s")],
    );
    let d = made.commit(3, &[c], &[("a.md", "doc"), ("other.sh", "three")]);
    let (repository, history) = (made.open(), made.walk());
    let wanted = [id_of(&history, c), id_of(&history, a), id_of(&history, b), id_of(&history, a)];
    for jobs in [1, 2] {
        let seen = Mutex::new(Vec::new());
        let files = repository
            .files_at(&history, &wanted, &Scripts, jobs, &NoProgress, |source, bytes| {
                seen.lock().unwrap().push(source.oid);
                String::from_utf8_lossy(bytes).into_owned()
            })
            .unwrap();
        assert_eq!(seen.into_inner().unwrap().len(), 2);
        let at = |commit| {
            let files = files.at(id_of(&history, commit));
            files
                .into_iter()
                .map(|(path, text)| (path.to_owned(), text.cloned()))
                .collect::<Vec<_>>()
        };
        let one = Some("one".to_owned());
        assert_eq!(at(a), [("copy.sh".to_owned(), one.clone()), ("run.sh".to_owned(), one)]);
        assert_eq!(at(a), at(b));
        assert_eq!(
            at(c),
            [("nul.sh".to_owned(), None), ("vendor/run.sh".to_owned(), Some("two".to_owned()))]
        );
        assert!(at(d).is_empty() && files.caveats().is_empty());
    }
}

/// Sixty commits on branches that merge each other, crosswise too; the tips are merged at the end.
fn crossing() -> (Made, Vec<Oid>) {
    let made = Made::new();
    let mut all: Vec<Oid> = Vec::new();
    for hour in 0..60_i64 {
        let back = |steps: i64| all.get(usize::try_from(hour - steps).ok()?).copied();
        let parents: &[i64] = match hour % 5 {
            0 => &[1, 2],
            1 => &[1],
            2 => &[2],
            3 => &[2, 1],
            _ => &[2, 3],
        };
        let parents: Vec<Oid> = parents.iter().filter_map(|steps| back(*steps)).collect();
        let text = format!("{}\n", hour / 2);
        let path = format!("f{}.md", hour % 5);
        let files = [("README.md", "text\n"), (path.as_str(), text.as_str())];
        all.push(made.commit(hour, &parents, &files));
    }
    let tips = [all[59], all[58], all[54]];
    all.push(made.commit(60, &tips, &[("README.md", "text\n")]));
    (made, all)
}

fn walk_from(made: &Made, rev: Oid) -> History {
    let scope = Scope {
        rev: claim_audit::history::ObjectId(rev.as_bytes().try_into().unwrap()),
        selection: &Docs,
        allow_shallow: false,
        jobs: 1,
        progress: &NoProgress,
        limits: Limits::default(),
    };
    made.open().walk(&scope).unwrap()
}

#[test]
fn an_earlier_commit_of_a_walk_is_what_a_walk_from_it_finds() {
    let (made, all) = crossing();
    let whole = made.walk();
    for oid in all {
        let walked = walk_from(&made, oid);
        let at = whole.at(id_of(&whole, oid)).unwrap();
        let facts = |history: &History| {
            let path = |path| history.path(path).to_owned();
            let blob = |blob: Option<claim_audit::history::BlobId>| {
                blob.map(|blob| history.blobs()[blob.0 as usize].oid)
            };
            let commits = (0..).map(CommitId).zip(history.commits());
            let told: Vec<_> = commits
                .map(|(id, commit)| {
                    let changes = history.changes(id).iter().map(|change| {
                        let before: Vec<_> = change.before.iter().map(|one| blob(*one)).collect();
                        (path(change.path), blob(change.blob), before)
                    });
                    let documents = history.documents_at(id).into_iter();
                    let documents = documents.map(|(at, one)| (path(at), blob(Some(one))));
                    let (changes, documents): (Vec<_>, Vec<_>) =
                        (changes.collect(), documents.collect());
                    (commit.oid, commit.parents.clone(), changes, documents)
                })
                .collect();
            (history.head(), told)
        };
        assert_eq!(facts(&at), facts(&walked));
        let last = at.head();
        assert!((0..last.0).all(|a| at.is_ancestor(CommitId(a), last) == walked.is_ancestor(CommitId(a), last)));
    }
}

#[test]
fn merge_bases_are_those_of_git() {
    let (made, all) = crossing();
    let git = |arguments: &[&str]| {
        let run = std::process::Command::new("git")
            .arg("-C")
            .arg(made.path())
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output();
        run.ok().map(|run| String::from_utf8(run.stdout).unwrap())
    };
    let mut several = 0;
    for (at, one) in all.iter().enumerate().skip(20).step_by(2) {
        let history = walk_from(&made, *one);
        for other in all.iter().skip(at % 4).step_by(3) {
            let id = claim_audit::history::ObjectId(other.as_bytes().try_into().unwrap());
            let bases = made.open().merge_bases(&history, id).unwrap();
            several += usize::from(bases.len() > 1);
            let mut found: Vec<String> = bases
                .iter()
                .map(|base| history.commits()[base.0 as usize].oid.to_string())
                .collect();
            found.sort();
            let Some(expected) =
                git(&["merge-base", "--all", &one.to_string(), &other.to_string()])
            else {
                return;
            };
            let mut expected: Vec<_> = expected.lines().collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "{one} {other}");
        }
    }
    assert!(several > 0, "no two commits with several merge bases");
}

#[test]
fn strangers_have_no_merge_base() {
    let made = Made::new();
    let stranger = made.commit(0, &[], &[("a.md", "one")]);
    let root = made.commit(1, &[], &[("a.md", "two")]);
    made.commit(2, &[root], &[("a.md", "three")]);
    let id = claim_audit::history::ObjectId(stranger.as_bytes().try_into().unwrap());
    let error = made.open().merge_bases(&made.walk(), id).unwrap_err();
    assert!(matches!(error, Error::Unrelated { cut_off: false, .. }), "{error}");
    let missing = claim_audit::history::ObjectId([7; 20]);
    let error = made.open().merge_bases(&made.walk(), missing).unwrap_err();
    assert!(matches!(error, Error::Unreadable { .. }), "{error}");
}
