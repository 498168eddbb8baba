//! Challenges that claims share: a number that a pitfall falsifies is told again elsewhere, stands in
//! a column of such numbers, or is what another was computed from.
//!
//! A number counts where it is hardly told twice by chance: of several digits, together with another
//! one or with a word that says what it is of. What is only told again passes nothing on, so that a
//! row of many numbers does not carry the doubt of one to the others.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::challenge::{Challenge, overlap};
use super::{Confidence, Ledger, Relevance};
use crate::extract::{Effect, Kind, Quantity};
use crate::history::Order;
use crate::lineage::{Lineage, telling, tells};
use crate::texts::Message;

/// A number in more claims tells nothing of which is meant.
const COMMON: usize = 16;
/// Numbers of one claim that are tried as parts of a quotient.
const PARTS: usize = 4;
/// Digits of a quotient that is hardly met by chance.
const QUOTIENT: u8 = 3;

/// Lets claims share the strong challenges of other claims' numbers. `all` is by claim.
pub(super) fn share(ledger: &Ledger<'_>, all: &mut [Vec<Challenge>]) {
    let claims = &ledger.lineages.claims;
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, lineage) in claims.iter().enumerate() {
        if lineage.claim.kind == Kind::Measurement {
            let numbers: BTreeSet<&str> = telling(&lineage.claim).map(digits).collect();
            numbers.into_iter().for_each(|number| holders.entry(number).or_default().push(at));
        }
    }
    holders.retain(|_, all| all.len() <= COMMON);
    let mut seeds: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, challenges) in all.iter().enumerate() {
        let number = claims.get(at).is_some_and(|it| it.claim.kind == Kind::Measurement);
        for challenge in challenges.iter().filter(|it| number && it.confidence > Confidence::Low) {
            seeds.entry(challenge.pitfall).or_default().push(at);
        }
    }
    for (pitfall, seeds) in seeds {
        let spread = Spread { ledger, holders: &holders, pitfall, seeds: &seeds };
        for (at, challenge) in spread.challenges() {
            if let Some(own) = all.get_mut(at)
                && own.iter().all(|it| it.confidence == Confidence::Low)
            {
                *own = vec![challenge];
            }
        }
    }
}

/// How a claim comes to share a challenge: the words for it, the claim that has it, the number.
#[derive(Clone)]
struct Tie {
    how: &'static str,
    with: usize,
    number: String,
}

/// One pitfall on its way from the claims that it challenges to those that rest on them.
struct Spread<'s, 'a> {
    ledger: &'s Ledger<'a>,
    holders: &'s HashMap<&'a str, Vec<usize>>,
    pitfall: usize,
    seeds: &'s [usize],
}

