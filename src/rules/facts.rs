//! A rule as people ask for it: what it looks for, what forbids it, and where it stands.

use super::form::{CitationSpec, FormSpec};
use super::known::KnownSpec;
use super::schema::{
    CueSpec, GuardSpec, HedgeSpec, PackFile, PitfallSpec, RetestSpec, SignSpec, SubjectSpec,
    TriggerSpec,
};
use super::{Location, RuleSet};

/// What is known of a rule or a guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its name.
    pub id: String,
    /// claim rule, pitfall rule, trigger, hedge, retest rule, subject, sign, form, citation, known
    /// pitfall or guard.
    pub kind: &'static str,
    /// Name and version of its pack: `core@1`.
    pub pack: String,
    /// Where it stands.
    pub location: Option<Location>,
    /// Keys and values that say how it works, as written.
    pub settings: Vec<(&'static str, String)>,
    /// Its patterns, as written.
    pub say: Vec<String>,
    /// Guards that forbid it, those included that stand for all rules of its kind.
    pub unless: Vec<String>,
    /// Texts that it reads.
    pub must_match: Vec<String>,
    /// Texts that it does not.
    pub must_not_match: Vec<String>,
}

impl RuleSet {
    /// What is known of a rule, or else of a guard, of that name.
    pub fn facts(&self, id: &str) -> Option<Facts> {
        let merged = &self.origins.merged;
        let rule = merged.rules.get(id);
        let origin = rule.or_else(|| merged.guards.get(id))?;
        let head = merged.heads.get(origin.pack)?;
        let files = merged.files.iter().map(|(_, file)| file);
        let standing = |pick: fn(&PackFile) -> &Vec<String>, despite: &[String]| {
            let all = merged.files.iter().flat_map(|(_, file)| pick(file));
            all.filter(|guard| !despite.contains(guard)).cloned().collect::<Vec<_>>()
        };
        let mut facts = files.clone().find_map(|file| {
            if rule.is_none() {
                return file.guards.iter().find(|spec| spec.id == id).map(of_guard);
            }
            let cue = || file.cues.iter().find(|spec| spec.id == id).map(of_cue);
            let pitfall = || file.pitfalls.iter().find(|spec| spec.id == id).map(of_pitfall);
            let trigger = || file.triggers.iter().find(|spec| spec.id == id).map(of_trigger);
            let hedge = || file.hedges.iter().find(|spec| spec.id == id).map(of_hedge);
            let retest = || file.retests.iter().find(|spec| spec.id == id).map(of_retest);
            let subject = || file.subjects.iter().find(|spec| spec.id == id).map(of_subject);
            let sign = || file.signs.iter().find(|spec| spec.id == id).map(of_sign);
            let form = || file.forms.iter().find(|spec| spec.id == id).map(of_form);
            let citation = || file.citations.iter().find(|spec| spec.id == id).map(of_citation);
            let words = cue().or_else(pitfall).or_else(trigger).or_else(hedge).or_else(retest);
            let known = || file.known_pitfalls.iter().find(|spec| spec.id == id).map(of_known);
            words.or_else(subject).or_else(sign).or_else(form).or_else(citation).or_else(known)
        })?;
        let despite = |file: &PackFile| {
            let cues = file.cues.iter().map(|spec| (&spec.id, &spec.despite));
            let pitfalls = file.pitfalls.iter().map(|spec| (&spec.id, &spec.despite));
            cues.chain(pitfalls).find(|(it, _)| *it == id).map(|(_, despite)| despite.clone())
        };
        let despite = files.clone().find_map(despite).unwrap_or_default();
        match facts.kind {
            "claim rule" => facts.unless.extend(standing(|f| &f.clauses.vetoes, &despite)),
            "pitfall rule" => {
                facts.unless.extend(standing(|f| &f.clauses.pitfall_vetoes, &despite));
            }
            _ => {}
        }
        facts.pack = format!("{}@{}", head.id, head.version);
        facts.location = self.location(id);
        Some(facts)
    }

    /// Every rule's id with the kind of rule it is and the pack it is in, in the order of
    /// [`RuleSet::ids`].
    pub fn list(&self) -> impl Iterator<Item = (&str, &'static str, &str)> {
        let merged = &self.origins.merged;
        let cues = self.cues.iter().map(|rule| (rule.id.as_str(), "claim rule"));
        let pitfalls = self.pitfalls.iter().map(|rule| (rule.id.as_str(), "pitfall rule"));
        let triggers = self.triggers.iter().map(|rule| (rule.id.as_str(), "trigger"));
        let hedges = self.hedges.iter().map(|rule| (rule.id.as_str(), "hedge"));
        let retests = self.retests.iter().map(|rule| (rule.id.as_str(), "retest rule"));
        let subjects = self.subjects.iter().map(|rule| (rule.id.as_str(), "subject"));
        let signs = self.signs.iter().map(|rule| (rule.id.as_str(), "sign"));
        let forms = self.forms.iter().map(|rule| (rule.id.as_str(), "form"));
        let citations = self.citations.iter().map(|rule| (rule.id.as_str(), "citation"));
        let all = cues.chain(pitfalls).chain(triggers).chain(hedges).chain(retests);
        let known = self.known.iter().map(|rule| (rule.id.as_str(), "known pitfall"));
        let all = all.chain(subjects).chain(signs).chain(forms).chain(citations).chain(known);
        all.map(move |(id, kind)| {
            let head = merged.rules.get(id).and_then(|origin| merged.heads.get(origin.pack));
            (id, kind, head.map_or("", |head| head.id.as_str()))
        })
    }

