//! Tables: which columns hold outcomes, numbers and conditions, and what each row claims.

use std::collections::BTreeSet;
use std::ops::Range;

use super::claim::{self, Setting};
use super::column::{Column, Content, are_levels, column};
use super::frame::bare;
use super::matching::Sentence;
use super::number;
use super::occasion;
use super::reading::Reading;
use super::subject::{Tokens, key};
use super::trace::Tracer;
use super::{Assertion, Basis, Claim, Dimension, Hedge, Kind, Quantity};
use crate::documents::{Row, Table};
use crate::rules::{Mark, Matcher, Place, Role, RuleSet};

/// Header cells that read as numbers or sizes from which a table counts as transposed.
const TRANSPOSED: usize = 3;

/// Numbers of a row that go on by equal steps from which they are labels.
const STEPS: usize = 4;

/// A table with what its header says.
pub(super) struct Plan<'a> {
    table: &'a Table,
    header: Vec<Reading>,
    columns: Vec<Column>,
    /// The cells of each row.
    cells: Vec<Vec<Reading>>,
    /// By row: the row above it whose first cell its own empty one goes on with.
    above: Vec<Option<usize>>,
    /// Columns whose title names a unit that only measurements have.
    measured: Vec<bool>,
    /// Columns whose numbers are what was reached and held.
    held: Vec<bool>,
    /// Ticks in several columns, none of which is called an outcome: what has which feature.
    matrix: bool,
    /// Configurations down, conditions across: every bare number is measured.
    transposed: bool,
    /// A table of what was done when.
    diary: bool,
    /// A table of settings or descriptions.
    settings: bool,
    /// A table of things to avoid.
    pub(super) pitfalls: bool,
    /// Beside the symptom or the thing its rows name cause and remedy.
    pub(super) causes: bool,
    /// Columns that tell what to do instead.
    remedies: Vec<bool>,
}

impl<'a> Plan<'a> {
    /// Reads a table's header, and its cells where the header does not tell.
    pub(super) fn new(table: &'a Table, rules: &RuleSet) -> Plan<'a> {
        let header: Vec<Reading> = table.header.iter().map(Reading::new).collect();
        let names: Vec<String> = header.iter().map(|cell| bare(&cell.shown)).collect();
        let knows = &rules.tables;
        let transposed =
            names.iter().skip(1).filter(|name| is_level(name, rules)).count() >= TRANSPOSED;
        let cells: Vec<Vec<Reading>> =
            table.rows.iter().map(|row| row.cells.iter().map(Reading::new).collect()).collect();
        let above = goes_on(&cells);
        let (columns, contents): (Vec<Column>, Vec<Content>) = names
            .iter()
            .enumerate()
            .map(|(index, name)| {
                let below: Vec<&Reading> = cells.iter().filter_map(|row| row.get(index)).collect();
                column(name, index, &below, rules)
            })
            .unzip();
        // The first column names what the row is about, whatever it is called.
        let settings = names.iter().skip(1).any(|name| knows.setting.is_match(name));
        let measured: Vec<bool> =
            header.iter().map(|cell| number::names_measured_unit(&cell.norm, rules)).collect();
        // Who did what at which hour: nothing in it was found.
        let diary = contents.contains(&Content::When)
            && !contents.contains(&Content::Exact)
            && !columns.contains(&Column::Outcome)
            && !measured.contains(&true);
        let held = names.iter().map(|name| knows.success.is_match(name)).collect();
        let ticks = |index: &usize| {
            let cells = table.rows.iter().filter_map(|row| row.cells.get(*index));
            let ticked = cells.filter(|cell| {
                mark(cell.plain.trim(), rules)
                    .is_some_and(|(word, mark)| !word && mark != Mark::Untested)
            });
            ticked.count() >= 2
        };
        let open = |index: &usize| columns.get(*index) != Some(&Column::Outcome);
        let matrix = (1..names.len()).all(|index| open(&index))
            && (1..names.len()).filter(ticks).count() >= 2;
        let pitfalls = names.iter().any(|name| knows.pitfall.is_match(name));
        let of_trouble = |name: &&String| knows.pitfall.is_match(name.as_str());
        let causes = names.iter().filter(of_trouble).count() > 1;
        let pitfalls =
            pitfalls && (causes || !names.first().is_some_and(|name| knows.pitfall.is_match(name)));
        let remedies = names.iter().map(|name| knows.remedy.is_match(name)).collect();
        Plan {
            table,
            header,
            columns,
            cells,
            above,
            measured,
            held,
            matrix,
            transposed,
            diary,
            settings,
            pitfalls,
            causes,
            remedies,
        }
    }

    /// Cells of a row that tell of the trouble, not of what to do instead; none where no column does.
    pub(super) fn troubles(&self, cells: &[Reading]) -> Vec<Reading> {
        if !self.remedies.contains(&true) {
            return Vec::new();
        }
        let kept = cells.iter().zip(&self.remedies).filter(|(_, remedy)| !**remedy);
        kept.map(|(cell, _)| cell.clone()).collect()
    }

    /// What its columns were taken for, in words.
    pub(super) fn described(&self) -> String {
        let columns: Vec<String> = self
            .header
            .iter()
            .zip(&self.columns)
            .map(|(title, column)| {
                let what = column.name();
                format!("{} = {what}", title.shown.trim())
            })
            .collect();
        let kind = match (self.pitfalls, self.settings, self.transposed) {
            (true, ..) => "; a table of things to avoid",
            (_, true, _) => "; a table of settings",
            (_, _, true) => "; conditions stand across",
            _ => "",
        };
        format!("{}{kind}", columns.join(" | "))
    }

    /// Titles of its columns.
    pub(super) fn header(&self) -> &[Reading] {
        &self.header
    }

    /// Rows with their cells read.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&'a Row, &[Reading])> + '_ {
        self.table.rows.iter().zip(self.cells.iter().map(Vec::as_slice))
    }

