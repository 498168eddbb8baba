//! What a claim refers to: commits, pull requests, branches, files, sections, versions, settings.
//! Knows no repository: whether any of it is there is not asked here.

use std::collections::HashSet;

use super::Claim;
use super::matching::{self, Sentence};
use super::reading::Reading;
use crate::rules::{CitationClass, FormKind, RuleSet};

/// References of one claim that are looked up; a table of contents is no citation.
const MOST: usize = 32;

/// Links of the lines of one claim that are looked at.
const LINKS: usize = 1_000;

/// What is referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Referent {
    /// A commit by its id or the beginning of it.
    Commit,
    /// A pull or merge request by its number.
    PullRequest,
    /// An issue or a pull request by its number.
    Number,
    /// A branch or a tag by its name.
    Branch,
    /// A file named in the text.
    File,
    /// A section named by its title.
    Section,
    /// A link by its target, as written.
    Link,
}

/// Something that a claim refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// What it is.
    pub referent: Referent,
    /// Its id, number, name, title or target.
    pub name: String,
    /// What readers see of it.
    pub words: String,
    /// For a link to a forge: `host/owner/name`, and the kind of page.
    pub forge: Option<(String, String)>,
    /// The claim says that it rests on it.
    pub fix: bool,
    /// It is said not to be merged.
    pub open: bool,
    /// It is of another repository, by its own words.
    pub elsewhere: bool,
}

/// A version or a setting with its value, as compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pin {
    /// One name for all its spellings.
    pub name: String,
    /// As written, lower case, without a leading `v`.
    pub value: String,
}

/// A link of a document's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    target: String,
    words: String,
    letters: String,
}

/// The different links of some lines of a document, markup included; of very many the first.
pub fn linked(source: &str, rules: &RuleSet) -> Vec<Linked> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for form in rules.forms.iter().filter(|form| form.kind == FormKind::Link) {
        for hit in form.find(source) {
            let Some(target) = hit.name("name") else { continue };
            let words = hit.name("text").map_or(target.as_str(), |words| words.as_str()).trim();
            let (target, letters) = (target.as_str().to_owned(), letters(words));
            let words = words.trim_matches(['`', '*', '_']).to_owned();
            if found.len() < LINKS && seen.insert((target.clone(), words.clone())) {
                found.push(Linked { target, words, letters });
            }
        }
    }
    found
}

/// What a claim refers to. `linked` are the links of its lines.
pub fn references(claim: &Claim, linked: &[Linked], rules: &RuleSet) -> Vec<Reference> {
    let text = claim.text.as_str();
    let mut found = Vec::new();
    for form in &rules.forms {
        let referent = match form.kind {
            FormKind::Commit => Referent::Commit,
            FormKind::PullRequest => Referent::PullRequest,
            FormKind::Number => Referent::Number,
            FormKind::Branch | FormKind::Tag => Referent::Branch,
            FormKind::File => Referent::File,
            FormKind::Section => Referent::Section,
            FormKind::Link => {
                found.extend(links(text, linked, rules));
                continue;
            }
            _ => continue,
        };
        for hit in form.find(text) {
            if let Some(name) = hit.name("name") {
                found.push(reference(referent, name.as_str(), name.as_str()));
            }
        }
    }
    let is_link = |it: &Reference| it.referent == Referent::Link;
    let links = found.iter().filter(|it| is_link(it));
    let linked: Vec<String> = links.map(|it| letters(&it.words)).collect();
    // A link says better than its words what is meant.
    found.retain(|it| is_link(it) || !linked.contains(&letters(&it.words)));
    mark_elsewhere(&mut found, text, rules);
    mark_words(&mut found, text, rules);
    let mut kept: Vec<Reference> = Vec::new();
    for one in found {
        let same = |it: &Reference| it.referent == one.referent && it.name == one.name;
        if !kept.iter().any(same) && kept.len() < MOST {
            kept.push(one);
        }
    }
    kept
}

fn reference(referent: Referent, name: &str, words: &str) -> Reference {
    Reference {
        referent,
        name: name.to_owned(),
        words: words.to_owned(),
        forge: None,
        fix: false,
        open: false,
        elsewhere: false,
    }
}

/// Links whose words stand in the claim: its neighbours on a line have others.
fn links(text: &str, linked: &[Linked], rules: &RuleSet) -> Vec<Reference> {
    let plain = letters(text);
    let here = linked.iter().filter(|it| !it.letters.is_empty() && plain.contains(&it.letters));
    let link = |it: &Linked| {
        let mut link = reference(Referent::Link, &it.target, &it.words);
        for forge in rules.forms.iter().filter(|form| form.kind == FormKind::Forge) {
            let Some(page) = forge.find(&it.target).next() else { continue };
            let group = |name: &str| page.name(name).map(|it| it.as_str().to_owned());
            if let (Some(repo), Some(what), Some(name)) =
                (group("repo"), group("what"), group("name"))
            {
                link.name = name;
                link.forge = Some((repo.to_lowercase(), what));
            }
        }
        link
    };
    here.take(MOST).map(link).collect()
}

/// Letters and digits alone, so that markup makes no difference.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn mark_elsewhere(found: &mut [Reference], text: &str, rules: &RuleSet) {
    for form in rules.forms.iter().filter(|form| form.kind == FormKind::Elsewhere) {
        for number in form.find(text).filter_map(|hit| hit.name("name")) {
            let numbers = [Referent::PullRequest, Referent::Number];
            for one in found.iter_mut().filter(|it| numbers.contains(&it.referent)) {
                one.elsewhere |= one.name == number.as_str();
            }
        }
    }
}

