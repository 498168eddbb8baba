//! A pitfall's trigger as something that can be found set, set otherwise, or set off in a text.
//!
//! `NAME=value` is looked for with its value: another value of the same name means that it was set
//! otherwise. Names are compared without case and bounded, so `mmap` is not in `mmapped`.

use crate::rules::Negation;

/// How a trigger occurs on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum State {
    /// Named, and nothing else is known.
    Named,
    /// Set off, set otherwise, commented out, or warned of.
    Off,
    /// Set.
    On,
}

/// What kind of text a line is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Medium {
    /// A script or a configuration file.
    Script,
    /// A command or file shown in a document.
    Fence,
    /// Running text.
    Prose,
}

/// A trigger, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trigger {
    /// What is searched for, lower case.
    pub(super) name: String,
    /// The value that is to be avoided, lower case; `None` for any value that is not "off".
    pub(super) value: Option<String>,
    /// Starts with a dash.
    flag: bool,
}

impl Trigger {
    /// `None` where there is too little to search for.
    pub(super) fn parse(written: &str) -> Option<Self> {
        let text = written.trim().trim_matches(['`', '"', '\'']);
        let text = ["export ", "set ", "env "]
            .iter()
            .find_map(|prefix| {
                text.get(..prefix.len()).filter(|head| head.eq_ignore_ascii_case(prefix))
            })
            .map_or(text, |prefix| text.get(prefix.len()..).unwrap_or(text))
            .trim()
            .to_lowercase();
        let flag = text.starts_with('-');
        let split = if let Some((name, value)) = text.split_once('=') {
            Some((name, value))
        } else if flag {
            text.split_once(char::is_whitespace)
        } else {
            text.split_once(':').filter(|(name, value)| {
                !value.starts_with(['/', ' ', ':']) && !name.contains(char::is_whitespace)
            })
        };
        let (name, value) = match split {
            Some((name, value)) if !name.trim().is_empty() => {
                let value = value.trim().trim_matches(['`', '"', '\'']);
                (name.trim().to_owned(), Some(value.to_owned()).filter(|value| !value.is_empty()))
            }
            _ => (text.clone(), None),
        };
        let letters = name.chars().filter(|c| c.is_alphanumeric()).count();
        // Lines are searched one by one.
        (letters >= 2 && !name.contains('\n')).then_some(Self { name, value, flag })
    }

    /// Written with a leading dash.
    pub(super) fn is_flag(&self) -> bool {
        self.flag
    }

    /// Written as something that is set: an assignment, a flag, a variable.
    pub(super) fn is_setting(&self) -> bool {
        self.flag || self.value.is_some() || self.name.contains('_')
    }

    /// What the occurrence of the name at this byte range of a line says; `None` if it is part of
    /// a longer name. `lower` is the line in lower case.
    pub(super) fn state(
        &self,
        lower: &str,
        start: usize,
        medium: Medium,
        words: &Negation,
    ) -> Option<State> {
        let before = lower.get(..start)?;
        let after = lower.get(start + self.name.len()..)?;
        let inside = |c: char| c.is_alphanumeric() && c.is_ascii() || c == '_';
        let word_start = self.name.starts_with(inside);
        if word_start && before.ends_with(inside) || self.flag && before.ends_with(['-']) {
            return None;
        }
        if self.name.ends_with(inside) && after.starts_with(inside) {
            return None;
        }
        if self.flag && after.starts_with('-') && !after.starts_with("--") {
            return None;
        }
        if negated(before, after, medium, words) {
            return Some(State::Off);
        }
        let assigned = assigned(after, self.flag).or_else(|| {
            let script = medium != Medium::Prose;
            script.then(|| assigned_by_word(before, after)).flatten()
        });
        Some(match (&self.value, assigned) {
            (Some(wanted), Some(found)) if same_value(wanted, found, words) => State::On,
            (_, Some(found)) if self.value.is_some() || is_off(found, words) => State::Off,
            (None, Some(_)) => State::On,
            (Some(_), _) => State::Named,
            (None, None) => match medium {
                Medium::Script if after.trim_start().starts_with('=') => State::Off,
                Medium::Script | Medium::Fence if self.is_setting() => State::On,
                _ => State::Named,
            },
        })
    }
}

fn is_off(value: &str, words: &Negation) -> bool {
    words.off.iter().any(|off| off == value)
}

/// The value that follows a name: after `=` or `:`, through quotes and brackets; for a flag also
/// the next word.
fn assigned(after: &str, flag: bool) -> Option<&str> {
    // In a notebook, quotes have a backslash before them.
    let closing = |c: char| matches!(c, '"' | '\'' | '`' | ']' | ')' | ' ' | '\t' | '\\');
    let rest = after.trim_start_matches(closing);
    let value = if let Some(rest) = rest.strip_prefix(['=', ':']) {
        rest.trim_start_matches(['=', ':', ' ', '\t', '"', '\'', '`', '\\'])
    } else if flag && after.starts_with([' ', '\t']) && !rest.starts_with('-') {
        rest
    } else {
        return None;
    };
    let stop =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ';' | ')' | '}' | '|' | '\\');
    let value = value.split(stop).next().unwrap_or_default().trim_end_matches(['.', ',']);
    (!value.is_empty()).then_some(value)
}

/// The value of `ENV NAME value`, `setenv NAME value` and `set -x NAME value`.
fn assigned_by_word<'t>(before: &str, after: &'t str) -> Option<&'t str> {
    let mut words = before.split_whitespace().rev();
    let sets = match words.next()? {
        "env" | "setenv" => true,
        flag => flag.starts_with('-') && words.next() == Some("set"),
    };
    let value = after.strip_prefix([' ', '\t'])?.split_whitespace().next()?;
    let value = value.trim_matches(['"', '\'', '\\', ',']);
    (sets && !value.is_empty()).then_some(value)
}

