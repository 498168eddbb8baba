//! The report as one page: a file that needs no network and can be read without its script.
//!
//! Templates escape all that is put into them, whatever it is; what a browser could reorder or hide
//! is made visible before. The page forbids itself, by its own policy, every style and script but
//! the two that are written here.

mod axis;
mod card;
mod ground;
mod lanes;
mod list;
mod picture;

use std::io::{self, Write};

use askama::Template;

use self::card::Words;
use self::ground::Pitfall;
use self::list::{Choice, Group};
use self::picture::Picture;
use super::forge::Forge;
use super::{Options, Receipts, basis, caveat_words, escape, sum, sum_of_change};
use crate::compare::Comparison;
use crate::texts;
use crate::verdict::Audit;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What the page may load and run: nothing but its own style and its own script, known by their
/// digests. A test recomputes them and tells the new ones.
const STYLE_DIGEST: &str = "sha256-y5MXAceV7DQ39wBDgPJXMrpuiV8egPk/OV5qyYZ8luI=";
const SCRIPT_DIGEST: &str = "sha256-JbdJGfZQ2KumUsslCvZ3kDng5mMjD48MClihVybuMVk=";

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    words: Words<'a>,
    style: &'static str,
    script: &'static str,
    policy: String,
    repository: String,
    rev: String,
    sum: String,
    basis: String,
    clean: bool,
    /// What is said where the list is empty.
    nothing: String,
    figures: Vec<Figure>,
    caveats: Vec<Caveat>,
    below_threshold: Option<String>,
    picture: Option<Picture>,
    pitfalls: Vec<Pitfall>,
    groups: Vec<Group>,
    choices: Vec<Choice>,
    checks: Vec<Explained<'a>>,
}

/// A number of the head.
struct Figure {
    class: &'static str,
    number: usize,
    label: String,
}

struct Caveat {
    code: &'static str,
    message: String,
}

/// A check that speaks on this page.
struct Explained<'a> {
    name: &'a str,
    text: String,
}

/// Writes the page.
pub(super) fn write(audit: &Audit, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let words = Words {
        language: options.language,
        receipts: Receipts::new(audit),
        forge: audit.remote.as_deref().filter(|it| is_web(it)).and_then(Forge::of),
    };
    let groups = list::groups(audit, options, words);
    let shown: Vec<usize> = groups.iter().flat_map(|group| group.indices.clone()).collect();
    let leads = super::leads(audit).count();
    let page = Page {
        words,
        style: STYLE,
        script: SCRIPT,
        policy: policy(),
        repository: escape::cut(name(audit, options), escape::TEXT_LIMIT),
        rev: words.receipts.short(audit.rev),
        sum: headline(audit, options, words),
        basis: basis(audit, words.receipts, options.language),
        clean: match &options.comparison {
            Some(change) => !change.made_leads(),
            None => leads == 0 && !audit.claims.is_empty() && audit.caveats.is_empty(),
        },
        nothing: words.text(match options.comparison {
            Some(_) => "page-no-change",
            None => "page-no-claims",
        }),
        figures: figures(audit, options.comparison.as_ref(), words),
        caveats: audit
            .caveats
            .iter()
            .map(|it| Caveat { code: it.code, message: caveat_words(it, options.language) })
            .collect(),
        below_threshold: (options.below_threshold > 0)
            .then(|| words.counted("below-threshold", options.below_threshold)),
        picture: picture::draw(audit, &shown, words),
        pitfalls: ground::pitfalls(audit, &shown, words),
        choices: list::choices(audit, &shown, words),
        checks: list::checks(audit, &shown)
            .map(|name| Explained {
                name,
                text: texts::text(options.language, &format!("{name}.explain")),
            })
            .collect(),
        groups,
    };
    let page = page.render().map_err(io::Error::other)?;
    for line in page.split_inclusive('\n') {
        // A page that is printed in the log of a job is still a page, and no line a command.
        match line.trim_start().strip_prefix("::") {
            Some(rest) => write!(out, "&#58;:{rest}")?,
            None => out.write_all(line.as_bytes())?,
        }
    }
    Ok(())
}

/// Whether a browser may follow it: no other scheme gets into a link.
/// What the audited repository is called: a page is read far from the folder that the user stood in.
fn name<'a>(audit: &'a Audit, options: &'a Options) -> &'a str {
    let remote = audit.remote.as_deref().filter(|it| is_web(it));
    remote.and_then(|it| Some(it.split_once("://")?.1)).unwrap_or(&options.repository)
}

fn is_web(address: &str) -> bool {
    ["https://", "http://"].iter().any(|scheme| address.starts_with(scheme))
}