    /// The claim of one row, if it makes one. `cells` are its cells as they are to be read.
    pub(super) fn claim(
        &self,
        rules: &RuleSet,
        number: usize,
        cells: &[Reading],
        setting: Setting<'_>,
        caption: &str,
    ) -> Option<Claim> {
        let row = self.table.rows.get(number)?;
        if setting.tells_nothing() || setting.role == Some(Role::Plan) {
            setting.trace.note("decision", || claim::no_place(setting));
            return None;
        }
        if self.matrix
            && setting.role != Some(Role::Results)
            && !self.tells_trials(rules, setting, caption)
        {
            let why = "nothing: ticks in several columns that no word calls results";
            setting.trace.note("decision", || why.to_owned());
            return None;
        }
        let joined = Reading::joined(cells);
        if number::is_data(&joined.norm) {
            setting.trace.note("decision", || "nothing: so many numbers are data".to_owned());
            return None;
        }
        let sentence = Sentence::whole(&joined, rules);
        let found = self.outcome(rules, cells, setting, caption);
        if found.is_none() {
            let why = if self.settings { ": a table of settings" } else { "" };
            setting.trace.note("decision", || format!("the row states no outcome{why}"));
        }
        let mut found = found?;
        setting.trace.note("decision", || {
            let columns = self.titles(&found.cells);
            format!("{} by `{}` in column \"{columns}\"", found.kind.name(), found.rule)
        });
        let told_in_words = found.kind == Kind::Success && !found.marked;
        if told_in_words && claim::numbers_are_the_point(rules, &joined, &sentence.range) {
            found.kind = Kind::Measurement;
            setting.trace.note("decision", || "its numbers are the point".to_owned());
        }
        let mut doubt = claim::doubt(rules, &joined, &sentence, None, setting.trace);
        if !doubt.hedges.is_empty() {
            doubt.hedges = self.hedges(rules, &joined, cells, &found);
        }
        if doubt.void {
            setting.trace.note("decision", || "withdrawn: no claim".to_owned());
            return None;
        }
        let subject_cells: Vec<&Reading> = self
            .above(number)
            .into_iter()
            .map(|above| (0, above))
            .chain(cells.iter().enumerate())
            .filter(|(index, _)| !found.cells.contains(index))
            .filter(|(index, _)| {
                !matches!(
                    self.columns.get(*index),
                    Some(Column::Note | Column::Other | Column::Number)
                )
            })
            .map(|(_, cell)| cell)
            .filter(|cell| !cell.norm.trim().is_empty())
            .collect();
        let shown = |cells: &[&Reading]| {
            cells.iter().map(|cell| cell.shown.trim()).collect::<Vec<_>>().join(", ")
        };
        let subject = shown(&subject_cells);
        let whole = |cell: &Reading| Tokens::new(cell, &(0..cell.norm.len()), rules);
        let mut lines: Vec<String> =
            cells.iter().map(|cell| whole(cell).line()).filter(|line| !line.is_empty()).collect();
        lines.extend(self.above(number).map(|above| whole(above).line()));
        lines.sort();
        // A row that says little is known by where it stands.
        let poor = lines.iter().map(String::len).sum::<usize>() < 12 || found.values.is_empty();
        let section = setting.path.last().map(|title| bare(title)).unwrap_or_default();
        let place = if poor { section.as_str() } else { "" };
        let kind = claim::kind_name(found.kind);
        let mut subject_lines: Vec<String> =
            subject_cells.iter().map(|c| whole(c).line()).collect();
        subject_lines.sort();
        let tokens = Tokens::new(&joined, &(0..joined.norm.len()), rules);
        let inherited = self.above(number).map(|above| whole(above).terms).unwrap_or_default();
        let terms: BTreeSet<String> = tokens.terms.iter().cloned().chain(inherited).collect();
        let parts = [kind, place].into_iter().chain(lines.iter().map(String::as_str));
        let lasting: Vec<&Reading> = subject_cells
            .iter()
            .copied()
            .filter(|cell| occasion::of_cell(cell).is_none())
            .collect();
        let numerals = number::numerals(&shown(&lasting), rules);
        let titled = found.cells.first().and_then(|index| self.header.get(*index));
        let metric = titled.map(|title| whole(title).topic()).unwrap_or_default();
        let topic = tokens.topic().into_iter().chain(metric.iter().copied());
        Some(
            Assertion {
                kind: found.kind,
                subject: if subject.is_empty() { caption.to_owned() } else { subject },
                text: joined.shown.trim().to_owned(),
                section: setting.path.to_vec(),
                key: key(parts),
                subject_key: key([section.as_str()]
                    .into_iter()
                    .chain(subject_lines.iter().map(String::as_str))),
                words: tokens.hashes(),
                topic: topic.collect::<BTreeSet<_>>().into_iter().collect(),
                metric,
                values: found.values,
                numerals,
                occasion: occasion::of_row(
                    rules,
                    cells,
                    &lasting,
                    setting.path.last().map(String::as_str),
                ),
                hedges: doubt.hedges,
                effects: claim::effects(rules, &joined, &sentence),
                phases: claim::phases(
                    rules,
                    &format!("{} {}", joined.norm, self.titles(&found.cells)),
                ),
                identifiers: claim::identifiers(&joined, &(0..joined.norm.len())),
                own_cause: doubt.cause,
                basis: Basis::default(),
                rule: found.rule,
                terms: terms.into_iter().collect(),
            }
            .at(row.lines),
        )
    }

