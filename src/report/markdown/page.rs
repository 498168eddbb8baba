//! A text of limited length that is never cut within a piece.

/// Gathers pieces while there is room.
pub(super) struct Page {
    text: String,
    room: usize,
    full: bool,
}

impl Page {
    /// Room for so many bytes.
    pub(super) fn new(room: usize) -> Self {
        Self { text: String::new(), room, full: false }
    }

    /// Adds a piece if it fits. After the first that did not, none is added, so that what is left
    /// out is the end and not a hole.
    #[must_use]
    pub(super) fn add(&mut self, piece: &str) -> bool {
        self.full |= self.text.len() + piece.len() > self.room;
        if !self.full {
            self.text.push_str(piece);
        }
        !self.full
    }

    /// Adds what must be there: the end of something begun. The caller keeps room for it.
    pub(super) fn close(&mut self, piece: &str) {
        self.text.push_str(piece);
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}
