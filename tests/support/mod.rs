//! What the tests share: stories, the repositories made of them, and the sealed binary.

pub(crate) mod audit;
pub(crate) mod build;
pub(crate) mod story;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use story::Story;

/// Runs a check on every story and fails once, with all that went wrong, story by story.
///
/// Stories run side by side; the failures are printed in the order of the stories' names.
pub(crate) fn each_story(check: impl Fn(&Story) -> Result<(), String> + Sync) {
    let stories = story::all();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(story) = stories.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(problem) = check(story) {
                        failures.lock().unwrap().push((&story.name, &story.story, problem));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let text: Vec<_> = failures
        .iter()
        .map(|(name, told, problem)| format!("{name}: {told}\n{}", indent(problem)))
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} stories fail\n\n{}\n",
        failures.len(),
        stories.len(),
        text.join("\n\n")
    );
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}
