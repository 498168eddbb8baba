//! Plain text: paragraphs between blank lines, underlined titles, items with a dash or a number.

use super::builder::Builder;
use super::indents::{Indents, indent_of};
use super::source::Source;
use super::{Lines, Text, code};

/// Lines of a paragraph that are looked at to tell whether a program wrote it.
const LOOKED_AT: usize = 64;

/// Lines that are told apart as a program or its log: a log of a run begins with what was run.
const PART: usize = 200;

/// So few lines of code are an example.
const LISTED: usize = 20;

/// So many are the end of the program in the part before.
const ENDING: usize = 5;

/// Reads a plain text file.
pub(super) fn read(source: &Source, builder: &mut Builder) {
    let mut items = Indents::default();
    let mut lines = source.lines().peekable();
    let mut begins = true;
    let mut parts = parts(source);
    let mut part = parts.next();
    while let Some((line, text)) = lines.next() {
        while part.is_some_and(|part| part.last < line) {
            part = parts.next();
        }
        let listing = part.is_some_and(|part| part.listing);
        let content = text.trim();
        if std::mem::replace(&mut begins, content.is_empty()) && !content.is_empty() {
            let rest =
                lines.clone().map(|(_, text)| text).take_while(|text| !text.trim().is_empty());
            let paragraph = std::iter::once(text).chain(rest.take(LOOKED_AT));
            if is_output(paragraph.clone()) || listing && is_listed(paragraph) {
                items.close_all(builder);
                let mut shown = Text::default();
                code::push(&mut shown, &format!("{text}\n"), std::iter::once(line));
                let mut last = line;
                while let Some((line, text)) = lines.next_if(|(_, text)| !text.trim().is_empty()) {
                    code::push(&mut shown, &format!("{text}\n"), std::iter::once(line));
                    last = line;
                }
                code::trim(&mut shown);
                builder.code("", Lines { start: line, end: last }, shown);
                continue;
            }
        }
        if content.is_empty() || is_rule(content) {
            builder.paragraph(None);
            continue;
        }
        let indent = indent_of(text);
        if let Some(level) = lines.peek().and_then(|(_, below)| underline(content, below)) {
            builder.paragraph(None);
            items.close_all(builder);
            builder.inline().push(content, line);
            builder.heading(level, Some(Lines { start: line, end: line + 1 }));
            lines.next();
        } else if let Some(words) = item(content) {
            builder.paragraph(None);
            items.close_beyond(indent, builder);
            items.open(indent + 1, builder);
            builder.open_item(line, None);
            builder.inline().push(words, line);
            builder.inline().space();
        } else {
            if builder.inline().is_empty() {
                items.close_beyond(indent, builder);
            }
            builder.inline().push(content, line);
            builder.inline().space();
        }
    }
}

/// Lines that stand together.
#[derive(Clone, Copy)]
struct Part {
    /// The last of them.
    last: u32,
    /// Some of them are of a program that was kept as text: a third is code, or it ends in them.
    listing: bool,
}

/// A file in parts of so many lines that are not blank.
fn parts(source: &Source) -> impl Iterator<Item = Part> {
    let mut lines = source.lines().filter(|(_, text)| !text.trim().is_empty());
    let mut before = false;
    std::iter::from_fn(move || {
        let first = lines.next()?;
        let rest = lines.by_ref().take(PART - 1);
        let (mut all, mut code, mut last) = (0, 0, first.0);
        for (line, text) in std::iter::once(first).chain(rest) {
            all += 1;
            code += usize::from(is_of_listing(text.trim()));
            last = line;
        }
        let full = code >= LISTED && code * 3 >= all;
        let ends = std::mem::replace(&mut before, full) && code >= ENDING;
        Some(Part { last, listing: full || ends })
    })
}

/// Wider than [`is_code`]: what may be prose by itself, and is code among so much of it.
fn is_of_listing(line: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
    let call = line.split_once('(').is_some_and(|(name, _)| is_name(name)) && line.ends_with(')');
    let assigned = [" = ", " += ", " -= ", " *= "]
        .iter()
        .any(|sign| line.split_once(sign).is_some_and(|(name, _)| is_name(name)));
    let stated = ["return ", "assert ", "elif ", "@"].iter().any(|word| line.starts_with(word));
    call || assigned || stated || is_code(line) || line.ends_with([';', '{', '}', '(', ','])
}

/// Of a listing: a paragraph that is set in, is a comment, or has a line of code.
fn is_listed<'a>(mut paragraph: impl Iterator<Item = &'a str>) -> bool {
    paragraph.any(|line| {
        let content = line.trim();
        line.starts_with([' ', '\t', '#', '@', ')', ']']) || is_stated(content)
    })
}

/// Tells whether a program wrote a paragraph, or is to read it: most of its lines are stamped, stand
/// in columns of numbers, or are statements of a language.
fn is_output<'a>(paragraph: impl Iterator<Item = &'a str>) -> bool {
    let (mut all, mut stated, mut printed) = (0, 0, 0);
    for line in paragraph.map(str::trim) {
        all += 1;
        stated += usize::from(is_stated(line));
        printed += usize::from(is_printed(line));
    }
    // A single line in columns may be a sentence that somebody aligned.
    let output = if all > 1 { stated + printed } else { stated };
    output * 2 > all
}

