//! Rule packs as checked: patterns compiled, names resolved, lists joined.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use super::finder::{Finder, Matcher, Refusal, Slices};
use super::form::{CitationClass, CitationRule, Form, Pins};
use super::known::KnownRule;
use super::lexicon;
use super::pattern::{self, HAN, Lexicons, TOKEN};
use super::relevance::{Negation, Weights};
use super::schema::{CueSpec, GuardSpec, PackFile, PackHead, Words};
use super::sign;
use super::{
    Class, Cue, Dimension, EffectRule, EffectWord, Error, Files, Guard, HedgeRule, Kind, Kinds,
    LabelRule, Mark, Metric, Naming, Needs, PackInfo, PhaseRule, PitfallRule, Place, Proof,
    RetestRule, Role, RuleSet, SectionRule, Side, Strength, SubjectRule, Tables, TriggerRule, Unit,
    Units,
};

/// When expressions are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compile {
    /// At once, so that what is wrong is said: files of users.
    Now,
    /// Each when a text first needs it: files that a test has checked.
    WhenNeeded,
}

/// A set of words of all packs in lower case.
fn lower<S: FromIterator<String>>(
    files: &[(String, PackFile)],
    of: impl Fn(&PackFile) -> &Words,
) -> S {
    files.iter().flat_map(|(_, file)| of(file).iter()).map(|word| word.to_lowercase()).collect()
}

