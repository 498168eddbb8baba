//! The keys of the JSON report, which only ever grow. Its JSON Schema is made from these types.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// The report of an audit, version 1.
///
/// Keys may be added within a version, never renamed or removed. Times are UTC, RFC 3339.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "claim-audit report, version 1")]
pub(in crate::report) struct Report<'a> {
    /// Raised when a key is renamed or removed.
    #[schemars(extend("const" = super::SCHEMA_VERSION))]
    pub(super) schema_version: u32,
    /// What wrote the report.
    pub(super) tool: Tool,
    /// What was audited.
    pub(super) repository: Repository<'a>,
    /// Rule packs used, as `id@version`.
    pub(super) packs: &'a [String],
    /// What could not be seen. With any of them, no claim is sure to be judged right.
    pub(super) caveats: Vec<Caveat<'a>>,
    /// Pull-request mode: what the change did. Null otherwise.
    pub(super) change: Option<Change<'a>>,
    /// By path, then line.
    pub(super) claims: Vec<Claim<'a>>,
    /// By path, then line.
    pub(super) pitfalls: Vec<Pitfall<'a>>,
    /// Counts.
    pub(super) summary: Summary<'a>,
}

/// A line of a run over several repositories: the report of one, or why there is none.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "claim-audit report of one of several repositories, version 1")]
#[serde(untagged)]
#[expect(dead_code, reason = "names the alternatives for the schema; each is written as itself")]
pub(in crate::report) enum OfSeveral<'a> {
    /// It was audited.
    Report(Box<Report<'a>>),
    /// It could not be.
    Failure(Failure<'a>),
}

/// A repository that could not be audited.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Failure<'a> {
    /// As in a report.
    #[schemars(extend("const" = super::SCHEMA_VERSION))]
    pub(super) schema_version: u32,
    /// As in a report.
    pub(super) tool: Tool,
    /// Which one.
    pub(super) repository: Named<'a>,
    /// What is wrong.
    pub(super) error: &'a str,
    /// Ways out.
    pub(super) help: &'a [String],
}

/// A repository of which nothing more is known than its name.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Named<'a> {
    /// As the user named it.
    pub(super) path: &'a str,
}

/// What wrote the report.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Tool {
    #[schemars(extend("const" = "claim-audit"))]
    pub(super) name: &'static str,
    /// By Semantic Versioning.
    pub(super) version: &'static str,
}

/// What was audited.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Repository<'a> {
    /// As the user named it.
    pub(super) path: &'a str,
    /// The audited commit, 40 hexadecimal digits.
    pub(super) rev: String,
    /// Commits read.
    pub(super) commits: usize,
    /// Documents at the audited commit.
    pub(super) documents: usize,
}

/// Something that could not be seen.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Caveat<'a> {
    /// Stable, for programs: `shallow`.
    pub(super) code: &'static str,
    /// For people.
    pub(super) message: &'a str,
}

/// What a change did, by claim id. The report then holds these claims and what challenges them, and
/// counts them alone.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Change<'a> {
    /// The commit before the change.
    pub(super) base: Option<String>,
    /// New claims that are leads.
    pub(super) new_leads: Vec<&'a str>,
    /// Claims that were evidence and that the change turned into leads.
    pub(super) turned: Vec<&'a str>,
    /// Claims that were leads and that a test of this change brought back to evidence.
    pub(super) cleared: Vec<&'a str>,
    /// Claims that were leads and are no longer, though nothing was tested.
    pub(super) lapsed: Vec<&'a str>,
    /// Leads that stand as before. They are not in this report.
    pub(super) untouched_leads: usize,
}

/// A statement that something was found to be so.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Claim<'a> {
    /// From subject and outcome, so that it survives moved lines and files.
    #[schemars(extend("pattern" = "^c-[0-9a-f]{8,}"))]
    pub(super) id: &'a str,
    /// `lead_only` where a reason holds, also where somebody knows of it (`suppression`).
    #[schemars(extend("enum" = ["evidence", "lead_only"]))]
    pub(super) verdict: &'static str,
    #[schemars(extend("enum" = ["failure", "success", "measurement"]))]
    pub(super) kind: &'static str,
    /// What it is about.
    pub(super) subject: &'a str,
    /// What the document says.
    pub(super) text: &'a str,
    /// The headings above it, outermost first.
    pub(super) section: &'a [String],
    /// Where it stands in the audited commit.
    pub(super) location: Location<'a>,
    /// The oldest commit that has it.
    pub(super) introduced: Place<'a>,
    /// The newest commit that measured it again; as `introduced` where there is none.
    pub(super) last_tested: Place<'a>,
    /// Its origin is hidden by a cut in the history: it was made there or before.
    pub(super) at_or_before: bool,
    /// Oldest first.
    pub(super) retests: Vec<Retest>,
    /// The surest first. Evidence has only reasons below the threshold.
    pub(super) reasons: Vec<Why<'a>>,
    /// Set where somebody decided that this lead is known. Such a claim is in no count of leads.
    pub(super) suppression: Option<Suppression<'a>>,
}