fn same_value(wanted: &str, found: &str, words: &Negation) -> bool {
    let equal = |found: &str| {
        let truth = |value: &str| words.on.iter().any(|on| on == value);
        let number = |value: &str| value.parse::<f64>().ok();
        wanted == found
            || (truth(wanted) && truth(found))
            || (is_off(wanted, words) && is_off(found, words))
            || number(wanted).is_some_and(|wanted| number(found) == Some(wanted))
    };
    equal(found) || found.split(',').any(equal)
}

fn negated(before: &str, after: &str, medium: Medium, negation: &Negation) -> bool {
    let comment = ["#", "//", ";", "<!--", "rem "];
    let opened = before.trim_start_matches([' ', '\t', '"', '\'']);
    if medium != Medium::Prose
        && (comment.iter().any(|mark| opened.starts_with(mark)) || before.contains(" # "))
    {
        return true;
    }
    if before.ends_with("no-") || before.ends_with("no_") {
        return true;
    }
    let clause = |c: char| matches!(c, '.' | ';' | '。' | '；' | '，' | '|');
    let near = before.rsplit(clause).next().unwrap_or_default();
    let mut words = near.split_whitespace().rev().take(negation.reach);
    let bare =
        |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'').to_owned();
    if words.any(|word| negation.before.contains(&bare(word))) {
        return true;
    }
    if near.chars().rev().take(6).any(|c| negation.signs.contains(&c)) {
        return true;
    }
    let near = after.split(clause).next().unwrap_or_default();
    medium == Medium::Prose
        && near.split_whitespace().take(3).any(|word| negation.after.contains(&bare(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::tests::rules;

    fn state(trigger: &str, line: &str, medium: Medium) -> Option<State> {
        let trigger = Trigger::parse(trigger).unwrap();
        let lower = line.to_lowercase();
        let found = lower.match_indices(&trigger.name);
        let words = &rules().negation;
        found.filter_map(|(at, _)| trigger.state(&lower, at, medium, words)).max()
    }

    #[test]
    fn a_value_is_part_of_the_trigger() {
        for (line, expected) in [
            ("export ALLOC_CONF=expandable:True", Some(State::On)),
            ("ENV ALLOC_CONF=\"split:128,expandable:True\"", Some(State::On)),
            ("os.environ['ALLOC_CONF'] = 'expandable:true'", Some(State::On)),
            ("ALLOC_CONF: expandable:True", Some(State::On)),
            ("ENV ALLOC_CONF expandable:True", Some(State::On)),
            ("setenv ALLOC_CONF expandable:False", Some(State::Off)),
            ("set -gx ALLOC_CONF expandable:True", Some(State::On)),
            ("      - ALLOC_CONF=expandable:True", Some(State::On)),
            ("      ALLOC_CONF: \"expandable:True\"", Some(State::On)),
            ("  \"os.environ[\\\"ALLOC_CONF\\\"] = \\\"expandable:True\\\"\\n\",", Some(State::On)),
            ("    \"%env ALLOC_CONF=expandable:True\\n\",", Some(State::On)),
            ("    \"# export ALLOC_CONF=expandable:True\\n\",", Some(State::Off)),
            ("export ALLOC_CONF=expandable:False", Some(State::Off)),
            ("export ALLOC_CONF=split:128", Some(State::Off)),
            ("# export ALLOC_CONF=expandable:True", Some(State::Off)),
            ("unset ALLOC_CONF", Some(State::Off)),
            ("echo $MY_ALLOC_CONF", None),
            ("echo ALLOC_CONF_OLD", None),
        ] {
            assert_eq!(
                state("ALLOC_CONF=expandable:True", line, Medium::Script),
                expected,
                "{line}"
            );
        }
        assert_eq!(
            state("expandable:True", "ALLOC_CONF=split:128,expandable:True", Medium::Script),
            Some(State::On)
        );
    }

    #[test]
    fn flags_are_set_unless_turned_off() {
        for (trigger, line, medium, expected) in [
            ("--eager", "serve --eager --port 8000", Medium::Script, Some(State::On)),
            ("--eager", "serve --eager-mode", Medium::Script, None),
            ("--eager", "serve --eager=false", Medium::Script, Some(State::Off)),
            ("--util 0.90", "serve --util 0.9", Medium::Script, Some(State::On)),
            ("--util 0.90", "serve --util 0.85", Medium::Script, Some(State::Off)),
            ("--util=0.90", "serve --util 0.90", Medium::Fence, Some(State::On)),
            ("mmap", "load --no-mmap", Medium::Script, Some(State::Off)),
            ("mmap", "mmapped files", Medium::Prose, None),
            ("--eager", "run without `--eager`", Medium::Prose, Some(State::Off)),
            ("--eager", "the flag `--eager` exists", Medium::Prose, Some(State::Named)),
        ] {
            assert_eq!(state(trigger, line, medium), expected, "{trigger} in {line}");
        }
    }

    #[test]
    fn negation_is_read_in_both_languages() {
        for line in ["do not set FAST_PATH=1 here", "不要开 FAST_PATH=1", "with FAST_PATH=0"] {
            assert_eq!(state("FAST_PATH=1", line, Medium::Prose), Some(State::Off), "{line}");
        }
        assert_eq!(state("FAST_PATH=1", "all with FAST_PATH=1.", Medium::Prose), Some(State::On));
    }

    #[test]
    fn too_little_to_search_for_is_none() {
        assert_eq!(Trigger::parse("=1"), None);
        assert_eq!(Trigger::parse("-"), None);
        assert_eq!(Trigger::parse(""), None);
    }
}