/// Compiles pack files, in order, to one rule set.
pub(super) fn rule_set(files: &[(String, PackFile)], when: Compile) -> Result<RuleSet, Error> {
    let lexicons = lexicons(files)?;
    let units = units(files)?;
    let lexicons = with_number_forms(lexicons, files, &units);
    let (names, words): (Vec<String>, Vec<String>) = lexicons.into_iter().unzip();
    let stand_ins = names.into_iter().enumerate().map(|(at, name)| (name, lexicon::stand_in(at)));
    let build =
        Build { lexicons: stand_ins.collect(), when, finder: RefCell::new(Finder::new(words)) };

    let guards = build.guards(files)?;
    let guard_index: HashMap<&str, usize> =
        guards.iter().enumerate().map(|(at, guard)| (guard.id.as_str(), at)).collect();
    let names = Names { guards: &guard_index };

    let standing = names.all("clauses", files.iter().flat_map(|(_, f)| &f.clauses.vetoes))?;
    let pitfall_standing =
        names.all("clauses", files.iter().flat_map(|(_, f)| &f.clauses.pitfall_vetoes))?;

    let mut rules = RuleSet {
        digest: [0; 32],
        packs: packs(files),
        files: build.files(files)?,
        cues: Vec::new(),
        pitfalls: Vec::new(),
        triggers: Vec::new(),
        hedges: Vec::new(),
        retests: Vec::new(),
        signs: Vec::new(),
        arithmetic: sign::vocabulary(files),
        effects: Vec::new(),
        phases: Vec::new(),
        subjects: Vec::new(),
        sections: Vec::new(),
        labels: Vec::new(),
        tables: build.tables(files)?,
        clause_breaks: build
            .any("clauses", files.iter().flat_map(|(_, f)| f.clauses.breaks.iter()))?,
        abbreviations: files.iter().flat_map(|(_, f)| f.clauses.abbreviations.clone()).collect(),
        stop_words: lower(files, |file| &file.clauses.stop_words),
        pronouns: lower(files, |file| &file.clauses.pronouns),
        verbs: lower(files, |file| &file.clauses.verbs),
        joins: lower(files, |file| &file.clauses.joins),
        number_words: files.iter().flat_map(|(_, f)| f.numbers.words.clone()).collect(),
        suffixes: files.iter().flat_map(|(_, f)| f.numbers.suffixes.clone()).collect(),
        metrics: Vec::new(),
        weights: Weights::new(&files.iter().map(|(_, file)| &file.relevance).collect::<Vec<_>>())?,
        negation: Negation::new(files.iter().map(|(_, file)| &file.negation)),
        known: Vec::new(),
        forms: Vec::new(),
        citations: Vec::new(),
        pins: Pins::new(
            files.iter().map(|(_, file)| &file.pins),
            build.globs(files, |file| &file.pins.files)?,
        ),
        units: Units::new(units),
        guards: Vec::new(),
        kinds: Kinds::default(),
        finder: Finder::default(),
        origins: super::load::Origins::default(),
    };
    for (_, file) in files {
        for spec in &file.cues {
            let regex = build.rule(&spec.id, &spec.say)?;
            rules.cues.push(Cue {
                id: spec.id.clone(),
                kind: parse_kind(&spec.id, &spec.kind)?,
                strength: parse_strength(&spec.id, &spec.strength)?,
                yields: parse_yields(spec)?,
                regex,
                unless: names.with_standing(&spec.id, &spec.unless, &standing, &spec.despite)?,
                places: parse_places(&spec.id, &spec.r#where)?,
                proof: Proof::new(&spec.must_match, &spec.must_not_match),
            });
        }
        for spec in &file.pitfalls {
            let regex = build.rule(&spec.id, &spec.say)?;
            let trigger = spec.trigger.as_deref().map(|t| parse_side(&spec.id, t)).transpose()?;
            rules.pitfalls.push(PitfallRule {
                id: spec.id.clone(),
                needs: parse_needs(&spec.id, &spec.needs)?,
                regex,
                effect: spec.effect.as_deref().map(|e| parse_effect(&spec.id, e)).transpose()?,
                needed: spec.needed || trigger == Some(Side::Missing),
                trigger,
                unless: names.with_standing(
                    &spec.id,
                    &spec.unless,
                    &pitfall_standing,
                    &spec.despite,
                )?,
                roles: spec
                    .sections
                    .iter()
                    .map(|r| parse_role(&spec.id, r))
                    .collect::<Result<_, _>>()?,
                places: parse_places(&spec.id, &spec.r#where)?,
                proof: Proof::new(&spec.must_match, &spec.must_not_match),
            });
        }
        for spec in &file.triggers {
            let of = match spec.of.as_str() {
                "code" => Naming::Code,
                "prose" => Naming::Prose,
                "title" if spec.never => Naming::Title,
                _ => return Err(unknown(&spec.id, "of", &spec.of, &["code", "prose", "title"])),
            };
            let regex = match &spec.re {
                Some(source) => build.raw(&spec.id, source)?,
                None => build.of_any_slice(&spec.id, &spec.say)?,
            };
            rules.triggers.push(TriggerRule {
                id: spec.id.clone(),
                of,
                regex,
                never: spec.never,
                unless: names.all(&spec.id, &spec.unless)?,
                proof: Proof::new(&spec.must_match, &spec.must_not_match),
            });
        }
        for spec in &file.hedges {
            rules.hedges.push(HedgeRule {
                id: spec.id.clone(),
                class: parse_class(&spec.id, &spec.class)?,
                weak: spec.weak,
                whole: spec.whole,
                regex: build.rule(&spec.id, &spec.say)?,
                unless: names.all(&spec.id, &spec.unless)?,
                proof: Proof::new(&spec.must_match, &spec.must_not_match),
            });
        }
        for spec in &file.retests {
            rules.retests.push(RetestRule {
                id: spec.id.clone(),
                regex: build.rule(&spec.id, &spec.say)?,
                unless: names.all(&spec.id, &spec.unless)?,
                messages_only: spec.messages_only,
                proof: Proof::new(&spec.must_match, &spec.must_not_match),
            });
        }
        for spec in &file.signs {
            let regex = build.rule(&spec.id, &spec.say)?;
            rules.signs.push(sign::rule(spec, regex, names.all(&spec.id, &spec.unless)?)?);
        }
        for spec in &file.effects {
            rules.effects.push(EffectRule {
                effect: parse_effect("effects", &spec.effect)?,
                regex: build.rule("effects", &spec.say)?,
                unless: names.all("effects", &spec.unless)?,
            });
        }
        for spec in &file.metrics {
            let regex = build.rule("metrics", &spec.say)?;
            rules
                .metrics
                .push(Metric { dimension: parse_dimension("metrics", &spec.dimension)?, regex });
        }
        for spec in &file.phases {
            rules
                .phases
                .push(PhaseRule { id: spec.id.clone(), regex: build.rule(&spec.id, &spec.say)? });
        }
        for spec in &file.subjects {
            rules.subjects.push(SubjectRule {
                id: spec.id.clone(),
                value: spec.value.clone(),
                regex: build.rule(&spec.id, &spec.say)?,
                unless: names.all(&spec.id, &spec.unless)?,
                proof: Proof::new(&spec.must_match, &spec.must_not_match),
            });
        }
        for spec in &file.forms {
            rules.forms.push(Form::new(spec, when == Compile::Now)?);
        }
        for spec in &file.known_pitfalls {
            let scope: Result<Vec<Matcher>, Error> =
                spec.parts().map(|part| build.any(&spec.id, part)).collect();
            rules.known.push(KnownRule {
                id: spec.id.clone(),
                since: spec.since()?,
                effect: parse_effect(&spec.id, &spec.effect)?,
                scope: scope?,
                proof: Proof::new(&spec.must_match, &spec.must_not_match),
                spec: spec.clone(),
            });
        }
        for spec in &file.citations {
            rules.citations.push(CitationRule {
                id: spec.id.clone(),
                class: CitationClass::parse(&spec.id, &spec.class)?,
                regex: build.rule(&spec.id, &spec.say)?,
                unless: names.all(&spec.id, &spec.unless)?,
                proof: Proof::new(&spec.must_match, &spec.must_not_match),
            });
        }
        for spec in &file.sections {
            let role = parse_role("sections", &spec.role)?;
            rules.sections.push(SectionRule {
                role,
                titles: spec.titles.iter().map(|title| title.to_lowercase()).collect(),
                say: (!spec.say.is_empty())
                    .then(|| build.any("sections", spec.say.iter()))
                    .transpose()?,
                symptoms: spec.symptoms,
            });
            if !spec.labels.is_empty() {
                // A gap or a lexicon may hold anything.
                let plain = |label: &String| !label.contains([':', '{']) && !label.contains("..");
                rules.labels.push(LabelRule {
                    role,
                    regex: build.label(&spec.labels)?,
                    ends_at_colon: spec.labels.iter().all(plain),
                });
            }
        }
    }
    rules.guards = guards;
    rules.kinds = Kinds {
        cues: rules.cues.iter().map(|rule| &rule.regex).collect(),
        pitfalls: rules.pitfalls.iter().map(|rule| &rule.regex).collect(),
        retests: rules.retests.iter().map(|rule| &rule.regex).collect(),
        signs: rules.signs.iter().map(|rule| &rule.regex).collect(),
        subjects: rules.subjects.iter().map(|rule| &rule.regex).collect(),
    };
    rules.finder = build.finder.into_inner();
    Ok(rules)
}

/// Patterns on their way to be expressions.
struct Build {
    /// Stand-ins for names in braces.
    lexicons: Lexicons,
    when: Compile,
    finder: RefCell<Finder>,
}

impl Build {
    fn rule(&self, id: &str, say: &[String]) -> Result<Matcher, Error> {
        let parts = pattern::each(say, &self.lexicons)
            .map_err(|problem| Error::Pattern { rule: id.to_owned(), problem })?;
        let whole = format!("(?i){}", parts.join("|"));
        let parts: Vec<String> = parts.iter().map(|part| format!("(?i){part}")).collect();
        let matcher = self.finder.borrow_mut().add_alternatives(whole, &parts, Slices::Clauses);
        self.checked(id, matcher)
    }

    fn of_any_slice(&self, id: &str, say: &[String]) -> Result<Matcher, Error> {
        self.matcher(id, format!("(?i){}", self.source(id, say)?), Slices::Any)
    }

    fn any<'a>(
        &self,
        id: &str,
        words: impl IntoIterator<Item = &'a String>,
    ) -> Result<Matcher, Error> {
        let source = self.source(id, words)?;
        // Nothing to look for must match nothing, while an empty expression matches everywhere.
        self.compile(id, if source.is_empty() { r"[^\s\S]" } else { &source })
    }

    fn source<'a>(
        &self,
        id: &str,
        say: impl IntoIterator<Item = &'a String>,
    ) -> Result<String, Error> {
        pattern::alternatives(say, &self.lexicons)
            .map_err(|problem| Error::Pattern { rule: id.to_owned(), problem })
    }

    fn raw(&self, id: &str, source: &str) -> Result<Matcher, Error> {
        self.matcher(id, source.to_owned(), Slices::Any)
    }

    fn label(&self, words: &Words) -> Result<Matcher, Error> {
        let source = self.source("sections", words.iter())?;
        self.compile("sections", &format!(r"^[^\p{{L}}\p{{N}}]*(?:{source})[^:.]{{0,60}}:"))
    }

    /// A whole cell or header made of one of these words.
    fn whole<'a>(&self, words: impl IntoIterator<Item = &'a Words>) -> Result<Matcher, Error> {
        let source = self.source("tables", words.into_iter().flat_map(Words::iter))?;
        self.compile(
            "tables",
            &if source.is_empty() { r"[^\s\S]".to_owned() } else { format!("^(?:{source})$") },
        )
    }

    fn compile(&self, id: &str, source: &str) -> Result<Matcher, Error> {
        self.matcher(id, format!("(?i){source}"), Slices::Clauses)
    }

    fn matcher(&self, id: &str, source: String, slices: Slices) -> Result<Matcher, Error> {
        let matcher = self.finder.borrow_mut().add(source, slices);
        self.checked(id, matcher)
    }

    fn checked(&self, id: &str, matcher: Matcher) -> Result<Matcher, Error> {
        if self.when == Compile::Now {
            matcher.check().map_err(|refusal| match refusal {
                Refusal::Engine(message) => Error::Regex { rule: id.to_owned(), message },
                Refusal::Empty => {
                    Error::Pattern { rule: id.to_owned(), problem: pattern::PatternError::Empty }
                }
            })?;
        }
        Ok(matcher)
    }

    fn guards(&self, files: &[(String, PackFile)]) -> Result<Vec<Guard>, Error> {
        files.iter().flat_map(|(_, file)| &file.guards).map(|spec| self.guard(spec)).collect()
    }

    fn guard(&self, spec: &GuardSpec) -> Result<Guard, Error> {
        let id = &spec.id;
        let made = |words: &Words, wrap: &dyn Fn(String) -> String| {
            if words.is_empty() {
                return Ok(None);
            }
            let source = wrap(self.source(id, words.iter())?);
            self.compile(id, &source).map(Some)
        };
        let mut before = Vec::new();
        let mut after = Vec::new();
        before.extend(made(&spec.before, &|s| format!("(?:{s}) ?$"))?);
        after.extend(made(&spec.after, &|s| format!("^ ?(?:{s})"))?);
        if let Some(within) = &spec.before_within {
            let n = within.tokens.saturating_sub(1);
            let wrap = |s| format!("(?:{s})(?: ?{TOKEN}){{0,{n}}} ?$");
            before.extend(made(&within.of, &wrap)?);
        }
        if let Some(within) = &spec.after_within {
            let n = within.tokens.saturating_sub(1);
            let wrap = |s| format!("^(?: ?{TOKEN}){{0,{n}}} ?(?:{s})");
            after.extend(made(&within.of, &wrap)?);
        }
        let starts = |s: String| format!(r"^[^\p{{L}}\p{{N}}`]*(?:{s})");
        Ok(Guard {
            id: id.clone(),
            before,
            after,
            clause_starts: made(&spec.clause_starts, &starts)?,
            sentence_starts: made(&spec.sentence_starts, &starts)?,
            clause_has: made(&spec.clause_has, &|s| s)?,
            sentence_has: made(&spec.sentence_has, &|s| s)?,
            sentence_ends: made(&spec.sentence_ends, &|s| format!("(?:{s})[ \"')*]*$"))?,
            prev_text: spec.prev_text.clone(),
            next_text: spec.next_text.clone(),
            except: made(&spec.except, &|s| s)?,
            in_quotes: spec.in_quotes,
        })
    }

    fn globs(
        &self,
        files: &[(String, PackFile)],
        pick: fn(&PackFile) -> &Vec<String>,
    ) -> Result<GlobSet, Error> {
        let mut builder = GlobSetBuilder::new();
        for pattern in files.iter().flat_map(|(_, file)| pick(file)) {
            builder.add(glob(pattern)?);
        }
        builder.build().map_err(|e| Error::Glob { glob: String::new(), message: e.to_string() })
    }

    fn files(&self, files: &[(String, PackFile)]) -> Result<Files, Error> {
        Ok(Files {
            include: self.globs(files, |f| &f.documents.include)?,
            exclude: self.globs(files, |f| &f.documents.exclude)?,
            settings: self.globs(files, |f| &f.documents.settings)?,
            skip_folders: files
                .iter()
                .flat_map(|(_, f)| f.documents.skip_folders.clone())
                .collect(),
        })
    }

    fn tables(&self, files: &[(String, PackFile)]) -> Result<Tables, Error> {
        let all = || files.iter().map(|(_, file)| &file.tables);
        let mut marks = Vec::new();
        for (mark, meaning) in all().flat_map(|t| &t.marks) {
            let meaning = match meaning.as_str() {
                "failure" => Mark::Failure,
                "success" => Mark::Success,
                "none" => Mark::None,
                "untested" => Mark::Untested,
                _ => {
                    return Err(unknown(
                        "tables.marks",
                        mark,
                        meaning,
                        &["failure", "success", "none", "untested"],
                    ));
                }
            };
            marks.push((mark.clone(), meaning));
        }
        // The longest mark first, so that "pass, scoped" is not read as "pass".
        marks.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.0.cmp(&b.0)));
        let lower = |(mark, meaning): (String, Mark)| (mark.to_lowercase(), meaning);
        let marks = marks.into_iter().map(lower).collect();
        Ok(Tables {
            outcome: self.whole(all().map(|t| &t.outcome_headers))?,
            metric: self.any("tables", all().flat_map(|t| t.metric_headers.iter()))?,
            condition: self.whole(all().map(|t| &t.condition_headers))?,
            other: self.whole(all().map(|t| &t.other_headers))?,
            success: self.whole(all().map(|t| &t.success_headers))?,
            note: self.whole(all().map(|t| &t.note_headers))?,
            pitfall: self.whole(all().map(|t| &t.pitfall_headers))?,
            remedy: self.whole(all().map(|t| &t.remedy_headers))?,
            setting: self.whole(all().map(|t| &t.setting_headers))?,
            property: self.any("tables", all().flat_map(|t| t.property_words.iter()))?,
            trial: self.any("tables", all().flat_map(|t| t.trial_words.iter()))?,
            empty: all().flat_map(|t| t.empty.iter()).map(|word| word.to_lowercase()).collect(),
            marks,
        })
    }
}