/// Marks what stands between words that say what it is for and the end of their clause.
fn mark_words(found: &mut [Reference], text: &str, rules: &RuleSet) {
    if found.is_empty() {
        return;
    }
    let reading = Reading::of_plain(text, 1);
    for sentence in Sentence::all(&reading, rules) {
        for rule in &rules.citations {
            for hit in matching::all(rules, &reading, sentence, &rule.regex, &rule.unless) {
                let clause = sentence.clauses.iter().find(|it| it.contains(&hit.start));
                let end = clause.map_or(hit.end, |clause| clause.end);
                let words = match rule.class {
                    CitationClass::Fix => reading.words(&(hit.start..end)),
                    // "PR #12 (open)": what is open stands before.
                    CitationClass::Open => reading.words(&(sentence.range.start..end)),
                };
                for one in found.iter_mut().filter(|it| words.contains(it.words.as_str())) {
                    match rule.class {
                        CitationClass::Fix => one.fix = true,
                        CitationClass::Open => one.open = true,
                    }
                }
            }
        }
    }
}

/// Numbers of the pull requests that a commit message says it merges.
pub fn merged(message: &str, rules: &RuleSet) -> Vec<u64> {
    let forms = rules.forms.iter().filter(|form| form.kind == FormKind::Merge);
    let subject = message.lines().next().unwrap_or_default();
    let numbers = forms.flat_map(|form| {
        // The number in brackets at the end of a line means a squash in the subject only.
        let text = if message.starts_with("Merge") { message } else { subject };
        form.find(text).filter_map(|hit| hit.name("name")?.as_str().parse().ok())
    });
    numbers.collect()
}

/// Versions and settings with their values that a claim names.
pub fn settings(text: &str, rules: &RuleSet) -> Vec<Pin> {
    let mut found = named(text, FormKind::Setting, rules);
    found.sort();
    found.dedup();
    found
}

/// Versions and settings that a line of a file pins.
pub fn pins(line: &str, rules: &RuleSet) -> Vec<Pin> {
    named(line, FormKind::Pin, rules)
}

fn named(text: &str, kind: FormKind, rules: &RuleSet) -> Vec<Pin> {
    let mut found = Vec::new();
    for form in rules.forms.iter().filter(|form| form.kind == kind) {
        for hit in form.find(text) {
            let (Some(name), Some(value)) = (hit.name("name"), hit.name("value")) else { continue };
            let value = value.as_str().trim_end_matches(['.', '-', '+']).to_lowercase();
            if let Some(name) = rules.pins.name(name.as_str()).filter(|_| !value.is_empty()) {
                found.push(Pin { name, value });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::{Format, parse};
    use crate::extract::statements;

    fn of(source: &str) -> Vec<Reference> {
        let rules = RuleSet::built_in().unwrap();
        let said = statements(&parse(Format::Markdown, source.as_bytes()), &rules);
        assert_eq!(said.claims.len(), 1, "{:?}", said.claims);
        references(&said.claims[0], &linked(source, &rules), &rules)
    }

    #[test]
    fn a_claim_rests_on_what_its_words_say_and_on_nothing_else() {
        let marks = |source: &str| -> Vec<_> {
            of(source).into_iter().map(|it| (it.referent, it.name, it.fix, it.open)).collect()
        };
        assert_eq!(
            marks("Three cards work, fixed by PR #12 (still open)."),
            [
                (Referent::PullRequest, "12".to_owned(), true, true),
                (Referent::Number, "12".to_owned(), true, true)
            ]
        );
        assert_eq!(
            marks("Three cards work, see #12 for the log."),
            [(Referent::Number, "12".to_owned(), false, false)]
        );
        assert_eq!(
            marks("三张卡能跑, 已由 `1a2b3c4` 修复。"),
            [(Referent::Commit, "1a2b3c4".to_owned(), true, false)]
        );
    }

    #[test]
    fn links_are_read_with_their_targets() {
        let found = of("Four cards work, see [the log](../logs/run.log#end).");
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].referent, found[0].name.as_str()),
            (Referent::Link, "../logs/run.log#end")
        );
        let found = of("Four cards work after [#12](https://forge.example/o/engine/pull/12).");
        let forge = Some(("forge.example/o/engine".to_owned(), "pull".to_owned()));
        assert_eq!(found.iter().map(|it| it.forge.clone()).collect::<Vec<_>>(), [forge]);
    }

    #[test]
    fn another_repository_is_told_by_its_name() {
        let found = of("Four cards work thanks to Engine PR #12.");
        assert!(found.iter().all(|it| it.elsewhere), "{found:?}");
        let found = of("Four cards work thanks to owner/engine#12.");
        assert!(found.iter().all(|it| it.elsewhere), "{found:?}");
    }

    #[test]
    fn pins_and_claims_name_settings_alike() {
        let rules = RuleSet::built_in().unwrap();
        let setting = |name: &str, value: &str| Pin { name: name.into(), value: value.into() };
        for line in ["engine==0.27.1", "FROM owner/engine:v0.27.1", "ENV ENGINE_VERSION=0.27.1"] {
            assert_eq!(pins(line, &rules), [setting("engine", "0.27.1")], "{line}");
        }
        let said = settings("Engine v0.27.1 with --batch 16: 98 tok/s", &rules);
        assert_eq!(said, [setting("batch", "16"), setting("engine", "0.27.1")]);
    }

    #[test]
    fn merges_name_their_pull_requests() {
        let rules = RuleSet::built_in().unwrap();
        for (message, number) in [
            ("Merge pull request #12 from o/fix\n\nFix (#7)", vec![12, 7]),
            ("Fix the loader (#13)\n\nas said (#8)", vec![13]),
            ("Merge branch 'fix'\n\nSee merge request o/engine!14", vec![14]),
            ("Fix the loader, see #15", vec![]),
        ] {
            assert_eq!(merged(message, &rules), number, "{message}");
        }
    }
}
