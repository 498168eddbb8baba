use super::fixture::Repo;
use super::*;

const HOUR: i64 = 3_600;

fn links(claim: &Lineage) -> Vec<Option<Link>> {
    claim.life.iter().map(|step| step.link).collect()
}

#[test]
fn a_claim_is_as_old_as_its_first_sighting() {
    let mut repo = Repo::new();
    repo.then(0, "start", &[("README.md", "nothing yet\n")]);
    let made =
        repo.then(HOUR, "claim", &[("README.md", "# Limits\n\nF 3 cards => illegal access\n")]);
    repo.then(2 * HOUR, "move", &[("docs/limits.md", "F **3 cards** => illegal access\n")]);
    repo.then(3 * HOUR, "reflow", &[("docs/limits.md", "\n\n\nF 3 cards => illegal access\n")]);
    let known = repo.read();
    let claim = known.claim("3 cards");
    assert_eq!(known.number(&repo, claim.introduced.commit), made);
    assert_eq!(claim.introduced.path, "README.md");
    assert_eq!(claim.introduced.lines, Lines { start: 3, end: 3 });
    assert_eq!(claim.path, "docs/limits.md");
    assert_eq!(claim.claim.lines, Lines { start: 4, end: 4 });
    assert_eq!(claim.last_tested, claim.introduced);
    assert!(claim.retests.is_empty() && !claim.at_or_before);
    assert_eq!(links(claim), [None, Some(Link::Moved)]);
}