    /// What a row whose first cell is empty is about: the first cell of the nearest row above it that
    /// has one.
    fn above(&self, number: usize) -> Option<&Reading> {
        let at = self.above.get(number).copied().flatten()?;
        self.cells.get(at)?.first()
    }

    /// The hedges of a row, each of its own cell. Those of what the row is about, of its outcome and
    /// of remarks are of the outcome; what another column says stands aside.
    fn hedges(
        &self,
        rules: &RuleSet,
        joined: &Reading,
        cells: &[Reading],
        found: &RowOutcome,
    ) -> Vec<Hedge> {
        let filled = (0..cells.len()).filter(|index| !cells[*index].norm.is_empty());
        let of_cell = |(index, sentence): (usize, &Sentence)| {
            let column = self.columns.get(index);
            let near = index == 0
                || found.cells.contains(&index)
                || matches!(column, Some(Column::Condition | Column::Note));
            let said = claim::doubt(rules, joined, sentence, None, Tracer::default()).hedges;
            said.into_iter()
                .map(move |hedge| Hedge { aside: hedge.aside || !near, ..hedge })
                .collect::<Vec<_>>()
        };
        let sentences = Sentence::of_cells(joined, cells, rules);
        filled.zip(&sentences).flat_map(of_cell).collect()
    }

