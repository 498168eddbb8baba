//! The report as a comment on a pull request, for GitHub, GitLab and Gitea.
//!
//! A hidden marker first, by which a later run finds the comment again. Then what matters most,
//! and behind it what there is room for: a comment that is too long is refused as a whole.

mod inline;
mod page;
mod row;

use std::collections::BTreeSet;
use std::io::{self, Write};

use self::inline::{block, code, link, prose, short_code};
use self::page::Page;
use super::forge::Forge;
use super::group::{Group, Stack, groups};
use super::{Options, Receipts, caveat_words, effect_word, escape, leads, suppressed, word};
use crate::compare::Comparison;
use crate::documents::Lines;
use crate::history::ObjectId;
use crate::texts::{Language, Message, text};
use crate::verdict::{Audit, JudgedClaim};

/// First line of the comment.
const MARKER: &str = "<!-- claim-audit -->\n";

/// Longest comment in bytes. GitHub takes 65,536 characters.
const LIMIT: usize = 65_000;

/// Kept free for closing what is open, and for saying what was left out.
const KEPT: usize = 1_000;

/// Leads that are seen without unfolding.
const OPEN: usize = 20;

/// Caveats that are printed one by one, and the columns of each.
const CAVEATS: usize = 10;
const CAVEAT: usize = 300;

/// Columns of a path, and of the names of all rule packs together.
const PATH: usize = 100;
const PACKS: usize = 200;

/// What every part of the comment reads.
#[derive(Clone, Copy)]
struct Context<'a> {
    audit: &'a Audit,
    receipts: Receipts,
    forge: Option<Forge<'a>>,
    language: Language,
}

impl Context<'_> {
    fn say(self, message: &Message) -> String {
        inline::message(message, self.language)
    }

    /// A place at the audited commit.
    fn place(self, path: &str, lines: Lines) -> String {
        let label = code(&format!("{}:{}", escape::cut(path, PATH), lines.start));
        link(&label, self.forge.and_then(|it| it.lines(self.audit.rev, path, lines)))
    }

    fn commit(self, commit: ObjectId) -> String {
        link(&code(&self.receipts.short(commit)), self.forge.map(|it| it.commit(commit)))
    }
}

/// Writes the comment.
pub(super) fn write(audit: &Audit, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let forge = audit.remote.as_deref().and_then(Forge::of);
    let context =
        Context { audit, receipts: Receipts::new(audit), forge, language: options.language };
    let closing = closing(context);
    let mut page = Page::new(LIMIT - KEPT.min(LIMIT) - closing.len().min(LIMIT - KEPT));
    let mut left = Left::default();
    let head = format!("{MARKER}### {}\n\n{}", headline(context, options), caveats(context));
    if page.add(&head) {
        match &options.comparison {
            None => whole(&mut page, context, &mut left),
            Some(change) => changed(&mut page, context, change, &mut left),
        }
    }
    out.write_all(page.into_text().as_bytes())?;
    out.write_all(left.say(context).as_bytes())?;
    out.write_all(closing.as_bytes())
}

/// What did not fit.
#[derive(Default)]
struct Left {
    claims: usize,
    receipts: usize,
}

impl Left {
    fn say(&self, context: Context<'_>) -> String {
        if self.claims + self.receipts == 0 {
            return String::new();
        }
        let message =
            Message::new("comment-cut").with("claims", self.claims).with("receipts", self.receipts);
        format!("**{}**\n\n", context.say(&message))
    }
}

fn headline(context: Context<'_>, options: &Options) -> String {
    let message = match &options.comparison {
        Some(change) => {
            let parts = [
                ("comment-change-new", change.new_leads.len()),
                ("comment-change-turned", change.turned.len()),
                ("comment-change-cleared", change.cleared.len()),
                ("comment-change-lapsed", change.lapsed.len()),
            ];
            let parts: Vec<Message> = parts
                .into_iter()
                .filter(|(_, count)| *count > 0)
                .map(|(id, count)| Message::new(id).with("count", count))
                .collect();
            Message::new("comment-change").with("parts", parts)
        }
        None => Message::new("comment-headline")
            .with("claims", context.audit.claims.len())
            .with("leads", leads(context.audit).count())
            .with("suppressed", suppressed(context.audit).count())
            .with("caveats", context.audit.caveats.len()),
    };
    context.say(&message)
}

