//! Audits made by hand, for the tests of every format.

use crate::checks::{Challenge, Confidence, Exposure, OrderedBy, Reason, Receipt};
use crate::documents::Lines;
use crate::extract::{Assertion, Effect, Kind, Warning};
use crate::history::{Caveat, CommitId, ObjectId};
use crate::lineage::{How, Lineage, PitfallLineage, Retest, Sighting};
use crate::texts::{Arg, Message};
use crate::verdict::{
    Audit, CommitFacts, JudgedClaim, KnownPitfall, SuppressedBy, Suppression, Verdict,
};

/// An audit that read something and found nothing.
pub(crate) fn empty() -> Audit {
    Audit {
        rev: oid("317dac1"),
        remote: None,
        commits: 5,
        documents: 2,
        facts: facts(),
        caveats: Vec::new(),
        claims: Vec::new(),
        ended: Vec::new(),
        pitfalls: Vec::new(),
        remarks: Vec::new(),
        packs: vec!["core@0.1.0".into()],
    }
}

/// A little of everything: shared and single pitfalls, a rebased commit, a retest, a hidden origin,
/// two languages, evidence, a caveat.
pub(crate) fn audit() -> Audit {
    let mut audit = empty();
    audit.documents = 4;
    audit.packs.push("gpu-inference@0.1.0".into());
    audit.caveats.push(Caveat {
        code: "clock-skew",
        message: "commit 2badd1e is dated 2 d 4 h before its parent; times around it are not to be trusted".into(),
    });
    audit.pitfalls = vec![
        pitfall(
            "p-77c0d1aa",
            "SETTINGS.md",
            41,
            2,
            Effect::Crash,
            "Never set grow_segments:on on these cards: the allocator maps past the end of the window and the next start dies with an out-of-memory error that is none.",
            &["grow_segments:on"],
        ),
        pitfall(
            "p-0a1b2c3d",
            "docs/测量.md",
            7,
            3,
            Effect::Perf,
            "不要在预热之前测速：前 30 秒的数字偏低。",
            &["无预热", "--no-warmup"],
        ),
        pitfall(
            "p-99887766",
            "SETTINGS.md",
            60,
            1,
            Effect::Unknown,
            "Avoid driver 550 with this board.",
            &["driver 550"],
        ),
    ];
    let second_hand = Reason {
        check: "second-hand",
        confidence: Confidence::Medium,
        message: Message::new("second-hand").with("words", "reported upstream"),
        challenge: None,
        known: None,
        receipts: vec![show(0, "README.md", 12)],
    };
    audit.claims = vec![
        lead(
            "c-00000001",
            Kind::Failure,
            "README.md",
            12,
            "Three cards do not work; reported upstream as well.",
            vec![
                predates(0, Confidence::High, Exposure::Unrecorded, 78_349, "README.md", 12),
                second_hand,
            ],
        ),
        evidence("c-00000002", Kind::Success, "README.md", 14, "4 cards: works."),
        lead(
            "c-00000003",
            Kind::Failure,
            "RESULTS.md",
            139,
            "3 cards + draft head, util 0.90 | OOM at start",
            vec![predates(0, Confidence::High, Exposure::Unrecorded, 78_349, "RESULTS.md", 139)],
        ),
        lead(
            "c-00000004",
            Kind::Failure,
            "RESULTS.md",
            140,
            "3 cards, util 0.85 | OOM at start",
            vec![predates(0, Confidence::High, Exposure::Unrecorded, 78_349, "RESULTS.md", 140)],
        ),
        retested(lead(
            "c-00000005",
            Kind::Failure,
            "RESULTS.md",
            144,
            "2 cards | needs 155 GiB, which no two of these cards have: it can never load, whatever the allocator does",
            vec![predates(0, Confidence::Medium, Exposure::InUse, -7_200, "RESULTS.md", 144)],
        )),
        evidence("c-00000006", Kind::Measurement, "RESULTS.md", 150, "prefill 98.1 tok/s"),
        evidence("c-00000007", Kind::Success, "RESULTS.md", 151, "4 cards, util 0.90 | works"),
        hidden(lead(
            "c-00000008",
            Kind::Measurement,
            "docs/测量.md",
            30,
            "四张卡、上下文 8192、关闭推测解码时，解码速度 41.5 tok/s，比之前快 19%。",
            vec![
                predates(1, Confidence::Medium, Exposure::Unrecorded, 694_800, "docs/测量.md", 30),
                Reason {
                    check: "truncated-history",
                    confidence: Confidence::High,
                    message: Message::new("truncated-history"),
                    challenge: None,
                    known: None,
                    receipts: Vec::new(),
                },
            ],
        )),
    ];
    audit
}