/// Stamped, prompted, or a statement of a language.
fn is_stated(content: &str) -> bool {
    let stamped = content.strip_prefix('[').is_some_and(|rest| {
        rest.trim_start().starts_with(|c: char| c.is_ascii_digit()) && rest.contains(']')
    });
    let prompted = ["$ ", ">>> "].iter().any(|prompt| content.starts_with(prompt));
    let ends = content.ends_with([';', '{', '}']);
    let said = stamped || prompted || ends || content.contains(" <- ") || content.contains("::");
    said || is_code(content)
}

/// `name = "value"`, `name = call(…)`, `import name`, `for name in names:`.
fn is_code(content: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]'\"".contains(c))
    };
    // A number or a word after the sign may be what somebody noted down.
    let computed = |value: &str| {
        let call = value.split_once(['(', '[']).is_some_and(|(name, _)| is_name(name));
        call || value.starts_with(['"', '\'', '[', '{', '(']) || value.starts_with("f'")
    };
    let assigned = content
        .split_once(" = ")
        .is_some_and(|(name, value)| is_name(name.trim_end()) && computed(value.trim_start()));
    let first = content.split([' ', '(']).next().unwrap_or_default();
    let opens = matches!(first, "for" | "if" | "with" | "def" | "class" | "while" | "try" | "else")
        && content.ends_with(':')
        && (content.contains(['(', '=']) || content.contains(" in "));
    // `print("done")`
    let told = content.ends_with(')')
        && content.split_once('(').is_some_and(|(name, rest)| {
            is_name(name) && rest.trim_start_matches(['f', 'b', 'r']).starts_with(['"', '\''])
        });
    let imports = first == "import" || first == "from" && content.contains(" import ");
    assigned || opens || told || imports && !content.ends_with('.')
}

/// In columns of numbers, or a field of a record.
fn is_printed(content: &str) -> bool {
    let words = || content.split([' ', '\t', ',', '(', ')']).filter(|word| !word.is_empty());
    let figures = words().filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).count();
    let columns = content.contains('\t') || content.contains("  ");
    let tabled = columns && figures >= 3 && figures * 3 >= words().count();
    // `host_profile: quiet` and `Product Name   : Ember` are fields of a record.
    let keyed = content.contains("  : ")
        || content.split_once(": ").is_some_and(|(key, _)| {
            let is_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
            key.contains('_') && key.bytes().all(is_name)
        });
    !is_stated(content) && (tabled || keyed)
}

/// The words after a bullet or a number.
fn item(content: &str) -> Option<&str> {
    let words = match content.strip_prefix(['-', '*', '•', '·', '+']) {
        Some(words) => words,
        None => {
            let words = content.trim_start_matches(|c: char| c.is_ascii_digit());
            let digits = content.len() - words.len();
            (1..=3).contains(&digits).then(|| words.strip_prefix(['.', ')'])).flatten()?
        }
    };
    words.starts_with([' ', '\t']).then(|| words.trim_start()).filter(|words| !words.is_empty())
}

/// The level of a title whose next line is `below`.
fn underline(title: &str, below: &str) -> Option<u8> {
    let below = below.trim();
    let level = match below.chars().next()? {
        '=' => 1,
        '-' => 2,
        '~' => 3,
        _ => return None,
    };
    let long = below.len() >= 3 && below.len() <= title.len().saturating_mul(2) + 4;
    (long && is_rule(below) && item(title).is_none()).then_some(level)
}

/// A line of one repeated mark.
fn is_rule(content: &str) -> bool {
    let mut chars = content.chars();
    chars.next().is_some_and(|first| {
        "=-~_*#+".contains(first) && content.len() >= 3 && chars.all(|c| c == first)
    })
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use crate::documents::{Block, BlockKind, Format, parse};

    #[test]
    fn a_program_before_a_long_log_is_a_listing_and_the_log_is_not() {
        let mut text = String::new();
        for number in 0..30 {
            let _ = write!(
                text,
                "def blow_{number}(fan):\n    heat = fan.blow(3)\n    return heat\n\n    \
                 The fan was 2x faster.\n\n"
            );
        }
        for day in 0..3_000 {
            let _ = write!(text, "On day {day} the ramp held 812 degrees.\n\n");
        }
        let document = parse(Format::PlainText, text.as_bytes());
        let told = |words: &str| {
            let of_words = document.blocks.iter().filter(|block| block.text.plain.contains(words));
            let (code, prose): (Vec<&Block>, Vec<&Block>) =
                of_words.partition(|block| matches!(block.kind, BlockKind::Code { .. }));
            (code.len(), prose.len())
        };
        assert_eq!(told("2x faster"), (30, 0));
        assert_eq!(told("the ramp held"), (0, 3_000));
    }
}
