//! Headings: what they state themselves, and the sections that are one pitfall as a whole.

use std::cell::LazyCell;

use super::basis;
use super::claim::{self, Setting};
use super::frame;
use super::genre::Genre;
use super::matching::Sentence;
use super::pitfall::{self, Entry};
use super::reading::Reading;
use super::{Effect, Intro, Pitfall, Reader, trigger};
use crate::documents::{BlockKind, Lines};
use crate::rules::{Place, Role};

/// Blocks above which a section tells more than one thing.
const SECTION_BLOCKS: usize = 8;

impl Reader<'_> {
    /// Reads a heading, and its section where that is one pitfall.
    pub(super) fn heading(&mut self, index: usize, section: usize) {
        self.intro = Intro::default();
        let (Some(frame), Some(place)) =
            (self.frames.get(section), self.document.sections.get(section))
        else {
            return;
        };
        let trace = self.tracer(self.document.blocks[index].lines);
        trace.note("role", || {
            let role = frame.role.map_or("none", Role::name);
            let own = if frame.own { ", set by this title" } else { ", from around it" };
            format!("{role}{}", if frame.role.is_some() { own } else { "" })
        });
        if frame.is_title || frame.title.norm.trim().is_empty() {
            trace.note("decision", || "a known title says nothing itself".to_owned());
            return;
        }
        let parent = place.parent.and_then(|parent| self.frames.get(parent));
        let around = parent.and_then(|frame| frame.role);
        let is_symptom = parent.is_some_and(|frame| frame.symptoms);
        let path = &frame.path[..frame.path.len().saturating_sub(1)];
        let sentences =
            [Sentence::after(&frame.title, frame::numbering(&frame.title.norm), self.rules)];
        let reading = &self.readings[index];
        let setting = Setting {
            place: Place::Heading,
            role: around,
            genre: self.explains,
            path,
            labelled: false,
            trials_only: false,
            before_code: false,
            failed: false,
            trace,
        };
        let body = self.body_of(index);
        // Most titles say nothing for which anybody has to look at what follows.
        let shown = LazyCell::new(|| self.settings_in(body.clone()));
        let body_readings = LazyCell::new(|| {
            let texts = body.clone().map(|at| &self.readings[at]);
            texts.chain(shown.iter()).collect::<Vec<&Reading>>()
        });
        let lines = Lines {
            start: place.lines.start,
            end: body
                .clone()
                .last()
                .map_or(place.lines.end, |at| self.document.blocks[at].lines.end),
        };
        let troubled = self.tells_trouble(reading, &[]);
        let names_pitfalls =
            frame.own && matches!(frame.role, Some(Role::Pitfalls | Role::Measuring));
        let is_task = pitfall::is_task(self.rules, reading, &sentences[0]);
        // "Not recommended" heads names; "Errors and diagnostics" names nothing.
        let names_thing = || !claim::identifiers(reading, &(0..reading.norm.len())).is_empty();
        let names =
            |text: &Reading| !trigger::named(self.rules, text, &(0..text.norm.len())).is_empty();
        let expected = match around {
            // "Troubleshooting: slow start (`--x`)" heads a section and tells the trouble too.
            _ if names_pitfalls => troubled && self.is_labelled(reading),
            _ if frame.own || body.is_empty() || is_task => false,
            Some(Role::Measuring) => true,
            // A symptom that names nothing is what readers may have, whatever the cause.
            Some(Role::Pitfalls) if is_symptom && !names_thing() => {
                troubled && body_readings.iter().any(|text| names(text))
            }
            Some(Role::Pitfalls) => {
                troubled || names_thing() && self.prose_tells_trouble(body.clone())
            }
            _ => false,
        };
        let told = || sentences[0].may_any(&self.rules.kinds.pitfalls);
        let of_title = || {
            let entry = Entry {
                reading,
                sentences: &sentences,
                context: &body_readings,
                troubles: &[],
                title: Some(reading),
                lines: Some(lines),
                expected,
            };
            pitfall::of_entry(self.rules, &entry, setting)
        };
        // A title such as "Pitfalls that bit us" names what follows and is none itself.
        let found = (expected || !names_pitfalls)
            .then(|| {
                (expected || told()).then(of_title).flatten().or_else(|| {
                    // A guide explains troubles that nobody here had.
                    let told_here =
                        self.explains == Genre::Open || frame.role == Some(Role::Pitfalls);
                    let tells_one =
                        troubled && !is_task && told_here && body.len() <= SECTION_BLOCKS;
                    // Where somebody asks, a section that does not come into question is still tried.
                    let read = tells_one || trace.is_on();
                    read.then(|| self.section_pitfall(reading, &body_readings, lines, path))
                        .flatten()
                        .filter(|_| tells_one)
                })
            })
            .flatten();
        // A title that sets another frame than results names what follows and says nothing itself.
        let names_frame = frame.own && frame.role != Some(Role::Results);
        if is_symptom {
            let why = "it names a trouble that readers may have, so it makes no claim";
            trace.note("decision", || why.to_owned());
        }
        if names_frame {
            trace.note("decision", || "it names what follows, so it makes no claim".to_owned());
        }
        let claim = claim::of_sentence(self.rules, reading, &sentences[0], setting)
            .filter(|_| !names_frame && !is_symptom);
        if let Some(mut found) = found {
            if found.effect == Effect::Unknown {
                found.effect = self.effect_in(&body_readings, around);
            }
            self.section_triggers.clone_from(&found.triggers);
            self.out.pitfalls.push(found);
            self.section_entry = Some(section);
        }
        let mut claims: Vec<_> = claim.map(|claim| (0, claim)).into_iter().collect();
        let title = &frame.title;
        let signs = basis::ground(self.rules, title, &sentences, &mut claims, path);
        self.out.signs.extend(signs);
        self.out.claims.extend(claims.into_iter().map(|(_, claim)| claim));
    }

    /// The pitfall that a short section tells as a whole: what goes wrong, and the remedy.
    fn section_pitfall(
        &self,
        title: &Reading,
        body: &[&Reading],
        lines: Lines,
        path: &[String],
    ) -> Option<Pitfall> {
        if body.is_empty() {
            return None;
        }
        let parts: Vec<Reading> =
            std::iter::once(title).chain(body.iter().copied()).cloned().collect();
        let whole = Reading::joined(&parts);
        let sentences = Sentence::all(&whole, self.rules);
        let entry = Entry {
            reading: &whole,
            sentences,
            context: &[],
            troubles: &[],
            title: Some(title),
            lines: Some(lines),
            expected: false,
        };
        let found = pitfall::of_entry(
            self.rules,
            &entry,
            Setting {
                place: Place::Section,
                role: None,
                genre: self.explains,
                path,
                labelled: false,
                trials_only: false,
                before_code: false,
                failed: false,
                trace: self.tracer(Lines { end: lines.start, ..lines }),
            },
        );
        found.map(|mut found| {
            title.shown.trim().clone_into(&mut found.text);
            found
        })
    }

    /// Blocks of a section's own text: up to the next heading.
    fn body_of(&self, heading: usize) -> std::ops::Range<usize> {
        let from = heading + 1;
        let length = self.document.blocks[from..]
            .iter()
            .take_while(|block| !matches!(block.kind, BlockKind::Heading(_)))
            .count();
        from..from + length
    }

    /// What blocks of code among some blocks set.
    fn settings_in(&self, blocks: std::ops::Range<usize>) -> Vec<Reading> {
        self.document.blocks[blocks]
            .iter()
            .filter(|block| matches!(block.kind, BlockKind::Code { .. }))
            .map(|block| trigger::of_code(&block.text))
            .filter(|reading| !reading.codes.is_empty())
            .collect()
    }

    /// Tells whether a title has a label before its own words, or names a trigger.
    fn is_labelled(&self, title: &Reading) -> bool {
        title.norm.trim_end_matches(':').contains(':')
            || !trigger::named(self.rules, title, &(0..title.norm.len())).is_empty()
    }

    /// Tells whether a text or one of several others says that something goes wrong.
    pub(super) fn tells_trouble(&self, title: &Reading, body: &[&Reading]) -> bool {
        let mut all = std::iter::once(title).chain(body.iter().copied());
        all.any(|reading| {
            Sentence::any(reading, self.rules, |sentence| {
                claim::tells_effect(self.rules, reading, sentence)
            })
        })
    }

    /// Tells whether a paragraph says so: items may only list what can be seen.
    fn prose_tells_trouble(&self, mut body: std::ops::Range<usize>) -> bool {
        body.any(|at| {
            matches!(self.document.blocks[at].kind, BlockKind::Paragraph)
                && self.tells_trouble(&self.readings[at], &[])
        })
    }

    fn effect_in(&self, body: &[&Reading], role: Option<Role>) -> Effect {
        if role == Some(Role::Measuring) {
            return Effect::Measure;
        }
        body.iter()
            .flat_map(|reading| {
                Sentence::all(reading, self.rules)
                    .iter()
                    .flat_map(|sentence| claim::effects(self.rules, reading, sentence))
                    .collect::<Vec<_>>()
            })
            .min()
            .unwrap_or(Effect::Unknown)
    }
}
