//! Comments beside claims: `claim-audit: ignore[check, check] why`.

use std::collections::{BTreeMap, HashSet};

use super::{Cover, Known, ran, reasons};
use crate::history::Caveat;
use crate::rules::nearest;
use crate::verdict::{Audit, SuppressedBy, Suppression};

/// What a remark asks for.
#[derive(Debug, PartialEq, Eq)]
struct Ignore {
    checks: Vec<String>,
    reason: String,
}

/// The suppressions by comments, for each claim.
pub(super) fn covers(
    audit: &Audit,
    known: &Known<'_>,
    before: Option<&Audit>,
    covers: &mut BTreeMap<usize, Vec<Cover>>,
    caveats: &mut Vec<Caveat>,
) {
    let at_base = before.map(spoken_of);
    for said in &audit.remarks {
        let (path, line) = (&said.path, said.remark.lines.start);
        let mut note = |code, what: String| {
            caveats.push(Caveat { code, message: format!("{path}:{line}: {what}") });
        };
        let Ignore { checks, reason } = match parse(&said.remark.text, known.all_checks) {
            Ok(ignore) => ignore,
            Err(what) => {
                note("bad-suppression", what);
                continue;
            }
        };
        let mut used = false;
        for at in &said.claims {
            let Some(claim) = audit.claims.get(*at) else {
                continue;
            };
            let by = SuppressedBy::Comment { path: path.clone(), line };
            let suppression = Suppression { by, reason: reason.clone() };
            let cover = Cover { checks: checks.clone(), exactly: None, suppression };
            if !reasons(claim, known).any(|reason| cover.covers(reason)) {
                continue;
            }
            used = true;
            let key = (said.remark.text.as_str(), claim.lineage.claim.key);
            if at_base.as_ref().is_some_and(|known| !known.contains(&key)) {
                let what = "this comment is part of the change: it holds once the base has it";
                note("suppression-not-in-base", what.to_owned());
            } else if said.outdated.contains(at) {
                let what = format!("{} says something else than when this was written", claim.id);
                note("outdated-suppression", what);
            } else {
                covers.entry(*at).or_default().push(cover);
            }
        }
        if !used && ran(&checks, known) {
            let what = if said.claims.is_empty() {
                "this comment speaks of no claim"
            } else {
                "the claim beside this comment is no lead for such a reason"
            };
            note("unused-suppression", what.to_owned());
        }
    }
}

/// Which remark spoke of which claim.
fn spoken_of(audit: &Audit) -> HashSet<(&str, u64)> {
    let about = |at: &usize| audit.claims.get(*at).map(|claim| claim.lineage.claim.key);
    let all = audit.remarks.iter().flat_map(|said| {
        said.claims.iter().filter_map(move |at| Some((said.remark.text.as_str(), about(at)?)))
    });
    all.collect()
}

/// Reads a remark; the error says what is wrong with it.
fn parse(text: &str, known: &[&str]) -> Result<Ignore, String> {
    const FORM: &str = "write `claim-audit: ignore[CHECK] why`";
    let Some(rest) = text.strip_prefix("ignore").map(str::trim_start) else {
        let word = text.split([' ', '[']).next().unwrap_or_default();
        return Err(format!("`{word}` is nothing that a comment can ask for: {FORM}"));
    };
    let Some((list, reason)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return Err(format!("no check is named: {FORM}"));
    };
    let checks: Vec<String> =
        list.split(',').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect();
    if checks.is_empty() {
        return Err(format!("no check is named: {FORM}"));
    }
    if let Some(wrong) = checks.iter().find(|check| !known.contains(&check.as_str())) {
        let meant = nearest(wrong, known.iter().copied());
        let meant = meant.map_or_else(String::new, |it| format!(", did you mean `{it}`?"));
        return Err(format!("no check is called `{wrong}`{meant}"));
    }
    let reason = reason.trim().trim_start_matches([':', '-', '–', '—']).trim();
    if reason.is_empty() {
        return Err(format!("no reason is given: {FORM}"));
    }
    Ok(Ignore { checks, reason: reason.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["estimate", "second-hand"];

    #[test]
    fn a_remark_names_checks_and_gives_a_reason() {
        let ignore = parse("ignore[estimate, second-hand]: planned for June", KNOWN).unwrap();
        assert_eq!(ignore.checks, ["estimate", "second-hand"]);
        assert_eq!(ignore.reason, "planned for June");
    }

    #[test]
    fn what_is_no_such_remark_says_what_is_wrong() {
        for (text, word) in [
            ("ignore", "no check is named"),
            ("ignore[] why", "no check is named"),
            ("ignore all of it", "no check is named"),
            ("ignore[estimate]", "no reason"),
            ("ignore[estimat] why", "did you mean `estimate`?"),
            ("ignroe[estimate] why", "`ignroe` is nothing"),
            ("", "`` is nothing"),
        ] {
            let error = parse(text, KNOWN).unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