    /// Names of all rules and guards.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let merged = &self.origins.merged;
        merged.rules.keys().chain(merged.guards.keys()).map(String::as_str)
    }
}

macro_rules! facts {
    ($spec:expr, $kind:expr, $say:expr) => {
        Facts {
            id: $spec.id.clone(),
            kind: $kind,
            pack: String::new(),
            location: None,
            settings: Vec::new(),
            say: $say,
            unless: $spec.unless.clone(),
            must_match: $spec.must_match.clone(),
            must_not_match: $spec.must_not_match.clone(),
        }
    };
}

fn of_cue(spec: &CueSpec) -> Facts {
    let mut facts = facts!(spec, "claim rule", spec.say.clone());
    facts.set("kind", &spec.kind);
    facts.set("strength", &spec.strength);
    facts.set("beside numbers", spec.beside_numbers.as_deref().unwrap_or_default());
    facts.set("where", &spec.r#where.join(", "));
    facts
}

fn of_pitfall(spec: &PitfallSpec) -> Facts {
    let mut facts = facts!(spec, "pitfall rule", spec.say.clone());
    facts.set("needs", &spec.needs);
    facts.set("effect", spec.effect.as_deref().unwrap_or_default());
    facts.set("needed", if spec.needed { "yes" } else { "" });
    facts.set("sections", &spec.sections.join(", "));
    facts.set("where", &spec.r#where.join(", "));
    facts
}

fn of_trigger(spec: &TriggerSpec) -> Facts {
    let say = spec.re.iter().chain(&spec.say).cloned().collect();
    let mut facts = facts!(spec, "trigger", say);
    facts.set("of", &spec.of);
    facts
}

fn of_hedge(spec: &HedgeSpec) -> Facts {
    let mut facts = facts!(spec, "hedge", spec.say.clone());
    facts.set("class", &spec.class);
    facts.set("weak", if spec.weak { "yes" } else { "" });
    facts.set("whole", if spec.whole { "yes" } else { "" });
    facts
}

fn of_retest(spec: &RetestSpec) -> Facts {
    facts!(spec, "retest rule", spec.say.clone())
}

fn of_subject(spec: &SubjectSpec) -> Facts {
    let mut facts = facts!(spec, "subject", spec.say.clone());
    facts.set("value", spec.value.as_deref().unwrap_or_default());
    facts
}

fn of_sign(spec: &SignSpec) -> Facts {
    let mut facts = facts!(spec, "sign", spec.say.clone());
    facts.set("sign", &spec.sign);
    facts.set("blind_to", &spec.blind_to.join(", "));
    facts.set("resource", spec.resource.as_deref().unwrap_or_default());
    facts.set("acts_in", &spec.acts_in.join(", "));
    facts
}

fn of_form(spec: &FormSpec) -> Facts {
    let mut facts = Facts {
        id: spec.id.clone(),
        kind: "form",
        pack: String::new(),
        location: None,
        settings: Vec::new(),
        say: vec![spec.re.clone()],
        unless: Vec::new(),
        must_match: spec.must_match.clone(),
        must_not_match: spec.must_not_match.clone(),
    };
    facts.set("kind", &spec.kind);
    facts
}

fn of_known(spec: &KnownSpec) -> Facts {
    let mut facts = Facts {
        id: spec.id.clone(),
        kind: "known pitfall",
        pack: String::new(),
        location: None,
        settings: Vec::new(),
        say: Vec::new(),
        unless: Vec::new(),
        must_match: spec.must_match.clone(),
        must_not_match: spec.must_not_match.clone(),
    };
    facts.set("text", &spec.text);
    facts.set("since", &spec.since);
    facts.set("source", &spec.source);
    facts.set("triggers", &spec.triggers.join(", "));
    facts.set("effect", &spec.effect);
    facts.set("phases", &spec.phases.join(", "));
    facts.set("hardware", &spec.scope.hardware.join(" | "));
    facts.set("tool", &spec.scope.tool.join(" | "));
    facts
}

fn of_citation(spec: &CitationSpec) -> Facts {
    let mut facts = facts!(spec, "citation", spec.say.clone());
    facts.set("class", &spec.class);
    facts
}

fn of_guard(spec: &GuardSpec) -> Facts {
    let mut facts = Facts {
        id: spec.id.clone(),
        kind: "guard",
        pack: String::new(),
        location: None,
        settings: Vec::new(),
        say: Vec::new(),
        unless: Vec::new(),
        must_match: Vec::new(),
        must_not_match: Vec::new(),
    };
    let lists = [
        ("before", &spec.before),
        ("after", &spec.after),
        ("clause_starts", &spec.clause_starts),
        ("sentence_starts", &spec.sentence_starts),
        ("clause_has", &spec.clause_has),
        ("sentence_has", &spec.sentence_has),
        ("sentence_ends", &spec.sentence_ends),
        ("except", &spec.except),
    ];
    for (key, words) in lists {
        facts.set(key, &words.iter().cloned().collect::<Vec<_>>().join(" | "));
    }
    for (key, within) in
        [("before_within", &spec.before_within), ("after_within", &spec.after_within)]
    {
        if let Some(within) = within {
            let words = within.of.iter().cloned().collect::<Vec<_>>().join(" | ");
            facts.set(key, &format!("{} tokens: {words}", within.tokens));
        }
    }
    facts.set("prev_text", &spec.prev_text.join(" | "));
    facts.set("next_text", &spec.next_text.join(" | "));
    facts
}

impl Facts {
    fn set(&mut self, key: &'static str, value: &str) {
        if !value.is_empty() {
            self.settings.push((key, value.to_owned()));
        }
    }
}
