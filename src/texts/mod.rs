//! What the program says, apart from any language: a [`Message`] names a text and what goes into it,
//! and a file per language (`en.ftl`, `zh.ftl`) holds the words.
//!
//! The files are Fluent's (<https://projectfluent.org>), so a translator needs no Rust. Text of a
//! repository goes in as an argument only and is never read as a pattern.

use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

/// A language that reports are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English: what machine-readable formats always carry.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// Every language.
    pub const ALL: &[Self] = &[Self::English, Self::Chinese];

    /// The tag of BCP 47: `en`, `zh-Hans`.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-Hans",
        }
    }

    /// The language that a POSIX locale names, where it is one of ours: `zh_CN.UTF-8`.
    pub fn of_locale(locale: &str) -> Option<Self> {
        let (name, _) = locale.split_once(['_', '.', '@']).unwrap_or((locale, ""));
        match name.to_ascii_lowercase().as_str() {
            "zh" => Some(Self::Chinese),
            // `C` and `POSIX` ask for the language of the program itself.
            "en" | "c" | "posix" => Some(Self::English),
            _ => None,
        }
    }

    fn source(self) -> &'static str {
        match self {
            Self::English => include_str!("en.ftl"),
            Self::Chinese => include_str!("zh.ftl"),
        }
    }

    fn bundle(self) -> &'static Bundle {
        static ENGLISH: LazyLock<Bundle> = LazyLock::new(|| bundle(Language::English));
        static CHINESE: LazyLock<Bundle> = LazyLock::new(|| bundle(Language::Chinese));
        match self {
            Self::English => &ENGLISH,
            Self::Chinese => &CHINESE,
        }
    }
}

/// A text by its id, and what goes into it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// The text's id in the language files: `predates-pitfall`.
    pub id: &'static str,
    /// By the names that the text gives them.
    pub args: Vec<(&'static str, Arg)>,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words of the language file.
    Ours(String),
    /// Words of the repository, which may be hostile.
    Repository(String),
}

// Marks around words of the repository, and before an argument that is our own. Noncharacters, so
// that no text has them; those that do lose them in `seen`.
const OPEN: char = '\u{fdd0}';
const CLOSE: char = '\u{fdd1}';
const OURS: char = '\u{fdd2}';

/// What goes into a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arg {
    /// Words of the repository, or a word that the text chooses by.
    Text(String),
    /// A number of things.
    Count(i64),
    /// A span of time in seconds, said in its two largest units.
    Span(i64),
    /// Texts, joined as the language joins a list. `NAME-count` tells how many.
    List(Vec<Message>),
}

impl Message {
    /// A text that takes nothing yet.
    pub fn new(id: &'static str) -> Self {
        Self { id, args: Vec::new() }
    }