impl<'a> Spread<'_, 'a> {
    fn challenges(&self) -> Vec<(usize, Challenge)> {
        let Some(against) = self.ledger.pitfall(self.pitfall) else { return Vec::new() };
        if !matches!(against.pitfall.effect, Effect::Measure | Effect::Perf | Effect::Wrong) {
            return Vec::new();
        }
        let mut numbers: Vec<(&Quantity, usize)> = Vec::new();
        for at in self.seeds {
            numbers.extend(
                self.claim(*at).into_iter().flat_map(|it| telling(&it.claim)).map(|n| (n, *at)),
            );
        }
        let mut ties = BTreeMap::new();
        self.told_again(&numbers, &mut ties);
        if against.pitfall.effect == Effect::Measure {
            let columns = self.columns(&against.pitfall.topic, &ties);
            let first =
                |at: usize| telling(&self.claim(at)?.claim).next().map(|number| (number, at));
            numbers.extend(columns.keys().filter_map(|at| first(*at)));
            ties.extend(columns);
            self.told_again(&numbers, &mut ties);
        }
        self.computed(&mut ties);
        ties.into_iter().filter_map(|(at, tie)| Some((at, self.challenge(at, &tie)?))).collect()
    }

    fn claim(&self, at: usize) -> Option<&'a Lineage> {
        self.ledger.lineages.claims.get(at)
    }

    /// Claims that tell numbers of the challenged ones again.
    fn told_again(&self, numbers: &[(&Quantity, usize)], ties: &mut BTreeMap<usize, Tie>) {
        let holders = numbers.iter().filter_map(|(number, _)| self.holders.get(digits(number)));
        for at in holders.flatten().copied().collect::<BTreeSet<_>>() {
            let Some(lineage) = self.claim(at).filter(|_| !self.is_challenged(at, ties)) else {
                continue;
            };
            let told: Vec<_> =
                numbers.iter().filter(|(number, _)| tells(&lineage.claim, number)).collect();
            let several = told.iter().map(|(number, _)| digits(number)).collect::<BTreeSet<_>>();
            let near = |with: &usize| self.claim(*with).is_some_and(|it| self.near(it, lineage));
            let tie = told.iter().find(|(_, with)| several.len() > 1 || near(with));
            if let Some((number, with)) = tie {
                let number = number.number.clone();
                ties.insert(at, Tie { how: "told-again", with: *with, number });
            }
        }
    }

    /// Rows whose number stands in the column of a challenged one, where the title says that it is
    /// what the habit is told of.
    fn columns(&self, topic: &[u64], ties: &BTreeMap<usize, Tie>) -> BTreeMap<usize, Tie> {
        let named = |it: &Lineage| it.claim.metric.iter().any(|word| topic.contains(word));
        let challenged = self.seeds.iter().chain(ties.keys()).copied();
        let challenged: Vec<_> = challenged
            .filter_map(|at| Some((at, self.claim(at)?)))
            .filter(|(_, it)| named(it))
            .collect();
        let mut found = BTreeMap::new();
        if challenged.is_empty() {
            return found;
        }
        let claims = self.ledger.lineages.claims.iter().enumerate();
        for (at, lineage) in claims.filter(|(at, it)| named(it) && !self.is_challenged(*at, ties)) {
            let beside = |other: &Lineage| {
                other.path == lineage.path
                    && other.claim.section == lineage.claim.section
                    && other.claim.metric == lineage.claim.metric
            };
            let Some((with, _)) = challenged.iter().find(|(_, it)| beside(it)) else { continue };
            let number = telling(&lineage.claim).next().map(|it| it.number.clone());
            found.insert(
                at,
                Tie { how: "same-column", with: *with, number: number.unwrap_or_default() },
            );
        }
        found
    }

    /// Claims that give the quotient of two numbers of a challenged one.
    fn computed(&self, ties: &mut BTreeMap<usize, Tie>) {
        for (at, lineage) in self.ledger.lineages.claims.iter().enumerate() {
            // What it is a ratio of can give it another dimension.
            let ratio =
                |it: &&Quantity| matches!(it.unit.as_str(), "×" | "%") && it.digits >= QUOTIENT;
            let mut ratios = lineage.claim.values.iter().filter(ratio).peekable();
            if ratios.peek().is_none() || self.is_challenged(at, ties) {
                continue;
            }
            let ratios: Vec<_> = ratios.collect();
            let from = |with: &usize| {
                let base = self.claim(*with).filter(|it| self.near(it, lineage))?;
                let parts: Vec<f64> = telling(&base.claim)
                    .take(PARTS)
                    .filter_map(|it| it.number.parse().ok())
                    .collect();
                ratios.iter().find(|ratio| is_quotient(ratio, &parts)).map(|it| it.number.clone())
            };
            let tie = self.seeds.iter().find_map(|with| Some((*with, from(with)?)));
            if let Some((with, number)) = tie {
                ties.insert(at, Tie { how: "computed-from", with, number });
            }
        }
    }

    fn is_challenged(&self, at: usize, ties: &BTreeMap<usize, Tie>) -> bool {
        self.seeds.contains(&at) || ties.contains_key(&at)
    }

    /// Both were first told in one commit, and a word or a phase in common says that it was of the
    /// same.
    fn near(&self, one: &Lineage, other: &Lineage) -> bool {
        let (a, b) = (&one.claim, &other.claim);
        one.introduced.commit == other.introduced.commit
            && (a
                .topic
                .iter()
                .any(|word| b.topic.contains(word) && self.ledger.common.tells(*word))
                || a.phases.iter().any(|phase| b.phases.contains(phase)))
    }

    /// The challenge as that of the claim that shares it, unless its own tree or words exclude it.
    fn challenge(&self, at: usize, tie: &Tie) -> Option<Challenge> {
        let (ledger, lineage) = (self.ledger, self.claim(at)?);
        let (against, base) = (ledger.pitfall(self.pitfall)?, self.claim(tie.with)?);
        if lineage.claim.kind != Kind::Measurement || overlap(lineage, against) {
            return None;
        }
        let order = ledger.history.order(lineage.last_tested.commit, against.introduced.commit);
        let Order::Before(ordered_by) = order else { return None };
        let named = ledger.named_by(lineage).get(&self.pitfall).copied();
        let pitfall = &against.pitfall;
        let (exposure, set_at, _) = ledger.exposure_of(lineage, self.pitfall, pitfall, named)?;
        let why = Message::new(tie.how)
            .with("number", tie.number.clone())
            .with("place", format!("{}:{}", base.path, base.claim.lines.start));
        Some(Challenge {
            pitfall: self.pitfall,
            confidence: Confidence::Medium,
            exposure,
            set_at,
            ordered_by,
            relevance: Relevance { why: vec![why], ..Relevance::default() },
            shared_with: Some(tie.with),
        })
    }
}

