//! Containers that last as long as lines are indented far enough.

use super::builder::Builder;

/// The open ones: the column their content begins at, and the builder's depth before them.
#[derive(Default)]
pub(super) struct Indents {
    open: Vec<(usize, usize)>,
}

impl Indents {
    /// Notes that a container is about to open whose content begins at this column.
    pub(super) fn open(&mut self, column: usize, builder: &Builder) {
        self.open.push((column, builder.depth()));
    }

    /// Ends the containers whose content begins right of this column.
    pub(super) fn close_beyond(&mut self, column: usize, builder: &mut Builder) {
        while let Some((_, depth)) = self.open.pop_if(|(content, _)| *content > column) {
            builder.close_to(depth);
        }
    }

    /// Ends all of them.
    pub(super) fn close_all(&mut self, builder: &mut Builder) {
        if let Some((_, depth)) = self.open.first().copied() {
            self.open.clear();
            builder.close_to(depth);
        }
    }

    /// Notes that a container is about to open which no indent ends.
    pub(super) fn open_fenced(&mut self, builder: &Builder) {
        self.open(0, builder);
    }

    /// Ends the innermost container that no indent ends, and those in it.
    pub(super) fn close_fenced(&mut self, builder: &mut Builder) {
        if let Some(index) = self.open.iter().rposition(|(column, _)| *column == 0)
            && let Some((_, depth)) = self.open.drain(index..).next()
        {
            builder.close_to(depth);
        }
    }

    /// The column at which the innermost one's content begins.
    pub(super) fn column(&self) -> usize {
        self.open.last().map_or(0, |(column, _)| *column)
    }
}

/// Columns before the first character that is no space; a tab goes on to the next eighth.
pub(super) fn indent_of(line: &str) -> usize {
    line.chars().take_while(|c| matches!(c, ' ' | '\t')).fold(0, |column, c| match c {
        '\t' => (column / 8 + 1) * 8,
        _ => column + 1,
    })
}