#[test]
fn rewording_keeps_the_age_and_a_new_number_starts_one() {
    let mut repo = Repo::new();
    let made = repo.then(0, "a", &[("a.md", "M decode speed of the large model => 98.14 tok/s\n")]);
    repo.then(HOUR, "b", &[("b.md", "M the decode speed, large model => reads 98.1 tok/s\n")]);
    let known = repo.read();
    let claim = known.claim("98.1");
    assert_eq!(known.number(&repo, claim.introduced.commit), made);
    assert_eq!(claim.introduced.path, "a.md");
    assert_eq!(links(claim), [None, Some(Link::Moved)]);

    let again = repo.then(
        2 * HOUR,
        "c",
        &[("b.md", "M the decode speed, large model => reads 101 tok/s\n")],
    );
    let known = repo.read();
    let claim = known.claim("101");
    assert_eq!(known.number(&repo, claim.introduced.commit), again);
    assert_eq!(claim.retests.len(), 1);
    assert_eq!(claim.retests[0].how, How::Number);
    assert_eq!(links(claim), [None, Some(Link::Moved), Some(Link::Revised(How::Number))]);
    assert_eq!(claim.life.iter().map(|it| it.same_age).collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn the_opposite_outcome_starts_an_age_and_another_condition_is_another_claim() {
    let mut repo = Repo::new();
    repo.then(
        0,
        "a",
        &[("a.md", "F 3 cards, default split => illegal access\nF 2 cards => dies\n")],
    );
    let fixed =
        repo.then(HOUR, "b", &[("a.md", "S 3 cards, default split => works\nF 4 cards => dies\n")]);
    let known = repo.read();
    let works = known.claim("works");
    assert_eq!(known.number(&repo, works.introduced.commit), fixed);
    assert_eq!(works.retests.first().unwrap().how, How::Outcome);
    assert_eq!(links(known.claim("4 cards")), [None]);
}

#[test]
fn a_claim_belongs_to_the_side_branch_and_not_to_the_merge() {
    let mut repo = Repo::new();
    let root = repo.commit(&[], 0, "root", &[("a.md", "nothing\n")]);
    let side = repo.commit(&[root], HOUR, "side", &[("a.md", "F 3 cards => dies\n")]);
    let main = repo.commit(&[root], 2 * HOUR, "main", &[("a.md", "nothing\n"), ("b.md", "x\n")]);
    let both = [("a.md", "F 3 cards => dies\nx\n"), ("b.md", "x\n")];
    repo.commit(&[main, side], 3 * HOUR, "merge", &both);
    let known = repo.read();
    assert_eq!(known.number(&repo, known.claim("3 cards").introduced.commit), side);
}

#[test]
fn of_unrelated_commits_the_earlier_committed_wins() {
    let mut repo = Repo::new();
    let root = repo.commit(&[], 0, "root", &[("a.md", "nothing\n")]);
    let late = repo.commit(&[root], 9 * HOUR, "late", &[("a.md", "F 3 cards => dies\n")]);
    let early = repo.commit(&[root], HOUR, "early", &[("b.md", "F 3 cards => dies\n")]);
    let both = [("a.md", "F 3 cards => dies\n"), ("b.md", "F 3 cards => dies\n")];
    repo.commit(&[late, early], 10 * HOUR, "merge", &both);
    let known = repo.read();
    let claims = &known.lineages.claims;
    assert_eq!(claims.len(), 2);
    for claim in claims {
        assert_eq!(known.number(&repo, claim.introduced.commit), early);
    }
    let ids = claim_ids(claims);
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn a_removed_claim_that_comes_back_is_as_old_as_before() {
    let mut repo = Repo::new();
    let made = repo.then(0, "a", &[("a.md", "F 3 cards => dies\n")]);
    repo.then(HOUR, "revert", &[("a.md", "\n")]);
    repo.then(2 * HOUR, "revert the revert", &[("a.md", "F 3 cards => dies\n")]);
    let known = repo.read();
    assert_eq!(known.number(&repo, known.claim("3 cards").introduced.commit), made);
}

#[test]
fn the_same_row_twice_in_a_document_is_one_claim() {
    let mut repo = Repo::new();
    repo.then(0, "a", &[("a.md", "F 3 cards => dies\n\nF 3 cards => dies\n")]);
    let known = repo.read();
    assert_eq!(known.claim("3 cards").claim.also, [Lines { start: 3, end: 3 }]);
}

#[test]
fn a_message_retests_what_it_names() {
    let documents = "F 3 cards with draft heads => illegal access\n\
                     F 4 cards with draft heads => illegal access\n\
                     M prefill of long prompts => 800 tok/s\n";
    let mut repo = Repo::new();
    repo.then(0, "Note: re-ran draft heads on 3 cards", &[("a.md", documents)]);
    let again = repo.then(
        HOUR,
        "again\n\nNote: re-ran draft heads on 3 cards, same failure",
        &[("a.md", documents)],
    );
    let known = repo.read();
    let claim = known.claim("3 cards");
    assert_eq!(known.number(&repo, claim.last_tested.commit), again);
    assert_eq!(claim.last_tested.path, "a.md");
    assert_eq!(claim.retests.len(), 1);
    assert_eq!(claim.retests[0].how, How::Message);
    assert!(known.claim("4 cards").retests.is_empty());
    assert!(known.claim("prefill").retests.is_empty());
}

#[test]
fn a_message_that_names_nothing_counts_through_the_numbers_it_changed() {
    let mut repo = Repo::new();
    let old = "M decode of drafts => 98.1 tok/s\nM prefill => 800 tok/s\nF 3 cards => dies\n";
    let made = repo.then(0, "a", &[("a.md", old)]);
    let new = old.replace("98.1", "99.4");
    let again = repo.then(HOUR, "Note: rerun all benchmarks", &[("a.md", &new)]);
    let known = repo.read();
    let tested = |words| known.number(&repo, known.claim(words).last_tested.commit);
    assert_eq!((tested("decode"), tested("prefill"), tested("3 cards")), (again, made, made));
}

#[test]
fn a_copied_number_is_as_old_as_the_original() {
    let original = "M MMA latency of `f16` => first 26.0 tok/s second 26.5 tok/s\n";
    let mut repo = Repo::new();
    let made = repo.then(0, "a", &[("ru.md", original)]);
    let copy =
        "M MMA latency => 26.0 tok/s and 26.5 tok/s\nM MMA latency of another => 26.0 tok/s\n";
    let copied = repo.then(HOUR, "b", &[("ru.md", original), ("en.md", copy)]);
    let known = repo.read();
    let introduced = |words| known.number(&repo, known.claim(words).introduced.commit);
    assert_eq!(introduced("and 26.5"), made);
    assert_eq!(introduced("another"), copied);
}

#[test]
fn a_trailer_names_an_id_or_a_subject() {
    let documents = [("a.md", "F 3 cards => dies\nF 4 cards => dies\n")];
    let mut repo = Repo::new();
    repo.then(0, "a", &documents);
    let id = claim_ids(&repo.read().lineages.claims)[1].clone();
    let by_id = repo.then(HOUR, &format!("b\n\nRetest: {id}"), &documents);
    let by_subject = repo.then(2 * HOUR, "c\n\nRetest: 3 cards", &documents);
    let known = repo.read();
    let tested = |words| known.number(&repo, known.claim(words).last_tested.commit);
    assert_eq!((tested("4 cards"), tested("3 cards")), (by_id, by_subject));
    assert_eq!(known.claim("3 cards").retests[0].how, How::Trailer);
}

#[test]
fn a_pitfall_is_as_old_as_the_first_entry_about_its_trigger() {
    let mut repo = Repo::new();
    repo.then(0, "a", &[("run.sh", "export ALLOC=grow:True\n"), ("a.md", "x\n")]);
    let banned = repo.then(HOUR, "b", &[("a.md", "P crash grow:True => unusable here\n")]);
    repo.then(
        2 * HOUR,
        "c",
        &[("b.md", "P crash grow:True => never set it, the allocator dies at start\n")],
    );
    let known = repo.read();
    let pitfall = known.lineages.pitfalls.first().unwrap();
    assert_eq!(known.number(&repo, pitfall.introduced.commit), banned);
    assert_eq!((pitfall.introduced.path.as_str(), pitfall.path.as_str()), ("a.md", "b.md"));
}

#[test]
fn a_boundary_is_no_origin() {
    let mut repo = Repo::new();
    repo.then(0, "hidden", &[("a.md", "F 3 cards => dies\n")]);
    let boundary = repo.then(HOUR, "b", &[("a.md", "F 3 cards => dies\n\n")]);
    repo.then(2 * HOUR, "c", &[("a.md", "F 3 cards => dies\nF 4 cards => dies\n")]);
    std::fs::write(repo.path().join(".git/shallow"), format!("{}\n", repo.commits[boundary]))
        .unwrap();
    let known = repo.read();
    let old = known.claim("3 cards");
    assert!(old.at_or_before);
    assert_eq!(known.number(&repo, old.introduced.commit), boundary);
    assert!(!known.claim("4 cards").at_or_before);
}

#[test]
fn another_unit_or_source_is_another_claim_and_no_test() {
    let mut repo = Repo::new();
    let measured = repo.then(
        0,
        "a",
        &[("a.md", "M weights of the large model => 166.9 GB\nM decode => 98.14 tok/s\n")],
    );
    let fixed = repo.then(
        HOUR,
        "b",
        &[(
            "a.md",
            "M weights of the large model => 166.9 acc\nM decode => 97.2 tok/s ~reported\n",
        )],
    );
    let known = repo.read();
    for words in ["166.9", "97.2"] {
        let claim = known.claim(words);
        assert_eq!(known.number(&repo, claim.introduced.commit), fixed, "{words}");
        assert_eq!(known.number(&repo, claim.last_tested.commit), measured, "{words}");
        assert_eq!(claim.retests, [], "{words}");
        assert_eq!(links(claim), [None, Some(Link::Corrected)], "{words}");
    }
}