    /// Adds what goes in under a name.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Self {
        self.args.push((name, arg.into()));
        self
    }

    /// The text on one line and without control characters.
    pub fn say(&self, language: Language) -> String {
        self.marked(language).replace([OPEN, CLOSE], "")
    }

    /// The same in pieces, so that a format can set off what the repository says from what we say.
    pub fn pieces(&self, language: Language) -> Vec<Piece> {
        let marked = self.marked(language);
        let mut pieces = Vec::new();
        for part in marked.split(OPEN) {
            let (said, ours) = part.split_once(CLOSE).unwrap_or(("", part));
            if !said.is_empty() {
                pieces.push(Piece::Repository(said.to_owned()));
            }
            if !ours.is_empty() {
                pieces.push(Piece::Ours(ours.to_owned()));
            }
        }
        pieces
    }

    fn marked(&self, language: Language) -> String {
        let mut args = FluentArgs::new();
        for (name, arg) in &self.args {
            match arg {
                Arg::Text(text) => args.set(*name, seen(text)),
                Arg::Count(count) => args.set(*name, *count),
                Arg::Span(seconds) => {
                    args.set(*name, format!("{OURS}{}", span(language, *seconds)))
                }
                Arg::List(all) => {
                    let said: Vec<_> = all.iter().map(|one| one.marked(language)).collect();
                    let between = look_up(language, "list-separator", &FluentArgs::new());
                    args.set(format!("{name}-count"), all.len());
                    args.set(*name, format!("{OURS}{}", said.join(&between)));
                }
            }
        }
        look_up(language, self.id, &args)
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// What texts choose by: `yes` or `no`.
impl From<bool> for Arg {
    fn from(holds: bool) -> Self {
        Self::Text(if holds { "yes" } else { "no" }.to_owned())
    }
}

impl From<usize> for Arg {
    fn from(count: usize) -> Self {
        Self::Count(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

impl From<Vec<Message>> for Arg {
    fn from(all: Vec<Message>) -> Self {
        Self::List(all)
    }
}

/// A text without arguments: a label, an explanation. `id` may name an attribute: `check.explain`.
pub fn text(language: Language, id: &str) -> String {
    look_up(language, id, &FluentArgs::new())
}

/// Whether a language has a text.
pub fn has(language: Language, id: &str) -> bool {
    find(language, id, &FluentArgs::new()).is_some()
}

/// A span of time by its two largest units, rounded down: `21 h 45 m`, `8 d 3 h`, `59 s`. A negative
/// one (clocks that disagree with the order) has a minus sign.
pub fn span(language: Language, seconds: i64) -> String {
    let sign = if seconds < 0 { "-" } else { "" };
    let all = seconds.unsigned_abs();
    let (days, hours, minutes) = (all / 86_400, all / 3_600 % 24, all / 60 % 60);
    let units = match (days, hours, minutes) {
        (0, 0, 0) => [("seconds", all), ("", 0)],
        (0, 0, _) => [("minutes", minutes), ("seconds", all % 60)],
        (0, _, _) => [("hours", hours), ("minutes", minutes)],
        _ => [("days", days), ("hours", hours)],
    };
    let mut words = String::new();
    for (place, (unit, count)) in units.into_iter().enumerate() {
        if place > 0 && count == 0 {
            break;
        }
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let between = if place > 0 { " " } else { sign };
        words.push_str(between);
        words.push_str(&Message::new(unit).with("count", count).say(language));
    }
    words
}

/// Moves the cursor, changes the direction of text, or cannot be seen at all.
pub fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn seen(text: &str) -> String {
    let mark = |c| matches!(c, OPEN | CLOSE | OURS);
    text.chars().map(|c| if hidden(c) || mark(c) { '\u{fffd}' } else { c }).collect()
}

type Bundle = FluentBundle<FluentResource>;

fn bundle(language: Language) -> Bundle {
    // The sources are our own; a test tells what is wrong with them.
    let resource = FluentResource::try_new(language.source().to_owned());
    let resource = resource.unwrap_or_else(|(resource, _)| resource);
    let tag: LanguageIdentifier = language.tag().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![tag]);
    // Isolating marks are invisible characters, which reports never print.
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(|value, _| match value {
        // As digits, without separators.
        FluentValue::Number(number) => Some(number.value.to_string()),
        // Asked for what is printed only, not for what a text chooses by.
        FluentValue::String(text) => Some(match text.strip_prefix(OURS) {
            Some(ours) => ours.to_owned(),
            None => format!("{OPEN}{text}{CLOSE}"),
        }),
        _ => None,
    }));
    bundle.add_resource_overriding(resource);
    bundle
}

/// The text, or its id where a language lacks it: better an odd word than none.
fn look_up(language: Language, id: &str, args: &FluentArgs<'_>) -> String {
    find(language, id, args).unwrap_or_else(|| id.to_owned())
}

fn find(language: Language, id: &str, args: &FluentArgs<'_>) -> Option<String> {
    let (name, attribute) = id.split_once('.').map_or((id, None), |(a, b)| (a, Some(b)));
    let bundle = language.bundle();
    let message = bundle.get_message(name)?;
    let pattern = match attribute {
        None => message.value()?,
        Some(attribute) => message.get_attribute(attribute)?.value(),
    };
    // A missing argument shows as its name in braces; a test renders every text of every check.
    // Not `format_pattern`, which hands the whole text to the formatter as if it were an argument.
    let mut text = String::new();
    bundle.write_pattern(&mut text, pattern, Some(args), &mut Vec::new()).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};

    use super::*;

    #[test]
    fn every_language_file_is_sound() {
        for language in Language::ALL {
            let parsed = FluentResource::try_new(language.source().to_owned());
            assert!(parsed.is_ok(), "{}: {:?}", language.tag(), parsed.err().map(|it| it.1));
        }
    }

    #[test]
    fn spans_are_said_in_two_units() {
        for (seconds, words) in [
            (78_349, "21 h 45 m"),
            (8 * 86_400 + 3 * 3_600 + 59, "8 d 3 h"),
            (725, "12 m 5 s"),
            (59, "59 s"),
            (0, "0 s"),
            (3_600, "1 h"),
            (-725, "-12 m 5 s"),
            (i64::MIN, "-106751991167300 d 15 h"),
        ] {
            assert_eq!(span(Language::English, seconds), words);
        }
        assert_eq!(span(Language::Chinese, 78_349), "21 小时 45 分钟");
    }

    #[test]
    fn locales_name_languages() {
        for (locale, language) in [
            ("zh_CN.UTF-8", Some(Language::Chinese)),
            ("zh", Some(Language::Chinese)),
            ("zh_TW", Some(Language::Chinese)),
            ("en_GB.UTF-8@euro", Some(Language::English)),
            ("C.UTF-8", Some(Language::English)),
            ("POSIX", Some(Language::English)),
            ("de_DE.UTF-8", None),
            ("", None),
            ("zhuang", None),
        ] {
            assert_eq!(Language::of_locale(locale), language, "{locale}");
        }
    }

    /// What a pattern takes from its caller.
    fn takes(pattern: &Pattern<&str>, names: &mut BTreeSet<String>) {
        for element in &pattern.elements {
            if let PatternElement::Placeable { expression } = element {
                within(expression, names);
            }
        }
    }

    fn within(expression: &Expression<&str>, names: &mut BTreeSet<String>) {
        let inline = match expression {
            Expression::Inline(inline) => inline,
            Expression::Select { selector, variants } => {
                variants.iter().for_each(|variant| takes(&variant.value, names));
                selector
            }
        };
        match inline {
            InlineExpression::VariableReference { id } => drop(names.insert(id.name.to_owned())),
            InlineExpression::Placeable { expression } => within(expression, names),
            _ => {}
        }
    }

    /// Every text of a language with what it takes.
    fn all_texts(language: Language) -> BTreeMap<String, BTreeSet<String>> {
        let resource = fluent_syntax::parser::parse(language.source()).unwrap();
        let mut texts = BTreeMap::new();
        let mut add = |id: String, pattern: &Pattern<&str>| {
            let mut names = BTreeSet::new();
            takes(pattern, &mut names);
            assert!(texts.insert(id.clone(), names).is_none(), "{id} stands twice");
        };
        for entry in &resource.body {
            let Entry::Message(message) = entry else { continue };
            if let Some(pattern) = &message.value {
                add(message.id.name.to_owned(), pattern);
            }
            for attribute in &message.attributes {
                add(format!("{}.{}", message.id.name, attribute.id.name), &attribute.value);
            }
        }
        texts
    }

    #[test]
    fn every_language_has_every_text_with_the_same_arguments() {
        let english = all_texts(Language::English);
        for language in Language::ALL {
            let here = all_texts(*language);
            let wrong: Vec<String> = english
                .iter()
                .filter(|(id, takes)| here.get(*id) != Some(takes))
                .map(|(id, takes)| format!("{id} takes {takes:?}, here {:?}", here.get(id)))
                .chain(here.keys().filter(|id| !english.contains_key(*id)).cloned())
                .collect();
            assert!(wrong.is_empty(), "{}.ftl:\n{}", language.tag(), wrong.join("\n"));
        }
    }

    #[test]
    fn words_of_a_repository_stay_words() {
        let evil = "\u{7}{ $words } \u{202e}\n.attr = { -term }";
        let said = Message::new("estimate").with("words", evil).say(Language::English);
        assert!(!said.chars().any(hidden), "{said}");
        assert!(said.contains("{ $words }"), "{said}");
    }

    #[test]
    fn pieces_tell_our_words_from_the_repository_s() {
        let why =
            vec![Message::new("same-phase").with("phase", "loading"), Message::new("same-section")];
        let message = Message::new("predates-pitfall")
            .with("lag", Arg::Span(78_349))
            .with("trigger", "\u{fdd0}grow\u{fdd1}:on")
            .with("order", "ancestry")
            .with("exposure", "unrecorded")
            .with("path", "unused")
            .with("why", why);
        let pieces = message.pieces(Language::English);
        let said: Vec<_> =
            pieces.iter().filter(|piece| matches!(piece, Piece::Repository(_))).collect();
        let expected =
            ["\u{fffd}grow\u{fffd}:on", "loading"].map(|it| Piece::Repository(it.into()));
        assert_eq!(said, expected.iter().collect::<Vec<_>>());
        let whole: String = pieces
            .into_iter()
            .map(|piece| match piece {
                Piece::Ours(text) | Piece::Repository(text) => text,
            })
            .collect();
        assert_eq!(whole, message.say(Language::English));
        assert!(whole.contains("21 h 45 m before the pitfall"), "{whole}");
    }

    #[test]
    fn a_missing_text_is_its_id() {
        assert_eq!(Message::new("no-such-text").say(Language::English), "no-such-text");
        assert!(!has(Language::English, "no-such-text"));
    }
}
