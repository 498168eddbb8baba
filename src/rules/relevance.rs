//! What links a pitfall to a claim and how much each link weighs, and the words that turn a setting
//! into its opposite: numbers and words that a pack may change, so that nobody has to take ours.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Error;
use super::schema::Words;

macro_rules! weights {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty,)+) => {
        /// What each feature is worth, and from which sum a pitfall challenges a claim.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Weights {
            $($(#[doc = $doc])+ pub $name: $type,)+
        }

        /// The same as written; what a later pack says holds.
        #[derive(Debug, Default, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub(crate) struct WeightsSpec {
            $($(#[doc = $doc])+ pub(crate) $name: Option<$type>,)+
        }

        impl Weights {
            pub(super) fn new(specs: &[&WeightsSpec]) -> Result<Weights, Error> {
                Ok(Weights {
                    $($name: specs
                        .iter()
                        .rev()
                        .find_map(|spec| spec.$name)
                        .ok_or(Error::NoWeight { key: stringify!($name) })?,)+
                })
            }
        }
    };
}

weights! {
    /// The trigger acts on everything: a variable with its value, a tool's version, a launch flag.
    global_reach: f64,
    /// The trigger is a variable of which no value is named.
    variable_reach: f64,
    /// Both name the same phase.
    same_phase: f64,
    /// Both name phases, and none is shared: decides against, unless a rare name is shared.
    other_phase: f64,
    /// They share a rare name: a code span, a file, an error.
    shared_name: f64,
    /// They share a rare condition.
    shared_term: f64,
    /// They share several rare words.
    shared_words: f64,
    /// The claim names what a habit of measuring falsifies.
    named_habit: f64,
    /// So many words of the habit it must name.
    habit_words: usize,
    /// The failure is of the kind that the pitfall causes.
    same_symptom: f64,
    /// Nothing says that they are about different conditions.
    same_scope: f64,
    /// Both give the same condition different values.
    other_scope: f64,
    /// They stand in the same section of the same document.
    same_section: f64,
    /// They stand in the same document.
    same_document: f64,
    /// A percentage or a factor can be of a speed or of a quality.
    ratio_share: f64,
    /// A failure does not say, nor do others of its subject or section, what kind of trouble it was.
    unsaid_trouble_share: f64,
    /// The pitfall's effect is not said.
    unknown_effect_share: f64,
    /// From this sum on a challenge is worth showing.
    possible: f64,
    /// From this sum on it is likely.
    likely: f64,
    /// A name, condition or word in no more claims than this is rare.
    rare_count: usize,
    /// In a repository of many claims, one in so many.
    rare_share: usize,
    /// But never in more than this.
    rare_most: usize,
    /// So many rare words must be shared.
    rare_words: usize,
    /// Failures up to which a repository tells of one thing, so that a pitfall of every process is
    /// near to each of them.
    few_failures: usize,
    /// Documents that lie in a folder of no more that say something are about one thing.
    near_documents: usize,
    /// Failures of one section that stand within so many lines tell of one matter.
    beside_lines: u32,
}

/// Words of a language, not of a field, that turn a setting into its opposite, as written.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct NegationSpec {
    /// Words within reach before a setting's name.
    pub(crate) before: Words,
    /// Words shortly after it, in running text.
    pub(crate) after: Words,
    /// Characters of languages without spaces, shortly before it.
    pub(crate) signs: Words,
    /// Values that mean "no".
    pub(crate) off_values: Words,
    /// Values that mean "yes".
    pub(crate) on_values: Words,
    /// How many words before a name are looked at.
    pub(crate) reach: Option<usize>,
}

/// Words that turn a setting into its opposite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Negation {
    /// Lower case, up to [`Negation::reach`] words before the name.
    pub before: Vec<String>,
    /// Lower case, up to two words after it.
    pub after: Vec<String>,
    /// Characters of languages without spaces, shortly before the name.
    pub signs: Vec<char>,
    /// Values that mean "no".
    pub off: Vec<String>,
    /// Values that mean "yes".
    pub on: Vec<String>,
    /// How many words before a name are looked at.
    pub reach: usize,
}

impl Negation {
    pub(super) fn new<'a>(specs: impl Iterator<Item = &'a NegationSpec>) -> Negation {
        let mut all = Negation::default();
        let lower =
            |words: &Words| words.iter().map(|word| word.to_lowercase()).collect::<Vec<_>>();
        for spec in specs {
            all.before.extend(lower(&spec.before));
            all.after.extend(lower(&spec.after));
            all.signs.extend(spec.signs.iter().flat_map(|sign| sign.chars()));
            all.off.extend(lower(&spec.off_values));
            all.on.extend(lower(&spec.on_values));
            all.reach = spec.reach.unwrap_or(all.reach);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    #[test]
    fn a_later_pack_changes_a_weight_and_no_weight_may_be_missing() {
        let pack = b"pack: {id: ours, version: 1}\nrelevance: {likely: 9.5}\n";
        let rules = RuleSet::with(&[vec![("ours.yml".into(), pack.to_vec())]]).unwrap();
        let built_in = RuleSet::built_in().unwrap();
        assert!((rules.weights.likely - 9.5).abs() < f64::EPSILON);
        assert!((rules.weights.possible - built_in.weights.possible).abs() < f64::EPSILON);
        let missing = Weights::new(&[&WeightsSpec::default()]);
        assert_eq!(missing, Err(Error::NoWeight { key: "global_reach" }));
    }
}
