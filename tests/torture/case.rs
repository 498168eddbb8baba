//! What is expected of one case, as the generator writes it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

/// How the program can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    /// Works as for any repository.
    Audit,
    /// Works, and says in a caveat what could not be seen.
    Degrade,
    /// Exit status 2, with the cause and the next step.
    Refuse,
}

impl Answer {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Audit => "audit",
            Self::Degrade => "degrade",
            Self::Refuse => "refuse",
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) what: String,
    pub(crate) expect: Answer,
    #[serde(default)]
    pub(crate) also_ok: Vec<Answer>,
    #[serde(default)]
    pub(crate) must_say: Vec<String>,
    pub(crate) arg: String,
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// `{OUTDIR}` stands for the folder of all cases; `null` takes a variable away.
    #[serde(default)]
    pub(crate) env: BTreeMap<String, Option<String>>,
    pub(crate) run_as: Option<u32>,
    #[serde(default)]
    pub(crate) never: BTreeMap<String, Vec<String>>,
    pub(crate) trap: Option<String>,
    #[serde(default)]
    pub(crate) limits: Limits,
    #[serde(default)]
    pub(crate) claims: Vec<Claim>,
    pub(crate) skipped: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Limits {
    pub(crate) seconds: Option<u64>,
    pub(crate) rss_mib: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Claim {
    pub(crate) text: String,
    pub(crate) path: String,
    pub(crate) line: Option<u64>,
    /// `None`: cannot be known, and naming a commit without "at or before" is wrong.
    pub(crate) introduced: Option<String>,
    pub(crate) verdict: String,
}

impl Case {
    /// The answers that are right, the first one first.
    pub(crate) fn expected(&self) -> String {
        let also = self.also_ok.iter().map(|answer| format!(" or {}", answer.word()));
        self.expect.word().to_owned() + &also.collect::<String>()
    }

    pub(crate) fn allows(&self, answer: Answer) -> bool {
        self.expect == answer || self.also_ok.contains(&answer)
    }
}

/// All cases, those that take longest first.
pub(crate) fn all(folder: &Path) -> Vec<Case> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|it| it == "json"));
    let mut cases: Vec<Case> = files
        .map(|path| {
            serde_json::from_slice(&fs::read(&path).unwrap())
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        })
        .collect();
    let size = |case: &Case| case.limits.seconds.unwrap_or(0);
    cases.sort_by(|a, b| size(b).cmp(&size(a)).then_with(|| a.name.cmp(&b.name)));
    cases
}
