//! The way out of each error of [`crate::rules`].

use super::Told;
use crate::rules::Error;

/// A rule error in words.
pub(super) fn tell(error: &Error) -> Told {
    let told = Told::new(error.to_string());
    match error {
        Error::Yaml { .. } => told.help("the built-in packs in `rules/` show every key in use"),
        Error::TooLarge { .. } => told.help("cut it into several files of one folder"),
        Error::Pattern { rule, .. } | Error::Regex { rule, .. } => {
            told.help(format!("`{rule}` is its id: mend its `say` line"))
        }
        Error::Glob { .. } => told.help("`*` stays within a folder, `**` goes through folders"),
        Error::NoGuard { .. } => told.help("define it under `guards:`, or correct its name"),
        Error::Value { .. } => told.help("take one of those"),
        Error::Twice { .. } => told.help("rename one of them: ids are unique over all packs"),
        Error::NoPack => told.help("add `pack: {id: NAME, version: 1}` to one of its files"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    #[test]
    fn a_mistyped_key_is_told_with_its_file() {
        let pack = (String::from("team.yml"), b"claimz: []\n".to_vec());
        let told = tell(&RuleSet::with(&[pack]).unwrap_err());
        assert!(told.error.starts_with("team.yml: "), "{told:?}");
        assert!(told.error.contains("claimz"), "{told:?}");
        assert!(!told.help.is_empty());
    }
}