fn caveats(context: Context<'_>) -> String {
    let all = &context.audit.caveats;
    let mut lines: Vec<String> = all
        .iter()
        .take(CAVEATS)
        .map(|it| {
            format!(
                "> **{}**: {}\n",
                it.code,
                prose(&escape::cut(&caveat_words(it, context.language), CAVEAT))
            )
        })
        .collect();
    if all.len() > CAVEATS {
        let more = Message::new("comment-more-caveats").with("count", all.len() - CAVEATS);
        lines.push(format!("> {}\n", context.say(&more)));
    }
    // A line of a quote that is followed by another would run on in the same paragraph.
    let text = lines.join(">\n");
    if text.is_empty() { text } else { format!("{text}\n") }
}

/// Everything that the audit has to say.
fn whole(page: &mut Page, context: Context<'_>, left: &mut Left) {
    let leads: Vec<&JudgedClaim> = leads(context.audit).collect();
    let groups = groups(&leads);
    tables(page, context, &groups, Known::Before, left);
    let rows: Vec<String> = suppressed(context.audit)
        .map(|(judged, suppression)| row::suppressed(context, judged, suppression))
        .collect();
    if !rows.is_empty() {
        let title = Message::new("comment-suppressed").with("count", rows.len());
        let open = format!("<details><summary>{}</summary>\n\n", context.say(&title));
        folded(page, open + &head(context, ["claim", "by", "reason"]), &rows, left);
    }
    receipts(page, context, &groups, left);
}

/// What a change did, and nothing else.
fn changed(page: &mut Page, context: Context<'_>, change: &Comparison, left: &mut Left) {
    let claims = |indices: &[usize]| -> Vec<&JudgedClaim> {
        indices.iter().filter_map(|it| context.audit.claims.get(*it)).collect()
    };
    let (new, turned, cleared) =
        (claims(&change.new_leads), claims(&change.turned), claims(&change.cleared));
    let (new, turned) = (groups(&new), groups(&turned));
    for (id, groups, known) in
        [("comment-new", &new, Known::Before), ("comment-turned", &turned, Known::Now)]
    {
        let title = text(context.language, id);
        if !groups.is_empty() && page.add(&format!("#### {title}\n\n")) {
            tables(page, context, groups, known, left);
        }
    }
    if !cleared.is_empty() {
        let rows: Vec<String> = cleared.iter().map(|it| row::cleared(context, it)).collect();
        listed(page, context, "comment-cleared", ["claim", "retested", "how"], rows, left);
    }
    let lapsed = claims(&change.lapsed);
    if !lapsed.is_empty() {
        let rows: Vec<String> = lapsed.iter().map(|it| row::lapsed(context, it)).collect();
        listed(page, context, "comment-lapsed", ["claim", "tested"], rows, left);
    }
    let groups: Vec<Group<'_>> = new.into_iter().chain(turned).collect();
    receipts(page, context, &groups, left);
}

/// A table under a title.
fn listed<const N: usize>(
    page: &mut Page,
    context: Context<'_>,
    title: &'static str,
    columns: [&str; N],
    rows: Vec<String>,
    left: &mut Left,
) {
    let title = text(context.language, title);
    let mut open = format!("#### {title}\n\n{}", head(context, columns));
    for row in rows {
        left.claims += usize::from(!page.add(&format!("{open}{row}")));
        open.clear();
    }
    let _ = page.add("\n");
}

/// Whether a pitfall was known before or is what the change brought.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Before,
    Now,
}

