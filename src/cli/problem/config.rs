//! The way out of each error of [`crate::config`].

use super::{Told, rules};
use crate::config::Error;
use crate::rules::{Error as RulesError, Location};

/// A configuration error in words.
pub(super) fn tell(error: &Error) -> Told {
    let told = |at: &Location| Told { place: Some(at.to_string()), ..Told::new(error.to_string()) };
    match error {
        Error::File(problem) => of_file(problem),
        Error::Check { at, nearest: Some(nearest), .. } => {
            told(at).help(format!("did you mean `{nearest}`?"))
        }
        Error::Check { at, nearest: None, .. } => {
            told(at).help("`--list-checks` names all of them")
        }
        Error::Path { at, .. } => {
            told(at).help("write it from the top of the repository, without `..`: `lab/rules`")
        }
        Error::Glob { at } => told(at).help("write one glob per entry: `docs/**/*.md`"),
        Error::Id { at, .. } => told(at).help("reports print ids, such as `c-1f3a9c20`"),
        Error::Empty { at, .. } => told(at).help("say why, for whoever reads it next year"),
        Error::Day { at, .. } => told(at).help("write it as 2027-01-31"),
        Error::TooMany { at, key: "rules", .. } => {
            told(at).help("name a folder: the YAML files directly in it are one pack")
        }
        Error::TooMany { at, .. } => {
            told(at).help("`--write-baseline` takes down what stands; entries are for decisions")
        }
    }
}

/// What the reader of YAML says; only its advice about packs is of no use here.
fn of_file(problem: &RulesError) -> Told {
    match problem {
        RulesError::At { at, problem } => Told { place: Some(at.to_string()), ..of_file(problem) },
        RulesError::Yaml { .. } | RulesError::Deep | RulesError::TooLarge { .. } => {
            Told::new(problem.to_string()).help("`--print-config` prints one that is in order")
        }
        RulesError::Anchor => {
            Told::new(problem.to_string()).help("write it out where it is needed")
        }
        other => rules::tell(other),
    }
}
