//! A pitfall entered the history after the claim was last tested, and nobody went back.
//!
//! Age proves nothing wrong, so this is a lead however sure the exposure. Whether the pitfall
//! *could* have touched the claim is the ledger's question, not asked again here.

use super::{Challenge, Check, Exposure, Reason, Receipt, excerpt};
use crate::history::OrderedBy;
use crate::ledger::{self, Ledger};
use crate::lineage::Lineage;

/// See the module.
pub struct PredatesPitfall;

impl Check for PredatesPitfall {
    fn name(&self) -> &'static str {
        "predates-pitfall"
    }

    fn explain(&self) -> &'static str {
        "The claim was last tested before a pitfall became known that could explain or distort its \
         outcome, and nothing tested it again since. It may well be true; nobody can tell from this \
         history. Test it again with the trigger off, and say so: in the document, or with a \
         `Retest:` trailer in the commit message."
    }

    fn reasons(&self, claim: &Lineage, ledger: &Ledger<'_>) -> Vec<Reason> {
        let challenges = ledger.challenges(claim).into_iter();
        challenges.filter_map(|challenge| reason(claim, &challenge, ledger)).collect()
    }
}

fn reason(claim: &Lineage, challenge: &ledger::Challenge, ledger: &Ledger<'_>) -> Option<Reason> {
    let pitfall = ledger.pitfall(challenge.pitfall)?;
    let trigger = pitfall.pitfall.triggers.first()?;
    let lag_seconds = ledger.lag(claim, pitfall);
    let exposure = match (challenge.exposure, &challenge.set_at) {
        (Exposure::InUse, Some(seen)) => format!("{} set it then", seen.path),
        (Exposure::InUse, None) => "the claim itself rests on it".to_owned(),
        (Exposure::Unrecorded, _) => "whether it was set then is not recorded".to_owned(),
    };
    let order = match challenge.ordered_by {
        OrderedBy::Ancestry => "",
        OrderedBy::Time => " (on parallel branches, by committer time)",
    };
    let because = match challenge.relevance.why.as_slice() {
        [] => String::new(),
        why => format!(" ({})", why.join("; ")),
    };
    let message = format!(
        "Last tested {lag} before the pitfall {trigger} became known{order}, and not since; \
         {exposure}{because}.",
        lag = lag_in_words(lag_seconds),
        trigger = excerpt(trigger),
    );
    let tested = ledger.commit(claim.last_tested.commit)?.oid;
    let entered = ledger.commit(pitfall.introduced.commit)?.oid;
    let mut reason = Reason::new(challenge.confidence, &message)
        .receipt(Receipt::show(ledger, &claim.last_tested))
        .receipt(Receipt::show(ledger, &pitfall.introduced))
        .receipt(Some(Receipt::Between {
            from: tested,
            to: entered,
            path: pitfall.introduced.path.clone(),
        }))
        .receipt(match (challenge.exposure, &challenge.set_at) {
            (Exposure::InUse, Some(seen)) => Receipt::show(ledger, seen),
            (Exposure::InUse, None) => None,
            (Exposure::Unrecorded, _) => {
                Some(Receipt::Grep { token: trigger.clone(), commit: tested })
            }
        });
    reason.challenge = Some(Challenge {
        pitfall: challenge.pitfall,
        lag_seconds,
        exposure: challenge.exposure,
        ordered_by: challenge.ordered_by,
    });
    Some(reason)
}

/// A lag as people say it, in its two largest units: `21 h 45 m`, `8 d 3 h`, `12 m 5 s`, `0 s`.
/// A negative lag (clocks that disagree with the order) has a minus sign.
pub fn lag_in_words(seconds: i64) -> String {
    let sign = if seconds < 0 { "-" } else { "" };
    let all = seconds.unsigned_abs();
    let (days, hours, minutes) = (all / 86_400, all / 3_600 % 24, all / 60 % 60);
    let words = match (days, hours, minutes) {
        (0, 0, 0) => format!("{all} s"),
        (0, 0, _) => two(minutes, "m", all % 60, "s"),
        (0, _, _) => two(hours, "h", minutes, "m"),
        _ => two(days, "d", hours, "h"),
    };
    format!("{sign}{words}")
}

fn two(large: u64, large_unit: &str, small: u64, small_unit: &str) -> String {
    match small {
        0 => format!("{large} {large_unit}"),
        _ => format!("{large} {large_unit} {small} {small_unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lags_are_said_in_two_units() {
        for (seconds, words) in [
            (78_349, "21 h 45 m"),
            (8 * 86_400 + 3 * 3_600 + 59, "8 d 3 h"),
            (725, "12 m 5 s"),
            (59, "59 s"),
            (0, "0 s"),
            (3_600, "1 h"),
            (-725, "-12 m 5 s"),
            (i64::MIN, "-106751991167300 d 15 h"),
        ] {
            assert_eq!(lag_in_words(seconds), words);
        }
    }
}