/// Who said that a lead is known, and why.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Suppression<'a> {
    #[schemars(extend("enum" = ["comment", "config", "baseline"]))]
    pub(super) by: &'static str,
    /// Of the comment.
    pub(super) path: Option<&'a str>,
    /// Of the comment, 1-based.
    pub(super) line: Option<u32>,
    /// In that person's words; empty where none was given.
    pub(super) reason: &'a str,
}

/// Lines of a document at the audited commit.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Location<'a> {
    /// From the top of the repository, with slashes.
    pub(super) path: &'a str,
    /// 1-based.
    pub(super) start_line: u32,
    /// 1-based, included.
    pub(super) end_line: u32,
}

/// A sighting. What the audit carries no facts of is null, as is a time that no calendar has.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Place<'a> {
    /// 40 hexadecimal digits.
    pub(super) commit: Option<String>,
    pub(super) author_time: Option<String>,
    pub(super) commit_time: Option<String>,
    /// The document at that commit.
    pub(super) path: &'a str,
    /// 1-based.
    pub(super) line: u32,
    /// 1-based, included.
    pub(super) end_line: u32,
    /// First line of the commit's message.
    pub(super) summary: Option<&'a str>,
}

/// A later commit that ran the subject again.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Retest {
    /// 40 hexadecimal digits.
    pub(super) commit: Option<String>,
    /// What told of it.
    #[schemars(extend("enum" = ["message", "number", "outcome", "trailer", "text"]))]
    pub(super) how: &'static str,
}

/// A reason. The four keys of a pitfall's challenge are null where there is none.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Why<'a> {
    /// The check: `predates-pitfall`.
    pub(super) rule: &'static str,
    #[schemars(extend("enum" = ["low", "medium", "high"]))]
    pub(super) confidence: &'static str,
    /// One sentence, in English.
    pub(super) message: String,
    /// Id of the pitfall that challenges the claim.
    pub(super) pitfall: Option<&'a str>,
    /// Id of the pitfall that a rule pack tells of, where the audited repository does not.
    pub(super) known_pitfall: Option<&'a str>,
    /// From the last test to the pitfall, by the authors' clocks.
    pub(super) lag_seconds: Option<i64>,
    /// What the tree of the last test says of the trigger.
    #[schemars(extend("enum" = ["in_use", "unrecorded", null]))]
    pub(super) exposure: Option<&'static str>,
    /// How it is known which came first.
    #[schemars(extend("enum" = ["ancestry", "time", null]))]
    pub(super) ordered_by: Option<&'static str>,
    /// Commands for a shell at the top of the repository.
    pub(super) receipts: Vec<String>,
}

/// A named thing to avoid.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Pitfall<'a> {
    #[schemars(extend("pattern" = "^p-[0-9a-f]{8,}"))]
    pub(super) id: &'a str,
    /// What the document says.
    pub(super) text: &'a str,
    /// The headings above it, outermost first.
    pub(super) section: &'a [String],
    /// What to avoid; what must not be missing where `needed` says so.
    pub(super) triggers: &'a [String],
    /// The trouble comes where the triggers are missing.
    pub(super) needed: bool,
    #[schemars(extend("enum" = ["crash", "perf", "wrong", "unknown"]))]
    pub(super) effect: &'static str,
    /// Where it stands in the audited commit.
    pub(super) location: Location<'a>,
    /// The oldest commit that has it.
    pub(super) introduced: Place<'a>,
    /// Its origin is hidden by a cut in the history: it was made there or before.
    pub(super) at_or_before: bool,
}

/// Counts. `claims` is the sum of the next three.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Summary<'a> {
    pub(super) claims: usize,
    pub(super) evidence: usize,
    /// Leads that nobody has said to know of: those that decide the exit status.
    pub(super) lead_only: usize,
    /// Leads that somebody said to know of.
    pub(super) suppressed: usize,
    /// Leads by check; one with reasons of two checks counts for both.
    pub(super) by_rule: BTreeMap<&'a str, usize>,
}

/// A line of the JSON Lines report: `type` tells which.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schemars(title = "A line of claim-audit's JSON Lines report, version 1")]
pub(in crate::report) enum Line<'a> {
    Caveat(Caveat<'a>),
    Claim(Box<Claim<'a>>),
    Pitfall(Box<Pitfall<'a>>),
    /// The last line; a report without it is cut off.
    Summary(Box<Closing<'a>>),
}

/// What the whole report rests on, and its counts.
#[derive(Serialize, JsonSchema)]
pub(in crate::report) struct Closing<'a> {
    #[schemars(extend("const" = super::SCHEMA_VERSION))]
    pub(super) schema_version: u32,
    pub(super) tool: Tool,
    pub(super) repository: Repository<'a>,
    /// Rule packs used, as `id@version`.
    pub(super) packs: &'a [String],
    /// Pull-request mode: what the change did. Null otherwise.
    pub(super) change: Option<Change<'a>>,
    #[serde(flatten)]
    pub(super) summary: Summary<'a>,
}