fn headline(audit: &Audit, options: &Options, words: Words<'_>) -> String {
    match &options.comparison {
        Some(change) => sum_of_change(change, words.receipts, words.language),
        None => sum(audit, words.language),
    }
}

fn figures(audit: &Audit, change: Option<&Comparison>, words: Words<'_>) -> Vec<Figure> {
    let figure = |class, id: &str, number| Figure { class, number, label: words.text(id) };
    if let Some(change) = change {
        return vec![
            figure("lead", "page-new-leads", change.new_leads.len()),
            figure("lead", "page-turned", change.turned.len()),
            figure("evidence", "page-cleared", change.cleared.len()),
            figure("suppressed", "page-lapsed", change.lapsed.len()),
        ];
    }
    let count =
        |class: &str| audit.claims.iter().filter(|judged| card::standing(judged) == class).count();
    let mut figures = vec![
        figure("lead", "page-leads", count("lead")),
        figure("evidence", "page-evidence", count("evidence")),
    ];
    let suppressed = count("suppressed");
    if suppressed > 0 {
        figures.push(figure("suppressed", "page-suppressed", suppressed));
    }
    figures.push(figure("pitfall", "page-pitfalls", audit.pitfalls.len()));
    figures
}

fn policy() -> String {
    format!(
        "default-src 'none'; style-src '{STYLE_DIGEST}'; script-src '{SCRIPT_DIGEST}'; \
         base-uri 'none'; form-action 'none'"
    )
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use html5gum::{Token, Tokenizer};
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::report::sample;
    use crate::texts::Language;

    fn page(audit: &Audit, options: &Options) -> String {
        let mut out = Vec::new();
        write(audit, options, &mut out).unwrap();
        let version = format!("claim-audit {}", env!("CARGO_PKG_VERSION"));
        String::from_utf8(out).unwrap().replace(&version, "claim-audit 0.0.0")
    }

    /// The page without its style and script, which stand in files of their own.
    fn told(audit: &Audit, options: &Options) -> String {
        let page = page(audit, options);
        page.replace(STYLE, "[style]").replace(SCRIPT, "[script]")
    }

    /// An element's name and its attributes.
    type Element = (String, Vec<(String, String)>);

    /// The elements with their attributes, and the text between them.
    fn tokens(page: &str) -> (Vec<Element>, String) {
        let (mut elements, mut text) = (Vec::new(), String::new());
        for token in Tokenizer::new(page).map(|it| it.unwrap_or_else(|never| match never {})) {
            match token {
                Token::StartTag(tag) => {
                    let attributes = tag.attributes.iter().map(|(name, value)| {
                        let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
                        (string(name), string(value))
                    });
                    let name = String::from_utf8(tag.name.to_vec()).unwrap();
                    elements.push((name, attributes.collect()));
                }
                Token::String(said) => text.push_str(&String::from_utf8_lossy(&said)),
                Token::Error(error) => panic!("{error:?} in {page}"),
                _ => {}
            }
        }
        (elements, text)
    }

    fn compared() -> Options {
        let comparison = Comparison {
            new_leads: vec![0],
            turned: vec![2, 3],
            cleared: vec![5],
            ..Comparison::default()
        };
        Options { comparison: Some(comparison), ..Options::default() }
    }

    #[test]
    fn the_sample_with_suppressed_leads() {
        insta::assert_snapshot!(told(&sample::suppressed(), &Options::default()));
    }

    #[test]
    fn the_sample_in_chinese() {
        let options = Options { language: Language::Chinese, ..Options::default() };
        insta::assert_snapshot!(told(&sample::audit(), &options));
    }

    #[test]
    fn of_a_change_only_what_it_did_is_shown() {
        let page = told(&sample::audit(), &compared());
        let (elements, _) = tokens(&page);
        let cards = elements.iter().filter(|(name, _)| name == "details").count();
        assert_eq!(cards, 4);
        for (id, shown) in [("new", true), ("turned", true), ("cleared", true), ("leads", false)] {
            let section = format!("<section class=\"group\" id=\"{id}\"");
            assert_eq!(page.contains(&section), shown, "{id}");
        }
    }

    #[test]
    fn nothing_found_is_no_clean_bill() {
        let page = told(&sample::empty(), &Options::default());
        assert!(page.contains("No claim was found, so nothing was judged."), "{page}");
        assert!(!page.contains("<form") && !page.contains("<svg"), "{page}");
    }

    #[test]
    fn text_of_a_repository_never_becomes_markup() {
        const EVIL: &str = "</code></script><script>alert(1)</script><img src=x onerror=alert(1)>\
            \" onload=\"x\" 'y' &lt;b&gt; <!-- --> ]]> {{ 7*7 }} \u{202e}\u{0}\u{1b}[2J javascript:x ";
        // As long as the other and as well without a space in front, so that all is cut alike.
        let harmless: String =
            EVIL.chars().map(|c| if c == ' ' || escape::is_hostile(c) { c } else { 'w' }).collect();
        for options in [Options::default(), compared()] {
            let page_of = |evil: &str| told(&sample::poisoned(evil), &options);
            let (evil, harmless) = (page_of(EVIL), page_of(&harmless));
            let shape = |page: &str| {
                let (elements, _) = tokens(page);
                let names = |(name, attributes): &Element| {
                    let keys = attributes.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
                    (name.clone(), keys)
                };
                elements.iter().map(names).collect::<Vec<_>>()
            };
            assert_eq!(shape(&evil), shape(&harmless));
            let hostile = |c: char| c != '\n' && escape::is_hostile(c);
            assert!(!evil.contains(hostile));
            assert!(tokens(&evil).1.contains("</code></script><script>alert(1)"), "it is shown");
        }
    }

    #[test]
    fn the_page_loads_and_runs_nothing_but_its_own() {
        let page = page(&sample::suppressed(), &Options::default());
        let told = told(&sample::suppressed(), &Options::default());
        for (name, attributes) in tokens(&told).0 {
            assert!(!["link", "img", "iframe", "object", "embed", "base"].contains(&name.as_str()));
            for (key, value) in attributes {
                assert!(!key.starts_with("on") && key != "style" && key != "src", "{name} {key}");
                assert!(key != "href" || value.starts_with('#'), "{value}");
            }
        }
        for (source, digest) in [(STYLE, STYLE_DIGEST), (SCRIPT, SCRIPT_DIGEST)] {
            let now = BASE64_STANDARD.encode(Sha256::digest(source));
            assert_eq!(digest, format!("sha256-{now}"), "the digest of what was edited");
            assert!(!source.contains("</"), "it would end its element");
        }
        assert!(page.contains(&format!("<style>{STYLE}</style>")));
        assert!(page.contains(&format!("<script>{SCRIPT}</script>")));
    }

    #[test]
    fn commits_are_linked_where_a_forge_shows_them() {
        let mut audit = sample::audit();
        let links = |audit: &Audit| {
            let elements = tokens(&told(audit, &Options::default())).0;
            let hrefs = elements.into_iter().flat_map(|it| it.1).filter(|it| it.0 == "href");
            hrefs.map(|it| it.1).filter(|it| !it.starts_with('#')).collect::<Vec<_>>()
        };
        audit.remote = Some("https://github.com/kestrel/box".into());
        let found = links(&audit);
        assert!(found.iter().any(|it| it.contains("/blob/1c0ffee")), "{found:?}");
        assert!(found.iter().all(|it| it.starts_with("https://github.com/kestrel/box/")));
        assert!(told(&audit, &Options::default()).contains("<bdi>github.com/kestrel/box</bdi>"));
        audit.remote = Some("javascript://github.com/%0aalert(1)".into());
        assert_eq!(links(&audit), [""; 0]);
    }

    #[test]
    fn every_link_leads_to_a_place_that_is_there_once() {
        for audit in [sample::suppressed(), sample::many(2_000)] {
            let elements = tokens(&told(&audit, &Options::default())).0;
            let attributes = elements.iter().flat_map(|it| &it.1);
            let mut ids: Vec<&str> =
                attributes.clone().filter(|it| it.0 == "id").map(|it| it.1.as_str()).collect();
            ids.sort_unstable();
            assert!(ids.windows(2).all(|pair| pair[0] != pair[1]));
            let targets = attributes.filter_map(|(key, value)| {
                let labels = key == "aria-labelledby" || key == "for";
                let target = if labels { Some(value.as_str()) } else { value.strip_prefix('#') };
                target.filter(|_| labels || key == "href")
            });
            for target in targets {
                assert!(ids.binary_search(&target).is_ok(), "{target}");
            }
        }
    }

    #[test]
    fn the_picture_stays_small_however_many_claims_there_are() {
        let page = page(&sample::many(2_000), &Options::default());
        let marks = page.matches("data-claims=").count();
        assert!((1..500).contains(&marks), "{marks}");
    }

    #[test]
    fn an_audit_that_contradicts_itself_is_still_written() {
        let mut audit = sample::audit();
        audit.facts.clear();
        audit.pitfalls.clear();
        let options = Options {
            comparison: Some(Comparison { turned: vec![999], ..Comparison::default() }),
            ..Options::default()
        };
        assert!(page(&audit, &options).contains("</html>"));
        assert!(page(&audit, &Options::default()).contains("a commit of which nothing is known"));
    }
}