/// A table for each pitfall; behind the first leads everything is folded.
fn tables(
    page: &mut Page,
    context: Context<'_>,
    groups: &[Group<'_>],
    known: Known,
    left: &mut Left,
) {
    let all: usize = groups.iter().map(Group::leads).sum();
    let columns = head(context, ["claim", "tested", "why"]);
    let (mut told, mut folded) = (0, false);
    for group in groups {
        let mut open = pitfall(context, group, known) + &columns;
        for judged in group.stacks.iter().flat_map(Stack::claims) {
            if told == OPEN && !folded {
                let more = Message::new("comment-more-leads").with("count", all - told);
                let table = if open.is_empty() { &columns } else { &open };
                open = format!("\n<details><summary>{}</summary>\n\n{table}", context.say(&more));
                folded = true;
            }
            if page.add(&format!("{open}{}", row::lead(context, judged, group.pitfall))) {
                told += 1;
                open.clear();
            }
        }
        let _ = page.add("\n");
    }
    left.claims += all - told;
    if folded && told > OPEN {
        page.close("\n</details>\n\n");
    }
}

/// What is said above the table of a pitfall's leads.
fn pitfall(context: Context<'_>, group: &Group<'_>, known: Known) -> String {
    let Some(pitfall) = group.pitfall.and_then(|it| context.audit.pitfalls.get(it)) else {
        return String::new();
    };
    let lineage = &pitfall.lineage;
    let entry = &lineage.pitfall;
    let trigger = entry.triggers.first().map_or(entry.text.as_str(), String::as_str);
    let id = if known == Known::Now { "comment-pitfall-now" } else { "comment-pitfall-before" };
    // The parts are Markdown already, so they go in as they are.
    let what = Message::new("comment-pitfall")
        .with("needed", entry.needed)
        .with("trigger", short_code(trigger, escape::LINE_LIMIT))
        .with("effect", word(context.language, "effect", effect_word(entry.effect)))
        .with("place", context.place(&lineage.path, entry.lines))
        .with("commit", row::sighting(context, &lineage.introduced))
        .say(context.language);
    let said = Message::new(id)
        .with("count", group.leads())
        .with("needed", entry.needed)
        .say(context.language);
    let quote = short_code(&entry.text, escape::TEXT_LIMIT);
    let between = text(context.language, "sentence-separator");
    format!("{what}{between}{said}\n\n> {quote}\n\n")
}

/// The commands that show what the tables say, folded.
fn receipts(page: &mut Page, context: Context<'_>, groups: &[Group<'_>], left: &mut Left) {
    let title = text(context.language, "comment-receipts");
    let mut open = format!("<details><summary>{title}</summary>\n\n");
    let mut opened = false;
    for stack in groups.iter().flat_map(|group| &group.stacks) {
        if page.add(&format!("{open}{}", shown(context, stack))) {
            opened = true;
            open.clear();
        } else {
            left.receipts += stack.len();
        }
    }
    if opened {
        page.close("</details>\n\n");
    }
}

fn shown(context: Context<'_>, stack: &Stack<'_>) -> String {
    let places: Vec<String> =
        stack.claims().map(|it| context.place(&it.lineage.path, it.lineage.claim.lines)).collect();
    let mut seen = BTreeSet::new();
    let reasons = stack.claims().flat_map(|it| &it.reasons);
    let commands: Vec<String> = reasons
        .flat_map(|it| &it.receipts)
        .map(|it| context.receipts.command(it))
        .filter(|it| seen.insert(it.clone()))
        .collect();
    let said: Vec<String> = stack.first.reasons.iter().map(|it| context.say(&it.message)).collect();
    let block = if commands.is_empty() { String::new() } else { block(&commands) + "\n" };
    let between = text(context.language, "sentence-separator");
    format!("{}: {}\n\n{block}", places.join(", "), said.join(&between))
}

