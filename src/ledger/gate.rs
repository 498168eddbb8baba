//! Which effects can explain or distort which outcomes: the contract's table.

use crate::extract::{Claim, Dimension, Effect, Kind, SignClass};
use crate::rules::Weights;

/// How much of a pitfall's relevance counts for this claim: 0 for none, 1 for all.
///
/// A thing that ran although a crash pitfall existed is not challenged, nor is a number that was
/// obtained. `trouble` is what kinds of trouble a failure is known to be: one that is wrong output
/// or slowness only is no crash. `habit`: the claim names what this habit of measuring falsifies, so
/// that nothing has to be told from the unit.
pub(super) fn gate(
    effect: Effect,
    claim: &Claim,
    trouble: &[Effect],
    habit: bool,
    weights: &Weights,
) -> f64 {
    let dimensions =
        |wanted: &[Dimension]| claim.values.iter().any(|value| wanted.contains(&value.dimension));
    // A percentage can be of a speed or of a quality: the unit does not tell.
    let measured = |wanted: &[Dimension], other: &[Dimension]| match claim.kind {
        Kind::Measurement if dimensions(wanted) => 1.0,
        Kind::Measurement if dimensions(&[Dimension::Ratio]) && !dimensions(other) => {
            weights.ratio_share
        }
        _ => 0.0,
    };
    let amounts = [Dimension::Rate, Dimension::Time, Dimension::Size, Dimension::Cost];
    match (effect, claim.kind) {
        // What was tried in vain stays so, whatever else stops a run; and what gave a rate or a
        // quality ran to its end, whatever stopped others beside it.
        (Effect::Crash, Kind::Failure)
            if claim.effects.is_empty()
                && (dimensions(&[Dimension::Rate, Dimension::Ratio, Dimension::Quality])
                    || claim.basis.own(SignClass::NoGain).is_some()) =>
        {
            0.0
        }
        (Effect::Crash, Kind::Failure) if trouble.is_empty() => weights.unsaid_trouble_share,
        (Effect::Crash, Kind::Failure) if trouble.contains(&Effect::Crash) => 1.0,
        (Effect::Crash, _) => 0.0,
        (Effect::Measure, Kind::Success | Kind::Measurement) if habit => 1.0,
        (Effect::Perf | Effect::Measure, _) => measured(&amounts, &[Dimension::Quality]),
        (Effect::Wrong, Kind::Success) => 1.0,
        (Effect::Wrong, _) => measured(&[Dimension::Quality], &amounts),
        (Effect::Unknown, _) => weights.unknown_effect_share,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::Quantity;
    use crate::ledger::tests::{claim, rules};

    #[test]
    fn the_contract_s_table_holds() {
        let weights = rules().weights.clone();
        let of = |kind, dimension: Option<Dimension>| {
            let mut claim = claim(kind, "3 cards");
            claim.values.extend(dimension.map(|dimension| Quantity {
                number: "98.1".into(),
                unit: "unit".into(),
                dimension,
                digits: 3,
            }));
            claim
        };
        let failure = of(Kind::Failure, None);
        let success = of(Kind::Success, None);
        let speed = of(Kind::Measurement, Some(Dimension::Rate));
        let quality = of(Kind::Measurement, Some(Dimension::Quality));
        let ratio = of(Kind::Measurement, Some(Dimension::Ratio));
        let row = |effect| {
            [&failure, &success, &speed, &quality, &ratio]
                .map(|claim| gate(effect, claim, &claim.effects, false, &weights))
        };
        let (share, unknown) = (weights.ratio_share, weights.unknown_effect_share);
        let unsaid = weights.unsaid_trouble_share;
        assert_eq!(row(Effect::Crash), [unsaid, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(row(Effect::Perf), [0.0, 0.0, 1.0, 0.0, share]);
        assert_eq!(row(Effect::Measure), [0.0, 0.0, 1.0, 0.0, share]);
        assert_eq!(row(Effect::Wrong), [0.0, 1.0, 0.0, 1.0, share]);
        assert_eq!(row(Effect::Unknown), [unknown; 5]);
        let slow = of(Kind::Failure, Some(Dimension::Rate));
        assert_eq!(gate(Effect::Crash, &slow, &[], false, &weights), 0.0);
        let crash = |trouble: &[Effect]| gate(Effect::Crash, &failure, trouble, false, &weights);
        assert_eq!(crash(&[Effect::Wrong]), 0.0);
        assert_eq!(crash(&[Effect::Crash, Effect::Wrong]), 1.0);
        let habit = [&failure, &success, &quality]
            .map(|claim| gate(Effect::Measure, claim, &claim.effects, true, &weights));
        assert_eq!(habit, [0.0, 1.0, 1.0]);
    }
}
