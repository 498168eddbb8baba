//! The way out of each error of [`crate::rules`].

use super::Told;
use crate::rules::{Error, nearest};

/// A rule error in words.
pub(super) fn tell(error: &Error) -> Told {
    let told = Told::new(error.to_string());
    let like = |name: &Option<String>| name.as_ref().map(|name| format!("did you mean `{name}`?"));
    match error {
        Error::At { at, problem } => Told { place: Some(at.to_string()), ..tell(problem) },
        Error::Yaml { .. } => told.help("the built-in packs in `rules/` show every key in use"),
        Error::UnknownKey { key, known } => {
            match nearest(key, known.iter().map(String::as_str)) {
                Some(name) => told.help(format!("did you mean `{name}`?")),
                None => told.help(format!("known here: {}", known.join(", "))),
            }
        }
        Error::KeyTwice { .. } => told.help("join the two, or take one away"),
        Error::NotAWord { text } if text.is_empty() => Told::new("no word where one is expected")
            .help("write one, or take the entry away"),
        Error::NotAWord { text } => told.help(format!(
            "write \"{text}\": unquoted, YAML may read it as a truth value, a number or nothing"
        )),
        Error::Anchor => told.help("name words once under `lexicons:` and use them as `{name}`"),
        Error::Deep => told.help("the built-in packs in `rules/` show every key in use"),
        Error::TooMany { .. } => told.help("bounds keep a hostile pack from taking all memory"),
        Error::TooLarge { .. } => told.help("cut it into several files of one folder"),
        Error::Pattern { rule, .. } | Error::Regex { rule, .. } => {
            told.help(format!("mend the patterns of `{rule}`"))
        }
        Error::Glob { .. } => told.help("`*` stays within a folder, `**` goes through folders"),
        Error::NoGuard { nearest, .. } => told.help(
            like(nearest).unwrap_or_else(|| "define it under `guards:`, or correct its name".into()),
        ),
        Error::Value { value, known, .. } => match nearest(value, known.split(", ")) {
            Some(name) => told.help(format!("did you mean `{name}`?")),
            None => told.help("take one of those"),
        },
        Error::Twice { .. } => told.help(
            "give it another id; or, in a later pack, `override: true` puts it in the place of the first",
        ),
        Error::Nothing { nearest, .. } => told.help(
            like(nearest).unwrap_or_else(|| "`--list-rules` names the rules of all packs".into()),
        ),
        Error::NoExample { .. } => {
            told.help("every rule proves itself by a text that it reads and one that it does not")
        }
        Error::NoSuchPack { nearest, .. } => told.help(
            like(nearest).unwrap_or_else(|| "name that pack too, with a further `--rules`".into()),
        ),
        Error::Circle { .. } => told.help("take one `extends` away"),
        Error::PackTwice { .. } => told.help("each pack has one `pack:` key and an id of its own"),
        Error::NoWeight { key } => told.help(format!("add `relevance: {{{key}: NUMBER}}`")),
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
        let told = tell(&RuleSet::with(&[vec![pack]]).unwrap_err());
        assert!(told.place.as_deref() == Some("team.yml:1:1"), "{told:?}");
        assert!(told.error.contains("claimz"), "{told:?}");
        assert!(!told.help.is_empty());
    }
}