/// A number as it is looked up: a loss is told with or without its sign.
fn digits(number: &Quantity) -> &str {
    number.number.trim_start_matches('-')
}

/// Whether a factor or a percentage is that of two numbers, as far as its digits tell.
fn is_quotient(ratio: &Quantity, parts: &[f64]) -> bool {
    let Ok(stated) = digits(ratio).parse::<f64>() else { return false };
    let places = ratio.number.split_once('.').map_or(0, |(_, tail)| tail.len().min(12)) as i32;
    // A little more than a half: the parts are rounded themselves.
    let slack = 0.6 * 10_f64.powi(-places);
    let fits = |a: f64, b: f64| {
        let factor = a / b;
        let value = if ratio.unit == "%" { (factor - 1.0).abs() * 100.0 } else { factor };
        b != 0.0 && (value - stated).abs() <= slack
    };
    let pairs = parts.iter().enumerate().flat_map(|(at, a)| {
        parts.iter().enumerate().filter(move |(other, _)| *other != at).map(move |(_, b)| (*a, *b))
    });
    pairs.into_iter().any(|(a, b)| fits(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::Dimension;
    use crate::history::CommitId;
    use crate::ledger::tests::open;
    use crate::lineage::fixture::Repo;

    const RESULTS: &str = "# Headline\n\
        M decode of mixed prompts @decode => 50.8 tok/s and 98.1 tok/s\n\
        # Details\n\
        M speed with the draft => 50.8 tok/s against 98.1 tok/s\n\
        M draft heads, mixed => 98.1 tok/s\n\
        M other cards => 98.1 tok/s\n\
        M prefill => 812.5 tok/s\n";
    const HABIT: &str = "# Traps\nP measure mixed prompts once => one draw reads high\n";

    #[test]
    fn a_number_told_again_shares_its_challenge() {
        let mut repo = Repo::new();
        repo.then(0, "results", &[("a.md", RESULTS)]);
        repo.then(3600, "habit", &[("a.md", &format!("{RESULTS}{HABIT}"))]);
        let opened = open(&repo);
        let ledger = opened.ledger();
        let of = |words: &str| ledger.challenges(opened.known.claim(words));
        let seed = of("decode of mixed");
        assert_eq!((seed[0].confidence, seed[0].shared_with), (Confidence::Medium, None));
        for told in ["speed with the draft", "draft heads, mixed"] {
            let shared = of(told);
            assert_eq!(shared.len(), 1, "{told}");
            assert_eq!(shared[0].confidence, Confidence::Medium, "{told}");
            assert_eq!(shared[0].shared_with, Some(0), "{told}");
        }
        for other in ["other cards", "prefill"] {
            assert!(of(other).iter().all(|it| it.confidence == Confidence::Low), "{other}");
        }
    }

    #[test]
    fn what_was_measured_again_shares_nothing() {
        let mut repo = Repo::new();
        repo.then(0, "results", &[("a.md", RESULTS)]);
        let habit = format!("{RESULTS}{HABIT}");
        repo.then(3600, "habit", &[("a.md", &habit)]);
        repo.then(7200, "again\n\nRetest: draft heads, mixed", &[("a.md", &format!("{habit}\n"))]);
        let opened = open(&repo);
        let again = opened.known.claim("draft heads");
        assert_ne!(again.last_tested.commit, CommitId(0));
        assert!(opened.ledger().challenges(again).is_empty());
    }

    #[test]
    fn quotients_are_read_to_their_digits() {
        let ratio = |number: &str, unit: &str| Quantity {
            number: number.into(),
            unit: unit.into(),
            dimension: Dimension::Ratio,
            digits: 3,
        };
        assert!(is_quotient(&ratio("1.93", "\u{d7}"), &[50.8, 98.1]));
        assert!(is_quotient(&ratio("93.1", "%"), &[50.8, 98.1]));
        assert!(!is_quotient(&ratio("1.95", "\u{d7}"), &[50.8, 98.1]));
        assert!(!is_quotient(&ratio("1.93", "\u{d7}"), &[0.0, 0.0]));
    }
}
