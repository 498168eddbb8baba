//! Everything known, read-only, and the questions that checks ask.
