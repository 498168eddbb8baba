//! What a reader of each medium takes for more than text, in a finished report.

use claim_audit::cli::args::FormatName;
use claim_audit::report::escape;
use html5gum::{Token, Tokenizer};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Tags that our comments have.
const OWN_TAGS: &[&str] =
    &["<details>", "</details>", "<summary>", "<br>", "<sub>", "</sub>", "<!-- claim-audit -->"];

/// No text of a stranger acts in a report of this format.
pub fn check(format: FormatName, report: &str) {
    let raw = report.chars().find(|it| it.is_control() && *it != '\n');
    assert_eq!(raw, None, "{format:?}: {report}");
    check_commands(format, report);
    match format {
        FormatName::Json | FormatName::Sarif | FormatName::Rdjson => {
            let value: serde_json::Value = serde_json::from_str(report).unwrap();
            assert!(value.is_object());
        }
        FormatName::Jsonl => {
            for line in report.lines() {
                let value: serde_json::Value = serde_json::from_str(line).unwrap();
                assert!(value.is_object());
            }
        }
        _ => check_seen(format, report),
    }
    match format {
        FormatName::Markdown => check_markdown(report),
        FormatName::Html => check_html(report),
        FormatName::Junit => check_xml(report),
        _ => {}
    }
}

/// Whatever the format: it may be shown in the log of a job, which is read for commands.
fn check_commands(format: FormatName, report: &str) {
    for line in report.lines().map(str::trim_start) {
        let ours = matches!(format, FormatName::Github)
            && ["::warning ", "::notice "].iter().any(|command| line.starts_with(command));
        assert!(ours || !line.starts_with("::"), "{format:?}: {line}");
        for command in ["##[", "##vso[", "##teamcity["] {
            assert!(!line.contains(command), "{format:?}: {line}");
        }
    }
}

/// What people read shows every character that could hide or reorder others.
fn check_seen(format: FormatName, report: &str) {
    let hidden = report.chars().find(|it| *it != '\n' && escape::is_hostile(*it));
    assert_eq!(hidden, None, "{format:?}: {report}");
}

/// A comment is rendered: no tag, no call of people or issues, no link or image but our own.
fn check_markdown(report: &str) {
    let mut in_block = false;
    for event in Parser::new_ext(report, Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_block = true,
            Event::End(TagEnd::CodeBlock) => in_block = false,
            Event::Html(html) | Event::InlineHtml(html) => {
                let html = html.trim();
                let rest = OWN_TAGS.iter().find_map(|tag| html.strip_prefix(tag));
                let rest = rest.unwrap_or_else(|| panic!("{html:?} in {report}"));
                let more = rest.strip_suffix("</summary>").unwrap_or(rest).contains('<');
                assert!(!more || rest.contains("<summary>"), "{html:?} in {report}");
            }
            Event::Text(text) if !in_block => {
                let mut before = ' ';
                let mut characters = text.chars().peekable();
                while let Some(character) = characters.next() {
                    let next = characters.peek().copied().unwrap_or(' ');
                    let named = matches!(character, '@' | '#') && next.is_alphanumeric();
                    let called = named && !before.is_alphanumeric() && before != '_';
                    assert!(!called, "{text:?} in {report}");
                    before = character;
                }
                let bare = ["http://", "https://", "www."].iter().any(|it| text.contains(it));
                assert!(!bare, "{text:?} in {report}");
            }
            Event::Start(Tag::Link { dest_url: to, .. } | Tag::Image { dest_url: to, .. }) => {
                panic!("{to:?} is linked in {report}");
            }
            _ => {}
        }
    }
}

/// A page has one script and no element or address that a stranger named.
fn check_html(page: &str) {
    let mut scripts = 0;
    for token in Tokenizer::new(page) {
        let Ok(Token::StartTag(tag)) = token else { continue };
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        scripts += usize::from(name == "script");
        let foreign = ["img", "iframe", "object", "embed", "base", "link", "video", "audio"];
        assert!(!foreign.contains(&name.as_str()), "<{name}>");
        for (key, value) in &tag.attributes {
            let (key, value) = (String::from_utf8_lossy(key), String::from_utf8_lossy(value));
            assert!(!key.starts_with("on"), "<{name} {key}>");
            let address = matches!(&*key, "href" | "src" | "action" | "xlink:href");
            assert!(!address || value.starts_with('#'), "<{name} {key}={value:?}>");
        }
    }
    assert_eq!(scripts, 1);
}

/// A report for dashboards is well formed and has our elements only.
fn check_xml(report: &str) {
    const OWN: &[&str] = &[
        "testsuites",
        "testsuite",
        "testcase",
        "failure",
        "skipped",
        "error",
        "system-out",
        "properties",
        "property",
    ];
    let mut reader = quick_xml::Reader::from_str(report);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => break,
            Ok(quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag)) => {
                let name = tag.name().as_ref().to_owned();
                assert!(OWN.contains(&name.as_str()), "<{name}>: {report}");
                tag.attributes().for_each(|it| drop(it.unwrap()));
            }
            Ok(_) => {}
            Err(error) => panic!("{error}: {report}"),
        }
    }
}