/// Names of guards, looked up once.
struct Names<'a> {
    guards: &'a HashMap<&'a str, usize>,
}

impl Names<'_> {
    fn all<'b>(
        &self,
        rule: &str,
        names: impl IntoIterator<Item = &'b String>,
    ) -> Result<Vec<usize>, Error> {
        names
            .into_iter()
            .map(|name| {
                self.guards.get(name.as_str()).copied().ok_or_else(|| Error::NoGuard {
                    rule: rule.to_owned(),
                    guard: name.clone(),
                    nearest: None,
                })
            })
            .collect()
    }

    fn with_standing(
        &self,
        rule: &str,
        unless: &[String],
        standing: &[usize],
        despite: &[String],
    ) -> Result<Vec<usize>, Error> {
        let despite = self.all(rule, despite)?;
        let mut all = self.all(rule, unless)?;
        all.extend(standing.iter().filter(|guard| !despite.contains(guard)));
        Ok(all)
    }
}

fn packs(files: &[(String, PackFile)]) -> Vec<PackInfo> {
    files
        .iter()
        .filter_map(|(_, file)| file.pack.as_ref())
        .map(|PackHead { id, version, title, .. }| PackInfo {
            id: id.clone(),
            version: *version,
            title: title.clone(),
        })
        .collect()
}

