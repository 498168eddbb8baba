//! The text of code blocks, kept as it stands.

use super::Text;

/// Adds to the text of a code block, with an entry at each of its lines.
pub(super) fn push(code: &mut Text, text: &str, lines: impl Iterator<Item = u32>) {
    for (line, part) in lines.zip(text.split_inclusive('\n')) {
        let starts_line = code.plain.is_empty() || code.plain.ends_with('\n');
        if starts_line && code.lines.last().is_none_or(|(_, last)| *last < line) {
            code.lines.push((code.plain.len(), line));
        }
        match part.strip_suffix("\r\n") {
            Some(part) => {
                code.plain.push_str(part);
                code.plain.push('\n');
            }
            None => code.plain.push_str(part),
        }
    }
}

/// Takes blank lines off both ends.
pub(super) fn trim(code: &mut Text) {
    code.plain.truncate(code.plain.trim_end_matches('\n').len());
    let blank = code.plain.len() - code.plain.trim_start_matches('\n').len();
    code.plain.drain(..blank);
    // Where several lines of code share a source line, the first entry may be cut with its line.
    let first = code.lines.iter().take_while(|(offset, _)| *offset <= blank).last().copied();
    code.lines.retain_mut(|(offset, _)| {
        let kept = *offset > blank && *offset < blank + code.plain.len();
        *offset = offset.saturating_sub(blank);
        kept
    });
    if let (Some((_, line)), false) = (first, code.plain.is_empty()) {
        code.lines.insert(0, (0, line));
    }
}
