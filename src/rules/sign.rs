//! Signs of what a claim rests on, and the words of equations, as checked.

use serde::{Deserialize, Serialize};

use super::compile::{parse_kind, unknown};
use super::finder::Matcher;
use super::schema::{PackFile, SignSpec, Words};
use super::{Error, Kind, Proof};
use crate::arithmetic::{Size, Suffix, Unit, Vocabulary};

/// What a sign is a sign of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SignClass {
    /// It was looked at in a way that cannot see the fault.
    Probe,
    /// It was looked at in a way that can.
    Deeper,
    /// It was tested up to a level.
    Reached,
    /// The fault lives above a level.
    FaultAbove,
    /// The fault takes so much of the whole, at its end.
    FaultShare,
    /// The test went on until nothing was left.
    ToTheEnd,
    /// It is said to hold up to a level.
    Claimed,
    /// How much of a resource a configuration had.
    Amount,
    /// A resource is blamed.
    Short,
    /// It fails at the same place as another.
    SamePlace,
    /// What follows is blamed.
    Cause,
    /// What comes before is blamed.
    Caused,
    /// A parameter is named.
    Parameter,
    /// Several things were changed together.
    Together,
    /// A comparison is called one of several changes.
    Uncontrolled,
    /// One of them gets the credit.
    Credit,
    /// Each was tried for itself.
    Isolated,
    /// It was measured right after something began.
    TooEarly,
    /// It was waited for, or warmed up.
    Waited,
    /// From one, or from something made up, to all.
    Narrow,
    /// From loading to working, from working to being right.
    Loads,
    /// It starts.
    Starts,
    /// It fails later.
    Later,
    /// What is reserved is taken for what is needed.
    Reserved,
    /// One size is compared with another.
    Capacity,
    /// Taken away, it works.
    Removed,
    /// It was put back.
    Restored,
    /// Nothing else is left to blame.
    Elimination,
    /// It takes a setting that is off by default.
    OptIn,
    /// The command or the setting is given.
    Given,
    /// Nothing is wrong, whatever one looks at.
    AllClear,
    /// Something is wrong and not understood.
    OpenFault,
    /// All of a table was measured.
    AllMeasured,
    /// An older number is said to be wrong; the number is the last thing in it.
    Corrected,
    /// It is said to be how things stand now.
    Current,
    /// It is said to be how things stood before.
    Superseded,
    /// What was tried changed nothing.
    NoGain,
    /// What it was run with: build, driver, variable, command.
    Recorded,
}

impl SignClass {
    /// Every class by its word in packs.
    pub(crate) const ALL: [(&'static str, SignClass); 38] = [
        ("probe", SignClass::Probe),
        ("deeper", SignClass::Deeper),
        ("reached", SignClass::Reached),
        ("fault-above", SignClass::FaultAbove),
        ("fault-share", SignClass::FaultShare),
        ("to-the-end", SignClass::ToTheEnd),
        ("claimed", SignClass::Claimed),
        ("amount", SignClass::Amount),
        ("short", SignClass::Short),
        ("same-place", SignClass::SamePlace),
        ("cause", SignClass::Cause),
        ("caused", SignClass::Caused),
        ("parameter", SignClass::Parameter),
        ("together", SignClass::Together),
        ("uncontrolled", SignClass::Uncontrolled),
        ("credit", SignClass::Credit),
        ("isolated", SignClass::Isolated),
        ("too-early", SignClass::TooEarly),
        ("waited", SignClass::Waited),
        ("narrow", SignClass::Narrow),
        ("loads", SignClass::Loads),
        ("starts", SignClass::Starts),
        ("later", SignClass::Later),
        ("reserved", SignClass::Reserved),
        ("capacity", SignClass::Capacity),
        ("removed", SignClass::Removed),
        ("restored", SignClass::Restored),
        ("elimination", SignClass::Elimination),
        ("opt-in", SignClass::OptIn),
        ("given", SignClass::Given),
        ("all-clear", SignClass::AllClear),
        ("open-fault", SignClass::OpenFault),
        ("all-measured", SignClass::AllMeasured),
        ("corrected", SignClass::Corrected),
        ("current", SignClass::Current),
        ("superseded", SignClass::Superseded),
        ("no-gain", SignClass::NoGain),
        ("recorded", SignClass::Recorded),
    ];

    /// Its word in packs and notes.
    pub fn name(self) -> &'static str {
        SignClass::ALL.iter().find(|(_, class)| *class == self).map_or("", |(name, _)| name)
    }
}

/// A compiled sign.
#[derive(Debug)]
pub(crate) struct SignRule {
    pub(crate) id: String,
    pub(crate) class: SignClass,
    pub(crate) regex: Matcher,
    pub(crate) blind_to: Vec<Kind>,
    pub(crate) resource: Option<String>,
    pub(crate) acts_in: Vec<String>,
    pub(crate) unless: Vec<usize>,
    pub(crate) proof: Proof,
}

/// Checks a sign.
pub(super) fn rule(spec: &SignSpec, regex: Matcher, unless: Vec<usize>) -> Result<SignRule, Error> {
    let class = SignClass::ALL.iter().find(|(name, _)| *name == spec.sign);
    let names = SignClass::ALL.map(|(name, _)| name);
    let class = class.ok_or_else(|| unknown(&spec.id, "sign", &spec.sign, &names))?.1;
    let kinds = spec.blind_to.iter().map(|kind| parse_kind(&spec.id, kind));
    Ok(SignRule {
        id: spec.id.clone(),
        class,
        regex,
        blind_to: kinds.collect::<Result<_, _>>()?,
        resource: spec.resource.clone(),
        acts_in: spec.acts_in.clone(),
        unless,
        proof: Proof::new(&spec.must_match, &spec.must_not_match),
    })
}

/// The words of equations of all packs.
pub(super) fn vocabulary(files: &[(String, PackFile)]) -> Vocabulary {
    let words = |pick: fn(&PackFile) -> &Words| -> Vec<String> {
        let all = files.iter().flat_map(|(_, file)| pick(file).iter());
        all.map(|word| word.to_lowercase()).collect()
    };
    let mut units: Vec<(String, Unit)> = Vec::new();
    for spec in files.iter().flat_map(|(_, file)| &file.units) {
        let size = spec.size.as_ref().map(|size| Size {
            of: size.of.clone(),
            factor: size.factor,
            loosely: size.loosely,
        });
        let unit = Unit { base: spec.base.clone(), share: spec.base == "%", size };
        let spellings = std::iter::once(&spec.base).chain(&spec.also);
        units.extend(spellings.map(|spelling| (spelling.clone(), unit.clone())));
    }
    // Stable, so that of two packs the first decides.
    units.sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
    let suffixes = files.iter().flat_map(|(_, file)| &file.numbers.suffixes);
    Vocabulary {
        units,
        suffixes: suffixes
            .map(|(text, factor)| Suffix { text: text.clone(), factor: *factor })
            .collect(),
        equals: words(|file| &file.arithmetic.equals),
        of: words(|file| &file.arithmetic.of),
        about: words(|file| &file.arithmetic.about),
        from: words(|file| &file.arithmetic.from),
        to: words(|file| &file.arithmetic.to),
        times: words(|file| &file.arithmetic.times),
        plus: words(|file| &file.arithmetic.plus),
        minus: words(|file| &file.arithmetic.minus),
        wholes: words(|file| &file.arithmetic.wholes),
        totals: words(|file| &file.arithmetic.totals).into_iter().collect(),
    }
}