/// Lexicons may use lexicons: each is translated when all that it names are.
fn lexicons(files: &[(String, PackFile)]) -> Result<Lexicons, Error> {
    let mut waiting: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for (name, words) in files.iter().flat_map(|(_, file)| &file.lexicons) {
        waiting.entry(name).or_default().extend(words.iter());
    }
    let mut done = number_forms(&[], "[0-9]");
    let forms: Vec<String> = done.keys().cloned().collect();
    while !waiting.is_empty() {
        let before = waiting.len();
        let mut problem = None;
        waiting.retain(|name, words| match pattern::alternatives(words.iter().copied(), &done) {
            Ok(source) => {
                done.insert((*name).to_owned(), source);
                false
            }
            Err(found) => {
                problem = Some(Error::Pattern { rule: (*name).to_owned(), problem: found });
                true
            }
        });
        if waiting.len() == before {
            return Err(problem.unwrap_or(Error::NoPack));
        }
    }
    done.retain(|name, _| !forms.contains(name));
    Ok(done)
}

fn with_number_forms(
    mut lexicons: Lexicons,
    files: &[(String, PackFile)],
    units: &[Unit],
) -> Lexicons {
    let mut words: Vec<&String> =
        files.iter().flat_map(|(_, file)| file.numbers.words.keys()).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let count = words
        .iter()
        .map(
            |word| {
                if word.is_ascii() { format!(r"(?-u:\b){word}(?-u:\b)") } else { (*word).clone() }
            },
        )
        .chain([r"(?-u:\b)[0-9]{1,5}".to_owned()])
        .collect::<Vec<_>>()
        .join("|");
    lexicons.extend(number_forms(units, &count));
    lexicons
}