fn folded(page: &mut Page, mut open: String, rows: &[String], left: &mut Left) {
    let mut told = 0;
    for row in rows {
        if page.add(&format!("{open}{row}")) {
            told += 1;
            open.clear();
        }
    }
    left.claims += rows.len() - told;
    if told > 0 {
        page.close("\n</details>\n\n");
    }
}

/// The first two lines of a table; the names are ends of text ids.
fn head<const N: usize>(context: Context<'_>, columns: [&str; N]) -> String {
    let names = columns.map(|it| text(context.language, &format!("comment-column.{it}")));
    format!("| {} |\n{}|\n", names.join(" | "), "|---".repeat(N))
}

/// What a verdict means, what to do, and what all of it rests on.
fn closing(context: Context<'_>) -> String {
    let audit = context.audit;
    let count = |id, count: usize| Message::new(id).with("count", count).say(context.language);
    let basis = Message::new("comment-basis")
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("commits", count("commits", audit.commits))
        .with("documents", count("documents", audit.documents));
    let packs = short_code(&audit.packs.join(", "), PACKS);
    format!(
        "<sub>{} {} {}</sub>\n",
        text(context.language, "comment-meaning"),
        basis.say(context.language),
        [context.commit(audit.rev), packs].join(" · "),
    )
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Parser, Tag};

    use super::*;
    use crate::report::sample;
    use crate::verdict::Verdict;

    fn told(audit: &Audit, options: &Options) -> String {
        let mut out = Vec::new();
        write(audit, options, &mut out).unwrap();
        let version = format!("claim-audit {} ", env!("CARGO_PKG_VERSION"));
        String::from_utf8(out).unwrap().replace(&version, "claim-audit 0.0.0 ")
    }

    fn on_a_forge(audit: Audit) -> Audit {
        Audit { remote: Some("https://github.com/lab/kestrel".into()), ..audit }
    }

    #[test]
    fn the_sample_on_a_forge() {
        insta::assert_snapshot!(told(&on_a_forge(sample::suppressed()), &Options::default()));
    }

    #[test]
    fn the_sample_in_chinese() {
        let change = Comparison {
            new_leads: vec![0],
            turned: vec![2, 3],
            cleared: vec![4],
            ..Comparison::default()
        };
        let options = Options { language: Language::Chinese, ..Options::default() };
        insta::assert_snapshot!(told(&sample::suppressed(), &options));
        let options = Options { comparison: Some(change), ..options };
        insta::assert_snapshot!(told(&sample::audit(), &options));
    }

    #[test]
    fn the_sample_without_a_forge() {
        insta::assert_snapshot!(told(&sample::audit(), &Options::default()));
    }

    #[test]
    fn a_change_is_told_in_three_parts() {
        let change = Comparison {
            new_leads: vec![0],
            turned: vec![2, 3],
            cleared: vec![4],
            ..Comparison::default()
        };
        let mut audit = on_a_forge(sample::audit());
        audit.claims[4].verdict = Verdict::Evidence;
        let options = Options { comparison: Some(change), ..Options::default() };
        insta::assert_snapshot!(told(&audit, &options));
        let nothing = Options { comparison: Some(Comparison::default()), ..Options::default() };
        insta::assert_snapshot!(told(&audit, &nothing));
    }

    #[test]
    fn what_is_needed_is_not_to_be_avoided() {
        let mut audit = sample::audit();
        audit.pitfalls.iter_mut().for_each(|it| it.lineage.pitfall.needed = true);
        let change = Comparison { new_leads: vec![0], turned: vec![2, 3], ..Comparison::default() };
        let options = Options { comparison: Some(change), ..Options::default() };
        for text in [told(&audit, &Options::default()), told(&audit, &options)] {
            assert!(text.contains("Needed, since") && !text.contains("To avoid"), "{text}");
            assert!(!text.contains("again without it"), "{text}");
        }
    }

    #[test]
    fn headlines_do_not_call_suppressed_leads_evidence() {
        let headline = |audit: &Audit| {
            let text = told(audit, &Options::default());
            text.lines().nth(1).unwrap().to_owned()
        };
        let mut audit = sample::audit();
        assert_eq!(headline(&audit), "### 5 of 8 claims are leads, not evidence");
        audit.claims.truncate(1);
        assert_eq!(headline(&audit), "### 1 of 1 claim is a lead, not evidence");
        assert_eq!(headline(&sample::empty()), "### No claim was found, so nothing was judged");
        let mut audit = sample::audit();
        audit.claims.retain(|it| it.verdict == Verdict::Evidence);
        let stand = "### All 3 claims stand as evidence";
        assert_eq!(headline(&audit), format!("{stand} as far as the history could be read"));
        audit.caveats.clear();
        assert_eq!(headline(&audit), stand);
        let mut audit = sample::suppressed();
        audit.claims.retain(|it| it.verdict == Verdict::Evidence || it.suppression.is_some());
        assert!(headline(&audit).ends_with("are leads that are known and suppressed"));
    }

    #[test]
    fn hostile_text_stays_text() {
        let mut audit = on_a_forge(sample::hostile());
        let evil = "`|\\| @all #1 <img src=x> ![](http://x) </details> <!-- --> www.x.y";
        for text in
            [&mut audit.caveats[0].message, &mut audit.packs[0], &mut audit.facts[0].summary]
        {
            text.insert_str(0, evil);
        }
        for judged in &mut audit.claims {
            judged.lineage.path.insert_str(0, evil);
            judged.lineage.claim.text.insert_str(0, evil);
        }
        let text = told(&audit, &Options::default());
        assert!(text.chars().all(|c| c == '\n' || !escape::is_hostile(c)), "{text}");
        let options = pulldown_cmark::Options::ENABLE_TABLES;
        for event in Parser::new_ext(&text, options) {
            match event {
                Event::Html(html) | Event::InlineHtml(html) => {
                    let ours = ["<!-- claim-audit -->", "<br>", "<sub>", "</sub>", "</details>"];
                    let html = html.trim();
                    let summary = html.starts_with("<details><summary>Receipts")
                        || html.starts_with("<details><summary>1 more");
                    assert!(ours.contains(&html) || summary, "{html}");
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    assert!(dest_url.starts_with("https://github.com/lab/kestrel/"), "{dest_url}");
                }
                Event::Start(Tag::Image { .. }) => panic!("an image in {text}"),
                Event::Text(text) => {
                    assert!(!text.contains("@all") && !text.contains("#1 "), "{text}");
                }
                _ => {}
            }
        }
    }

    #[test]
    fn a_long_comment_is_cut_between_rows_and_says_so() {
        for rows in [25, 60, 5_000] {
            let mut audit = on_a_forge(sample::many(rows));
            for judged in &mut audit.claims {
                judged.lineage.claim.text.push_str(&"三".repeat(200));
            }
            let text = told(&audit, &Options::default());
            assert!(text.len() <= LIMIT, "{}", text.len());
            assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
            let shown = text.matches("<br>`").count();
            let left = usize::try_from(rows).unwrap() - shown;
            assert_eq!(left > 0, rows > 60, "{left} of {rows}");
            let told = format!("{left} claims and the receipts of {rows} claims");
            assert_eq!(text.contains(&told), left > 0, "{rows}: {left}");
        }
        let mut audit = sample::hostile();
        let long = "😀".repeat(100_000);
        for text in [&mut audit.caveats[0].message, &mut audit.packs[0]] {
            text.push_str(&long);
        }
        audit.caveats = vec![audit.caveats[0].clone(); 1_000];
        for judged in &mut audit.claims {
            judged.lineage.path.push_str(&long);
            judged.lineage.claim.text.push_str(&long);
        }
        let text = told(&audit, &Options::default());
        assert!(text.len() <= LIMIT, "{}", text.len());
        assert!(text.contains("990 more caveats"));
    }
}
