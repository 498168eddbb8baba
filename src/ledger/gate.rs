//! Which effects can explain or distort which outcomes: the contract's table.

use super::relevance::Weights;
use crate::extract::{Claim, Dimension, Effect, Kind};

/// How much of a pitfall's relevance counts for this claim: 0 for none, 1 for all.
///
/// A thing that ran although a crash pitfall existed is not challenged, nor is a number that was
/// obtained. A failure that is known to be of another kind (wrong output, too slow) is no crash.
pub(super) fn gate(effect: Effect, claim: &Claim, weights: &Weights) -> f64 {
    let dimensions = |wanted: &[Dimension]| {
        claim
            .values
            .iter()
            .any(|value| wanted.contains(&value.dimension))
    };
    // A percentage can be of a speed or of a quality: the unit does not tell.
    let measured = |wanted: &[Dimension], other: &[Dimension]| match claim.kind {
        Kind::Measurement if dimensions(wanted) => 1.0,
        Kind::Measurement if dimensions(&[Dimension::Ratio]) && !dimensions(other) => {
            weights.ratio_share
        }
        _ => 0.0,
    };
    let amounts = [
        Dimension::Rate,
        Dimension::Time,
        Dimension::Size,
        Dimension::Cost,
    ];
    match (effect, claim.kind) {
        (Effect::Crash, Kind::Failure) => {
            let crash = claim.effects.is_empty()
                || claim
                    .effects
                    .iter()
                    .any(|one| matches!(one, Effect::Crash | Effect::Unknown));
            if crash { 1.0 } else { 0.0 }
        }
        (Effect::Crash, _) => 0.0,
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
    use crate::ledger::tests::claim;

    #[test]
    fn the_contract_s_table_holds() {
        let weights = Weights::default();
        let of = |kind, dimension: Option<Dimension>, effects: &[Effect]| {
            let mut claim = claim(kind, "3 cards");
            claim.effects = effects.to_vec();
            claim.values.extend(dimension.map(|dimension| Quantity {
                number: "98.1".into(),
                unit: "unit".into(),
                dimension,
            }));
            claim
        };
        let failure = of(Kind::Failure, None, &[]);
        let success = of(Kind::Success, None, &[]);
        let speed = of(Kind::Measurement, Some(Dimension::Rate), &[]);
        let quality = of(Kind::Measurement, Some(Dimension::Quality), &[]);
        let ratio = of(Kind::Measurement, Some(Dimension::Ratio), &[]);
        let row = |effect| {
            [&failure, &success, &speed, &quality, &ratio]
                .map(|claim| gate(effect, claim, &weights))
        };
        let (share, unknown) = (weights.ratio_share, weights.unknown_effect_share);
        assert_eq!(row(Effect::Crash), [1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(row(Effect::Perf), [0.0, 0.0, 1.0, 0.0, share]);
        assert_eq!(row(Effect::Measure), [0.0, 0.0, 1.0, 0.0, share]);
        assert_eq!(row(Effect::Wrong), [0.0, 1.0, 0.0, 1.0, share]);
        assert_eq!(row(Effect::Unknown), [unknown; 5]);
        assert_eq!(
            gate(
                Effect::Crash,
                &of(Kind::Failure, None, &[Effect::Wrong]),
                &weights
            ),
            0.0
        );
        assert_eq!(
            gate(
                Effect::Crash,
                &of(Kind::Failure, None, &[Effect::Crash]),
                &weights
            ),
            1.0
        );
    }
}