/// The sample after somebody decided that three of its leads are known, each in another place.
pub(crate) fn suppressed() -> Audit {
    let mut audit = audit();
    let comment = SuppressedBy::Comment { path: "RESULTS.md".into(), line: 143 };
    let reasons = ["the card is gone, see <b>minutes</b> of 3 May", "kept for the record", ""];
    let by = [comment, SuppressedBy::Config, SuppressedBy::Baseline];
    for (at, (by, reason)) in [4, 3, 7].into_iter().zip(by.into_iter().zip(reasons)) {
        audit.claims[at].suppression = Some(Suppression { by, reason: reason.into() });
    }
    audit
}

/// The sample with every text of the repository turned against the reader.
pub(crate) fn hostile() -> Audit {
    poisoned(
        "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}drowssap\u{2066}\r\n\t::error::no\u{0}\u{7f}",
    )
}

/// The sample with a text before every text of the repository.
pub(crate) fn poisoned(evil: &str) -> Audit {
    let mut audit = audit();
    for text in [&mut audit.facts[0].summary, &mut audit.caveats[0].message, &mut audit.packs[0]] {
        text.insert_str(0, evil);
    }
    for known in &mut audit.pitfalls {
        let lineage = &mut known.lineage;
        lineage.pitfall.triggers[0].insert_str(0, evil);
        for text in [&mut lineage.path, &mut lineage.introduced.path, &mut lineage.pitfall.text] {
            text.insert_str(0, evil);
        }
    }
    for judged in &mut audit.claims {
        let lineage = &mut judged.lineage;
        for retest in &mut lineage.retests {
            retest.words.insert_str(0, evil);
        }
        let claim: &mut Assertion = &mut lineage.claim;
        for text in
            [&mut lineage.path, &mut lineage.last_tested.path, &mut claim.subject, &mut claim.text]
        {
            text.insert_str(0, evil);
        }
        for reason in &mut judged.reasons {
            for (_, arg) in &mut reason.message.args {
                if let Arg::Text(text) = arg {
                    text.insert_str(0, evil);
                }
            }
            for receipt in &mut reason.receipts {
                match receipt {
                    Receipt::Show { path, .. } | Receipt::Between { path, .. } => {
                        path.insert_str(0, evil)
                    }
                    Receipt::Grep { token, .. } => token.insert_str(0, evil),
                    Receipt::Commits(_) | Receipt::Beyond { .. } => {}
                }
            }
        }
    }
    audit
}

/// Many rows of one table under one pitfall, last tested in one commit: the report of an owner who
/// has a lot to go through.
pub(crate) fn many(rows: u32) -> Audit {
    let mut audit = audit();
    audit.claims = (0..rows)
        .map(|row| {
            let line = 200 + row;
            let reason =
                predates(0, Confidence::High, Exposure::Unrecorded, 78_349, "RESULTS.md", line);
            let text = format!("{row} layers on the last card | out of memory");
            lead(&format!("c-{line:08}"), Kind::Failure, "RESULTS.md", line, &text, vec![reason])
        })
        .collect();
    audit
}

fn lead(
    id: &str,
    kind: Kind,
    path: &str,
    line: u32,
    text: &str,
    reasons: Vec<Reason>,
) -> JudgedClaim {
    JudgedClaim { verdict: Verdict::LeadOnly, reasons, ..evidence(id, kind, path, line, text) }
}

fn evidence(id: &str, kind: Kind, path: &str, line: u32, text: &str) -> JudgedClaim {
    let lines = Lines { start: line, end: line };
    let sighting = Sighting { commit: CommitId(0), path: path.into(), lines };
    let claim = Assertion {
        kind,
        subject: text.split([':', '|']).next().unwrap_or_default().trim().into(),
        text: text.into(),
        section: vec!["Limits".into(), "Four cards required".into()],
        key: 0,
        subject_key: 0,
        terms: Vec::new(),
        words: Vec::new(),
        topic: Vec::new(),
        metric: Vec::new(),
        values: Vec::new(),
        numerals: Vec::new(),
        occasion: None,
        hedges: Vec::new(),
        effects: Vec::new(),
        phases: Vec::new(),
        identifiers: Vec::new(),
        own_cause: None,
        basis: crate::extract::Basis::default(),
        rule: "core.failure".into(),
    }
    .at(lines);
    let lineage = Lineage {
        claim,
        path: path.into(),
        introduced: sighting.clone(),
        last_tested: sighting,
        retests: Vec::new(),
        life: Vec::new(),
        at_or_before: false,
    };
    JudgedClaim {
        id: id.into(),
        lineage,
        verdict: Verdict::Evidence,
        reasons: Vec::new(),
        suppression: None,
    }
}

