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
use super::{Options, Receipts, basis, escape, sum};
use crate::texts;
use crate::verdict::Audit;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What the page may load and run: nothing but its own style and its own script, known by their
/// digests. A test recomputes them and tells the new ones.
const STYLE_DIGEST: &str = "sha256-CUjtk2cVyVJFHPLMyppPort8JQdFYXHPxPhCrKulFVE=";
const SCRIPT_DIGEST: &str = "sha256-JbdJGfZQ2KumUsslCvZ3kDng5mMjD48MClihVybuMVk=";

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    words: Words,
    style: &'static str,
    script: &'static str,
    policy: String,
    repository: String,
    rev: String,
    sum: String,
    basis: String,
    clean: bool,
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
    let words = Words { language: options.language, receipts: Receipts::new(audit) };
    let groups = list::groups(audit, options, words);
    let shown: Vec<usize> = groups.iter().flat_map(|group| group.indices.clone()).collect();
    let leads = super::leads(audit).count();
    let page = Page {
        words,
        style: STYLE,
        script: SCRIPT,
        policy: policy(),
        repository: escape::cut(&options.repository, escape::TEXT_LIMIT),
        rev: words.receipts.short(audit.rev),
        sum: sum(audit, options.language),
        basis: basis(audit, words.receipts, options.language),
        clean: leads == 0 && !audit.claims.is_empty() && audit.caveats.is_empty(),
        figures: figures(audit, words),
        caveats: audit
            .caveats
            .iter()
            .map(|it| Caveat { code: it.code, message: card::shown(&it.message) })
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
    page.write_into(out)
}

fn figures(audit: &Audit, words: Words) -> Vec<Figure> {
    let count =
        |class: &str| audit.claims.iter().filter(|judged| card::standing(judged) == class).count();
    let figure = |class, id: &str, number| Figure { class, number, label: words.text(id) };
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
