//! Baseline files: from a path to what it holds, and back.

use std::path::Path;

use super::problem::Problem;
use super::{output, packs};
use crate::suppress::Baseline;

/// Bytes of a baseline: a line has about two hundred.
const LIMIT: u64 = 64 << 20;

/// Reads a baseline.
pub(super) fn read(path: &Path) -> Result<Baseline, Problem> {
    let fail = |source| Problem::BaselineFile { path: path.to_owned(), source };
    let bytes = packs::bytes_up_to(path, LIMIT).map_err(fail)?;
    let text = String::from_utf8_lossy(&bytes);
    Baseline::parse(&text).map_err(|error| Problem::Baseline { path: path.to_owned(), error })
}

/// Writes a baseline, whole or not at all.
pub(super) fn write(path: &Path, baseline: &Baseline) -> Result<(), Problem> {
    let text = baseline.to_text();
    output::replace(path, |out| out.write_all(text.as_bytes()))
        .map_err(|source| Problem::Output { path: path.to_owned(), source })
}
