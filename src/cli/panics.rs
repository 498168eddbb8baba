//! A panic is a bug of ours: it ends as any error does, with exit status 2 and what to report.
//!
//! libgit2's binding panics where a damaged pack gives an object a kind that does not exist. The
//! history catches that and goes on, so nothing may be printed when it happens.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

use super::problem::Problem;

/// The latest panic, as it would have been printed.
static LATEST: Mutex<Option<String>> = Mutex::new(None);

/// Keeps panics instead of printing them.
pub(super) fn keep() {
    panic::set_hook(Box::new(|info| {
        *LATEST.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.to_string());
    }));
}

/// Runs `work`, and makes a problem of a panic that nothing below caught.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner).take();
        Err(Problem::Bug { what: latest.unwrap_or_default() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_problem_with_its_place() {
        let before = panic::take_hook();
        keep();
        let done: Result<(), Problem> = caught(|| panic!("no such thing"));
        panic::set_hook(before);
        let Err(Problem::Bug { what }) = done else { panic!("no problem") };
        assert!(what.contains("panics.rs") && what.contains("no such thing"), "{what}");
        assert_eq!(caught(|| Ok(1)).ok(), Some(1));
    }
}
