//! Which format a file is written in, by its name alone.

use super::Format;

/// Every format with its tag and the extensions it is known by, lower case.
const KNOWN: &[(Format, u8, &[&str])] = &[
    (Format::PlainText, 1, &["txt", "text"]),
    (Format::Markdown, 2, &["md", "markdown", "mdown", "mkd", "mkdn", "mdwn", "mdx", "rmd", "qmd"]),
    (Format::Html, 3, &["html", "htm", "xhtml"]),
    (Format::Notebook, 4, &["ipynb"]),
    (Format::Org, 5, &["org"]),
    (Format::Rst, 6, &["rst", "rest"]),
    (Format::AsciiDoc, 7, &["adoc", "asciidoc", "asc"]),
    (Format::Latex, 8, &["tex", "ltx", "latex"]),
    (
        Format::Script,
        9,
        &[
            "sh",
            "bash",
            "zsh",
            "fish",
            "yml",
            "yaml",
            "toml",
            "ini",
            "cfg",
            "conf",
            "env",
            "service",
            "dockerfile",
            "mk",
        ],
    ),
];

/// Names without an extension of files that are scripts, lower case.
const SCRIPT_NAMES: &[&str] =
    &["dockerfile", "containerfile", "makefile", "gnumakefile", "justfile", ".env"];

/// Names without an extension under which projects keep text, lower case.
const PLAIN_NAMES: &[&str] = &[
    "bugs",
    "changelog",
    "changes",
    "faq",
    "findings",
    "history",
    "issues",
    "known_issues",
    "log",
    "news",
    "notes",
    "readme",
    "release_notes",
    "results",
    "status",
    "todo",
];

impl Format {
    /// The format of a file of this name (a path will do); `None` where it is no document we read.
    pub fn of_name(file_name: &str) -> Option<Self> {
        let name = file_name.rsplit(['/', '\\']).next()?.to_lowercase();
        if SCRIPT_NAMES.contains(&name.as_str()) {
            return Some(Self::Script);
        }
        match name.rsplit_once('.') {
            Some((_, extension)) => KNOWN
                .iter()
                .find(|(_, _, extensions)| extensions.contains(&extension))
                .map(|known| known.0),
            None => PLAIN_NAMES.contains(&name.as_str()).then_some(Self::PlainText),
        }
    }

    /// A number for this format that never changes and is never 0.
    pub fn tag(self) -> u8 {
        KNOWN.iter().find(|known| known.0 == self).map_or(u8::MAX, |known| known.1)
    }

    /// The format of a [`Format::tag`].
    pub fn of_tag(tag: u8) -> Option<Self> {
        KNOWN.iter().find(|known| known.1 == tag).map(|known| known.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide() {
        assert_eq!(Format::of_name("docs/README.MD"), Some(Format::Markdown));
        assert_eq!(Format::of_name("README"), Some(Format::PlainText));
        assert_eq!(Format::of_name("a.b/notes.txt"), Some(Format::PlainText));
        assert_eq!(Format::of_name("main.rs"), None);
        assert_eq!(Format::of_name("Makefile"), Some(Format::Script));
        assert_eq!(Format::of_name("a/serve.sh"), Some(Format::Script));
        assert_eq!(Format::of_name(""), None);
    }

    #[test]
    fn tags_are_distinct_and_go_back() {
        for (format, tag, _) in KNOWN {
            assert_eq!(format.tag(), *tag);
            assert_eq!(Format::of_tag(*tag), Some(*format));
        }
        assert_eq!(Format::of_tag(0), None);
    }
}
