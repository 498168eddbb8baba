//! The `---` or `+++` block of `key: value` lines that a document may begin with.

use super::builder::Builder;
use super::source::Source;

/// Reads the front matter; the offset at which the document itself begins.
pub(super) fn read(source: &Source, builder: &mut Builder) -> usize {
    let Some(matter) = Matter::of(&source.text) else {
        return 0;
    };
    let mut key = String::new();
    for (line, text) in (2..).zip(matter.inner.lines()) {
        let item = text.trim_start().strip_prefix("- ");
        let text = item.unwrap_or(text).trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match split(text, matter.separator) {
            Some((name, value)) => {
                key = name.to_owned();
                builder.field(name, unquote(value), line);
            }
            // What goes on below a key belongs to it.
            None => builder.field(&key, unquote(text), line),
        }
    }
    matter.end
}

struct Matter<'a> {
    inner: &'a str,
    separator: char,
    end: usize,
}

impl<'a> Matter<'a> {
    /// A document that begins with a rule and goes on in prose has none.
    fn of(text: &'a str) -> Option<Self> {
        let first = text.split_inclusive('\n').next()?;
        let (separator, ends) = match first.trim_end() {
            "---" => (':', ["---", "..."]),
            "+++" => ('=', ["+++", "+++"]),
            _ => return None,
        };
        let mut end = first.len();
        let mut keyed = None;
        for line in text.get(end..)?.split_inclusive('\n') {
            let content = line.trim_end();
            if ends.contains(&content) {
                let inner = text.get(first.len()..end)?;
                return (keyed == Some(true)).then_some(Self {
                    inner,
                    separator,
                    end: end + line.len(),
                });
            }
            if keyed.is_none()
                && !content.is_empty()
                && !content.starts_with('#')
                && !content.starts_with('[')
            {
                keyed = Some(split(content, separator).is_some());
                if keyed == Some(false) {
                    return None;
                }
            }
            end += line.len();
        }
        None
    }
}

/// A line's key and value.
fn split(line: &str, separator: char) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(separator)?;
    let key = unquote(key.trim());
    let plain = !key.is_empty()
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' '));
    let apart = separator != ':' || value.is_empty() || value.starts_with([' ', '\t']);
    (plain && key.len() <= 80 && apart).then_some((key, value.trim()))
}

fn unquote(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}