    fn outcome(
        &self,
        rules: &RuleSet,
        cells: &[Reading],
        setting: Setting<'_>,
        caption: &str,
    ) -> Option<RowOutcome> {
        let mut best: Option<RowOutcome> = None;
        let properties = self.lists_properties(rules, setting, caption);
        if properties {
            let why = "its numbers are properties of things, not results: so say header or caption";
            setting.trace.note("columns", || why.to_owned());
        }
        let numbers = (!properties).then(|| self.numbers(rules, cells, setting)).flatten();
        for (index, cell) in cells.iter().enumerate() {
            let column = self.columns.get(index).copied().unwrap_or(Column::Open);
            let in_outcome = column == Column::Outcome;
            let text = cell.norm.trim();
            if index == 0 && !in_outcome {
                continue;
            }
            // "🔴FAST" colours a name.
            let mark = mark(text, rules)
                .filter(|(word, _)| in_outcome || !word && !is_coloured(text, column));
            let symbol = mark.is_some_and(|(word, _)| !word);
            match mark.map(|(_, mark)| mark) {
                Some(Mark::Untested) if in_outcome => return None,
                Some(Mark::Failure) if (!self.settings && !setting.trials_only) || in_outcome => {
                    return Some(RowOutcome::of(
                        Kind::Failure,
                        "table.mark",
                        index,
                        self,
                        rules,
                        cells,
                    ));
                }
                Some(Mark::Success) if !self.settings || in_outcome => {
                    let said =
                        RowOutcome::of(Kind::Success, "table.mark", index, self, rules, cells);
                    best = best.or(Some(RowOutcome { marked: symbol, ..said }));
                    continue;
                }
                _ => {}
            }
            if matches!(column, Column::Other | Column::Condition) && !self.settings {
                continue;
            }
            let role = if in_outcome { Some(Role::Results) } else { setting.role };
            let here = Setting { place: Place::Cell, role, ..setting };
            for sentence in Sentence::all(cell, rules) {
                let Some(outcome) = claim::outcome(rules, cell, sentence, here) else { continue };
                if outcome.kind == Kind::Measurement {
                    continue;
                }
                // A remark beside the numbers does not turn them into an outcome.
                if column == Column::Note && numbers.is_some() {
                    continue;
                }
                if best.is_none() {
                    best = Some(RowOutcome::of(
                        outcome.kind,
                        &outcome.rule,
                        index,
                        self,
                        rules,
                        cells,
                    ));
                }
            }
        }
        best.or(numbers)
    }

    /// A specification or a pin map: its numbers are properties of things, not results of trials.
    fn lists_properties(&self, rules: &RuleSet, setting: Setting<'_>, caption: &str) -> bool {
        let described = matches!(setting.role, Some(Role::Background | Role::Instructions))
            && !self.measured.contains(&true);
        (described || self.says(&rules.tables.property, setting, caption))
            && !self.tells_trials(rules, setting, caption)
    }

    /// Header, caption or title speak of results.
    fn tells_trials(&self, rules: &RuleSet, setting: Setting<'_>, caption: &str) -> bool {
        self.says(&rules.tables.trial, setting, caption)
    }