/// The number forms that patterns name in braces.
fn number_forms(units: &[Unit], count: &str) -> Lexicons {
    let digits =
        r"(?-u:\b)(?:[0-9]{1,3}(?:[, _][0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?";
    let number =
        format!(r"[~≈<>≥≤+±-]{{0,2}} ?(?:{digits}|\.[0-9]+)(?: ?[kKMB](?-u:\b)| ?[千万亿])?");
    let spelled = |wanted: &dyn Fn(&Unit) -> bool| {
        let mut spellings: Vec<&str> = units
            .iter()
            .filter(|u| wanted(u))
            .flat_map(|u| u.spellings.iter().map(String::as_str))
            // `30B` is the size of a model.
            .filter(|spelling| *spelling != "B")
            .collect();
        spellings.sort_by_key(|s| std::cmp::Reverse(s.len()));
        let parts: Vec<String> = spellings.iter().map(|s| border(s)).collect();
        if parts.is_empty() { r"[^\s\S]".to_owned() } else { format!("(?-i:{})", parts.join("|")) }
    };
    let any = spelled(&|_| true);
    let measured = spelled(&|u| u.measured);
    let range = format!(r"{number}(?: ?(?:-|/|to|~) ?{number})*");
    Lexicons::from([
        ("number".to_owned(), number.clone()),
        ("count".to_owned(), count.to_owned()),
        (
            "decimal".to_owned(),
            r"(?:(?-u:\b)[0-9]+|[ =(~])\.[0-9]+(?:[eE][+-]?[0-9]+)?(?-u:\b)".to_owned(),
        ),
        ("quantity".to_owned(), format!(r"{range}\+?(?: ?± ?{number})? ?(?:{any})")),
        ("measured".to_owned(), format!(r"{range}\+?(?: ?± ?{number})?[*` ]*(?:{measured})")),
        ("plusminus".to_owned(), format!(r"{number} ?± ?{number}")),
        ("change".to_owned(), format!(r"(?:^|[ (*~:,])[+-](?:{digits}) ?(?:%|{any})")),
        ("arrow".to_owned(), format!(r"{number}(?: ?(?:{any}))?[*` ]*(?:→|->|=>)[*` ]*{number}")),
        (
            "versus".to_owned(),
            format!(
                r"{number}(?: ?(?:{any}))?(?: [a-z]+)? ?(?:vs\.?|versus|against|对比|对) ?{number}"
            ),
        ),
        ("percent".to_owned(), format!(r"{range} ?%")),
        (
            "times".to_owned(),
            r"(?-u:\b)[0-9]+(?:\.[0-9]+)? ?(?:x(?-u:\b)|×(?:[^0-9]|$)|倍|-?fold)".to_owned(),
        ),
        ("fraction".to_owned(), r"(?-u:\b)[0-9]{1,6} ?(?:/|of) ?[0-9]{1,6}(?-u:\b)".to_owned()),
        ("pvalue".to_owned(), r"(?-u:\b)[pP] ?[=<≈] ?(?:0?\.[0-9]+(?:[eE][-−][0-9]+)?|[0-9](?:\.[0-9]+)?[eE][-−][0-9]+|[01](?:\.0+)?(?-u:\b))".to_owned()),
        // Plain text has no code spans: an assignment or a long flag is code as it stands.
        (
            "code".to_owned(),
            "(?:`[^`]*`|(?-u:\\b)[A-Z][A-Z0-9_]{2,}=[A-Za-z0-9_.:/+-]*[A-Za-z0-9]|--[a-z][a-z0-9-]+)"
                .to_owned(),
        ),
        ("word".to_owned(), format!("[^ .,;:{HAN}][^ {HAN}]*")),
        // A word that is no code, so that the code behind it is the first one.
        ("plain".to_owned(), format!("[A-Za-z0-9(\"'-][^ `{HAN}]*")),
        ("date".to_owned(), r"(?-u:\b)20[0-9]{2}-[01][0-9]".to_owned()),
        ("han".to_owned(), format!("[{HAN}]")),
        ("day".to_owned(), r"(?-u:\b)20[0-9]{2}-[01][0-9]-[0-3][0-9](?-u:\b)".to_owned()),
        ("release".to_owned(), r"(?-u:\b)v?[0-9]+(?:\.[0-9]+){1,3}(?:[-.]?[a-z]+[.0-9]*)?(?-u:\b)".to_owned()),
        ("issue".to_owned(), r"#[0-9]+(?-u:\b)".to_owned()),
        ("sha".to_owned(), r"(?-u:\b)[0-9a-f]{7,40}(?-u:\b)".to_owned()),
    ])
}

