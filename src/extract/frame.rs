//! Frames: how the section, the label or the quote around a line changes what the line means.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::LazyLock;

use regex::Regex;

use super::reading::Reading;
use crate::documents::{Document, Quote};
use crate::rules::{LabelRule, Role, RuleSet, SectionRule};

#[expect(clippy::expect_used, reason = "the expression is a literal and a test compiles it")]
static NUMBERING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(?:[^\p{L}\p{N}]|[0-9]+(?:\.[0-9]+)*[.)、:]? |[0-9]+(?:\.[0-9]+)+ ?|[一二三四五六七八九十]+、|(?i:step|part|chapter|appendix) [0-9a-z]+[.:)]? )+",
    )
    .expect("a valid expression")
});

/// A section as it is read.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Its own role or the nearest enclosing one.
    pub(super) role: Option<Role>,
    /// The title itself is one of the known titles: no statement of its own.
    pub(super) is_title: bool,
    /// Titles below it name troubles that readers may have.
    pub(super) symptoms: bool,
    /// The role comes from this very title.
    pub(super) own: bool,
    /// Titles from the outermost section to this one.
    pub(super) path: Rc<[String]>,
    /// The title, ready for rules.
    pub(super) title: Reading,
}

/// Frames of the sections of a document, each read when it is asked for.
pub(super) struct Frames<'a> {
    document: &'a Document,
    rules: &'a RuleSet,
    frames: Vec<OnceCell<Frame>>,
}

impl<'a> Frames<'a> {
    /// None read yet.
    pub(super) fn new(document: &'a Document, rules: &'a RuleSet) -> Self {
        let frames = document.sections.iter().map(|_| OnceCell::new()).collect();
        Frames { document, rules, frames }
    }

    /// The frame of a section.
    pub(super) fn get(&self, section: usize) -> Option<&Frame> {
        let mut unread = Vec::new();
        let mut next = Some(section);
        // Parents stand before their children, so this ends.
        while let Some(at) =
            next.filter(|at| self.frames.get(*at).is_some_and(|it| it.get().is_none()))
        {
            unread.push(at);
            next = self
                .document
                .sections
                .get(at)
                .and_then(|it| it.parent)
                .filter(|parent| *parent < at);
        }
        for at in unread.into_iter().rev() {
            self.frames.get(at)?.get_or_init(|| self.read(at));
        }
        self.frames.get(section)?.get()
    }

    /// The title that sets the role of a section: its own or the nearest around it.
    pub(super) fn origin(&self, section: Option<usize>) -> Option<&str> {
        let mut next = section;
        while let Some(at) = next {
            let frame = self.get(at)?;
            if frame.own {
                return frame.path.last().map(String::as_str);
            }
            next = self.document.sections.get(at)?.parent.filter(|parent| *parent < at);
        }
        None
    }

    /// Reads a frame whose parent is read.
    fn read(&self, at: usize) -> Frame {
        let section = &self.document.sections[at];
        let title = Reading::new(&section.title);
        let parent =
            section.parent.and_then(|index| self.frames.get(index)).and_then(OnceCell::get);
        let (rule, is_title) = role_of(&title, self.rules);
        let own = rule.map(|rule| rule.role);
        let mut path = parent.map_or_else(Vec::new, |frame| frame.path.to_vec());
        path.push(title.shown.trim().to_owned());
        Frame {
            role: own.or_else(|| parent.and_then(|frame| frame.role)),
            is_title,
            symptoms: match rule {
                Some(rule) => rule.symptoms,
                None => parent.is_some_and(|frame| frame.symptoms),
            },
            own: own.is_some(),
            path: path.into(),
            title,
        }
    }
}

/// The rule that sets a title's role, and whether it is a known title as a whole.
fn role_of<'r>(title: &Reading, rules: &'r RuleSet) -> (Option<&'r SectionRule>, bool) {
    let plain = bare(&title.shown);
    let whole = rules.sections.iter().find(|rule| rule.titles.contains(&plain));
    if let Some(rule) = whole {
        return (Some(rule), true);
    }
    (said(&title.norm, rules), false)
}

/// The role that the words of a title or of a lead-in set; the first words decide.
pub(super) fn said_role(norm: &str, rules: &RuleSet) -> Option<Role> {
    said(norm, rules).map(|rule| rule.role)
}

fn said<'r>(norm: &str, rules: &'r RuleSet) -> Option<&'r SectionRule> {
    let candidates = rules.candidates(norm, &[]);
    rules
        .sections
        .iter()
        .filter_map(|rule| {
            let say = rule.say.as_ref().filter(|say| candidates.may(say))?;
            Some((say.find_start(norm)?, rule))
        })
        .min_by_key(|(at, _)| *at)
        .map(|(_, rule)| rule)
}

/// Where a title's words begin after its number.
pub(super) fn numbering(title: &str) -> usize {
    // A code span is no number, whatever it holds.
    let end = title.find('`').unwrap_or(title.len());
    NUMBERING.find(&title[..end]).map_or(0, |hit| hit.end())
}

/// A title without numbering, emoji, closing punctuation and case.
pub(super) fn bare(title: &str) -> String {
    let title = title.trim();
    let start = NUMBERING.find(title).map_or(0, |hit| hit.end());
    title[start..].trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// The role that a label such as `**Next:**` sets for its paragraph or item.
pub(super) fn label_role(reading: &Reading, rules: &RuleSet) -> Option<Role> {
    // Every label ends in one.
    let may = reading.norm.contains(':');
    may.then(|| *reading.label.get_or_init(|| read_label(reading, rules))).flatten()
}

fn read_label(reading: &Reading, rules: &RuleSet) -> Option<Role> {
    // Only marks stand before a label, so it ends no later than at the first colon after a letter.
    let norm = reading.norm.as_str();
    let letter = |c: char| c.is_ascii_alphanumeric() || ('\u{4e00}'..='\u{9fa5}').contains(&c);
    let colon = || norm.find(letter).and_then(|at| Some(at + norm[at..].find(':')?));
    let known = rules.labels.iter().all(|label| label.ends_at_colon);
    let end = known.then(colon).flatten().map_or(norm.len(), |colon| colon + 1);
    let text = &norm[..end];
    let candidates = rules.candidates(text, &[]);
    let says = |label: &&LabelRule| candidates.may(&label.regex) && label.regex.is_match(text);
    rules.labels.iter().find(says).map(|label| label.role)
}

/// Marks that warn where a text begins with one.
const WARNINGS: [char; 5] = ['⚠', '⛔', '🚫', '☠', '🛑'];

/// Tells whether a text begins with a warning mark.
pub(super) fn is_warning(reading: &Reading) -> bool {
    reading.norm.trim_start().starts_with(WARNINGS)
}

/// The role that a block quote sets.
pub(super) fn quote_role(quote: Quote) -> Option<Role> {
    match quote {
        Quote::Warning => Some(Role::Pitfalls),
        Quote::None | Quote::Plain | Quote::Note => None,
    }
}