fn retested(mut judged: JudgedClaim) -> JudgedClaim {
    let lineage = &mut judged.lineage;
    lineage.last_tested.commit = CommitId(1);
    lineage.retests.push(Retest {
        commit: CommitId(1),
        how: How::Message,
        words: "re-ran two cards".into(),
        seen: None,
    });
    judged
}

fn hidden(mut judged: JudgedClaim) -> JudgedClaim {
    judged.lineage.at_or_before = true;
    judged
}

fn predates(
    pitfall: usize,
    confidence: Confidence,
    exposure: Exposure,
    lag: i64,
    path: &str,
    line: u32,
) -> Reason {
    Reason {
        known: None,
        check: "predates-pitfall",
        confidence,
        message: Message::new("predates-pitfall")
            .with("lag", Arg::Span(lag.abs()))
            .with("clock", if lag < 0 { "against" } else { "with" })
            .with("trigger", "grow_segments:on")
            .with("order", "ancestry")
            .with("exposure", "unrecorded")
            .with("path", "")
            .with("why", vec![Message::new("same-section")]),
        challenge: Some(Challenge {
            pitfall,
            lag_seconds: lag,
            exposure,
            ordered_by: if pitfall == 1 { OrderedBy::Time } else { OrderedBy::Ancestry },
        }),
        receipts: vec![
            show(0, path, line),
            Receipt::Between { from: facts()[0].oid, to: facts()[2].oid, path: path.into() },
            Receipt::Grep { token: "grow_segments:on".into(), commit: facts()[0].oid },
        ],
    }
}

fn show(commit: usize, path: &str, line: u32) -> Receipt {
    Receipt::Show {
        commit: facts()[commit].oid,
        path: path.into(),
        lines: Lines { start: line, end: line },
    }
}

fn pitfall(
    id: &str,
    path: &str,
    line: u32,
    commit: u32,
    effect: Effect,
    text: &str,
    triggers: &[&str],
) -> KnownPitfall {
    let lines = Lines { start: line, end: line };
    let pitfall = Warning {
        text: text.into(),
        section: vec!["Settings".into()],
        triggers: triggers.iter().map(|&it| it.into()).collect(),
        needed: false,
        effect,
        key: 0,
        words: Vec::new(),
        topic: Vec::new(),
        terms: Vec::new(),
        phases: Vec::new(),
        identifiers: Vec::new(),
        rule: "core.ban".into(),
    }
    .at(lines);
    let introduced = Sighting { commit: CommitId(commit), path: path.into(), lines };
    let lineage = PitfallLineage { pitfall, path: path.into(), introduced, at_or_before: false };
    KnownPitfall { id: id.into(), lineage }
}

fn facts() -> Vec<CommitFacts> {
    let fact = |id, author_time, commit_time, summary: &str| CommitFacts {
        oid: oid(id),
        author_time,
        commit_time,
        summary: summary.into(),
    };
    vec![
        fact("1c0ffee", 1_785_718_643, 1_785_718_643, "Write down what four cards are needed for"),
        fact("5ca1ab1", 1_785_750_000, 1_785_950_000, "Re-ran two cards with the old driver"),
        fact("2badd1e", 1_785_796_992, 1_785_796_992, "Ban the allocator switch"),
        fact("3fa57ed", 1_786_413_443, 1_786_413_443, "测量：预热之后再计时"),
        fact(
            "317dac1",
            1_786_500_000,
            1_786_500_000,
            "Tidy the tables, again, and while at it explain at great length why they were untidy",
        ),
    ]
}

/// An object id that begins with these digits.
fn oid(digits: &str) -> ObjectId {
    let mut id = [0x5a; 20];
    for (at, digit) in digits.chars().enumerate() {
        let digit = digit.to_digit(16).and_then(|it| u8::try_from(it).ok()).unwrap_or_default();
        if let Some(byte) = id.get_mut(at / 2) {
            let shift = if at % 2 == 0 { 4 } else { 0 };
            *byte = (*byte & !(0xf << shift)) | digit << shift;
        }
    }
    ObjectId(id)
}