/// A unit's spelling with a border where it ends in a letter.
fn border(spelling: &str) -> String {
    let escaped = regex::escape(spelling);
    if spelling.ends_with(|c: char| c.is_ascii_alphanumeric()) {
        format!(r"{escaped}(?-u:\b)")
    } else {
        escaped
    }
}

fn units(files: &[(String, PackFile)]) -> Result<Vec<Unit>, Error> {
    files
        .iter()
        .flat_map(|(_, file)| &file.units)
        .map(|spec| {
            let spellings = std::iter::once(&spec.base).chain(&spec.also).cloned().collect();
            let dimension = parse_dimension(&spec.base, &spec.dimension)?;
            Ok(Unit { base: spec.base.clone(), spellings, dimension, measured: spec.measured })
        })
        .collect()
}

/// A glob for kinds of files: `README.MD` is as much a document as `README.md`.
fn glob(pattern: &str) -> Result<Glob, Error> {
    let broken =
        |e: globset::Error| Error::Glob { glob: pattern.to_owned(), message: e.to_string() };
    GlobBuilder::new(pattern).case_insensitive(true).build().map_err(broken)
}

pub(super) fn unknown(rule: &str, key: &str, value: &str, known: &[&'static str]) -> Error {
    Error::Value {
        rule: rule.to_owned(),
        key: key.to_owned(),
        value: value.to_owned(),
        known: known.join(", "),
    }
}

pub(super) fn parse_kind(rule: &str, value: &str) -> Result<Kind, Error> {
    match value {
        "failure" => Ok(Kind::Failure),
        "success" => Ok(Kind::Success),
        "measurement" => Ok(Kind::Measurement),
        _ => Err(unknown(rule, "kind", value, &["failure", "success", "measurement"])),
    }
}

fn parse_strength(rule: &str, value: &str) -> Result<Strength, Error> {
    match value {
        "alone" => Ok(Strength::Alone),
        "subject" => Ok(Strength::Subject),
        "context" => Ok(Strength::Context),
        _ => Err(unknown(rule, "strength", value, &["alone", "subject", "context"])),
    }
}

fn parse_needs(rule: &str, value: &str) -> Result<Needs, Error> {
    match value {
        "trigger" => Ok(Needs::Trigger),
        "effect" => Ok(Needs::Effect),
        "both" => Ok(Needs::Both),
        "nothing" => Ok(Needs::Nothing),
        _ => Err(unknown(rule, "needs", value, &["trigger", "effect", "both", "nothing"])),
    }
}

fn parse_effect(rule: &str, value: &str) -> Result<EffectWord, Error> {
    match value {
        "crash" => Ok(EffectWord::Crash),
        "perf" => Ok(EffectWord::Perf),
        "wrong" => Ok(EffectWord::Wrong),
        "measure" => Ok(EffectWord::Measure),
        _ => Err(unknown(rule, "effect", value, &["crash", "perf", "wrong", "measure"])),
    }
}

fn parse_dimension(rule: &str, value: &str) -> Result<Dimension, Error> {
    match value {
        "rate" => Ok(Dimension::Rate),
        "time" => Ok(Dimension::Time),
        "size" => Ok(Dimension::Size),
        "ratio" => Ok(Dimension::Ratio),
        "quality" => Ok(Dimension::Quality),
        "cost" => Ok(Dimension::Cost),
        "other" => Ok(Dimension::Other),
        _ => Err(unknown(
            rule,
            "dimension",
            value,
            &["rate", "time", "size", "ratio", "quality", "cost", "other"],
        )),
    }
}

/// Whether numbers beside a cue are the point of the sentence.
fn parse_yields(spec: &CueSpec) -> Result<bool, Error> {
    match spec.beside_numbers.as_deref() {
        None => Ok(spec.kind == "success"),
        Some("numbers") => Ok(true),
        Some("words") => Ok(false),
        Some(other) => Err(unknown(&spec.id, "beside_numbers", other, &["words", "numbers"])),
    }
}

fn parse_class(rule: &str, value: &str) -> Result<Class, Error> {
    match value {
        "second-hand" => Ok(Class::SecondHand),
        "estimate" => Ok(Class::Estimate),
        "untested" => Ok(Class::Untested),
        "withdrawn" => Ok(Class::Withdrawn),
        "local" => Ok(Class::Local),
        "anchor" => Ok(Class::Anchor),
        "trial" => Ok(Class::Trial),
        "record" => Ok(Class::Record),
        "guide" => Ok(Class::Guide),
        "counted" => Ok(Class::Counted),
        "cause" => Ok(Class::Cause),
        _ => {
            let known = [
                "second-hand",
                "estimate",
                "untested",
                "withdrawn",
                "local",
                "anchor",
                "trial",
                "record",
                "guide",
                "counted",
                "cause",
            ];
            Err(unknown(rule, "class", value, &known))
        }
    }
}

fn parse_side(rule: &str, value: &str) -> Result<Side, Error> {
    match value {
        "before" => Ok(Side::Before),
        "after" => Ok(Side::After),
        "end" => Ok(Side::End),
        "last" => Ok(Side::Last),
        "within" => Ok(Side::Within),
        "missing" => Ok(Side::Missing),
        _ => {
            let known = ["before", "after", "end", "last", "within", "missing"];
            Err(unknown(rule, "trigger", value, &known))
        }
    }
}

fn parse_places(rule: &str, places: &[String]) -> Result<Vec<Place>, Error> {
    places
        .iter()
        .map(|place| match place.as_str() {
            "prose" => Ok(Place::Prose),
            "item" => Ok(Place::Item),
            "cell" => Ok(Place::Cell),
            "heading" => Ok(Place::Heading),
            "section" => Ok(Place::Section),
            _ => {
                Err(unknown(rule, "where", place, &["prose", "item", "cell", "heading", "section"]))
            }
        })
        .collect()
}

fn parse_role(rule: &str, value: &str) -> Result<Role, Error> {
    Role::ALL
        .iter()
        .find(|(name, _)| *name == value)
        .map(|(_, role)| *role)
        .ok_or_else(|| unknown(rule, "role", value, &Role::ALL.map(|(name, _)| name)))
}