    fn says(&self, pattern: &Matcher, setting: Setting<'_>, caption: &str) -> bool {
        let title = setting.path.last().map(String::as_str).unwrap_or_default();
        let header = self.header.iter().map(|cell| cell.norm.as_str());
        header.chain([title, caption]).any(|text| pattern.is_match(text))
    }

    /// Titles of some columns.
    fn titles(&self, columns: &[usize]) -> String {
        let titles = columns.iter().filter_map(|index| self.header.get(*index));
        titles.map(|title| title.norm.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The row as a measurement.
    fn numbers(
        &self,
        rules: &RuleSet,
        cells: &[Reading],
        setting: Setting<'_>,
    ) -> Option<RowOutcome> {
        let (values, used) = self.values(rules, cells);
        if self.diary || counts_on(&values) {
            return None;
        }
        let told = matches!(setting.role, Some(Role::Results | Role::Failures | Role::Limits));
        let telling = used.iter().any(|(index, measured, ratio)| {
            let column = self.columns.get(*index).copied().unwrap_or(Column::Open);
            match column {
                Column::Number | Column::Outcome => true,
                _ => *measured || self.transposed || (!self.settings && (told || *ratio)),
            }
        });
        let settings = self.settings || cells.first().is_some_and(names_setting);
        let held = used.iter().any(|(index, ..)| self.held.get(*index) == Some(&true));
        let plain = held || !settings || used.iter().any(|(_, measured, _)| *measured);
        (!values.is_empty() && telling && plain).then(|| RowOutcome {
            kind: if held { Kind::Success } else { Kind::Measurement },
            rule: "table.numbers".to_owned(),
            cells: used.iter().map(|(index, ..)| *index).collect(),
            values,
            // The numbers of such a column are what was reached.
            marked: held,
        })
    }

    /// Numbers of a row: `(column, has a telling unit, is a ratio)` for each cell used.
    fn values(
        &self,
        rules: &RuleSet,
        cells: &[Reading],
    ) -> (Vec<Quantity>, Vec<(usize, bool, bool)>) {
        let mut values = Vec::new();
        let mut used = Vec::new();
        for (index, cell) in cells.iter().enumerate().skip(1) {
            let column = self.columns.get(index).copied().unwrap_or(Column::Open);
            if matches!(column, Column::Condition | Column::Other | Column::Note) {
                continue;
            }
            let text = cell.norm.trim();
            let found = number_cell(text, column, rules);
            if found.is_empty() {
                continue;
            }
            let title = self.header.get(index).map(|h| h.norm.as_str()).unwrap_or_default();
            let named =
                number::dimension_of(title, rules).or_else(|| number::dimension_of(text, rules));
            used.push((
                index,
                found.iter().any(|f| f.measured) || self.measured.get(index) == Some(&true),
                found.iter().any(|f| f.quantity.dimension == Dimension::Ratio),
            ));
            values.extend(found.into_iter().map(|f| {
                let mut quantity = f.quantity;
                if let Some(named) = named.filter(|_| claim::takes_name(&quantity)) {
                    quantity.dimension = named;
                }
                quantity
            }));
        }
        (values, used)
    }
}

/// For each row whose first cell is empty, and not the others, the nearest row above it with a first
/// cell. Where all first cells are empty there is nothing to go on with.
fn goes_on(cells: &[Vec<Reading>]) -> Vec<Option<usize>> {
    let is_empty = |cell: &Reading| cell.norm.trim().is_empty();
    let mut last = None;
    let each = cells.iter().enumerate().map(|(at, row)| {
        let open = row.first().is_some_and(is_empty) && !row.iter().all(is_empty);
        let above = last.filter(|_| open);
        if row.first().is_some_and(|cell| !is_empty(cell)) {
            last = Some(at);
        }
        above
    });
    each.collect()
}

/// What a row was found to claim.
struct RowOutcome {
    kind: Kind,
    rule: String,
    /// Columns that hold it.
    cells: Vec<usize>,
    values: Vec<Quantity>,
    /// A symbol says so, not a word.
    marked: bool,
}

impl RowOutcome {
    fn of(
        kind: Kind,
        rule: &str,
        index: usize,
        plan: &Plan<'_>,
        rules: &RuleSet,
        cells: &[Reading],
    ) -> Self {
        let values = plan.values(rules, cells).0;
        RowOutcome { kind, rule: rule.to_owned(), cells: vec![index], values, marked: false }
    }
}

/// Places of a plate, columns of a schedule: whole numbers that go on by equal steps along the row.
fn counts_on(values: &[Quantity]) -> bool {
    let whole = |it: &Quantity| it.unit.is_empty() && !it.number.contains('.');
    let numbers: Vec<f64> = values.iter().filter_map(|it| it.number.parse().ok()).collect();
    numbers.len() >= STEPS && values.iter().all(whole) && are_levels(&numbers)
}

/// A cell that holds a flag or a variable in code and nothing else: its row gives the value of a
/// setting.
fn names_setting(cell: &Reading) -> bool {
    let text = cell.norm.trim();
    let [code] = cell.codes.as_slice() else { return false };
    let name = code.text.trim();
    let variable = name.contains('_')
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    code.range.len() >= text.len() && (variable || name.starts_with("--"))
}

/// Numbers of a cell that is made of numbers, not of words around one.
fn number_cell(text: &str, column: Column, rules: &RuleSet) -> Vec<number::Found> {
    let found = number::scan(text, rules);
    if found.is_empty() || bound(text) || is_shape(text, &found) {
        return Vec::new();
    }
    let covered: usize = found.iter().map(|f| f.range.len()).sum();
    let letters = |range: Range<usize>| text[range].chars().filter(|c| c.is_alphanumeric()).count();
    let outside =
        letters(0..text.len()).saturating_sub(found.iter().map(|f| letters(f.range.clone())).sum());
    let mostly = covered >= outside || found.iter().any(|f| f.measured);
    let numeric_column = matches!(column, Column::Number | Column::Outcome);
    if mostly || numeric_column { found } else { Vec::new() }
}

/// `[64, 2048]` is the shape of something, not what was found of it.
fn is_shape(text: &str, found: &[number::Found]) -> bool {
    let inside = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inside.is_some() && found.iter().all(|it| !it.fraction && it.quantity.unit.is_empty())
}

/// `>= 60 tok/s` is a threshold, as is `version >= 3.26`.
fn bound(text: &str) -> bool {
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let before = text[..start].trim_end();
    before.ends_with(['≥', '≤']) || before.ends_with(">=") || before.ends_with("<=")
}

/// A header cell that is a number, a size or a level such as `4k`.
fn is_level(name: &str, rules: &RuleSet) -> bool {
    number::scan(name, rules)
        .first()
        .is_some_and(|f| f.range.start == 0 && name.len() - f.range.len() <= 8)
}

/// Tells whether a mark is only the colour of what a condition names.
fn is_coloured(text: &str, column: Column) -> bool {
    let mut rest = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != ' ').chars();
    column == Column::Condition && rest.next().is_some_and(char::is_alphanumeric)
}

/// The mark or state that a cell starts with, and whether it is a word.
fn mark(text: &str, rules: &RuleSet) -> Option<(bool, Mark)> {
    let text = text.trim_start_matches(|c: char| "*_ (".contains(c));
    let lower = text.to_lowercase();
    if rules.tables.empty.contains(lower.trim()) {
        return Some((false, Mark::Untested));
    }
    rules.tables.marks.iter().find_map(|(mark, meaning)| {
        let rest = lower.strip_prefix(mark.as_str())?;
        let word = mark.ends_with(|c: char| c.is_ascii_alphanumeric());
        (!word || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/'))
            .then_some((word, *meaning))
    })
}
